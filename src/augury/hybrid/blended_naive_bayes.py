"""Naive Bayes between its generative and its discriminative estimate."""

import numpy as np
from scipy.optimize import minimize
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.draws_structure import Drawing, DrawsStructure
from augury.bases.partial_scores import PartialScores
from augury.bases.table_classifier import ROWS_TO_PREDICT, TableClassifier
from augury.counts import log_normalize, log_softmax_of, normalize
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Table
from augury.generative import NaiveBayes
from augury.generative.bases.training_rows import TrainingRows
from augury.hybrid.inner_models.fitting import declared_codes
from augury.hybrid.inner_models.inner_naive_bayes import (
    check_inner_naive_bayes,
    require_discretizer,
)
from augury.hybrid.inner_models.likelihood_search import require_loss_time, split_rows
from augury.kernels import add_log_factors, add_to_slots, slot_offsets
from augury.memory import columns_named, require_bytes
from augury.registration import register_model
from augury.validation import check_choice, check_integer, check_number, check_table

_GRID = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)
_N_FOLDS = 5
# Number of past steps that L-BFGS stores, each with the change of the gradient.
_STEPS_KEPT = 20


@register_model(
    "blended-nb",
    "Naive Bayes between the generative and the discriminative estimate",
)
class BlendedNaiveBayes(DrawsStructure, TableClassifier):
    """Blended naive Bayes (Bishop and Lasserre): one θ for p(c, x) and for p(c | x).

    θ, the probabilities of naive Bayes, maximises

        λ Σ_i w_i log p(c_i | x_i) + (1 - λ) [Σ_i w_i log p(c_i, x_i) + α Σ log θ].

    λ = 0 is naive Bayes with Laplace's rule. λ = 1 is its discriminative counterpart: a logistic
    regression without a penalty, whose coefficients are log probabilities.

    Parameters
    ----------
    blend : float from 0 to 1 or "cv"
        λ. "cv" takes the value of 0, 0.25, 0.5, 0.75, 0.9 and 1 with the lowest log loss in five
        folds of the training rows.
    alpha : float > 0
        Pseudo-count of each state: the prior of θ in the generative part.
    max_iter : int
        Maximum number of steps of L-BFGS.
    tol : float
        Stopping tolerance: the largest component of the gradient, divided by the weight of all
        rows.
    categorical_features, missing, discretizer, n_jobs : see `TableEncoder`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    blend_ : float, the λ that was used
    model_ : the `NaiveBayes` with these θ
    n_iter_ : int

    Notes
    -----
    Bishop and Lasserre have two sets of parameters, coupled by a prior whose width interpolates
    between both ends. The convex combination of the two likelihoods with one set of parameters is
    the form of Bouchard and Triggs (2004). The objective is not concave between the ends; the
    search starts at naive Bayes. If the classes are separable, the θ of λ = 1 approach 0 and 1
    until `max_iter` ends the search; for λ = 0.9 they are bounded.

    An evaluation of the objective takes n q (2 d + 20) steps of 0.5 ns, and a search about 20
    evaluations or more. If these take more than ten minutes (for each 100,000 rows), `fit` is
    refused before the table is read.

    Memory in bytes (see `augury.memory`): fit takes `n (d + 9 m + 48 q) + 100 s`, and the model
    keeps `16 q s + 100 s`.

    References
    ----------
    C. M. Bishop, J. Lasserre: Generative or discriminative? Getting the best of both worlds.
    Bayesian Statistics 8 (2007).
    G. Bouchard, B. Triggs: The tradeoff between generative and discriminative classifiers.
    COMPSTAT 2004.

    Examples
    --------
    Two columns that say the same: naive Bayes counts the evidence twice; its twin finds that
    four of the six rows with "a" are of class 0.

    >>> from augury.hybrid import BlendedNaiveBayes
    >>> X = [["a", "a"]] * 6 + [["b", "b"]] * 6
    >>> y = [0, 0, 0, 0, 1, 1] + [0, 0, 1, 1, 1, 1]
    >>> BlendedNaiveBayes(blend=0.0).fit(X, y).predict_proba(X[:1]).round(2)
    array([[0.74, 0.26]])
    >>> BlendedNaiveBayes(blend=1.0).fit(X, y).predict_proba(X[:1]).round(2)
    array([[0.67, 0.33]])
    """

    def __init__(
        self,
        blend: float | str = 0.5,
        alpha: float = 1.0,
        max_iter: int = 500,
        tol: float = 1e-5,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.blend = blend
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        if isinstance(self.blend, str):
            check_choice(self._owner, "blend", self.blend, ("cv",))
        elif check_number(self._owner, "blend", self.blend, at_least=0) > 1:
            raise ValueError(
                f"{self._owner}: blend must be a number from 0 to 1, or 'cv', got {self.blend!r}"
            )
        check_number(self._owner, "alpha", self.alpha, above=0)
        check_number(self._owner, "tol", self.tol, above=0)
        check_integer(self._owner, "max_iter", self.max_iter, at_least=1)
        require_discretizer(self._owner, self.discretizer)

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Estimate θ."""
        self.model_: NaiveBayes = NaiveBayes(
            alpha=self.alpha,
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )
        training = self.model_.read_training(X, declared_codes(codes, len(self.classes_)), weight)
        self.blend_: float = (
            self._choose(training) if isinstance(self.blend, str) else float(self.blend)
        )
        self.n_iter_: int = self._fit_blend(self.model_, training, self.blend_)

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        n_searches = _N_FOLDS * len(_GRID) + 1 if isinstance(self.blend, str) else 1
        require_loss_time(self._owner, n_rows, n_columns, n_classes, n_searches)

    def _fit_blend(self, model: NaiveBayes, training: TrainingRows, blend: float) -> int:
        model.fit_read(training)
        if blend == 0.0:
            return 0
        objective = _Objective(model, training, blend, self.alpha)
        with columns_named(self._owner, model.encoder_.table_names_):
            require_bytes(
                8 * (2 * _STEPS_KEPT + 10) * len(objective.start()),
                "the log probabilities of all states, and the steps of the search,",
                model.encoder_.n_states_,
                advice="leave these columns out, or group their labels",
            )
        found = minimize(
            objective.loss_and_gradient,
            objective.start(),
            jac=True,
            method="L-BFGS-B",
            options={
                "maxiter": self.max_iter,
                "gtol": self.tol * objective.n_rows,
                "ftol": 0.0,
                "maxcor": _STEPS_KEPT,
            },
        )
        model.log_prior_, model._log_table = objective.unpack(found.x)
        return int(found.nit)

    def _choose(self, training: TrainingRows) -> float:
        """Return the λ with the lowest log loss of rows outside the training folds."""
        weight = np.ones(len(training.y)) if training.weight is None else training.weight
        fold = np.empty(len(training.y), dtype=np.int64)
        fold[np.argsort(training.y, kind="stable")] = np.arange(len(training.y)) % _N_FOLDS
        losses = np.zeros(len(_GRID))
        for k in range(_N_FOLDS):
            train, test = (training.reweighted(weight * part) for part in (fold != k, fold == k))
            for j, blend in enumerate(_GRID):
                model = NaiveBayes(alpha=self.alpha)
                self._fit_blend(model, train, blend)
                for read, y, w in test:
                    own, _ = log_softmax_of(model._log_joint(read), y)
                    losses[j] -= own.sum() if w is None else own @ w
        return _GRID[int(np.argmin(losses))]

    # ---- predicting -------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        check_inner_naive_bayes(self)

    def _explained_scores(self, X: Table) -> Array:
        return self.model_.predict_joint_log_proba(X)

    def _score_terms(self, X: Table) -> Array:
        return self.model_._score_terms(X)

    def _partial_scores(self, X: Table) -> PartialScores:
        return self.model_._partial_scores(X)

    def _drawing(self) -> Drawing:
        return self.model_._drawing()

    def predict_log_proba(self, X: Table) -> Array:
        """Return log p(c | x) for each row and class."""
        check_is_fitted(self)
        return self.model_.predict_log_proba(check_table(self, X, reset=False))

    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        check_is_fitted(self)
        return self.model_.predict_proba(check_table(self, X, reset=False))

    def predict(self, X: Table) -> Array:
        """Return the most probable class of each row; ties go to the first in `classes_`."""
        best = np.argmax(self.predict_log_proba(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        check_is_fitted(self)
        joint = self.model_.predict_joint_log_proba(check_table(self, X, reset=False))
        predicted: Array = self.classes_[np.argmax(log_normalize(joint), axis=1)]
        return predicted, normalize(joint)


class _Objective:
    """The blended likelihood as a function of η, θ being the softmax of η over states."""

    def __init__(
        self, model: NaiveBayes, training: TrainingRows, blend: float, alpha: float
    ) -> None:
        self._blend, self._alpha = blend, (1.0 - blend) * alpha
        counts = model.statistics_.counts
        self._n_states, self._offsets = counts.n_states, slot_offsets(counts.n_states)
        self._first = model.log_prior_, model._log_table
        self._q = len(model.classes_)
        self._blocks = [
            part
            for read, y, weight in training
            for part in split_rows(read.codes, y.astype(np.int64), weight, self._q)
        ]
        self.n_rows = float(counts.class_counts.sum())

    def start(self) -> Array:
        """Return η of naive Bayes."""
        prior, table = self._first
        return np.concatenate([prior, table.ravel()])

    def unpack(self, eta: Array) -> tuple[Array, Array]:
        """Return the log probabilities of classes and of slots; 0 for "left out"."""
        prior = eta[: self._q] - np.logaddexp.reduce(eta[: self._q])
        raw = eta[self._q :].reshape(-1, self._q)
        table = np.zeros_like(raw)
        for start, n in zip(self._offsets[:-1], self._n_states, strict=True):
            own = raw[start : start + n]
            if n:
                table[start : start + n] = own - np.logaddexp.reduce(own, axis=0)
        return prior, table

    def loss_and_gradient(self, eta: Array) -> tuple[float, Array]:
        """Return the negative objective and its gradient."""
        prior, table = self.unpack(eta)
        states = np.ones(len(table), dtype=bool)
        states[self._offsets[1:] - 1] = False
        value = self._alpha * float(prior.sum() + table[states].sum())
        of_prior = np.full(self._q, self._alpha)
        of_table = np.where(states[:, None], self._alpha, 0.0) * np.ones(self._q)
        for codes, y, weight in self._blocks:
            joint = np.tile(prior, (len(y), 1))
            add_log_factors(codes, table, self._offsets, joint)
            rows = np.arange(len(y))
            together = joint[rows, y]
            given, proba = log_softmax_of(joint, y)
            each = self._blend * given + (1.0 - self._blend) * together
            value += float(each.sum() if weight is None else each @ weight)
            residual = -self._blend * proba
            residual[rows, y] += 1.0
            if weight is not None:
                residual *= weight[:, None]
            of_prior += residual.sum(axis=0)
            of_table += add_to_slots(codes, residual, self._offsets)
        gradient = np.concatenate([self._within(of_prior, prior), self._columns(of_table, table)])
        return -value, -gradient

    def _columns(self, of_table: Array, table: Array) -> Array:
        projected = np.zeros_like(table)
        for start, n in zip(self._offsets[:-1], self._n_states, strict=True):
            part = slice(start, start + n)
            projected[part] = self._within(of_table[part], table[part])
        return projected.ravel()

    @staticmethod
    def _within(gradient: Array, log_theta: Array) -> Array:
        """Return the gradient with respect to η from the gradient with respect to log θ."""
        return np.asarray(gradient - np.exp(log_theta) * gradient.sum(axis=0))
