"""Event models without one of their rows: exact, by taking the row out of the counts."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts.event_counts import EventCounts
from augury.encode import code_known_classes, row_blocks, slice_rows
from augury.generative.bases.event_model import EventModel
from augury.generative.leave_one_out.counts import LeavesOneOut, log_prior_without, take_away

# Cells (stored values × classes) that are estimated at once.
_CELLS = 1 << 22


class LeavesEventsOut(LeavesOneOut, EventModel):
    """Base of the event models: what they say of a row as if it had not been seen.

    The counts without a row are the counts less that row's, so nothing is fitted again. A
    row of class c changes what class c says of the columns it has events in, and, where the
    number of rows matters, of all others in a way that is the same for all rows of c.
    """

    def leave_one_out_joint_log_proba(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return log p(c, x) of training rows, each by the model fitted without that row.

        As `leave_one_out_proba`, which normalises it. Where the row is the only one of its
        class, the class has no rows left, and the smallest prior.
        """
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = self._weight_as_fitted(sample_weight, X.shape[0])
        taken = np.ones(len(codes)) if weight is None else np.minimum(weight, 1.0)
        blocks = [
            self._log_joint_without(self._read(slice_rows(X, rows)), codes[rows], taken[rows])
            for rows in row_blocks(X)
        ]
        joint = np.concatenate(blocks)
        if np.isnan(joint).any():
            raise self._not_fitted_to(int(np.argmax(np.isnan(joint).any(axis=1))))
        return joint

    def _not_fitted_to(self, row: int) -> ValueError:
        return ValueError(
            f"{self._owner}: X, y and sample_weight must be rows that the model was fitted to, "
            f"got another in row {row}"
        )

    def _log_joint_without(self, read: Any, y: Array, weight: Array) -> Array:
        joint = self._log_likelihood_without(read, y, weight)
        if self.priors is None:
            joint += log_prior_without(self.statistics_.class_counts, y, weight, alpha=0.0)
        else:
            joint += self.log_prior_
        return self._subtract_carrier(joint, read)

    def _log_likelihood_without(self, matrix: Any, y: Array, weight: Array) -> Array:
        """Return log p(x | c) + h of each row and class; NaN where it was not counted."""
        counts = csr_array(matrix)
        likelihood = np.empty((len(y), len(self.classes_)))
        # Rows of one class that take the same weight away leave the same counts of rows.
        groups, group_of_row = np.unique(np.column_stack([y, weight]), axis=0, return_inverse=True)
        order = np.argsort(group_of_row.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(group_of_row.ravel(), minlength=len(groups)))
        for rows, (c, share) in zip(np.split(order, ends[:-1]), groups, strict=True):
            likelihood[rows] = self._group_without(counts[rows], int(c), float(share))
        return likelihood

    def _group_without(self, counts: Any, c: int, share: float) -> Array:
        """Return the same for rows of class c that take `share` rows away.

        What columns say is estimated column by column: as of an empty row first, then anew
        for each stored value, which takes itself away.
        """
        scratch = copy(self)  # estimating sets attributes
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
            gaps = None if statistics.missing is None else statistics.missing[:, columns]
            zero, slope = scratch._estimate_terms(EventCounts(rows, sums, gaps))
            terms = values[:, None] * slope
            if zero is not None and empty is not None:
                terms += np.where(known[:, None], zero, 0.0) - empty[columns]
            terms[np.isnan(left)] = np.nan
            likelihood[start : start + step] += sum_by_row(part, terms)
        return likelihood


def sum_by_row(counts: Any, terms: Array) -> Array:
    """Return the sums over each row's stored values of `terms`, which has a row for each."""
    n_stored = len(counts.indices)
    rows_of_values = csr_array(
        (np.ones(n_stored), np.arange(n_stored), counts.indptr), shape=(counts.shape[0], n_stored)
    )
    return np.asarray(rows_of_values @ terms)
