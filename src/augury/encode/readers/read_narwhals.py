"""Columns of polars and pyarrow frames, read through narwhals."""

from typing import Any

import narwhals as nw
import numpy as np

from augury.arrays import Array
from augury.encode.nominal import (
    Nominal,
    are_numbers,
    held_numbers,
    nominal_from_booleans,
    nominal_from_objects,
    numbers_from_objects,
    object_array,
    unreadable,
)


def _frame(X: Any) -> Any:
    return nw.from_native(X, eager_only=True)


def column_names(X: Any) -> list[str]:
    """Return the columns' names."""
    names: list[str] = _frame(X).columns
    return names


def are_nominal(X: Any) -> list[bool]:
    """Return for each column whether it is one of labels."""
    return [_is_nominal(series) for series in _frame(X).iter_columns()]


def _is_nominal(series: Any) -> bool:
    if series.dtype.is_numeric() or _is_null(series):
        return False
    if series.dtype in (nw.Categorical, nw.Enum, nw.String, nw.Boolean):
        return True
    if series.dtype == nw.Object:
        return not are_numbers(object_array(series.to_list()))
    raise unreadable(series.name, series.dtype)


def take_rows(X: Any, rows: Array) -> Any:
    """Return the rows where the mask is true."""
    return _frame(X).filter(rows.tolist()).to_native()


def slice_rows(X: Any, rows: slice) -> Any:
    """Return adjacent rows."""
    return _frame(X)[rows].to_native()


def read_nominal(X: Any, columns: list[int], n_threads: int) -> list[Nominal]:  # noqa: ARG001
    """Read these columns as labels."""
    frame = _frame(X)
    return [_read_labels(frame[:, j]) for j in columns]


def _read_labels(series: Any) -> Nominal:
    if _is_null(series):
        return Nominal(np.full(len(series), -1, dtype=np.int8), [])
    if series.dtype == nw.Boolean:
        return nominal_from_booleans(series.cast(nw.Int8).fill_null(-1).to_numpy())
    if series.dtype == nw.Enum:
        return Nominal(_codes_of_enum(series), list(series.dtype.categories), declared=True)
    # A Categorical is not declared: polars shares one pool of them among all columns.
    if series.dtype in (nw.Categorical, nw.String) and series.implementation.is_pyarrow():
        return _read_dictionary(series)
    if series.dtype in (nw.Categorical, nw.String) and series.implementation.is_polars():
        labels = series.drop_nulls().cast(nw.String).unique().to_list()
        return Nominal(_codes_of_enum(series.cast(nw.String).cast(nw.Enum(labels))), labels)
    return nominal_from_objects(object_array(series.to_list()), series.name)


def _is_null(series: Any) -> bool:
    """Return whether a column has the type of columns that hold nothing but gaps."""
    return series.dtype == nw.Unknown and int(series.null_count()) == len(series)


def _codes_of_enum(series: Any) -> Array:
    """Return the codes of a polars Enum, -1 for a gap."""
    physical = nw.from_native(series.to_native().to_physical(), series_only=True)
    return np.asarray(physical.cast(nw.Int64).fill_null(-1).to_numpy())


def _read_dictionary(series: Any) -> Nominal:
    """Read a pyarrow column by its dictionary, whose values keep their type."""
    column = series.to_native()
    if series.dtype == nw.String:
        column = column.dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    labels = nominal_from_objects(object_array(column.dictionary.to_pylist()), series.name)
    # A dictionary may hold a value twice, or a gap.
    meaning = np.append(labels.codes, -1)
    return Nominal(meaning[column.indices.fill_null(-1).to_numpy()], labels.labels)


def read_numbers(X: Any, columns: list[int]) -> Array:
    """Read these columns as float64; null becomes NaN."""
    frame = _frame(X)
    numbers = np.empty((len(frame), len(columns)), order="F")
    for k, j in enumerate(columns):
        numbers[:, k] = _read_numbers(frame[:, j])
    return numbers


def _read_numbers(series: Any) -> Array:
    if int(series.null_count()) == len(series):  # whatever its type
        return np.full(len(series), np.nan)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype == nw.Object:
        return numbers_from_objects(object_array(series.to_list()), series.name)
    raise held_numbers(series.name, f"dtype {series.dtype}")
