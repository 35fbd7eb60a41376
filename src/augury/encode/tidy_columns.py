"""Preparation of raw columns: identifiers, constants, dates and numbers in text."""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.encode.nominal import are_numbers, numbers_from_objects
from augury.encode.text_columns.dates import ISO, YEAR_FIRST, learn_date_format, parse_dates
from augury.encode.text_columns.distinct import DistinctTexts, distinct_texts
from augury.encode.text_columns.numbers import (
    NumberFormat,
    describe_missing,
    is_missing_word,
    learn_format,
)
from augury.encode.text_columns.read_column import (
    BOOLEAN,
    TEXT,
    is_text,
    parse_texts,
    read_column,
    to_dates,
)
from augury.fitted_state import check_columns_in, check_parts, check_texts, require
from augury.foreign import Labels, Table
from augury.identifiers import why_identifier
from augury.validation import check_choice, check_flag, check_table, is_frame, is_pandas

_TREATMENTS = ("labels", "numbers", "date", "dropped")
_MIN_DATE_SHARE = 0.95


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
        and columns of integers that count the rows.
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
        for name in ("drop_identifiers", "drop_constants", "read_dates", "read_numbers"):
            check_flag(type(self).__name__, name, getattr(self, name))
        frame = _as_pandas(check_table(self, X, reset=True))
        learned = [self._decide(str(name), frame[name]) for name in frame.columns]
        self.decisions_ = [decision for decision, _ in learned]
        self.formats_ = [code for _, code in learned]
        if all(decision.treatment == "dropped" for decision in self.decisions_):
            reasons = "; ".join(f"{each.name}: {each.reason}" for each in self.decisions_)
            raise ValueError(f"{type(self).__name__}: no column is left: {reasons}")
        return self

    def _decide(self, name: str, column: pd.Series) -> tuple[ColumnDecision, str]:
        """Return the decision about a column, and the format of its values."""
        if pd.api.types.is_object_dtype(column.dtype) and are_numbers(column.to_numpy()):
            # Models read decimals and numbers in an array of objects as numbers.
            column = pd.Series(numbers_from_objects(column.to_numpy(), name))
        if pd.api.types.is_numeric_dtype(column.dtype):
            return self._decide_numeric(name, column)
        if pd.api.types.is_datetime64_any_dtype(column.dtype):
            return self._decide_timestamps(name, column)
        found = distinct_texts(column)
        if isinstance(column.dtype, pd.StringDtype):
            values = found.texts.to_numpy(dtype=object)
        else:
            values = _distinct(column.dropna(), name)
        if self.drop_constants and (reason := _why_constant(column, values)):
            return ColumnDecision(name, "dropped", reason), ""
        written: NumberFormat | str = ""
        if self.read_numbers and is_text(column):
            written = learn_format(found.to_dict())
        if isinstance(written, NumberFormat):
            numbers = pd.Series(parse_texts(found, written.code))
            return self._decide_numbers(name, numbers, written.notes), written.code
        if self.read_dates and (date := _decide_date(name, found)) is not None:
            return date
        decision = self._decide_labels(name, column, values, written)
        is_label = decision.treatment == "labels" and is_text(column)
        return decision, TEXT if is_label else ""

    def _decide_timestamps(self, name: str, column: pd.Series) -> tuple[ColumnDecision, str]:
        values = _distinct(column.dropna(), name)
        if self.drop_constants and (reason := _why_constant(column, values)):
            return ColumnDecision(name, "dropped", reason), ""
        if self.read_dates and len(values):
            reason = _describe_dates(to_dates(column.dropna(), ISO))
            return ColumnDecision(name, "date", reason), ISO
        return self._decide_labels(name, column, values, ""), ""

    def _decide_numeric(self, name: str, column: pd.Series) -> tuple[ColumnDecision, str]:
        """Return the decision about numbers and booleans."""
        known = column.dropna()
        is_constant = bool((known == known.iloc[0]).all()) if len(known) else True
        if self.drop_constants and is_constant:
            values = known.iloc[:1].to_numpy()
            if reason := _why_constant(column, values):
                return ColumnDecision(name, "dropped", reason), ""
        if not pd.api.types.is_bool_dtype(column.dtype):
            return self._decide_numbers(name, column), ""
        return _describe_labels(name, column, _distinct(known, name), ""), BOOLEAN

    def _decide_labels(
        self, name: str, column: pd.Series, values: Array, note: str
    ) -> ColumnDecision:
        if self.drop_identifiers and (reason := why_identifier(column, len(values))):
            reasons = filter(None, (f"an identifier: {reason}", note))
            return ColumnDecision(name, "dropped", "; ".join(reasons))
        return _describe_labels(name, column, values, note)

    def _decide_numbers(
        self, name: str, column: pd.Series, notes: tuple[str, ...] = ()
    ) -> ColumnDecision:
        known = column.dropna()
        if self.drop_identifiers and (reason := why_identifier(column)):
            return ColumnDecision(name, "dropped", f"an identifier: {reason}")
        missing = f", {len(column) - len(known)} missing" if len(known) < len(column) else ""
        span = f"from {known.min():g} to {known.max():g}{missing}" if len(known) else "numbers"
        return ColumnDecision(name, "numbers", "; ".join((span, *notes)))

    def transform(self, X: Table) -> pd.DataFrame:
        """Return the columns that are kept; dates and numbers in text become numbers."""
        check_is_fitted(self)
        frame = _as_pandas(check_table(self, X, reset=False))
        kept = {}
        for position, decision in enumerate(self.decisions_):
            if decision.treatment == "dropped":
                continue
            column = frame.iloc[:, position]
            kept[decision.name] = read_column(column, decision.treatment, self.formats_[position])
            if kept[decision.name] is column:
                continue
            lost = column.notna() & kept[decision.name].isna()
            if lost.any() and not (lost := _lost(column, lost, decision)).empty:
                warnings.warn(
                    f"column {decision.name!r} holds {_HELD[decision.treatment]}, but {len(lost)} "
                    f"of {len(column)} rows have something else, such as {lost.iloc[0]!r}, which "
                    "is read as missing",
                    UserWarning,
                    stacklevel=2,
                )
        return pd.DataFrame(kept, index=frame.index, copy=False)

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


