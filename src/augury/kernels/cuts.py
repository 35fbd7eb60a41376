"""Cut points by minimum description length."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native


def mdl_cuts(
    values: FloatArray, y: IntegerArray, weight: FloatArray | None, n_classes: int
) -> FloatArray:
    """Return the sorted cut points of one sorted column (Fayyad and Irani 1993)."""
    out = np.empty(len(values))
    n_cuts = _native.mdl_cuts(values, y, weight, n_classes, out)
    return np.sort(out[:n_cuts])


__all__ = ["mdl_cuts"]
