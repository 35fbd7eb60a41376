"""Counts of a family of many combinations of states, of which few occur."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.counts.smoothing import Level, floored_log, shrink
from augury.fitted_state import LARGEST_COUNT, check_float_array, require
from augury.kernels import count_class_values

# A table of at most this number of cells is dense.
_ALWAYS_DENSE = 1 << 12
# A larger table is dense if at least one cell in this number is filled.
_CELLS_PER_FILLED = 8


def largest_dense(n_filled: int) -> int:
    """Return the largest number of cells of a dense table of which so many are filled."""
    return max(_ALWAYS_DENSE, _CELLS_PER_FILLED * n_filled)


@dataclass(frozen=True, eq=False)
class SparseTable:
    """The filled cells of a table of shape (slots …, n_classes).

    A cell is a combination of slots; the classes of one cell are stored together. The memory is
    8 (1 + n_classes) bytes for each filled cell.

    Parameters
    ----------
    shape : the shape of the dense table
    cells : sorted numbers of the filled cells, in the order of the dense table
    counts : array of shape (len(cells), n_classes)

    Examples
    --------
    >>> import numpy as np
    >>> family = np.array([[0, 2], [4, 1], [0, 2]])  # codes of a parent and of a column
    >>> table = SparseTable.collect(family, (6, 4), np.array([0, 1, 1]), n_classes=2)
    >>> table.cells, table.counts
    (array([ 2, 17]), array([[1., 1.],
           [0., 1.]]))
    >>> table.to_dense()[0, 2]
    array([1., 1.])
    """

    shape: tuple[int, ...]
    cells: Array
    counts: Array

    @property
    def size(self) -> int:
        """Number of stored counts."""
        return int(self.counts.size)

    @classmethod
    def collect(
        cls,
        family: Array,
        slots: tuple[int, ...],
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        n_threads: int = 1,
    ) -> SparseTable:
        """Count rows of codes, of shape (n_samples, len(slots)), with classes y."""
        cells, place = np.unique(_number(family.T, slots, len(family)), return_inverse=True)
        if not len(cells):
            return cls((*slots, n_classes), cells, np.zeros((0, n_classes)))
        counts = count_class_values(
            place.astype(np.uint32).reshape(-1, 1),
            y,
            weight,
            np.array([0, len(cells)]),
            n_classes,
            n_threads=n_threads,
        )
        return cls((*slots, n_classes), cells, counts)._without_empty_cells()

    @classmethod
    def from_dense(cls, table: Array) -> SparseTable:
        """Return the filled cells of a dense table."""
        flat = table.reshape(-1, table.shape[-1])
        cells = np.flatnonzero(flat.any(axis=1))
        return cls(table.shape, cells, flat[cells])

    def to_dense(self) -> Array:
        """Return the dense table."""
        table = np.zeros((prod(self.shape[:-1]), self.shape[-1]))
        table[self.cells] = self.counts
        return table.reshape(self.shape)

    def _without_empty_cells(self) -> SparseTable:
        filled = self.counts.any(axis=1)
        return (
            self
            if filled.all()
            else SparseTable(self.shape, self.cells[filled], self.counts[filled])
        )

    def __getstate__(self) -> dict[str, Any]:
        # Cached sums are neither pickled nor saved.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _check_fitted_state(self) -> None:
        sizes = self.shape
        is_shape = isinstance(sizes, tuple) and all(type(n) is int and n > 0 for n in sizes)
        require(is_shape, self, "shape", "a tuple of numbers of slots and classes")
        require(len(sizes) > 1 and prod(sizes[:-1]) < MAX_CELLS, self, "shape", "countable")
        cells = self.cells
        fits = isinstance(cells, np.ndarray) and cells.dtype == np.int64 and cells.ndim == 1
        require(fits, self, "cells", "numbers of cells")
        is_sorted = bool((np.diff(cells) > 0).all())
        within = not len(cells) or (cells[0] >= 0 and cells[-1] < prod(sizes[:-1]))
        require(is_sorted and within, self, "cells", "sorted cells of the table")
        shape = (len(cells), sizes[-1])
        check_float_array(self, "counts", self.counts, *shape, low=0, high=LARGEST_COUNT)

    def __add__(self, other: SparseTable) -> SparseTable:
        cells = np.union1d(self.cells, other.cells)
        counts = np.zeros((len(cells), self.shape[-1]))
        for table in (self, other):
            counts[np.searchsorted(cells, table.cells)] += table.counts
        return SparseTable(self.shape, cells, counts)

    def transpose(self) -> SparseTable:
        """Return the table of the same counts with its two axes of slots exchanged."""
        rows, columns, n_classes = self.shape
        first, second = np.unravel_index(self.cells, (rows, columns))
        cells = second * rows + first
        order = np.argsort(cells, kind="stable")
        return SparseTable((columns, rows, n_classes), cells[order], self.counts[order])

    # ---- estimates --------------------------------------------------------------------

    def log_probability_given_parents(
        self, family: Array, alpha: float, equivalent_sample_size: float
    ) -> Array:
        """Return log p(state | parents, class) of each row and class.

        The last axis of slots is that of the column itself. The result is that of
        `log_probability_given_parents` of the dense table at the cells of the rows.
        """
        n_states = self.shape[-2] - 1
        levels = self.levels(family)
        log_share = floored_log(shrink(levels, alpha, equivalent_sample_size, n_states))
        log_share[family[:, -1] == n_states] = 0.0
        return log_share

    def log_class_given_parents(
        self, parents: Array, alpha: float, equivalent_sample_size: float
    ) -> Array:
        """Return log p(c | parents of the class) of each row and class; all slots are parents."""
        levels = self.levels_of_class(parents)
        return floored_log(shrink(levels, alpha, equivalent_sample_size, self.shape[-1]))

    def counts_at(self, family: Array) -> tuple[Array, Array]:
        """Return the counts of each row's cell, and of its parents with any known state."""
        *parents, own = range(len(self.shape) - 1)
        rows = np.arange(len(family))
        count = self._look_up((*parents, own), True, family, rows)
        return count, self._look_up(tuple(parents), True, family, rows)

    def counts_of_cells(self, family: Array, y: Array | None = None) -> Array:
        """Return the counts of each row's cell, whose last slot is known; of its class y if given.

        The shape is (n_samples, n_classes), or (n_samples,) with classes.
        """
        return self._look_up(tuple(range(len(self.shape) - 1)), True, family, slice(None), y)

    def levels(self, family: Array) -> list[Level]:
        """Return, for 0, 1, … parents, the counts of each row's state and of all states.

        `family` holds the codes of the parents and of the column, of shape (n_samples, n_slots).
        A parent that is left out, in the row or after the first ones, is summed over.
        """
        *parents, own = range(len(self.shape) - 1)
        return self._levels(family, parents, [own])

    def levels_of_class(self, parents: Array) -> list[Level]:
        """Return, for 0, 1, … parents, the counts of the classes and their sum."""
        found = self._levels(parents, list(range(len(self.shape) - 1)), [])
        return [(count, count.sum(axis=1, keepdims=True), known) for count, _, known in found]

    def _levels(self, family: Array, parents: list[int], own: list[int]) -> list[Level]:
        n, n_classes = len(family), self.shape[-1]
        is_known = family[:, parents] < np.array(self.shape)[parents] - 1
        levels: list[Level] = []
        for n_used in range(len(parents) + 1):
            known = is_known[:, n_used - 1] if n_used else np.ones(n, dtype=bool)
            count, total = np.zeros((n, n_classes)), np.zeros((n, n_classes))
            for rows, axes in _patterns(is_known[:, :n_used], known):
                kept = tuple(parents[a] for a in axes)
                count[rows] = self._look_up((*kept, *own), bool(own), family, rows)
                if own:
                    total[rows] = self._look_up(kept, True, family, rows)
            levels.append((count, total, known[:, None]))
        return levels

    def _look_up(
        self,
        axes: tuple[int, ...],
        own_is_known: bool,
        family: Array,
        rows: Array | slice,
        y: Array | None = None,
    ) -> Array:
        """Return the sums over all other axes at the codes of these rows, of class y if given."""
        cells, sums = self._sums(axes, own_is_known)
        n_rows = len(family) if isinstance(rows, slice) else len(rows)
        asked = _number((family[rows, a] for a in axes), self._slots(axes), n_rows)
        if not len(cells):
            return np.zeros((n_rows, self.shape[-1]) if y is None else n_rows)
        at = np.minimum(np.searchsorted(cells, asked), len(cells) - 1)
        counts: Array = sums[at] if y is None else sums[at, y]
        counts[cells[at] != asked] = 0.0
        return counts

    def _slots(self, axes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.shape[a] for a in axes)

    def _sums(self, axes: tuple[int, ...], own_is_known: bool) -> tuple[Array, Array]:
        """Return the filled cells of a sum over all other axes, and their counts.

        `own_is_known` omits the cells of the last slot of the last axis: the column is left out.
        """
        key = axes, own_is_known
        if key not in self._known_sums:
            cells, counts = self.cells, self.counts
            if own_is_known:
                known = self._codes(cells, len(self.shape) - 2) < self.shape[-2] - 1
                if not known.all():
                    cells, counts = cells[known], counts[known]
            if len(axes) < len(self.shape) - 1 and len(cells):
                codes = (self._codes(cells, a) for a in axes)
                cells = _number(codes, self._slots(axes), len(cells))
                if axes != tuple(range(len(axes))):  # the cells are sorted by their first axes
                    order = np.argsort(cells, kind="stable")
                    cells, counts = cells[order], counts[order]
                starts = np.flatnonzero(np.diff(cells, prepend=-1))
                cells, counts = cells[starts], np.add.reduceat(counts, starts, axis=0)
            self._known_sums[key] = cells, counts
        return self._known_sums[key]

    def _codes(self, cells: Array, axis: int) -> Array:
        """Return the codes of cells on an axis."""
        codes: Array = cells // prod(self.shape[axis + 1 : -1]) % self.shape[axis]
        return codes

    @cached_property
    def _known_sums(self) -> dict[tuple[tuple[int, ...], bool], tuple[Array, Array]]:
        return {}

    @cached_property
    def of_all_classes(self) -> SparseTable:
        """The table of one class that holds the sums over the classes."""
        return SparseTable((*self.shape[:-1], 1), self.cells, self.counts.sum(axis=1)[:, None])


