"""Base class of the event models with leave-one-out class probabilities."""

from copy import copy

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from augury.arrays import Array
from augury.counts.event_counts import CountMatrix, EventCounts
from augury.foreign import Labels, Table
from augury.generative.bases.event_model import EventModel
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.leave_one_out.counts import log_prior_without, take_away

# Cells (stored values × classes) that are estimated at once.
_CELLS = 1 << 22


class LeavesEventsOut(LeavesOneOut[EventCounts], EventModel):
    """Base class of the event models; each can estimate log p(c, x) without the row itself.

    The counts without a row are the counts minus those of the row, so that no model is fitted
    again. A row of class c changes the terms of class c in the columns where it has events.
    If the number of rows enters the estimate, it also changes the terms of all other columns,
    and by the same amount for all rows of c. A subclass writes the methods of `EventModel`.
    """

    def leave_one_out_joint_log_proba(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return log p(c, x) of training rows, each by the model fitted without that row.

        `leave_one_out_proba` is this matrix, normalised. A class whose only row is left out
        has the smallest prior.
        """
        blocks = self._read_again(X, y, sample_weight)
        return np.concatenate(list(self._joints_without(blocks)))

    def _log_joint_without(self, matrix: CountMatrix, y: Array, weight: Array) -> Array:
        joint = self._log_likelihood_without(matrix, y, weight)
        if self.priors is None:
            joint += log_prior_without(self.statistics_.class_counts, y, weight, alpha=0.0)
        else:
            joint += self.log_prior_
        return self._subtract_carrier(joint, matrix)

    def _log_likelihood_without(self, matrix: CountMatrix, y: Array, weight: Array) -> Array:
        """Return log p(x | c) + h of each row and class; NaN if the row was not counted."""
        counts = csr_array(matrix)
        likelihood = np.empty((len(y), len(self.classes_)))
        # Rows of one class and weight leave the same class counts.
        groups, group_of_row = np.unique(np.column_stack([y, weight]), axis=0, return_inverse=True)
        order = np.argsort(group_of_row.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(group_of_row.ravel(), minlength=len(groups)))
        for rows, (c, share) in zip(np.split(order, ends[:-1]), groups, strict=True):
            likelihood[rows] = self._group_without(counts[rows], int(c), float(share))
        return likelihood

    def _group_without(self, counts: CountMatrix, c: int, share: float) -> Array:
        """Return `_log_likelihood_without` of rows of class c of which this share is left out.

        The terms of all columns are estimated without an empty row first. Those of each
        stored value are then estimated without that value.
        """
        scratch = copy(self)  # _estimate_terms sets attributes
        statistics = self.statistics_
        rows = statistics.class_counts.copy()
        rows[c] = take_away(rows[c], share)
        if np.isnan(rows[c]):
            return np.full((counts.shape[0], len(rows)), np.nan)
        empty, _ = scratch._estimate_terms(EventCounts(rows, statistics.sums, statistics.missing))
        base = 0.0 if empty is None else empty.sum(axis=0)
        likelihood = np.tile(base, (counts.shape[0], 1))
        step = max(1, _CELLS // len(rows) * counts.shape[0] // max(counts.nnz, 1))
        for start in range(0, counts.shape[0], step):
            part = counts[start : start + step]
            known = ~np.isnan(part.data)
            columns, values = part.indices, np.where(known, part.data, 0.0)
            sums = statistics.sums[:, columns]
            left = take_away(sums[c], share * values)
            sums[c] = np.where(np.isnan(left), 0.0, left)
            missing = None if statistics.missing is None else statistics.missing[:, columns]
            zero, slope = scratch._estimate_terms(EventCounts(rows, sums, missing))
            terms = values[:, None] * slope
            if zero is not None and empty is not None:
                terms += np.where(known[:, None], zero, 0.0) - empty[columns]
            terms[np.isnan(left)] = np.nan
            likelihood[start : start + step] += sum_by_row(part, terms)
        return likelihood


def sum_by_row(counts: CountMatrix, terms: Array) -> Array:
    """Return the sum of `terms`, one for each stored value of `counts`, over each row."""
    n_stored = len(counts.indices)
    rows_of_values = csr_array(
        (np.ones(n_stored), np.arange(n_stored), counts.indptr), shape=(counts.shape[0], n_stored)
    )
    return np.asarray(rows_of_values @ terms)
