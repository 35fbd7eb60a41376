"""Parquet files, read in groups of row groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.errors import DataError
from augury.scale.sources.arrow_types import (
    ArrowColumns,
    Schema,
    UnitedColumns,
    columns_of,
    damage_named,
    import_arrow,
    may_lose_type,
    readable,
)
from augury.scale.sources.files import FileState
from augury.scale.sources.source import Partition

# Bytes of a column that are read at a time; without a buffer, a column of a row group is.
_BUFFER = 1 << 20


@dataclass(frozen=True, kw_only=True, eq=False)
class ParquetPartition(Partition):
    """Consecutive row groups of a Parquet file."""

    file: FileState
    row_groups: tuple[int, ...]
    types: ArrowColumns

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        self.file.require_unchanged()
        with damage_named(f"{self.name}: cannot be read"):
            opened = _open(self.file.path)
        with opened:
            # A table without columns still has rows.
            stored = columns or list(self.columns[:1])
            batches = opened.iter_batches(
                max_rows, row_groups=list(self.row_groups), columns=stored, use_threads=False
            )
            for batch in readable(batches, self.name):
                yield self.types.to_frame(batch, columns)
        self.file.require_unchanged()


@dataclass(frozen=True)
class _File:
    """A file and what its footer tells."""

    state: FileState
    schema: Schema
    metadata: Any
    with_missing: frozenset[str]


def open_parquet(paths: Sequence[Path], partition_bytes: int) -> list[Partition]:
    """Return the partitions of Parquet files: row groups of about `partition_bytes` together.

    Whether a column of integers or booleans has missing values is read from the statistics of the
    row groups. Where a file has none, the column is read.

    Raises
    ------
    DataError
        If a file cannot be read, has other columns than the first, or there are no rows.
    """
    files = [_look_into(path) for path in paths]
    united = UnitedColumns()
    for file in files:
        united.add(file.schema, str(file.state.path))
        united.add_missing(file.with_missing)
    types = united.columns()
    partitions: list[Partition] = []
    for file in files:
        for groups in group_row_groups(file.metadata, partition_bytes):
            sizes = [file.metadata.row_group(i) for i in groups]
            span = f"{groups[0]} to {groups[-1]}" if len(groups) > 1 else f"{groups[0]}"
            partitions.append(
                ParquetPartition(
                    name=f"{file.state.path}, row group{'s' * (len(groups) > 1)} {span}",
                    columns=types.names,
                    n_rows=sum(size.num_rows for size in sizes),
                    n_bytes=sum(size.total_byte_size for size in sizes),
                    file=file.state,
                    row_groups=tuple(groups),
                    types=types,
                )
            )
    if not partitions:
        raise DataError(f"{paths[0]}: there are no rows")
    return partitions


def _open(path: Path) -> Any:
    parquet = import_arrow("pyarrow.parquet", "reading Parquet files")
    return parquet.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)


def _look_into(path: Path) -> _File:
    state = FileState.of(path)
    with damage_named(f"{path}: is not a readable Parquet file"), _open(path) as opened:
        schema = columns_of(opened.schema_arrow, path)
        missing = frozenset(
            field.name
            for field in schema
            if _has_missing(opened, opened.schema_arrow.get_field_index(field.name), field)
        )
        return _File(state, schema, opened.metadata, missing)


def _has_missing(opened: Any, column: int, field: Any) -> bool:
    """Return whether a column has missing values that change its dtype."""
    if not may_lose_type(field.type):
        return False
    groups = row_groups_to_search(opened.metadata, column)
    if groups is None:
        return True
    if not groups:
        return False
    batches = opened.iter_batches(row_groups=groups, columns=[field.name], use_threads=False)
    return any(batch.column(0).null_count for batch in batches)


def row_groups_to_search(metadata: Any, column: int) -> list[int] | None:
    """Return the row groups in which a column may have missing values; None if it surely has."""
    unknown = []
    for i in range(metadata.num_row_groups):
        about = metadata.row_group(i).column(column).statistics
        if about is None or not about.has_null_count:
            unknown.append(i)
        elif about.null_count:
            return None
    return unknown


def group_row_groups(metadata: Any, partition_bytes: int) -> Iterator[list[int]]:
    """Yield the numbers of row groups that make a partition."""
    group: list[int] = []
    size = 0
    for i in range(metadata.num_row_groups):
        about = metadata.row_group(i)
        if not about.num_rows:
            continue
        if group and size + about.total_byte_size > partition_bytes:
            yield group
            group, size = [], 0
        group.append(i)
        size += about.total_byte_size
    if group:
        yield group


__all__ = ["ParquetPartition", "group_row_groups", "open_parquet", "row_groups_to_search"]
