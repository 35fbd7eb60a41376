"""Summaries of columns from which `TableEncoder` learns.

A summary of all rows is the sum of the summaries of blocks of rows, so that an encoder is learned
in the same way from a table in memory and from rows that were never in memory at once.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.arrays import Array, FloatArray
from augury.encode.nominal import Nominal


@dataclass(frozen=True, eq=False)
class LabelSummary:
    """Statistics of a column of labels from which its states are found; they add.

    Parameters
    ----------
    weights : dict from a label to the weight of its rows
        All declared labels in declared order; otherwise the labels that occur, as they come.
    has_missing : whether a value is missing
    declared : whether the labels were declared
    n_others : number of labels that `weights` lacks, because there are too many to keep
    others : weight of the rows of these labels
    """

    weights: dict[Hashable, float]
    has_missing: bool
    declared: bool
    n_others: int = 0
    others: float = 0.0

    @classmethod
    def of(cls, nominal: Nominal, weight: FloatArray | None, *, weigh: bool) -> LabelSummary:
        """Summarise some rows.

        Without `weigh` each label that occurs gets weight 1, which is faster.
        """
        present, has_missing = nominal.present()
        per_label: Array = present
        if weigh:
            code = nominal.translate(np.arange(len(nominal.labels) + 1))
            per_label = np.bincount(code, weight, minlength=len(per_label) + 1)[:-1]
        keep = np.ones_like(present) if nominal.declared else present
        weights = {label: float(per_label[k]) for k, label in enumerate(nominal.labels) if keep[k]}
        return cls(weights, has_missing, nominal.declared)

    def __add__(self, other: LabelSummary) -> LabelSummary:
        weights = dict(self.weights)
        for label, weight in other.weights.items():
            weights[label] = weights.get(label, 0.0) + weight
        return LabelSummary(
            weights,
            self.has_missing or other.has_missing,
            self.declared and other.declared,
            self.n_others + other.n_others,
            self.others + other.others,
        )

    def states(self) -> list[Any]:
        """Return the labels in declared order, or sorted if they were not declared."""
        labels: list[Any] = list(self.weights)
        if self.declared:
            return labels
        try:
            return sorted(labels)
        except TypeError:  # labels of several types
            return sorted(labels, key=lambda label: (type(label).__name__, label))

    def mode(self) -> Any:
        """Return the label with the largest weight; ties: the first state."""
        return max(self.states(), key=self.weights.__getitem__)


@dataclass(frozen=True, eq=False)
class NumberSummary:
    """Statistics of a column of numbers from which its plan is found.

    Parameters
    ----------
    has_missing : whether a value is missing
    mean : mean of the values that are not missing; used only if it replaces missing values
    cuts : cut points, or None if the numbers are not cut
    """

    has_missing: bool = False
    mean: float = 0.0
    cuts: FloatArray | None = None


def weighted_mean(values: FloatArray, weight: FloatArray | None) -> float:
    """Return the weighted mean of the values that are not missing; 0 if all are."""
    missing = np.isnan(values)
    if missing.all():
        return 0.0
    if missing.any():
        values, weight = values[~missing], None if weight is None else weight[~missing]
    # Summed row by row as in WEKA, not pairwise: the mean may become a cut point.
    if weight is None:
        return float(np.cumsum(values)[-1] / len(values))
    return float(np.cumsum(values * weight)[-1] / np.cumsum(weight)[-1])


def fill_missing(numbers: FloatArray, means: float | list[float]) -> FloatArray:
    """Return the numbers with the mean of its column in place of each missing value.

    `numbers` is a column, or a matrix with a mean for each column.
    """
    return np.where(np.isnan(numbers), means, numbers) if np.isnan(numbers).any() else numbers


__all__ = ["LabelSummary", "NumberSummary", "fill_missing", "weighted_mean"]
