"""Preparation of raw columns: identifiers, constants, dates and numbers in text."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.encode.column_facts import ColumnFacts, FrameColumn, NumbersInText
from augury.encode.text_columns.dates import ISO, YEAR_FIRST, learn_date_format, parse_dates
from augury.encode.text_columns.distinct import DistinctTexts
from augury.encode.text_columns.numbers import (
    NumberFormat,
    describe_missing,
    is_missing_word,
    learn_format,
)
from augury.encode.text_columns.read_column import (
    BOOLEAN,
    TEXT,
    parse_texts,
    read_column,
)
from augury.fitted_state import check_columns_in, check_parts, check_texts, require
from augury.foreign import Labels, Table
from augury.text_table import count_text
from augury.validation import (
    check_choice,
    check_flag,
    check_table,
    is_frame,
    is_pandas,
    remember_columns,
)

_TREATMENTS = ("labels", "numbers", "date", "dropped")
_MIN_DATE_SHARE = 0.95


class UnreadValuesWarning(UserWarning):
    """Values of a column cannot be read as its training values were, and become missing.

    Attributes
    ----------
    column : str
        The name of the column.
    """

    column: str = ""

    @classmethod
    def of(cls, decision: ColumnDecision, n_unread: int, n_rows: int, example: str) -> Self:
        """Return the warning about a column that has rows with values which are not read."""
        warning = cls(
            f"column {decision.name!r} holds {_HELD[decision.treatment]}, but {n_unread} of "
            f"{n_rows} rows have something else, {example}which is read as missing"
        )
        warning.column = decision.name
        return warning


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """The treatment of a column, and the reason for it.

    Attributes
    ----------
    name : str
    treatment : {"labels", "numbers", "date", "dropped"}
        A date becomes the number of days since 1970.
    reason : str
        A text for users.
    """

    name: str
    treatment: str
    reason: str

    def _check_fitted_state(self) -> None:
        require(isinstance(self.name, str), self, "name", "text")
        require(isinstance(self.reason, str), self, "reason", "text")
        check_choice("ColumnDecision", "treatment", self.treatment, _TREATMENTS)


class TidyColumns(TransformerMixin, BaseEstimator):
    """Leave out columns from which nothing can be learned, and read dates and numbers in text.

    Decisions are learned from the training rows; `decisions_` lists them with their reasons. New
    rows are read in the same way. A value that cannot be read as the number or date of its
    column is missing, and a warning is issued.

    Parameters
    ----------
    drop_identifiers : bool
        Whether identifiers are left out: columns in which nearly every row has its own label,
        and columns of integers that count the rows or never repeat (see
        `augury.identifiers`).
    drop_constants : bool
        Whether columns with one value in all rows, or with no value, are left out.
    read_dates : bool
        Whether dates, and texts that are nearly all (95 %) dates, become days since 1970. Texts
        with a time zone are converted to UTC. The formats are ISO 8601, 2024/12/31, and
        31/12/2024 or 12/31/2024 with `/`, `.` or `-`. All values of a column decide which part
        is the month. If that is ambiguous, the day comes first, and the reason says so.
    read_numbers : bool
        Whether text columns become numbers if nearly all (99 %) of their values are numbers in
        one notation: currency ($1,234.50, 1.234,50 €, USD 7, (7.00) for -7), percent (12.3% is
        12.3), groups of digits (1,234; 1 234; 1'234), decimal commas. Words such as `-`, `n/a`,
        `missing` and `unknown` are then missing. If the comma in 1,234 is ambiguous, it
        separates thousands, and the reason says so. Digits with leading zeros and telephone
        numbers stay labels. Columns of dtype category are never changed. In columns of labels,
        `-` and `unknown` are ordinary labels.

    Attributes
    ----------
    decisions_ : list of ColumnDecision, one for each column
    formats_ : list of str, one for each column
        Format of the values: "1,234.5|$", "day first", "text", …; empty if the type of the
        column is enough.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "id": [f"c{i}" for i in range(30)], "since": ["2020-01-01", "2020-03-01"] * 15,
    ...     "country": ["NO"] * 30, "colour": ["red", "blue", "blue"] * 10,
    ... })
    >>> tidy = TidyColumns().fit(X)
    >>> for decision in tidy.decisions_:
    ...     print(decision.name, decision.treatment, decision.reason, sep="; ")
    id; dropped; an identifier: 30 different labels in 30 rows
    since; date; days since 1970, from 2020-01-01 to 2020-03-01
    country; dropped; one value in all rows: NO
    colour; labels; 2 different labels
    >>> tidy.transform(X).columns.tolist()
    ['since', 'colour']
    """

    decisions_: list[ColumnDecision]

    def __init__(
        self,
        drop_identifiers: bool = True,
        drop_constants: bool = True,
        read_dates: bool = True,
        read_numbers: bool = True,
    ) -> None:
        self.drop_identifiers = drop_identifiers
        self.drop_constants = drop_constants
        self.read_dates = read_dates
        self.read_numbers = read_numbers

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Table, y: Labels = None) -> Self:
        """Decide on the treatment of each column.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        y : ignored
        """
        self._check_parameters()
        frame = _as_pandas(check_table(self, X, reset=True))
        # One column at a time: the facts of a column may hold a copy of its values.
        return self._learn(FrameColumn(str(name), column) for name, column in frame.items())

    def learn_facts(self, header: Table, columns: Sequence[ColumnFacts]) -> Self:
        """Decide from facts about each column of `header`, whose rows are not read."""
        self._check_parameters()
        remember_columns(self, header)
        return self._learn(columns)

    def _check_parameters(self) -> None:
        for name in ("drop_identifiers", "drop_constants", "read_dates", "read_numbers"):
            check_flag(type(self).__name__, name, getattr(self, name))

    def _learn(self, columns: Iterable[ColumnFacts]) -> Self:
        learned = [self._decide(facts) for facts in columns]
        self.decisions_ = [decision for decision, _ in learned]
        self.formats_: list[str] = [code for _, code in learned]
        if all(decision.treatment == "dropped" for decision in self.decisions_):
            reasons = "; ".join(f"{each.name}: {each.reason}" for each in self.decisions_)
            raise ValueError(f"{type(self).__name__}: no column is left: {reasons}")
        return self

    def _decide(self, facts: ColumnFacts) -> tuple[ColumnDecision, str]:
        """Return the decision about a column, and the format of its values."""
        if self.drop_constants and (reason := _why_constant(facts)):
            return ColumnDecision(facts.name, "dropped", reason), ""
        if facts.kind == "numbers":
            return self._decide_numbers(facts.name, facts), ""
        if facts.kind == "booleans":
            return _describe_labels(facts, ""), BOOLEAN
        if facts.kind == "timestamps":
            return self._decide_timestamps(facts)
        written: NumberFormat | str = ""
        if self.read_numbers and facts.is_text:
            written = learn_format(facts.texts().to_dict())
        if isinstance(written, NumberFormat):
            numbers = NumbersInText.parsed(parse_texts(facts.texts().texts, written.code), facts)
            return self._decide_numbers(facts.name, numbers, written.notes), written.code
        if self.read_dates and (date := _decide_date(facts.name, facts.texts())) is not None:
            return date
        decision = self._decide_labels(facts, written)
        is_label = decision.treatment == "labels" and facts.is_text
        return decision, TEXT if is_label else ""

    def _decide_timestamps(self, facts: ColumnFacts) -> tuple[ColumnDecision, str]:
        if self.read_dates and facts.n_known:
            return ColumnDecision(facts.name, "date", _describe_dates(*facts.date_range())), ISO
        return self._decide_labels(facts, ""), ""

    def _decide_labels(self, facts: ColumnFacts, note: str) -> ColumnDecision:
        if self.drop_identifiers and (reason := facts.why_identifier()):
            reasons = filter(None, (f"an identifier: {reason}", note))
            return ColumnDecision(facts.name, "dropped", "; ".join(reasons))
        return _describe_labels(facts, note)

    def _decide_numbers(
        self, name: str, numbers: ColumnFacts | NumbersInText, notes: tuple[str, ...] = ()
    ) -> ColumnDecision:
        if self.drop_identifiers and (reason := numbers.why_identifier()):
            return ColumnDecision(name, "dropped", f"an identifier: {reason}")
        n_missing = numbers.n_rows - numbers.n_known
        missing = f", {n_missing} missing" if n_missing else ""
        span = "numbers"
        if numbers.n_known:
            low, high = numbers.number_range()
            span = f"from {low:g} to {high:g}{missing}"
        return ColumnDecision(name, "numbers", "; ".join((span, *notes)))

    def transform(self, X: Table) -> pd.DataFrame:
        """Return the columns that are kept; dates and numbers in text become numbers."""
        frame, unread = self.read(X)
        for warning in unread:
            warnings.warn(warning, stacklevel=2)
        return frame

    def read(self, X: Table) -> tuple[pd.DataFrame, list[UnreadValuesWarning]]:
        """Return what `transform` returns, and the warnings that it issues."""
        check_is_fitted(self)
        frame = _as_pandas(check_table(self, X, reset=False))
        kept, unread, n_same = {}, [], 0
        columns = (column for _, column in frame.items())  # faster than `iloc` for each
        for decision, code, column in zip(self.decisions_, self.formats_, columns, strict=True):
            if decision.treatment == "dropped":
                continue
            kept[decision.name] = read_column(column, decision.treatment, code)
            if kept[decision.name] is column:
                n_same += 1
                continue
            lost = values_lost(column, kept[decision.name], decision)
            if len(lost):
                example = f"such as {lost.iloc[0]!r}, "
                unread.append(UnreadValuesWarning.of(decision, len(lost), len(column), example))
        if n_same == frame.shape[1] and type(frame) is pd.DataFrame and not frame.attrs:
            same = frame.copy(deep=False)  # faster than a frame of so many columns
            same.columns = pd.Index(list(kept))
            return same, unread
        return pd.DataFrame(kept, index=frame.index, copy=False), unread

    def _check_fitted_state(self) -> None:
        n_columns = check_columns_in(self)
        decisions = check_parts(self, "decisions_", ColumnDecision, n_columns)
        check_texts(self, "formats_", n_columns)
        kept = [each.name for each in decisions if each.treatment != "dropped"]
        require(kept and len(set(kept)) == len(kept), self, "decisions_", "of distinct columns")

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Return the names of the columns that are kept."""
        check_is_fitted(self)
        kept = [each.name for each in self.decisions_ if each.treatment != "dropped"]
        return np.asarray(kept, dtype=object)