def _lost(column: pd.Series, lost: pd.Series, decision: ColumnDecision) -> pd.Series:
    """Return the values that could not be read, without words for missing values."""
    values = column[lost]
    if decision.treatment == "labels":
        return values
    return values[[not is_missing_word(str(value)) for value in values]]


def _why_constant(column: pd.Series, values: Array) -> str:
    """Return why a column does not distinguish any rows, or an empty string."""
    if len(column) < 2 or len(values) > 1:
        return ""
    if not len(values):
        return "no value in any row"
    # If values are missing, that fact itself may be informative.
    return "" if column.isna().any() else f"one value in all rows: {values[0]}"


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
    parts = filter(None, (_describe_dates(dates), how, missing, rest))
    return ColumnDecision(name, "date", "; ".join(parts)), code


def _describe_dates(dates: pd.Series) -> str:
    return f"days since 1970, from {dates.min():%Y-%m-%d} to {dates.max():%Y-%m-%d}"


def _describe_labels(name: str, column: pd.Series, values: Array, note: str) -> ColumnDecision:
    n_missing = int(column.isna().sum())
    missing = f", {n_missing} missing" if n_missing else ""
    reason = f"{len(values)} different labels{missing}"
    return ColumnDecision(name, "labels", "; ".join(filter(None, (reason, note, _alike(values)))))


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


def _distinct(known: pd.Series, name: str) -> Array:
    try:
        values: Array = known.unique()
    except TypeError:  # a value cannot be hashed
        kind = type(known.iloc[0]).__name__
        raise TypeError(
            f"column {name!r} must be text, numbers, dates or booleans, got {kind}: convert it or "
            "drop it"
        ) from None
    return values


__all__ = ["ColumnDecision", "TidyColumns"]
