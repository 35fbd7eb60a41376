"""Density of one column by a sum of Gaussian kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from math import factorial

import numpy as np

from augury.arrays import Array
from augury.counts.class_values import UNMERGED, Values
from augury.generative.leave_one_out.counts import take_away

# Boxes of points are half a width wide, and have this number of cells of the interpolation.
_BOX, _CELLS, _CELL_BITS = 0.5, 16, 4
# Boxes on each side whose kernels are added: points farther than 10 widths are neglected.
_REACH = 20
# Terms of the expansion of e^(-bt), |b| <= 1/4: at t = 5 the remainder is below 1e-9.
_TERMS = 14
# Beyond this distance from all points, in widths, kernels are added one by one: where two distant
# groups of points meet, the log density bends too sharply for an interpolation.
_NEAR = 3.0
# Kernels that are smaller than this share of the nearest kernel are neglected, e^-40.
_NEGLIGIBLE = 40.0
# Larger distances, in widths, are set to this number.
_FARTHEST = 1e140
# Boxes of a table without gaps; kernels that are added at once.
_MAX_DENSE, _AT_ONCE = 1 << 12, 1 << 20
# A kernel of the row itself with a larger share of the density is not subtracted.
_MAX_OWN_SHARE = 0.1
_LOG_PEAK = -0.5 * np.log(2 * np.pi)


@dataclass(frozen=True, eq=False)
class KernelDensity:
    """f(x) = Σ w_i φ((x - x_i) / h) / (h Σ w_i), for the normal density φ and the width h.

    Parameters
    ----------
    values : Values
        At least one. A bin of merged values stands for two points, mean ± standard deviation
        of the bin.
    width : float above 0

    Notes
    -----
    Up to 3 widths from the nearest point, log f is a cubic Hermite interpolation with 32 cells in
    a width. Log f and its slope at the ends of the cells are sums over the points within 10 widths,
    grouped into boxes of half a width (the expansion of the fast Gauss transform, Greengard and
    Strain 1991, with 14 terms). Farther out, the kernels are added one by one. The result for a
    number does not depend on the other numbers.

    If no values are merged, log f differs from the sum over all rows by less than 1e-6, far from
    all points too, unless a point has less than 1e-9 of the weight; 1e-8 is typical. The largest
    error of the interpolation is (a / 32)⁴ / 3072 where two groups of points a widths apart have
    the same density, and a is at most 7.

    Merged values have a further error, because the third moment of a bin is not known. With a width
    of 50 bins or more, log f is exact to 1e-6 up to 6 widths from the rows (measured; a million
    normal rows have 270 bins in a width by Silverman's rule and 60 by WEKA's). Farther out the
    relative error of log f is below 1e-8.

    Examples
    --------
    >>> pair = KernelDensity(Values.collect(np.array([-1.0, 1.0]), None), width=1.0)
    >>> np.exp(pair.log_density(np.array([0.0]))).round(4)  # φ(1)
    array([0.242])
    """

    values: Values
    width: float

    @cached_property
    def _points(self) -> tuple[Array, Array]:
        value, weight = self.values.value, self.values.weight
        if self.values.level == UNMERGED:
            return value, weight
        return _two_points(value, weight, self.values.scatter)

    @property
    def _log_scale(self) -> float:
        """Log of 1 / (√(2π) h Σ w)."""
        return float(_LOG_PEAK - np.log(self.width) - np.log(self.values.total))

    def log_density(self, x: Array) -> Array:
        """Return log f of numbers that are not missing."""
        points, _ = self._points
        with np.errstate(over="ignore"):
            t = (x - points[0]) * (_CELLS / _BOX / self.width)
        last = (points[-1] - points[0]) / self.width / _BOX
        margin = _NEAR / _BOX
        if not np.isfinite(last) or last + 2 * margin > 2.0**31 / _CELLS - 64:
            return self._sum_one_by_one(x)  # hardly any two points are near each other
        # All that is outside this range is far from all points.
        np.clip(t, -(margin + 2) * _CELLS, (last + margin + 2) * _CELLS, out=t)
        t += (margin + 3) * _CELLS
        cell = t.astype(np.int32)
        t -= cell
        boxes, at = _distinct(cell, int(last + 2 * margin) + 6)
        near, (c0, c1, c2, c3) = self._cells(boxes - (margin + 3))
        result: Array = c3.take(at)
        for coefficient in (c2, c1, c0):
            result *= t
            result += coefficient.take(at)
        if not near.all():
            far = np.isnan(result)
            result[far] = self._sum_one_by_one(x[far])
        return result

    # ---- interpolation ------------------------------------------------------------------

    def _cells(self, boxes: Array) -> tuple[Array, Array]:
        """Return which boxes are near points, and the cubics of all cells (NaN: not near)."""
        points, _ = self._points
        centre = points[0] + (boxes + 0.5) * _BOX * self.width
        right = np.minimum(np.searchsorted(points, centre), len(points) - 1)
        distance = np.minimum(
            np.abs(points[right] - centre), np.abs(points[np.maximum(right - 1, 0)] - centre)
        )
        near = np.asarray(distance <= (_NEAR + _BOX / 2) * self.width)
        cubics = np.full((4, len(boxes), _CELLS), np.nan)
        own = boxes[near]
        step = max(1, _AT_ONCE // ((2 * _REACH + 1) * _TERMS))
        parts = [self._nodes(own[i : i + step]) for i in range(0, len(own), step)]
        if parts:
            value, slope = (np.concatenate(each) for each in zip(*parts, strict=True))
            left, right_value = value[:, :-1], value[:, 1:]
            left_slope, right_slope = slope[:, :-1], slope[:, 1:]
            rise = right_value - left
            cubics[0, near], cubics[1, near] = left, left_slope
            cubics[2, near] = 3 * rise - 2 * left_slope - right_slope
            cubics[3, near] = left_slope + right_slope - 2 * rise
        return near, cubics.reshape(4, -1)

    def _nodes(self, boxes: Array) -> tuple[Array, Array]:
        """Return log f and its slope by cell at the ends of the cells of boxes near points."""
        known, moments = self._boxes
        wanted = boxes[:, None] + np.arange(-_REACH, _REACH + 1)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        found = moments[at] * (known[at] == wanted)[:, :, None]
        of_value, of_slope = _translation()
        sums = found.reshape(len(boxes), -1)
        density = sums @ of_value
        slope = (sums @ of_slope) / density * (_BOX / _CELLS)
        return np.log(density) + self._log_scale, slope

    @cached_property
    def _boxes(self) -> tuple[Array, Array]:
        """The boxes with points, and Σ w e^(-b²/2) b^k / k! of each, b = (x - centre) / h."""
        points, weight = self._points
        place = (points - points[0]) / (_BOX * self.width)
        box = np.floor(place)
        b = (place - box - 0.5) * _BOX
        first = np.flatnonzero(np.concatenate([[True], box[1:] != box[:-1]]))
        moments = np.empty((len(first), _TERMS))
        term = weight * np.exp(-0.5 * b**2)
        for k in range(_TERMS):
            moments[:, k] = np.add.reduceat(term, first) / factorial(k)
            term = term * b
        return box[first], moments

    # ---- sums of kernels, one by one ------------------------------------------------------

    def _sum_one_by_one(self, x: Array) -> Array:
        return _log_kernel_sums(self.values, self.width, x) + self._log_scale

    def log_density_without(self, x: Array, weight: Array) -> Array:
        """Return log f of counted rows, each without this weight of the row itself.

        It is NaN for a row that was not counted, and -inf if no weight is left.
        """
        values, entry = self.values, self.values.entry_of(x)
        left = take_away(np.where(entry >= 0, values.weight[entry], 0.0), weight)
        total_left = take_away(np.full(len(x), values.total), weight)
        usual = self.log_density(x)
        share = np.exp(np.minimum(self._log_scale + np.log(weight) - usual, 0.0))
        result = usual + np.log1p(-np.minimum(share, _MAX_OWN_SHARE))
        isolated = np.flatnonzero((share > _MAX_OWN_SHARE) & (total_left > 0) & ~np.isnan(left))
        if len(isolated):
            result[isolated] = self._log_scale + _log_kernel_sums(
                values, self.width, x[isolated], entry[isolated], weight[isolated]
            )
        some = total_left > 0
        result += np.log(values.total) - np.log(np.where(some, total_left, 1.0))
        result[~some] = -np.inf
        result[np.isnan(left)] = np.nan
        return result


def _log_kernel_sums(
    values: Values, width: float, x: Array, entry: Array | None = None, lost: Array | None = None
) -> Array:
    """Return log Σ w e^(-z²/2) of each number; `entry` has lost the weight `lost` of the number."""
    with np.errstate(over="ignore"):
        low, high = _window(values, width, x, entry, lost)
    result, size = np.empty(len(x)), high - low
    ends = np.cumsum(size)
    start = 0
    while start < len(x):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] - size[start] + _AT_ONCE)))
        rows = slice(start, stop)
        first = np.cumsum(size[rows]) - size[rows]
        row = np.repeat(np.arange(stop - start), size[rows])
        at = np.arange(len(row)) - np.repeat(first - low[rows], size[rows])
        value, weight, scatter = values.value[at], values.weight[at], values.scatter[at]
        number = x[rows][row]
        if entry is not None and lost is not None:
            own = np.flatnonzero(at == entry[rows][row])
            reduced = _without_row(value[own], weight[own], scatter[own], number[own], lost[rows])
            value[own], weight[own], scatter[own] = reduced
        result[rows] = _log_sums(number, value, weight, scatter, width, first, row)
        start = stop
    return result


def _log_sums(
    x: Array, value: Array, weight: Array, scatter: Array, width: float, first: Array, row: Array
) -> Array:
    """Return the log of the sums of kernels of consecutive entries, a run for each row."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        z = np.minimum(np.abs(x - value) / width, _FARTHEST)
        # Two points, mean ± deviation: e^(-(z² + d²)/2) cosh(z d).
        spread = np.sqrt(np.where(weight > 0, scatter / weight, 0.0)) / width
        log_kernel = -0.5 * (z - spread) ** 2 + np.log1p(np.expm1(-2 * z * spread) / 2)
        log_kernel += np.log(weight)
    largest = np.maximum.reduceat(log_kernel, first)
    sums = np.add.reduceat(np.exp(log_kernel - largest[row]), first)
    return np.asarray(largest + np.log(sums))


