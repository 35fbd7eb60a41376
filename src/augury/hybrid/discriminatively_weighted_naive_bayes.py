"""Naive Bayes whose columns have weights of maximum conditional likelihood."""

from functools import cached_property

import numpy as np
from scipy.optimize import minimize
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases import LogScoreClassifier
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import (
    FeatureCounts,
    floored_log,
    laplace_log_probability,
    laplace_log_table,
    log_softmax_of,
    pseudo_count,
)
from augury.encode import CategoricalTable
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import LARGEST_COUNT, check_floats
from augury.foreign import Table
from augury.generative import NaiveBayes
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.leaves_one_out import weight_left_out
from augury.generative.bases.training_rows import ReadRows, TrainingRows
from augury.generative.hidden_naive_bayes import check_pseudo_count
from augury.generative.leave_one_out.counts import (
    all_equal,
    log_prior_without,
    take_away,
    without_row,
)
from augury.hybrid.inner_models.fitting import declared_codes
from augury.hybrid.inner_models.inner_naive_bayes import (
    check_inner_naive_bayes,
    require_discretizer,
)
from augury.hybrid.inner_models.likelihood_search import (
    SCORES_AT_ONCE,
    require_loss_time,
    split_rows,
)
from augury.kernels import add_log_factors, add_to_slots
from augury.memory import columns_named, require_bytes
from augury.registration import register_model
from augury.validation import check_choice, check_flag, check_integer, check_number, check_table

OBJECTIVES = ("cll", "mse")


