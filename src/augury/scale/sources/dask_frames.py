"""Partitions of a Dask DataFrame, computed where they lie."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.data.errors import DataError, first_repeated
from augury.scale.sources.source import Partition, check_same_columns, cut_rows


@dataclass(frozen=True, eq=False)
class DeclaredColumns:
    """The columns that a Dask DataFrame declares; its partitions are checked against them.

    Attributes
    ----------
    meta : DataFrame without rows
    """

    meta: pd.DataFrame

    def apply(self, frame: pd.DataFrame, columns: list[str], place: str) -> pd.DataFrame:
        """Return columns of a computed partition with their declared dtypes.

        Raises
        ------
        DataError
            If a column is missing, or has values that its declared dtype cannot hold.
        """
        frame = frame.set_axis([str(name) for name in frame.columns], axis="columns")
        check_same_columns(list(frame), place, list(self.meta), "the Dask DataFrame")
        frame = frame[columns]
        for name in columns:
            declared = self.meta[name].dtype
            if frame[name].dtype != declared and not _are_labels(frame[name].dtype, declared):
                frame = frame.assign(**{name: _convert(frame[name], declared, place)})
        return frame.reset_index(drop=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class DaskPartition(Partition):
    """A partition of a Dask DataFrame.

    Attributes
    ----------
    part : dask.delayed.Delayed
        The frame of the partition.
    declared : DeclaredColumns
    """

    part: Any
    declared: DeclaredColumns

    def delayed(self, columns: list[str] | None = None) -> Any:
        """Return the checked frame with these columns as a `dask.delayed.Delayed` object.

        A cluster computes it on the worker that has the partition.
        """
        from dask.delayed import delayed

        chosen = list(self.columns) if columns is None else columns
        return delayed(self.declared.apply)(self.part, chosen, self.name)

    def __getstate__(self) -> dict[str, Any]:
        # Dask gives each partition the tasks of all, which may hold the data of a whole frame.
        optimization = importlib.import_module("dask.optimization")
        graph, _ = optimization.cull(dict(self.part.dask), self.part.__dask_keys__())
        return self.__dict__ | {"part": type(self.part)(self.part.key, graph)}

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        part = self.delayed(columns)
        try:
            frame = part.compute(**_scheduler())
        except (DataError, MemoryError):
            raise
        except Exception as error:  # any function may have made the partition
            raise DataError(
                f"{self.name}: cannot be computed ({type(error).__name__}: {error})"
            ) from error
        yield from cut_rows(frame, max_rows)


def is_dask_frame(source: object) -> bool:
    """Return whether a source is a Dask DataFrame, without importing Dask."""
    module = type(source).__module__.partition(".")[0]
    return module in ("dask", "dask_expr") and hasattr(source, "to_delayed")


def open_dask(source: Any) -> list[Partition]:
    """Return the partitions of a Dask DataFrame, whose index is left out. Nothing is computed."""
    meta = source._meta
    if not isinstance(meta, pd.DataFrame):
        raise TypeError(f"open_source: expected a Dask DataFrame, got {type(source).__name__}")
    names = [str(name) for name in meta.columns]
    if (name := first_repeated(names)) is not None:
        raise DataError(f"the Dask DataFrame: two columns are named {name!r}")
    if not names:
        raise DataError("the Dask DataFrame: there are no columns")
    declared = DeclaredColumns(meta.set_axis(names, axis="columns").reset_index(drop=True))
    parts = source.to_delayed()
    return [
        DaskPartition(
            name=f"the Dask DataFrame, partition {i} of {len(parts)}",
            columns=tuple(names),
            part=part,
            declared=declared,
        )
        for i, part in enumerate(parts)
    ]


def _scheduler() -> dict[str, Any]:
    """Return the scheduler: the client of this process if there is one, or else this thread."""
    # Some versions of Dask warn of the name "synchronous" where a client is active.
    this_thread = {"scheduler": importlib.import_module("dask").get}
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        return this_thread
    try:
        distributed.get_worker()
    except ValueError:
        pass  # this thread runs no task of a worker
    else:
        return this_thread  # a task that waits for others may wait for ever
    try:
        distributed.default_client()
    except ValueError:
        return this_thread
    return {}


def _are_labels(found: Any, declared: Any) -> bool:
    """Return whether both are categories, which may differ between partitions."""
    return isinstance(found, pd.CategoricalDtype) and isinstance(declared, pd.CategoricalDtype)


def _convert(column: pd.Series, declared: Any, place: str) -> pd.Series:
    """Return a column in its declared dtype, if no value changes."""
    try:
        converted = column.astype(declared)
    except (ValueError, TypeError):
        converted = None
    if (
        converted is None
        or _kind(column.dtype) != _kind(declared)
        or (_kind(declared) == "number" and not _same_numbers(column, converted))
    ):
        raise DataError(
            f"{place}: column {column.name!r} has dtype {column.dtype}, but the Dask DataFrame "
            f"declares {declared}; convert the column with astype before"
        )
    return converted


def _kind(dtype: Any) -> str:
    if pd.api.types.is_bool_dtype(dtype):
        return "boolean"
    if pd.api.types.is_numeric_dtype(dtype):
        return "number"
    if pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype):
        return "text"
    return str(getattr(dtype, "kind", dtype))


def _same_numbers(column: pd.Series, converted: pd.Series) -> bool:
    before = column.to_numpy(dtype=np.float64, na_value=np.nan)
    after = converted.to_numpy(dtype=np.float64, na_value=np.nan)
    return bool(np.array_equal(before, after, equal_nan=True))


__all__ = ["DaskPartition", "DeclaredColumns", "is_dask_frame", "open_dask"]
