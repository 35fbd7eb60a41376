"""Class × bin weights of a column of numbers."""

from typing import NamedTuple

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native


class BinGrid(NamedTuple):
    """Edges of bins with a grid that finds the bin of a number quickly.

    Parameters
    ----------
    edges : sorted; bin i holds the numbers above edges[i - 1] and up to edges[i]
    starts : number of edges in lower cells, for each cell and one more
    low, scale : a number x lies in the cell (x - low) · scale
    """

    edges: FloatArray
    starts: IntegerArray
    low: float
    scale: float


def make_grid(edges: FloatArray) -> BinGrid:
    """Return a grid of two cells for each edge."""
    edges = np.require(edges, np.float64, ["C", "A"])
    n_cells = 2 * len(edges) + 1
    low, scale = 0.0, 0.0
    if len(edges):
        low = float(edges[0])
        with np.errstate(over="ignore"):
            width = float(edges[-1] - low)
        # Without a scale all edges lie in one cell, which is right, but slower.
        scale = n_cells / width if 0 < width < np.inf and n_cells / width < np.inf else 0.0
    cells = ((edges - low) * scale if scale else np.zeros(len(edges))).clip(0, n_cells - 1)
    per_cell = np.bincount(cells.astype(np.int64), minlength=n_cells)
    starts = np.concatenate([[0], np.cumsum(per_cell)]).astype(np.int64)
    return BinGrid(edges, starts, low, scale)


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


__all__ = ["BinGrid", "count_bins", "make_grid"]
