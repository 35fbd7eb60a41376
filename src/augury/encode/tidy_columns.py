"""What a table of one's own needs before a model reads it: identifiers, constants, dates."""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from augury.encode.nominal import are_numbers, numbers_from_objects
from augury.fitted_state import check_columns_in, check_parts, require
from augury.validation import check_choice, check_flag, check_table, is_frame, is_pandas

Array = NDArray[Any]

_TREATMENTS = ("labels", "numbers", "date", "dropped")
_DAY = pd.Timedelta(days=1)
_EPOCH = pd.Timestamp("1970-01-01")
# Fewer rows are easily all different, or all alike.
_FEWEST_ROWS = 20
_IDENTIFIER_SHARE = 0.9
_DATE_SHARE = 0.95
# Beyond it floats do not tell neighbours apart.
_LARGEST_COUNT = 2.0**53
# Only dates as the ISO writes them: others leave open what is day and what is month.
_ISO = (
    r"^\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$"
)


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """What becomes of a column, and why.

    Attributes
    ----------
    name : str
    treatment : {"labels", "numbers", "date", "dropped"}
        A date becomes the number of days since 1970.
    reason : str
        In words.
    """

    name: str
    treatment: str
    reason: str

    def _check_fitted_state(self) -> None:
        require(isinstance(self.name, str), self, "name", "text")
        require(isinstance(self.reason, str), self, "reason", "text")
        check_choice("ColumnDecision", "treatment", self.treatment, _TREATMENTS)


