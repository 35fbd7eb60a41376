"""Rows and bounds in coordinates in which the covariance within the classes is the identity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular

from augury.arrays import Array
from augury.generative.densities.normal_density import NormalDensity
from augury.generative.densities.normal_mixtures import Groups, WeightedRows, rows_by_class

# Rows whose distances from the mean agree in so many decimals of a logarithm are ordered by their
# numbers: the last digits of distances depend on the order of the rows.
_DECIMALS = 7


def distinct_rows(rows: WeightedRows, n_classes: int, whiten: Callable[[Array], Array]) -> Groups:
    """Return the different rows of each class, nearest to its mean first.

    The order does not depend on that of the rows or columns of the table.

    Parameters
    ----------
    rows : numbers of the columns, classes and weights
    n_classes : number of classes
    whiten : function from numbers of the columns to the coordinates
    """
    found = []
    for c, own in enumerate(rows_by_class(rows.y, n_classes)):
        numbers, where = np.unique(rows.numbers[own], axis=0, return_inverse=True)
        sums = np.bincount(where.ravel(), rows.weight[own], len(numbers))
        white = whiten(numbers)
        if len(numbers):
            squares = ((white - sums @ white / sums.sum()) ** 2).sum(axis=1)
            order = np.argsort(np.round(np.log(squares + 1e-12), _DECIMALS), kind="stable")
            white, sums = white[order], sums[order]
        found.append(WeightedRows(white, np.full(len(numbers), c), sums))
    return Groups(found)


def smallest_covariance(whitener: NormalDensity, within: Array, min_variance: float) -> Array:
    """Return the bound of the covariances of components, in the coordinates of `whitener`.

    Parameters
    ----------
    whitener : density whose covariance is `within` plus its ridge
    within : covariance within the classes
    min_variance : smallest variance, as a share of that within the classes
    """
    identity = np.eye(len(within))
    if not whitener.ridge:
        return min_variance * identity
    # Where the ridge is the larger part of the variance, it is the bound.
    half = solve_triangular(whitener.factor, within, lower=True)
    share = solve_triangular(whitener.factor, half.T, lower=True)
    bound: Array = identity - (1.0 - min_variance) * (share + share.T) / 2.0
    return bound


__all__ = ["distinct_rows", "smallest_covariance"]