# The cells of a table are numbered with 64 bits.
MAX_CELLS = 1 << 62

CountTable = Array | SparseTable


def count_table(
    family: Array,
    slots: tuple[int, ...],
    y: Array,
    n_classes: int,
    weight: Array | None = None,
    n_threads: int = 1,
) -> CountTable:
    """Count rows of codes, of shape (n_samples, len(slots)), with classes y, in either form."""
    n_cells = prod(slots)
    if n_cells > largest_dense(len(family)):
        return choose_form(SparseTable.collect(family, slots, y, n_classes, weight, n_threads))
    codes = _number(family.T, slots, len(family)).astype(np.uint32).reshape(-1, 1)
    offsets = np.array([0, n_cells])
    counts = count_class_values(codes, y, weight, offsets, n_classes, n_threads=n_threads)
    return choose_form(counts.reshape(*slots, n_classes))


def choose_form(table: CountTable) -> CountTable:
    """Return counts in the form that depends on them alone: sparse if few cells are filled.

    The form is the same in all orders in which rows are counted and counts are added.
    """
    n_cells = prod(table.shape[:-1])
    if n_cells <= _ALWAYS_DENSE:
        return table.to_dense() if isinstance(table, SparseTable) else table
    if isinstance(table, SparseTable):
        return table if n_cells > largest_dense(len(table.cells)) else table.to_dense()
    n_filled = int(np.count_nonzero(table.reshape(n_cells, -1).any(axis=1)))
    return SparseTable.from_dense(table) if n_cells > largest_dense(n_filled) else table


