"""Event models without one of their rows: exact, by taking the row out of the counts."""

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from sklearn.utils.validation import check_is_fitted

from augury.counts import normalize
from augury.counts.event_counts import EventCounts
from augury.counts.smoothing import floored_log
from augury.encode import code_known_classes, row_blocks, slice_rows
from augury.generative.event_model import EventModel
from augury.validation import check_sample_weight

Array = NDArray[Any]

# Cells (stored values × classes) that are estimated at once.
_CELLS = 1 << 22


class LeavesEventsOut(EventModel):
    """Base of the event models that can be asked about a row as if it had not been seen.

    The counts without a row are the counts less that row's, so nothing is fitted again. A
    row of class c changes what class c says of the columns it has events in, and, where the
    number of rows matters, of all others in a way that is the same for all rows of c.
    """

    def leave_one_out_proba(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return p(c | x) of each training row from the model without that row.

        Parameters
        ----------
        X, y, sample_weight : the rows that the model was fitted to, in any order
            Weights are numbers of rows, and one row is left out: of a row of weight 3 the
            model has seen 2 more, and one of weight 0.4 is left out whole.

        Returns
        -------
        array of shape (n_samples, n_classes)
            What `predict_proba` would say after `fit_statistics` of all other rows: columns
            and states stay those that `fit` found. Where the row is the only one of its
            class, the class has no rows left, and the smallest prior.
        """
        return normalize(self.leave_one_out_joint_log_proba(X, y, sample_weight))

    def leave_one_out_joint_log_proba(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return log p(c, x) of each training row from the model without that row."""
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        removed = np.ones(len(codes)) if weight is None else np.minimum(weight, 1.0)
        blocks = []
        for rows in row_blocks(X):
            matrix = self._read(slice_rows(X, rows))
            joint = self._log_likelihood_without(matrix, codes[rows], removed[rows])
            joint += self._log_prior_without(codes[rows], removed[rows])
            blocks.append(self._subtract_carrier(joint, matrix))
        return np.concatenate(blocks)

    def _log_prior_without(self, y: Array, removed: Array) -> Array:
        if self.priors is not None:
            return self.log_prior_
        rows = np.tile(self.statistics_.class_counts, (len(y), 1))
        own = (np.arange(len(y)), y)
        rows[own] = self._less(rows[own], removed)
        total = rows.sum(axis=1, keepdims=True)
        return floored_log(np.divide(rows, total, out=rows, where=total > 0))

    def _log_likelihood_without(self, matrix: Any, y: Array, removed: Array) -> Array:
        """Return log p(x | c) + h of each row and class, by the counts without the row."""
        counts = csr_array(matrix)
        likelihood = np.empty((len(y), len(self.classes_)))
        # Rows of one class that take the same weight away leave the same counts of rows.
        groups, group_of_row = np.unique(np.column_stack([y, removed]), axis=0, return_inverse=True)
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
        rows[c] = self._less(rows[c], share)
        empty, _ = scratch._estimate_terms(EventCounts(rows, statistics.sums, statistics.missing))
        base = 0.0 if empty is None else empty.sum(axis=0)
        likelihood = np.tile(base, (counts.shape[0], 1))
        step = max(1, _CELLS // len(rows) * counts.shape[0] // max(counts.nnz, 1))
        for start in range(0, counts.shape[0], step):
            part = counts[start : start + step]
            known = ~np.isnan(part.data)
            columns, values = part.indices, np.where(known, part.data, 0.0)
            sums = statistics.sums[:, columns]
            sums[c] = self._less(sums[c], share * values)
            gaps = None if statistics.missing is None else statistics.missing[:, columns]
            zero, slope = scratch._estimate_terms(EventCounts(rows, sums, gaps))
            terms = values[:, None] * slope
            if zero is not None and empty is not None:
                terms += np.where(known[:, None], zero, 0.0) - empty[columns]
            likelihood[start : start + step] += sum_by_row(part, terms)
        return likelihood

    def _less(self, counted: Any, taken: Any) -> Any:
        """Return what is counted without what one row has added, or raise if it did not."""
        left = counted - taken
        # Sums of weights may differ in the last digits.
        if np.any(left < -1e-9 * (1.0 + counted)):
            raise ValueError(
                f"{self._owner}: X, y and sample_weight must be the rows that the model was "
                "fitted to, got counts that it has not seen"
            )
        return np.maximum(left, 0.0)


def sum_by_row(counts: Any, terms: Array) -> Array:
    """Return the sums over each row's stored values of `terms`, which has a row for each."""
    n_stored = len(counts.indices)
    rows_of_values = csr_array(
        (np.ones(n_stored), np.arange(n_stored), counts.indptr), shape=(counts.shape[0], n_stored)
    )
    return np.asarray(rows_of_values @ terms)
