"""Types of the columns of delimited text, learned from one value of each kind."""

import csv
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas._libs.parsers import STR_NA_VALUES  # the words that pandas.read_csv takes for missing

from augury.arrays import BoolArray, IntegerArray
from augury.compatibility import TEXT_DTYPE
from augury.data.errors import DataWarning
from augury.data.formats.column_names import is_number, looks_like_data
from augury.data.formats.delimited import (
    has_decimal_commas,
    is_nearly_numeric,
    join_groups,
    long_integers,
    looks_like_a_row,
    numbers_from_groups,
    stray_text,
)
from augury.data.formats.delimited_frame import MISSING_WORDS, DelimitedText, read_values
from augury.data.formats.delimited_shape import Shape
from augury.kernels import KindScanner, ScannedBlock
from augury.kernels.value_kinds import LONG_KINDS, MISSING, N_KINDS, NUMBER_KINDS, ODD

_TRUTH = frozenset("True TRUE true False FALSE false".split())
# Forms of values that are kept for a column, to bound memory. Later odd forms are not looked at.
_MAX_FORMS = 10_000
_DIGITS = bytes.maketrans(b"23456789", b"11111111")


@dataclass(frozen=True)
class ColumnTypes:
    """The dtypes of the columns, and how they are read.

    Attributes
    ----------
    dtypes : dict
        The dtype of each column, in the order of the table.
    decimal : str
        The character before decimals.
    grouped : frozenset of str
        Columns of numbers such as 1.234,5.
    declared : frozenset of str
        Columns whose dtype must be given to pandas, since it would read some values wrongly: codes
        with leading zeros, and integers of 16 digits or more.
    may_have_blanks : bool
    """

    dtypes: dict[str, Any]
    decimal: str
    grouped: frozenset[str]
    declared: frozenset[str]
    may_have_blanks: bool

    def read(
        self, text: bytes, delimiter: str, file_columns: list[str], columns: list[str]
    ) -> pd.DataFrame:
        """Return these columns of some rows of a file, which has `file_columns`.

        pandas infers the dtype of text in half the time in which it reads text of a given dtype.
        Columns whose inferred dtype is another are read again.
        """

        def read_columns(chosen: list[str], declared: Iterable[str]) -> pd.DataFrame:
            return read_values(
                BytesIO(text),
                delimiter,
                file_columns,
                has_header=False,
                may_have_blanks=self.may_have_blanks,
                decimal=self.decimal,
                usecols=chosen,
                dtype={name: self._read_dtype(name) for name in declared},
            )

        frame = read_columns(columns, self.declared.intersection(columns))[columns]
        other = [name for name in columns if frame[name].dtype != self._read_dtype(name)]
        for name in other.copy():
            if (frame[name].dtype, self.dtypes[name]) == (np.int64, np.float64):
                frame[name] = frame[name].astype(np.float64)
                other.remove(name)
        if other:
            frame[other] = read_columns(other, other)[other]
        for name in self.grouped.intersection(columns):
            frame[name] = numbers_from_groups(frame[name]).astype(self.dtypes[name])
        return frame

    def _read_dtype(self, name: str) -> Any:
        return TEXT_DTYPE if name in self.grouped else self.dtypes[name]


class _Seen(NamedTuple):
    """A value with its file and line."""

    text: bytes
    path: Path
    line: int
    is_number: bool


@dataclass
class _Column:
    """The first value of each kind of a column, in order of appearance."""

    examples: dict[int | bytes, _Seen] = field(default_factory=dict)
    n_odd_numbers: int = 0


