"""Averaged one- and two-dependence estimators."""

from functools import partial
from itertools import combinations

import numpy as np

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.counts import (
    PairCounts,
    laplace_log_probability,
    laplace_log_table,
    log_mean_exp,
)
from augury.counts.smoothing import SMALLEST
from augury.counts.triple_counts import TripleCounts, require_triples
from augury.encode import CategoricalTable
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import LARGEST_LOG, check_float_array, check_real
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.bases.pair_model import WidePairModel, pairs_of
from augury.generative.leave_one_out.counts import (
    add_log_factors_without,
    log_prior_without,
    take_away,
)
from augury.generative.leave_one_out.pair_counts import OwnRows, pairs_without, totals_of_others
from augury.kernels import add_log_factors, add_pair_factors, log_mean_over_parents
from augury.registration import register_model
from augury.structure.parent_list import ParentList
from augury.validation import check_integer, check_number

# Terms that are averaged at once.
_TERMS_AT_ONCE = 1 << 20
# A value with less weight has not occurred.
_LEAST = 1e-12

Counts = PairCounts | TripleCounts


@register_model("aode", "Averaged one-dependence estimators")
class AveragedOneDependence(DrawsStructure, LeavesOneOut[Counts], WidePairModel[Counts]):
    """Averaged one-dependence estimators (AODE): each column in turn is parent of all.

    p(c, x) is the mean over the parents j of p(c, x_j) Π_{i≠j} p(x_i | c, x_j); with
    `n_parents=2` (A2DE) over the pairs of parents. No structure is searched.

    Parameters
    ----------
    n_parents : {1, 2}
        Number of columns that are parents at a time: AODE or A2DE. A2DE is more accurate
        with many rows. It takes d times the time of AODE to fit, more than that to predict
        (140 times with 30 columns), and 8 q (Σ v)² Σ v bytes of memory.
    frequency_limit : int
        A value (or pair of values) is a parent only if at least this number of training rows
        have it.
    alpha : float
        Pseudo-count of each combination of values: p(c, x_j) = (N(a_j, c) + α) / (n + α q v_j)
        and p(x_i | c, x_j) = (N(a_i, a_j, c) + α) / (N(a_j, c) + α v_i). 1 is Laplace smoothing
        (WEKA). With 0 a probability of zero becomes the smallest normal number, 2e-308.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    encoder_, statistics_ : the fitted encoder, and the pair (or triple) counts

    Notes
    -----
    With α = 1 the estimates are those of WEKA. The two parents of A2DE are one column with
    v_j v_k values in these formulas. The mean is computed by log-sum-exp and does not
    underflow. If no value of a row is frequent enough, A2DE falls back to AODE, and AODE to
    naive Bayes with the same α. `fit` counts n d²/2 pairs; predicting a row takes d² q look-ups.
    A table of which 1,000 rows would take more than ten minutes (d² q above 6 · 10⁸, with A2DE
    d³ q) is refused before it is read. A2DE has no sparse form: triples that do not fit in memory
    are refused before rows are counted.

    With v states of a column, the pair counts take 8 q (Σ v)² bytes and their log probabilities
    8 q (Σ (v + 1))² bytes, if these are at most 128 MB; otherwise they are computed for the
    values of the rows. If the counts would take more than 128 MB, columns of more than 256
    states are apart: a pair with one takes 8 (q + 1) bytes for each filled cell, of which there
    are at most as many as rows.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + m + 40) + 8 q s² + 8 q (s + d +
    m)²`, and the model keeps `8 q s² + 8 q (s + d + m)² + 100 s`.

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

    _alpha = 1.0  # model files of augury 0.1 do not have it

    # Rare values are no parents (`frequency_limit`), and a shared state for them does not help.
    _min_frequency = None

    def __init__(
        self,
        n_parents: int = 1,
        frequency_limit: int = 1,
        alpha: float = 1.0,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_parents = n_parents
        self.frequency_limit = frequency_limit
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        if check_integer(self._owner, "n_parents", self.n_parents, at_least=1) > 2:
            raise ValueError(f"{self._owner}: n_parents must be 1 or 2, got {self.n_parents!r}")
        check_integer(self._owner, "frequency_limit", self.frequency_limit, at_least=0)
        check_number(self._owner, "alpha", self.alpha, at_least=0)

    @property
    def _columns_of_factor(self) -> int:
        return 1 + self.n_parents

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> Counts:
        if self.n_parents == 2:  # before the pairs are counted
            require_triples(table.n_states, len(self.classes_))
        pairs = self._count_pairs(table, y, weight, all_dense=self.n_parents == 2)
        if self.n_parents == 1:
            return pairs
        return TripleCounts.collect(table.codes, pairs, y, weight, n_threads=self._n_threads())

    def _estimate(self, statistics: Counts) -> None:
        # A value that did not occur is not a parent, whatever the limit.
        self._least = max(self.frequency_limit, _LEAST)
        self._alpha = float(self.alpha)  # blocks may be computed later
        self._keep_blocks(pairs_of(statistics))

    def _make_block(self, pairs: PairCounts, j: int) -> Array:
        """Return log p(a_i | a_j, c) of the children i and each state of the parent j."""
        block = self._empty_block(pairs, j)
        narrow = pairs.narrow
        block[:-1, narrow.features.state_slots] = _log_given(narrow, pairs.place(j), self._alpha)
        return block

    def _sum_at_rows(self, codes: Array, j: int, columns: Array) -> Array:
        """Return Σ_i log p(a_i | a_j, c) of the children in `columns`."""
        pairs, n_states = self._pairs, self._pairs.features.n_states
        counts = pairs.at_rows(codes, j, columns)
        slots = pairs.features.offsets[j] + codes[:, j].astype(np.int64)
        per_state = n_states[columns][:, None]
        total = pairs.totals[slots[:, None], columns] + self._alpha * per_state
        log_share = _log_share(counts, total, self._alpha, per_state)
        log_share[codes[:, columns] == n_states[columns]] = 0.0
        log_share[codes[:, j] == n_states[j]] = 0.0
        return np.asarray(log_share.sum(axis=1))

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_real(self, "_least", low=_LEAST)
        check_real(self, "_alpha", low=0)

    def _check_block(self, block: Array, shape: tuple[int, ...]) -> None:
        check_float_array(self, "_blocks", block, *shape, low=-LARGEST_LOG, high=0)

    def _log_joint(self, table: CategoricalTable) -> Array:
        blocks = self._whole_blocks()
        if blocks is None or isinstance(self.statistics_, TripleCounts):
            return self._log_joint_of(table, None)
        joint = np.empty((table.n_samples, len(self.classes_)))
        parents, counted = self._parents_of_slots(self._pairs)
        offsets = self._pairs.features.offsets
        log_mean_over_parents(
            table.codes, blocks, parents, counted, offsets, joint, n_threads=self._n_threads()
        )
        if (waiting := np.isneginf(joint[:, 0])).any():
            joint[waiting] = self._naive(table.take(waiting), None)
        return joint

    def _parents_of_slots(self, pairs: PairCounts) -> tuple[Array, Array]:
        """Return log p(c, value) of each slot, and whether the value is frequent enough."""
        key = self._alpha, self._least
        if pairs.derived.get("parents", (None,))[0] != key:
            features, alpha = pairs.features, self._alpha
            n_outcomes = len(self.classes_) * np.repeat(features.n_states, features.n_states + 1)
            total = features.class_counts.sum() + alpha * n_outcomes[:, None]
            parents = _log_share(features.table, total, alpha, n_outcomes[:, None])
            counted = features.table.sum(axis=1) >= self._least
            counted[features.offsets[1:] - 1] = False  # left out
            pairs.derived["parents"] = key, (parents, counted)
        parents, counted = pairs.derived["parents"][1]
        return parents, counted

    def _log_joint_without(self, table: CategoricalTable, y: Array, weight: Array) -> Array:
        return self._log_joint_of(table, OwnRows(y, weight))

    def _log_joint_of(self, table: CategoricalTable, own: OwnRows | None) -> Array:
        """Return log p(c, x); if `own` rows are given, by the counts without each row."""
        n_features = table.codes.shape[1]
        two_parents = isinstance(self.statistics_, TripleCounts)
        n_terms = n_features * (n_features - 1) // 2 if two_parents else n_features
        step = max(1, _TERMS_AT_ONCE // max(1, n_terms * len(self.classes_)))
        joint = np.empty((table.n_samples, len(self.classes_)))
        for start in range(0, table.n_samples, step):
            rows = slice(start, start + step)
            joint[rows] = self._log_mean_over_parents(table.take(rows), _take(own, rows))
        return joint

    def _log_mean_over_parents(self, table: CategoricalTable, own: OwnRows | None) -> Array:
        """Return the mean over the parents; a row without a frequent parent has fewer parents."""
        joint = np.full((table.n_samples, len(self.classes_)), -np.inf)
        ways = [self._one_parent_terms]
        counts = self.statistics_
        if isinstance(counts, TripleCounts) and table.codes.shape[1] >= 2:
            ways.insert(0, partial(self._two_parent_terms, counts=counts))
        for terms_of in ways:
            if (waiting := np.isneginf(joint[:, 0])).any():
                terms = terms_of(table.take(waiting), _take(own, waiting))
                joint[waiting] = log_mean_exp(*terms)
        if (waiting := np.isneginf(joint[:, 0])).any():
            joint[waiting] = self._naive(table.take(waiting), _take(own, waiting))
        return joint

    def _one_parent_terms(
        self, table: CategoricalTable, own: OwnRows | None
    ) -> tuple[Array, Array]:
        """Return log p(c, a_j) Π p(a_i | c, a_j) for all j, and whether j is a parent."""
        pairs, n_features = self._pairs, table.codes.shape[1]
        terms = np.empty((n_features, table.n_samples, len(self.classes_)))
        counted = np.empty((n_features, table.n_samples), dtype=bool)
        for j in range(n_features):
            parent, counted[j] = self._parent(table, pairs, j, pairs.features.n_states[j], own)
            terms[j] = parent + self._sum_beside(table, j)
            if own is not None:
                self._leave_out(terms[j], parent, pairs, j, table.codes, own)
        return terms, counted

    def _two_parent_terms(
        self, table: CategoricalTable, own: OwnRows | None, counts: TripleCounts
    ) -> tuple[Array, Array]:
        """Return log p(c, a_j, a_k) Π p(a_i | c, a_j, a_k) for all j < k, and whether they count.

        Among the rows of one state of j, k is the one parent of the other columns.
        """
        features, n_features = self._pairs.features, table.codes.shape[1]
        n_pairs = n_features * (n_features - 1) // 2
        terms = np.zeros((n_pairs, table.n_samples, len(self.classes_)))
        counted = np.zeros((n_pairs, table.n_samples), dtype=bool)
        offsets, pair = features.offsets, 0
        for j in range(n_features - 1):
            present = np.unique(table.codes[:, j]).tolist()
            for state in (code for code in present if code < features.n_states[j]):
                rows = np.flatnonzero(table.codes[:, j] == state)
                part, given = table.take(rows), counts.given(j, state)
                asked = _take(own, rows)
                for t, k in enumerate(range(j + 1, n_features), start=pair):
                    n_states = features.n_states[j] * features.n_states[k]
                    parent, counted[t, rows] = self._parent(part, given, k, n_states, asked)
                    block = self._make_block(given, k)
                    block[:, offsets[j] : offsets[j + 1]] = 0.0  # the other parent
                    both = parent.copy()
                    add_pair_factors(part.codes, k, block, offsets, both)
                    if asked is not None:
                        self._leave_out(both, parent, given, k, part.codes, asked, other_parent=j)
                    terms[t, rows] = both
            pair += n_features - 1 - j
        return terms, counted

    def _parent(
        self,
        table: CategoricalTable,
        pairs: PairCounts,
        j: int,
        n_states: int,
        own: OwnRows | None,
    ) -> tuple[Array, Array]:
        """Return log p(c, parent) of each row, and whether its value of j is frequent enough.

        `n_states` is the number of values (or pairs of values) that the parent can have.
        """
        counts, n_classes = pairs.features.of_column(j), len(self.classes_)
        codes = table.codes[:, j]
        total = self._pairs.features.class_counts.sum()
        count = np.concatenate([counts, np.zeros((1, n_classes))])[codes]
        left_out = codes == len(counts)
        if own is not None:
            rows = np.arange(len(codes))
            count[rows, own.y] = take_away(count[rows, own.y], own.weight)
            total = (total - own.weight)[:, None]
        # A row with NaN, which was not counted, stays and is refused later.
        frequent = ~left_out & ~(count.sum(axis=1) < self._least)
        n_outcomes = n_classes * n_states
        log_share = _log_share(count, total + self._alpha * n_outcomes, self._alpha, n_outcomes)
        log_share[left_out] = 0.0
        return log_share, frequent

    def _naive(self, table: CategoricalTable, own: OwnRows | None) -> Array:
        features, alpha = self._pairs.features, self._alpha
        log_table = laplace_log_table(features, alpha)
        if own is not None:
            joint = log_prior_without(features.class_counts, own.y, own.weight, alpha)
            add_log_factors_without(
                features, table.codes, own.y, own.weight, alpha, joint, log_table=log_table
            )
            return joint
        joint = np.empty((table.n_samples, len(self.classes_)))
        joint[:] = laplace_log_probability(features.class_counts, alpha)
        add_log_factors(table.codes, log_table, features.offsets, joint)
        return joint

    def _leave_out(
        self,
        terms: Array,
        parent: Array,
        pairs: PairCounts,
        j: int,
        codes: Array,
        own: OwnRows,
        other_parent: int | None = None,
    ) -> None:
        """Replace the terms of the rows' own classes by those of the counts without the rows."""
        counts, there = pairs_without(pairs, j, codes, own)
        columns, rows = np.arange(codes.shape[1]), np.arange(len(codes))
        totals = totals_of_others(pairs, j)[codes[:, [j]], columns, own.y[:, None]]
        n_states = pairs.features.n_states
        left = take_away(totals, own.weight[:, None]) + self._alpha * n_states
        log_share = _log_share(counts, left, self._alpha, n_states)
        there[:, j] = False
        if other_parent is not None:
            there[:, other_parent] = False
        log_share[~there] = 0.0
        terms[rows, own.y] = parent[rows, own.y] + log_share.sum(axis=1)

    def _drawing(self) -> Drawing:
        """Return the parents of the networks that are averaged, each with its children."""
        names = list(self.encoder_.table_names_)
        n_parents = min(2 if isinstance(self.statistics_, TripleCounts) else 1, len(names))
        parents = list(combinations(names, n_parents))
        members = tuple(tuple((name, None) for name in names if name not in own) for own in parents)
        heads = tuple(", ".join(own) for own in parents)
        return ParentList(heads, members, f"Mean of {len(heads)} networks", outward=True)


