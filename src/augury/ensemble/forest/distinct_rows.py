"""Different rows of a table with their weights, and random samples of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.encode import CategoricalTable
from augury.encode.row_keys import equal_rows, hash_rows, row_keys
from augury.encode.row_numbers import counted_rows, often_repeated, rows_of_different


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """Rows of which equal ones are one row, in an order that does not depend on theirs.

    A sample of them does not depend on the order of the rows of the table either. A row of weight
    2 is drawn like two rows, if weights are whole numbers.

    Parameters
    ----------
    codes, y, weight : codes, class and weight of each different row
    row_of : the different row that each row of the table is equal to
    n_rows : number of rows that each of them stands for, see `rows_of_different`
    """

    codes: IntegerArray
    y: IntegerArray
    weight: FloatArray
    row_of: IntegerArray
    n_rows: FloatArray

    @classmethod
    def of(
        cls,
        codes: IntegerArray,
        y: IntegerArray,
        weight: FloatArray | None,
        table: CategoricalTable | None = None,
        *,
        is_class_weighted: bool = False,
    ) -> DistinctRows:
        """Return the different rows of a table of codes.

        The table before its numbers became codes shows whether equal rows are copies of one row.

        >>> rows = DistinctRows.of(np.uint8([[5], [7], [5]]), np.array([0, 1, 0]), None)
        >>> sorted(zip(rows.codes[:, 0].tolist(), rows.weight.tolist())), len(rows.y)
        ([(5, 2.0), (7, 1.0)], 2)
        """
        key = hash_rows(codes, y)
        order = np.argsort(key, kind="stable")
        is_first = _differ_from_previous(codes, y, key, order)
        starts = np.flatnonzero(is_first)
        chosen = order[starts]
        per_row = np.ones(len(y)) if weight is None else weight
        row_of = np.empty(len(y), dtype=np.int64)
        row_of[order] = np.cumsum(is_first) - 1
        distinct: IntegerArray = np.empty((len(chosen), codes.shape[1]), codes.dtype, order="F")
        for j in range(codes.shape[1]):
            distinct[:, j] = codes[chosen, j]
        return cls(
            distinct,
            y[chosen].astype(np.int32),
            np.add.reduceat(per_row[order], starts),
            row_of,
            _count_rows(
                row_of, y, counted_rows(weight, is_class_weighted=is_class_weighted), table
            ),
        )

    @cached_property
    def weight_of_draw(self) -> FloatArray:
        """Weight of a draw of each row."""
        return self.weight / self.n_rows

    @cached_property
    def _edges(self) -> FloatArray | None:
        """Sums of the numbers of rows up to each row; None if every number is 1."""
        return None if (self.n_rows == 1).all() else np.cumsum(self.n_rows)

    def draw(self, seed: int, n_draws: int) -> IntegerArray:
        """Return how many times each row is drawn, with replacement, by its number of rows."""
        edges = self._edges
        if edges is None:
            n = len(self.n_rows)
            places = (random_shares(seed, n_draws) * n).astype(np.intp)
            return np.bincount(np.minimum(places, n - 1), minlength=n)
        places = np.searchsorted(edges, random_shares(seed, n_draws) * edges[-1], side="right")
        return np.bincount(np.minimum(places, len(edges) - 1), minlength=len(edges))

    def left_out(self, times: IntegerArray) -> FloatArray:
        """Return the expected share of the copies of the first rows that no draw has taken.

        A draw of a row that stands for n rows takes each of them with the probability 1/n, so that
        (1 - 1/n)^times is the share that is left.
        """
        shares: FloatArray = (times == 0).astype(np.float64)
        if self._edges is not None:
            several = np.flatnonzero((self.n_rows[: len(times)] > 1) & (times > 0))
            shares[several] = (1 - 1 / self.n_rows[several]) ** times[several]
        return shares


def _count_rows(
    row_of: IntegerArray, y: IntegerArray, counted: Array | None, table: CategoricalTable | None
) -> FloatArray:
    """Return the number of rows that each different row of codes stands for; copies are one row."""
    n_rows = np.bincount(row_of, counted).astype(np.float64)
    if table is None or not often_repeated(n_rows):
        return n_rows
    first, merged = equal_rows(row_keys(table, 0), y)
    different = rows_of_different(first, merged, counted, table.numbers)
    return np.bincount(row_of[first], different).astype(np.float64)


def random_shares(seed: int, n: int) -> FloatArray:
    """Return n random numbers in [0, 1), the same on every machine: splitmix64.

    >>> random_shares(1, 2).round(4)
    array([0.5666, 0.7458])
    """
    z = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = (z ^ (z >> np.uint64(31))) >> np.uint64(11)
    return z.astype(np.float64) * 2.0**-53


def _differ_from_previous(
    codes: IntegerArray, y: IntegerArray, key: Array, order: IntegerArray
) -> BoolArray:
    """Return for each row, in this order, whether it differs from the one before it."""
    is_first: BoolArray = np.diff(key[order], prepend=~key[order[:1]]) != 0
    after = np.flatnonzero(~is_first)  # equal keys: compare the rows
    a, b = order[after], order[after - 1]
    differ = y[a] != y[b]
    for j in range(codes.shape[1]):
        differ |= codes[a, j] != codes[b, j]
    is_first[after] = differ
    return is_first


__all__ = ["DistinctRows", "random_shares"]
