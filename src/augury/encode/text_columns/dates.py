"""Dates in text: ISO 8601, 31/12/2024, 12/31/2024 and 2024/12/31."""

import re

import numpy as np
import pandas as pd

from augury.encode.text_columns.distinct import DistinctTexts

ISO, DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "iso", "day first", "month first", "year first"

_MIN_SHARE = 0.95
_N_TRIED = 1000  # texts in the first step of a search for texts that are no dates
_LAST_MONTH = 12
_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)"
_ISO = (
    r"^\d{4}-\d{2}-\d{2}"
    r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$"
)
_PART = r"(?P<{}>\d{{1,2}})"
_YEAR = r"(?P<year>\d{4})"
_REST = rf"(?P<time>{_TIME})?\s*$"
_YEAR_LAST = rf"^\s*{_PART.format('a')}(?P<mark>[/.-]){_PART.format('b')}(?P=mark){_YEAR}{_REST}"
_YEAR_FIRST = rf"^\s*{_YEAR}(?P<mark>[/.]){_PART.format('a')}(?P=mark){_PART.format('b')}{_REST}"


def learn_date_format(found: DistinctTexts) -> tuple[str, str] | None:
    """Find the format in which nearly all texts of a column are dates.

    Returns
    -------
    (format, note) or None
        The note says what is ambiguous and what is assumed; it is usually empty.

    Examples
    --------
    >>> from augury.encode.text_columns.distinct import distinct_texts
    >>> learn_date_format(distinct_texts(pd.Series(["31/12/2024", "01/02/2024"])))
    ('day first', '')
    >>> learn_date_format(distinct_texts(pd.Series(["03/04/2024", "01/02/2024"])))[1]
    "'03/04/2024' does not show which part is the month: the day is read first"
    """
    if _are_nearly_all(found, _ISO):
        return ISO, ""
    if _are_nearly_all(found, _YEAR_FIRST):
        return YEAR_FIRST, ""
    if not _are_nearly_all(found, _YEAR_LAST):
        return None
    texts = found.texts
    parts = texts.str.extract(re.compile(_YEAR_LAST)).dropna(subset="year")
    first_is_day = (parts["a"].astype(int) > _LAST_MONTH).any()
    second_is_day = (parts["b"].astype(int) > _LAST_MONTH).any()
    if first_is_day and second_is_day:
        return DAY_FIRST if _is_read(found, DAY_FIRST) else MONTH_FIRST, ""
    if second_is_day:
        return MONTH_FIRST, ""
    note = f"{texts.iloc[0]!r} does not show which part is the month: the day is read first"
    return DAY_FIRST, "" if first_is_day else note


def _are_nearly_all(found: DistinctTexts, pattern: str) -> bool:
    """Return whether nearly all rows match; stop as soon as too many do not."""
    n_rows = int(found.counts.sum())
    n_others, start, n_tried = 0, 0, _N_TRIED
    while start < len(found.texts) and (n_rows - n_others) / n_rows >= _MIN_SHARE:
        part = slice(start, start + n_tried)
        matches = found.texts[part].str.match(pattern, na=False).to_numpy(dtype=bool)
        n_others += int(found.counts[part][~matches].sum())
        start, n_tried = start + n_tried, 8 * n_tried
    return bool(n_rows) and (n_rows - n_others) / n_rows >= _MIN_SHARE


def _is_read(found: DistinctTexts, code: str) -> bool:
    is_date = parse_dates(found.texts, code).notna()
    return bool(np.average(is_date, weights=found.counts) >= _MIN_SHARE)


def parse_dates(texts: pd.Series, code: str) -> pd.Series:
    """Return texts as timestamps; NaT if a text is not a date in this format."""
    if code == ISO:
        written = texts.where(texts.str.match(_ISO, na=False))
    else:
        pattern = _YEAR_FIRST if code == YEAR_FIRST else _YEAR_LAST
        parts = texts.str.extract(re.compile(pattern))
        month, day = ("b", "a") if code == DAY_FIRST else ("a", "b")
        time = parts["time"].fillna("").str.replace(r"^[T ](\d):", r" 0\1:", regex=True)
        written = (
            parts["year"] + "-" + parts[month].str.zfill(2) + "-" + parts[day].str.zfill(2) + time
        )
    # Texts may name different time zones: UTC makes them comparable.
    dates = pd.to_datetime(written, format="ISO8601", errors="coerce", utc=True)
    return dates.dt.tz_localize(None)


__all__ = ["DAY_FIRST", "ISO", "MONTH_FIRST", "YEAR_FIRST", "learn_date_format", "parse_dates"]
