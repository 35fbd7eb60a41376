"""Checks of the attributes of a fitted object, for objects that are loaded from a file.

`fit` leaves every object consistent; a file may hold anything. A class that can be saved has
a method `_check_fitted_state`, which raises unless its attributes have the types, shapes and
ranges that `fit` gives them, so that prediction neither fails nor returns numbers that are no
probabilities. `augury.persist` calls it for every object of a model that it loads.
"""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from augury.arrays import Array

# Bound of logarithms of probabilities and of their sums.
LARGEST_LOG = 1e12
# Bound of coefficients: their product with the largest number that models read, 1e150, is finite.
LARGEST_COEFFICIENT = 1e100
# Bound of sums of counts and weights: the sum of thousands of them is finite.
LARGEST_COUNT = 1e300


class FittedStateError(ValueError):
    """An attribute has a value that no fitted object has; the message names it."""


def require(condition: object, owner: object, name: str, allowed: str) -> None:
    """Raise unless the condition holds; `allowed` describes the allowed values."""
    if not condition:
        raise FittedStateError(f"{type(owner).__name__}: {name} must be {allowed}")


def check_floats(
    owner: object,
    name: str,
    *shape: int | None,
    low: float = -np.inf,
    high: float = np.inf,
    gaps: bool = False,
) -> Array:
    """Return an attribute that is a float64 array of this shape and within these bounds.

    Parameters
    ----------
    owner : the object
    name : the attribute
    shape : length of each axis; None for any
    low, high : bounds, both allowed
        Values are finite, whatever the bounds.
    gaps : whether NaN is allowed too
    """
    return check_float_array(
        owner, name, getattr(owner, name), *shape, low=low, high=high, gaps=gaps
    )


def check_float_array(
    owner: object,
    name: str,
    value: Any,
    *shape: int | None,
    low: float = -np.inf,
    high: float = np.inf,
    gaps: bool = False,
) -> Array:
    """Return `value` if it passes the checks of `check_floats`; `name` is for the message."""
    _check_shape(owner, name, value, np.dtype(np.float64), shape)
    known = value[~np.isnan(value)] if gaps else value
    largest = float(known.max(initial=-np.inf)) if known.size else 0.0
    smallest = float(known.min(initial=np.inf)) if known.size else 0.0
    # NaN is neither; both comparisons are false.
    fits = known.size == 0 or (
        low <= smallest and largest <= high and np.isfinite([smallest, largest]).all()
    )
    require(fits, owner, name, f"finite numbers from {low:g} to {high:g}")
    array: Array = value
    return array


def check_logs(owner: object, name: str, *shape: int | None) -> Array:
    """Return an attribute that holds logarithms: finite, and so are sums of them."""
    return check_floats(owner, name, *shape, low=-LARGEST_LOG, high=LARGEST_LOG)


def check_coefficients(owner: object, name: str, *shape: int | None) -> Array:
    """Return an attribute that holds coefficients: finite, and so are products with numbers."""
    return check_floats(owner, name, *shape, low=-LARGEST_COEFFICIENT, high=LARGEST_COEFFICIENT)


def check_integers(
    owner: object, name: str, *shape: int | None, low: int = 0, high: int | None = None
) -> Array:
    """Return an attribute that is an array of integers of this shape, from low to high."""
    value = getattr(owner, name)
    require(
        isinstance(value, np.ndarray) and value.dtype.kind in "iu", owner, name, "whole numbers"
    )
    _check_shape(owner, name, value, value.dtype, shape)
    if value.size:
        smallest, largest = int(value.min()), int(value.max())
        fits = smallest >= low and (high is None or largest <= high)
        require(fits, owner, name, f"from {low} to {high}, got {smallest} to {largest}")
    array: Array = value
    return array


def check_flags(owner: object, name: str, *shape: int | None) -> Array:
    """Return an attribute that is an array of truth values of this shape."""
    value: Array = getattr(owner, name)
    _check_shape(owner, name, value, np.dtype(bool), shape)
    return value


def _check_shape(
    owner: object,
    name: str,
    value: Any,
    dtype: np.dtype[Any],
    shape: Sequence[int | None],
) -> None:
    require(type(value) is np.ndarray and value.dtype == dtype, owner, name, f"an array of {dtype}")
    fits = value.ndim == len(shape) and all(
        wanted is None or found == wanted for found, wanted in zip(value.shape, shape, strict=True)
    )
    require(fits, owner, name, f"of shape {tuple(shape)}, got {value.shape}")


def check_whole(owner: object, name: str, *, low: int = 0, high: int | None = None) -> int:
    """Return an attribute that is one whole number from low to high."""
    value = getattr(owner, name)
    fits = (
        isinstance(value, int | np.integer)
        and not isinstance(value, bool)
        and value >= low
        and (high is None or value <= high)
    )
    require(fits, owner, name, f"a whole number from {low} to {high}")
    return int(value)


def check_real(
    owner: object, name: str, *, low: float = -np.inf, high: float = LARGEST_COUNT
) -> float:
    """Return an attribute that is one finite number from low to high."""
    value = getattr(owner, name)
    fits = (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool)
        and np.isfinite(value)
        and low <= value <= high
    )
    require(fits, owner, name, f"a number from {low:g} to {high:g}")
    return float(value)


