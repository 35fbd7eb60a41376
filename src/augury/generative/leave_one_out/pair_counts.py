"""Counts of pairs of columns without one row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts import PairCounts
from augury.generative.leave_one_out.counts import take_away


@dataclass(frozen=True, eq=False)
class OwnRows:
    """The classes of rows, and the weights that are subtracted from their counts."""

    y: Array
    weight: Array

    def take(self, rows: Array | slice) -> OwnRows:
        """Return some of the rows."""
        return OwnRows(self.y[rows], self.weight[rows])


def pairs_without(pairs: PairCounts, j: int, codes: Array, own: OwnRows) -> tuple[Array, Array]:
    """Return the counts of each row's states beside its state of column j, in its own class.

    The counts do not include the row itself; their shape is (n_samples, n_columns). Also
    return whether both columns have a value. Where one has none, the count is 0.
    """
    n_states, columns = pairs.features.n_states, np.arange(codes.shape[1])
    there = (codes < n_states) & (codes[:, [j]] < n_states[j])
    if not pairs.is_narrow.all():
        counts = pairs.at_rows(codes, j, columns)[np.arange(len(codes)), :, own.y]
        return np.where(there, take_away(counts, own.weight[:, None]), 0.0), there
    state = np.where(there, pairs.offsets[:-1] + codes, 0)
    beside = np.where(there, pairs.offsets[j] + codes[:, [j]], 0)
    if not len(pairs.table):
        return np.zeros(codes.shape), there
    counts = pairs.table[beside, state, own.y[:, None]]
    return np.where(there, take_away(counts, own.weight[:, None]), 0.0), there


def totals_of_others(pairs: PairCounts, j: int) -> Array:
    """Return the weight of rows of each state of j in which another column has a value.

    The shape is (n_states[j] + 1, n_columns, n_classes); the weights of "left out" are 0.
    """
    features = pairs.features
    if not pairs.is_narrow.all():
        slots = features.offsets[j : j + 2]
        return np.asarray(pairs.totals[slots[0] : slots[1]])
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

    The shape is (n_slots, n_classes), with the slots of `FeatureCounts`.
    """
    totals = np.zeros_like(pairs.features.table)
    totals[pairs.features.state_slots] = pairs.beside(j).sum(axis=0)
    return totals
