"""The line of column names of a CSV file, and its distinction from a row of data."""

import re
from pathlib import Path

import numpy as np
import pandas as pd

from augury.data.errors import DataError, first_repeated

NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"  # in the notation of programs
_NUMBER = re.compile(NUMBER)
_MISSING = frozenset({"?", "na", "n/a", "nan", "null", "none"})
_NO_HEADER = "if the first line is a row of data, {no_header} reads it as one"


def is_number(text: str) -> bool:
    """Return whether a text is a number in the notation of programs."""
    return _NUMBER.fullmatch(text) is not None


def check_names(row: list[str], path: Path, line: int, *, header: bool | None) -> list[str]:
    """Return the column names in the first line, or raise an error.

    A line of numbers only raises an error if `header` is None.
    """
    columns = [name.strip() for name in row]
    if header is None and all(map(is_number, columns)):
        advice = "{no_header} reads the first line as a row, {header} says that these are names"
        raise DataError.at(path, line, "expected column names, found numbers only", advice=advice)
    columns[0] = columns[0] or "Unnamed: 0"  # DataFrame.to_csv writes no name for its index
    if "" in columns:
        place = columns.index("") + 1
        raise DataError.at(path, line, f"column {place} has no name", advice=_NO_HEADER)
    if name := first_repeated(columns):
        raise DataError.at(path, line, f"two columns are named {name!r}", advice=_NO_HEADER)
    return columns


def looks_like_data(frame: pd.DataFrame) -> bool:
    """Return whether the column names are probably the values of a row.

    The name of a column of numbers fits it if the name is a number or means a missing value. The
    name of another column fits it if it is one of its values. The names are probably values if
    the names of all columns of numbers fit, two or more names fit in all, and one of the
    following holds: a name is a number with decimals; or other columns exist and at least half
    of their names fit.

    Examples
    --------
    >>> looks_like_data(pd.DataFrame({"5.1": [4.9, 6.3], "setosa": ["setosa", "other"]}))
    True
    >>> looks_like_data(pd.DataFrame({"country": ["NO", "SE"], "2019": [1, 2], "2020": [3, 4]}))
    False
    """
    n_fitting, fits_text = 0, []
    is_number_column = [
        pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
        for dtype in frame.dtypes
    ]
    # The comparison of all values of a text is needed only if all names of numbers fit.
    for name in frame.columns[is_number_column]:
        if frame[name].count():
            if not (is_number(str(name)) or str(name).lower() in _MISSING):
                return False
            n_fitting += 1
    for name in frame.columns[~np.array(is_number_column)]:
        if frame[name].count():
            fits_text.append(bool((frame[name].astype("str") == str(name)).any()))
    if n_fitting + sum(fits_text) < 2:
        return False
    decimals = any(is_number(str(name)) and "." in str(name) for name in frame.columns)
    return decimals or (2 * sum(fits_text) >= len(fits_text) and any(fits_text))
