"""`TidyColumns` decides from a survey of the rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import Array, FloatArray
from augury.encode import ColumnDecision, TidyColumns
from augury.encode.column_facts import ColumnFacts
from augury.encode.nominal import object_array
from augury.encode.text_columns.distinct import DistinctTexts
from augury.encode.text_columns.read_column import parse_texts, read_column
from augury.identifiers import are_mostly_distinct, why_distinct_integers
from augury.scale.summaries.column_survey import (
    CATEGORIES,
    EMPTY,
    LABELS,
    NUMBERS,
    TIMESTAMPS,
    ColumnSurvey,
)
from augury.scale.summaries.label_counts import LabelCounts
from augury.scale.summaries.number_survey import NumberSurvey
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey

# Kinds of a survey by the kinds of `ColumnFacts`.
_KINDS = {EMPTY: NUMBERS, CATEGORIES: LABELS}


@dataclass(frozen=True, eq=False)
class TidySurvey:
    """Decisions about all columns, and the survey of the columns that are kept.

    Attributes
    ----------
    tidy : fitted `TidyColumns`
    survey : survey of the tidied columns
    again : names of columns whose numbers or dates were not all known as texts
        Survey the rows of these columns again, after `tidy.transform`, with the same keys and
        settings; `survey.replaced` takes the result.
    """

    tidy: TidyColumns
    survey: TableSurvey
    again: tuple[str, ...]


def tidy_from_survey(tidy: TidyColumns, survey: TableSurvey) -> TidySurvey:
    """Decide on the treatment of each column from a survey of all rows.

    The decisions equal those of `tidy.fit` of all rows wherever the survey is exact. Texts that
    are more than the survey keeps are decided from a sample of their different texts. Integers
    that are more than the survey keeps count the rows if none of a sample occurs twice, see
    `OnceEach`.

    Examples
    --------
    >>> X = pd.DataFrame({"price": ["$1", "$2", "$2"], "colour": ["red", "red", "blue"]})
    >>> tidied = tidy_from_survey(TidyColumns(), TableSurvey.collect(X, None, 0, 0))
    >>> [decision.reason for decision in tidied.tidy.decisions_]
    ['from 1 to 2; numbers written as currency ($)', '2 different labels']
    >>> tidied.survey.columns["price"].numbers.values
    array([1., 2.])
    """
    header = pd.DataFrame(columns=list(survey.columns))
    facts = [SurveyedColumn(column) for column in survey.columns.values()]
    tidy.learn_facts(header, facts)
    columns, again = {}, []
    for column, decision, code in zip(facts, tidy.decisions_, tidy.formats_, strict=True):
        if decision.treatment == "dropped":
            continue
        read = _tidied(column, decision, code, survey.settings)
        columns[decision.name] = column.survey if read is None else read
        if read is None:
            again.append(decision.name)
    kept = replace(survey.select(list(columns)), columns=columns)
    return TidySurvey(tidy, kept, tuple(again))


class SurveyedColumn(ColumnFacts):
    """Facts about a column that was surveyed."""

    def __init__(self, survey: ColumnSurvey) -> None:
        kind = _KINDS.get(survey.kind, survey.kind)
        super().__init__(survey.name, kind, survey.n_rows, survey.n_missing)
        self.survey = survey

    @property
    def is_text(self) -> bool:
        """Whether the column holds texts, other than declared labels."""
        if self.survey.kind != LABELS:
            return False
        # A column of objects without a value is one of numbers.
        return not self.n_known or any(isinstance(label, str) for label in self._kept)

    @property
    def is_constant(self) -> bool:
        """Whether all values are equal; true if there is none."""
        if self.kind == TIMESTAMPS:
            return not self.n_known or bool(self.survey.first_date == self.survey.last_date)
        if self.kind == NUMBERS:
            return not self.n_known or self._numbers.low == self._numbers.high
        return self._counts.is_exact and self._counts.n_labels < 2

    @property
    def first(self) -> Any:
        """The first value, as it is shown to the user."""
        first = self.survey.first
        is_float = self.survey.has_floats and not isinstance(first, float | np.floating)
        return float(first) if is_float else first

    @property
    def n_distinct(self) -> int:
        """The number of different values; an estimate if not all are known."""
        if self.kind == TIMESTAMPS:
            return self._numbers.n_distinct
        if self._counts.sample is None:
            return self._counts.n_labels
        # If most labels have one row, their share of the sampled rows varies little.
        rows = self._counts.sample.rows.values()
        share = len(rows) / max(sum(rows), 1)
        return round(share * self.n_known) if 2 * share > 1 else self._counts.n_labels

    def labels(self) -> Array:
        """Return the different labels in the order of their first rows."""
        return object_array([] if self.survey.labels is None else self._kept)

    def texts(self) -> DistinctTexts:
        """Return the different labels as texts, or a sample of them."""
        return self._texts

    def number_range(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        return self._numbers.low, self._numbers.high

    def date_range(self) -> tuple[Any, Any]:
        """Return the first and the last date of timestamps."""
        return self.survey.first_date, self.survey.last_date

    def why_identifier(self) -> str:
        """Return why the column looks like an identifier, or an empty string."""
        if self.kind == NUMBERS:
            numbers = self._numbers
            if not (numbers.are_integers and numbers.occur_once):
                return ""
            return why_distinct_integers(self.n_known, numbers.low, numbers.high)
        if not are_mostly_distinct(self.n_distinct, self.n_known):
            return ""
        about = "" if self.survey.is_exact else "about "
        return f"{about}{self.n_distinct} different labels in {self.n_known} rows"

    @property
    def _numbers(self) -> NumberSurvey:
        assert self.survey.numbers is not None
        return self.survey.numbers

    @property
    def _counts(self) -> LabelCounts:
        assert self.survey.labels is not None
        return self.survey.labels

    @property
    def _kept(self) -> list[Any]:
        """The labels that occur, or a sample of them."""
        return list(_known_rows(self._counts))

    @cached_property
    def _texts(self) -> DistinctTexts:
        counts = self.survey.texts or self._counts
        rows = _known_rows(counts)
        texts = _as_texts(list(rows), self.survey.kind)
        n_rows = np.fromiter(rows.values(), dtype=np.int64, count=len(rows))
        if not texts.is_unique:  # categories such as 1 and "1"
            codes, distinct = pd.factorize(texts)
            texts = pd.Series(distinct)
            n_rows = np.bincount(codes, n_rows).astype(np.int64)
        return DistinctTexts(texts, n_rows, np.empty(0, dtype=np.intp))


def _known_rows(counts: LabelCounts) -> Any:
    return counts.rows if counts.sample is None else counts.sample.rows


def _as_texts(labels: list[Any], kind: str) -> pd.Series:
    """Return labels as `distinct_texts` writes them."""
    if not labels:
        return pd.Series([], dtype="str")
    index = pd.Index(labels)
    values = pd.Categorical(index, categories=index) if kind == CATEGORIES else labels
    return pd.Series(values).astype("str")


def _tidied(
    facts: SurveyedColumn, decision: ColumnDecision, code: str, settings: SurveySettings
) -> ColumnSurvey | None:
    """Return the survey of a column as it is read; None if its texts are not all known."""
    column = facts.survey
    as_label = column.name in settings.as_labels
    if column.kind == TIMESTAMPS and decision.treatment == "date":
        return None if as_label else replace(column, kind=NUMBERS, has_floats=True)
    if decision.treatment == "labels" or column.kind in (EMPTY, NUMBERS):
        return column
    counts = column.texts or column.labels
    assert counts is not None
    if not counts.is_exact:
        return None
    texts = _as_texts(list(counts.rows), column.kind)
    if decision.treatment == "date":
        numbers = read_column(texts, "date", code).to_numpy(dtype=np.float64)
    else:
        numbers = parse_texts(texts, code)
    return _read_from_texts(column, counts, numbers, settings, as_label=as_label)


def _read_from_texts(
    column: ColumnSurvey,
    counts: LabelCounts,
    numbers: FloatArray,
    settings: SurveySettings,
    *,
    as_label: bool,
) -> ColumnSurvey | None:
    """Return the survey of the numbers that the texts of a column hold."""
    n_rows = np.fromiter(counts.rows.values(), dtype=np.int64, count=len(numbers))
    weights = np.fromiter(counts.weight_of().values(), dtype=np.float64, count=len(numbers))
    known = ~np.isnan(numbers)
    survey = NumberSurvey.of_texts(
        numbers[known],
        n_rows[known],
        weights[known],
        max_values=settings.max_values,
        max_hashes=settings.max_hashes,
    )
    if survey.values is None:
        return None  # the sample of rows lacks the column
    labels = None
    if as_label:
        labels = _labels_of(numbers[known], n_rows[known], weights[known], counts, settings)
    return replace(
        column,
        kind=NUMBERS,
        n_missing=column.n_rows - survey.n_known,
        has_missing=column.has_missing or bool((weights[~known] > 0).any()),
        has_floats=True,
        numbers=survey,
        labels=labels,
        declared=None,
        texts=None,
    )


def _labels_of(
    numbers: FloatArray,
    n_rows: Array,
    weights: FloatArray,
    counts: LabelCounts,
    settings: SurveySettings,
) -> LabelCounts:
    """Return numbers as labels; different texts may hold the same number."""
    codes, distinct = pd.factorize(numbers)
    rows = np.bincount(codes, n_rows, minlength=len(distinct)).astype(np.int64).tolist()
    sums = None
    if counts.weights is not None:
        of_labels = np.bincount(codes, weights, minlength=len(distinct)).tolist()
        sums = dict(zip(distinct.tolist(), of_labels, strict=True))
    of_rows = dict(zip(distinct.tolist(), rows, strict=True))
    return LabelCounts(of_rows, sums, settings.max_labels, settings.max_hashes)


__all__ = ["TidySurvey", "tidy_from_survey"]
