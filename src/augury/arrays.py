"""Types of NumPy arrays, by what they hold."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Of any type of values: codes, labels or numbers.
Array = NDArray[Any]
FloatArray = NDArray[np.float64]
IntegerArray = NDArray[np.integer[Any]]
BoolArray = NDArray[np.bool_]

__all__ = ["Array", "BoolArray", "FloatArray", "IntegerArray"]
