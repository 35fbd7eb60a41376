"""The rule that decides whether a column identifies the rows.

`augury.data` warns of such columns, and `augury.encode.TidyColumns` leaves them out.
"""

import math

import numpy as np
import pandas as pd

from augury.arrays import FloatArray, is_plain

# In fewer rows the values of any column may all differ.
_MIN_ROWS = 20
_MIN_SHARE_OF_DISTINCT_LABELS = 0.9
# A training fold does not have all rows: it has at least four of five numbers of the range.
_MIN_SHARE_OF_RANGE = 0.8
# Probability that measured numbers are all different, below which they identify the rows.
_MAX_CHANCE = 1e-4
# Above this number float64 does not hold every integer.
_MAX_EXACT_INTEGER = 2.0**53
_HEAD = 1000
# Shares of the rows that show whether labels repeat: a ninth if there are few labels, or a fifth.
_PARTS = (9, 5)
COUNTS_ROWS = "it counts the rows"
NEVER_REPEATS = "every row has its own whole number"


def why_identifier(column: pd.Series, n_distinct: int | None = None) -> str:
    """Return why a column looks like an identifier, or an empty string.

    A column of numbers identifies the rows if it counts them: it holds the integers of a range,
    each at most once, in any order. It also does if its integers are all different, in any order
    and with any gaps, although numbers of their range would repeat if they were measured: see
    `why_distinct_integers`. A column of labels identifies the rows if at least 90 % of its
    values are distinct. Missing values and columns with fewer than 20 values do not count.
    `n_distinct` is the number of different labels, if it is known.

    Examples
    --------
    >>> why_identifier(pd.Series(range(100, 130)))
    'it counts the rows'
    >>> why_identifier(pd.Series([f"customer {i}" for i in range(30)]))
    '30 different labels in 30 rows'
    >>> why_identifier(pd.Series([i * i for i in range(30)]))
    ''
    >>> why_identifier(pd.Series([50_000 + 7 * i for i in range(300)]))
    'every row has its own whole number'
    """
    if pd.api.types.is_bool_dtype(column.dtype):
        return ""
    if pd.api.types.is_numeric_dtype(column.dtype):
        return _why_numbers(column)
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


def why_distinct_integers(n_known: int, low: float, high: float) -> str:
    """Return why integers identify the rows if they are all different, or an empty string.

    They count the rows if they are at least four of five numbers of the range from `low` to `high`.
    Otherwise the reason is that integers which are drawn from R numbers would repeat: n of them
    are all different with a probability of about exp(-n (n - 1) / 2R), if each number is equally
    likely, and of less than that if some are more likely. Below 0.0001 they identify the rows.

    Examples
    --------
    >>> why_distinct_integers(1_000, 1, 1_000), why_distinct_integers(1_000, 1, 20_000)
    ('it counts the rows', 'every row has its own whole number')
    >>> why_distinct_integers(1_000, 1, 1_000_000)
    ''
    """
    size = high - low + 1  # of a sample of the integers it may be below `n_known`
    if n_known < _MIN_ROWS or max(abs(low), abs(high)) > _MAX_EXACT_INTEGER:
        return ""
    if n_known >= _MIN_SHARE_OF_RANGE * size:
        return COUNTS_ROWS
    chance = math.exp(-n_known * (n_known - 1) / (2.0 * size))
    return NEVER_REPEATS if chance < _MAX_CHANCE else ""


def _repeats_labels(column: pd.Series, n_known: int, part: int) -> bool:
    """Return whether the first rows, one of `part`, have too few labels for an identifier."""
    head = column.iloc[: len(column) // part]
    # Each value behind the head adds at most one label.
    return not are_mostly_distinct(head.nunique() + n_known - head.count(), n_known)


def _why_numbers(column: pd.Series) -> str:
    head = _known_numbers(column, slice(_HEAD))
    if not _are_distinct_integers(head):
        return ""  # without a look at the other rows
    numbers = _known_numbers(column, slice(None))
    if len(numbers) < _MIN_ROWS:
        return ""
    low, high = float(numbers.min()), float(numbers.max())
    if len(numbers) > high - low + 1:
        return ""  # some numbers occur twice
    reason = why_distinct_integers(len(numbers), low, high)
    return reason if reason and _are_distinct_integers(numbers) else ""


def _known_numbers(column: pd.Series, rows: slice) -> FloatArray:
    """Return the numbers of adjacent rows, without missing values."""
    numbers: FloatArray
    if is_plain(column.dtype):
        numbers = column.to_numpy()[rows].astype(np.float64, copy=False)
        return numbers[~np.isnan(numbers)]
    numbers = column.iloc[rows].dropna().to_numpy(dtype=np.float64)
    return numbers


def _are_distinct_integers(numbers: FloatArray) -> bool:
    are_integers = np.array_equal(numbers, np.floor(numbers))
    return are_integers and len(np.unique(numbers)) == len(numbers)


__all__ = ["are_mostly_distinct", "why_distinct_integers", "why_identifier"]
