"""Conversion of a column in the way that was learned from the training rows."""

import numpy as np
import pandas as pd

from augury.arrays import FloatArray, IntegerArray
from augury.encode.text_columns.dates import parse_dates
from augury.encode.text_columns.distinct import distinct_texts
from augury.encode.text_columns.numbers import PLAIN, parse_number

_DAY = pd.Timedelta(days=1)
_EPOCH = pd.Timestamp("1970-01-01")
# Formats of columns of labels; dates and numbers have formats of their own.
TEXT, BOOLEAN = "text", "boolean"
_TRUTH = {"true": True, "false": False}


def is_text(column: pd.Series) -> bool:
    """Return whether a column holds texts, other than declared labels."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return False
    if pd.api.types.is_object_dtype(column.dtype):
        return any(isinstance(value, str) for value in column)
    return bool(pd.api.types.is_string_dtype(column.dtype))


def _parse_numbers(column: pd.Series, code: str) -> pd.Series:
    """Return texts as numbers; missing values and other texts become NaN."""
    found = distinct_texts(column)
    # Missing values have the code -1, which is the last place.
    numbers = np.append(parse_texts(found.texts, code), np.nan)
    return pd.Series(numbers[found.codes], index=column.index, name=column.name)


def parse_texts(texts: pd.Series, code: str) -> FloatArray:
    """Return the number of each text; missing values and other texts become NaN."""
    numbers = (parse_number(text, code) for text in texts.tolist())
    return np.array([np.nan if number is None else number for number in numbers], np.float64)


def read_column(column: pd.Series, treatment: str, code: str) -> pd.Series:
    """Return a column as it was read in the training rows.

    Parameters
    ----------
    column : values
    treatment : that of its `ColumnDecision`
    code : its format, see `TidyColumns.formats_`
    """
    if treatment == "date":
        return _days(column, code)
    is_number = pd.api.types.is_numeric_dtype(column.dtype)  # or booleans
    if treatment == "numbers":
        is_parsed = not is_number and is_text(column)
        return _parse_numbers(column, code or f"{PLAIN}|") if is_parsed else column
    if code == TEXT and is_number:
        return _digits(column)  # all labels of this file are digits
    if code == BOOLEAN and is_text(column):
        found = distinct_texts(column)
        truth = found.texts.str.strip().str.lower().map(_TRUTH).astype("boolean")
        return _of_rows(truth, found.codes, column)
    return column


def _digits(column: pd.Series) -> pd.Series:
    """Return numbers and booleans as they are written in a file."""
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype("str").where(column.notna())
    texts = [None if pd.isna(value) else f"{value:.15g}" for value in column]
    return pd.Series(texts, index=column.index, dtype="str")


def to_dates(column: pd.Series, code: str) -> pd.Series:
    """Return timestamps without a time zone; texts are read in a learned format."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return column.dt.tz_localize(None) if column.dt.tz is not None else column
    found = distinct_texts(column)
    return _of_rows(parse_dates(found.texts, code), found.codes, column)


def _of_rows(values: pd.Series, codes: IntegerArray, column: pd.Series) -> pd.Series:
    """Return the value of each row, from the values of the different texts of a column."""
    taken = values.array.take(codes, allow_fill=True)
    return pd.Series(taken, index=column.index, name=column.name)


def _days(column: pd.Series, code: str) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column.dtype) and not column.notna().any():
        return column.astype(np.float64)
    days: pd.Series = (to_dates(column, code) - _EPOCH) / _DAY
    return days


__all__ = ["BOOLEAN", "TEXT", "is_text", "parse_texts", "read_column", "to_dates"]
