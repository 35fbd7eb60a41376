"""Columns of polars and pyarrow frames, read through narwhals."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from augury.encode.nominal import (
    Nominal,
    are_numbers,
    held_numbers,
    nominal_from_booleans,
    nominal_from_objects,
    numbers_from_objects,
    unreadable,
)

Array = NDArray[Any]


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
    if series.dtype.is_numeric():
        return False
    if series.dtype in (nw.Categorical, nw.Enum, nw.String, nw.Boolean):
        return True
    if series.dtype == nw.Object:
        return not are_numbers(_object_array(series.to_list()))
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
    if series.dtype == nw.Boolean:
        return nominal_from_booleans(series.to_list())
    if series.dtype == nw.Enum:
        labels = list(series.dtype.categories)
        position = {label: k for k, label in enumerate(labels)}
        values = series.cast(nw.String).to_list()
        codes = np.array([position.get(value, -1) for value in values], dtype=np.int32)
        return Nominal(codes, labels, declared=True)
    if series.dtype == nw.Categorical:
        # Not declared: polars shares one pool of categories among all columns. By text:
        # a pyarrow dictionary turned into NumPy has its last category where it had gaps.
        series = series.cast(nw.String)
    return nominal_from_objects(_object_array(series.to_list()), series.name)


def read_numbers(X: Any, columns: list[int]) -> Array:
    """Read these columns as float64; null becomes NaN."""
    frame = _frame(X)
    numbers = np.empty((len(frame), len(columns)), order="F")
    for k, j in enumerate(columns):
        numbers[:, k] = _read_numbers(frame[:, j])
    return numbers


def _read_numbers(series: Any) -> Array:
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype == nw.Object:
        return numbers_from_objects(_object_array(series.to_list()), series.name)
    raise held_numbers(series.name, f"dtype {series.dtype}")


def _object_array(values: list[Any]) -> Array:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
