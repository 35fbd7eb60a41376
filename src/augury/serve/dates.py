"""Dates of a request: texts in ISO 8601, or in the format that the model has learned."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import lru_cache

import pandas as pd

from augury.encode.text_columns.dates import (
    DAY_FIRST,
    ISO,
    MONTH_FIRST,
    YEAR_FIRST,
    parse_dates,
)

_EXAMPLES = {
    ISO: "2024-12-31",
    DAY_FIRST: "31/12/2024",
    MONTH_FIRST: "12/31/2024",
    YEAR_FIRST: "2024/12/31",
}
_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_MARK = "(?P<mark>[/.-])"
# Dates without a time of day. pandas takes milliseconds for one text.
_PLAIN = {
    ISO: r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})",
    DAY_FIRST: f"{_DAY}{_MARK}{_MONTH}(?P=mark){_YEAR}",
    MONTH_FIRST: f"{_MONTH}{_MARK}{_DAY}(?P=mark){_YEAR}",
    YEAR_FIRST: f"{_YEAR}(?P<mark>[/.]){_MONTH}(?P=mark){_DAY}",
}
_FIRST_YEAR, _LAST_YEAR = 1678, 2261  # the years of timestamps in nanoseconds
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_EPOCH, _ONE_DAY = pd.Timestamp("1970-01-01"), pd.Timedelta(days=1)
# Texts that are remembered, and the longest of them.
_REMEMBERED, _LONGEST = 4096, 64


def describe_dates(code: str) -> str:
    """Return the formats that dates may have, with examples.

    >>> describe_dates("day first")
    'ISO 8601, such as 2024-12-31, or day first, such as 31/12/2024'
    """
    iso = f"ISO 8601, such as {_EXAMPLES[ISO]}"
    if code == ISO or code not in _EXAMPLES:
        return iso
    return f"{iso}, or {code}, such as {_EXAMPLES[code]}"


def read_dates(texts: Sequence[object], code: str) -> pd.Series:
    """Return texts as timestamps; NaT for a text that is neither in ISO 8601 nor as learned.

    >>> read_dates(["31/12/2024", "2024-12-31", None], "day first").isna().tolist()
    [False, False, True]
    """
    column = pd.Series(texts, dtype="str")
    dates = parse_dates(column, code)
    return dates if code == ISO else dates.fillna(parse_dates(column, ISO))


@lru_cache(64)
def days_reader(code: str) -> Callable[[str], float | None]:
    """Return a function from a text to days since 1970, as `TidyColumns` reads dates.

    >>> days_of = days_reader("day first")
    >>> days_of("02/01/1970"), days_of("1970-01-02"), days_of("yesterday")
    (1.0, 1.0, None)
    """
    plain = [re.compile(_PLAIN[each], re.ASCII) for each in (code, ISO) if each in _PLAIN]

    @lru_cache(_REMEMBERED)
    def days_of(text: str) -> float | None:
        if len(text) > _LONGEST:
            return None
        for each in plain:
            if match := each.fullmatch(text):
                year, month, day = (int(match[part]) for part in ("year", "month", "day"))
                if _FIRST_YEAR <= year <= _LAST_YEAR:
                    return _count_days(year, month, day)
        found = read_dates([text], code).iloc[0]
        return None if pd.isna(found) else float((found - _EPOCH) / _ONE_DAY)

    return days_of


def _count_days(year: int, month: int, day: int) -> float | None:
    try:
        return float(date(year, month, day).toordinal() - _EPOCH_DAY)
    except ValueError:  # such as February 30
        return None


__all__ = ["days_reader", "describe_dates", "read_dates"]
