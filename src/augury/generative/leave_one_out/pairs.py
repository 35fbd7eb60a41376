"""Pair counts without the row that is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.counts import PairCounts
from augury.generative.leave_one_out.counts import take_away

# Numbers that are looked up at once.
CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True, eq=False)
class OwnRows:
    """The rows' own classes, and the weights that are taken from their counts."""

    y: Array
    weight: Array

    def take(self, rows: Any) -> OwnRows:
        """Return some of the rows."""
        return OwnRows(self.y[rows], self.weight[rows])


def pairs_without(pairs: PairCounts, j: int, codes: Array, own: OwnRows) -> tuple[Array, Array]:
    """Return the counts of each row's states beside its state of column j, in its own class.

    Without the row itself; of shape (n_samples, n_columns), and whether both columns have a
    value. Where one has none, the count is 0.
    """
    n_states = pairs.features.n_states
    there = (codes < n_states) & (codes[:, [j]] < n_states[j])
    state = np.where(there, pairs.offsets[:-1] + codes, 0)
    beside = np.where(there, pairs.offsets[j] + codes[:, [j]], 0)
    if not len(pairs.table):
        return np.zeros(codes.shape), there
    counts = pairs.table[beside, state, own.y[:, None]]
    return np.where(there, take_away(counts, own.weight[:, None]), 0.0), there


def totals_of_others(pairs: PairCounts, j: int) -> Array:
    """Return the weight of rows of each state of j in which another column has a value.

    Of shape (n_states[j] + 1, n_columns, n_classes); nothing beside "left out".
    """
    features = pairs.features
    totals = np.zeros(
        (features.n_states[j] + 1, len(features.n_states), len(features.class_counts))
    )
    used = features.n_states > 0
    if used.any():
        joint = pairs.beside(j)
        totals[:-1, used] = np.add.reduceat(joint, pairs.offsets[:-1][used], axis=1)
    return totals


def totals_of_column(pairs: PairCounts, j: int) -> Array:
    """Return the weight of rows of each slot in which column j has a value.

    Of shape (n_slots, n_classes), with columns' slots as `FeatureCounts` has them.
    """
    totals = np.zeros_like(pairs.features.table)
    totals[pairs.features.state_slots] = pairs.beside(j).sum(axis=0)
    return totals
