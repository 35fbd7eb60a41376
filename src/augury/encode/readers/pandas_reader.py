"""Reader of pandas frames.

It calls pandas directly instead of through narwhals, which is faster on small frames.
"""

from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype, is_string_dtype

from augury.arrays import Array, BoolArray, FloatArray, is_plain
from augury.encode.nominal import (
    Nominal,
    are_numbers,
    held_numbers,
    nominal_from_booleans,
    nominal_from_objects,
    numbers_from_objects,
    unreadable,
    with_plain_labels,
)
from augury.kernels import code_integers
from augury.text_codes import MANY_ROWS, text_codes

# pandas takes some time to return a column. With at most this many rows it is faster to
# convert the whole frame to Python objects at once.
_FEW_ROWS = 16


class PandasReader:
    """Reader of a pandas frame."""

    def __init__(self, X: pd.DataFrame) -> None:
        self._frame = X
        self._dtypes: list[Any] = X.dtypes.tolist()

    @cached_property
    def _cells(self) -> Array:
        """All values as Python objects; None is missing."""
        cells: Array = self._frame.to_numpy(dtype=object, na_value=None)
        return cells

    @cached_property
    def _series(self) -> list[pd.Series]:
        """The columns; several times as fast as `iloc` for each of them."""
        return [column for _, column in self._frame.items()]

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return [str(name) for name in self._frame.columns]

    def are_nominal(self) -> list[bool]:
        """Return for each column whether it holds labels."""
        return [_is_nominal(self._frame, j, dtype) for j, dtype in enumerate(self._dtypes)]

    def take_rows(self, rows: BoolArray) -> pd.DataFrame:
        """Return the rows where the mask is true."""
        return self._frame[rows]

    def slice_rows(self, rows: slice) -> pd.DataFrame:
        """Return adjacent rows."""
        return self._frame.iloc[rows]

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Read these columns as labels."""
        return [self._read_labels(j) for j in columns]

    def _read_labels(self, j: int) -> Nominal:
        if len(self._frame) <= _FEW_ROWS and isinstance(self._dtypes[j], pd.StringDtype):
            return _few_labels(self._cells[:, j])
        return _read_labels(self._series[j])

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Read these columns as float64; NA and NaN become NaN."""
        if len(self._frame) <= _FEW_ROWS and all(is_plain(self._dtypes[j]) for j in columns):
            return np.array(self._cells[:, columns], dtype=np.float64, order="F")
        numbers = np.empty((len(self._frame), len(columns)), order="F")
        for k, j in enumerate(columns):
            numbers[:, k] = _read_numbers(self._series[j])
        return numbers

    def read_number_column(self, j: int) -> FloatArray:
        """Read one column as float64; a column that is float64 is not copied."""
        return _read_numbers(self._series[j])


def _is_nominal(X: pd.DataFrame, j: int, dtype: Any) -> bool:
    if is_plain(dtype):
        return False
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
    import pyarrow as pa  # installed, since the column has one of its types

    kind = dtype.pyarrow_dtype
    if pa.types.is_null(kind) or pa.types.is_decimal(kind) or dtype.kind in "iuf":
        return False
    if pa.types.is_dictionary(kind) or is_string_dtype(dtype):
        return True
    raise unreadable(str(X.columns[j]), dtype)


def _few_labels(values: Array) -> Nominal:
    seen: dict[Any, int] = {}
    codes = [-1 if v is None else seen.setdefault(v, len(seen)) for v in values.tolist()]
    return Nominal(np.array(codes, dtype=np.int64), list(seen))


def _read_labels(series: pd.Series) -> Nominal:
    array, dtype = series.array, series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        declared = Nominal(array.codes, dtype.categories.tolist(), declared=True)
        # The labels of an index of text or numbers are plain.
        is_plain_index = isinstance(dtype.categories.dtype, pd.StringDtype) or is_plain(
            dtype.categories.dtype
        )
        return declared if is_plain_index else with_plain_labels(declared)
    if dtype == np.bool_:
        return nominal_from_booleans(series.to_numpy().view(np.uint8), complete=True)
    if is_bool_dtype(dtype):
        return nominal_from_booleans(series.astype("boolean").to_numpy(dtype=np.int8, na_value=-1))
    if is_object_dtype(dtype):
        return nominal_from_objects(series.to_numpy(), str(series.name))
    if isinstance(dtype, pd.StringDtype):
        if len(series) < MANY_ROWS:
            return _few_labels(array.to_numpy(dtype=object, na_value=None))
        found = text_codes(series)
        return Nominal(found.codes, found.texts.tolist())
    if isinstance(dtype, np.dtype) and dtype.kind in "iu" and dtype != np.uint64:
        coded = code_integers(series.to_numpy()[:, None]) if len(series) else None
        if coded is not None:
            column, (low,), (high,) = coded
            return Nominal(column[:, 0], list(range(int(low), int(high) + 1)), complete=True)
    codes, labels = series.factorize(use_na_sentinel=True)
    return with_plain_labels(Nominal(np.asarray(codes), labels.tolist()))


def _read_numbers(series: pd.Series) -> FloatArray:
    if is_plain(series.dtype):
        return np.asarray(series.to_numpy(), dtype=np.float64)
    if is_object_dtype(series.dtype):
        return numbers_from_objects(series.to_numpy(), str(series.name))
    if is_numeric_dtype(series.dtype) and not isinstance(series.dtype, pd.CategoricalDtype):
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan))
    if series.isna().all():  # a column without a value may have any type
        return np.full(len(series), np.nan)
    raise held_numbers(str(series.name), f"dtype {series.dtype}")


__all__ = ["PandasReader"]
