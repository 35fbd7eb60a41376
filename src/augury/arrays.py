"""Types of NumPy arrays, by what they hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Of any type of values: codes, labels or numbers.
Array = NDArray[Any]
FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]


def is_plain(dtype: Any) -> bool:
    """Return whether a type of values is one of NumPy's integers or floats.

    pandas takes several times as long as NumPy to select or compare the values of such a column.

    >>> is_plain(np.dtype(np.float32)), is_plain(np.dtype(bool)), is_plain("category")
    (True, False, False)
    """
    return isinstance(dtype, np.dtype) and dtype.kind in "iuf"


__all__ = ["Array", "BoolArray", "FloatArray", "IntegerArray", "is_plain"]
