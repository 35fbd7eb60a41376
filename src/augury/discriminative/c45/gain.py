"""Information gain and gain ratio of splits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury import kernels
from augury.arrays import Array
from augury.discriminative.c45.rows import TreeRows


@dataclass(frozen=True, eq=False, slots=True)
class Gains:
    """Gains of splits on some columns.

    Parameters
    ----------
    facts : array of shape (5, n_columns), as the kernels write it
    """

    facts: Array

    @property
    def gain(self) -> Array:
        """Information of the branch about the class, in bits for each row."""
        return np.asarray(self.facts[0])

    @property
    def ratio(self) -> Array:
        """Gain, divided by the information in the branch itself."""
        return np.asarray(self.facts[1])

    @property
    def usable(self) -> Array:
        """Whether the split leaves enough rows in two branches."""
        return np.asarray(self.facts[2], dtype=bool)

    @property
    def below(self) -> Array:
        """For numbers, the value below the best cut."""
        return np.asarray(self.facts[3])

    @property
    def above(self) -> Array:
        """For numbers, the value above the best cut."""
        return np.asarray(self.facts[4])


def state_gains(
    rows: TreeRows, index: Array, weight: Array | None, minimum: float, n_threads: int = 1
) -> Gains:
    """Return the gains of splits with a branch for each state, for all columns of codes.

    n_b is the weight of the rows with a known value in branch b, n_bc that of class c, n their
    sum, and W the weight of all rows. gain = (n / W) (H(C) - H(C | B)), where the entropies H are
    those of the rows with a known value. The information of the branch itself counts "missing"
    as a branch (Quinlan 1993, ch. 2, 3).
    """
    node = rows.node(index, weight)
    facts = kernels.state_gains(rows.codes, rows.offsets, node, minimum, n_threads=n_threads)
    return Gains(facts)


def threshold_gains(
    rows: TreeRows, index: Array, weight: Array | None, minimum: float, n_threads: int = 1
) -> Gains:
    """Return the gain of the best threshold of each column of numbers.

    The choice of a threshold costs log2(number of thresholds) / W bits (Quinlan 1996). Each
    side must have a tenth of the mean weight of a class, at least `minimum` and at most 25.
    """
    facts = kernels.threshold_gains(
        rows.ranks,
        rows.number_offsets,
        rows.numbers,
        rows.min_difference,
        rows.node(index, weight),
        minimum,
        n_threads=n_threads,
    )
    return Gains(facts)


def all_gains(
    rows: TreeRows, index: Array, weight: Array | None, minimum: float, n_threads: int = 1
) -> Gains:
    """Return the gains of the columns of codes, followed by those of the columns of numbers."""
    if rows.ranks.shape[1] == 0:
        return state_gains(rows, index, weight, minimum, n_threads)
    found = threshold_gains(rows, index, weight, minimum, n_threads)
    if rows.codes.shape[1] == 0:
        return found
    of_states = state_gains(rows, index, weight, minimum, n_threads)
    return Gains(np.concatenate([of_states.facts, found.facts], axis=1))
