"""Values of a column, read as in the training rows: labels as texts, numbers as float64."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import BoolArray, FloatArray, IntegerArray, is_plain
from augury.drift.reference import DATE, DROPPED, LABELS, NUMBERS, ColumnReference
from augury.encode import TidyColumns
from augury.encode.text_columns.distinct import distinct_texts
from augury.encode.text_columns.numbers import is_missing_word
from augury.encode.text_columns.read_column import read_column

# Longer labels are cut, and end in a hash of the whole label.
_LONGEST_LABEL = 64


@dataclass(frozen=True)
class ColumnReading:
    """How a column is read.

    Parameters
    ----------
    name : name of the column
    treatment : "labels", "numbers", "date" or "dropped"
    format : how its texts are read, see `TidyColumns.formats_`
    """

    name: str
    treatment: str
    format: str

    @classmethod
    def of(cls, column: ColumnReference) -> "ColumnReading":
        """Return how the column was read in the training rows."""
        return cls(column.name, column.treatment, column.format)


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """Values of some rows of a column.

    Attributes
    ----------
    numbers : the numbers, NaN where missing; None for labels
    codes : position of each row's label in `labels`, -1 where missing; None for numbers
    labels : the different labels
    unread : some of the values that cannot be read, as text
    n_unread : number of these rows
    holds_numbers : whether the type of the column is a type of numbers
    """

    numbers: FloatArray | None
    codes: IntegerArray | None
    labels: tuple[str, ...]
    unread: tuple[str, ...]
    n_unread: int
    holds_numbers: bool

    @cached_property
    def n_gaps(self) -> int:
        """Number of rows without a value that can be read."""
        if self.numbers is not None:
            return int(np.isnan(self.numbers).sum())
        assert self.codes is not None
        return int((self.codes < 0).sum())


def choose_readings(model: Any, X: pd.DataFrame) -> tuple[ColumnReading, ...]:
    """Return how the columns of a table are read.

    A Pipeline that begins with `TidyColumns` has decided it. Otherwise a new `TidyColumns`, which
    drops no column, decides.
    """
    steps = getattr(model, "steps", None)
    tidy = steps[0][1] if steps else None
    if not isinstance(tidy, TidyColumns):
        tidy = TidyColumns(drop_identifiers=False, drop_constants=False).fit(X)
    pairs = zip(tidy.decisions_, tidy.formats_, strict=True)
    return tuple(ColumnReading(each.name, each.treatment, code) for each, code in pairs)


def read_values(column: pd.Series, reading: ColumnReading) -> ColumnValues:
    """Read a column that is not dropped."""
    assert reading.treatment != DROPPED
    holds_numbers = pd.api.types.is_numeric_dtype(column.dtype)
    if reading.treatment == LABELS:
        read = read_column(column, LABELS, reading.format)
        codes, labels = label_codes(read)
        lost = _lost_values(column, codes < 0)
        return ColumnValues(None, codes, labels, _some_texts(lost), len(lost), bool(holds_numbers))
    numbers = _read_numbers(column, reading)
    lost = [v for v in _lost_values(column, np.isnan(numbers)) if not is_missing_word(str(v))]
    return ColumnValues(numbers, None, (), _some_texts(lost), len(lost), bool(holds_numbers))


def _lost_values(column: pd.Series, is_gap: BoolArray) -> Sequence[Any]:
    """Return the values of the rows that were read as missing, without missing values."""
    if not is_gap.any():  # most columns of numbers: pandas takes long for each selection of rows
        return ()
    lost: Sequence[Any] = column[column.notna().to_numpy() & is_gap].tolist()
    return lost


def _read_numbers(column: pd.Series, reading: ColumnReading) -> FloatArray:
    if is_plain(column.dtype) and reading.treatment == NUMBERS:
        return _finite(np.asarray(column.to_numpy(), dtype=np.float64))
    is_date = pd.api.types.is_datetime64_any_dtype(column.dtype)
    is_number = pd.api.types.is_numeric_dtype(column.dtype)
    if is_date != (reading.treatment == DATE) and (is_date or is_number):
        return np.full(len(column), np.nan)  # dates for numbers, or numbers for dates
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    read = read_column(column, reading.treatment, reading.format)
    return _finite(pd.to_numeric(read, errors="coerce").to_numpy(np.float64, na_value=np.nan))


def _finite(numbers: FloatArray) -> FloatArray:
    """Return the numbers with NaN in the place of infinity."""
    return np.where(np.isinf(numbers), np.nan, numbers) if np.isinf(numbers).any() else numbers


def label_codes(column: pd.Series) -> tuple[IntegerArray, tuple[str, ...]]:
    """Return the position of each row's label, -1 where it is missing, and the labels.

    >>> codes, labels = label_codes(pd.Series(["b", None, "a", "b"]))
    >>> codes.tolist(), labels
    ([0, -1, 1, 0], ('b', 'a'))
    >>> label_codes(pd.Series([1.0, 0.0]))[1]
    ('1', '0')
    """
    if pd.api.types.is_float_dtype(column.dtype):
        codes, values = pd.factorize(column)
        texts = [f"{value:.15g}" for value in values]
    else:
        found = distinct_texts(column)
        codes, texts = found.codes, found.texts.tolist()
    return codes.astype(np.int64), tuple(shorten_label(text) for text in texts)


def shorten_label(text: str) -> str:
    """Return a label, or the beginning of a long one and a hash.

    >>> shorten_label("sun"), len(shorten_label("a long story " * 99))
    ('sun', 64)
    """
    if len(text) <= _LONGEST_LABEL:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{text[: _LONGEST_LABEL - 17]}…{digest}"


def _some_texts(values: Sequence[Any], limit: int = 3) -> tuple[str, ...]:
    shown = list(dict.fromkeys(map(str, values[:50])))[:limit]
    return tuple(shorten_label(text) for text in shown)


__all__ = [
    "ColumnReading",
    "ColumnValues",
    "choose_readings",
    "label_codes",
    "read_values",
    "shorten_label",
]
