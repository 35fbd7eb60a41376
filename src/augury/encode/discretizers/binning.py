"""Unsupervised discretisation into intervals of equal width or equal weight."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.discretizers.cut_point_discretizer import CutPointDiscretizer, midpoints
from augury.validation import check_integer


class BinDiscretizer(CutPointDiscretizer):
    """Base class of discretisers with a given number of intervals."""

    def __init__(self, n_bins: int = 10) -> None:
        self.n_bins = n_bins

    def _check_parameters(self) -> None:
        check_integer(type(self).__name__, "n_bins", self.n_bins, at_least=1)


class EqualWidthDiscretizer(BinDiscretizer):
    """Intervals of equal width between the smallest and the largest value.

    Parameters
    ----------
    n_bins : int
        Number of intervals; a constant column has one interval.

    Attributes
    ----------
    cut_points_ : list of arrays, one for each column

    Examples
    --------
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0.0], [1.0], [8.0]]).cut_points_
    [array([2., 4., 6.])]
    """

    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        if len(values) == 0 or values[0] == values[-1]:
            return np.empty(0)
        # Values are halved if the width would overflow.
        scale = 1.0 if values[-1] / 2 - values[0] / 2 <= np.finfo(np.float64).max / 2 else 2.0
        edges = np.linspace(values[0] / scale, values[-1] / scale, self.n_bins + 1)[1:-1] * scale
        return np.unique(edges)  # edges coincide in a range of few representable numbers


class EqualFrequencyDiscretizer(BinDiscretizer):
    """Intervals of equal weight, as far as ties allow.

    The k-th cut point is the mean of two adjacent distinct values: the first value at which
    k/n_bins of the weight is reached, and the next one. Equal cut points are merged.

    Parameters
    ----------
    n_bins : int
        Maximum number of intervals.

    Attributes
    ----------
    cut_points_ : list of arrays, one for each column

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0], [50.0], [60.0]]
    >>> EqualFrequencyDiscretizer(n_bins=3).fit(X).cut_points_
    [array([ 2.5, 27. ])]
    """

    _cuts_by_order = True

    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        distinct, first = np.unique(values, return_index=True)
        if len(distinct) < 2:
            return np.empty(0)
        per_row = np.ones(len(values)) if weight is None else weight
        reached = np.cumsum(np.add.reduceat(per_row, first))
        # The tolerance allows for rounding of the sums.
        shares = reached[-1] * np.arange(1, self.n_bins) / self.n_bins * (1 - 1e-12)
        last = np.unique(np.searchsorted(reached, shares))
        last = last[last < len(distinct) - 1]
        return midpoints(distinct[last], distinct[last + 1])
