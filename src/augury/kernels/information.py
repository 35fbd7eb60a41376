"""Conditional mutual information of all pairs of columns."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native


def pair_information(table: FloatArray, n_states: IntegerArray, negligible: float) -> FloatArray:
    """Return I(A_i; A_j | C) in bits of all pairs, from the table of `count_pairs`."""
    n_states = np.ascontiguousarray(n_states, dtype=np.int64)
    bits = np.empty((len(n_states), len(n_states)))
    _native.pair_information(table, n_states, negligible, bits)
    return bits


__all__ = ["pair_information"]
