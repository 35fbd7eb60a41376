"""What a user writes for `categorical_features` → a mask of the columns."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.validation import check_choice


def requested_columns(
    owner: str, wanted: Any, names: Sequence[str], *, parameter: str = "categorical_features"
) -> Array:
    """Return for each column whether `wanted` names it (by default: as one of labels).

    Parameters
    ----------
    owner : who is named in an error
    wanted : "from_dtype", "all", None, or a list of names, indices or booleans
    names : the columns' names
    parameter : what the user wrote `wanted` for, named in an error

    >>> requested_columns("NaiveBayes", ["b", -1], ["a", "b", "c"])
    array([False,  True,  True])
    """
    mask = np.zeros(len(names), dtype=bool)
    if wanted is None:
        return mask
    if isinstance(wanted, str):
        mask[:] = check_choice(owner, parameter, wanted, ("from_dtype", "all")) == "all"
        return mask
    if not isinstance(wanted, Iterable):
        raise TypeError(
            f"{owner}: {parameter} must be 'from_dtype', 'all' or a list of columns, got {wanted!r}"
        )
    items = list(wanted)
    if items and all(isinstance(item, bool | np.bool_) for item in items):
        if len(items) != len(names):
            raise ValueError(
                f"{owner}: {parameter} must have one boolean for each of the {len(names)} columns "
                f"of X, got {len(items)}"
            )
        return np.array(items, dtype=bool)
    for item in items:
        mask[_position(owner, item, names, parameter)] = True
    return mask


def _position(owner: str, item: Any, names: Sequence[str], parameter: str) -> int:
    if isinstance(item, str) and item in names:
        return names.index(item)
    is_index = isinstance(item, Integral) and not isinstance(item, bool)
    if is_index and -len(names) <= int(item) < len(names):
        return int(item)
    raise ValueError(
        f"{owner}: {parameter} must name columns of X (their names, or indices below {len(names)})"
        f", got {item!r}"
    )
