"""Columns of a pandas frame, by pandas' own means: in a small fold every call counts."""

from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype, is_string_dtype

from augury.arrays import Array
from augury.encode.nominal import (
    Nominal,
    are_numbers,
    held_numbers,
    nominal_from_booleans,
    nominal_from_objects,
    numbers_from_objects,
    unreadable,
)


def column_names(X: pd.DataFrame) -> list[Any]:
    """Return the columns' names."""
    return list(X.columns)


def are_nominal(X: pd.DataFrame) -> list[bool]:
    """Return for each column whether it is one of labels."""
    return [_is_nominal(X, j, dtype) for j, dtype in enumerate(X.dtypes.tolist())]


def _is_nominal(X: pd.DataFrame, j: int, dtype: Any) -> bool:
    if isinstance(dtype, pd.CategoricalDtype) or is_bool_dtype(dtype):
        return True
    if is_object_dtype(dtype):
        return not are_numbers(X.iloc[:, j].to_numpy())
    if isinstance(dtype, pd.ArrowDtype):
        return _is_nominal_arrow(X, j, dtype)
    if is_numeric_dtype(dtype) and dtype.kind in "iuf":
        return False
    if is_string_dtype(dtype):
        return True
    raise unreadable(str(X.columns[j]), dtype)


def _is_nominal_arrow(X: pd.DataFrame, j: int, dtype: Any) -> bool:
    import pyarrow as pa  # it is there, or the column would not be

    kind = dtype.pyarrow_dtype
    if pa.types.is_null(kind) or pa.types.is_decimal(kind) or dtype.kind in "iuf":
        return False
    if pa.types.is_dictionary(kind) or is_string_dtype(dtype):
        return True
    raise unreadable(str(X.columns[j]), dtype)


def take_rows(X: pd.DataFrame, rows: Array) -> pd.DataFrame:
    """Return the rows where the mask is true."""
    return X[rows]


def slice_rows(X: pd.DataFrame, rows: slice) -> pd.DataFrame:
    """Return adjacent rows."""
    return X.iloc[rows]


def read_nominal(X: pd.DataFrame, columns: list[int], n_threads: int) -> list[Nominal]:  # noqa: ARG001
    """Read these columns as labels."""
    return [_read_labels(X.iloc[:, j]) for j in columns]


def _read_labels(series: pd.Series) -> Nominal:
    array, dtype = series.array, series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return Nominal(array.codes, dtype.categories.tolist(), declared=True)
    if dtype == np.bool_:
        return nominal_from_booleans(series.to_numpy().view(np.uint8), complete=True)
    if is_bool_dtype(dtype):
        return nominal_from_booleans(series.astype("boolean").to_numpy(dtype=np.int8, na_value=-1))
    if is_object_dtype(dtype):
        return nominal_from_objects(series.to_numpy(), str(series.name))
    codes, labels = series.factorize(use_na_sentinel=True)
    return Nominal(np.asarray(codes), labels.tolist())


def read_numbers(X: pd.DataFrame, columns: list[int]) -> Array:
    """Read these columns as float64; NA and NaN become NaN."""
    numbers = np.empty((len(X), len(columns)), order="F")
    for k, j in enumerate(columns):
        numbers[:, k] = _read_numbers(X.iloc[:, j])
    return numbers


def _read_numbers(series: pd.Series) -> Array:
    if is_object_dtype(series.dtype):
        return numbers_from_objects(series.to_numpy(), str(series.name))
    if is_numeric_dtype(series.dtype) and not isinstance(series.dtype, pd.CategoricalDtype):
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if series.isna().all():  # whatever its type
        return np.full(len(series), np.nan)
    raise held_numbers(str(series.name), f"dtype {series.dtype}")
