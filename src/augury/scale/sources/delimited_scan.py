"""One pass over a CSV or TSV file: its columns, ranges of rows, and kinds of values."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from augury.data.errors import DataError
from augury.data.formats.delimited import find_delimiter
from augury.data.formats.delimited_shape import (
    FirstRow,
    check_length,
    check_shape,
    name_columns,
    read_first,
    read_rows,
)
from augury.data.formats.text import with_plain_ends
from augury.kernels import KindScanner, ScannedBlock
from augury.scale.sources.text_files import Utf8File, raw_length

_HEAD, _MAX_HEAD = 1 << 16, 1 << 26


@dataclass(frozen=True)
class Head:
    """What the beginning of a file tells.

    Attributes
    ----------
    columns : list of str
    delimiter : str
    start, line : int
        The place of the first row in the file, and its line.
    """

    columns: list[str]
    delimiter: str
    start: int
    line: int


@dataclass(frozen=True)
class RowRange:
    """Rows between two places of a file: their number, and their first and last line."""

    start: int
    end: int
    first_line: int
    last_line: int
    n_rows: int


def read_head(text: Utf8File, delimiter: str | None, header: bool | None) -> Head:
    """Return the columns and the delimiter of a file, by the rules of `read_delimited`.

    Raises
    ------
    DataError
        If the first row cannot be read, or its names are missing or equal.
    """
    size = _HEAD
    while True:
        raw = _read_raw(text, size)
        is_whole = len(raw) < size
        plain = with_plain_ends(raw)
        content, found = find_delimiter(plain, delimiter)
        first = read_first(content, found)
        if is_whole or (first and first.end < len(content)) or size >= _MAX_HEAD:
            break
        size *= 4
    if is_whole and not content.decode().strip():
        raise DataError.at(text.path, None, "the file is empty")
    if first is None:
        check_shape(content.decode(errors="ignore"), found, text.path, header)
        raise DataError.at(text.path, None, "the first row cannot be read")
    columns = name_columns(first.row, text.path, first.line, header)
    place, line = _first_row(first, header)
    # A line of Excel may have been left out of the content.
    start = raw_length(raw, place + len(plain) - len(content))
    return Head(columns, found, text.start + start, line)


def scan_rows_of(
    text: Utf8File, head: Head, scanner: KindScanner, block_bytes: int
) -> Iterator[tuple[RowRange, ScannedBlock]]:
    """Yield the rows of a file in ranges of about `block_bytes`, and the kinds of their values.

    Rows end where Python's csv module ends them, so that a quoted value may have line breaks.

    Raises
    ------
    DataError
        If a row has another number of values, or a quote is not closed; the message names the line.
    """
    place, line = head.start, head.line
    raw = b""
    with text.file.path.open("rb") as file:
        file.seek(place)
        while True:
            piece = file.read(max(block_bytes - len(raw), len(raw), 1))
            raw += piece
            is_last = not piece
            if is_last and not raw:
                return
            # A line may end with two bytes, the second of which is still to come.
            cut = len(raw) - (raw.endswith(b"\r") and not is_last)
            content = with_plain_ends(raw[:cut])
            block = _scan(content, is_last, line, head, scanner, text.path)
            if block is None or block.end == 0:
                continue  # a row is longer than the block
            length = raw_length(raw[:cut], block.end)
            if block.n_rows:
                span = (place, place + length, line, block.next_line - 1)
                yield RowRange(*span, block.n_rows), block
            place, line = place + length, block.next_line
            raw = raw[length:]


def _read_raw(text: Utf8File, size: int) -> bytes:
    with text.file.path.open("rb") as file:
        file.seek(text.start)
        return file.read(size)


def _first_row(first: FirstRow, header: bool | None) -> tuple[int, int]:
    if header is False:
        return first.start, first.line
    return first.end, first.next_line


def _scan(
    content: bytes, is_last: bool, line: int, head: Head, scanner: KindScanner, path: Path
) -> ScannedBlock | None:
    """Return the complete rows of a block; None if more text is needed to read one.

    Raises the error that Python's csv module finds.
    """
    limit = csv.field_size_limit()
    block = scanner.scan(content, is_last=is_last, line=line, max_field=limit)
    if block is not None:
        return block
    end = len(content) if is_last else content.rfind(b"\n") + 1
    checked = content[:end].decode()
    for row_line, row in read_rows(checked, head.delimiter, path, line, is_last=is_last):
        check_length(row, len(head.columns), path, row_line)
    # The csv module counts characters, the scanner counts bytes.
    block = scanner.scan(content, is_last=is_last, line=line, max_field=len(content))
    if block is None and is_last:
        raise DataError.at(path, line, "the rows from here on cannot be read")
    return block


__all__ = ["Head", "RowRange", "read_head", "scan_rows_of"]
