"""Counts by class of all pairs of values of two columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, BoolArray
from augury.counts.feature_counts import FeatureCounts
from augury.counts.sparse_table import (
    CountTable,
    SparseTable,
    add_tables,
    count_table,
    largest_dense,
)
from augury.fitted_state import (
    LARGEST_COUNT,
    check_float_array,
    check_floats,
    check_part,
    check_parts,
    require,
)
from augury.kernels import count_pairs, pair_bytes
from augury.memory import require_bytes

# If the table of all pairs would take more bytes, columns of many states are not in it.
_MOST_BYTES = 1 << 27
_MANY_STATES = 256

_ADVICE = "leave these columns out, group their labels, or take a model without pairs, such as "


def find_narrow(n_states: Array, n_classes: int) -> BoolArray:
    """Return which columns are in the common table of pairs: all, or those of at most 256 states.

    >>> find_narrow(np.array([2, 300]), 2), find_narrow(np.array([2, 30_000]), 2)
    (array([ True,  True]), array([ True, False]))
    """
    if pair_bytes(n_states, n_classes) <= _MOST_BYTES:
        return np.ones(len(n_states), dtype=bool)
    return np.asarray(n_states <= _MANY_STATES)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Feature counts, and the joint counts by class of every two columns.

    The joint counts of two columns do not contain rows in which one of them is left out.

    The memory is 8 (Σ n_states)² n_classes bytes, whatever the number of rows. If this is more
    than 128 MB, it holds for the columns of at most 256 states; a pair with another column takes
    8 (n_classes + 1) bytes for each filled cell, of which there are at most as many as rows, or
    up to 64 n_classes bytes for each row if it is dense.

    Parameters
    ----------
    features : FeatureCounts
    table : array of shape (Σ n_states, Σ n_states, n_classes) over the narrow columns
        It is symmetric in its first two axes. The block of a column with itself is diagonal
        and holds the counts of its states.
    wide : the tables of all other pairs i < j, of shape (slots of i, slots of j, n_classes)
        In the order of i, then j; the last slots hold rows in which the column is left out.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0, 1], [1, 1], [0, 0]], dtype=np.uint8)
    >>> pairs = PairCounts.collect(codes, [2, 2], np.array([0, 0, 1]), n_classes=2)
    >>> pairs.of_columns(0, 1)[:, :, 0]
    array([[0., 1.],
           [0., 1.]])
    """

    features: FeatureCounts
    table: Array
    wide: tuple[CountTable, ...] = ()

    @classmethod
    def collect(
        cls,
        codes: Array,
        n_states: ArrayLike,
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        n_threads: int = 1,
        all_dense: bool = False,
    ) -> PairCounts:
        """Count rows of codes (unsigned, column by column in memory) with classes y.

        `all_dense` counts all pairs in one table, whatever their memory.
        """
        n_states = np.asarray(n_states, dtype=np.int64)
        is_narrow = find_narrow(n_states, n_classes)
        if not all_dense and not is_narrow.all():
            return cls._collect_wide(codes, n_states, is_narrow, y, n_classes, weight, n_threads)
        table = count_pairs(codes, y, weight, n_states, n_classes, n_threads=n_threads)
        class_counts = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        diagonal = np.arange(len(table))
        features = FeatureCounts.from_states(n_states, class_counts, table[diagonal, diagonal])
        return cls(features=features, table=table)

    @classmethod
    def _collect_wide(
        cls,
        codes: Array,
        n_states: Array,
        is_narrow: BoolArray,
        y: Array,
        n_classes: int,
        weight: Array | None,
        n_threads: int,
    ) -> PairCounts:
        slots = (n_states + 1).tolist()
        pairs = list(_wide_pairs(is_narrow))
        most = largest_dense(len(codes))
        require_bytes(
            8 * (n_classes + 1) * sum(min(slots[i] * slots[j], most) for i, j in pairs),
            f"the counts of {len(pairs):,} pairs of columns in {n_classes:,} classes",
            n_states,
            advice=_ADVICE + "NaiveBayes",
        )
        features = FeatureCounts.collect(codes, n_states, y, n_classes, weight, n_threads=n_threads)
        narrow = np.asfortranarray(codes[:, is_narrow])
        table = count_pairs(narrow, y, weight, n_states[is_narrow], n_classes, n_threads=n_threads)
        wide = tuple(
            count_table(codes[:, [i, j]], (slots[i], slots[j]), y, n_classes, weight, n_threads)
            for i, j in pairs
        )
        return cls(features, table, wide)

    def __add__(self, other: PairCounts) -> PairCounts:
        if not isinstance(other, PairCounts):
            return NotImplemented
        features = self.features + other.features
        require_bytes(
            self.table.nbytes,
            "the summed counts of pairs",
            features.n_states,
            advice="leave these columns out, or group their labels",
        )
        wide = tuple(add_tables(a, b) for a, b in zip(self.wide, other.wide, strict=True))
        return PairCounts(features, self.table + other.table, wide)

    def __getstate__(self) -> dict[str, Any]:
        # What is derived from the counts is neither pickled nor saved.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _check_fitted_state(self) -> None:
        features = check_part(self, "features", FeatureCounts)
        features._check_fitted_state()
        n_classes = len(features.class_counts)
        tables = check_parts(self, "wide", object)
        require(isinstance(self.table, np.ndarray), self, "table", "an array")
        narrow = features.n_states[self.is_narrow]
        n = int(narrow.sum())
        check_floats(self, "table", n, n, n_classes, low=0, high=LARGEST_COUNT)
        pairs, slots = list(_wide_pairs(self.is_narrow)), (features.n_states + 1).tolist()
        require(len(tables) == len(pairs), self, "wide", "a table of each pair")
        for (i, j), table in zip(pairs, tables, strict=True):
            shape = (slots[i], slots[j], n_classes)
            if isinstance(table, SparseTable):
                table._check_fitted_state()
                require(table.shape == shape, self, "wide", "counts of its columns")
            else:
                check_float_array(self, "wide", table, *shape, low=0, high=LARGEST_COUNT)

    @cached_property
    def is_narrow(self) -> BoolArray:
        """Whether a column is in `table`."""
        n_states = self.features.n_states
        if len(self.table) == n_states.sum():
            return np.ones(len(n_states), dtype=bool)
        return np.asarray(n_states <= _MANY_STATES)

    @property
    def narrow(self) -> PairCounts:
        """The counts of the narrow columns alone."""
        return self if self.is_narrow.all() else self._narrow_part

    @cached_property
    def _narrow_part(self) -> PairCounts:
        features, kept = self.features, self.is_narrow
        of_kept = np.repeat(kept, features.n_states + 1)
        part = FeatureCounts(
            features.n_states[kept], features.class_counts, features.table[of_kept]
        )
        return PairCounts(part, self.table)

    def place(self, j: int) -> int:
        """Return the number of column j among the narrow columns."""
        return int(np.count_nonzero(self.is_narrow[:j]))

    @cached_property
    def offsets(self) -> Array:
        """Index of the first state of each narrow column in `table`."""
        return np.concatenate([[0], np.cumsum(self.features.n_states[self.is_narrow])])

    def of_columns(self, i: int, j: int) -> Array:
        """Return the counts of two columns, of shape (n_states[i], n_states[j], n_classes)."""
        if not (self.is_narrow[i] and self.is_narrow[j]):
            table = self.with_left_out(i, j)
            dense: Array = table.to_dense() if isinstance(table, SparseTable) else table
            return dense[:-1, :-1]
        start = self.offsets
        i, j = self.place(i), self.place(j)
        counts: Array = self.table[start[i] : start[i + 1], start[j] : start[j + 1]]
        return counts

    def beside(self, j: int) -> Array:
        """Return the joint counts of the states of column j and those of all columns.

        The shape is (n_states[j], Σ n_states, n_classes); the array is a view. All columns must
        be narrow.
        """
        start = self.offsets
        counts: Array = self.table[start[j] : start[j + 1]]
        return counts

    @cached_property
    def derived(self) -> dict[str, tuple[Any, Any]]:
        """What a model computes from the counts once, by name: a key and the value of that key.

        It is neither pickled nor saved.
        """
        return {}

    # ---- pairs that are not in the table ----------------------------------------------

    def with_left_out(self, i: int, j: int) -> CountTable:
        """Return the table of a pair that is not in `table`, with the slots of left-out rows."""
        if (i, j) not in self._wide_tables:
            table = self._wide_tables[j, i]
            turned = (
                table.transpose()
                if isinstance(table, SparseTable)
                else np.ascontiguousarray(table.swapaxes(0, 1))
            )
            self._wide_tables[i, j] = turned
        return self._wide_tables[i, j]

    def wide_tables(self) -> Iterator[tuple[tuple[int, int], CountTable]]:
        """Yield the pairs i < j that are not in `table`, and their tables."""
        return zip(_wide_pairs(self.is_narrow), self.wide, strict=True)

    @cached_property
    def _wide_tables(self) -> dict[tuple[int, int], CountTable]:
        return dict(self.wide_tables())

    def at_rows(self, codes: Array, j: int, columns: Array) -> Array:
        """Return the counts of each row's states of some columns beside its state of column j.

        The shape is (n_samples, len(columns), n_classes). The counts are 0 if one of the two
        columns is left out, and undefined for column j itself.
        """
        counts = np.zeros((len(codes), len(columns), len(self.features.class_counts)))
        for at, i in enumerate(columns.tolist()):
            if i != j:
                rows = self._rows_of_both(codes, i, j)
                counts[rows, at] = self._at_known_rows(codes[rows], i, j, None)
        return counts

    def of_own_class_at_rows(self, codes: Array, i: int, j: int, y: Array) -> Array:
        """Return the count of each row's states of two columns in the row's class y.

        The count is 0 if one of the columns is left out.
        """
        counts, rows = np.zeros(len(codes)), self._rows_of_both(codes, i, j)
        counts[rows] = self._at_known_rows(codes[rows], i, j, y[rows])
        return counts

    def _rows_of_both(self, codes: Array, i: int, j: int) -> Array | slice:
        """Return the rows in which both columns have a value."""
        n_states = self.features.n_states
        known = (codes[:, i] < n_states[i]) & (codes[:, j] < n_states[j])
        return slice(None) if known.all() else np.flatnonzero(known)

    def _at_known_rows(self, codes: Array, i: int, j: int, y: Array | None) -> Array:
        """Return the counts of two different columns, of all classes or of y."""
        if self.is_narrow[i] and self.is_narrow[j]:
            own = self.offsets[self.place(j)] + codes[:, j].astype(np.int64)
            other = self.offsets[self.place(i)] + codes[:, i].astype(np.int64)
            return np.asarray(self.table[own, other] if y is None else self.table[own, other, y])
        first, second = min(i, j), max(i, j)
        table = self._wide_tables[first, second]
        if isinstance(table, SparseTable):
            return table.counts_of_cells(codes[:, [first, second]], y)
        at = codes[:, first], codes[:, second]
        return np.asarray(table[at] if y is None else table[*at, y])

    @cached_property
    def totals(self) -> Array:
        """The weight of the rows of each slot in which another column has a value.

        The shape is (slots of all columns, n_columns, n_classes); 0 for "left out".
        """
        features, is_narrow = self.features, self.is_narrow
        n_states, offsets = features.n_states, features.offsets
        totals = np.zeros((len(features.table), len(n_states), len(features.class_counts)))
        used = np.flatnonzero(is_narrow & (n_states > 0))
        if used.size:
            in_table = np.repeat(is_narrow, n_states)
            starts = np.cumsum(n_states[used]) - n_states[used]
            slots = features.state_slots[in_table]
            totals[slots[:, None], used] = np.add.reduceat(self.table, starts, axis=1)
        for (i, j), table in self.wide_tables():
            of_i, of_j = _margins(table)
            totals[offsets[i] : offsets[i + 1] - 1, j] = of_i
            totals[offsets[j] : offsets[j + 1] - 1, i] = of_j
        return totals


def _wide_pairs(is_narrow: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the pairs i < j of columns of which one is not narrow."""
    if is_narrow.all():
        return
    narrow = is_narrow.tolist()
    for i in range(len(narrow)):
        for j in range(i + 1, len(narrow)):
            if not (narrow[i] and narrow[j]):
                yield i, j


def _margins(table: CountTable) -> tuple[Array, Array]:
    """Return the counts of the states of two columns, in rows in which both have a value."""
    rows, columns, n_classes = table.shape
    if not isinstance(table, SparseTable):
        known = table[:-1, :-1]
        return known.sum(axis=1), known.sum(axis=0)
    first, second = np.unravel_index(table.cells, (rows, columns))
    kept = (first < rows - 1) & (second < columns - 1)
    margins = np.zeros((rows - 1, n_classes)), np.zeros((columns - 1, n_classes))
    for margin, states in zip(margins, (first, second), strict=True):
        np.add.at(margin, states[kept], table.counts[kept])
    return margins


__all__ = ["PairCounts", "find_narrow"]
