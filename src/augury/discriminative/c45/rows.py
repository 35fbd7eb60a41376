"""Training rows of a C4.5 tree, and their division by a split."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array, IntegerArray
from augury.encode import CategoricalTable
from augury.fitted_state import check_whole, require
from augury.kernels import NodeRows, divide_rows, slot_offsets

# WEKA's `Utils.SMALL`: numbers whose difference is smaller are equal.
SMALL = 1e-6


@dataclass(frozen=True, eq=False)
class TreeColumn:
    """A column on which a tree may split.

    Parameters
    ----------
    name : name of the column
    index : its index among the columns of codes, or among those of numbers
    states : labels of the codes; None for numbers
    """

    name: str
    index: int
    states: Sequence[Hashable] | None = None

    def _check_fitted_state(self) -> None:
        require(isinstance(self.name, str), self, "name", "text")
        check_whole(self, "index")
        if self.states is not None:
            require(isinstance(self.states, list | tuple), self, "states", "a list")

    @property
    def n_branches(self) -> int:
        """Number of branches of a split on the column."""
        return 2 if self.states is None else len(self.states)


def tree_columns(table: CategoricalTable, feature_names: Sequence[str]) -> list[TreeColumn]:
    """Return the columns of a table in the order of the input, which decides ties."""
    columns = [
        TreeColumn(name, k, states)
        for k, (name, states) in enumerate(zip(table.names, table.states, strict=True))
    ]
    columns += [TreeColumn(name, k) for k, name in enumerate(table.number_names)]
    place = {name: j for j, name in enumerate(feature_names)}
    # Additional columns that mark missing values come last.
    return sorted(columns, key=lambda column: place.get(column.name, len(place)))


class TreeRows:
    """The training rows, column by column.

    Parameters
    ----------
    table : CategoricalTable
    columns : its columns in the order that decides ties
    y : class of each row
    weight : weight of each row, or None
    n_classes : declared number of classes
    """

    columns: Sequence[TreeColumn]
    n_classes: int
    codes: Array
    offsets: IntegerArray
    y: Array
    weight: Array | None

    def __init__(
        self,
        table: CategoricalTable,
        columns: Sequence[TreeColumn],
        y: Array,
        weight: Array | None,
        n_classes: int,
    ) -> None:
        self.columns, self.n_classes = columns, n_classes
        self.codes, self.offsets = np.asfortranarray(table.codes), slot_offsets(table.n_states)
        self.y, self.weight = y.astype(np.int32), weight
        self.n_samples: int = len(y)
        self.total: float = float(self.n_samples if weight is None else weight.sum())
        self.has_missing: bool = table.leaves_out() or bool(np.isnan(table.numbers).any())
        self._rank(table.numbers)

    def _rank(self, numbers: Array) -> None:
        """Find the distinct numbers of each column, and the ranks of all rows among them."""
        self.ranks: Array = np.empty(numbers.shape, dtype=np.uint32, order="F")
        distinct = []
        for j, values in enumerate(numbers.T):
            order = np.argsort(values)
            known = values[order[: len(values) - np.count_nonzero(np.isnan(values))]]
            is_first = np.ones(len(known), dtype=bool)
            is_first[1:] = known[1:] > known[:-1]
            rank = np.full(len(values), is_first.sum(), dtype=np.uint32)
            rank[: len(known)] = np.cumsum(is_first) - 1
            self.ranks[order, j] = rank
            distinct.append(known[is_first])
        self.distinct = distinct
        n_distinct = np.array([len(values) for values in distinct], dtype=np.int64)
        #: The kernels take the distinct numbers in one array, with a slot for missing numbers.
        self.number_offsets: IntegerArray = slot_offsets(n_distinct)
        self.numbers: Array = np.concatenate(
            [[], *(np.append(values, np.nan) for values in distinct)]
        )

    @cached_property
    def min_difference(self) -> Array:
        """Minimum difference of two distinct values of each column of numbers.

        C4.5 and J48 take 1e-5, whatever the unit of the column. Where all values lie within
        less than 0.01, it is a thousandth of their range.
        """
        spans = [v[-1] / 2 - v[0] / 2 if len(v) else 0.0 for v in self.distinct]
        return np.minimum(1e-5, 2e-3 * np.minimum(spans, 1.0))

    @cached_property
    def times_log(self) -> Array:
        """The terms x log2 x of all numbers of rows."""
        counts = np.arange(self.n_samples + 1.0)
        terms: Array = counts * np.log2(np.maximum(counts, 1.0))
        return terms

    def node(self, index: Array, weight: Array | None) -> NodeRows:
        """Return the rows of a node as the kernels take them."""
        memo = self.times_log if weight is None else None
        return NodeRows(index, weight, self.y, self.n_classes, memo)

    def count(self, rows: Array, weight: Array | None) -> Array:
        """Return the weight of these rows in each class."""
        return np.bincount(self.y[rows], weight, self.n_classes).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Split:
    """A split on the states of a column, or on a threshold.

    Parameters
    ----------
    column : the column
    threshold : the largest number of the first branch; NaN for states
    cut : rank of the threshold among the distinct numbers; None for states
    """

    column: TreeColumn
    threshold: float = np.nan
    cut: int | None = None


class Portions:
    """The rows of each branch of a split.

    A row whose value is missing follows all branches. Its weight is divided in proportion to the
    rows with a known value.

    Parameters
    ----------
    rows : all training rows
    split : the split
    index : indices of the rows
    weight : their weights, or None
    in_place : whether `index` and `weight` are sorted in place
        The parts are then views of them if no value is missing, so that a tree of any depth
        holds its rows once.
    """

    index: Array
    weight: Array | None
    starts: list[int]
    table: Array

    def __init__(
        self,
        rows: TreeRows,
        split: Split,
        index: Array,
        weight: Array | None,
        *,
        in_place: bool = False,
    ) -> None:
        if not in_place:
            index, weight = index.copy(), None if weight is None else weight.copy()
        column = split.column
        codes, offsets = rows.codes, rows.offsets
        if column.states is None:
            codes, offsets = rows.ranks, rows.number_offsets
        n_states = int(offsets[column.index + 1] - offsets[column.index]) - 1
        counts, ends = divide_rows(
            codes, column.index, n_states, split.cut, rows.y, rows.n_classes, index, weight
        )
        self.index, self.weight, self.starts = index, weight, [0, *ends]
        #: weight in each branch and class
        self.table, unknown = counts[:-1], counts[-1]
        self.shares: Array | None = None
        if unknown.any():
            bags = self.table.sum(axis=1)
            total = bags.sum()
            even = np.full(len(bags), 1 / len(bags))
            self.shares = even if total < SMALL else bags / total
            self.table = self.table + self.shares[:, None] * unknown
            if weight is None:
                self.weight = np.ones(len(index))

    def part(self, k: int) -> tuple[Array, Array | None]:
        """Return the rows of branch k, and their weights in it."""
        index, weight = self.index, self.weight
        here = slice(self.starts[k], self.starts[k + 1])
        if weight is None:
            return index[here], None
        if self.shares is None or self.shares[k] <= SMALL:
            return index[here], weight[here]
        unknown = slice(self.starts[-2], self.starts[-1])
        return (
            np.concatenate([index[here], index[unknown]]),
            np.concatenate([weight[here], self.shares[k] * weight[unknown]]),
        )