def _without_row(
    value: Array, weight: Array, scatter: Array, x: Array, lost: Array
) -> tuple[Array, Array, Array]:
    """Return entries without one row each, of the weight `lost` and the value x."""
    left = take_away(weight, lost)
    some = left > 0
    share = np.where(some, lost / np.where(some, left, 1.0), 0.0)
    away = x - value
    fewer = np.maximum(scatter - share * weight * away**2, 0.0)
    return value - share * away, np.where(some, left, 0.0), np.where(some, fewer, 0.0)


def _window(
    values: Values, width: float, x: Array, entry: Array | None, lost: Array | None
) -> tuple[Array, Array]:
    """Return the range of the entries whose kernels are not negligible beside the nearest."""
    last = len(values.value) - 1
    right = np.searchsorted(values.value, x)
    left = right - 1
    if entry is not None and lost is not None:
        # An entry that has lost all its weight is not the nearest one.
        gone = ~(take_away(values.weight[entry], lost) > 0)
        right = np.where(gone & (right == entry), right + 1, right)
        left = np.where(gone & (left == entry), left - 1, left)
    right, left = np.where(right > last, left, right), np.where(left < 0, right, left)
    to_right = np.abs(values.value[right] - x)
    to_left = np.abs(values.value[left] - x)
    nearest = np.where(to_left <= to_right, left, right)
    z = np.minimum(np.minimum(to_left, to_right) / width, _FARTHEST)
    reach = np.sqrt(z**2 + 2 * _NEGLIGIBLE) * width
    low = np.searchsorted(values.value, x - reach)
    high = np.searchsorted(values.value, x + reach, side="right")
    return np.minimum(low, nearest), np.maximum(high, nearest + 1)


