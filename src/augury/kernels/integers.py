"""Integers become codes."""

import numpy as np
from numpy.typing import DTypeLike

from augury.arrays import BoolArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import native
from augury.kernels.row_threads import over_rows


def code_integers(
    x: IntegerArray, *, n_threads: int = 1
) -> tuple[IntegerArray, IntegerArray, IntegerArray] | None:
    """Code the integers of each column by their distance from its smallest value.

    Returns
    -------
    codes, lo, hi : codes column by column in memory, and the range of each column
        `lo` is 0 for values that are small and not negative: these are the codes themselves.
        None if the values of a column span 65,535 or more.
    """
    x = native(x)
    codes: IntegerArray = np.empty(x.shape, dtype=np.uint8, order="F")
    lo, hi = _integer_ranges(x, codes, n_threads)
    if lo.min() >= 0 and hi.max() < np.iinfo(np.uint8).max:
        return codes, np.zeros_like(lo), hi
    # Python integers: the range of int64 values may itself exceed int64.
    widths = [int(high) - int(low) + 1 for low, high in zip(lo, hi, strict=True)]
    if max(widths) >= np.iinfo(np.uint16).max:
        return None
    dtype = np.uint16 if max(widths) > np.iinfo(np.uint8).max else np.uint8
    widths_of_codes = np.array(widths, dtype=np.int64)
    return shift_integers(x, lo, widths_of_codes, dtype, n_threads=n_threads), lo, hi


def shift_integers(
    x: IntegerArray,
    lo: IntegerArray,
    widths: IntegerArray,
    dtype: DTypeLike,
    *,
    n_threads: int = 1,
) -> IntegerArray:
    """Return value - lo of each column, or its width for values outside lo … lo + width - 1.

    >>> shift_integers(np.array([[3], [7]]), np.array([2]), np.array([4]), np.uint8).tolist()
    [[1], [4]]
    """
    x = native(x)
    codes: IntegerArray = np.empty(x.shape, dtype=dtype, order="F")
    over_rows(
        lambda start, stop: _native.shift_integers(x, lo, widths, codes, start, stop),
        x.shape,
        n_threads,
    )
    return codes


def _integer_ranges(
    x: IntegerArray, codes: IntegerArray, n_threads: int
) -> tuple[IntegerArray, IntegerArray]:
    def work(start: int, stop: int) -> tuple[IntegerArray, IntegerArray]:
        lo = np.full(x.shape[1], np.iinfo(np.int64).max)
        hi = np.full(x.shape[1], np.iinfo(np.int64).min)
        _native.integer_ranges(x, lo, hi, codes, start, stop)
        return lo, hi

    parts = over_rows(work, x.shape, n_threads)
    return np.min([lo for lo, _ in parts], axis=0), np.max([hi for _, hi in parts], axis=0)


def codes_present(
    codes: IntegerArray, n_codes: int, *, complete: bool = False
) -> tuple[BoolArray, bool]:
    """Return for each code whether it occurs, and whether a value outside the codes occurs.

    With `complete` it is known that no value is outside; the first rows may then be enough.

    >>> codes_present(np.array([0, 2, -1]), 3)
    (array([ True, False,  True]), True)
    """
    seen = np.zeros(n_codes + 1, dtype=np.uint8)
    seen[-1] = complete  # the kernel stops when it has seen everything
    _native.mark_present(native(codes), seen)
    return seen[:-1].view(np.bool_), bool(seen[-1]) and not complete


__all__ = ["code_integers", "codes_present", "shift_integers"]
