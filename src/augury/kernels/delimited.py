"""Rows of delimited text."""

from typing import NamedTuple

import numpy as np

from augury.arrays import BoolArray, IntegerArray
from augury.kernels import _native

_HAS_CODE, _HAS_LONG_INTEGER, _HAS_BLANKS = 1, 2, 4


class ScannedRows(NamedTuple):
    """Rows of delimited text that all have the same number of values.

    Attributes
    ----------
    lines : array, one for each row
        Its line.
    has_blanks : bool
        Whether a value or a blank line begins with a blank.
    has_code, has_long_integer : arrays, one for each column
        Whether a value is digits that begin with 0, or an integer of 16 digits or more.
    """

    lines: IntegerArray
    has_blanks: bool
    has_code: BoolArray
    has_long_integer: BoolArray


def scan_rows(
    text: bytes, delimiter: str, n_columns: int, *, start: int, line: int, max_field: int
) -> ScannedRows | None:
    r"""Find the rows of delimited text from a place on, by the rules of Python's csv module.

    Blanks before a value are skipped. A value in quotes may contain delimiters and line breaks,
    and a doubled quote in it is a quote. Lines of blanks are no rows. Lines end with `\n`.

    Parameters
    ----------
    text : bytes in UTF-8
    delimiter : str
        One ASCII character.
    n_columns : int
        The number of values that each row must have.
    start, line : int
        The place of the first byte to scan, and its line.
    max_field : int
        The maximum number of bytes of a value.

    Returns
    -------
    ScannedRows or None
        None if a row has another number of values, a quote is not closed, or a value is too long.

    Examples
    --------
    >>> found = scan_rows(b'1,"a\nb"\n\n2,007\n', ",", 2, start=0, line=1, max_field=100)
    >>> found.lines.tolist(), found.has_code.tolist()
    ([1, 4], [False, True])
    """
    bytes_of_text = np.frombuffer(text, dtype=np.uint8)
    room = text.count(b"\n", start) + 1
    lines = np.empty(room, dtype=np.int64)
    marks = np.zeros(n_columns, dtype=np.uint8)
    n_rows = _native.scan_rows(bytes_of_text, ord(delimiter), start, line, max_field, lines, marks)
    if n_rows < 0:
        return None
    return ScannedRows(
        lines[:n_rows],
        bool((marks & _HAS_BLANKS).any()),
        marks & _HAS_CODE != 0,
        marks & _HAS_LONG_INTEGER != 0,
    )


__all__ = ["ScannedRows", "scan_rows"]
