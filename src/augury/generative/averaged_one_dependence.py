"""Averaged one- and two-dependence estimators."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from augury.counts import FeatureCounts, PairCounts, laplace_log_probability, log_mean_exp
from augury.counts.triple_counts import TripleCounts
from augury.encode import CategoricalTable
from augury.generative.pair_model import PairModel, smoothed_given
from augury.kernels import add_log_factors, add_pair_factors
from augury.validation import check_integer

Array = NDArray[Any]

# Numbers that are averaged at once.
_TERMS_AT_ONCE = 1 << 20


class AveragedOneDependence(PairModel):
    """Averaged one-dependence estimators (AODE): each column in turn is parent of all.

    p(c, x) is the mean over the parents j of p(c, x_j) Π_{i≠j} p(x_i | c, x_j); with
    `n_parents=2` (A2DE) over the pairs of parents. Nothing is searched or selected.

    Parameters
    ----------
    n_parents : {1, 2}
        Columns that are parents at a time: AODE or A2DE. A2DE is more accurate where
        rows are many; it takes d times the time of AODE, and
        8 q (Σ v)² Σ v bytes of memory.
    frequency_limit : int
        A value (or pair of values) is a parent only if at least so many training rows
        have it.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    encoder_, statistics_ : the fitted encoder, and the pair (or triple) counts

    Notes
    -----
    Estimates are WEKA's: p(c, x_j) = (N(a_j, c) + 1) / (n + q v_j) and
    p(x_i | c, x_j) = (N(a_i, a_j, c) + 1) / (N(a_j, c) + v_i). The mean is taken by
    log-sum-exp and does not underflow. Where no value of a row is frequent enough, A2DE
    falls back to AODE, and AODE to naive Bayes. Fit counts n d²/2 pairs; a row takes
    d² q look-ups.

    References
    ----------
    G. Webb, J. Boughton, Z. Wang: Not so naive Bayes: aggregating one-dependence
    estimators. Machine Learning 58 (2005). A2DE: Webb et al., Machine Learning 86 (2012).

    Examples
    --------
    >>> from augury.generative import AveragedOneDependence
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]]
    >>> y = ["same", "same", "other", "other"]
    >>> AveragedOneDependence().fit(X, y).predict_proba([["h", "h"]]).round(3)
    array([[0.333, 0.667]])
    """

    def __init__(
        self,
        n_parents: int = 1,
        frequency_limit: int = 1,
        categorical_features: Any = "from_dtype",
        missing: str = "state",
        discretizer: Any = "mdl",
        n_jobs: int | None = None,
    ) -> None:
        self.n_parents = n_parents
        self.frequency_limit = frequency_limit
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs

    def _check_parameters(self) -> None:
        if check_integer(self._owner, "n_parents", self.n_parents, at_least=1) > 2:
            raise ValueError(f"{self._owner}: n_parents must be 1 or 2, got {self.n_parents!r}")
        check_integer(self._owner, "frequency_limit", self.frequency_limit, at_least=0)

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> Any:
        pairs = super()._collect(table, y, weight)
        if self.n_parents == 1:
            return pairs
        return TripleCounts.collect(table.codes, pairs, y, weight, n_threads=self._n_threads())

    @property
    def _pairs(self) -> PairCounts:
        pairs: PairCounts = self.statistics_ if self.n_parents == 1 else self.statistics_.pairs
        return pairs

    def _estimate(self, statistics: Any) -> None:
        pairs: PairCounts = statistics if self.n_parents == 1 else statistics.pairs
        features = pairs.features
        n = features.class_counts.sum()
        n_classes = len(self.classes_)
        # log p(c, a_j) of each slot; what is left out is no parent.
        self._log_parent = np.zeros_like(features.table)
        for j, start in enumerate(features.offsets[:-1]):
            counts = features.of_column(j)
            share = (counts + 1) / (n + n_classes * len(counts))
            self._log_parent[start : start + len(counts)] = np.log(share)
        self._frequent = features.table.sum(axis=1) >= max(self.frequency_limit, 1e-12)
        self._frequent[features.offsets[1:] - 1] = False
        self._keep_blocks(pairs)

    def _make_block(self, pairs: PairCounts, j: int) -> Array:
        """Return log p(a_i | a_j, c), of the children i beside each state of the parent j."""
        block = self._empty_block(pairs, j)
        pseudo = np.ones(len(pairs.features.n_states))
        block[:-1, pairs.features.state_slots] = np.log(smoothed_given(pairs, j, pseudo))
        return block

    def _log_joint(self, table: CategoricalTable) -> Array:
        n_features = table.codes.shape[1]
        n_terms = n_features if self.n_parents == 1 else n_features * (n_features - 1) // 2
        step = max(1, _TERMS_AT_ONCE // max(1, n_terms * len(self.classes_)))
        joint = np.empty((table.n_samples, len(self.classes_)))
        for start in range(0, table.n_samples, step):
            rows = slice(start, start + step)
            part = table.take(rows)
            joint[rows] = self._log_mean_over_parents(part)
        return joint

    def _log_mean_over_parents(self, table: CategoricalTable) -> Array:
        if self.n_parents == 2 and table.codes.shape[1] >= 2:
            joint = log_mean_exp(*self._two_parent_terms(table))
            without = ~np.isfinite(joint).all(axis=1)
            if without.any():
                joint[without] = log_mean_exp(*self._one_parent_terms(table.take(without)))
        else:
            joint = log_mean_exp(*self._one_parent_terms(table))
        without = ~np.isfinite(joint).all(axis=1)
        if without.any():
            joint[without] = self._naive(table.take(without))
        return joint

    def _one_parent_terms(self, table: CategoricalTable) -> tuple[Array, Array]:
        n_features = table.codes.shape[1]
        terms = np.empty((n_features, table.n_samples, len(self.classes_)))
        counted = np.empty((n_features, table.n_samples), dtype=bool)
        offsets = self._pairs.features.offsets
        for j in range(n_features):
            slots = table.codes[:, j].astype(np.int64) + offsets[j]
            counted[j] = self._frequent[slots]
            terms[j] = self._log_parent[slots] + self._sum_beside(table, j)
        return terms, counted

    def _two_parent_terms(self, table: CategoricalTable) -> tuple[Array, Array]:
        """Return log p(c, a_j, a_k) Π p(a_i | c, a_j, a_k) for all pairs of parents j < k."""
        triples: TripleCounts = self.statistics_
        features = self._pairs.features
        n_features, n_classes = table.codes.shape[1], len(self.classes_)
        n = features.class_counts.sum()
        firsts, seconds = np.triu_indices(n_features, 1)
        place = {
            pair: t for t, pair in enumerate(zip(firsts.tolist(), seconds.tolist(), strict=True))
        }
        terms = np.zeros((len(place), table.n_samples, n_classes))
        counted = np.zeros((len(place), table.n_samples), dtype=bool)
        for j in range(n_features - 1):
            for state in np.unique(table.codes[:, j]).tolist():
                if state == features.n_states[j]:
                    continue
                rows = np.flatnonzero(table.codes[:, j] == state)
                part, given = table.take(rows), triples.given(j, state)
                for k in range(j + 1, n_features):
                    counts = given.features.of_column(k)
                    cells = n + n_classes * features.n_states[j] * features.n_states[k]
                    log_parent = np.concatenate(
                        [np.log((counts + 1) / cells), np.zeros((1, n_classes))]
                    )
                    frequent = np.append(
                        counts.sum(axis=1) >= max(self.frequency_limit, 1e-12), False
                    )
                    t, codes = place[j, k], part.codes[:, k]
                    beside = np.zeros((len(rows), n_classes))
                    block = self._make_block(given, k)
                    block[:, features.offsets[j] : features.offsets[j + 1]] = 0.0
                    add_pair_factors(part.codes, k, block, features.offsets, beside)
                    terms[t, rows] = log_parent[codes] + beside
                    counted[t, rows] = frequent[codes]
        return terms, counted

    def _naive(self, table: CategoricalTable) -> Array:
        features: FeatureCounts = self._pairs.features
        log_table = np.zeros_like(features.table)
        for j, start in enumerate(features.offsets[:-1]):
            log_table[start : start + features.n_states[j]] = laplace_log_probability(
                features.of_column(j), 1.0
            )
        joint = np.empty((table.n_samples, len(self.classes_)))
        joint[:] = laplace_log_probability(features.class_counts, 1.0)
        add_log_factors(table.codes, log_table, features.offsets, joint)
        return joint
