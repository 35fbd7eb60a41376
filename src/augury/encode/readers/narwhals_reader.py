"""Reader of polars and pyarrow frames, through narwhals."""

from typing import Any

import narwhals as nw
import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
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
from augury.foreign import Table


class NarwhalsReader:
    """Reader of a polars or pyarrow frame."""

    def __init__(self, X: Table) -> None:
        self._frame: nw.DataFrame[Any] = nw.from_native(X, eager_only=True)

    def column_names(self) -> list[str]:
        """Return the names of the columns."""
        return self._frame.columns

    def are_nominal(self) -> list[bool]:
        """Return for each column whether it holds labels."""
        return [_is_nominal(series) for series in self._frame.iter_columns()]

    def take_rows(self, rows: BoolArray) -> Table:
        """Return the rows where the mask is true."""
        return self._frame.filter(rows.tolist()).to_native()

    def slice_rows(self, rows: slice) -> Table:
        """Return adjacent rows."""
        return self._frame[rows].to_native()

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Read these columns as labels."""
        return [_read_labels(self._frame[:, j]) for j in columns]

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Read these columns as float64; null becomes NaN."""
        numbers = np.empty((len(self._frame), len(columns)), order="F")
        for k, j in enumerate(columns):
            numbers[:, k] = _read_numbers(self._frame[:, j])
        return numbers


Series = nw.Series[Any]


def _is_nominal(series: Series) -> bool:
    if series.dtype.is_numeric() or _is_null(series):
        return False
    if series.dtype in (nw.Categorical, nw.Enum, nw.String, nw.Boolean):
        return True
    if series.dtype == nw.Object:
        return not are_numbers(object_array(series.to_list()))
    raise unreadable(series.name, series.dtype)


def _read_labels(series: Series) -> Nominal:
    if _is_null(series):
        return Nominal(np.full(len(series), -1, dtype=np.int8), [])
    if series.dtype == nw.Boolean:
        return nominal_from_booleans(series.cast(nw.Int8).fill_null(-1).to_numpy())
    if isinstance(series.dtype, nw.Enum):
        return Nominal(_codes_of_enum(series), list(series.dtype.categories), declared=True)
    # A Categorical declares no labels: polars shares one pool of them among all columns.
    if series.dtype in (nw.Categorical, nw.String) and series.implementation.is_pyarrow():
        return _read_dictionary(series)
    if series.dtype in (nw.Categorical, nw.String) and series.implementation.is_polars():
        labels = series.drop_nulls().cast(nw.String).unique().to_list()
        return Nominal(_codes_of_enum(series.cast(nw.String).cast(nw.Enum(labels))), labels)
    return nominal_from_objects(object_array(series.to_list()), series.name)


def _is_null(series: Series) -> bool:
    """Return whether a column has the type of columns without any value."""
    return series.dtype == nw.Unknown and series.null_count() == len(series)


def _codes_of_enum(series: Series) -> IntegerArray:
    """Return the codes of a polars Enum, -1 for a missing value."""
    physical = nw.from_native(series.to_native().to_physical(), series_only=True)
    return np.asarray(physical.cast(nw.Int64).fill_null(-1).to_numpy())


def _read_dictionary(series: Series) -> Nominal:
    """Read a pyarrow column by its dictionary, whose values keep their type."""
    column = series.to_native()
    if series.dtype == nw.String:
        column = column.dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    labels = nominal_from_objects(object_array(column.dictionary.to_pylist()), series.name)
    # A dictionary may hold a value twice, or a null.
    meaning = np.append(labels.codes, -1)
    return Nominal(meaning[column.indices.fill_null(-1).to_numpy()], labels.labels)


def _read_numbers(series: Series) -> FloatArray:
    if series.null_count() == len(series):  # a column without a value may have any type
        return np.full(len(series), np.nan)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype == nw.Object:
        return numbers_from_objects(object_array(series.to_list()), series.name)
    raise held_numbers(series.name, f"dtype {series.dtype}")


__all__ = ["NarwhalsReader"]
