"""Bins of a column of numbers: the candidates for its cut points lie between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import FloatArray
from augury.kernels import BinGrid, make_grid

# Class × bin weights over all columns: 128 MB where each distinct number has a bin, 8 MB where bins
# lie between sampled numbers.
_MAX_CELLS = 1 << 24
_MAX_SAMPLED_CELLS = 1 << 20
_MIN_BINS = 1 << 12


@dataclass(frozen=True, eq=False)
class Bins:
    """Adjacent intervals that hold all numbers of a column.

    Parameters
    ----------
    edges : sorted; bin i holds the numbers above edges[i - 1] and up to edges[i]
        One more bin holds the numbers above all edges.
    is_exact : whether each distinct number of the column is an edge

    Notes
    -----
    If the edges are k rows, sampled uniformly, then with probability 1 - 1e-6 no bin between
    adjacent edges has more than a share of about (ln k + 14) / k of the rows: 0.04 % for
    k = 65,536, 0.07 % for 32,768, 0.5 % for 4,096, the smallest k. A number that has more rows
    than that has its own bin if it was sampled twice. `BinCounts.largest_share` is the share that
    was measured.
    """

    edges: FloatArray
    is_exact: bool

    @classmethod
    def of_values(cls, values: FloatArray, n_classes: int, n_columns: int = 1) -> Bins:
        """Return a bin for each distinct number, if they take little memory for these classes."""
        edges = _thinned(values, _MAX_CELLS // _cells_per_bin(n_classes, n_columns))
        return cls(edges, is_exact=len(edges) == len(values))

    @classmethod
    def of_sample(cls, sample: FloatArray, n_classes: int, n_columns: int = 1) -> Bins:
        """Return bins that end at the numbers of sampled rows."""
        values, n_rows = np.unique(sample, return_counts=True)
        # A frequent number is a bin of its own.
        before = np.nextafter(values[n_rows > 1], -np.inf)
        edges = np.union1d(values, before)
        largest = _MAX_SAMPLED_CELLS // _cells_per_bin(n_classes, n_columns)
        return cls(_thinned(edges, largest), is_exact=False)

    @cached_property
    def grid(self) -> BinGrid:
        """The edges in the form that the kernel searches."""
        return make_grid(self.edges)


def _cells_per_bin(n_classes: int, n_columns: int) -> int:
    return max(n_classes, 1) * max(n_columns, 1)


def _thinned(edges: FloatArray, largest: int) -> FloatArray:
    """Return the edges, or equally many of each part of them if they are too many."""
    largest = max(largest, _MIN_BINS)
    if len(edges) <= largest:
        return edges
    places = np.linspace(0, len(edges) - 1, largest).round().astype(np.intp)
    return edges[places]


__all__ = ["Bins"]
