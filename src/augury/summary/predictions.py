"""What single predictions tell: confusions, reliability, bias and variance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.evaluate import (
    BiasVariance,
    ReliabilityBins,
    kohavi_wolpert_bias_variance,
    predictions_by_run,
    webb_bias_variance,
)
from augury.experiments.store.stored_results import StoredDataset, StoredResults
from augury.summary.fold_scores import FoldScores, has_growing_samples
from augury.summary.rankings import CommonGround

Stored = tuple[int, int, Array, Array, Array | None]  # run, fold, rows, predicted, confidence

N_BINS = 15
_DIGITS = 5  # of bins and confusions: there are many of them, and a page shows fewer


@dataclass(frozen=True, slots=True)
class CellPredictions:
    """What the predictions of one model on one data set come to; None where it cannot be told.

    Attributes
    ----------
    confusion : list of lists
        [true][predicted]: mean number of rows in a run; a last column for predictions that
        are no class, if there are any.
    bins : ReliabilityBins or None
        Of the largest probability of each row.
    webb, kohavi_wolpert : BiasVariance or None
        Over the runs that have all rows.
    n_runs : int
        Number of these runs.
    """

    confusion: list[list[float]] | None
    bins: ReliabilityBins | None
    webb: BiasVariance | None
    kohavi_wolpert: BiasVariance | None
    n_runs: int


Cells = dict[tuple[str, str], CellPredictions]


def read_predictions(
    stored: StoredResults, scores: FoldScores, datasets: Sequence[StoredDataset], protocol: str
) -> Cells:
    """Read the predictions of all cells, one cell at a time."""
    cells = {}
    for dataset in datasets:
        for model in scores.models:
            if (cell := scores.cells.get((dataset.name, model))) is None:
                continue
            # A store may have grown since, and of growing samples only the largest count.
            known = set(cell.keys)
            folds = stored.predictions(dataset.name, model, protocol)
            folds = [fold for fold in folds if fold[:2] in known]
            cells[dataset.name, model] = _read_cell(dataset, folds)
    return cells


def _read_cell(dataset: StoredDataset, folds: Sequence[Stored]) -> CellPredictions:
    labels = dataset.labels
    if has_growing_samples(dataset):
        used, n_tables, by_run = list(folds), len(folds), None
    else:
        runs = _full_runs(folds, len(labels))
        used = [fold for fold in folds if fold[0] in runs]
        n_tables = len(runs)
        by_run = None
        if n_tables > 1:
            by_run = predictions_by_run([(f[0], f[2], f[3]) for f in used], len(labels))
    return CellPredictions(
        confusion=_confusion(dataset, used, n_tables),
        bins=_collect_bins(labels, folds),
        webb=None if by_run is None else webb_bias_variance(labels, by_run),
        kohavi_wolpert=None if by_run is None else kohavi_wolpert_bias_variance(labels, by_run),
        n_runs=n_tables if by_run is not None else min(n_tables, 1),
    )


def _full_runs(folds: Sequence[Stored], n_rows: int) -> set[int]:
    """Return the runs whose folds test every row once."""
    tested: dict[int, list[Array]] = {}
    for run, _, rows, _, _ in folds:
        tested.setdefault(run, []).append(rows)
    return {
        run
        for run, parts in tested.items()
        if (np.bincount(np.concatenate(parts), minlength=n_rows) == 1).all()
    }


def _confusion(
    dataset: StoredDataset, folds: Sequence[Stored], n_tables: int
) -> list[list[float]] | None:
    if not n_tables:
        return None
    n_classes = max(len(dataset.details.get("classes", ())), int(dataset.labels.max()) + 1)
    true = dataset.labels[np.concatenate([fold[2] for fold in folds])]
    predicted = np.concatenate([fold[3] for fold in folds])
    predicted = np.where(predicted < 0, n_classes, predicted)
    counts = np.bincount(true * (n_classes + 1) + predicted, minlength=n_classes * (n_classes + 1))
    table = counts.reshape(n_classes, n_classes + 1) / n_tables
    if not table[:, -1].any():
        table = table[:, :-1]
    means: list[list[float]] = table.round(_DIGITS).tolist()
    return means


def _collect_bins(labels: Array, folds: Sequence[Stored]) -> ReliabilityBins | None:
    said = [fold[4] for fold in folds if fold[4] is not None]
    if not said or len(said) < len(folds):
        return None
    rows = np.concatenate([fold[2] for fold in folds])
    predicted = np.concatenate([fold[3] for fold in folds])
    return ReliabilityBins.collect(np.concatenate(said), labels[rows] == predicted, n_bins=N_BINS)


def describe_confusions(scores: FoldScores, cells: Cells) -> list[list[list[list[float]] | None]]:
    """Return the confusion matrices, [data set][model]."""
    return [
        [found.confusion if (found := cells.get((d, m))) else None for m in scores.models]
        for d in scores.datasets
    ]


def pool_reliability(
    scores: FoldScores, ground: CommonGround, cells: Cells
) -> list[dict[str, Any] | None]:
    """Return the bins of each model over the common data sets, in which every row counts."""
    pooled: list[dict[str, Any] | None] = []
    for model in scores.models:
        total: ReliabilityBins | None = None
        parts = [cells[d, model].bins for d in ground.datasets if model in ground.models]
        for part in parts:
            total = part if total is None or part is None else total + part
        is_whole = bool(parts) and all(part is not None for part in parts)
        pooled.append(_describe_bins(total) if is_whole else None)
    return pooled


def describe_reliability(scores: FoldScores, cells: Cells) -> list[list[dict[str, Any] | None]]:
    """Return the bins of each cell, [data set][model]."""
    return [
        [
            _describe_bins(found.bins) if (found := cells.get((d, m))) else None
            for m in scores.models
        ]
        for d in scores.datasets
    ]


def _describe_bins(bins: ReliabilityBins | None) -> dict[str, Any] | None:
    """Return the bins that have rows, and the expected calibration error."""
    if bins is None:
        return None
    parts = zip(
        bins.edges, bins.edges[1:], bins.weights, bins.mean_confidence, bins.hit_rate, strict=False
    )
    return {
        "bins": [
            {
                "low": round(low, _DIGITS),
                "high": round(high, _DIGITS),
                "n": int(n),
                "confidence": round(said, _DIGITS),
                "accuracy": round(so, _DIGITS),
            }
            for low, high, n, said, so in parts
            if n > 0
        ],
        "ece": bins.expected_calibration_error,
    }


def describe_bias_variance(
    scores: FoldScores, ground: CommonGround, cells: Cells
) -> dict[str, Any] | None:
    """Return both decompositions of the error; None where no cell has two full runs."""
    if not any(found.webb for found in cells.values()):
        return None

    def table(parts_of: Callable[[CellPredictions], BiasVariance | None]) -> dict[str, Any]:
        parts = {key: parts_of(found) for key, found in cells.items()}
        return {
            "datasets": [
                [_describe_parts([parts.get((d, m))]) for m in scores.models]
                for d in scores.datasets
            ],
            "averages": [
                _describe_parts([parts[d, m] for d in ground.datasets])
                if m in ground.models
                else None
                for m in scores.models
            ],
        }

    return {
        "runs": max(found.n_runs for found in cells.values()),
        "method": "webb",
        "unit": "share of the predictions",
        **table(lambda found: found.webb),
        "kohavi_wolpert": table(lambda found: found.kohavi_wolpert),
    }


def _describe_parts(parts: Sequence[BiasVariance | None]) -> dict[str, float] | None:
    """Return the means of error, bias and variance, if all are known."""
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return {
        name: float(np.mean([getattr(part, name) for part in known]))
        for name in ("error", "bias", "variance")
    }


__all__ = [
    "CellPredictions",
    "Cells",
    "describe_bias_variance",
    "describe_confusions",
    "describe_reliability",
    "pool_reliability",
    "read_predictions",
]
