"""A column of labels, and how Python values become one."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.kernels import codes_present


@dataclass(frozen=True, eq=False)
class Nominal:
    """A column of labels.

    Parameters
    ----------
    codes : integers; a code outside 0 … len(labels) - 1 is missing
    labels : what each code stands for
    declared : whether labels without a row are states as well
    complete : whether no code can be missing
    """

    codes: Array
    labels: Sequence[Hashable]
    declared: bool = False
    complete: bool = False

    def present(self) -> tuple[Array, bool]:
        """Return for each label whether a row has it, and whether a row has none."""
        return codes_present(self.codes, len(self.labels), complete=self.complete)

    def translate(self, meaning: Array) -> Array:
        """Return for each row the meaning of its label; the last is that of no label."""
        n_labels = len(self.labels)
        identical = np.array_equal(meaning[:n_labels], np.arange(n_labels))
        # They are codes already, unless one outside them must become the last meaning.
        if (
            identical
            and self.codes.dtype.kind == "u"
            and (self.complete or meaning[n_labels] == n_labels)
        ):
            return self.codes
        # Fancy indexing reads -1 as the last entry; other codes outside are n_labels.
        return meaning[self.codes]


def is_missing(value: Any) -> bool:
    """Return whether a Python value stands for a missing one: None, NaN, NaT, pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def object_array(values: list[Any]) -> Array:
    """Return Python values in one dimension, whatever NumPy would make of them."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def are_numbers(values: Array) -> bool:
    """Return whether an object column has numbers only (an entirely missing one has)."""
    return all(
        (isinstance(v, Real | Decimal) and not isinstance(v, bool | np.bool_)) or is_missing(v)
        for v in values.tolist()
    )


def nominal_from_objects(values: Array, name: str) -> Nominal:
    """Read Python values as labels."""
    seen: dict[Any, int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for row, value in enumerate(values.tolist()):
        if is_missing(value):
            codes[row] = -1
            continue
        if not isinstance(value, str | bytes | Real | Decimal | np.bool_):
            raise TypeError(
                f"column {name!r} must be text, numbers or booleans, got {type(value).__name__} in "
                f"row {row} (argument must be a string or a number): convert it (a date to a "
                "number, a tuple to text, say) or drop it"
            )
        codes[row] = seen.setdefault(value, len(seen))
    return Nominal(codes, list(seen))


def nominal_from_booleans(codes: Array, *, complete: bool = False) -> Nominal:
    """Read truth values as 0, 1 and -1 (missing): both are states, whether present or not."""
    return Nominal(codes, [False, True], declared=True, complete=complete)


def numbers_from_objects(values: Array, name: str) -> Array:
    """Read Python values as float64; what stands for a missing one becomes NaN."""
    try:
        return np.array([np.nan if is_missing(v) else v for v in values.tolist()], dtype=np.float64)
    except OverflowError:
        raise ValueError(
            f"column {name!r} must hold numbers below 1.8e308, got a larger one"
        ) from None
    except (TypeError, ValueError):
        stranger = next(
            v for v in values.tolist() if not isinstance(v, Real | Decimal) and not is_missing(v)
        )
        raise held_numbers(name, repr(stranger)) from None


def held_numbers(name: str, found: str) -> TypeError:
    """Return the error for labels where `fit` saw numbers."""
    return TypeError(f"column {name!r} held numbers in fit and must hold numbers now, got {found}")


def unreadable(name: str, dtype: object) -> TypeError:
    """Return the error for a column that is neither numbers nor labels."""
    return TypeError(
        f"column {name!r} must be numbers, text, booleans or categories, got dtype {dtype}: "
        "convert it (a date to a number or a category, say) or drop it"
    )
