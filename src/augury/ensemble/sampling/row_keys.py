"""Keys of rows, by which an ensemble orders rows in a way that does not depend on their order."""

import numpy as np

from augury.arrays import Array


def hash_rows(codes: Array, y: Array) -> Array:
    """Return 64 bits for each row, equal for equal rows and almost never for others."""
    key = y.astype(np.uint64)
    for j in range(codes.shape[1]):
        # Bits are mixed before the next code is added, or small numbers would cancel out.
        key *= np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
        key ^= codes[:, j]
    return key


__all__ = ["hash_rows"]
