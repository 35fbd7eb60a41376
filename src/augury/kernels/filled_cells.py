"""Filled cells of families that differ in one parent."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import kernel_arguments


def fill_cells(
    codes: IntegerArray,
    n_states: IntegerArray,
    others: IntegerArray,
    own: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    n_classes: int,
) -> tuple[FloatArray, IntegerArray, IntegerArray]:
    """Return the counts of the filled cells of each candidate, and their configurations.

    The rows are sorted by `others` and `own`. A cell is a state of the candidate, a number of
    `others` and a number of `own`; a configuration has the cells of a state and a number of
    `others`. The counts have shape (n_classes, n_cells). Also return the first cell of each
    configuration, and its candidate. A code of `n_states` is left out.
    """
    codes, y, weight = kernel_arguments(codes, y, weight)
    most = codes.shape[0] * codes.shape[1]
    counts = np.zeros((n_classes, most))
    starts, family = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    n_cells, n_configurations = _native.fill_cells(
        codes,
        np.ascontiguousarray(n_states, dtype=np.int64),
        np.ascontiguousarray(others, dtype=np.int64),
        np.ascontiguousarray(own, dtype=np.int64),
        y,
        weight,
        counts,
        starts,
        family,
    )
    return counts[:, :n_cells], starts[:n_configurations], family[:n_configurations]


__all__ = ["fill_cells"]
