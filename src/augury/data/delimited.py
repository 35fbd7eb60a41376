"""CSV and TSV: a line of column names, then rows of values."""

import csv
import re
import warnings
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from augury.data.dataset import Array, RawTable
from augury.data.errors import DataError, DataWarning, excerpt, first_repeated
from augury.data.text import read_text

_DELIMITERS = ",;\t|"

# A text column of which that share are numbers was probably meant to be numeric.
_NUMERIC_SHARE = 0.9
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+(,[0-9]+)?")
_LONG_INTEGER = re.compile(r"[-+]?[0-9]{19,}")  # perhaps more than 64 bits
_END = "\0"  # a line of its own after the last: no text file has that character


def read_delimited(path: Path, delimiter: str | None = None) -> RawTable:
    """Read a CSV or TSV file, also `.gz`.

    Numbers stay numbers and text stays text (`str`); no categories are
    declared in such a file, so none are made up. Empty cells, `?` and pandas'
    usual spellings (NA, N/A, NaN, null, None …) are missing.

    Parameters
    ----------
    path : Path
        The file.
    delimiter : str or None
        None looks at the line of column names for `,`, `;`, tab or `|`.

    Raises
    ------
    DataError
        With the file and the line, if a row has too few or too many values,
        or column names are absent or equal.
    """
    text = read_text(path)
    if delimiter is None:
        delimiter = _sniff(text)
    columns, lines = _check_shape(text, delimiter, path)
    frame = _read_frame(text, columns, delimiter, ".")
    if delimiter == ";" and _has_decimal_commas(frame):
        frame = _read_frame(text, columns, delimiter, ",")
    for name in columns:
        _warn_of_text(frame[name], lines, path)
    return RawTable(frame, lines=lines)


def _read_frame(text: str, columns: list[str], delimiter: str, decimal: str) -> Any:
    def read(kinds: dict[str, str]) -> Any:
        return pd.read_csv(
            StringIO(text),
            sep=delimiter,
            header=0,
            names=columns,
            index_col=False,
            na_values=["?"],
            decimal=decimal,
            skipinitialspace=True,
            low_memory=False,
            dtype=kinds,
        )

    frame = read({})
    # Integers of more than 64 bits are Python's own to pandas, or text in which a missing
    # value is text too; told to read text, it keeps their digits and knows the missing.
    kinds = {name: kind for name, column in frame.items() if (kind := _misread(column))}
    return read(kinds) if kinds else frame


def _misread(column: Any) -> str:
    """Return the type as which pandas should have read a column, or an empty string."""
    if pd.api.types.is_object_dtype(column.dtype):
        return "boolean" if pd.api.types.infer_dtype(column, skipna=True) == "boolean" else "str"
    if not pd.api.types.is_string_dtype(column.dtype):
        return ""
    return "str" if column.dropna().str.fullmatch(_LONG_INTEGER).any() else ""


def _sniff(text: str) -> str:
    header = re.sub(r'"[^"]*"', "", text.lstrip("\n").split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count)  # the first of the most frequent


def _check_shape(text: str, delimiter: str, path: Path) -> tuple[list[str], Array]:
    """Return the column names and the line of each row; pandas would fill short rows."""
    written = text.split("\n")
    reader = csv.reader(_with_end(written), delimiter=delimiter, skipinitialspace=True)
    blanks = " \t".replace(delimiter, "")
    columns: list[str] = []
    lines: list[int] = []
    line = 1
    try:
        for row in reader:
            if row == [_END]:
                break
            if row and row[-1].endswith(_END):
                raise DataError.at(path, line, "a quote is opened but not closed")
            if not written[line - 1].strip(blanks):
                pass  # a blank line, which pandas skips by the same rule
            elif not columns:
                columns = [name.strip() for name in row]
                _check_names(columns, path, line)
            elif len(row) != len(columns):
                raise DataError.at(
                    path,
                    line,
                    f"expected {len(columns)} values, one for each column, found {len(row)}",
                )
            else:
                lines.append(line)
            line = reader.line_num + 1  # a quoted value may run over several lines
    except csv.Error as error:
        raise DataError.at(path, line, str(error)) from error
    if not lines:
        raise DataError.at(path, None, "there are no rows below the column names")
    return columns, np.array(lines)


def _with_end(lines: list[str]) -> Iterator[str]:
    """Yield the lines as csv wants them, and one that an open quote would swallow."""
    for line in lines:
        yield line + "\n"
    yield _END


def _check_names(columns: list[str], path: Path, line: int) -> None:
    if all(_NUMBER.fullmatch(name) for name in columns):
        raise DataError.at(path, line, "expected column names, found numbers only")
    columns[0] = columns[0] or "Unnamed: 0"  # DataFrame.to_csv writes none for its index
    if "" in columns:
        raise DataError.at(path, line, f"column {columns.index('') + 1} has no name")
    if name := first_repeated(columns):
        raise DataError.at(path, line, f"two columns are named {name!r}")


def _has_decimal_commas(frame: Any) -> bool:
    """Look for a column of numbers such as 1,5, as spreadsheets write them in much of Europe."""
    return any(
        column.count() > 0
        and column.dropna().str.fullmatch(_DECIMAL_COMMA).all()
        and column.dropna().str.contains(",").any()
        for _, column in frame.items()
        if pd.api.types.is_string_dtype(column.dtype)
    )


def _warn_of_text(column: Any, lines: Array, path: Path) -> None:
    """Report a column of numbers that had to be read as text."""
    if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
        return
    known = column.dropna().str.strip()
    numeric = known.str.fullmatch(_NUMBER).to_numpy(dtype=bool)
    share = numeric.mean()
    if share < _NUMERIC_SHARE:
        return
    if share < 1:
        stray = known.index[~numeric][0]
        reason = (
            f"has {excerpt(column[stray])} among {int(numeric.sum())} numbers and is therefore "
            f"read as text; if it is to be numeric, correct that value or write ? for a missing one"
        )
    elif (long := known.str.fullmatch(_LONG_INTEGER)).any():
        stray = known[long].str.len().idxmax()
        reason = (
            f"has integers of more than 64 bits, as {excerpt(column[stray])}, and is therefore "
            f"read as text; if it is to be numeric, write them with a decimal point"
        )
    else:
        return
    warnings.warn(
        f"{path}, line {lines[stray]}: column {column.name!r} {reason}", DataWarning, stacklevel=5
    )
