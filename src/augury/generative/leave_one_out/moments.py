"""Moments of a continuous column without one row."""

import numpy as np

from augury.arrays import Array
from augury.counts import Moments
from augury.generative.leave_one_out.counts import ROUNDING, take_away

# A scatter that loses more than this share by one row is summed up again from the others.
_MAX_SHARE_LOST = 0.99


def moments_without(moments: Moments, j: int, values: Array, y: Array, weight: Array) -> Moments:
    """Return column j's moments without each row, of shape (n_samples, n_classes).

    If the rows are all that were counted, a scatter of which the row has nearly all is summed
    up again from the other rows: the difference would be a rounding error.
    """
    n, rows = len(values), np.arange(len(values))
    there = ~np.isnan(values)
    own_weight, own_mean, own_scatter = (
        array[j][y] for array in (moments.weight, moments.mean, moments.scatter)
    )
    left = take_away(own_weight, np.where(there, weight, 0.0))
    away = np.where(there, values - own_mean, 0.0)
    some = left > 0
    share = np.divide(weight, left, out=np.zeros(n), where=some)
    mean = np.where(some | np.isnan(left), own_mean - share * away, 0.0)
    lost = share * own_weight * away**2
    scatter = np.where(some, np.maximum(own_scatter - lost, 0.0), 0.0)
    scatter[scatter <= ROUNDING * own_scatter] = 0.0
    for row in _mostly_own(moments, j, there, y, weight, lost / np.maximum(own_scatter, 1e-300)):
        others = there & (y == y[row])
        others[row] = False
        if others.any():
            mean[row] = np.average(values[others], weights=weight[others])
            scatter[row] = weight[others] @ (values[others] - mean[row]) ** 2
    tiled = Moments(
        *(np.tile(a[j], (n, 1)) for a in (moments.weight, moments.mean, moments.scatter))
    )
    tiled.weight[rows, y], tiled.mean[rows, y], tiled.scatter[rows, y] = left, mean, scatter
    return tiled


def _mostly_own(
    moments: Moments, j: int, there: Array, y: Array, weight: Array, lost: Array
) -> list[int]:
    """Return the rows without which a class loses nearly all its scatter; about two per class."""
    q = moments.weight.shape[1]
    here = np.bincount(y[there], weight[there], q)
    complete = np.isclose(here, moments.weight[j], rtol=1e-9, atol=0.0)
    rows: list[int] = np.flatnonzero(there & complete[y] & (lost > _MAX_SHARE_LOST)).tolist()
    return rows