@register_model("wanbia-c", "Naive Bayes, columns weighted by conditional likelihood (WANBIA-C)")
class DiscriminativelyWeightedNaiveBayes(DrawsStructure, ExplainsLogOdds, LogScoreClassifier):
    """Naive Bayes with weights by conditional likelihood (WANBIA, WANBIA-C).

    p(c, x) ∝ p(c) Π_i p(x_i | c)^{w_i}. The probabilities are those of naive Bayes. The weights,
    one for each column, maximise the conditional likelihood Σ log p(c | x) of the training rows:
    a column that repeats what others say has a low weight.

    Parameters
    ----------
    objective : {"cll", "mse"}
        What the weights optimise over the rows: "cll" the conditional log likelihood, "mse" the
        squared error ½ Σ_c (p(c | x) - [c is the class of the row])².
    max_weight : number >= 1 or None
        Upper bound of the weights; None is no bound. The lower bound is 0. With None, the
        weights of separable classes grow until `max_iter`, and probabilities become extreme.
    leave_one_out : bool
        Whether the probabilities p(x_i | c) of a training row are estimated without this row
        while weights are found. The row itself makes rare states look more certain than they
        are. False is the published method. (docs/results/weighted-naive-bayes.md compares them.)
    alpha : "m-estimate" or a number >= 0
        Pseudo-count of each state: p(x_i | c) = (N_ic + α) / (N_c + α v_i). 1.0 is Laplace
        smoothing. "m-estimate" is α = 1/v_i, and 1/q for the q classes.
    max_iter : int
        Largest number of iterations of L-BFGS-B.
    tol : float
        The search ends when no component of the gradient exceeds `tol` times the number of rows.
    categorical_features, missing, discretizer : see `TableEncoder`
        How columns become categories.
    n_jobs : int or None
        Threads; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    weights_ : array of shape (n_columns,), in the order of `model_.encoder_.table_names_`
    model_ : the `NaiveBayes` whose log factors are w_i log p(x_i | c)
    n_iter_ : int

    Notes
    -----
    *The place between naive Bayes and logistic regression.* log p(c | x) is linear in
    log p(x_i = v | c), and so is that of logistic regression in indicators of states.

    ===================  ==================================  ===================================
    model                coefficient of state v in class c   number of parameters that are fitted
                                                             to log p(c | x)
    ===================  ==================================  ===================================
    naive Bayes          log p(v | c)                        none
    this model           w_i log p(v | c)                    d, one for each column
    logistic regression  β_ivc                               (q - 1) Σ (v_i - 1), and q - 1
    ===================  ==================================  ===================================

    The weights are a logistic regression with tied coefficients. It needs fewer rows than a
    regression without ties, and it cannot change the order in which the states of a column
    favour a class.

    The loss with "cll" is convex, and every search finds its minimum. With "mse" it is not; the
    search starts at naive Bayes, w = 1. There is no `partial_fit`: the weights depend on all
    rows, not on counts alone.

    An evaluation of the loss takes n q (2 d + 20) steps of 0.5 ns, and the search about 20
    evaluations or more. If these take more than ten minutes (for each 100,000 rows), `fit` is
    refused before the table is read.

    The paper calls the method WANBIA, weighting attributes to alleviate the naive Bayes
    independence assumption.

    Memory in bytes (see `augury.memory`): fit takes `n (10 d + 10 m + 32 q + 60) + 100 s`, and
    the model keeps `16 q s + 100 s`.

    References
    ----------
    N. A. Zaidi, J. Cerquides, M. J. Carman, G. I. Webb: Alleviating naive Bayes attribute
    independence assumption by attribute weighting. JMLR 14 (2013), 1947-1988.

    Examples
    --------
    Two columns are equal, so naive Bayes counts the evidence twice. Four of the six rows with
    "a" are of class 0: weights of 1/2 count it once.

    >>> from augury.hybrid import DiscriminativelyWeightedNaiveBayes
    >>> X = [["a", "a"]] * 6 + [["b", "b"]] * 6
    >>> y = [0, 0, 0, 0, 1, 1] + [0, 0, 1, 1, 1, 1]
    >>> model = DiscriminativelyWeightedNaiveBayes(alpha=0, leave_one_out=False).fit(X, y)
    >>> model.weights_.round(3), model.predict_proba(X[:1]).round(3)
    (array([0.5, 0.5]), array([[0.667, 0.333]]))
    """

    weights_: Array
    n_iter_: int

    def __init__(
        self,
        objective: str = "cll",
        max_weight: float | None = 1.0,
        leave_one_out: bool = True,
        alpha: float | str = "m-estimate",
        max_iter: int = 500,
        tol: float = 1e-5,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.objective = objective
        self.max_weight = max_weight
        self.leave_one_out = leave_one_out
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        check_choice(self._owner, "objective", self.objective, OBJECTIVES)
        if self.max_weight is not None:
            check_number(self._owner, "max_weight", self.max_weight, at_least=1)
        check_flag(self._owner, "leave_one_out", self.leave_one_out)
        check_pseudo_count(self._owner, "alpha", self.alpha)
        check_number(self._owner, "tol", self.tol, above=0)
        check_integer(self._owner, "max_iter", self.max_iter, at_least=1)
        require_discretizer(self._owner, self.discretizer)

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Estimate naive Bayes, and find the weights of its columns."""
        self.model_: NaiveBayes = NaiveBayes(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )
        training = self.model_.read_training(X, declared_codes(codes, len(self.classes_)), weight)
        self.model_.fit_read(training)
        with columns_named(self._owner, self.model_.encoder_.table_names_):
            self._fit_weights(training)

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        require_loss_time(self._owner, n_rows, n_columns, n_classes)

    def _fit_weights(self, training: TrainingRows) -> None:
        """Set the weights, and the weighted log factors of the model."""
        model, counts = self.model_, self.model_.statistics_.counts
        factors = _Factors(counts, self.alpha)
        keep_prior = len(training.y) * len(self.classes_) <= SCORES_AT_ONCE
        rows = [
            _Rows(factors, codes, y, weight, self.leave_one_out, keep_prior)
            for read, all_y, all_weight in training
            for codes, y, weight in split_rows(read.codes, all_y, all_weight, len(self.classes_))
        ]

        def loss_and_gradient(weights: Array) -> tuple[float, Array]:
            table = factors.weighted(weights)
            parts = [
                part.loss_and_gradient(weights, table, mse=self.objective == "mse") for part in rows
            ]
            return sum(loss for loss, _ in parts), np.sum([slope for _, slope in parts], axis=0)

        found = minimize(
            loss_and_gradient,
            np.ones(len(counts.n_states)),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, self.max_weight)] * len(counts.n_states),
            options={
                "maxiter": self.max_iter,
                "gtol": self.tol * counts.class_counts.sum(),
                "ftol": 0.0,
            },
        )
        self.weights_, self.n_iter_ = found.x, int(found.nit)
        model.log_prior_, model._log_table = factors.log_prior, factors.weighted(found.x)

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_columns = len(check_inner_naive_bayes(self).encoder_.n_states_)
        check_floats(self, "weights_", n_columns, low=0, high=self.max_weight or LARGEST_COUNT)

    def _check_input(self, X: Table, *, reset: bool) -> Table:
        return check_table(self, X, reset=reset)

    def _read(self, X: Table) -> ReadRows:
        return self.model_._read(X)

    def _log_terms(self, rows: CategoricalTable) -> tuple[list[str], Array]:
        return self.model_._log_terms(rows)

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        return self.model_.predict_joint_log_proba(check_table(self, X, reset=False))

    def _drawing(self) -> Drawing:
        return self.model_._drawing()


class _Factors:
    """The log probabilities of naive Bayes, with any pseudo-count."""

    def __init__(self, counts: FeatureCounts, alpha: float | str) -> None:
        self.counts, self.alpha = counts, alpha
        self.added = pseudo_count(alpha, len(counts.class_counts))
        self.log_prior = laplace_log_probability(counts.class_counts, self.added)
        self.log_table = laplace_log_table(counts, alpha)

    def weighted(self, weights: Array) -> Array:
        """Return w_i log p(x_i | c) of all slots."""
        return np.repeat(weights, self.counts.n_states + 1)[:, None] * self.log_table

    def own_without(self, codes: Array, y: Array, left_out: Array) -> Array:
        """Return log p(x_i | own class) of each row and column, estimated without the row."""
        own = np.zeros(codes.shape)
        alike = all_equal(left_out)
        for j, n in enumerate(self.counts.n_states.tolist()):
            if alike:
                own[:, j] = self._column_without(j, left_out[:1])[codes[:, j], y]
                continue
            known = np.flatnonzero(codes[:, j] < n)
            classes, count = y[known], self.counts.of_column(j)
            share = without_row(
                count[codes[known, j], classes],
                count.sum(axis=0)[classes],
                left_out[known],
                pseudo_count(self.alpha, n),
                n,
            )
            own[known, j] = floored_log(share)
        return own

    def _column_without(self, j: int, left_out: Array) -> Array:
        """Return log p(x_j | c) of each state and class without a row; 0 for a left-out code."""
        count, n = self.counts.of_column(j), int(self.counts.n_states[j])
        total = np.broadcast_to(count.sum(axis=0), count.shape)
        share = without_row(count, total, left_out, pseudo_count(self.alpha, n), n)
        return np.vstack([floored_log(share), np.zeros((1, count.shape[1]))])


class _Rows:
    """Training rows and their part of the loss, as a function of the weights."""

    def __init__(
        self,
        factors: _Factors,
        codes: Array,
        y: Array,
        weight: Array | None,
        leave_one_out: bool,
        keep_prior: bool,
    ) -> None:
        self._keep_prior = keep_prior
        self._factors, self._codes, self._y, self._weight = factors, codes, y, weight
        self._own: Array | None = None
        self._left_out: Array | None = None
        if leave_one_out:
            require_bytes(
                8 * codes.size,
                "the log probabilities of all rows and columns",
                advice="use leave_one_out=False",
            )
            self._left_out = weight_left_out(weight, len(y))
            self._own = factors.own_without(codes, y, self._left_out)

    @cached_property
    def _log_prior(self) -> Array:
        """The log p(c) of each class, and of each row if it is left out."""
        factors, y = self._factors, self._y
        if self._left_out is None:
            return factors.log_prior[None]
        if not self._keep_prior:
            # What all classes of a row have in common is not part of log p(c | x).
            return floored_log(factors.counts.class_counts + factors.added)[None]
        return log_prior_without(factors.counts.class_counts, y, self._left_out, factors.added)

    @cached_property
    def _own_log_prior(self) -> Array:
        """The log p(c) of each row's own class."""
        classes = self._factors.counts.class_counts
        if self._left_out is not None and not self._keep_prior:
            left = take_away(classes[self._y], self._left_out)
            return floored_log(left + self._factors.added)
        rows = np.arange(len(self._y)) if len(self._log_prior) > 1 else 0
        own: Array = self._log_prior[rows, self._y]
        return own

    def loss_and_gradient(self, weights: Array, table: Array, *, mse: bool) -> tuple[float, Array]:
        """Return the loss of the rows and its gradient; `table` has the weighted factors."""
        own_class = np.arange(len(self._y)), self._y
        joint = np.empty((len(self._y), table.shape[1]))
        joint[:] = self._log_prior
        add_log_factors(self._codes, table, self._factors.counts.offsets, joint)
        if self._own is not None:
            joint[own_class] = self._own_log_prior + self._own @ weights
        log_own, proba = log_softmax_of(joint, self._y)
        slope = proba.copy()  # of the loss, with respect to log p(c, x)
        slope[own_class] -= 1.0
        loss = -log_own
        if mse:
            loss = 0.5 * np.einsum("ij,ij->i", slope, slope)
            slope = proba * (slope - np.einsum("ij,ij->i", slope, proba)[:, None])
        if self._weight is not None:
            loss, slope = loss * self._weight, slope * self._weight[:, None]
        return float(loss.sum()), self._gradient(slope)

    def _gradient(self, slope: Array) -> Array:
        """Return Σ over rows and classes of the slope times log p(x_i | c)."""
        factors, gradient = self._factors, np.zeros(self._codes.shape[1])
        if self._own is not None:
            own_class = np.arange(len(self._y)), self._y
            gradient += slope[own_class] @ self._own
            slope[own_class] = 0.0
        offsets = factors.counts.offsets
        by_slot = add_to_slots(self._codes, slope, offsets) * factors.log_table
        gradient += np.add.reduceat(by_slot.sum(axis=1), offsets[:-1])
        return gradient
