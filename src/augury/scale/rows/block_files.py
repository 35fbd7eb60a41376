"""Encoded blocks of rows in Arrow files, which are read in constant memory.

A code takes one byte in most tables, so a million rows of 30 columns take 30 MB. The files are read
by ordinary reads and not mapped: mapped pages would count as memory of the process.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.data.errors import DataError
from augury.encode import CategoricalTable
from augury.optional import import_extra
from augury.scale.sources.temporary_folder import disk_error

EncodedBlock = tuple[CategoricalTable, Array, Array | None]


@dataclass(frozen=True, eq=False)
class BlockFile:
    """Encoded blocks of a partition in a file; `empty` is their table without rows."""

    name: str
    path: Path
    empty: CategoricalTable
    is_weighted: bool
    n_rows: int


def write_blocks(path: Path, name: str, blocks: Iterator[EncodedBlock]) -> BlockFile | None:
    """Write the blocks of a partition; return None, and write no file, if there are none.

    Parameters
    ----------
    path : the new file
    name : name of the partition
    blocks : iterator that raises no OSError, see `naming`

    Raises
    ------
    DataError
        If the file cannot be written.
    """
    first = next(blocks, None)
    if first is None:
        return None
    arrow = _arrow()
    table, _, weight = first
    empty, is_weighted, n_rows = table.take(slice(0)), weight is not None, len(first[1])
    try:
        with (
            arrow.OSFile(str(path), "wb") as sink,
            arrow.ipc.new_file(sink, _batch(first).schema) as writer,
        ):
            writer.write_batch(_batch(first))
            del first, table
            for block in blocks:
                n_rows += len(block[1])
                writer.write_batch(_batch(block))
    except OSError as error:
        raise disk_error(path, error) from error
    return BlockFile(name, path, empty, is_weighted, n_rows)


def read_blocks(file: BlockFile) -> Iterator[EncodedBlock]:
    """Yield the blocks of a file."""
    arrow = _arrow()
    try:
        with arrow.OSFile(str(file.path), "rb") as source:
            reader = arrow.ipc.open_file(source)
            for k in range(reader.num_record_batches):
                yield _block(reader.get_batch(k), file)
    except (OSError, arrow.ArrowException) as error:
        raise DataError(
            f"{file.path}: the temporary file cannot be read ({error}); start again"
        ) from error


def _batch(block: EncodedBlock) -> Any:
    arrow = _arrow()
    table, y, weight = block
    arrays = [*table.codes.T, *table.numbers.T, y, *([] if weight is None else [weight])]
    columns = [arrow.array(np.ascontiguousarray(array)) for array in arrays]
    return arrow.record_batch(columns, names=[str(k) for k in range(len(columns))])


def _block(batch: Any, file: BlockFile) -> EncodedBlock:
    empty = file.empty
    n_codes, n_numbers = empty.codes.shape[1], empty.numbers.shape[1]
    codes = np.empty((batch.num_rows, n_codes), dtype=empty.codes.dtype, order="F")
    numbers = np.empty((batch.num_rows, n_numbers), order="F")
    for j in range(n_codes):
        codes[:, j] = batch.column(j).to_numpy()
    for j in range(n_numbers):
        numbers[:, j] = batch.column(n_codes + j).to_numpy(zero_copy_only=False)
    y = batch.column(n_codes + n_numbers).to_numpy().copy()
    weight = batch.column(n_codes + n_numbers + 1).to_numpy().copy() if file.is_weighted else None
    table = CategoricalTable(codes, empty.states, empty.names, numbers, empty.number_names)
    return table, y, weight


def _arrow() -> Any:
    import_extra("pyarrow.ipc", extra="parquet", purpose="reading rows from disk")
    return import_extra("pyarrow", extra="parquet", purpose="reading rows from disk")


__all__ = ["BlockFile", "EncodedBlock", "read_blocks", "write_blocks"]
