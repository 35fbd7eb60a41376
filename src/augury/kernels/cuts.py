"""Cut points by minimum description length."""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native

# A column with more classes is sorted once, not once for each class.
_MAX_SORTED_CLASSES = 16

# Rows of a block: the search bounds the candidates of a block before it evaluates them.
_ROWS_PER_BLOCK = 16


def mdl_cuts(
    values: FloatArray, y: IntegerArray, weight: FloatArray | None, n_classes: int
) -> FloatArray:
    """Return the sorted cut points of one sorted column (Fayyad and Irani 1993)."""
    out = np.empty(len(values))
    memo = _x_ln_x(len(values)) if weight is None else None
    n_cuts = _native.mdl_cuts(values, y, weight, n_classes, memo, out)
    return np.sort(out[:n_cuts])


def mdl_cuts_by_class(values: FloatArray, y: IntegerArray, n_classes: int) -> FloatArray:
    """Return the sorted cut points of a column in any order; NaN is left out.

    The cut points are those of `mdl_cuts` without weights. Numbers alone are sorted several times
    as fast as numbers with labels, so that the values of each class are sorted. The search merges
    only the blocks of rows that may hold the best cut.
    """
    by_class, starts = _sort_by_class(values, y, n_classes)
    n_rows = len(by_class)
    splitters = np.sort(by_class[:: max(_ROWS_PER_BLOCK, n_classes)])
    out = np.empty(n_rows)
    n_cuts = _native.mdl_cuts_by_class(by_class, starts, splitters, _x_ln_x(n_rows), out)
    return np.sort(out[:n_cuts])


def _sort_by_class(
    values: FloatArray, y: IntegerArray, n_classes: int
) -> tuple[FloatArray, IntegerArray]:
    """Return the values that are not NaN, sorted within each class, and where classes begin."""
    is_sorted_once = n_classes > _MAX_SORTED_CLASSES
    if is_sorted_once:
        order = np.argsort(values)
        values, y = values[order], y[order]
    by_class, starts = np.empty(len(values)), np.zeros(n_classes + 1, dtype=np.int64)
    _native.divide_by_class(values, y, by_class, starts[1:])
    by_class = by_class[: starts[-1]]
    if not is_sorted_once:
        for start, stop in pairwise(starts.tolist()):
            by_class[start:stop].sort()
    return by_class, starts


@lru_cache(maxsize=2)
def _x_ln_x_up_to(n: int) -> FloatArray:
    table = np.empty(n + 1)
    _native.x_ln_x_table(table)
    return table


def _x_ln_x(n: int) -> FloatArray:
    """Return x ln x of at least 0, …, n; columns of similar lengths share the table."""
    return _x_ln_x_up_to(1 << max(n.bit_length(), 8))


__all__ = ["mdl_cuts", "mdl_cuts_by_class"]
