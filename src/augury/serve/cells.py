"""Checks of single values of a request, one for each kind of column.

A check returns the value as the model reads it, or raises `CellError`. null is a missing value.
"""

from collections.abc import Callable
from functools import lru_cache
from math import isfinite, isnan

from augury.encode.text_columns.numbers import is_missing_word, parse_number
from augury.serve.dates import days_reader, describe_dates
from augury.serve.problems import describe_value

Cell = str | bool | int | float | None
Check = Callable[[object], Cell]
# Texts of numbers that are remembered, and the longest of them.
_REMEMBERED, _LONGEST = 4096, 64


class CellError(ValueError):
    """A value is refused.

    Attributes
    ----------
    kind : str
        A word for programs.
    """

    def __init__(self, allowed: str, value: object, kind: str) -> None:
        super().__init__(f"must be {allowed}, got {describe_value(value)}")
        self.kind = kind


def check_text(value: object) -> Cell:
    """Return a text or None."""
    if value.__class__ is str or value is None:
        return value
    raise CellError("text or null", value, "string_type")


def check_truth(value: object) -> Cell:
    """Return True, False or None."""
    if value.__class__ is bool or value is None:
        return value
    raise CellError("true, false or null", value, "bool_type")


def check_number(value: object) -> Cell:
    """Return a finite number as a float, or None."""
    if value.__class__ is float:
        if isfinite(value):
            return value
        raise CellError("a number of at most 1.8e308 or null", value, "finite_number")
    if value is None:
        return None
    if value.__class__ is int:
        try:
            return float(value)
        except OverflowError:
            limit = "a number of at most 1.8e308 or null"
            raise CellError(limit, value, "finite_number") from None
    raise CellError("a number or null", value, "number_type")


def check_label(value: object) -> Cell:
    """Return a label of any type, or None."""
    if value.__class__ is float and not isfinite(value):
        raise CellError("a finite number, text, true, false or null", value, "finite_number")
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise CellError("text, a number, true, false or null", value, "scalar_type")


def check_number_label(value: object) -> Cell:
    """Return a label that is a number, or None."""
    return None if check_number(value) is None else value  # type: ignore[return-value]


def number_in_text_check(code: str) -> Check:
    """Return the check of numbers that are numbers or texts of a learned notation.

    >>> check = number_in_text_check("1,234.5|$")
    >>> check("$1,200"), check(7), check("n/a")
    (1200.0, 7.0, None)
    """
    notation, _, unit = code.partition("|")
    allowed = f"a number, text such as {f'{unit}{notation}'!r}, or null"

    @lru_cache(_REMEMBERED)
    def number_of(text: str) -> float | None:
        return None if len(text) > _LONGEST else parse_number(text, code)

    def check(value: object) -> Cell:
        if value.__class__ is not str:
            return check_number(value)
        found = number_of(value)
        if found is None:
            raise CellError(allowed, value, "number_parsing")
        return None if isnan(found) else found

    return check


def date_check(code: str) -> Check:
    """Return the check of dates, which are texts in ISO 8601 or in a learned format.

    A word for a missing value, such as "n/a", is a missing value.

    >>> check = date_check("day first")
    >>> check("31/12/2024"), check("2024-12-31"), check("n/a")
    ('31/12/2024', '2024-12-31', None)
    """
    days_of = days_reader(code)
    allowed = describe_dates(code)

    def check(value: object) -> Cell:
        if value is None:
            return None
        if value.__class__ is not str:
            raise CellError(f"a date as text ({allowed}) or null", value, "date_type")
        if days_of(value) is None:
            if is_missing_word(value):
                return None
            raise CellError(f"a date ({allowed}) or null", value, "date_parsing")
        return value

    return check


__all__ = [
    "Cell",
    "CellError",
    "Check",
    "check_label",
    "check_number",
    "check_number_label",
    "check_text",
    "check_truth",
    "date_check",
    "number_in_text_check",
]
