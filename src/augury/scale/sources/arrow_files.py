"""Arrow IPC files: ranges of record batches of the file format, and streams."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.errors import DataError
from augury.scale.sources.arrow_tables import slices
from augury.scale.sources.arrow_types import (
    ArrowColumns,
    Batch,
    UnitedColumns,
    columns_of,
    damage_named,
    import_arrow,
    may_lose_type,
    readable,
)
from augury.scale.sources.files import FileState
from augury.scale.sources.source import Partition

_FILE_MARK, _OLD_MARK = b"ARROW1", b"FEA1"
_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


@dataclass(frozen=True, kw_only=True, eq=False)
class ArrowFilePartition(Partition):
    """Consecutive record batches of an Arrow IPC file. A batch is read at once.

    Attributes
    ----------
    file : FileState
    batches : range or None
        The numbers of the record batches; None for all, in the stream format.
    types : ArrowColumns
    """

    file: FileState
    batches: range | None
    types: ArrowColumns

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        self.file.require_unchanged()
        for batch in readable(read_batches(self.file.path, columns, self.batches), self.name):
            for piece in slices(batch, max_rows):
                yield self.types.to_frame(piece, columns)
        self.file.require_unchanged()


@dataclass(frozen=True)
class _File:
    """A file, and the number of rows of each record batch."""

    state: FileState
    is_stream: bool
    n_rows: list[int]


def open_arrow_files(paths: Sequence[Path], partition_bytes: int) -> list[Partition]:
    """Return the partitions of Arrow IPC files: record batches of about `partition_bytes`.

    The format has no statistics. The columns of integers and booleans are therefore read once, to
    find their missing values.

    Raises
    ------
    DataError
        If a file cannot be read, has other columns than the first, or there are no rows.
    """
    united = UnitedColumns()
    files = [_look_into(path, united) for path in paths]
    types = united.columns()
    partitions: list[Partition] = []
    for file in files:
        for batches in _ranges(file, partition_bytes):
            n_rows = sum(file.n_rows[i] for i in batches)
            name = str(file.state.path)
            if not file.is_stream:
                name += f", record batches {batches.start} to {batches.stop - 1}"
            partitions.append(
                ArrowFilePartition(
                    name=name,
                    columns=types.names,
                    n_rows=n_rows,
                    n_bytes=file.state.size * n_rows // sum(file.n_rows),
                    file=file.state,
                    batches=None if file.is_stream else batches,
                    types=types,
                )
            )
    if not partitions:
        raise DataError(f"{paths[0]}: there are no rows")
    return partitions


def read_batches(
    path: Path, columns: Sequence[str] | None, batches: range | None = None
) -> Iterator[Batch]:
    """Yield record batches of an Arrow IPC file with these columns; None reads all columns."""
    chosen = None
    with _opened(path) as (reader, _):
        if columns is not None:
            # With no column, pyarrow reads all; a batch needs one to have rows.
            wanted = columns or reader.schema.names[:1]
            chosen = [reader.schema.get_field_index(name) for name in wanted]
    with _opened(path, chosen) as (reader, is_stream):
        if is_stream:
            yield from reader
            return
        for i in range(reader.num_record_batches) if batches is None else batches:
            yield reader.get_batch(i)


@contextmanager
def _opened(path: Path, chosen: list[int] | None = None) -> Iterator[tuple[Any, bool]]:
    """Open a file of either format; yield its reader, and whether it is a stream."""
    pyarrow = import_arrow(purpose="reading Arrow files")
    ipc = import_arrow("pyarrow.ipc", "reading Arrow files")
    options = ipc.IpcReadOptions(use_threads=False, included_fields=chosen)
    is_stream = _is_stream(path)
    # Ordinary reads: the pages of a memory map count as memory of the process.
    with pyarrow.OSFile(str(path)) as file:
        open_reader = ipc.open_stream if is_stream else ipc.open_file
        with open_reader(file, options=options) as reader:
            yield reader, is_stream


def _is_stream(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(len(_FILE_MARK))
        if start.startswith(_OLD_MARK):
            raise DataError(
                f"{path}: is a Feather file of version 1; write it again with a newer pyarrow"
            )
        if start == _FILE_MARK:
            return False
        file.seek(max(0, path.stat().st_size - len(_END_OF_STREAM)))
        if file.read() != _END_OF_STREAM:
            raise DataError(f"{path}: the Arrow stream has no end mark; is the file complete?")
    return True


def _look_into(path: Path, united: UnitedColumns) -> _File:
    state = FileState.of(path)
    with damage_named(f"{path}: is not a readable Arrow file"):
        with _opened(path) as (reader, is_stream):
            schema = columns_of(reader.schema, path)
        united.add(schema, str(path))
        searched = [field.name for field in schema if may_lose_type(field.type)]
        n_rows = []
        for batch in read_batches(path, searched):
            n_rows.append(batch.num_rows)
            united.note_missing(batch)
        return _File(state, is_stream, n_rows)


def _ranges(file: _File, partition_bytes: int) -> Iterator[range]:
    """Yield the numbers of record batches that make a partition."""
    total = sum(file.n_rows)
    if not total:
        return
    if file.is_stream:
        yield range(len(file.n_rows))
        return
    rows_at_once = max(1, total * partition_bytes // max(file.state.size, 1))
    start = n_rows = 0
    for i, size in enumerate(file.n_rows):
        if n_rows and n_rows + size > rows_at_once:
            yield range(start, i)
            start, n_rows = i, 0
        n_rows += size
    if n_rows:
        yield range(start, len(file.n_rows))


__all__ = ["ArrowFilePartition", "open_arrow_files", "read_batches"]
