"""Protocols of the readers of tables.

Each kind of table has one reader class. A reader returns a column in one of two forms: as
labels (`Nominal`), or as float64 numbers in which NaN is missing.
"""

from typing import Protocol

from augury.arrays import BoolArray, FloatArray
from augury.encode.nominal import Nominal
from augury.foreign import Table


class ColumnReader(Protocol):
    """Access to the columns of one table."""

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        ...

    def are_nominal(self) -> list[bool]:
        """Return for each column whether its type makes it a column of labels."""
        ...

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Read the columns of these indices as labels."""
        ...

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Read the columns of these indices as one float64 matrix."""
        ...


class Reader(ColumnReader, Protocol):
    """Access to the columns and the rows of one table."""

    def take_rows(self, rows: BoolArray) -> Table:
        """Return the rows where the mask is true, as the same kind of table."""
        ...

    def slice_rows(self, rows: slice) -> Table:
        """Return adjacent rows, as the same kind of table."""
        ...


__all__ = ["ColumnReader", "Reader"]
