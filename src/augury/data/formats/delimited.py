"""Reader of CSV and TSV: a line of column names, then rows of values."""

import itertools
import os
import re
import warnings
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.data.dataset import RawTable
from augury.data.errors import DataError, DataWarning, StrayTextWarning, excerpt
from augury.data.formats.column_names import NUMBER, looks_like_data
from augury.data.formats.delimited_frame import LONG_INTEGER, DelimitedText
from augury.data.formats.delimited_shape import find_shape, find_shape_in_pieces
from augury.data.formats.text import WholeTextError, read_plain_lines, read_utf8
from augury.text_codes import text_codes

_DELIMITERS = ",;\t|"

# A text column with at least this share of numbers is probably a column of numbers.
_MIN_NUMERIC_SHARE = 0.9
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+(,[0-9]+)?")
# 1,234 may also mean 1234; 0,125 and 12,5 may not.
_AMBIGUOUS_COMMA = re.compile(r"[-+]?([1-9][0-9]{0,2},[0-9]{3}|[0-9]+)")
_GROUPS_OF_DOTS = re.compile(r"[-+]?([1-9][0-9]{0,2}(\.[0-9]{3})+|[0-9]+)(,[0-9]+)?")
_EXCEL_NOTE = re.compile(rb"sep=([,;\t|])\n")  # a line that Excel writes and reads


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
    written = path.stat()
    content = _scan(path, delimiter, header, max_size)
    if content is None:
        content = _read_whole(path, delimiter, header, max_size)
    shape = content.shape
    columns, lines = shape.columns, shape.lines
    try:
        frame = content.read_frame(".")
        if content.delimiter == ";" and has_decimal_commas(frame):
            frame = join_groups(content.read_frame(","), path)
    finally:
        _require_unchanged(path, written)  # also if that is the cause of an error
    del content
    if header is None and looks_like_data(frame):
        warnings.warn(looks_like_a_row(path, columns), stacklevel=4)
    for (_, column), n_words in zip(frame.items(), shape.n_words.tolist(), strict=True):
        _warn_of_text(column, n_words, lines, path)
    return RawTable(frame, lines=lines)


def _scan(
    path: Path, delimiter: str | None, header: bool | None, max_size: float | None
) -> DelimitedText | None:
    """Return a plain file whose rows are regular; None if that takes another look.

    The text is scanned and read piece by piece, so that it is never in memory as a whole.
    """
    pieces = read_plain_lines(path, max_size)
    try:
        first = next(pieces, b"")
        if _EXCEL_NOTE.match(first):
            return None
        delimiter = delimiter or _sniff(first)
        shape = find_shape_in_pieces(itertools.chain([first], pieces), delimiter, path, header)
    except WholeTextError:
        return None
    if shape is None:
        return None
    return DelimitedText(lambda: path.open("rb"), delimiter, shape)


def _read_whole(
    path: Path, delimiter: str | None, header: bool | None, max_size: float | None
) -> DelimitedText:
    text, delimiter = find_delimiter(read_utf8(path, max_size), delimiter)
    shape = find_shape(text, delimiter, path, header)
    return DelimitedText(lambda: BytesIO(text), delimiter, shape)


def _require_unchanged(path: Path, written: os.stat_result) -> None:
    """Raise if a file has been written again since it was scanned."""
    now = path.stat()
    if (now.st_size, now.st_mtime_ns) != (written.st_size, written.st_mtime_ns):
        raise DataError.at(path, None, "was changed while it was read", advice="read it again")


def find_delimiter(text: bytes, delimiter: str | None) -> tuple[bytes, str]:
    """Return a text without the line in which Excel notes the delimiter, and the delimiter.

    The text has the same length in lines.
    """
    if note := _EXCEL_NOTE.match(text):
        # A blank line takes its place, so that the line numbers of the others stay.
        return b"\n" + text[note.end() :], note[1].decode()
    return text, _sniff(text) if delimiter is None else delimiter


def looks_like_a_row(path: Path, columns: list[str]) -> DataWarning:
    """Return the warning of column names that are probably values."""
    return DataWarning(
        f"{path}: the first line looks like a row of data ({excerpt(', '.join(columns))}), "
        "but is read as the column names",
        advice="{no_header} reads it as a row, {header} says that it has the names",
    )


