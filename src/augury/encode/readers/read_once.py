"""A table that reads each column once.

A model that contains models wraps the rows in a `ReadOnce` and passes it to all of them. Each
column is read when the first model asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.encode.column_plan import free_name
from augury.encode.nominal import Nominal
from augury.encode.readers.reader import ColumnReader
from augury.foreign import Table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ReadOnce:
    """Rows of a table, with a cache of the columns that have been read; its own reader.

    Parameters
    ----------
    columns : reader of the columns
    shape : numbers of rows and columns
    source : the table itself, for objects that are not models of augury, such as a splitter

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.encode.columns import read_once
    >>> rows = read_once(pd.DataFrame({"sky": ["sun", "rain"], "wind": [1.0, 2.0]}))
    >>> wider = rows.with_numbers(["p"], np.array([[0.5], [0.25]]))
    >>> wider.column_names(), wider.read_numbers([1, 2]).tolist()
    (['sky', 'wind', 'p'], [[1.0, 0.5], [2.0, 0.25]])
    """

    columns: ColumnReader
    shape: tuple[int, int]
    source: Table = None
    _labels: dict[int, Nominal] = field(default_factory=dict, init=False)
    _numbers: dict[tuple[int, ...], FloatArray] = field(default_factory=dict, init=False)

    # `augury.validation` recognises the class by this attribute, since it cannot import it.
    reads_columns_once = True

    def __len__(self) -> int:
        return self.shape[0]

    @cached_property
    def header(self) -> pd.DataFrame:
        """A frame with these columns and no rows, for scikit-learn's checks of names."""
        import pandas as pd  # not needed to read a table of another library

        return pd.DataFrame(columns=pd.Index(self.column_names(), dtype=object))

    def with_numbers(self, names: Sequence[str], values: FloatArray) -> ReadOnce:
        """Return the table with columns of numbers appended."""
        shape = (self.shape[0], self.shape[1] + len(names))
        return ReadOnce(_WithNumbers(self, names, values), shape)

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return self._names

    def are_nominal(self) -> list[bool]:
        """Return for each column whether it holds labels."""
        return self._are_nominal

    def take_rows(self, rows: BoolArray) -> ReadOnce:
        """Return the rows where the mask is true."""
        return ReadOnce(_SomeRows(self, rows), (int(np.count_nonzero(rows)), self.shape[1]))

    def repeat_rows(self, rows: IntegerArray) -> ReadOnce:
        """Return the rows of these indices; a row may occur several times."""
        return ReadOnce(_SomeRows(self, rows), (len(rows), self.shape[1]))

    def slice_rows(self, rows: slice) -> ReadOnce:
        """Return adjacent rows."""
        start, stop, step = rows.indices(len(self))
        if (start, stop, step) == (0, len(self), 1):
            return self
        n_rows = len(range(start, stop, step))
        return ReadOnce(_SomeRows(self, rows), (n_rows, self.shape[1]))

    def take_columns(self, columns: list[int]) -> ReadOnce:
        """Return some of the columns."""
        return ReadOnce(_SomeColumns(self, columns), (self.shape[0], len(columns)))

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Return these columns as labels; the columns not read before are read together."""
        unread = [j for j in columns if j not in self._labels]
        if unread:
            self._labels.update(
                zip(unread, self.columns.read_nominal(unread, n_threads), strict=True)
            )
        return [self._labels[j] for j in columns]

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Return these columns as one float64 matrix."""
        key = tuple(columns)
        if key not in self._numbers:
            self._numbers[key] = self._read_numbers(columns)
        return self._numbers[key]

    def _read_numbers(self, columns: list[int]) -> FloatArray:
        """Return columns of a wider matrix that was read before, or read them."""
        for read, matrix in self._numbers.items():
            if columns and set(columns) <= set(read):
                # Column by column in memory, as readers return it: sums round in the same way.
                return np.asfortranarray(matrix[:, [read.index(j) for j in columns]])
        return self.columns.read_numbers(columns)

    @cached_property
    def _names(self) -> list[str]:
        return self.columns.column_names()

    @cached_property
    def _are_nominal(self) -> list[bool]:
        return self.columns.are_nominal()


@dataclass(frozen=True, eq=False)
class _SomeRows:
    """Columns of some rows of a table, taken from the columns of all rows."""

    table: ReadOnce
    rows: BoolArray | IntegerArray | slice

    def column_names(self) -> list[str]:
        return self.table.column_names()

    def are_nominal(self) -> list[bool]:
        return self.table.are_nominal()

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        whole = self.table.read_nominal(columns, n_threads)
        return [replace(each, codes=each.codes[self.rows]) for each in whole]

    def read_numbers(self, columns: list[int]) -> FloatArray:
        return self.table.read_numbers(columns)[self.rows]


@dataclass(frozen=True, eq=False)
class _SomeColumns:
    """Some columns of a table."""

    table: ReadOnce
    chosen: list[int]

    def column_names(self) -> list[str]:
        names = self.table.column_names()
        return [names[j] for j in self.chosen]

    def are_nominal(self) -> list[bool]:
        nominal = self.table.are_nominal()
        return [nominal[j] for j in self.chosen]

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        return self.table.read_nominal([self.chosen[j] for j in columns], n_threads)

    def read_numbers(self, columns: list[int]) -> FloatArray:
        return self.table.read_numbers([self.chosen[j] for j in columns])


@dataclass(frozen=True, eq=False)
class ColumnsReadAs:
    """Columns of a table, some of them numbers that are read as labels.

    Parameters
    ----------
    table : reader of the columns
    chosen : index of each column in the table; a column may occur as numbers and as labels
    as_labels : whether each column is one of numbers that is read as labels
    """

    table: ColumnReader
    chosen: list[int]
    as_labels: list[bool]

    def column_names(self) -> list[str]:
        """Return the names of the columns; those read as labels say so."""
        own = self.table.column_names()
        names: list[str] = []
        for j, as_labels in zip(self.chosen, self.as_labels, strict=True):
            names.append(free_name(f"{own[j]} as labels", own) if as_labels else own[j])
        return names

    def are_nominal(self) -> list[bool]:
        """Return for each column whether it holds labels."""
        nominal = self.table.are_nominal()
        return [
            as_labels or nominal[j]
            for j, as_labels in zip(self.chosen, self.as_labels, strict=True)
        ]

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Read columns as labels."""
        return self.table.read_nominal([self.chosen[j] for j in columns], n_threads)

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Read columns as one float64 matrix."""
        return self.table.read_numbers([self.chosen[j] for j in columns])


@dataclass(frozen=True, eq=False)
class _WithNumbers:
    """Columns of a table, followed by columns of numbers."""

    table: ReadOnce
    names: Sequence[str]
    values: FloatArray

    def column_names(self) -> list[str]:
        return [*self.table.column_names(), *self.names]

    def are_nominal(self) -> list[bool]:
        return [*self.table.are_nominal(), *[False] * len(self.names)]

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        return self.table.read_nominal(columns, n_threads)

    def read_numbers(self, columns: list[int]) -> FloatArray:
        n_own = self.table.shape[1]
        own = [j for j in columns if j < n_own]
        added = [j - n_own for j in columns if j >= n_own]
        numbers = np.empty((len(self.values), len(columns)), order="F")
        numbers[:, : len(own)] = self.table.read_numbers(own)
        numbers[:, len(own) :] = self.values[:, added]
        return numbers


__all__ = ["ColumnsReadAs", "ReadOnce"]
