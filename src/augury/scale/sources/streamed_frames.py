"""Frames that an iterator or a function yields: written to disk once, or produced at each pass."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.errors import DataError
from augury.foreign import Table
from augury.scale.sources.arrow_files import ArrowFilePartition
from augury.scale.sources.arrow_tables import slices, to_table
from augury.scale.sources.arrow_types import (
    ArrowColumns,
    Schema,
    UnitedColumns,
    import_arrow,
)
from augury.scale.sources.files import FileState
from augury.scale.sources.source import MAX_ROWS, Partition
from augury.scale.sources.temporary_folder import disk_error


@dataclass(frozen=True, kw_only=True, eq=False)
class RepeatedPartition(Partition):
    """Frames that a function yields anew at each pass."""

    produce: Callable[[], Iterable[Table]]
    types: ArrowColumns

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        for table, place in _tables(self.produce(), self.name):
            united = UnitedColumns()
            united.add(self.types.schema, f"{self.name} at the first pass")
            united.add(table.schema, place)
            united.note_missing(table)
            found = united.columns()
            if not (
                found.schema.equals(self.types.schema)
                and found.with_missing <= self.types.with_missing
            ):
                raise DataError(
                    f"{place}: the types of the columns are not those of the first pass; the "
                    "function must yield the same rows at each call"
                )
            for batch in slices(table, max_rows):
                yield self.types.to_frame(batch, columns)


def open_repeated(produce: Callable[[], Iterable[Table]]) -> list[Partition]:
    """Return the frames of a function as one partition; a first pass learns their types."""
    name = f"frames of {getattr(produce, '__name__', type(produce).__name__)}()"
    united = UnitedColumns()
    n_rows = 0
    for table, place in _tables(produce(), name):
        united.add(table.schema, place)
        united.note_missing(table)
        n_rows += table.num_rows
    _require_rows(n_rows, name)
    types = united.columns()
    return [
        RepeatedPartition(
            name=name, columns=types.names, n_rows=n_rows, produce=produce, types=types
        )
    ]


def spool(
    frames: Iterable[Table], folder: Path, partition_bytes: int, name: str
) -> list[Partition]:
    """Write frames to Arrow files of about `partition_bytes` each, and return these as partitions.

    Parameters
    ----------
    frames : iterable of frames of pandas, polars or pyarrow
        Each is written before the next is asked for.
    folder : Path
        The folder of the files, which must exist as long as the partitions are used.
    partition_bytes : int
    name : str
        The name of the source, for messages.

    Raises
    ------
    DataError
        If a frame has other columns than the first, there are no rows, or the disk is full.
    """
    united = UnitedColumns()
    files: list[_SpoolFile] = []
    current: _SpoolFile | None = None
    try:
        for number, (table, place) in enumerate(_tables(frames, name)):
            if current is None or not table.schema.equals(current.schema):
                united.add(table.schema, place)
            united.note_missing(table)
            if current is not None and not current.takes(table.schema, partition_bytes):
                current.close()
                current = None
            if table.num_rows == 0:
                continue
            if current is None:
                current = _SpoolFile(folder / f"{len(files)}.arrow", table.schema, number)
                files.append(current)
            current.write(table, number)
    finally:
        if current is not None:
            current.close()
    _require_rows(sum(file.n_rows for file in files), name)
    types = united.columns()
    return [
        ArrowFilePartition(
            name=f"{name}, frames {file.first} to {file.last}",
            columns=types.names,
            n_rows=file.n_rows,
            n_bytes=file.path.stat().st_size,
            file=FileState.of(file.path),
            batches=None,
            types=types,
        )
        for file in files
    ]


@dataclass
class _SpoolFile:
    """An Arrow stream that is being written. Its dictionaries may change between batches."""

    path: Path
    schema: Schema
    first: int
    last: int = 0
    n_rows: int = 0
    writer: Any = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.writer = import_arrow("pyarrow.ipc").new_stream(str(self.path), self.schema)
        except OSError as error:
            raise disk_error(self.path, error) from error

    def takes(self, schema: Schema, partition_bytes: int) -> bool:
        """Return whether a table of this schema can be added."""
        return self.path.stat().st_size < partition_bytes and schema.equals(self.schema)

    def write(self, table: Any, number: int) -> None:
        """Add the frame with this number."""
        try:
            self.writer.write_table(table, max_chunksize=MAX_ROWS)
        except OSError as error:
            raise disk_error(self.path, error) from error
        self.n_rows += table.num_rows
        self.last = number

    def close(self) -> None:
        """Write the end of the stream."""
        try:
            self.writer.close()
        except OSError as error:
            raise disk_error(self.path, error) from error


def _tables(frames: Iterable[Table], name: str) -> Iterator[tuple[Any, str]]:
    """Yield each frame as a pyarrow table, and its place."""
    for number, frame in enumerate(frames):
        place = f"{name}, frame {number}"
        yield to_table(frame, place), place


def _require_rows(n_rows: int, name: str) -> None:
    if not n_rows:
        raise DataError(f"{name}: there are no rows")


__all__ = ["RepeatedPartition", "open_repeated", "spool"]