def _sniff(text: bytes) -> str:
    start = 0
    while text.startswith(b"\n", start):
        start += 1
    end = text.find(b"\n", start)
    line = text[start : None if end < 0 else end].decode()
    header = re.sub(r'"[^"]*"', "", line)
    return max(_DELIMITERS, key=header.count)  # ties: the first


def has_decimal_commas(frame: pd.DataFrame) -> bool:
    """Return whether a column holds numbers with decimal commas, such as 1,5."""
    columns = (
        column.dropna().unique().tolist()
        for _, column in frame.items()
        if pd.api.types.is_string_dtype(column.dtype) and column.count()
    )
    return any(
        all(map(_DECIMAL_COMMA.fullmatch, texts))
        and not all(map(_AMBIGUOUS_COMMA.fullmatch, texts))
        for texts in columns
    )


def join_groups(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Read 1.234 and 1.234,5 as numbers, in a file with decimal commas."""
    for name, column in frame.items():
        if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
            continue
        texts = column.dropna().unique().tolist()
        example = next((text for text in texts if "." in text), None)
        if example and all(_GROUPS_OF_DOTS.fullmatch(text.strip()) for text in texts):
            frame[name] = numbers_from_groups(column)
            value = float(example.replace(".", "").replace(",", "."))
            warning = DataWarning(
                f"{path}: column {name!r}: {example!r} is read as {value:g}, since other columns "
                "have decimal commas"
            )
            warnings.warn(warning, stacklevel=5)
    return frame


def numbers_from_groups(column: pd.Series) -> pd.Series:
    """Return 1.234 and 1.234,5 as the numbers 1234 and 1234.5."""
    plain = column.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
    return pd.to_numeric(plain)


def _warn_of_text(column: pd.Series, n_words: int, lines: IntegerArray, path: Path) -> None:
    """Warn of a column of numbers that is read as text.

    At least `n_words` of its values are not numbers.
    """
    if n_words > (1 - _MIN_NUMERIC_SHARE) * len(column) + 1:
        return
    if not pd.api.types.is_string_dtype(column.dtype) or not column.count():
        return
    found = text_codes(column)
    codes, labels, texts = found.codes, found.texts, found.texts.str.strip()
    is_stray = ~texts.str.fullmatch(NUMBER).to_numpy(dtype=bool)
    counts = np.bincount(codes[codes >= 0])
    n_numbers = int(counts[~is_stray].sum())
    if not is_nearly_numeric(n_numbers, int(counts.sum())):
        return
    warning: DataWarning
    if is_stray.any():
        label = labels[stray := int(np.argmax(is_stray))]
        warning = stray_text(path, lines[np.argmax(codes == stray)], column.name, label, n_numbers)
    elif (long := texts.str.fullmatch(LONG_INTEGER)).any():
        label = labels[stray := int(texts[long].str.len().idxmax())]
        warning = long_integers(path, lines[np.argmax(codes == stray)], column.name, label)
    else:
        return
    warnings.warn(warning, stacklevel=5)


def is_nearly_numeric(n_numbers: int, n_values: int) -> bool:
    """Return whether so many of the values of a text are numbers that it should be numeric."""
    return n_numbers / n_values >= _MIN_NUMERIC_SHARE


def stray_text(path: Path, line: int, column: str, label: str, n_numbers: int) -> StrayTextWarning:
    """Return the warning of a column of numbers that is read as text because of this label."""
    return StrayTextWarning(
        f"{path}, line {line}: column {column!r} has {excerpt(label)} among {n_numbers} numbers "
        "and is therefore read as text; if it should be numeric, correct that value or write ? if "
        "it is missing"
    )


def long_integers(path: Path, line: int, column: str, label: str) -> DataWarning:
    """Return the warning of a column of integers that is read as text because of this one."""
    return DataWarning(
        f"{path}, line {line}: column {column!r} has integers of more than 64 bits, as "
        f"{excerpt(label)}, and is therefore read as text; if it should be numeric, write them "
        "with a decimal point"
    )


__all__ = [
    "find_delimiter",
    "has_decimal_commas",
    "is_nearly_numeric",
    "join_groups",
    "long_integers",
    "looks_like_a_row",
    "numbers_from_groups",
    "read_delimited",
    "stray_text",
]
