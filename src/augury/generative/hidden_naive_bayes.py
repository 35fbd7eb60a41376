"""Hidden naive Bayes."""

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.counts import (
    PairCounts,
    conditional_mutual_information,
    floored_log,
    laplace_log_probability,
    laplace_probability,
    pseudo_count,
)
from augury.counts.smoothing import SMALLEST
from augury.encode import CategoricalTable
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import (
    LARGEST_COUNT,
    check_float_array,
    check_floats,
    check_logs,
    check_part,
    check_parts,
    check_real,
)
from augury.generative.bases.leaves_one_out import LeavesOneOut
from augury.generative.bases.pair_model import WidePairModel
from augury.generative.leave_one_out.counts import log_prior_without, without_row
from augury.generative.leave_one_out.pair_counts import totals_of_column
from augury.kernels import add_log_shares, pair_shares_without
from augury.registration import register_model
from augury.structure.parent_list import ParentList, strongest_members
from augury.validation import check_distribution, check_number

# Smaller terms of the conditional mutual information are ignored (WEKA's HNB and the 2022 paper).
_NEGLIGIBLE = 1e-6
# Columns that a drawing of a hidden parent shows.
_DRAWN = 3


@register_model("hnb", "Hidden naive Bayes")
class HiddenNaiveBayes(DrawsStructure, LeavesOneOut[PairCounts], WidePairModel[PairCounts]):
    """Hidden naive Bayes (HNB): each column has one hidden parent that combines all others.

    p(c, x) = p(c) Π_i Σ_{j≠i} W_ij p(x_i | x_j, c), where the weights W_ij are proportional to
    the conditional mutual information I(A_i; A_j | C).

    Parameters
    ----------
    alpha : "m-estimate" or a number >= 0
        Pseudo-count of each state: p(x_i | x_j, c) = (N_ijc + α) / (N_jc + α v_i). 1.0 is
        Laplace smoothing (the 2022 paper). "m-estimate" is α = 1/v_i (WEKA's class). The class
        prior has the same pseudo-count: (n_c + α) / (n + α q), and 1/q with "m-estimate". In
        10-fold cross-validation over the 36 UCI sets "m-estimate" has the better mean, so it
        is the default (docs/results). With 0 a probability of zero becomes the smallest normal
        number, 2e-308.
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None estimates it.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories. Infrequent labels of a column with many labels share a
        state (`min_frequency="auto"`), unless its categories are declared.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    weights_ : array of shape (n_features, n_features)
        `weights_[i, j]` is the weight of column j in the hidden parent of column i,
        I(A_i; A_j | C) in bits. W_ij is this weight divided by the sum of row i.
    log_prior_ : array of shape (n_classes,)
    encoder_, statistics_ : the fitted encoder, and the pair counts

    Notes
    -----
    A column whose weights are all 0 has the factor p(x_i | c). If x_j is left out, its term
    is p(x_i | c); if x_i is left out, its factor is 1. `fit` counts n d²/2 pairs; predicting
    a row takes d² q look-ups. A table of which 1,000 rows would take more than ten minutes
    (d² q above 6 · 10⁸) is refused before it is read.

    With v states of a column, the pair counts take 8 q (Σ v)² bytes and the terms of the sums
    8 q (Σ (v + 1))² bytes, if these are at most 128 MB; otherwise they are computed for the
    values of the rows. If the counts would take more than 128 MB, columns of more than 256
    states are apart: a pair with one takes 8 (q + 1) bytes for each filled cell, of which there
    are at most as many as rows.

    Memory in bytes (see `augury.memory`): fit takes `n (3 d + m + 40) + 8 q s² + 8 q (s + d +
    m)²`, and the model keeps `8 q s² + 8 q (s + d + m)² + 100 s`.

    References
    ----------
    L. Jiang, H. Zhang, Z. Cai: A novel Bayes model: hidden naive Bayes. IEEE Trans.
    Knowl. Data Eng. 21 (2009). The Laplace form: Zhang, Jiang and Zhang (2022).

    Examples
    --------
    The class says whether two coins agree. Naive Bayes cannot learn it.

    >>> from augury.generative import HiddenNaiveBayes
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 5
    >>> y = ["same", "same", "other", "other"] * 5
    >>> model = HiddenNaiveBayes().fit(X, y)
    >>> model.predict(X[:4]).tolist()
    ['same', 'same', 'other', 'other']
    >>> model.weights_
    array([[0., 1.],
           [1., 0.]])
    """

    log_prior_: Array

    def __init__(
        self,
        alpha: float | str = "m-estimate",
        priors: ArrayLike | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_pseudo_count(self._owner, "alpha", self.alpha)

    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> PairCounts:
        return self._count_pairs(table, y, weight)

    def _estimate(self, pairs: PairCounts) -> None:
        n_classes = len(self.classes_)
        self._alpha = self.alpha  # blocks may be computed later
        if self.priors is None:
            added = pseudo_count(self._alpha, n_classes)
            self.log_prior_ = laplace_log_probability(pairs.features.class_counts, added)
        else:
            priors = check_distribution(self._owner, "priors", self.priors, n_classes)
            self.log_prior_ = floored_log(priors)
        information = conditional_mutual_information(pairs, negligible=_NEGLIGIBLE)
        # The sum without its small terms may be below zero.
        self.weights_: Array = np.maximum(information, 0.0)
        self._alone = [self._given_class(pairs, i) for i in range(len(self.weights_))]
        self._keep_blocks(pairs)

    def _given_class(self, pairs: PairCounts, i: int) -> Array:
        """Return p(state of i | class); 1 for "left out"."""
        counts = pairs.features.of_column(i)
        given_class = laplace_probability(counts, pseudo_count(self._alpha, len(counts)))
        return np.concatenate([given_class, np.ones((1, given_class.shape[1]))])

    def _make_block(self, pairs: PairCounts, j: int) -> Array:
        """Return W_ji p(a_j | a_i, c) of the child j and each possible parent i."""
        features = pairs.narrow.features
        block = self._empty_block(pairs, j)
        total = self.weights_[j].sum()
        if total <= 0:
            return block
        weights = self.weights_[j, pairs.is_narrow] / total
        joint = pairs.narrow.beside(pairs.place(j))
        given = laplace_probability(joint, pseudo_count(self._alpha, len(joint)))
        per_state = np.repeat(weights, features.n_states)[:, None]
        block[:-1, features.state_slots] = per_state * given
        left_out = features.offsets[1:] - 1
        block[:-1, left_out] = weights[:, None] * self._alone[j][:-1, None]
        return block

    def _sum_at_rows(self, codes: Array, j: int, columns: Array) -> Array:
        """Return Σ_i W_ji p(a_j | a_i, c) of the child j and the parents in `columns`."""
        pairs, n_states = self._pairs, self._pairs.features.n_states
        shares = self.weights_[j, columns] / max(self.weights_[j].sum(), SMALLEST)
        added = pseudo_count(self._alpha, int(n_states[j]))
        counts = pairs.at_rows(codes, j, columns)
        slots = pairs.features.offsets[columns] + codes[:, columns].astype(np.int64)
        total = pairs.totals[slots, j] + added * int(n_states[j])
        given = np.full(counts.shape, 1.0 / max(int(n_states[j]), 1))
        np.divide(counts + added, total, out=given, where=total > 0)
        left_out = codes[:, columns] == n_states[columns]
        given[left_out] = self._alone[j][codes[:, j]][np.nonzero(left_out)[0]]
        return np.asarray(np.einsum("i,ric->rc", shares, given))

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_part(self, "statistics_", PairCounts)
        if self._alpha != "m-estimate":
            check_real(self, "_alpha", low=0)
        n_classes, n_states = len(self.classes_), self.encoder_.n_states_.tolist()
        check_logs(self, "log_prior_", n_classes)
        n = len(n_states)
        check_floats(self, "weights_", n, n, low=0, high=LARGEST_COUNT)
        alone = check_parts(self, "_alone", np.ndarray, n)
        for n, table in zip(n_states, alone, strict=True):
            self._check_block(table, (n + 1, n_classes))

    def _check_block(self, block: Array, shape: tuple[int, ...]) -> None:
        # Probabilities, or weights times probabilities.
        check_float_array(self, "_blocks", block, *shape, low=0, high=2)

    def _log_joint(self, table: CategoricalTable) -> Array:
        joint = np.empty((table.n_samples, len(self.classes_)))
        joint[:] = self.log_prior_
        has_parents = self.weights_.sum(axis=1) > 0
        blocks = self._whole_blocks()
        if blocks is not None:
            alone, offsets = self._alone_by_slot(self._pairs), self._pairs.features.offsets
            add_log_shares(
                table.codes, blocks, alone, has_parents, offsets, joint, n_threads=self._n_threads()
            )
            return joint
        for i, has_parent in enumerate(has_parents):
            codes = table.codes[:, i]
            factor = self._sum_beside(table, i) if has_parent else self._alone[i][codes]
            left_out = codes == len(table.states[i])
            factor[left_out] = 1.0
            joint += floored_log(factor)
        return joint

    def _alone_by_slot(self, pairs: PairCounts) -> Array:
        """Return p(value | class) of each slot."""
        if pairs.derived.get("alone", (None,))[0] is not self._alone:
            pairs.derived["alone"] = self._alone, np.concatenate(self._alone)
        alone: Array = pairs.derived["alone"][1]
        return alone

    def _log_joint_without(self, table: CategoricalTable, y: Array, weight: Array) -> Array:
        features, rows = self._pairs.features, np.arange(len(y))
        joint = self._log_joint(table)
        if self.priors is None:
            added = pseudo_count(self._alpha, len(self.classes_))
            prior = log_prior_without(features.class_counts, y, weight, added)
        else:
            prior = np.tile(self.log_prior_, (len(y), 1))
        joint += prior - self.log_prior_
        joint[rows, y] = prior[rows, y]
        own = np.zeros(len(y))
        for i in range(table.codes.shape[1]):
            own += floored_log(self._own_factor_without(table.codes, i, y, weight))
        joint[rows, y] += own
        return joint

    def _own_factor_without(self, codes: Array, i: int, y: Array, weight: Array) -> Array:
        """Return Σ_j W_ij p(x_i | x_j, c) of each row's own class, without the row."""
        features, n = self._pairs.features, int(self._pairs.features.n_states[i])
        added = pseudo_count(self._alpha, n)
        left_out = codes[:, i] == n
        in_state = features.table[features.offsets[i] + codes[:, i].astype(np.int64), y]
        known = features.of_column(i).sum(axis=0)[y]
        factor = without_row(in_state, known, weight, added, n)
        total = self.weights_[i].sum()
        if total > 0 and not self._pairs.is_narrow.all():
            factor = self._shares_without(codes, i, y, weight, factor)
        elif total > 0:
            factor = pair_shares_without(
                codes,
                i,
                y,
                weight,
                self._pairs.beside(i),
                totals_of_column(self._pairs, i),
                self.weights_[i] / total,
                factor,
                added,
                features.offsets,
                n_threads=self._n_threads(),
            )
        factor[left_out] = 1.0
        return factor

    def _shares_without(self, codes: Array, i: int, y: Array, weight: Array, alone: Array) -> Array:
        """Return Σ_j W_ij p(x_i | x_j, c) as `pair_shares_without` does, if columns are wide."""
        pairs, n = self._pairs, int(self._pairs.features.n_states[i])
        shares, added = self.weights_[i] / self.weights_[i].sum(), pseudo_count(self._alpha, n)
        factor = np.zeros(len(y))
        for j in np.flatnonzero(shares).tolist():
            count = np.zeros(len(y)) if i == j else pairs.of_own_class_at_rows(codes, i, j, y)
            slots = pairs.features.offsets[j] + codes[:, j].astype(np.int64)
            given = without_row(count, pairs.totals[slots, i, y], weight, added, n)
            known = codes[:, j] < pairs.features.n_states[j]
            factor += shares[j] * np.where(known, given, alone)
        return factor

    def _drawing(self) -> Drawing:
        """Return the columns with the largest weights W_ij in the hidden parent of each."""
        names = list(self.encoder_.table_names_)
        weights = self.weights_ / np.maximum(self.weights_.sum(axis=1, keepdims=True), SMALLEST)
        return ParentList(
            tuple(names), strongest_members(weights, names, _DRAWN), "Weights of hidden parents"
        )


def check_pseudo_count(owner: str, name: str, value: object) -> None:
    """Raise unless the value is "m-estimate" or a finite number >= 0."""
    allowed = "'m-estimate' or a number >= 0"
    if isinstance(value, str):
        if value != "m-estimate":
            raise ValueError(f"{owner}: {name} must be {allowed}, got {value!r}")
        return
    try:
        check_number(owner, name, value, at_least=0)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{owner}: {name} must be {allowed}, got {value!r}") from None
