"""Supervised discretisation by minimum description length."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.discretizers.cut_point_discretizer import CutPointDiscretizer
from augury.kernels import mdl_cuts, mdl_cuts_by_class


class MDLDiscretizer(CutPointDiscretizer):
    """Cut points by the minimum description length criterion (Fayyad and Irani 1993).

    N rows are cut at the point with the lowest class entropy of the two sides, if the gain
    exceeds (log2(N - 1) + δ) / N with
    δ = log2(3^k - 2) - (k·H - k_left·H_left - k_right·H_right). Both sides are then cut in the
    same way. A column without an accepted cut becomes one interval.

    Parameters
    ----------
    n_jobs : int or None
        Number of threads, which divide the columns; None means 1, -1 one for each core.

    Attributes
    ----------
    cut_points_ : list of arrays, one for each column
        A value equal to a cut point lies in the interval on its left.

    Notes
    -----
    The cut points equal those of WEKA's filter to the last digit. Each pair of adjacent distinct
    values is a candidate, and its cut point is their mean. Ties in floating-point arithmetic go
    to the leftmost candidate. Entropies are summed in the order of the classes.

    With `sample_weight`, N is the sum of the weights, which are numbers of rows. Weights that
    sum to at most 1 are shares and are scaled to a mean of 1. Rows with a total weight below 2
    are not cut.

    References
    ----------
    U. Fayyad, K. Irani: Multi-interval discretization of continuous-valued attributes
    for classification learning. IJCAI 1993.

    Examples
    --------
    >>> import numpy as np
    >>> from augury.encode import MDLDiscretizer
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0], [7.0], [8.0], [9.0], [10.0]])
    >>> y = ["low", "low", "low", "low", "high", "high", "high", "high"]
    >>> MDLDiscretizer().fit(X, y).cut_points_
    [array([5.5])]
    """

    _needs_y = True
    _cuts_by_order = True

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs

    def _cuts_of_column(
        self,
        column: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        assert y is not None
        if weight is None:
            return mdl_cuts_by_class(column, y, n_classes)
        return super()._cuts_of_column(column, y, n_classes, weight)

    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        assert y is not None
        return mdl_cuts(np.ascontiguousarray(values), y, weight, n_classes)
