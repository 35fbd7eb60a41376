"""Logistic regression of one class against the rest, by LIBLINEAR."""

from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.class_weights import ClassWeight
from augury.bases.partial_scores import PartialScores, additive_terms
from augury.counts import log_normalize, normalize
from augury.discriminative.bases.liblinear_model import LiblinearModel
from augury.discriminative.solvers.one_vs_rest import LOGISTIC
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.foreign import Table
from augury.registration import register_model


@register_model()
class LiblinearLogisticRegression(LiblinearModel):
    """Logistic regression (LR) of each class against the rest, by LIBLINEAR.

    For each class, β minimises ‖β‖² / 2 + C Σ w_i log(1 + exp(-t_i β · x_i)), where t_i is 1
    for rows of the class and -1 for the rest; x ends in a one, whose coefficient is penalised like
    the others. p(c | x) ∝ 1 / (1 + exp(-β_c · x)); for two classes there is one β.

    A published study uses this regression. `LogisticRegression` fits all classes together and is
    the better model.

    Parameters
    ----------
    C : float from 1e-30 to 1e30
        Inverse strength of the penalty.
    encoding : {"onehot+numeric", "onehot", "ordinal"}
    scaling : {"standardize", "range"} or None
        How columns become x, and how numbers are scaled: see `MatrixReader`.
    dual : bool
        Whether LIBLINEAR solves the dual problem (its solver 7, which visits rows at random)
        or the primal problem is solved, by Newton's method, or for many terms by LIBLINEAR's
        solver 0. The optimum is the same and unique.
    tol : float
        Stopping tolerance of the solver.
    max_iter : int
        Maximum number of iterations of the solver.
    random_state : int, RandomState or None
        Random numbers of the dual solver.
    categorical_features, missing, discretizer, n_jobs : see `TableEncoder`
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    coef_ : array of shape (n_classes, n_terms)
        Zeros for the first of two classes, and for one without rows.
    intercept_ : array of shape (n_classes,)
    term_names_ : list, `sky=sun` for a state, `wind` for a number
    n_iter_ : int, the largest number of iterations of a class
    reader_ : the fitted `MatrixReader`

    Notes
    -----
    `LiblinearLogisticRegression.as_published()` is the regression of Zhang, Jiang and Zhang
    (2022): ordinal codes and C=1. Their dual solver stops near the optimum, which gives the
    printed accuracies on nearly all data sets. A class without rows has probability zero.

    One class after another is separated from the rest. A table whose classes take more than ten
    minutes in all (for each 100,000 rows) is refused before the first of them: LIBLINEAR takes at
    least 50 ns for each entry of the matrix and class, and 500 ns if there are more terms than
    rows. Up to 1,000 rows of at least 2,000 terms are rotated into the space of the rows
    (`RowSpace`), where Newton's method takes n³ steps for a class.

    Memory in bytes (see `augury.memory`): fit takes `n (30 d + 76 m + 100) + 100 s`, and the
    model keeps `8 q s + 150 s`.

    References
    ----------
    R.-E. Fan, K.-W. Chang, C.-J. Hsieh, X.-R. Wang, C.-J. Lin (2008): LIBLINEAR: a library for
    large linear classification. Journal of Machine Learning Research 9, 1871-1874.

    Examples
    --------
    For x = (1, 0) and (0, 1), and a one: β = (-a, a, 0), where a = 1 / (1 + exp(a)) = 0.401.

    >>> from augury.discriminative import LiblinearLogisticRegression
    >>> model = LiblinearLogisticRegression().fit([["rain"], ["sun"]], ["in", "out"])
    >>> model.decision_function([["rain"], ["sun"], ["fog"]]).round(3)  # fog is unseen
    array([-0.401,  0.401,  0.   ])
    >>> model.predict_proba([["sun"]]).round(3)
    array([[0.401, 0.599]])
    """

    _loss = LOGISTIC

    def __init__(
        self,
        C: float = 1.0,
        encoding: str = "onehot+numeric",
        scaling: str | None = "standardize",
        dual: bool = False,
        tol: float = 1e-8,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        discretizer: Discretizer = "mdl",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.C = C
        self.encoding = encoding
        self.scaling = scaling
        self.dual = dual
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _make_solver(self) -> Any:
        return LogisticRegression(
            solver="liblinear",
            C=self.C,
            dual=self.dual,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=self.random_state,
        )

    def _log_weights(self, scores: Array) -> Array:
        """Return logarithms of what p(c | x) is proportional to; `scores` is overwritten."""
        if len(self._present) > 2:
            scores[:, self._present] = -np.logaddexp(0.0, -scores[:, self._present])
        return scores

    def _explained_scores(self, X: Table) -> Array:
        return self._log_weights(self._scores(X))

    def _score_terms(self, X: Table) -> Array | None:
        # With more than two classes the log odds are no sums: log p(c | x) is a function of
        # β_c · x, which is a sum.
        return None if len(self._present) > 2 else super()._score_terms(X)

    def _partial_scores(self, X: Table) -> PartialScores:
        if len(self._present) <= 2:
            return super()._partial_scores(X)
        terms = additive_terms(super()._partial_scores(X), *X.shape)
        prior, columns = terms[:, 0], terms[:, 1:]

        def score(rows: IntegerArray, known: BoolArray) -> Array:
            linear = prior[rows] + np.einsum("kj,kjc->kc", known, columns[rows])
            return self._log_weights(linear)

        return score

    def predict_log_proba(self, X: Table) -> Array:
        """Return log p(c | x) for each row and class."""
        return log_normalize(self._log_weights(self._scores(X)))

    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        return normalize(self._log_weights(self._scores(X)))

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        scores = self._scores(X)
        predicted: Array = self.classes_[np.argmax(scores, axis=1)]
        return predicted, normalize(self._log_weights(scores))
