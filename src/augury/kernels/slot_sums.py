"""Sums of rows of numbers by slot."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.row_threads import sum_over_rows
from augury.kernels.slots import require_slot_bytes


def add_to_slots(
    codes: IntegerArray, values: FloatArray, offsets: IntegerArray, *, n_threads: int = 1
) -> FloatArray:
    """Return for each slot the sum of the rows of `values` that have its code.

    >>> codes = np.array([[0], [1], [1]], dtype=np.uint8, order="F")
    >>> add_to_slots(codes, np.array([[1.0], [2.0], [3.0]]), np.array([0, 3])).T
    array([[1., 5., 0.]])
    """
    if not codes.shape[1]:
        return np.zeros((int(offsets[-1]), values.shape[1]))
    values = np.ascontiguousarray(values, np.float64)
    require_slot_bytes(offsets, values.shape[1])
    return sum_over_rows(
        lambda sums, start, stop: _native.add_to_slots(codes, values, offsets, sums, start, stop),
        (int(offsets[-1]), values.shape[1]),
        codes.shape,
        n_threads,
    )


__all__ = ["add_to_slots"]
