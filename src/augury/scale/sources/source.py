"""A table as partitions, each of which is read as a stream of frames."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from augury.data.errors import DataError, first_repeated, shorten, suggest

MAX_ROWS = 1 << 17


@dataclass(frozen=True, kw_only=True, eq=False)
class Partition(ABC):
    """Consecutive rows of a table. A partition can be pickled and read any number of times.

    Attributes
    ----------
    name : str
        The place of the rows, for messages, such as "a.parquet, row groups 0 to 3".
    columns : tuple of str
        The columns of the table.
    n_rows, n_bytes : int or None
        The number of rows, and of bytes that they take where they are stored, before compression;
        None if it is not known before reading.
    """

    name: str
    columns: tuple[str, ...]
    n_rows: int | None = None
    n_bytes: int | None = None

    def frames(
        self, columns: Sequence[str] | None = None, max_rows: int = MAX_ROWS
    ) -> Iterator[pd.DataFrame]:
        """Yield the rows in order, in frames of at most `max_rows` rows.

        The frames of all partitions of a source have the same columns and dtypes. The categories
        of a column may differ between frames. The index of a frame counts its rows from 0.

        Parameters
        ----------
        columns : sequence of str or None
            The columns to read, in the order in which the frames shall have them; None reads all.
        max_rows : int
            The maximum number of rows of a frame.

        Raises
        ------
        DataError
            If a column does not exist, the rows cannot be read, or the source has changed since it
            was opened. The message names the file or partition.
        """
        if max_rows < 1:
            raise ValueError(f"frames: max_rows must be an integer >= 1, got {max_rows!r}")
        chosen = check_columns(columns, self.columns, self.name)
        return self._count(self._frames(chosen, max_rows))

    def _count(self, frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        """Yield the frames; raise a `DataError` if their number of rows is not the known one."""
        n_rows = 0
        for frame in frames:
            n_rows += len(frame)
            yield frame
        if self.n_rows is not None and n_rows != self.n_rows:
            raise DataError(
                f"{self.name}: there are {n_rows} rows now, but there were {self.n_rows} when it "
                "was opened; the source must stay as it is"
            )

    @abstractmethod
    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        """Yield frames with these columns, all of which exist."""


@dataclass(frozen=True, eq=False)
class Source:
    """A table that is read in partitions.

    Attributes
    ----------
    name : str
        The files or the kind of the source, for messages.
    columns : tuple of str
    partitions : tuple of Partition
        The rows of the table, in order.
    temporary : object
        The folder of temporary files, or None. It exists as long as this object does, so that a
        partition must not be used longer than its source.
    """

    name: str
    columns: tuple[str, ...]
    partitions: tuple[Partition, ...]
    temporary: Any = field(default=None, repr=False)

    @property
    def n_rows(self) -> int | None:
        """The number of rows, or None if it is not known before reading."""
        return _total(partition.n_rows for partition in self.partitions)

    @property
    def n_bytes(self) -> int | None:
        """The number of bytes of the rows before compression, or None if it is not known."""
        return _total(partition.n_bytes for partition in self.partitions)

    def check_columns(self, columns: Iterable[str]) -> list[str]:
        """Return the columns; raise a `DataError` if one does not exist or is named twice."""
        return check_columns(columns, self.columns, self.name)


def check_columns(columns: Iterable[str] | None, existing: Sequence[str], place: str) -> list[str]:
    """Return the chosen columns; None chooses all.

    Raises
    ------
    DataError
        If a column does not exist or is named twice.
    """
    if columns is None:
        return list(existing)
    chosen = list(columns)
    known = set(existing)
    for name in chosen:
        if name not in known:
            near = suggest(str(name), existing) or ";"
            raise DataError(
                f"{place}: there is no column {name!r}{near} the columns are "
                f"{shorten(list(existing))}"
            )
    if (repeated := first_repeated(chosen)) is not None:
        raise DataError(f"{place}: the column {repeated!r} is asked for twice")
    return chosen


def check_same_columns(
    names: Sequence[str], place: str, first_names: Sequence[str], first_place: str
) -> None:
    """Raise a `DataError` unless two pieces have the same columns, in any order."""
    for name in first_names:
        if name not in names:
            raise DataError(
                f"{place}: there is no column {name!r}, which {first_place} has"
                f"{suggest(name, [each for each in names if each not in first_names])}"
            )
    for name in names:
        if name not in first_names:
            raise DataError(
                f"{place}: there is a column {name!r}, which {first_place} does not have"
                f"{suggest(name, first_names)}"
            )


def cut_rows(frame: pd.DataFrame, max_rows: int) -> Iterator[pd.DataFrame]:
    """Yield the rows of a frame in frames of at most `max_rows` rows, counted from 0."""
    for start in range(0, len(frame), max_rows):
        yield frame.iloc[start : start + max_rows].reset_index(drop=True)


def _total(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += number
    return total


__all__ = [
    "MAX_ROWS",
    "Partition",
    "Source",
    "check_columns",
    "check_same_columns",
    "cut_rows",
]
