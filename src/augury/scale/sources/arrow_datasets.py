"""Datasets of pyarrow, and folders whose names are values (year=2024), read by fragments."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.errors import DataError
from augury.scale.sources.arrow_types import (
    ArrowColumns,
    UnitedColumns,
    columns_of,
    damage_named,
    import_arrow,
    may_lose_type,
    readable,
)
from augury.scale.sources.parquet_files import group_row_groups, row_groups_to_search
from augury.scale.sources.source import Partition, check_same_columns

_SEARCH_ROWS = 1 << 17


@dataclass(frozen=True, kw_only=True, eq=False)
class FragmentPartition(Partition):
    """A file of a dataset, or some row groups of it."""

    fragment: Any
    schema: Any
    state: tuple[int | None, int | None]
    types: ArrowColumns

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        if _state(self.fragment) != self.state:
            raise DataError(
                f"{self.fragment.path}: the file was changed while it was in use; start again "
                "when it is complete"
            )
        batches = _scan(self.fragment, self.schema, columns or self.columns[:1], max_rows)
        for batch in readable(batches, self.name):
            if batch.num_rows:
                yield self.types.to_frame(batch, columns)


def open_dataset(dataset: Any, partition_bytes: int) -> list[Partition] | None:
    """Return the files of a `pyarrow.dataset.Dataset` as partitions.

    None if the dataset has a filter, or is not made of files: its rows are then written to disk.

    Raises
    ------
    DataError
        If a file cannot be read or lacks a column of the dataset, or there are no rows.
    """
    module = import_arrow("pyarrow.dataset")
    try:
        fragments = list(dataset.get_fragments())
    except ValueError:  # the dataset has a filter
        return None
    if not all(isinstance(fragment, module.FileFragment) for fragment in fragments):
        return None
    schema = columns_of(dataset.schema, "the dataset")
    united = UnitedColumns()
    united.add(schema, "the dataset")
    pieces: list[tuple[Any, int | None, int | None]] = []
    for fragment in fragments:
        with damage_named(f"{fragment.path}: cannot be read"):
            _check_missing_columns(fragment, dataset, module)
            united.add_missing(_with_missing(fragment, dataset.schema, module))
            pieces.extend(_split(fragment, partition_bytes, module))
    types = united.columns()
    partitions: list[Partition] = [
        FragmentPartition(
            name=_name(fragment, module),
            columns=types.names,
            n_rows=n_rows,
            n_bytes=n_bytes,
            fragment=fragment,
            schema=dataset.schema,
            state=_state(fragment),
            types=types,
        )
        for fragment, n_rows, n_bytes in pieces
        if n_rows != 0
    ]
    if not partitions:
        raise DataError("the dataset: there are no rows")
    return partitions


def open_hive_folder(folder: Path, files: list[Path], partition_bytes: int) -> list[Partition]:
    """Return the Parquet or Arrow files in folders such as `year=2024` as partitions.

    The values in the names of the folders are a column of labels, as `read_parquet` gives them.
    """
    module = import_arrow("pyarrow.dataset")
    kind = "parquet" if files[0].suffix.lower() in (".parquet", ".pq") else "ipc"
    values = module.HivePartitioning.discover(infer_dictionary=True)
    with damage_named(f"{folder}: cannot be read"):
        dataset = module.dataset(
            [str(file) for file in files],
            format=kind,
            partitioning=values,
            partition_base_dir=str(folder),
        )
        fragments = list(dataset.get_fragments())
        first = fragments[0]
        for fragment in fragments:
            names = (fragment.physical_schema.names, fragment.path)
            check_same_columns(*names, first.physical_schema.names, first.path)
        expressions = [fragment.partition_expression for fragment in fragments]
        if len({tuple(module.get_partition_keys(each)) for each in expressions}) > 1:
            raise DataError(f"{folder}: the folders of the files do not name the same columns")
    partitions = open_dataset(dataset, partition_bytes)
    assert partitions is not None  # files without a filter
    return partitions


def _scan(fragment: Any, schema: Any, columns: Any, max_rows: int) -> Iterator[Any]:
    scanner = fragment.scanner(
        schema=schema,
        columns=list(columns),
        batch_size=max_rows,
        batch_readahead=1,
        fragment_readahead=1,
        use_threads=False,
    )
    return iter(scanner.to_batches())


def _state(fragment: Any) -> tuple[int | None, int | None]:
    """Return the size of a file and the time of its last change."""
    about = fragment.filesystem.get_file_info(fragment.path)
    return about.size, about.mtime_ns


def _name(fragment: Any, module: Any) -> str:
    if isinstance(fragment, module.ParquetFileFragment):
        groups = [group.id for group in fragment.row_groups]
        return f"{fragment.path}, row groups {groups[0]} to {groups[-1]}"
    return str(fragment.path)


def _check_missing_columns(fragment: Any, dataset: Any, module: Any) -> None:
    """Raise unless a file has all columns; pyarrow would fill the column with missing values."""
    given = module.get_partition_keys(fragment.partition_expression)
    for name in dataset.schema.names:
        if name not in given and name not in fragment.physical_schema.names:
            raise DataError(f"{fragment.path}: there is no column {name!r}, which the dataset has")


def _with_missing(fragment: Any, schema: Any, module: Any) -> list[str]:
    """Return the columns whose missing values change their dtype."""
    found = []
    for field in schema:
        if not may_lose_type(field.type) or field.name not in fragment.physical_schema.names:
            continue
        searched = fragment
        if isinstance(fragment, module.ParquetFileFragment):
            position = fragment.physical_schema.get_field_index(field.name)
            groups = row_groups_to_search(fragment.metadata, position)
            if groups is None:
                found.append(field.name)
            if not groups:
                continue
            searched = fragment.subset(row_group_ids=groups)
        batches = _scan(searched, schema, [field.name], _SEARCH_ROWS)
        if any(batch.column(0).null_count for batch in batches):
            found.append(field.name)
    return found


def _split(
    fragment: Any, partition_bytes: int, module: Any
) -> Iterator[tuple[Any, int | None, int | None]]:
    """Yield parts of a file, and their numbers of rows and bytes."""
    if not isinstance(fragment, module.ParquetFileFragment):
        yield fragment, fragment.count_rows(), _state(fragment)[0]
        return
    for groups in group_row_groups(fragment.metadata, partition_bytes):
        about = [fragment.metadata.row_group(i) for i in groups]
        yield (
            fragment.subset(row_group_ids=groups),
            sum(each.num_rows for each in about),
            sum(each.total_byte_size for each in about),
        )


__all__ = ["FragmentPartition", "open_dataset", "open_hive_folder"]
