"""Cut points by minimum description length."""

from functools import lru_cache
from itertools import pairwise

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native

# A column with more classes is sorted with its labels: it would be merged too often.
_MAX_MERGED_CLASSES = 16


def mdl_cuts(
    values: FloatArray, y: IntegerArray, weight: FloatArray | None, n_classes: int
) -> FloatArray:
    """Return the sorted cut points of one sorted column (Fayyad and Irani 1993)."""
    out = np.empty(len(values))
    memo = _x_ln_x(len(values)) if weight is None else None
    n_cuts = _native.mdl_cuts(values, y, weight, n_classes, memo, out)
    return np.sort(out[:n_cuts])


def sort_with_classes(
    values: FloatArray, y: IntegerArray, n_classes: int
) -> tuple[FloatArray, IntegerArray]:
    """Return the values that are not NaN in ascending order, and their labels.

    Numbers alone are sorted several times as fast as numbers with labels, so that the values of
    each class are sorted, and then merged.
    """
    if n_classes > _MAX_MERGED_CLASSES:
        order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))]
        return values[order], y[order]
    by_class, starts = np.empty(len(values)), np.zeros(n_classes + 1, dtype=np.int64)
    _native.divide_by_class(values, y, by_class, starts[1:])
    by_class = by_class[: starts[-1]]
    for start, stop in pairwise(starts.tolist()):
        by_class[start:stop].sort()
    merged, labels = np.empty(len(by_class)), np.empty(len(by_class), dtype=np.int32)
    _native.merge_classes(by_class, starts, merged, labels)
    return merged, labels


@lru_cache(maxsize=2)
def _x_ln_x_up_to(n: int) -> FloatArray:
    table = np.empty(n + 1)
    _native.x_ln_x_table(table)
    return table


def _x_ln_x(n: int) -> FloatArray:
    """Return x ln x of at least 0, …, n; columns of similar lengths share the table."""
    return _x_ln_x_up_to(1 << max(n.bit_length(), 8))


__all__ = ["mdl_cuts", "sort_with_classes"]
