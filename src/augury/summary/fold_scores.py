"""Folds of a store as columns of numbers, by data set and model."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from augury.arrays import FloatArray
from augury.evaluate import measures
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import StoredDataset
from augury.summary.contents import Measure
from augury.summary.contents.overview import is_growing

FoldKey = tuple[int, int]  # run and fold


def describe_measure(measure: measures.Measure) -> Measure:
    """Return the words and the format of a measure, without its computation."""
    return Measure(
        measure.key, measure.title, measure.unit, measure.decimals, measure.higher_is_better
    )


MEASURES = tuple(
    describe_measure(measures.MEASURES[key]) for key in ("accuracy", "log_loss", "brier")
)

_COLUMNS = ("n_train", "n_test", "fit_seconds", "predict_seconds")


@dataclass(frozen=True, slots=True, eq=False)
class CellScores:
    """The folds of one model on one data set.

    Attributes
    ----------
    keys : tuple of (run, fold)
        Keys of the folds, ascending.
    columns : mapping from name to array of shape (n_folds,)
        The measures in their units, `n_train`, `n_test`, `fit_seconds`, `predict_seconds`.
    """

    keys: tuple[FoldKey, ...]
    columns: dict[str, FloatArray]

    def has(self, measure: str) -> bool:
        """Return whether all folds have the measure."""
        return bool(np.isfinite(self.columns[measure]).all())

    def mean(self, column: str) -> float:
        """Return the mean over the folds."""
        return float(self.columns[column].mean())

    def at(self, keys: Sequence[FoldKey]) -> "CellScores":
        """Return the folds with these keys."""
        places = {key: place for place, key in enumerate(self.keys)}
        chosen = [places[key] for key in keys]
        return CellScores(
            tuple(keys), {name: values[chosen] for name, values in self.columns.items()}
        )


@dataclass(frozen=True, slots=True, eq=False)
class FoldScores:
    """Folds of all models on all data sets of a store.

    Attributes
    ----------
    datasets, models : tuple of str
        Names, in the order of the store.
    cells : mapping from data set and model to CellScores
        Cells with at least one completed fold.
    table_sizes : mapping from data set to int
        Training rows of the folds in `cells`, for the data sets with learning curves.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    cells: dict[tuple[str, str], CellScores]
    table_sizes: dict[str, int]

    def n_folds(self, dataset: str) -> int:
        """Return the largest number of completed folds of a model."""
        counts = (len(self.cells[dataset, m].keys) for m in self.models if self.has(dataset, m))
        return max(counts, default=0)

    def has(self, dataset: str, model: str) -> bool:
        """Return whether the model has a completed fold of the data set."""
        return (dataset, model) in self.cells

    def is_complete(self, dataset: str, model: str) -> bool:
        """Return whether no other model has more folds of the data set."""
        found = self.cells.get((dataset, model))
        return found is not None and len(found.keys) == self.n_folds(dataset)


def collect_scores(
    results: Iterable[FoldResult], datasets: Sequence[StoredDataset], models: Sequence[str]
) -> FoldScores:
    """Return the rows of one protocol as columns.

    For a data set with growing training samples, only the samples of one size are used: the
    largest that all models have completed, so that no mean mixes sizes.

    Parameters
    ----------
    results : iterable of FoldResult
        Rows, sorted by data set and model, then run and fold, as a store returns them.
    datasets : sequence of StoredDataset
        Data sets, in the order of the result.
    models : sequence of str
        Names of models, in the order of the result.
    """
    growing = [dataset.name for dataset in datasets if has_growing_samples(dataset)]
    found = {
        name: list(group)
        for name, group in groupby(results, key=lambda row: (row.dataset, row.model))
    }
    table_sizes = {}
    for dataset in growing:
        tested = [rows for name, rows in found.items() if name[0] == dataset]
        if tested:
            table_sizes[dataset] = _largest_common_size(tested)
    cells = {}
    for name, all_rows in found.items():
        size = table_sizes.get(name[0])
        rows = [row for row in all_rows if size is None or row.n_train == size]
        if not rows:
            continue
        cells[name] = CellScores(
            tuple((row.run, row.fold) for row in rows),
            {
                **{m.key: measure_column(rows, m) for m in MEASURES},
                **{name: _column(rows, name) for name in _COLUMNS},
            },
        )
    names = tuple(dataset.name for dataset in datasets)
    return FoldScores(names, tuple(models), cells, table_sizes)


def _largest_common_size(tested: Sequence[Sequence[FoldResult]]) -> int:
    """Return the largest training size at which the fewest runs of models are missing.

    That is the largest size that all models have completed, if there is one.
    """
    runs = [Counter(row.n_train for row in rows) for rows in tested]
    n_runs = max(count for counts in runs for count in counts.values())
    sizes = {size for counts in runs for size in counts}
    return min(sizes, key=lambda size: (sum(n_runs - counts[size] for counts in runs), -size))


def has_growing_samples(dataset: StoredDataset) -> bool:
    """Return whether the folds of a data set are the sizes of a learning curve."""
    return is_growing(dataset.splitter)


def measure_column(rows: Sequence[FoldResult], measure: Measure) -> FloatArray:
    """Return a measure of each row, in its unit."""
    return measures.MEASURES[measure.key].factor * _column(rows, measure.key)


def finite_or_none(value: float) -> float | None:
    """Return a number as JSON can hold it: None for NaN and infinity."""
    return float(value) if math.isfinite(value) else None


def _column(rows: Sequence[FoldResult], field: str) -> FloatArray:
    return np.array([getattr(row, field) for row in rows], dtype=np.float64)


__all__ = [
    "MEASURES",
    "CellScores",
    "FoldScores",
    "collect_scores",
    "describe_measure",
    "finite_or_none",
    "has_growing_samples",
    "measure_column",
]
