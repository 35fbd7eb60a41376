"""The shape of delimited text: column names, and the line of each row."""

import csv
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augury.arrays import BoolArray, IntegerArray
from augury.data.errors import DataError
from augury.data.formats.column_names import check_names
from augury.kernels import ScannedRows, scan_rows
from augury.text_table import count_text

_END = "\0"  # an added last line: no text file contains this character


@dataclass(frozen=True, eq=False)
class Shape:
    """Columns and rows of a text in which every row has one value for each column.

    Attributes
    ----------
    columns : list of str
    lines : array, one for each row
        Its line, counted from 1.
    has_header : bool
        Whether the names of the columns are in the text.
    may_have_blanks : bool
        False if no value and no blank line begins with a blank.
    n_words : array, one for each column
        A number of values that are neither numbers nor missing; there may be more.
    may_have_codes, may_have_long_integers : arrays, one for each column
        False if no value is digits that begin with 0, or an integer of 16 digits or more.
    """

    columns: list[str]
    lines: IntegerArray
    has_header: bool
    may_have_blanks: bool
    n_words: IntegerArray
    may_have_codes: BoolArray
    may_have_long_integers: BoolArray


def find_shape(text: bytes, delimiter: str, path: Path, header: bool | None) -> Shape:
    """Return columns and rows; raise a `DataError` if the row lengths differ.

    A scan in C proves that all rows have the same number of values. Where it cannot, Python's csv
    module reads the text again and finds the line and the reason.
    """
    has_header = header is not False
    first = read_first(text, delimiter)
    if first is not None:
        columns = name_columns(first.row, path, first.line, header)
        start, line = (first.end, first.next_line) if has_header else (first.start, first.line)
        limit = csv.field_size_limit()
        found = scan_rows(text, delimiter, len(columns), start=start, line=line, max_field=limit)
        if found is not None and len(found.lines):
            marks = (found.has_blanks, found.n_words, found.has_code, found.has_long_integer)
            return Shape(columns, found.lines, has_header, *marks)
    columns, lines = check_shape(text.decode(), delimiter, path, header)
    unknown = np.ones(len(columns), dtype=bool)
    n_words = np.zeros(len(columns), dtype=np.int64)
    return Shape(columns, lines, has_header, True, n_words, unknown, unknown)


def find_shape_in_pieces(
    pieces: Iterable[bytes], delimiter: str, path: Path, header: bool | None
) -> Shape | None:
    """Return columns and rows of a text that comes in pieces of whole lines.

    Returns None if the scan of one piece after another proves nothing: the text has an error, or
    a value in quotes runs over two pieces.
    """
    columns: list[str] = []
    parts: list[ScannedRows] = []
    line, limit = 1, csv.field_size_limit()
    for piece in pieces:
        start = 0
        if not columns:
            first = read_first(piece, delimiter)
            if first is None:
                return None
            try:
                columns = name_columns(first.row, path, first.line, header)
            except DataError:
                return None  # the whole text may have a more serious error
            has_header = header is not False
            start, line = (first.end, first.next_line) if has_header else (first.start, first.line)
        found = scan_rows(piece, delimiter, len(columns), start=start, line=line, max_field=limit)
        if found is None:
            return None
        parts.append(found)
        line += found.n_lines
    if not any(len(part.lines) for part in parts):
        return None
    return Shape(
        columns,
        np.concatenate([part.lines for part in parts]),
        header is not False,
        any(part.has_blanks for part in parts),
        np.sum([part.n_words for part in parts], axis=0),
        np.any([part.has_code for part in parts], axis=0),
        np.any([part.has_long_integer for part in parts], axis=0),
    )


@dataclass(frozen=True)
class FirstRow:
    """The first row that is not blank: its values, place and line, and what follows it."""

    row: list[str]
    start: int
    line: int
    end: int
    next_line: int


def read_first(text: bytes, delimiter: str) -> FirstRow | None:
    """Return the first row that is not blank, or None if it cannot be read."""
    blanks = " \t".replace(delimiter, "")
    start, line = 0, 1
    while start < len(text):
        end = _end_of_line(text, start)
        if text[start:end].decode().strip(blanks + "\n"):
            break
        start, line = end, line + 1
    ends: list[int] = []
    reader = csv.reader(
        itertools.chain(_lines_from(text, start, ends), [_END]),
        delimiter=delimiter,
        skipinitialspace=True,
    )
    try:
        row = next(reader)
    except csv.Error:
        return None
    if row[-1].endswith(_END):
        return None
    return FirstRow(row, start, line, ends[-1], line + reader.line_num)


def _end_of_line(text: bytes, start: int) -> int:
    """Return the place behind the line that begins at `start`."""
    return text.find(b"\n", start) + 1 or len(text)


def _lines_from(text: bytes, start: int, ends: list[int]) -> Iterator[str]:
    """Yield the lines from a place on, and note where each ends."""
    while start < len(text):
        end = _end_of_line(text, start)
        ends.append(end)
        yield text[start:end].decode()
        start = end


def name_columns(row: list[str], path: Path, line: int, header: bool | None) -> list[str]:
    """Return the names in the first row, or column1, column2, … if `header` is False."""
    if header is False:
        return [f"column{j + 1}" for j in range(len(row))]
    return check_names(row, path, line, header=header)


def check_shape(
    text: str, delimiter: str, path: Path, header: bool | None
) -> tuple[list[str], IntegerArray]:
    """Return the column names and the line of each row; raise if the row lengths differ."""
    columns: list[str] = []
    lines: list[int] = []
    for line, row in read_rows(text, delimiter, path):
        if columns:
            check_length(row, len(columns), path, line)
            lines.append(line)
        else:
            columns = name_columns(row, path, line, header)
            if header is False:
                lines.append(line)
    if not lines:
        raise no_rows(path)
    return columns, np.array(lines)


def read_rows(
    text: str, delimiter: str, path: Path, line: int = 1, *, is_last: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and values of each row that is not blank, by Python's csv module.

    Parameters
    ----------
    text, delimiter, path
    line : int
        The line of the beginning of the text.
    is_last : bool
        Whether the file ends with the text. Otherwise its last line is complete, but a quote may
        be open.

    Raises
    ------
    DataError
        If a quote is not closed, or a value is too long.
    """
    written = text.split("\n")
    reader = csv.reader(_with_end(written), delimiter=delimiter, skipinitialspace=True)
    blanks = " \t".replace(delimiter, "")
    first = line
    try:
        for row in reader:
            if row == [_END]:
                break
            if row and row[-1].endswith(_END):
                if is_last:
                    raise DataError.at(path, line, "a quote is opened but not closed")
                break
            if written[line - first].strip(blanks):  # pandas skips blank lines too
                yield line, row
            line = first + reader.line_num  # a quoted value may run over several lines
    except csv.Error as error:
        raise DataError.at(path, line, _explain(error)) from error


def check_length(row: list[str], n_columns: int, path: Path, line: int) -> None:
    """Raise a `DataError` unless a row has a value for each column."""
    if len(row) != n_columns:
        raise DataError.at(
            path,
            line,
            f"expected {count_text(n_columns, 'value')}, one for each column, found {len(row)}",
        )


def no_rows(path: Path) -> DataError:
    """Return the error for a file without rows."""
    return DataError.at(path, None, "there are no rows below the column names")


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


__all__ = [
    "FirstRow",
    "Shape",
    "check_length",
    "check_shape",
    "find_shape",
    "find_shape_in_pieces",
    "name_columns",
    "no_rows",
    "read_first",
    "read_rows",
]
