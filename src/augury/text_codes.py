"""Codes of the different texts of a column, found once for each column.

Several steps need the different texts of a column: the reader of a file, `TidyColumns` and
`TableEncoder`. pandas keeps the texts in an Arrow array, which never changes. The codes of an
array are therefore remembered as long as the array exists.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray

# The codes of fewer rows are not remembered: they are found again in less time than pandas'
# functions take to begin.
MANY_ROWS = 1000
_CODE_TYPES = (np.int8, np.int16, np.int32, np.int64)


@dataclass(frozen=True, eq=False)
class TextCodes:
    """The different texts of a column.

    Attributes
    ----------
    codes : array, one for each row
        The position of its text, as the shortest signed integers that hold all positions; -1 if
        the value is missing.
    texts : Series of dtype str
        The texts, in the order of their first rows.
    """

    codes: IntegerArray
    texts: pd.Series


# Codes by the identity of the Arrow array. The reference is weak: it does not keep the array.
_known: dict[int, tuple[weakref.ref[Any], TextCodes]] = {}


def text_codes(column: pd.Series) -> TextCodes:
    """Return the codes of a column of texts.

    Examples
    --------
    >>> found = text_codes(pd.Series(["b", None, "a", "b"]))
    >>> found.codes.tolist(), found.texts.tolist()
    ([0, -1, 1, 0], ['b', 'a'])
    """
    array = arrow_array(column) if len(column) >= MANY_ROWS else None
    if array is not None and (known := _known.get(id(array))) is not None:
        return known[1]
    codes, labels = pd.factorize(_objects_or_same(column))
    found = TextCodes(shorten_codes(codes, len(labels)), pd.Series(labels).astype("str"))
    if array is not None:
        remember_codes(array, found)
    return found


def _objects_or_same(column: pd.Series) -> Any:
    """Return texts that are Python objects as these, which pandas codes in half of the time."""
    dtype = column.dtype
    if isinstance(dtype, pd.StringDtype) and dtype.storage == "python":
        return column.to_numpy(dtype=object)
    return column


def arrow_array(column: pd.Series) -> Any:
    """Return the Arrow array of a column of texts; None if pandas keeps them in another way."""
    dtype = column.dtype
    if not isinstance(dtype, pd.StringDtype) or dtype.storage != "pyarrow":
        return None
    return column.array.__arrow_array__()


def remember_codes(array: Any, found: TextCodes) -> None:
    """Remember the codes of an Arrow array as long as the array exists."""
    key = id(array)
    _known[key] = (weakref.ref(array, lambda _: _known.pop(key, None)), found)


def shorten_codes(codes: IntegerArray, n_codes: int) -> IntegerArray:
    """Return codes of -1 … n_codes - 1 as the shortest integers."""
    dtype = next(each for each in _CODE_TYPES if n_codes - 1 <= np.iinfo(each).max)
    return codes.astype(dtype, copy=False)


__all__ = ["MANY_ROWS", "TextCodes", "arrow_array", "remember_codes", "shorten_codes", "text_codes"]
