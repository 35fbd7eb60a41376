"""Text that a spreadsheet runs as a formula."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# As listed by OWASP for CSV files, with the full-width forms that spreadsheets accept.
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?%?")


def is_formula(value: object) -> bool:
    """Return whether a value is text that a spreadsheet runs; a plain number is not.

    >>> is_formula("=1+1"), is_formula("-3.5"), is_formula(-3.5), is_formula("-a")
    (True, False, False, True)
    """
    if not isinstance(value, str) or not value.lstrip(" ").startswith(_STARTS):
        return False
    return _NUMBER.fullmatch(value.strip()) is None


def find_formula(column: "pd.Series") -> str:
    """Return the first text that a spreadsheet runs, or an empty text."""
    return next((value for value in column.unique() if is_formula(value)), "")


def guard_formulas(column: "pd.Series") -> "pd.Series":
    """Return the column with an apostrophe before each text that a spreadsheet runs."""
    return column.map(lambda value: f"'{value}" if is_formula(value) else value)


def guard_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of columns with an apostrophe before each that a spreadsheet runs."""
    return tuple(f"'{name}" if is_formula(name) else name for name in names)


__all__ = ["find_formula", "guard_formulas", "guard_names", "is_formula"]
