"""The folds of a store as columns of numbers, by data set and model."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.evaluate.fold_results import FoldResult
from augury.experiments.store.stored_results import StoredDataset

FoldKey = tuple[int, int]  # run and fold


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of each fold by which models are compared.

    Attributes
    ----------
    key, title, unit : str
        Field of `FoldResult`; words for a reader.
    decimals : int
        Digits worth showing.
    higher_is_better : bool
        Else lower.
    factor : float
        From the field to the unit.
    """

    key: str
    title: str
    unit: str
    decimals: int
    higher_is_better: bool
    factor: float = 1.0

    def describe(self) -> dict[str, Any]:
        """Return what a page needs to show it."""
        return {
            "key": self.key,
            "title": self.title,
            "unit": self.unit,
            "decimals": self.decimals,
            "higher_is_better": self.higher_is_better,
        }


MEASURES = (
    Measure("accuracy", "Accuracy", "%", 2, higher_is_better=True, factor=100.0),
    Measure("log_loss", "Log loss", "nats", 3, higher_is_better=False),
    Measure("brier", "Brier score", "", 3, higher_is_better=False),
)

_COLUMNS = ("n_train", "n_test", "fit_seconds", "predict_seconds")


@dataclass(frozen=True, slots=True, eq=False)
class CellScores:
    """The folds of one model on one data set.

    Attributes
    ----------
    keys : tuple of (run, fold)
        Ascending.
    columns : mapping from name to array of shape (n_folds,)
        The measures in their units, `n_train`, `n_test`, `fit_seconds`, `predict_seconds`.
    """

    keys: tuple[FoldKey, ...]
    columns: dict[str, Array]

    def has(self, measure: str) -> bool:
        """Return whether all folds have the measure."""
        return bool(np.isfinite(self.columns[measure]).all())

    def mean(self, column: str) -> float:
        """Return the mean over the folds."""
        return float(self.columns[column].mean())

    def at(self, keys: Sequence[FoldKey]) -> "CellScores":
        """Return some of the folds."""
        places = {key: place for place, key in enumerate(self.keys)}
        chosen = [places[key] for key in keys]
        return CellScores(
            tuple(keys), {name: values[chosen] for name, values in self.columns.items()}
        )


@dataclass(frozen=True, slots=True, eq=False)
class FoldScores:
    """All cells of a store.

    Attributes
    ----------
    datasets, models : tuple of str
        Names, in the order of the store.
    cells : mapping from data set and model to CellScores
        Those with at least one completed fold.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    cells: dict[tuple[str, str], CellScores]

    def n_folds(self, dataset: str) -> int:
        """Return the folds of the model that has most of them."""
        counts = (len(self.cells[dataset, m].keys) for m in self.models if self.has(dataset, m))
        return max(counts, default=0)

    def has(self, dataset: str, model: str) -> bool:
        """Return whether there is a completed fold."""
        return (dataset, model) in self.cells

    def is_complete(self, dataset: str, model: str) -> bool:
        """Return whether no other model has more folds of the data set."""
        found = self.cells.get((dataset, model))
        return found is not None and len(found.keys) == self.n_folds(dataset)


def collect_scores(
    results: Iterable[FoldResult], datasets: Sequence[StoredDataset], models: Sequence[str]
) -> FoldScores:
    """Put rows of one protocol in columns.

    Of a data set with growing samples the largest sample counts, a fold for each run.

    Parameters
    ----------
    results : iterable of FoldResult
        Sorted by data set and model, then run and fold, as a store returns them.
    datasets : sequence of StoredDataset
        In the order wanted.
    models : sequence of str
        In the order wanted.
    """
    growing = {dataset.name for dataset in datasets if has_growing_samples(dataset)}
    cells = {}
    for name, group in groupby(results, key=lambda row: (row.dataset, row.model)):
        rows = list(group)
        if name[0] in growing:
            largest = max(row.n_train for row in rows)
            rows = [row for row in rows if row.n_train == largest]
        cells[name] = CellScores(
            tuple((row.run, row.fold) for row in rows),
            {
                **{m.key: m.factor * _column(rows, m.key) for m in MEASURES},
                **{name: _column(rows, name) for name in _COLUMNS},
            },
        )
    return FoldScores(tuple(dataset.name for dataset in datasets), tuple(models), cells)


def has_growing_samples(dataset: StoredDataset) -> bool:
    """Return whether the folds of a data set are the sizes of a learning curve."""
    return str(dataset.splitter.get("class", "")).endswith(".GrowingSamples")


def _column(rows: Sequence[FoldResult], field: str) -> Array:
    return np.array([getattr(row, field) for row in rows], dtype=np.float64)


__all__ = [
    "MEASURES",
    "CellScores",
    "FoldScores",
    "Measure",
    "collect_scores",
    "has_growing_samples",
]
