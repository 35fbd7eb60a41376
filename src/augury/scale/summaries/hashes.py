"""Hashes of rows, numbers and labels, and samples of the smallest hashes.

A sample of level l holds what has a hash below 2^(64 - l), which is a share of 2^-l of everything.
Its level is the smallest at which the sample is not larger than allowed. The sample of a union
therefore follows from the samples of its parts, and does not depend on how rows were divided.
"""

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray
from pandas.util import hash_array

from augury.arrays import BoolArray, FloatArray
from augury.encode.nominal import object_array

HashArray = NDArray[np.uint64]

_LAST_LEVEL = 64
_STEP = 0x9E3779B97F4A7C15
_FACTORS = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def _mix(numbers: HashArray) -> HashArray:
    """Return splitmix64 of each number (G. Steele, D. Lea, C. Flood, OOPSLA 2014)."""
    z = numbers + np.uint64(_STEP)
    z ^= z >> np.uint64(30)
    z *= _FACTORS[0]
    z ^= z >> np.uint64(27)
    z *= _FACTORS[1]
    z ^= z >> np.uint64(31)
    return z


def hash_rows(key: int, first_row: int, n_rows: int) -> HashArray:
    """Return the hashes of adjacent rows of the partition `key`.

    >>> np.array_equal(hash_rows(1, 0, 9)[4:], hash_rows(1, 4, 5))
    True
    """
    start = int(_mix(np.array([key], dtype=np.uint64))[0])
    first = (start + _STEP * first_row) % (1 << 64)
    # splitmix64 is the hash of a sequence of equal steps.
    return _mix(np.uint64(first) + np.uint64(_STEP) * np.arange(n_rows, dtype=np.uint64))


def hash_numbers(values: FloatArray) -> HashArray:
    """Return the hash of each number."""
    return _mix((np.asarray(values, dtype=np.float64) + 0.0).view(np.uint64))  # -0.0 is 0.0


def hash_labels(labels: Iterable[Hashable]) -> HashArray:
    """Return the hash of the text of each label."""
    texts = object_array([str(label) for label in labels])
    return np.asarray(hash_array(texts, categorize=False), dtype=np.uint64)


def below_level(hashes: HashArray, level: int) -> BoolArray:
    """Return which hashes belong to a sample of this level."""
    if level == 0:
        return np.ones(len(hashes), dtype=bool)
    return hashes < np.uint64(1 << (64 - level))


def level_for(hashes: HashArray, level: int, max_size: int) -> int:
    """Return the smallest level, at least the given one, at which a sample is small enough."""
    while level < _LAST_LEVEL and np.count_nonzero(below_level(hashes, level)) > max_size:
        level += 1
    return level


__all__ = ["HashArray", "below_level", "hash_labels", "hash_numbers", "hash_rows", "level_for"]
