"""Columns with few states, merged so that one table access serves several columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple, Self

import numpy as np

from augury.arrays import Array

# Merged codes are bytes. A merged column is faster if it has far fewer slots than rows.
_MAX_SLOTS = 256
_MIN_ROWS_PER_SLOT = 8


@dataclass(frozen=True, eq=False)
class MergedColumns:
    """Groups of columns; each group is one column whose states are combinations of states.

    Parameters
    ----------
    codes : array of shape (n_samples, n_groups), column by column in memory
    offsets : index of the first slot of each group
    members : the columns of each group
    own_offsets : index of the first slot of each column

    Examples
    --------
    >>> codes = np.array([[0, 1], [1, 1]], dtype=np.uint8, order="F").repeat(24, axis=0)
    >>> merged = MergedColumns.merge(np.asfortranarray(codes), np.array([0, 2, 4]))
    >>> merged.codes[[0, -1]].T, merged.offsets
    (array([[1, 3]], dtype=uint8), array([0, 4]))
    >>> merged.widen(np.array([[1.0], [2.0], [10.0], [20.0]])).T
    array([[11., 21., 12., 22.]])
    >>> merged.narrow(np.array([[1.0], [2.0], [3.0], [4.0]])).T
    array([[3., 7., 4., 6.]])
    """

    codes: Array
    offsets: Array
    members: tuple[tuple[int, ...], ...]
    own_offsets: Array

    @classmethod
    def merge(cls, codes: Array, offsets: Array) -> Self:
        """Merge columns, those with the fewest slots first."""
        n_slots = np.diff(offsets)
        max_slots = min(_MAX_SLOTS, len(codes) // _MIN_ROWS_PER_SLOT)
        groups: list[list[int]] = []
        size = max_slots + 1
        for j in np.argsort(n_slots, kind="stable").tolist():
            size *= int(n_slots[j])
            if size > max_slots:
                groups.append([])
                size = int(n_slots[j])
            groups[-1].append(j)
        widths = [prod(n_slots[group].tolist()) for group in groups]
        narrow = max(widths, default=0) <= _MAX_SLOTS
        merged = np.empty(
            (len(codes), len(groups)), dtype=np.uint8 if narrow else codes.dtype, order="F"
        )
        for k, group in enumerate(groups):
            merged[:, k] = codes[:, group[0]]
            for j in group[1:]:
                merged[:, k] *= merged.dtype.type(n_slots[j])
                merged[:, k] += codes[:, j].astype(merged.dtype, copy=False)
        ends = np.concatenate([[0], np.cumsum(widths, dtype=np.int64)]).astype(np.int64)
        return cls(merged, ends, tuple(map(tuple, groups)), offsets)

    @cached_property
    def _groups(self) -> list[_Group]:
        groups = []
        for k, group in enumerate(self.members):
            own = [slice(int(self.own_offsets[j]), int(self.own_offsets[j + 1])) for j in group]
            n_slots = [each.stop - each.start for each in own]
            axes = range(len(group))
            members = [
                _Member(
                    own[axis],
                    tuple(n if other == axis else 1 for other, n in enumerate(n_slots)),
                    tuple(other for other in axes if other != axis),
                )
                for axis in axes
            ]
            merged = slice(int(self.offsets[k]), int(self.offsets[k + 1]))
            groups.append(_Group(merged, tuple(n_slots), members))
        return groups

    def widen(self, table: Array) -> Array:
        """Return for each merged slot the sum of its members' rows."""
        n_columns = table.shape[1]
        wide = np.empty((int(self.offsets[-1]), n_columns))
        for merged, _, members in self._groups:
            parts = [table[own].reshape(*shape, n_columns) for own, shape, _ in members]
            total = parts[0]
            for part in parts[1:]:
                total = total + part
            wide[merged] = total.reshape(-1, n_columns)
        return wide

    def narrow(self, sums: Array) -> Array:
        """Return for each slot the sum over the merged slots that contain it."""
        n_columns = sums.shape[1]
        narrow = np.empty((int(self.own_offsets[-1]), n_columns))
        for merged, n_slots, members in self._groups:
            cells = sums[merged].reshape(*n_slots, n_columns)
            for own, _, others in members:
                narrow[own] = np.add.reduce(cells, axis=others)
        return narrow


class _Member(NamedTuple):
    """A column of a group.

    own : its slots
    shape : that of its slots on its own axis of a table with an axis for each member
    others : the axes of the other members
    """

    own: slice
    shape: tuple[int, ...]
    others: tuple[int, ...]


class _Group(NamedTuple):
    """Merged slots, the numbers of slots of the members, and the members."""

    merged: slice
    n_slots: tuple[int, ...]
    members: list[_Member]