def _distinct(cell: Array, n_boxes: int) -> tuple[Array, Array]:
    """Return the boxes that cells are in, and the index of each cell in the cells of these."""
    if n_boxes <= _MAX_DENSE:
        used = np.zeros(n_boxes * _CELLS, dtype=bool)
        used[cell] = True
        boxes = np.flatnonzero(used.reshape(n_boxes, _CELLS).any(axis=1))
        place = np.zeros(n_boxes, dtype=np.int64)
        place[boxes] = np.arange(len(boxes))
        return boxes, (place[:, None] * _CELLS + np.arange(_CELLS)).ravel()[cell]
    boxes, index = np.unique(cell >> _CELL_BITS, return_inverse=True)
    return boxes, index * _CELLS + (cell & (_CELLS - 1))


@cache
def _translation() -> tuple[Array, Array]:
    """Return the matrices from moments of boxes to the density and its slope at the nodes.

    A box whose centre is t widths away has Σ w e^(-(b + t)²/2) = e^(-t²/2) Σ_k m_k (-t)^k, where
    m_k = Σ w e^(-b²/2) b^k / k!.
    """
    node = (np.arange(_CELLS + 1) / _CELLS - 0.5) * _BOX
    t = (np.arange(-_REACH, _REACH + 1) * _BOX)[:, None, None] - node
    k = np.arange(_TERMS)[None, :, None]
    power = (-t) ** k
    value = np.exp(-0.5 * t**2) * power
    slope = t * value + np.exp(-0.5 * t**2) * k * (-t) ** np.maximum(k - 1, 0)
    shape = (-1, _CELLS + 1)
    return value.reshape(shape), slope.reshape(shape)


def _two_points(value: Array, weight: Array, scatter: Array) -> tuple[Array, Array]:
    """Return two points for each entry, mean ± deviation; one where there is no scatter."""
    deviation = np.sqrt(scatter / weight)
    spread = deviation > 0
    half = weight[spread] / 2
    points = np.concatenate(
        [value[~spread], value[spread] - deviation[spread], value[spread] + deviation[spread]]
    )
    order = np.argsort(points, kind="stable")
    return points[order], np.concatenate([weight[~spread], half, half])[order]
