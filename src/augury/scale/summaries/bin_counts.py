"""Class × bin weights of a column of numbers, and the cut points that they give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.encode.discretizers.cut_point_discretizer import CutPointDiscretizer, midpoints
from augury.encode.discretizers.learned_cuts import discretizer_named
from augury.kernels import count_bins
from augury.scale.summaries.bins import Bins


@dataclass(frozen=True, eq=False)
class BinCounts:
    """Weights of each class in each bin of a column; they add.

    Parameters
    ----------
    bins : bins of the column
    weights : array of shape (n_bins, n_classes)
    ranges : array of shape (n_bins, 2)
        Smallest and largest number of each bin; (inf, -inf) if it has none.
    missing : array of shape (n_classes,)
        Weights of the rows without a number.

    Examples
    --------
    >>> values, y = np.array([1.0, 2.0, 7.0, 9.0]), np.array([0, 0, 1, 1])
    >>> bins = Bins.of_values(values, n_classes=2)
    >>> BinCounts.collect(values, y, None, 2, bins).cut_points("mdl")
    array([4.5])
    """

    bins: Bins
    weights: FloatArray
    ranges: FloatArray
    missing: FloatArray

    @classmethod
    def collect(
        cls,
        values: FloatArray,
        y: IntegerArray,
        weight: FloatArray | None,
        n_classes: int,
        bins: Bins,
    ) -> BinCounts:
        """Count some rows.

        Parameters
        ----------
        values : numbers; NaN is missing
        y : class of each row, 0 … n_classes - 1
        weight : weight of each row; None if every row has weight 1
        n_classes : number of classes
        bins : bins, the same for all rows
        """
        n_bins = len(bins.edges) + 1
        counts = cls(
            bins,
            np.zeros((n_bins, n_classes)),
            np.tile([np.inf, -np.inf], (n_bins, 1)),
            np.zeros(n_classes),
        )
        counts.add_rows(values, y, weight)
        return counts

    def add_rows(self, values: FloatArray, y: IntegerArray, weight: FloatArray | None) -> None:
        """Count further rows in place, which takes less memory than a sum."""
        count_bins(values, y, weight, self.bins.grid, self.weights, self.ranges, self.missing)

    def __add__(self, other: BinCounts) -> BinCounts:
        low = np.minimum(self.ranges[:, 0], other.ranges[:, 0])
        high = np.maximum(self.ranges[:, 1], other.ranges[:, 1])
        return BinCounts(
            self.bins,
            self.weights + other.weights,
            np.column_stack([low, high]),
            self.missing + other.missing,
        )

    @property
    def largest_share(self) -> float:
        """The largest share of the weight in a bin of several numbers; 0 if there is none.

        Between any number and the next candidate for a cut point lie rows of at most this share.
        """
        several = self.ranges[:, 0] < self.ranges[:, 1]
        total = self.weights.sum()
        return float(self.weights[several].sum(axis=1).max(initial=0.0) / total) if total else 0.0

    def cut_points(
        self, discretizer: str | CutPointDiscretizer, replacement: float | None = None
    ) -> FloatArray:
        """Return the cut points of the column.

        Without weights, or with integer weights, they equal those that the discretiser finds in
        all rows, if each distinct number has a bin of its own. Otherwise the candidates are the
        boundaries of the bins, with exact class weights on both sides.

        Parameters
        ----------
        discretizer : "mdl", "frequency", "width" or a discretiser with its parameters
        replacement : number that takes the place of missing values, or None to leave them out
        """
        if isinstance(discretizer, str):
            discretizer = discretizer_named(discretizer)
        if not isinstance(discretizer, CutPointDiscretizer):
            raise TypeError(
                "BinCounts: discretizer must be 'mdl', 'frequency', 'width' or a "
                f"CutPointDiscretizer, got {discretizer!r}"
            )
        low, high, weights = self._filled_bins(replacement)
        values = np.arange(len(low), dtype=np.float64)
        if not discretizer._cuts_by_order:
            values = np.append(low[:-1], high[-1:])
        place, label = np.nonzero(weights)
        cuts = discretizer._find_cuts(
            values[place], label.astype(np.int32), weights.shape[1], weights[place, label]
        )
        if not discretizer._cuts_by_order:
            return cuts
        left = np.floor(cuts).astype(np.intp)
        return midpoints(high[left], low[left + 1])

    def _filled_bins(self, replacement: float | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return ends and weights of the bins with rows; missing values are replaced."""
        filled: BoolArray = self.weights.sum(axis=1) > 0
        low, high = self.ranges[filled].T
        self._check_same_rows(low, high, filled)
        weights = self.weights[filled]
        if replacement is None or not self.missing.any():
            return low, high, weights
        place = int(np.searchsorted(high, replacement))
        if place < len(low) and low[place] <= replacement:
            weights = weights.copy()
            weights[place] += self.missing
            return low, high, weights
        return (
            np.insert(low, place, replacement),
            np.insert(high, place, replacement),
            np.insert(weights, place, self.missing, axis=0),
        )

    def _check_same_rows(self, low: FloatArray, high: FloatArray, filled: BoolArray) -> None:
        if not self.bins.is_exact:
            return
        known = np.append(self.bins.edges, np.nan)[filled]
        if not (np.array_equal(low, known) and np.array_equal(high, known)):
            other = np.append(low[low != known], high[high != known])[0]
            raise ValueError(
                f"the rows changed between two passes: the first did not have the number {other}"
            )


__all__ = ["BinCounts"]
