"""Discretisation into so many intervals that later steps can merge them."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.discretizers.binning import EqualFrequencyDiscretizer
from augury.encode.discretizers.cut_point_discretizer import midpoints

# If so many rows have too many values, the others need not be looked at.
_FIRST_ROWS = 4096


class FineDiscretizer(EqualFrequencyDiscretizer):
    """One interval for each value, or intervals of equal weight if there are too many values.

    Parameters
    ----------
    n_bins : int
        Maximum number of intervals. The codes of 254 intervals, of missing values and of values
        that are left out fit in one byte.

    Attributes
    ----------
    cut_points_ : list of arrays, one for each column

    Examples
    --------
    >>> X = [[1.0], [2.0], [2.0], [2.0], [2.0], [5.0]]
    >>> FineDiscretizer().fit(X).cut_points_
    [array([1.5, 3.5])]
    >>> FineDiscretizer(n_bins=2).fit(X).cut_points_
    [array([3.5])]
    """

    def __init__(self, n_bins: int = 254) -> None:
        super().__init__(n_bins)

    def _cuts_of_column(
        self,
        column: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        if self._may_have_few(column):
            # Few values: to sort them alone is much faster than to find the order of the rows.
            rows = ~np.isnan(column) if weight is None else ~np.isnan(column) & (weight > 0)
            distinct = np.unique(column[rows])
            if len(distinct) <= self.n_bins:
                return self._find_cuts(distinct, None, n_classes, None)
        return super()._cuts_of_column(column, y, n_classes, weight)

    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        if self._may_have_few(values):
            distinct = np.unique(values)
            if len(distinct) <= self.n_bins:
                return midpoints(distinct[:-1], distinct[1:])
        return super()._find_cuts(values, y, n_classes, weight)

    def _may_have_few(self, values: FloatArray) -> bool:
        """Return whether the first values are so few that all of them must be counted."""
        return len(np.unique(values[:_FIRST_ROWS])) <= self.n_bins


__all__ = ["FineDiscretizer"]
