"""Arrays in the form that the kernels take."""

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray


def native(x: Array) -> Array:
    """Return x aligned and in the machine's byte order; a copy is rarely needed.

    >>> native(np.array([1], dtype=">i4")).dtype.isnative
    True
    """
    if x.dtype.isnative and x.flags.aligned:
        return x
    return np.require(x, x.dtype.newbyteorder("="), "A")


def _contiguous(x: Array, dtype: type) -> Array:
    if x.dtype == dtype and x.dtype.isnative and x.flags.c_contiguous and x.flags.aligned:
        return x
    return np.require(x, dtype, ["C", "A"])


def kernel_arguments(
    codes: IntegerArray, y: IntegerArray, weight: FloatArray | None
) -> tuple[IntegerArray, IntegerArray, FloatArray | None]:
    """Return codes, labels and weights as the kernels take them, or raise if they do not fit."""
    if codes.dtype.kind != "u" or codes.dtype.itemsize > np.uint32().itemsize:
        raise TypeError(f"codes must be uint8, uint16 or uint32, got {codes.dtype}")
    if y.dtype.kind not in "iu":
        raise TypeError(f"y must be integers, got {y.dtype}")
    if y.dtype.itemsize >= np.int32().itemsize and len(y) and y.max() > np.iinfo(np.int32).max:
        raise ValueError(f"y must be below 2^31, got {y.max()}")
    if len(y) and y.min() < 0:
        raise ValueError(f"y must be >= 0: labels do not fit, got {y.min()}")
    if weight is not None:
        weight = _contiguous(weight, np.float64)
    return native(np.asfortranarray(codes)), _contiguous(y, np.int32), weight


__all__ = ["kernel_arguments", "native"]
