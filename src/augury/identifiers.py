"""The rule that decides whether a column identifies the rows.

`augury.data` warns of such columns, and `augury.encode.TidyColumns` leaves them out.
"""

import numpy as np
import pandas as pd

# In fewer rows the values of any column may all differ.
_MIN_ROWS = 20
_MIN_SHARE_OF_DISTINCT_LABELS = 0.9
# A training fold does not have all rows: it has at least four of five numbers of the range.
_MIN_SHARE_OF_RANGE = 0.8
# Above this number float64 does not hold every integer.
_MAX_EXACT_INTEGER = 2.0**53
_HEAD = 1000
# Shares of the rows that show whether labels repeat: a ninth if there are few labels, or a fifth.
_PARTS = (9, 5)
COUNTS_ROWS = "it counts the rows"


def why_identifier(column: pd.Series, n_distinct: int | None = None) -> str:
    """Return why a column looks like an identifier, or an empty string.

    A column of numbers identifies the rows if it counts them: it holds the integers of a range,
    each at most once, in any order. A column of labels identifies the rows if at least 90 % of
    its values are distinct. Missing values and columns with fewer than 20 values do not count.
    `n_distinct` is the number of different labels, if it is known.

    Examples
    --------
    >>> why_identifier(pd.Series(range(100, 130)))
    'it counts the rows'
    >>> why_identifier(pd.Series([f"customer {i}" for i in range(30)]))
    '30 different labels in 30 rows'
    >>> why_identifier(pd.Series([i * i for i in range(30)]))
    ''
    """
    if pd.api.types.is_bool_dtype(column.dtype):
        return ""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return COUNTS_ROWS if _counts_rows(column) else ""
    n_known = column.count()
    if n_known < _MIN_ROWS:
        return ""
    if n_distinct is None:
        if any(_repeats_labels(column, n_known, part) for part in _PARTS):
            return ""
        n_distinct = column.nunique()
    if not are_mostly_distinct(n_distinct, n_known):
        return ""
    return f"{n_distinct} different labels in {n_known} rows"


def are_mostly_distinct(n_distinct: int, n_known: int) -> bool:
    """Return whether so many different labels identify the rows."""
    return n_known >= _MIN_ROWS and n_distinct >= _MIN_SHARE_OF_DISTINCT_LABELS * n_known


def may_count_rows(n_known: int, low: float, high: float) -> bool:
    """Return whether different integers of this range, one for each row, count the rows."""
    if n_known < _MIN_ROWS or max(abs(low), abs(high)) > _MAX_EXACT_INTEGER:
        return False
    return n_known >= _MIN_SHARE_OF_RANGE * (high - low + 1)


def _repeats_labels(column: pd.Series, n_known: int, part: int) -> bool:
    """Return whether the first rows, one of `part`, have too few labels for an identifier."""
    head = column.iloc[: len(column) // part]
    # Each value behind the head adds at most one label.
    return not are_mostly_distinct(head.nunique() + n_known - head.count(), n_known)


def _counts_rows(column: pd.Series) -> bool:
    head = column.iloc[:_HEAD].dropna().to_numpy(dtype=np.float64)
    if not np.array_equal(head, np.floor(head)):
        return False  # without a look at the other rows
    numbers = column.dropna().to_numpy(dtype=np.float64)
    if len(numbers) < _MIN_ROWS or not np.array_equal(numbers, np.floor(numbers)):
        return False
    low, high = numbers.min(), numbers.max()
    if not may_count_rows(len(numbers), low, high) or len(numbers) > high - low + 1:
        return False  # the range has gaps, or some numbers occur twice
    return len(np.unique(numbers)) == len(numbers)


__all__ = ["COUNTS_ROWS", "are_mostly_distinct", "may_count_rows", "why_identifier"]
