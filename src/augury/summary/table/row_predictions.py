"""Predictions of the test rows of one model, from a store."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.experiments.store.result_store import FoldKey
from augury.experiments.store.stored_results import StoredDataset, StoredResults


@dataclass(frozen=True, slots=True, eq=False)
class RowPredictions:
    """Predictions of test rows; a row has one prediction in each run.

    Attributes
    ----------
    true : array of shape (n,)
        Codes of the classes.
    rows, predicted : array of shape (n,)
        Numbers of the rows, and codes of the predicted classes, -1 for no class.
    confidence : array of shape (n,) or None
        Probability of the predicted class.
    probabilities : array of shape (n, n_classes) or None
    folds : set of (run, fold)
    n_classes : int
    """

    true: IntegerArray
    rows: IntegerArray
    predicted: IntegerArray
    confidence: FloatArray | None
    probabilities: FloatArray | None
    folds: frozenset[FoldKey]
    n_classes: int

    @property
    def n_runs(self) -> int:
        """Number of runs."""
        return len({run for run, _ in self.folds})


def read_row_predictions(
    stored: StoredResults,
    dataset: StoredDataset,
    model: str,
    protocol: str,
    *,
    only: frozenset[FoldKey] | None = None,
) -> RowPredictions | None:
    """Return the predictions of a model, of some folds only or of all; None if there are none."""
    folds = [fold for fold in stored.predictions(dataset.name, model, protocol) if len(fold[3])]
    if only is not None:
        folds = [fold for fold in folds if fold[:2] in only]
    if not folds:
        return None
    rows = np.concatenate([fold[2] for fold in folds])
    predicted = np.concatenate([fold[3] for fold in folds])
    known = [fold[4] for fold in folds if fold[4] is not None]
    confidence = np.concatenate(known) if len(known) == len(folds) else None
    n_classes = dataset.n_classes
    kept = stored.probabilities(dataset.name, model, protocol)
    parts = [kept[fold[:2]] for fold in folds if fold[:2] in kept]
    probabilities = (
        np.concatenate(parts)
        if len(parts) == len(folds)
        else _probabilities(predicted, confidence, n_classes)
    )
    return RowPredictions(
        dataset.labels[rows],
        rows,
        predicted,
        confidence,
        probabilities,
        frozenset(fold[:2] for fold in folds),
        n_classes,
    )


def _probabilities(
    predicted: Array, confidence: FloatArray | None, n_classes: int
) -> FloatArray | None:
    """Return the probabilities of both of two classes from that of the predicted one."""
    if confidence is None or n_classes != 2 or (predicted < 0).any():
        return None
    second = np.where(predicted == 1, confidence, 1 - confidence)
    return np.column_stack([1 - second, second])


__all__ = ["RowPredictions", "read_row_predictions"]
