"""Training rows of a C4.5 tree, and their division by a split."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array
from augury.encode import CategoricalTable
from augury.fitted_state import check_whole, require
from augury.kernels import slot_offsets

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

    def __init__(
        self,
        table: CategoricalTable,
        columns: Sequence[TreeColumn],
        y: Array,
        weight: Array | None,
        n_classes: int,
    ) -> None:
        self.columns, self.n_classes = columns, n_classes
        self.codes = np.ascontiguousarray(table.codes.T)
        self.numbers = np.ascontiguousarray(table.numbers.T)
        self.y, self.weight = y.astype(np.int32), weight
        self.n_samples = len(y)
        self.total = float(self.n_samples if weight is None else weight.sum())
        self.offsets = slot_offsets(table.n_states)
        self.has_missing = table.leaves_out() or bool(np.isnan(table.numbers).any())

    @cached_property
    def sorted_numbers(self) -> list[Array]:
        """The distinct values of each column of numbers."""
        return [np.unique(values[~np.isnan(values)]) for values in self.numbers]

    @cached_property
    def min_difference(self) -> Array:
        """Minimum difference of two distinct values of each column of numbers.

        C4.5 and J48 take 1e-5, whatever the unit of the column. Where all values lie within
        less than 0.01, it is a thousandth of their range.
        """
        spans = [v[-1] / 2 - v[0] / 2 if len(v) else 0.0 for v in self.sorted_numbers]
        return np.minimum(1e-5, 2e-3 * np.minimum(spans, 1.0))

    def count(self, rows: Array, weight: Array | None) -> Array:
        """Return the weight of these rows in each class."""
        return np.bincount(self.y[rows], weight, self.n_classes).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Split:
    """A split on the states of a column, or on a threshold."""

    column: TreeColumn
    threshold: float = np.nan

    def branch_of(self, rows: TreeRows, index: Array) -> Array:
        """Return the branch of each of these rows; the number of branches if it is missing."""
        if self.column.states is not None:
            return np.asarray(rows.codes[self.column.index][index])
        values = rows.numbers[self.column.index][index]
        branch: Array = (values > self.threshold).astype(np.uint8)
        branch[np.isnan(values)] = 2
        return branch


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

    def __init__(
        self,
        rows: TreeRows,
        split: Split,
        index: Array,
        weight: Array | None,
        *,
        in_place: bool = False,
    ) -> None:
        self.index, self.weight, self.in_place = index, weight, in_place
        self.n_branches = split.column.n_branches
        self.branch = split.branch_of(rows, index)
        cell = self.branch.astype(np.intp) * rows.n_classes + rows.y[index]
        counts = np.bincount(cell, weight, (self.n_branches + 1) * rows.n_classes)
        counts = counts.reshape(self.n_branches + 1, rows.n_classes).astype(np.float64)
        #: weight in each branch and class
        self.table, unknown = counts[:-1], counts[-1]
        self.shares: Array | None = None
        if unknown.any():
            bags = self.table.sum(axis=1)
            total = bags.sum()
            even = np.full(self.n_branches, 1 / self.n_branches)
            self.shares = even if total < SMALL else bags / total
            self.table = self.table + self.shares[:, None] * unknown

    @cached_property
    def _sorted(self) -> tuple[Array, Array | None, list[int]]:
        order = np.argsort(self.branch, kind="stable")
        ends = np.cumsum(np.bincount(self.branch, minlength=self.n_branches + 1)).tolist()
        index, weight = self.index, self.weight
        if weight is None and self.shares is not None:
            weight = np.ones(len(index))
        if not self.in_place:
            return index[order], None if weight is None else weight[order], [0, *ends]
        index[:] = index[order]
        if weight is not None:
            weight[:] = weight[order]
        return index, weight, [0, *ends]

    def part(self, k: int) -> tuple[Array, Array | None]:
        """Return the rows of branch k, and their weights in it."""
        index, weight, ends = self._sorted
        here = slice(ends[k], ends[k + 1])
        if weight is None:
            return index[here], None
        if self.shares is None or self.shares[k] <= SMALL:
            return index[here], weight[here]
        unknown = slice(ends[self.n_branches], ends[self.n_branches + 1])
        return (
            np.concatenate([index[here], index[unknown]]),
            np.concatenate([weight[here], self.shares[k] * weight[unknown]]),
        )
