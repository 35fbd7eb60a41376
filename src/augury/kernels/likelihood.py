"""Maximum log likelihood of tables of counts."""

from math import prod

import numpy as np

from augury.arrays import FloatArray
from augury.kernels import _native


def log_likelihoods(tables: FloatArray) -> FloatArray:
    """Return Σ N_jk log(N_jk / N_j) of each table of counts, of shape (…, j, k).

    >>> log_likelihoods(np.array([[[1.0, 1.0], [2.0, 0.0]]])).round(4)  # 2 log 1/2 + 2 log 1
    array([-1.3863])
    """
    *leading, q, r = tables.shape
    flat = np.ascontiguousarray(tables, np.float64).reshape(prod(leading), q, r)
    out = np.empty(len(flat))
    _native.log_likelihoods(flat, out)
    return out.reshape(leading)


__all__ = ["log_likelihoods"]
