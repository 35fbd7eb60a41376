"""Filled cells of families that differ in one parent, and their score aCLL."""

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
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


def acll_of_cells(
    counts: FloatArray,
    starts: IntegerArray,
    family: IntegerArray,
    n_families: int,
    *,
    present: BoolArray,
    pseudo_counts: tuple[float, float],
    own_weight: float,
    other_weight: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the aCLL of each family, and the weight of its rows.

    Parameters
    ----------
    counts, starts, family : as `fill_cells` returns them
    present : whether a class has rows
    pseudo_counts : of a cell, and of all cells of a configuration
    own_weight : weight of the log share of a row's own class
    other_weight : weight of the log share of each other class that is present
    """
    scores, known = np.zeros(n_families), np.zeros(n_families)
    _native.add_acll(
        counts,
        starts,
        family,
        present.view("u1"),
        *pseudo_counts,
        own_weight,
        other_weight,
        scores,
        known,
    )
    return scores, known


__all__ = ["acll_of_cells", "fill_cells"]
