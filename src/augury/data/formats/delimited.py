"""Reader of CSV and TSV: a line of column names, then rows of values."""

import csv
import re
import warnings
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.data.dataset import RawTable
from augury.data.errors import DataError, DataWarning, StrayTextWarning, excerpt
from augury.data.formats.column_names import check_names, is_number, looks_like_data
from augury.data.formats.text import read_text

_DELIMITERS = ",;\t|"

# A text column with at least this share of numbers is probably a column of numbers.
_MIN_NUMERIC_SHARE = 0.9
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+(,[0-9]+)?")
# 1,234 may also mean 1234; 0,125 and 12,5 may not.
_AMBIGUOUS_COMMA = re.compile(r"[-+]?([1-9][0-9]{0,2},[0-9]{3}|[0-9]+)")
_GROUPS_OF_DOTS = re.compile(r"[-+]?([1-9][0-9]{0,2}(\.[0-9]{3})+|[0-9]+)(,[0-9]+)?")
_LONG_INTEGER = re.compile(r"[-+]?[0-9]{19,}")  # may exceed 64 bits
_CODE = re.compile(r"\s*0[0-9]+\s*")
_EXCEL_NOTE = re.compile(r"sep=([,;\t|])\n")  # a line that Excel writes and reads
_END = "\0"  # an added last line: no text file contains this character


def read_delimited(
    path: Path,
    delimiter: str | None = None,
    *,
    header: bool | None = None,
    max_size: float | None = None,
) -> RawTable:
    """Read a CSV or TSV file, plain or gzip.

    Columns are numbers or text (`str`); such a file declares no categories. Empty cells, `?` and
    pandas' usual spellings (NA, N/A, NaN, null, None …) are missing. A column of digits in which
    some values begin with a zero, such as postal codes, stays text. In files with `;`, decimal
    commas are read if a column shows that they are used.

    Parameters
    ----------
    path : Path
        The file.
    delimiter : str or None
        None chooses among `,`, `;`, tab and `|` by the first line.
    header : bool or None
        Whether the first line holds the column names. False names the columns column1,
        column2, …. None reads the line as names, and warns if it looks like a row.
    max_size : float or None
        See `read_text`.

    Raises
    ------
    DataError
        If a row has too few or too many values, or column names are missing or equal. The
        message names the file and the line.
    """
    text = read_text(path, max_size)
    if note := _EXCEL_NOTE.match(text):
        # A blank line takes its place, so that the line numbers of the others stay.
        text, delimiter = "\n" + text[note.end() :], note[1]
    if delimiter is None:
        delimiter = _sniff(text)
    columns, lines = _check_shape(text, delimiter, path, header)
    if header is False:
        text = _name_columns(columns, delimiter) + text
    frame = _read_frame(text, columns, delimiter, ".")
    if delimiter == ";" and _has_decimal_commas(frame):
        frame = _join_groups(_read_frame(text, columns, delimiter, ","), path)
    if header is None and looks_like_data(frame):
        warning = DataWarning(
            f"{path}: the first line looks like a row of data ({excerpt(', '.join(columns))}), "
            "but is read as the column names",
            advice="{no_header} reads it as a row, {header} says that it has the names",
        )
        warnings.warn(warning, stacklevel=4)
    for name in columns:
        _warn_of_text(frame[name], lines, path)
    return RawTable(frame, lines=lines)


def _name_columns(columns: list[str], delimiter: str) -> str:
    return delimiter.join(columns) + "\n"


def _read_frame(text: str, columns: list[str], delimiter: str, decimal: str) -> pd.DataFrame:
    def read(kinds: dict[str, str]) -> pd.DataFrame:
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
    # pandas reads integers of more than 64 bits as Python integers, or as text in which missing
    # values are text too. With dtype str it keeps the digits and recognises missing values.
    kinds = {name: kind for name, column in frame.items() if (kind := _misread(column))}
    kinds |= dict.fromkeys(_find_codes(text, frame, delimiter), "str")
    return read(kinds) if kinds else frame


def _misread(column: pd.Series) -> str:
    """Return the dtype with which a column must be read again, or an empty string."""
    if pd.api.types.is_object_dtype(column.dtype):
        return "boolean" if pd.api.types.infer_dtype(column, skipna=True) == "boolean" else "str"
    if not pd.api.types.is_string_dtype(column.dtype):
        return ""
    return "str" if column.dropna().str.fullmatch(_LONG_INTEGER).any() else ""