def _take(own: OwnRows | None, rows: Array | slice) -> OwnRows | None:
    return None if own is None else own.take(rows)


def _log_share(count: Array, total: Array, alpha: float, n_outcomes: Array | int) -> Array:
    """Return log((N + α) / total), or log(1 / n_outcomes) where the total is 0.

    The total includes the pseudo-counts. NaN, of a row that was not counted, stays NaN.
    """
    share = count + alpha
    if alpha > 0:
        share /= total
    else:
        uniform = np.broadcast_to(1.0 / np.maximum(n_outcomes, 1), share.shape).copy()
        share = np.divide(share, total, out=uniform, where=~(total <= 0))
    np.maximum(share, SMALLEST, out=share)
    return np.log(share, out=share)


def _log_given(pairs: PairCounts, j: int, alpha: float) -> Array:
    """Return log p(state | state of j, class) for the states of all columns.

    p = (N(a_i, a_j, c) + α) / (N(a_j, c) + α v_i), where N(a_j, c) counts the rows in which
    column i has a value; the shape is (n_states[j], Σ n_states, n_classes).
    """
    n_states, joint = pairs.features.n_states, pairs.beside(j)
    used = n_states > 0
    own = np.add.reduceat(joint, pairs.offsets[:-1][used], axis=1) if used.any() else joint
    owner = np.repeat(np.arange(int(used.sum())), n_states[used])
    per_state = np.repeat(n_states, n_states)[:, None]
    return _log_share(joint, own[:, owner] + alpha * per_state, alpha, per_state)
