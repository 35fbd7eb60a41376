"""Sorting of numbers, in the same time on all processors."""

import numpy as np

from augury.arrays import FloatArray
from augury.kernels import _native

# Fewer numbers are sorted in less time by NumPy.
_MANY = 2000


def sort_numbers(numbers: FloatArray) -> None:
    """Sort an array of float64 without NaN in place.

    NumPy is as fast on processors for which it has instructions that sort. On others this takes a
    third of its time.

    >>> numbers = np.array([2.0, -1.0, np.inf])
    >>> sort_numbers(numbers)
    >>> numbers.tolist()
    [-1.0, 2.0, inf]
    """
    if len(numbers) < _MANY:
        numbers.sort()
    else:
        _native.sort_numbers(numbers, np.empty_like(numbers))


__all__ = ["sort_numbers"]