_HELD = {"date": "dates", "numbers": "numbers", "labels": "truth values"}


def values_lost(column: pd.Series, read: pd.Series, decision: ColumnDecision) -> pd.Series:
    """Return the values that could not be read, without words for missing values."""
    values = column[column.notna() & read.isna()]
    if decision.treatment == "labels":
        return values
    return values[[not is_missing_word(str(value)) for value in values]]


def _why_constant(facts: ColumnFacts) -> str:
    """Return why a column does not distinguish any rows, or an empty string."""
    if facts.n_rows < 2 or not facts.is_constant:
        return ""
    if not facts.n_known:
        return "no value in any row"
    # If values are missing, that fact itself may be informative.
    return "" if facts.n_missing else f"one value in all rows: {facts.first}"


def _decide_date(name: str, found: DistinctTexts) -> tuple[ColumnDecision, str] | None:
    """Return the decision about texts that are nearly all dates."""
    if not len(found.texts):
        return None
    words = found.texts.map(is_missing_word).astype(bool)
    known = found.select(~words) if words.any() else found
    learned = learn_date_format(known)
    if learned is None:
        return None
    code, note = learned
    dates = parse_dates(known.texts, code)
    n_known, lost = int(known.counts.sum()), int(known.counts[dates.isna()].sum())
    if (n_known - lost) / n_known < _MIN_DATE_SHARE:
        return None
    missing = ""
    if words.any():
        missing = describe_missing(found.select(words).to_dict())
    rest = f"{lost} that are not dates are missing" if lost else ""
    how = f"read with the {code}" if code not in (ISO, YEAR_FIRST) and not note else note
    span = _describe_dates(dates.min(), dates.max())
    parts = filter(None, (span, how, missing, rest))
    return ColumnDecision(name, "date", "; ".join(parts)), code


def _describe_dates(first: Any, last: Any) -> str:
    return f"days since 1970, from {first:%Y-%m-%d} to {last:%Y-%m-%d}"


def _describe_labels(facts: ColumnFacts, note: str) -> ColumnDecision:
    missing = f", {facts.n_missing} missing" if facts.n_missing else ""
    reason = f"{count_text(facts.n_distinct, 'different label')}{missing}"
    parts = filter(None, (reason, note, _alike(facts.labels())))
    return ColumnDecision(facts.name, "labels", "; ".join(parts))


def _alike(values: Array) -> str:
    """Return a remark on two labels that differ only in case or blanks, or an empty string."""
    first: dict[str, str] = {}
    for value in values:
        if isinstance(value, str):
            other = first.setdefault(" ".join(value.casefold().split()), value)
            if other != value:
                return f"{other!r} and {value!r} differ only in case or blanks"
    return ""


def _as_pandas(X: Table) -> pd.DataFrame:
    if is_pandas(X):
        return X
    if is_frame(X):
        return nw.from_native(X, eager_only=True).to_pandas()
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


__all__ = ["ColumnDecision", "TidyColumns", "UnreadValuesWarning", "values_lost"]
