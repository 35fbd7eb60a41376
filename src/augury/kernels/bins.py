"""Intervals of numbers, and class × bin weights of a column."""

from typing import NamedTuple

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native

# The binary search of NumPy takes less time for fewer numbers.
_MANY_VALUES = 500


def find_intervals(values: FloatArray, cuts: FloatArray) -> IntegerArray:
    """Return the number of sorted cut points below each number; all are below NaN.

    >>> find_intervals(np.array([2.0, 2.5, 9.0, np.nan]), np.array([2.0, 4.0])).tolist()
    [0, 1, 2, 2]
    """
    if len(values) < _MANY_VALUES:
        return np.searchsorted(cuts, values)
    values, cuts = (np.require(each, np.float64, ["C", "A"]) for each in (values, cuts))
    intervals = np.empty(len(values), dtype=np.int64)
    _native.find_intervals(values, cuts, intervals)
    return intervals


class BinGrid(NamedTuple):
    """Edges of bins with a grid that finds the bin of a number quickly.

    Parameters
    ----------
    edges : sorted; bin i holds the numbers above edges[i - 1] and up to edges[i]
    starts : number of edges in lower cells, for each cell and one more
    by_bits : whether cells have equal widths in the bits of numbers, or in the numbers
    low, scale : a number x, or its bits, lies in the cell (x - low) · scale
    """

    edges: FloatArray
    starts: IntegerArray
    by_bits: bool
    low: float
    scale: float


def make_grid(edges: FloatArray) -> BinGrid:
    """Return a grid of two cells for each edge, of the kind that divides the edges better."""
    edges = np.ascontiguousarray(edges, np.float64) + 0.0  # -0.0 is 0.0, but its bits are not
    bits = edges.view(np.int64)
    order = np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits).astype(np.float64)
    grids = [
        BinGrid(edges, *_cells(places, 2 * len(edges) + 1, by_bits=by_bits))
        for places, by_bits in ((edges, False), (order, True))
    ]
    return min(grids, key=lambda grid: float((np.diff(grid.starts) ** 2.0).sum()))


def _cells(
    places: FloatArray, n_cells: int, *, by_bits: bool
) -> tuple[IntegerArray, bool, float, float]:
    low, scale = 0.0, 0.0
    if len(places):
        low = float(places[0])
        with np.errstate(over="ignore"):
            width = float(places[-1] - low)
        # Without a scale all edges lie in one cell, which is right, but slower.
        scale = n_cells / width if 0 < width < np.inf and n_cells / width < np.inf else 0.0
    cells = ((places - low) * scale if scale else np.zeros(len(places))).clip(0, n_cells - 1)
    per_cell = np.bincount(cells.astype(np.int64), minlength=n_cells)
    starts = np.concatenate([[0], np.cumsum(per_cell)]).astype(np.int64)
    return starts, by_bits, low, scale


def count_bins(
    values: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    grid: BinGrid,
    counts: FloatArray,
    ranges: FloatArray,
    missing: FloatArray,
) -> None:
    """Add class × bin weights to `counts`, and widen the ranges of the bins' numbers.

    Parameters
    ----------
    values : numbers; NaN is missing
    y : class of each row
    weight : weight of each row, or None
    grid : bins
    counts : (bin, class), added to
    ranges : (bin, 2), smallest and largest number
    missing : (class,), weight of the missing values, added to

    Examples
    --------
    >>> counts, ranges, missing = np.zeros((2, 1)), np.array([[np.inf, -np.inf]] * 2), np.zeros(1)
    >>> y = np.zeros(4, dtype=np.int32)
    >>> values = np.array([1.0, 2.0, 2.5, np.nan])
    >>> count_bins(values, y, None, make_grid(np.array([2.0])), counts, ranges, missing)
    >>> counts[:, 0].tolist(), ranges.tolist(), missing.tolist()
    ([2.0, 1.0], [[1.0, 2.0], [2.5, 2.5]], [1.0])
    """
    values = np.require(values, np.float64, ["C", "A"])
    labels = np.require(y, np.int32, ["C", "A"])
    weight = None if weight is None else np.require(weight, np.float64, ["C", "A"])
    _native.count_bins(values, labels, weight, *grid, counts, ranges, missing)


__all__ = ["BinGrid", "count_bins", "find_intervals", "make_grid"]
