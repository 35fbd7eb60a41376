"""What `TidyColumns` needs to know about a column to decide on its treatment."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import Array, FloatArray, IntegerArray, is_plain
from augury.encode.nominal import are_numbers, numbers_from_objects
from augury.encode.text_columns.dates import ISO
from augury.encode.text_columns.distinct import DistinctTexts, distinct_texts
from augury.encode.text_columns.read_column import is_text, to_dates
from augury.identifiers import why_distinct_integers, why_identifier

NUMBERS, BOOLEANS, TIMESTAMPS, LABELS = "numbers", "booleans", "timestamps", "labels"


class ColumnFacts(ABC):
    """Facts about the rows of a column, from the rows themselves or from a summary of them.

    Parameters
    ----------
    name : name of the column
    kind : "numbers", "booleans", "timestamps" or "labels", by the type of the column
    n_rows, n_missing : numbers of rows, and of rows without a value
    """

    def __init__(self, name: str, kind: str, n_rows: int, n_missing: int) -> None:
        self.name = name
        self.kind = kind
        self.n_rows = n_rows
        self.n_missing = n_missing

    @property
    def n_known(self) -> int:
        """The number of rows with a value."""
        return self.n_rows - self.n_missing

    @property
    @abstractmethod
    def is_text(self) -> bool:
        """Whether the column holds texts, other than declared labels."""

    @property
    @abstractmethod
    def is_constant(self) -> bool:
        """Whether all values are equal; true if there is none."""

    @property
    @abstractmethod
    def first(self) -> Any:
        """The first value, as it is shown to the user."""

    @property
    @abstractmethod
    def n_distinct(self) -> int:
        """The number of different values."""

    @abstractmethod
    def labels(self) -> Array:
        """Return the different labels in the order of their first rows."""

    @abstractmethod
    def texts(self) -> DistinctTexts:
        """Return the different labels as texts; rows need not be known."""

    @abstractmethod
    def number_range(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""

    @abstractmethod
    def date_range(self) -> tuple[Any, Any]:
        """Return the first and the last date of timestamps."""

    @abstractmethod
    def why_identifier(self) -> str:
        """Return why the column looks like an identifier, or an empty string."""


class FrameColumn(ColumnFacts):
    """Facts about a column of a pandas frame."""

    def __init__(self, name: str, column: pd.Series) -> None:
        if pd.api.types.is_object_dtype(column.dtype) and are_numbers(column.to_numpy()):
            # Models read decimals and numbers in an array of objects as numbers.
            column = pd.Series(numbers_from_objects(column.to_numpy(), name))
        self.column = column
        super().__init__(name, _kind(column), len(column), _count_missing(column))

    @property
    def is_text(self) -> bool:
        """Whether the column holds texts, other than declared labels."""
        return is_text(self.column)

    @cached_property
    def is_constant(self) -> bool:
        """Whether all values are equal; true if there is none."""
        if self.kind in (TIMESTAMPS, LABELS):
            return self.n_distinct < 2
        known = self._known_values
        return bool((known == known[0]).all()) if len(known) else True

    @property
    def first(self) -> Any:
        """The first value, as it is shown to the user."""
        if self.kind in (TIMESTAMPS, LABELS):
            return self._distinct[0]
        return self._known_values[0]

    @property
    def n_distinct(self) -> int:
        """The number of different values."""
        return len(self._distinct)

    def labels(self) -> Array:
        """Return the different labels in the order of their first rows."""
        return self._distinct

    def texts(self) -> DistinctTexts:
        """Return the different labels as texts."""
        return self._texts

    def number_range(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        # pandas passes over NaN beside missing values, which a column of pyarrow may have.
        known = self._known_values if is_plain(self.column.dtype) else self._known
        return known.min(), known.max()

    def date_range(self) -> tuple[Any, Any]:
        """Return the first and the last date of timestamps."""
        dates = to_dates(self._known, ISO)
        return dates.min(), dates.max()

    def why_identifier(self) -> str:
        """Return why the column looks like an identifier, or an empty string."""
        return why_identifier(self.column, None if self.kind == NUMBERS else self.n_distinct)

    @cached_property
    def _known(self) -> pd.Series:
        """The values that are not missing: a copy, which a column of texts does not need."""
        return self.column.dropna()

    @cached_property
    def _known_values(self) -> Array:
        """The numbers or truth values that are not missing."""
        values: Array
        if not is_plain(self.column.dtype):
            values = self._known.to_numpy()
            return values
        values = self.column.to_numpy()
        return values[~np.isnan(values)] if self.n_missing else values

    @cached_property
    def _texts(self) -> DistinctTexts:
        return distinct_texts(self.column)

    @cached_property
    def _distinct(self) -> Array:
        if isinstance(self.column.dtype, pd.StringDtype):
            return np.asarray(self._texts.texts.to_numpy(dtype=object))
        try:
            values: Array = self._known.unique()
        except TypeError:  # a value cannot be hashed
            raise unhashable(self.name, self._known.iloc[0]) from None
        return values


@dataclass(frozen=True, eq=False)
class NumbersInText:
    """Numbers that texts of a column hold.

    Parameters
    ----------
    numbers : number of each different text; NaN if it is missing or not a number
    counts : number of rows of each text
    n_rows : number of rows of the column
    n_known : number of rows with a number
    """

    numbers: FloatArray
    counts: IntegerArray
    n_rows: int
    n_known: int

    @classmethod
    def parsed(cls, numbers: FloatArray, facts: ColumnFacts) -> "NumbersInText":
        """Return the numbers of the texts of a column."""
        counts = facts.texts().counts
        n_known, n_texts = int(counts[~np.isnan(numbers)].sum()), int(counts.sum())
        if n_texts != facts.n_known:  # the texts are a sample
            n_known = round(n_known * facts.n_known / n_texts)
        return cls(numbers, counts, facts.n_rows, n_known)

    def number_range(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        return float(np.nanmin(self.numbers)), float(np.nanmax(self.numbers))

    def why_identifier(self) -> str:
        """Return why the column looks like an identifier, or an empty string."""
        known = ~np.isnan(self.numbers)
        numbers = self.numbers[known]
        are_integers = np.array_equal(numbers, np.floor(numbers))
        if not are_integers:
            return ""
        occur_once = len(np.unique(numbers)) == self.counts[known].sum()
        return why_distinct_integers(self.n_known, *self.number_range()) if occur_once else ""


def _kind(column: pd.Series) -> str:
    if pd.api.types.is_bool_dtype(column.dtype):
        return BOOLEANS
    if pd.api.types.is_numeric_dtype(column.dtype):
        return NUMBERS
    return TIMESTAMPS if pd.api.types.is_datetime64_any_dtype(column.dtype) else LABELS


def _count_missing(column: pd.Series) -> int:
    if is_plain(column.dtype):
        return int(np.isnan(column.to_numpy()).sum()) if column.dtype.kind == "f" else 0
    return len(column) - int(column.count())


def unhashable(name: str, value: object) -> TypeError:
    """Return the error for a value that cannot be a label."""
    return TypeError(
        f"column {name!r} must be text, numbers, dates or booleans, got {type(value).__name__}: "
        "convert it or drop it"
    )


__all__ = ["ColumnFacts", "FrameColumn", "NumbersInText", "unhashable"]
