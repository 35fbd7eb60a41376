"""What a survey knows about one column."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import (
    infer_dtype,
    is_bool_dtype,
    is_datetime64_any_dtype,
    is_numeric_dtype,
    is_object_dtype,
    is_string_dtype,
)

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.encode.column_facts import unhashable
from augury.encode.nominal import are_numbers, numbers_from_objects, unreadable
from augury.encode.text_columns.dates import ISO
from augury.encode.text_columns.read_column import read_column, to_dates
from augury.scale.summaries.label_counts import LabelCounts
from augury.scale.summaries.number_survey import Counted, NumberSurvey, count_integers
from augury.scale.summaries.survey_settings import SurveySettings

# What pandas' type says about a column. A column of blocks without any value is "empty" and takes
# the kind of the other blocks.
EMPTY, NUMBERS, LABELS, CATEGORIES, BOOLEANS, TIMESTAMPS = (
    "empty", "numbers", "labels", "categories", "booleans", "timestamps",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ColumnSurvey:
    """Statistics of a column; they add.

    Parameters
    ----------
    name : str
    kind : "numbers", "labels", "categories", "booleans", "timestamps" or "empty"
    n_rows, n_missing : numbers of rows, and of rows without a value
    has_missing : whether a row with a positive weight has no value
    first : the first value; None if there is none
    has_floats : whether a block holds floats, so that integers of other blocks are floats too
    numbers : statistics of numbers, and of timestamps as days since 1970
    labels : labels that occur; those of numbers only if they are read as labels
    declared : all declared labels in declared order; None if labels are not declared, or if more
        are declared than are kept
    texts : texts of labels, if labels are not all text; equal labels such as 1 and True have
        different texts
    first_date, last_date : range of timestamps
    """

    name: str
    kind: str
    n_rows: int
    n_missing: int
    has_missing: bool
    first: Any = None
    has_floats: bool = False
    numbers: NumberSurvey | None = None
    labels: LabelCounts | None = None
    declared: tuple[Hashable, ...] | None = None
    texts: LabelCounts | None = None
    first_date: Any = None
    last_date: Any = None

    @classmethod
    def collect(
        cls,
        name: str,
        column: pd.Series,
        weight: FloatArray | None,
        settings: SurveySettings,
        *,
        keep_values: bool = True,
    ) -> tuple[ColumnSurvey, Array | None]:
        """Summarise some rows; also return the numbers of the rows, if the column has any.

        Without `keep_values` the distinct numbers of the column are known to be too many.
        """
        kind = _kind(name, column)
        missing = column.isna().to_numpy()
        n_missing = int(np.count_nonzero(missing))
        has_missing = bool(n_missing) and (weight is None or bool(weight[missing].any()))
        if n_missing == len(column) and kind in (NUMBERS, LABELS):
            is_empty = not isinstance(column.dtype, pd.StringDtype)
            kind = EMPTY if is_empty else kind
        survey = cls(name, kind, len(column), n_missing, has_missing)
        if kind in (EMPTY, NUMBERS):
            return survey._with_numbers(column, weight, settings, keep_values=keep_values)
        if kind != TIMESTAMPS:
            return survey._with_labels(column, weight, settings), None
        days = read_column(column, "date", ISO).to_numpy(dtype=np.float64)
        dates = to_dates(column, ISO)
        survey = replace(
            survey,
            first=_first(column, missing),
            numbers=_survey_numbers(days, weight, settings, keep_values=keep_values),
            first_date=dates.min(),
            last_date=dates.max(),
        )
        return survey, days

    def _with_numbers(
        self,
        column: pd.Series,
        weight: FloatArray | None,
        settings: SurveySettings,
        *,
        keep_values: bool,
    ) -> tuple[ColumnSurvey, Array]:
        values = read_values(self.name, column)
        counted = count_integers(values) if weight is None else None
        labels = None
        if self.name in settings.as_labels:
            labels = _count_numbers(column, counted, weight, settings)
        survey = replace(
            self,
            first=_first_number(column, values),
            has_floats=getattr(column.dtype, "kind", "") == "f" and self.n_missing < self.n_rows,
            numbers=_survey_numbers(values, weight, settings, counted, keep_values=keep_values),
            labels=labels,
        )
        return survey, values

    def _with_labels(
        self, column: pd.Series, weight: FloatArray | None, settings: SurveySettings
    ) -> ColumnSurvey:
        if self.kind in (CATEGORIES, BOOLEANS):
            codes, declared = _declared_labels(column)
            counts = _count(*_in_order_of_rows(codes, declared), weight, settings)
            kept = tuple(declared) if len(declared) <= settings.max_labels else None
            return replace(self, first=next(iter(counts.rows), None), labels=counts, declared=kept)
        try:
            codes, labels = pd.factorize(column, use_na_sentinel=True)
        except TypeError:  # a value cannot be hashed
            raise unhashable(self.name, column.dropna().iloc[0]) from None
        counts = _count(codes, labels.tolist(), weight, settings)
        texts = None
        is_mixed = is_object_dtype(column.dtype) and infer_dtype(column, skipna=True) != "string"
        if is_mixed:
            # 1 and True are equal, but their texts are not.
            of_rows = column.astype("str").where(column.notna())
            places, found = pd.factorize(of_rows)
            texts = _count(places, found.tolist(), weight, settings)
        return replace(self, first=next(iter(labels), None), labels=counts, texts=texts)

    @property
    def is_exact(self) -> bool:
        """Whether all labels, or all distinct numbers, are known."""
        labels_are = self.labels is None or self.labels.is_exact
        return labels_are and (self.numbers is None or self.numbers.values is not None)

    def __add__(self, other: ColumnSurvey) -> ColumnSurvey:
        kinds = {self.kind, other.kind} - {EMPTY}
        if len(kinds) > 1:
            raise TypeError(
                f"column {self.name!r} must hold values of one kind in all parts of the data, got "
                f"{self.kind} in one part and {other.kind} in another: convert it to one type"
            )
        if EMPTY in (self.kind, other.kind):
            declared = self.declared or other.declared
        else:
            declared = _united(self.declared, other.declared, self.labels)
        kind = next(iter(kinds), EMPTY)
        of_numbers = kind in (EMPTY, NUMBERS, TIMESTAMPS)
        texts = None
        if self.texts is not None or other.texts is not None:
            texts = _sum(self.texts or self.labels, other.texts or other.labels)
        dates = [s for s in (self, other) if s.first_date is not None and pd.notna(s.first_date)]
        return ColumnSurvey(
            self.name,
            kind,
            self.n_rows + other.n_rows,
            self.n_missing + other.n_missing,
            self.has_missing or other.has_missing,
            other.first if self.first is None else self.first,
            self.has_floats or other.has_floats,
            _sum(self.numbers, other.numbers) if of_numbers else None,
            _sum(self.labels, other.labels),
            declared,
            texts,
            min((survey.first_date for survey in dates), default=None),
            max((survey.last_date for survey in dates), default=None),
        )


def _sum(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _united(
    a: tuple[Hashable, ...] | None, b: tuple[Hashable, ...] | None, labels: LabelCounts | None
) -> tuple[Hashable, ...] | None:
    """Return declared labels in the order of appearance; None if there are too many."""
    if a is None or b is None or labels is None:
        return None
    united = a if a == b else tuple({**dict.fromkeys(a), **dict.fromkeys(b)})
    return united if len(united) <= labels.max_labels else None


def _kind(name: str, column: pd.Series) -> str:
    dtype: Any = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return CATEGORIES
    if is_bool_dtype(dtype):
        return BOOLEANS
    if is_numeric_dtype(dtype) and dtype.kind in "iuf":
        return NUMBERS
    if is_datetime64_any_dtype(dtype):
        return TIMESTAMPS
    if is_object_dtype(dtype) and are_numbers(column.to_numpy()):
        return NUMBERS  # decimals, and numbers in an array of objects
    if is_object_dtype(dtype) or is_string_dtype(dtype):
        return LABELS
    raise unreadable(name, dtype)


def _first(column: pd.Series, missing: BoolArray) -> Any:
    """Return the first value; None if there is none."""
    at = int(np.argmin(missing)) if len(missing) else 0
    return column.iloc[at : at + 1].unique()[0] if len(missing) and not missing[at] else None


def _first_number(column: pd.Series, values: Array) -> Any:
    at = int(np.argmin(np.isnan(values))) if values.dtype.kind == "f" and len(values) else 0
    if not len(values) or values[at] != values[at]:
        return None
    # Numbers in an array of objects are read as float64.
    is_plain = isinstance(column.dtype, np.dtype)
    return values[at] if is_plain else column.iloc[[at]].to_numpy()[0]


def read_values(name: str, column: pd.Series) -> Array:
    """Return integers as they are, and other numbers as float64; NaN is missing."""
    dtype: Any = column.dtype
    if is_object_dtype(dtype):
        return numbers_from_objects(column.to_numpy(), name)
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf":
        return np.asarray(column.to_numpy())
    if is_numeric_dtype(dtype):
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.full(len(column), np.nan)  # a column without a value may have any type


def _survey_numbers(
    values: Array,
    weight: FloatArray | None,
    settings: SurveySettings,
    counted: Counted | None = None,
    *,
    keep_values: bool,
) -> NumberSurvey:
    if counted is not None:
        return NumberSurvey.of_counted(
            *counted, max_values=settings.max_values, max_hashes=settings.max_hashes
        )
    return NumberSurvey.collect(
        values,
        weight,
        max_values=settings.max_values,
        max_hashes=settings.max_hashes,
        keep_values=keep_values,
    )


def _count(
    codes: IntegerArray,
    labels: list[Hashable],
    weight: FloatArray | None,
    settings: SurveySettings,
) -> LabelCounts:
    return LabelCounts.collect(
        codes, labels, weight, max_labels=settings.max_labels, max_hashes=settings.max_hashes
    )


def _count_numbers(
    column: pd.Series,
    counted: Counted | None,
    weight: FloatArray | None,
    settings: SurveySettings,
) -> LabelCounts:
    """Count numbers that are read as labels; `counted` is what `count_integers` returns."""
    if counted is not None:
        low, counts = counted
        present = np.flatnonzero(counts)
        rows: dict[Hashable, int] = dict(
            zip((present + low).tolist(), counts[present].tolist(), strict=True)
        )
        return LabelCounts(rows, None, settings.max_labels, settings.max_hashes)
    codes, found = column.factorize(use_na_sentinel=True)
    return _count(codes, found.tolist(), weight, settings)


def _declared_labels(column: pd.Series) -> tuple[IntegerArray, list[Hashable]]:
    """Return the code of each row, and all declared labels; a missing value has the code -1."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.array.codes, column.dtype.categories.tolist()
    codes = column.astype("boolean").to_numpy(dtype=np.int8, na_value=-1)
    return codes, [False, True]


def _in_order_of_rows(
    codes: IntegerArray, declared: list[Hashable]
) -> tuple[IntegerArray, list[Hashable]]:
    """Return codes and labels of those that occur, in the order of their first rows."""
    first = np.full(len(declared) + 1, len(codes), dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal codes the last assignment counts
    order = np.argsort(first[:-1], kind="stable")
    order = order[: np.count_nonzero(first[:-1] < len(codes))]
    rank = np.full(len(declared) + 1, -1, dtype=np.intp)
    rank[order] = np.arange(len(order))
    return rank[codes], [declared[k] for k in order.tolist()]


__all__ = [
    "BOOLEANS",
    "CATEGORIES",
    "EMPTY",
    "LABELS",
    "NUMBERS",
    "TIMESTAMPS",
    "ColumnSurvey",
    "read_values",
]