def _find_codes(text: str, frame: pd.DataFrame, delimiter: str) -> list[str]:
    """Return the columns of digits in which some values begin with a zero: codes, not numbers."""
    edge = rf'(?:^|[{re.escape(delimiter)}" ])'
    if not re.search(rf'{edge}0[0-9]+(?=$|[{re.escape(delimiter)}" ])', text, re.MULTILINE):
        return []
    whole = [
        name
        for name, column in frame.items()
        if pd.api.types.is_numeric_dtype(column.dtype)
        and not pd.api.types.is_bool_dtype(column.dtype)
        and (column.dropna() == np.floor(column.dropna())).all()
    ]
    if not whole:
        return []
    written = pd.read_csv(
        StringIO(text),
        sep=delimiter,
        header=0,
        names=list(frame.columns),
        index_col=False,
        usecols=whole,
        dtype="str",
        na_values=["?"],
        skipinitialspace=True,
    )
    return [name for name in whole if _holds_codes(written[name].dropna())]


def _holds_codes(texts: pd.Series) -> bool:
    return bool(texts.str.fullmatch(_CODE).any() and texts.str.fullmatch(r"\s*[0-9]+\s*").all())


def _sniff(text: str) -> str:
    header = re.sub(r'"[^"]*"', "", text.lstrip("\n").split("\n", 1)[0])
    return max(_DELIMITERS, key=header.count)  # ties: the first


def _check_shape(
    text: str, delimiter: str, path: Path, header: bool | None
) -> tuple[list[str], IntegerArray]:
    """Return the column names and the line of each row; raise if the row lengths differ."""
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
                pass  # a blank line, which pandas skips too
            elif not columns and header is False:
                columns = [f"column{j + 1}" for j in range(len(row))]
                lines.append(line)
            elif not columns:
                columns = check_names(row, path, line, header=header)
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
        raise DataError.at(path, line, _explain(error)) from error
    if not lines:
        raise DataError.at(path, None, "there are no rows below the column names")
    return columns, np.array(lines)


def _explain(error: csv.Error) -> str:
    if "field limit" in str(error):
        return (
            f"a value has more than {csv.field_size_limit()} characters; perhaps a quote is opened "
            "but not closed"
        )
    return str(error)


def _with_end(lines: list[str]) -> Iterator[str]:
    """Yield the lines with their ends, and a last line that becomes part of an open quote."""
    for line in lines:
        yield line + "\n"
    yield _END


def _has_decimal_commas(frame: pd.DataFrame) -> bool:
    """Return whether a column holds numbers with decimal commas, such as 1,5."""
    texts = (
        column.dropna()
        for _, column in frame.items()
        if pd.api.types.is_string_dtype(column.dtype) and column.count()
    )
    return any(
        text.str.fullmatch(_DECIMAL_COMMA).all() and not text.str.fullmatch(_AMBIGUOUS_COMMA).all()
        for text in texts
    )


def _join_groups(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Read 1.234 and 1.234,5 as numbers, in a file with decimal commas."""
    for name, column in frame.items():
        if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
            continue
        known = column.dropna().str.strip()
        if (
            known.str.fullmatch(_GROUPS_OF_DOTS).all()
            and known.str.contains(".", regex=False).any()
        ):
            plain = column.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
            frame[name] = pd.to_numeric(plain)
            example = known[known.str.contains(".", regex=False)].index[0]
            warning = DataWarning(
                f"{path}: column {name!r}: {column[example]!r} is read as "
                f"{frame[name][example]:g}, since other columns have decimal commas"
            )
            warnings.warn(warning, stacklevel=5)
    return frame


def _warn_of_text(column: pd.Series, lines: IntegerArray, path: Path) -> None:
    """Warn of a column of numbers that is read as text."""
    if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
        return
    known = column.dropna().str.strip()
    numeric = np.array([is_number(text) for text in known.tolist()])
    share = numeric.mean()
    if share < _MIN_NUMERIC_SHARE:
        return
    kind: type[DataWarning] = DataWarning
    if share < 1:
        stray, kind = known.index[~numeric][0], StrayTextWarning
        reason = (
            f"has {excerpt(column[stray])} among {int(numeric.sum())} numbers and is therefore "
            "read as text; if it should be numeric, correct that value or write ? if it is missing"
        )
    elif (long := known.str.fullmatch(_LONG_INTEGER)).any():
        stray = known[long].str.len().idxmax()
        reason = (
            f"has integers of more than 64 bits, as {excerpt(column[stray])}, and is therefore "
            f"read as text; if it should be numeric, write them with a decimal point"
        )
    else:
        return
    warning = kind(f"{path}, line {lines[stray]}: column {column.name!r} {reason}")
    warnings.warn(warning, stacklevel=5)
