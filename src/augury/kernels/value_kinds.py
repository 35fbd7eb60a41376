"""Kinds of values in delimited text."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from augury.arrays import BoolArray, IntegerArray
from augury.kernels import _native
from augury.kernels.delimited import HAS_BLANKS, HAS_CODE, HAS_LONG_INTEGER

# Kinds of values, as in value_kinds.c.
MISSING, BOOLEAN, TEXT, ODD, _INTEGERS = range(5)
# Integers of four forms and four sizes, then decimals, exponents and groups of digits.
_N_PLAIN = _INTEGERS + 16 + 8
N_KINDS = _N_PLAIN + (_N_PLAIN - _INTEGERS)
_BETWEEN_BLANKS = _N_PLAIN - _INTEGERS
# Integers, and numbers with a point or an exponent.
_NUMBERS = range(_INTEGERS, _INTEGERS + 20)
NUMBER_KINDS = (*_NUMBERS, *(kind + _BETWEEN_BLANKS for kind in _NUMBERS))
# Integers of 19 digits or more, which may need more than 64 bits.
_LONG = [kind for kind in range(_INTEGERS, _INTEGERS + 16) if (kind - _INTEGERS) % 4]
LONG_KINDS = (*_LONG, *(kind + _BETWEEN_BLANKS for kind in _LONG))

_N_ODD = 4096  # odd values of one call


class Example(NamedTuple):
    """A value of a column: its kind, its bytes with quotes, its line, and its place in the text."""

    column: int
    kind: int
    text: bytes
    line: int
    place: int


@dataclass(frozen=True, eq=False)
class ScannedBlock:
    """The complete rows at the beginning of a block of text.

    Attributes
    ----------
    n_rows : int
    end, next_line : int
        The place behind these rows, and its line.
    has_blanks : bool
        Whether a value or a blank line begins with a blank.
    has_code, has_long_integer : arrays, one for each column
        See `ScannedRows`.
    counts : array of shape (n_columns, N_KINDS)
        The number of values of each kind.
    examples : list of Example
        The first value of each kind in each column, every odd value, and the first value that
        equals the name of its column, whose kind is `N_KINDS`.
    """

    n_rows: int
    end: int
    next_line: int
    has_blanks: bool
    has_code: BoolArray
    has_long_integer: BoolArray
    counts: IntegerArray
    examples: list[Example]


class KindScanner:
    r"""Find the kinds of the values of each column, by the rules of Python's csv module for rows.

    Values of one kind are read alike by pandas, whatever the other values of their column: short
    integers, for example, or numbers with a point. The forms that no kind has are odd; each of
    them must be looked at.

    Parameters
    ----------
    delimiter : str
        One ASCII character.
    columns : list of str
        The names of the columns.
    missing, booleans : sets of str
        The words that mean a missing value, and truth values.

    Examples
    --------
    >>> scanner = KindScanner(",", ["a", "b"], frozenset({"NA"}), frozenset({"True"}))
    >>> block = scanner.scan(b"1,NA\n2,x\n3,", is_last=False, line=1, max_field=100)
    >>> block.n_rows, block.end, block.counts[1, [MISSING, TEXT]].tolist()
    (2, 9, [1, 1])
    """

    def __init__(
        self, delimiter: str, columns: list[str], missing: frozenset[str], booleans: frozenset[str]
    ) -> None:
        self._delimiter = ord(delimiter)
        words = [(word, MISSING) for word in missing] + [(word, BOOLEAN) for word in booleans]
        listed = b"".join(
            bytes([len(word.encode()), kind]) + word.encode() for word, kind in words if word
        )
        names = [name.encode() for name in columns]
        self._words = np.frombuffer(listed, dtype=np.uint8)
        self._names = np.frombuffer(b"".join(names), dtype=np.uint8)
        self._name_ends = np.cumsum([len(name) for name in names], dtype=np.int64)

    def scan(
        self, text: bytes, *, is_last: bool, line: int, max_field: int, start: int = 0
    ) -> ScannedBlock | None:
        r"""Scan the complete rows at the beginning of a text.

        Parameters
        ----------
        text : bytes in UTF-8, with `\n` at the end of each line
        is_last : bool
            Whether the file ends here, so that the last row is complete.
        line : int
            The line of the first byte.
        max_field : int
            The maximum number of bytes of a value.
        start : int
            The place of the first byte.

        Returns
        -------
        ScannedBlock or None
            None if a row has another number of values, a quote is not closed, or a value is too
            long.
        """
        n_columns = len(self._name_ends)
        bytes_of_text = np.frombuffer(text, dtype=np.uint8)
        marks = np.zeros(n_columns, dtype=np.uint8)
        counts = np.zeros((n_columns, N_KINDS), dtype=np.int64)
        firsts = np.full((n_columns, N_KINDS + 1, 3), -1, dtype=np.int64)
        odd = np.empty((max(_N_ODD, n_columns), 4), dtype=np.int64)
        n_rows, examples = 0, []
        while True:
            found, start_of_rest, line, n_odd = _native.scan_kinds(
                bytes_of_text,
                self._delimiter,
                is_last,
                start,
                line,
                max_field,
                self._words,
                self._names,
                self._name_ends,
                marks,
                counts,
                firsts,
                odd,
            )
            if found < 0:
                return None
            n_rows += found
            for column, place, end, at_line in odd[:n_odd].tolist():
                examples.append(Example(column, ODD, text[place:end], at_line, place))
            is_full = n_odd + n_columns > len(odd)
            start = start_of_rest
            if not is_full:
                break
        for column, kind in np.argwhere(firsts[:, :, 0] >= 0).tolist():
            place, end, at_line = firsts[column, kind].tolist()
            if kind != ODD:
                examples.append(Example(column, kind, text[place:end], at_line, place))
        return ScannedBlock(
            n_rows,
            start,
            line,
            bool((marks & HAS_BLANKS).any()),
            marks & HAS_CODE != 0,
            marks & HAS_LONG_INTEGER != 0,
            counts,
            sorted(examples, key=lambda example: example.place),
        )


__all__ = [
    "BOOLEAN",
    "LONG_KINDS",
    "MISSING",
    "NUMBER_KINDS",
    "N_KINDS",
    "ODD",
    "TEXT",
    "Example",
    "KindScanner",
    "ScannedBlock",
]