def add_tables(a: CountTable, b: CountTable) -> CountTable:
    """Return the sum of two tables of the same shape, in either form."""
    if isinstance(a, SparseTable) and isinstance(b, SparseTable):
        return choose_form(a + b)
    dense = [t.to_dense() if isinstance(t, SparseTable) else t for t in (a, b)]
    return choose_form(dense[0] + dense[1])


def _number(columns: Iterable[Array], slots: tuple[int, ...], n: int) -> Array:
    """Return one number for each of n rows of codes."""
    number = np.zeros(n, dtype=np.int64)
    for codes, size in zip(columns, slots, strict=True):
        number *= size
        number += codes
    return number


def _patterns(is_known: Array, rows: Array) -> list[tuple[Array, list[int]]]:
    """Return the rows in which the same columns are known, and these columns."""
    if is_known.all():
        return [(np.arange(len(is_known)), list(range(is_known.shape[1])))]
    places = np.flatnonzero(rows)
    kinds, kind = np.unique(is_known[places], axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    return [(places[kind == k], np.flatnonzero(which).tolist()) for k, which in enumerate(kinds)]


__all__ = [
    "MAX_CELLS",
    "CountTable",
    "SparseTable",
    "add_tables",
    "choose_form",
    "count_table",
    "largest_dense",
]
