"""Columns of labels, and the conversion of Python values to labels and numbers."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.kernels import codes_present

# Types of labels, and the kinds of numbers by `pandas.api.types.infer_dtype`.
_LABELS = (str, bytes, Real, Decimal, np.bool_)
_PLAIN = (str, int, float, np.bool_, np.number)
_NUMBER_KINDS = ("integer", "floating", "mixed-integer-float", "decimal", "empty")


@dataclass(frozen=True, eq=False)
class Nominal:
    """A column of labels.

    Parameters
    ----------
    codes : code of each row; a code outside 0 … len(labels) - 1 is a missing value
    labels : label of each code
    declared : whether labels that no row has are states too
    complete : whether it is known that no value is missing
    """

    codes: IntegerArray
    labels: Sequence[Hashable]
    declared: bool = False
    complete: bool = False

    def present(self) -> tuple[BoolArray, bool]:
        """Return for each label whether it occurs, and whether a value is missing."""
        return codes_present(self.codes, len(self.labels), complete=self.complete)

    def translate(self, new_codes: IntegerArray) -> IntegerArray:
        """Return the new code of each row's label; the last new code is for missing values."""
        n_labels = len(self.labels)
        unchanged = np.array_equal(new_codes[:n_labels], np.arange(n_labels))
        if (
            unchanged
            and self.codes.dtype.kind == "u"
            and (self.complete or new_codes[n_labels] == n_labels)
        ):
            return self.codes
        # The code of a missing value is -1, which indexes the last entry, or n_labels.
        return new_codes[self.codes]


def is_missing(value: object) -> bool:
    """Return whether a Python value means a missing one: None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def object_array(values: list[Any]) -> Array:
    """Return Python values as a one-dimensional array of objects, without conversion."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def distinct_objects(values: Array) -> tuple[IntegerArray, list[Any]]:
    """Return the code of each Python value, and the distinct values as they first occur.

    The code of a missing value is -1. Equal values of different types, such as 1 and True, are
    one value, as in a dict. A value without a hash raises a TypeError.

    >>> codes, values = distinct_objects(object_array(["b", None, "a", "b"]))
    >>> codes.tolist(), values
    ([0, -1, 1, 0], ['b', 'a'])
    """
    import pandas as pd  # its hash table is written in C

    codes, distinct = pd.factorize(values.astype(object, copy=False), use_na_sentinel=True)
    return codes, distinct.tolist()


def are_numbers(values: Array) -> bool:
    """Return whether all values of an object column are numbers or missing."""
    from pandas.api.types import infer_dtype

    if infer_dtype(values, skipna=True) in _NUMBER_KINDS:
        return True
    return all(
        (isinstance(v, Real | Decimal) and not isinstance(v, bool | np.bool_)) or is_missing(v)
        for v in values.tolist()
    )


def nominal_from_objects(values: Array, name: str) -> Nominal:
    """Read Python values as labels."""
    try:
        codes, labels = distinct_objects(values)
    except TypeError:  # a value has no hash
        labels = values.tolist()
    if not all(isinstance(label, _LABELS) for label in labels):
        row, kind = next(
            (row, type(value).__name__)
            for row, value in enumerate(values.tolist())
            if not isinstance(value, _LABELS) and not is_missing(value)
        )
        raise TypeError(
            f"column {name!r} must be text, numbers or booleans, got {kind} in row {row} (argument "
            "must be a string or a number): convert it (a date to a number, a tuple to text, say) "
            "or drop it"
        )
    return with_plain_labels(Nominal(codes, labels))


def with_plain_labels(column: Nominal) -> Nominal:
    """Return a column whose labels are text, int, float or bool, which model files hold.

    Intervals, dates and other objects become their text, and bytes the text that they encode.
    Decimal numbers become int or float. Labels that become the same are one label.

    >>> column = Nominal(np.array([1, 0, -1]), [b"b", Decimal("2")])
    >>> with_plain_labels(column).labels
    ['b', 2]
    """
    if all(isinstance(label, _PLAIN) for label in column.labels):
        return column
    position: dict[Hashable, int] = {}
    labels = map(_plain_label, column.labels)
    meaning = [position.setdefault(label, len(position)) for label in labels]
    is_distinct = len(position) == len(meaning)
    codes = column.codes if is_distinct else np.array([*meaning, -1])[column.codes]
    return replace(column, codes=codes, labels=list(position))


def _plain_label(label: Hashable) -> Hashable:
    if isinstance(label, _PLAIN):
        return label
    if isinstance(label, Decimal):
        is_whole = label.is_finite() and label == label.to_integral_value()
        return int(label) if is_whole else float(label)
    return label.decode(errors="backslashreplace") if isinstance(label, bytes) else str(label)


def nominal_from_booleans(codes: IntegerArray, *, complete: bool = False) -> Nominal:
    """Return a column with the states False and True from the codes 0, 1 and -1 (missing)."""
    return Nominal(codes, [False, True], declared=True, complete=complete)


def numbers_from_objects(values: Array, name: str) -> FloatArray:
    """Read Python values as float64; missing values become NaN."""
    from pandas import isna

    try:
        return np.where(isna(values), np.nan, values).astype(np.float64)
    except OverflowError:
        raise ValueError(
            f"column {name!r} must hold numbers below 1.8e308, got a larger one"
        ) from None
    except (TypeError, ValueError):
        other = next(
            v for v in values.tolist() if not isinstance(v, Real | Decimal) and not is_missing(v)
        )
        raise held_numbers(name, repr(other)) from None


def held_numbers(name: str, found: str) -> TypeError:
    """Return the error for labels in a column that held numbers in `fit`."""
    return TypeError(f"column {name!r} held numbers in fit and must hold numbers now, got {found}")


def unreadable(name: str, dtype: object) -> TypeError:
    """Return the error for a column of a type that is neither numbers nor labels."""
    return TypeError(
        f"column {name!r} must be numbers, text, booleans or categories, got dtype {dtype}: "
        "convert it (a date to a number or a category, say) or drop it"
    )
