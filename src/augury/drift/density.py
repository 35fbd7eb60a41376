"""Naive Bayes over the states of all columns: log p(c, x) of rows, and without the row itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.counts.log_space import log_normalize
from augury.counts.smoothing import laplace_log_probability, pseudo_count
from augury.drift.reference import DROPPED, Reference


@dataclass(frozen=True, eq=False)
class StateCounts:
    """Numbers of rows of each class, and of each state and class of each column.

    Attributes
    ----------
    groups : number of rows of each group of classes
    columns : number of rows of each state and group, one array for each column
    """

    groups: IntegerArray
    columns: Sequence[IntegerArray]

    @classmethod
    def of(cls, reference: Reference) -> StateCounts:
        """Return the counts of the training rows."""
        columns = [each for each in reference.columns if each.treatment != DROPPED]
        return cls(
            np.array(reference.group_counts),
            [np.array(column.state_counts, dtype=np.int64) for column in columns],
        )

    @classmethod
    def of_predictor(cls, reference: Reference) -> StateCounts:
        """Return the counts of the training rows that classes are predicted from."""
        if not reference.predictor_counts:  # a file of an earlier version
            return cls.of(reference)
        columns = [each for each in reference.columns if each.treatment != DROPPED]
        return cls(
            np.array(reference.predictor_counts),
            [np.array(column.predictor_counts, dtype=np.int64) for column in columns],
        )

    @classmethod
    def collect(
        cls, codes: Sequence[IntegerArray], n_states: Sequence[int], y: IntegerArray, n_groups: int
    ) -> StateCounts:
        """Count the rows of `codes`, one array for each column, with the groups `y`."""
        columns = []
        for states, n in zip(codes, n_states, strict=True):
            cells = np.bincount(states.astype(np.int64) * n_groups + y, minlength=n * n_groups)
            columns.append(cells.reshape(n, n_groups))
        return cls(np.bincount(y, minlength=n_groups), columns)

    def log_joint(self, codes: Sequence[IntegerArray]) -> FloatArray:
        """Return log p(c, x) of each row and group, by the m-estimate."""
        total: FloatArray = np.tile(_log_estimate(self.groups[:, None])[:, 0], (len(codes[0]), 1))
        for states, counts in zip(codes, self.columns, strict=True):
            total += _log_estimate(counts)[states]
        return total

    def log_joint_without_own(self, codes: Sequence[IntegerArray], y: IntegerArray) -> FloatArray:
        """Return log p(c, x) of each counted row, by the counts without that row."""
        rows = np.arange(len(y))
        n_rows, n_groups = int(self.groups.sum()), len(self.groups)
        # N + 1 in the denominator is N now, for all groups.
        total = self.log_joint(codes)
        total += np.log((n_rows + 1) / n_rows)
        own = np.log(self.groups - 1 + 1 / n_groups, where=self.groups > 0, out=np.zeros(n_groups))
        own_total = own[y] - np.log(n_rows)
        for states, counts in zip(codes, self.columns, strict=True):
            alpha = pseudo_count("m-estimate", len(counts))
            cells = np.log(np.maximum(counts - 1, 0) + alpha)
            own_total += cells[states, y] - np.log(self.groups[y])
        total[rows, y] = own_total
        return total


def _log_estimate(counts: IntegerArray) -> FloatArray:
    alpha = pseudo_count("m-estimate", len(counts))
    return np.asarray(laplace_log_probability(counts.astype(np.float64), alpha))


def log_evidence(log_joint: FloatArray) -> FloatArray:
    """Return log p(x) of each row from its log p(c, x).

    >>> np.exp(log_evidence(np.log([[0.1, 0.3]])))
    array([0.4])
    """
    evidence: FloatArray = (log_joint - log_normalize(log_joint))[:, 0]
    return evidence


__all__ = ["StateCounts", "log_evidence"]
