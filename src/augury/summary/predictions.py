"""Confusions, reliability, bias and variance, from the predictions of single rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

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
from augury.summary.contents import (
    BiasVarianceTables,
    ErrorParts,
    ErrorTable,
    Predictions,
    Reliability,
    ReliabilityBin,
)
from augury.summary.fold_scores import FoldScores, finite_or_none, has_growing_samples
from augury.summary.rankings import SharedDatasets

T = TypeVar("T")
Stored = tuple[int, int, Array, Array, Array | None]  # run, fold, rows, predicted, confidence

N_BINS = 15
# Decimals of bins and confusions: there are many of them, and a page shows fewer decimals.
_DIGITS = 5

Confusion = tuple[tuple[float, ...], ...]  # [true][predicted]


@dataclass(frozen=True, slots=True)
class CellPredictions:
    """Statistics of the predictions of one model on one data set; None if unknown.

    Attributes
    ----------
    confusion : [true][predicted] or None
        Mean number of rows in a run. Predictions that are not a class, if there are any, have
        a last column.
    bins : ReliabilityBins or None
        Bins of the largest class probability of each row.
    webb, kohavi_wolpert : BiasVariance or None
        Decompositions over the runs that test all rows.
    n_runs : int
        Number of these runs.
    """

    confusion: Confusion | None
    bins: ReliabilityBins | None
    webb: BiasVariance | None
    kohavi_wolpert: BiasVariance | None
    n_runs: int


Cells = dict[tuple[str, str], CellPredictions]


def describe_predictions(
    stored: StoredResults,
    scores: FoldScores,
    datasets: Sequence[StoredDataset],
    protocol: str | None,
    shared: SharedDatasets,
) -> Predictions:
    """Return what the predictions of all cells show. The rows of one cell at a time are read."""
    cells = {} if protocol is None else read_predictions(stored, scores, datasets, protocol)

    def table(part: Callable[[CellPredictions], T | None]) -> tuple[tuple[T | None, ...], ...]:
        return tuple(
            tuple(part(found) if (found := cells.get((d, m))) else None for m in scores.models)
            for d in scores.datasets
        )

    return Predictions(
        bias_variance=_describe_bias_variance(scores, shared, cells),
        reliability=_pool_reliability(scores, shared, cells),
        reliability_by_dataset=table(lambda found: _describe_bins(found.bins)),
        confusion=table(lambda found: found.confusion),
    )


def read_predictions(
    stored: StoredResults, scores: FoldScores, datasets: Sequence[StoredDataset], protocol: str
) -> Cells:
    """Return the statistics of each cell with completed folds."""
    cells = {}
    for dataset in datasets:
        for model in scores.models:
            if (cell := scores.cells.get((dataset.name, model))) is None:
                continue
            # The store may have more folds by now, or folds of smaller training samples.
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


def _confusion(dataset: StoredDataset, folds: Sequence[Stored], n_tables: int) -> Confusion | None:
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
    return tuple(tuple(row) for row in table.round(_DIGITS).tolist())


def _collect_bins(labels: Array, folds: Sequence[Stored]) -> ReliabilityBins | None:
    confidence = [fold[4] for fold in folds if fold[4] is not None]
    if not confidence or len(confidence) < len(folds):
        return None
    rows = np.concatenate([fold[2] for fold in folds])
    predicted = np.concatenate([fold[3] for fold in folds])
    return ReliabilityBins.collect(
        np.concatenate(confidence), labels[rows] == predicted, n_bins=N_BINS
    )


def _pool_reliability(
    scores: FoldScores, shared: SharedDatasets, cells: Cells
) -> tuple[Reliability | None, ...]:
    """Return the bins of each model over the rows of all shared data sets."""
    pooled = []
    for model in scores.models:
        total: ReliabilityBins | None = None
        parts = [cells[d, model].bins for d in shared.datasets if model in shared.models]
        for part in parts:
            total = part if total is None or part is None else total + part
        is_whole = bool(parts) and all(part is not None for part in parts)
        pooled.append(_describe_bins(total) if is_whole else None)
    return tuple(pooled)


def _describe_bins(bins: ReliabilityBins | None) -> Reliability | None:
    """Return the bins that contain rows, and the expected calibration error."""
    if bins is None:
        return None
    columns = (bins.edges[:-1], bins.edges[1:], bins.weights, bins.mean_confidence, bins.hit_rate)
    return Reliability(
        bins=tuple(
            ReliabilityBin(
                low=round(float(low), _DIGITS),
                high=round(float(high), _DIGITS),
                n=int(n),
                confidence=round(float(confidence), _DIGITS),
                accuracy=round(float(accuracy), _DIGITS),
            )
            for low, high, n, confidence, accuracy in zip(*columns, strict=True)
            if n > 0
        ),
        ece=finite_or_none(bins.expected_calibration_error),
    )


def _describe_bias_variance(
    scores: FoldScores, shared: SharedDatasets, cells: Cells
) -> BiasVarianceTables | None:
    """Return both decompositions of the error; None if no cell has two complete runs."""
    if not any(found.webb for found in cells.values()):
        return None

    def table(part_of: Callable[[CellPredictions], BiasVariance | None]) -> ErrorTable:
        parts = {key: part_of(found) for key, found in cells.items()}
        return ErrorTable(
            datasets=tuple(
                tuple(_mean_parts([parts.get((d, m))]) for m in scores.models)
                for d in scores.datasets
            ),
            averages=tuple(
                _mean_parts([parts[d, m] for d in shared.datasets]) if m in shared.models else None
                for m in scores.models
            ),
        )

    webb = table(lambda found: found.webb)
    return BiasVarianceTables(
        runs=max(found.n_runs for found in cells.values()),
        method="webb",
        unit="share of the predictions",
        datasets=webb.datasets,
        averages=webb.averages,
        kohavi_wolpert=table(lambda found: found.kohavi_wolpert),
    )


def _mean_parts(parts: Sequence[BiasVariance | None]) -> ErrorParts | None:
    """Return the means of error, bias and variance; None if one of the parts is unknown."""
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return ErrorParts(
        error=float(np.mean([part.error for part in known])),
        bias=float(np.mean([part.bias for part in known])),
        variance=float(np.mean([part.variance for part in known])),
    )


__all__ = ["CellPredictions", "describe_predictions", "read_predictions"]
