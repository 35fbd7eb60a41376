"""CSV and TSV: a line of column names, then rows of values."""

import csv
import re
import warnings
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from augury.data.dataset import Array, RawTable
from augury.data.errors import DataError, DataWarning
from augury.data.text import read_text

_DELIMITERS = ",;\t|"

# A text column of which that share are numbers was probably meant to be numeric.
_NUMERIC_SHARE = 0.9
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?\d+(,\d+)?")


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
        _warn_of_stray_text(frame[name], lines, path)
    return RawTable(frame, lines=lines)


def _read_frame(text: str, columns: list[str], delimiter: str, decimal: str) -> Any:
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
    )


def _sniff(text: str) -> str:
    header = re.sub(r'"[^"]*"', "", text.lstrip("\n").split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count)  # the first of the most frequent


def _check_shape(text: str, delimiter: str, path: Path) -> tuple[list[str], Array]:
    """Return the column names and the line of each row; pandas would fill short rows."""
    reader = csv.reader(StringIO(text), delimiter=delimiter, skipinitialspace=True)
    written = text.split("\n")
    columns: list[str] = []
    lines: list[int] = []
    line = 1
    try:
        for row in reader:
            if len(row) < 2 and not written[line - 1].strip():
                pass  # a blank line, which pandas skips too
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


def _check_names(columns: list[str], path: Path, line: int) -> None:
    if all(_NUMBER.fullmatch(name) for name in columns):
        raise DataError.at(path, line, "expected column names, found numbers only")
    for position, name in enumerate(columns):
        if not name and position == 0:
            columns[0] = "Unnamed: 0"  # what DataFrame.to_csv writes for its index
        elif not name:
            raise DataError.at(path, line, f"column {position + 1} has no name")
        elif name in columns[:position]:
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


def _warn_of_stray_text(column: Any, lines: Array, path: Path) -> None:
    if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
        return
    known = column.dropna()
    numeric = known.str.strip().str.fullmatch(_NUMBER).to_numpy(dtype=bool)
    if not _NUMERIC_SHARE <= numeric.mean() < 1:
        return
    stray = known.index[~numeric][0]
    warnings.warn(
        f"{path}, line {lines[stray]}: column {column.name!r} has {column[stray]!r} among "
        f"{int(numeric.sum())} numbers and is therefore read as text; if it is to be numeric, "
        f"correct that value or write ? for a missing one",
        DataWarning,
        stacklevel=5,
    )
