"""The parameter `categorical_features` as a mask of the columns."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import TypeAlias

import numpy as np

from augury.arrays import BoolArray
from augury.validation import check_choice

# "from_dtype", "all", None, or a list of names, indices or booleans.
RequestedColumns: TypeAlias = str | Iterable[str | int | bool] | None


def requested_columns(
    owner: str,
    wanted: RequestedColumns,
    names: Sequence[str],
    *,
    parameter: str = "categorical_features",
) -> BoolArray:
    """Return for each column whether `wanted` names it.

    Parameters
    ----------
    owner : class that is named in errors
    wanted : "from_dtype", "all", None, or a list of names, indices or booleans
    names : names of the columns
    parameter : name of the parameter in errors

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


def _position(owner: str, item: object, names: Sequence[str], parameter: str) -> int:
    if isinstance(item, str) and item in names:
        return names.index(item)
    if isinstance(item, Integral) and not isinstance(item, bool):
        index = int(item)
        if -len(names) <= index < len(names):
            return index
    raise ValueError(
        f"{owner}: {parameter} must name columns of X (their names, or indices below {len(names)})"
        f", got {item!r}"
    )
