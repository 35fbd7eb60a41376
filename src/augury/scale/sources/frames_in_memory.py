"""Frames that are in memory, read in slices."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.data.errors import DataError, first_repeated
from augury.foreign import Table
from augury.scale.sources.arrow_tables import slices, to_table
from augury.scale.sources.arrow_types import ArrowColumns, UnitedColumns
from augury.scale.sources.source import Partition, cut_rows

_NAME = "the data frame"


@dataclass(frozen=True, kw_only=True, eq=False)
class PandasPartition(Partition):
    """Consecutive rows of a pandas frame."""

    frame: pd.DataFrame

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        yield from cut_rows(self.frame[columns], max_rows)

    def __getstate__(self) -> dict[str, Any]:
        # A slice of an Arrow array, as of text, would be pickled with all rows of the frame.
        return self.__dict__ | {"frame": self.frame.take(np.arange(len(self.frame)))}


@dataclass(frozen=True, kw_only=True, eq=False)
class ArrowPartition(Partition):
    """Consecutive rows of a frame of polars or pyarrow."""

    frame: Table
    types: ArrowColumns

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        for batch in slices(to_table(self.frame, self.name), max_rows):
            yield self.types.to_frame(batch, columns)

    def __getstate__(self) -> dict[str, Any]:
        table = to_table(self.frame, self.name)
        return self.__dict__ | {"frame": table.take(np.arange(table.num_rows))}


def open_pandas(frame: pd.DataFrame, partition_bytes: int) -> list[Partition]:
    """Return slices of a pandas frame of about `partition_bytes` each; its index is left out."""
    names = [str(name) for name in frame.columns]
    if (name := first_repeated(names)) is not None:
        raise DataError(f"{_NAME}: two columns are named {name!r}")
    _require_cells(len(frame), names)
    frame = frame.set_axis(names, axis="columns")
    n_bytes = int(frame.memory_usage(index=False).sum())
    return [
        PandasPartition(**common, frame=frame.iloc[rows])
        for rows, common in _slices(len(frame), n_bytes, partition_bytes, tuple(names))
    ]


def open_arrow(frame: Table, partition_bytes: int) -> list[Partition]:
    """Return slices of a frame of polars or pyarrow of about `partition_bytes` each."""
    united = UnitedColumns()
    united.add(to_table(frame[:0], _NAME).schema, _NAME)
    names = united.columns().names
    _require_cells(len(frame), names)
    n_bytes = int(frame.nbytes if hasattr(frame, "nbytes") else frame.estimated_size())
    pieces = list(_slices(len(frame), n_bytes, partition_bytes, names))
    for rows, _ in pieces:
        united.note_missing(to_table(frame[rows], _NAME))
    types = united.columns()
    return [ArrowPartition(**common, frame=frame[rows], types=types) for rows, common in pieces]


def _require_cells(n_rows: int, columns: list[str] | tuple[str, ...]) -> None:
    if not n_rows or not columns:
        raise DataError(f"{_NAME}: there are no {'rows' if columns else 'columns'}")


def _slices(
    n_rows: int, n_bytes: int, partition_bytes: int, columns: tuple[str, ...]
) -> Iterator[tuple[slice, dict[str, Any]]]:
    """Yield the rows of each partition and its common attributes."""
    step = max(1, n_rows * partition_bytes // max(n_bytes, 1))
    for start in range(0, n_rows, step):
        stop = min(start + step, n_rows)
        yield (
            slice(start, stop),
            {
                "name": f"{_NAME}, rows {start} to {stop - 1}",
                "columns": columns,
                "n_rows": stop - start,
                "n_bytes": n_bytes * (stop - start) // n_rows,
            },
        )


__all__ = ["ArrowPartition", "PandasPartition", "open_arrow", "open_pandas"]