class TypeLearner:
    """Learn the dtypes that `read_delimited` gives the columns of one or several files.

    The dtype of a column depends on the kinds of values that it has, and on the kind that comes
    first, but not on their numbers. The rules of `read_delimited` are therefore applied to a small
    table with one value of each kind, in order of appearance.

    Parameters
    ----------
    columns : list of str
    delimiter : str
    """

    def __init__(self, columns: list[str], delimiter: str) -> None:
        self._columns, self._delimiter = columns, delimiter
        self._seen = {name: _Column() for name in columns}
        self._counts = np.zeros((len(columns), N_KINDS), dtype=np.int64)
        self._has_code = np.zeros(len(columns), dtype=bool)
        self._has_long_integer = np.zeros(len(columns), dtype=bool)
        self._has_blanks = False

    def scanner(self, file_columns: list[str]) -> KindScanner:
        """Return a scanner for a file with these columns."""
        missing = frozenset(STR_NA_VALUES) | frozenset(MISSING_WORDS)
        return KindScanner(self._delimiter, file_columns, missing, _TRUTH)

    def add(self, block: ScannedBlock, file_columns: list[str], path: Path) -> None:
        """Add the kinds of values of some rows of a file."""
        order = [self._columns.index(name) for name in file_columns]
        self._counts[order] += block.counts
        self._has_code[order] |= block.has_code
        self._has_long_integer[order] |= block.has_long_integer
        self._has_blanks |= block.has_blanks
        for example in block.examples:
            column = self._seen[file_columns[example.column]]
            kind: int | bytes = example.kind
            numeric = kind in NUMBER_KINDS
            if kind == ODD:
                # Values of one form have the same digits, but for 1 to 9.
                kind = example.text.translate(_DIGITS)
                numeric = is_number(self._value(example.text).strip())
                column.n_odd_numbers += numeric
            if kind not in column.examples and len(column.examples) < _MAX_FORMS:
                column.examples[kind] = _Seen(example.text, path, example.line, numeric)

    def learn(self, path: Path, header: bool | None) -> ColumnTypes:
        """Return the dtypes; warn as `read_delimited` does.

        Parameters
        ----------
        path : Path
            The first file.
        header : bool or None
            See `read_delimited`.
        """
        content = self._table_of_examples()
        decimal, grouped = ".", frozenset[str]()
        frame = content.read_frame(decimal)
        if self._delimiter == ";" and has_decimal_commas(frame):
            decimal = ","
            plain = content.read_frame(decimal)
            frame = join_groups(plain.copy(), path)
            changed = [name for name in frame if frame[name].dtype != plain[name].dtype]
            grouped = frozenset(changed)
        if header is None and looks_like_data(frame):
            warnings.warn(looks_like_a_row(path, self._columns), stacklevel=4)
        for j, name in enumerate(self._columns):
            if pd.api.types.is_string_dtype(frame[name].dtype) and frame[name].count():
                self._warn_of_text(name, self._counts[j])
        marked = self._has_code | self._has_long_integer
        declared = frozenset(name for name, one in zip(self._columns, marked, strict=True) if one)
        dtypes = frame.dtypes.to_dict()
        return ColumnTypes(dtypes, decimal, grouped, declared, self._has_blanks)

    def _table_of_examples(self) -> DelimitedText:
        values = [
            [each.text for each in self._seen[name].examples.values()] for name in self._columns
        ]
        n_rows = max(map(len, values))
        # A column with fewer kinds repeats a value.
        columns = [[*texts, *texts[:1] * (n_rows - len(texts))] for texts in values]
        delimiter = self._delimiter.encode()
        text = b"".join(delimiter.join(row) + b"\n" for row in zip(*columns, strict=True))
        no_lines: IntegerArray = np.empty(0, dtype=np.int64)
        marks: tuple[BoolArray, BoolArray] = self._has_code, self._has_long_integer
        n_words = np.zeros(len(self._columns), dtype=np.int64)
        shape = Shape(self._columns, no_lines, False, self._has_blanks, n_words, *marks)
        return DelimitedText(lambda: BytesIO(text), self._delimiter, shape)

    def _warn_of_text(self, name: str, counts: IntegerArray) -> None:
        """Warn of a column of numbers that is read as text."""
        column = self._seen[name]
        n_values = int(counts.sum() - counts[MISSING])
        n_numbers = int(counts[list(NUMBER_KINDS)].sum()) + column.n_odd_numbers
        if not is_nearly_numeric(n_numbers, n_values):
            return
        kinds = {
            kind: each for kind, each in column.examples.items() if kind not in (MISSING, N_KINDS)
        }
        stray = next((each for each in kinds.values() if not each.is_number), None)
        long = [each for kind, each in kinds.items() if kind in LONG_KINDS]
        warning: DataWarning
        if stray is not None:
            label = self._value(stray.text)
            warning = stray_text(stray.path, stray.line, name, label, n_numbers)
        elif long:
            longest = max(long, key=lambda each: len(each.text))
            label = self._value(longest.text)
            warning = long_integers(longest.path, longest.line, name, label)
        else:
            return
        warnings.warn(warning, stacklevel=5)

    def _value(self, text: bytes) -> str:
        """Return a value without its quotes."""
        lines = text.decode().splitlines(keepends=True)
        rows = csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True)
        return next(rows)[0]


__all__ = ["ColumnTypes", "TypeLearner"]
