"""Discretisation into so many intervals that later steps can merge them."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.discretizers.binning import EqualFrequencyDiscretizer
from augury.encode.discretizers.cut_point_discretizer import midpoints


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

    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        distinct = np.unique(values)
        if len(distinct) <= self.n_bins:
            return midpoints(distinct[:-1], distinct[1:])
        return super()._find_cuts(values, y, n_classes, weight)


__all__ = ["FineDiscretizer"]