class TidyColumns(TransformerMixin, BaseEstimator):
    """Leave out columns from which nothing can be learned, and read dates as numbers.

    Decisions are learned from the training rows alone; `decisions_` says all of them.

    Parameters
    ----------
    drop_identifiers : bool
        Whether columns of labels are left out in which nearly every row has its own, and
        columns of integers that count the rows.
    drop_constants : bool
        Whether columns are left out that have one value, or none, in all rows.
    read_dates : bool
        Whether dates, and texts that are nearly all dates as the ISO writes them, become days
        since 1970; texts with a zone by the clock of Greenwich.

    Attributes
    ----------
    decisions_ : list of ColumnDecision, one for each column

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
        self, drop_identifiers: bool = True, drop_constants: bool = True, read_dates: bool = True
    ) -> None:
        self.drop_identifiers = drop_identifiers
        self.drop_constants = drop_constants
        self.read_dates = read_dates

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Decide about each column.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        y : ignored
        """
        for name in ("drop_identifiers", "drop_constants", "read_dates"):
            check_flag(type(self).__name__, name, getattr(self, name))
        frame = _as_pandas(check_table(self, X, reset=True))
        self.decisions_ = [self._decide(str(name), frame[name]) for name in frame.columns]
        if all(decision.treatment == "dropped" for decision in self.decisions_):
            reasons = "; ".join(f"{each.name}: {each.reason}" for each in self.decisions_)
            raise ValueError(f"{type(self).__name__}: no column is left: {reasons}")
        return self

    def _decide(self, name: str, column: pd.Series) -> ColumnDecision:
        if pd.api.types.is_object_dtype(column.dtype) and are_numbers(column.to_numpy()):
            # Models read decimals, and numbers of an array of objects, as numbers.
            column = pd.Series(numbers_from_objects(column.to_numpy(), name))
        known = column.dropna()
        values = _distinct(known, name)
        if self.drop_constants and len(column) > 1 and len(values) < 2:
            if not len(values):
                return ColumnDecision(name, "dropped", "no value in any row")
            if len(known) == len(column):  # where there are gaps, a gap may tell something
                return ColumnDecision(name, "dropped", f"one value in all rows: {values[0]}")
        if self.read_dates and (dates := _dates(known)) is not None:
            span = f"from {dates.min():%Y-%m-%d} to {dates.max():%Y-%m-%d}"
            lost = len(known) - int(dates.notna().sum())
            rest = f"; {lost} that are no dates are missing" if lost else ""
            return ColumnDecision(name, "date", f"days since 1970, {span}{rest}")
        is_number = pd.api.types.is_numeric_dtype(column.dtype)
        if self.drop_identifiers and len(known) >= _FEWEST_ROWS:
            if not is_number and len(values) >= _IDENTIFIER_SHARE * len(known):
                reason = f"an identifier: {len(values)} different labels in {len(known)} rows"
                return ColumnDecision(name, "dropped", reason)
            if is_number and _counts_rows(known):
                return ColumnDecision(name, "dropped", "an identifier: it counts the rows")
        gaps = f", {len(column) - len(known)} missing" if len(known) < len(column) else ""
        if is_number and not pd.api.types.is_bool_dtype(column.dtype):
            reason = f"from {known.min():g} to {known.max():g}{gaps}" if len(known) else "numbers"
            return ColumnDecision(name, "numbers", reason)
        return ColumnDecision(name, "labels", f"{len(values)} different labels{gaps}")

    def transform(self, X: Any) -> pd.DataFrame:
        """Return the columns that are kept, dates as numbers."""
        check_is_fitted(self)
        frame = _as_pandas(check_table(self, X, reset=False))
        kept = {}
        for position, decision in enumerate(self.decisions_):
            column = frame.iloc[:, position]
            if decision.treatment == "date":
                kept[decision.name] = _days(column)
                lost = column.notna() & kept[decision.name].isna()
                if lost.any():
                    warnings.warn(
                        f"{type(self).__name__}: column {decision.name!r} holds dates, but "
                        f"{int(lost.sum())} of {len(column)} rows have something else, such as "
                        f"{column[lost].iloc[0]!r}, which is taken for missing",
                        UserWarning,
                        stacklevel=2,
                    )
            elif decision.treatment != "dropped":
                kept[decision.name] = column
        return pd.DataFrame(kept, index=frame.index)

    def _check_fitted_state(self) -> None:
        n_columns = check_columns_in(self)
        decisions = check_parts(self, "decisions_", ColumnDecision, n_columns)
        kept = [each.name for each in decisions if each.treatment != "dropped"]
        require(kept and len(set(kept)) == len(kept), self, "decisions_", "of distinct columns")

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns that are kept."""
        check_is_fitted(self)
        kept = [each.name for each in self.decisions_ if each.treatment != "dropped"]
        return np.asarray(kept, dtype=object)


def _as_pandas(X: Any) -> pd.DataFrame:
    if is_pandas(X):
        return X
    if is_frame(X):
        return nw.from_native(X, eager_only=True).to_pandas()
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def _distinct(known: pd.Series, name: str) -> Any:
    try:
        return known.unique()
    except TypeError:  # what cannot be hashed cannot be compared
        kind = type(known.iloc[0]).__name__
        raise TypeError(
            f"column {name!r} must be text, numbers, dates or booleans, got {kind}: convert it or "
            "drop it"
        ) from None


def _counts_rows(known: pd.Series) -> bool:
    """Return whether numbers are the integers of a range, each once, in order or shuffled."""
    numbers = known.to_numpy(dtype=np.float64)
    if not np.array_equal(numbers, np.floor(numbers)) or np.abs(numbers).max() > _LARGEST_COUNT:
        return False
    # A training fold has most of the rows, not all: nine of ten integers are enough.
    span = numbers.max() - numbers.min() + 1
    return len(np.unique(numbers)) == len(numbers) and len(numbers) >= 0.8 * span


def _dates(known: pd.Series) -> pd.Series | None:
    """Return texts and timestamps as dates, if nearly all of them are any."""
    if not len(known) or pd.api.types.is_numeric_dtype(known.dtype):
        return None
    dates = _to_dates(known)
    return dates if dates.notna().mean() >= _DATE_SHARE else None


def _to_dates(column: pd.Series) -> pd.Series:
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        dates = column
    else:
        texts = column.astype("str").where(column.notna())
        is_date = texts.str.match(_ISO, na=False)
        # Texts may name their zones, each its own: only one clock compares them.
        dates = pd.to_datetime(texts.where(is_date), format="ISO8601", errors="coerce", utc=True)
    return dates.dt.tz_localize(None) if dates.dt.tz is not None else dates


def _days(column: pd.Series) -> pd.Series:
    if pd.api.types.is_numeric_dtype(column.dtype) and not column.notna().any():
        return column.astype(np.float64)
    days: pd.Series = (_to_dates(column) - _EPOCH) / _DAY
    return days


__all__ = ["ColumnDecision", "TidyColumns"]
