"""The values of delimited text, read by pandas."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import pandas as pd

from augury.arrays import BoolArray
from augury.compatibility import EXACT_NUMBERS, are_texts
from augury.data.formats.delimited_shape import Shape
from augury.text_codes import text_codes

MISSING_WORDS = ("?",)  # beside those that pandas knows
LONG_INTEGER = r"[-+]?[0-9]{19,}"  # may exceed 64 bits


@dataclass(frozen=True, eq=False)
class DelimitedText:
    r"""A text whose shape is known.

    Attributes
    ----------
    open : function that opens the text
        It is UTF-8 with `\n` at the end of each line.
    delimiter : str
    shape : Shape
    """

    open: Callable[[], BinaryIO]
    delimiter: str
    shape: Shape

    def read_frame(self, decimal: str) -> pd.DataFrame:
        """Return the values: numbers, text, or booleans.

        A column of digits in which some values begin with a zero is text: codes, not numbers.
        """
        coded = self._names(self.shape.may_have_codes)
        long = self._names(self.shape.may_have_long_integers)
        frame = self._read_in_pieces(decimal, dict.fromkeys(coded, "str"))
        no_codes = {name for name in coded if not _holds_codes(frame[name])}
        unlike = [
            name
            for name, column in frame.items()
            if name in no_codes or _mixes(column, may_be_long=name in long)
        ]
        if unlike:
            frame = _replace(frame, self._read(decimal, usecols=unlike))
        # pandas reads integers of more than 64 bits as Python integers, or as text in which
        # missing values are text too. With dtype str it keeps the digits and recognises missing
        # values.
        kinds = {
            name: kind
            for name, column in frame.items()
            if (kind := _misread(column, may_be_long=name in long))
        }
        if kinds:
            frame = _replace(frame, self._read(decimal, usecols=list(kinds), dtype=kinds))
        return frame

    def _names(self, chosen: BoolArray) -> set[str]:
        return {name for name, is_one in zip(self.shape.columns, chosen, strict=True) if is_one}

    def _read_in_pieces(self, decimal: str, kinds: dict[str, str]) -> pd.DataFrame:
        """Return all columns; pandas finds the type of a column for some rows at a time.

        This takes less memory and time than the whole. If the types differ, pandas warns, and the
        column has dtype object, or float64 if all are numbers.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)
            return self._read(decimal, dtype=kinds, low_memory=True)

    def _read(
        self,
        decimal: str,
        *,
        usecols: list[str] | None = None,
        dtype: dict[str, str] | None = None,
        low_memory: bool = False,
    ) -> pd.DataFrame:
        with self.open() as text:
            return read_values(
                text,
                self.delimiter,
                self.shape.columns,
                has_header=self.shape.has_header,
                may_have_blanks=self.shape.may_have_blanks,
                decimal=decimal,
                usecols=usecols,
                dtype=dtype,
                low_memory=low_memory,
            )


def read_values(
    text: BinaryIO,
    delimiter: str,
    columns: list[str],
    *,
    has_header: bool,
    may_have_blanks: bool,
    decimal: str,
    usecols: list[str] | None = None,
    dtype: Mapping[str, Any] | None = None,
    low_memory: bool = False,
) -> pd.DataFrame:
    """Return the values of a text, read by pandas with the words for missing values.

    Parameters
    ----------
    text : open file of bytes
        See `DelimitedText.open`.
    delimiter, columns, has_header, may_have_blanks
        See `DelimitedText` and `Shape`.
    decimal : str
        The character before decimals.
    usecols : list of str or None
        The columns to read.
    dtype : mapping or None
        The dtypes of columns; those of others are inferred.
    low_memory : bool
        Whether dtypes are inferred for some rows at a time.
    """
    return pd.read_csv(
        text,
        sep=delimiter,
        header=0 if has_header else None,
        names=columns,
        index_col=False,
        na_values=list(MISSING_WORDS),
        decimal=decimal,
        skipinitialspace=may_have_blanks,
        low_memory=low_memory,
        usecols=usecols,
        dtype=dtype,
        **EXACT_NUMBERS,
    )


def _mixes(column: pd.Series, *, may_be_long: bool) -> bool:
    """Return whether pieces of a column may have had several types.

    Integers of some pieces are converted to float64, which does not hold every long integer.
    """
    if column.dtype == object:
        return not are_texts(column)
    return may_be_long and column.dtype.kind == "f"


def _replace(frame: pd.DataFrame, columns: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with some columns replaced, in the same order."""
    return pd.DataFrame({**dict(frame.items()), **dict(columns.items())}, copy=False)


def _misread(column: pd.Series, *, may_be_long: bool) -> str:
    """Return the dtype with which a column must be read again, or an empty string."""
    if column.dtype == object and not are_texts(column):
        return "boolean" if pd.api.types.infer_dtype(column, skipna=True) == "boolean" else "str"
    if not may_be_long or not pd.api.types.is_string_dtype(column.dtype):
        return ""
    texts = pd.Series(column.dropna().unique())
    return "str" if texts.str.fullmatch(LONG_INTEGER).any() else ""


def _holds_codes(column: pd.Series) -> bool:
    texts = text_codes(column).texts.str.strip()
    return bool(texts.str.fullmatch("[0-9]+").all() and texts.str.fullmatch("0[0-9]+").any())


__all__ = ["LONG_INTEGER", "MISSING_WORDS", "DelimitedText", "read_values"]