def check_texts(owner: object, name: str, n: int | None = None) -> list[str]:
    """Return an attribute that is a list or tuple of n texts."""
    value = getattr(owner, name)
    fits = isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)
    require(fits, owner, name, "a list of names")
    require(n is None or len(value) == n, owner, name, f"{n} names, got {len(value)}")
    return list(value)


def check_part(owner: object, name: str, *types: type) -> Any:
    """Return an attribute that is an object of one of these types."""
    value = getattr(owner, name)
    allowed = " or ".join(each.__name__ for each in types)
    require(isinstance(value, types), owner, name, f"a {allowed}, got {type(value).__name__}")
    return value


def check_parts(owner: object, name: str, kind: type, n: int | None = None) -> list[Any]:
    """Return an attribute that is a list or tuple of n objects of a type."""
    value = getattr(owner, name)
    fits = isinstance(value, list | tuple) and all(isinstance(part, kind) for part in value)
    require(fits, owner, name, f"a list of {kind.__name__}")
    require(n is None or len(value) == n, owner, name, f"{n} of them, got {len(value)}")
    return list(value)


def check_column_tuples(owner: object, name: str, value: Any, n_columns: int) -> None:
    """Raise unless `value` is a tuple of tuples of distinct columns below `n_columns`."""
    fits = isinstance(value, tuple) and all(
        isinstance(columns, tuple)
        and all(type(j) is int and 0 <= j < n_columns for j in columns)
        and len(set(columns)) == len(columns)
        for columns in value
    )
    require(fits, owner, name, f"tuples of distinct columns below {n_columns}")


def check_classes(owner: object, n: int | None = None) -> int:
    """Return the number of classes of a classifier; they are distinct labels of one type."""
    classes = getattr(owner, "classes_")  # noqa: B009  # of any object
    require(type(classes) is np.ndarray and classes.ndim == 1, owner, "classes_", "an array")
    labels = classes.tolist()
    kinds = {_kind(label) for label in labels}
    require(
        len(kinds) == 1 and None not in kinds,
        owner,
        "classes_",
        "labels of one type: text, numbers or truth values",
    )
    require(
        len(labels) >= 2 and len(set(labels)) == len(labels),
        owner,
        "classes_",
        "two or more distinct labels",
    )
    if kinds == {Real}:
        require(np.isfinite(labels).all(), owner, "classes_", "finite numbers")
    require(n is None or len(labels) == n, owner, "classes_", f"{n} labels")
    return len(labels)


def _kind(label: Any) -> type | None:
    kinds: tuple[Any, ...] = (str, bool | np.bool_, Integral, Real)
    return next((kind for kind in kinds if isinstance(label, kind)), None)


def check_present_classes(owner: object, name: str, n_classes: int, at_least: int = 1) -> Array:
    """Return an attribute that holds the numbers of the classes that had rows, each once."""
    present = check_integers(owner, name, None, high=n_classes - 1)
    distinct = len(present) >= at_least and len(set(present.tolist())) == len(present)
    require(distinct, owner, name, f"{at_least} or more distinct classes")
    return present


def check_reads(owner: object, name: str, part: Any, n_columns: int, names: Any = None) -> None:
    """Raise unless a fitted part of a model reads so many columns, and under these names."""
    found = getattr(part, "n_features_in_", n_columns)
    require(found == n_columns, owner, name, f"a model of {n_columns} columns")
    known = getattr(part, "feature_names_in_", None)
    if known is not None and names is not None:
        require(list(known) == list(names), owner, name, "a model of columns of these names")


def check_codes_of_classes(owner: object, name: str, part: Any, n_classes: int) -> None:
    """Raise unless the classes of a fitted part are distinct codes of the owner's classes."""
    codes = np.asarray(part.classes_).tolist()
    fits = all(type(k) is int and 0 <= k < n_classes for k in codes)
    require(fits and codes, owner, name, f"a model of classes below {n_classes}")
    require(len(set(codes)) == len(codes), owner, name, "a model of distinct classes")


def check_columns_in(owner: object, n: int | None = None) -> int:
    """Return the number of columns of an estimator; their names, if any, are distinct."""
    n_columns = check_whole(owner, "n_features_in_", low=1)
    require(n is None or n_columns == n, owner, "n_features_in_", str(n))
    names = getattr(owner, "feature_names_in_", None)
    if names is not None:
        fits = (
            type(names) is np.ndarray
            and names.shape == (n_columns,)
            and all(isinstance(name, str) for name in names.tolist())
            and len(set(names.tolist())) == n_columns
        )
        require(fits, owner, "feature_names_in_", f"{n_columns} distinct names")
    return n_columns


__all__ = [
    "LARGEST_COEFFICIENT",
    "LARGEST_COUNT",
    "LARGEST_LOG",
    "FittedStateError",
    "check_classes",
    "check_codes_of_classes",
    "check_coefficients",
    "check_column_tuples",
    "check_columns_in",
    "check_flags",
    "check_float_array",
    "check_floats",
    "check_integers",
    "check_logs",
    "check_part",
    "check_parts",
    "check_present_classes",
    "check_reads",
    "check_real",
    "check_texts",
    "check_whole",
    "require",
]
