"""Rows of delimited text."""

from typing import NamedTuple

import numpy as np

from augury.arrays import BoolArray, IntegerArray
from augury.kernels import _native

HAS_CODE, HAS_LONG_INTEGER, HAS_BLANKS = 1, 2, 4


class ScannedRows(NamedTuple):
    """Rows of delimited text that all have the same number of values.

    Attributes
    ----------
    lines : array, one for each row
        Its line.
    n_lines : int
        The number of lines, blank ones included.
    has_blanks : bool
        Whether a value or a blank line begins with a blank.
    has_code, has_long_integer : arrays, one for each column
        Whether a value may be digits that begin with 0, or an integer of 16 digits or more.
    n_words : array, one for each column
        The number of values that begin with a letter other than n, or with $. These are neither
        numbers nor words for a missing value.
    """

    lines: IntegerArray
    n_lines: int
    has_blanks: bool
    has_code: BoolArray
    has_long_integer: BoolArray
    n_words: IntegerArray


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
    marks = np.zeros(n_columns, dtype=np.uint8)
    n_words = np.zeros(n_columns, dtype=np.int64)
    arguments = (bytes_of_text, ord(delimiter), start, line, max_field)
    no_lines = np.empty(0, dtype=np.int64)
    n_rows, n_lines = _native.scan_rows(*arguments, no_lines, marks, n_words)
    if n_rows < 0:
        return None
    if n_rows == n_lines:
        lines = np.arange(line, line + n_rows, dtype=np.int64)
    else:
        lines = np.empty(n_rows, dtype=np.int64)
        _native.scan_rows(*arguments, lines, marks, np.zeros_like(n_words))
    return ScannedRows(
        lines,
        n_lines,
        bool((marks & HAS_BLANKS).any()),
        marks & HAS_CODE != 0,
        marks & HAS_LONG_INTEGER != 0,
        n_words,
    )


__all__ = ["ScannedRows", "scan_rows"]
