"""Additive logistic regression: a smooth function of each number."""

from typing import ClassVar

import numpy as np

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.row_blocks import RowBlocks
from augury.discriminative.logistic.regression_time import EVALUATIONS_OF_SPLINES
from augury.discriminative.logistic.spline_terms import SplineTerms
from augury.discriminative.logistic_regression import LogisticRegression
from augury.encode import CategoricalTable
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_parts
from augury.registration import register_model
from augury.validation import check_integer


@register_model("gam", "Additive logistic regression, a spline for each number")
class AdditiveLogisticRegression(LogisticRegression):
    """Generalised additive model (GAM): log odds are sums of smooth functions of the columns.

    log p(c | x) = α_c + Σ_j f_cj(x_j) - log Σ_k exp(…). The function of a column of labels has a
    value for each label. That of a number is a cubic spline, straight beyond the 5 % and the 95 %
    quantile, with knots at quantiles between them. The coefficients minimise
    -Σ w_i log p(c_i | x_i) + (s² + Σ (1 + ∫ f''²) v + …) / (2C), where s is the slope of a
    function, f a curve of it and v its variance: see `SplineTerms`. So a small C makes the
    functions straight first, and then flat.

    Parameters
    ----------
    C : float > 0 or "cv"
        Inverse strength of the penalty; "cv" as in `LogisticRegression`.
    n_knots : int >= 3
        Number of knots of each number. Equal quantiles are one knot. A number with fewer than
        three knots has a linear term only.
    tol, max_iter, warm_start, categorical_features, missing, n_jobs : see `LogisticRegression`
        A missing number has the value 0 of its centred function; with missing="state" it also is
        a state of its own.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    coef_ : array of shape (n_classes, n_terms)
    intercept_ : array of shape (n_classes,)
    term_names_ : list, `sky=sun` for a state; `wind`, `wind~1`, `wind~2` … for a number
    n_iter_ : int
    C_ : float, the C that was used
    encoder_ : the fitted `TableEncoder`

    Notes
    -----
    The regression and its solver are those of `LogisticRegression`; the splines are those of
    scikit-learn's SplineTransformer. Rubinstein and Hastie (1997) compare such a model with naive
    Bayes of log-spline densities, docs/results/learning-curves.md. Functions are fitted together,
    not by backfitting.

    Memory in bytes (see `augury.memory`): fit takes `n (2 d + 128 m + 60) + 16 s² + 320 q s`,
    and the model keeps `16 q s + 170 s`. With 50,000 rows or more, `16 q s²` replaces `16 s²`.

    References
    ----------
    T. Hastie, R. Tibshirani (1990): Generalized additive models. Chapman and Hall.
    P. Eilers, B. Marx (1996): Flexible smoothing with B-splines and penalties. Statistical
    Science 11, 89-121.

    Examples
    --------
    The class is 1 in the middle of the range; no linear function of x finds it.

    >>> import numpy as np
    >>> from augury.discriminative import AdditiveLogisticRegression
    >>> X = np.linspace(-3, 3, 60)[:, None]
    >>> y = (np.abs(X[:, 0]) < 1).astype(int)
    >>> model = AdditiveLogisticRegression(C=100.0).fit(X, y)
    >>> model.predict([[-2.5], [0.0], [2.5]])
    array([0, 1, 0])
    >>> model.term_names_[:3]
    ['x0', 'x0~1', 'x0~2']
    """

    # Parameters of `LogisticRegression` that have one value here.
    coefficients: ClassVar[str] = "symmetric"  # type: ignore[misc]
    continuous: ClassVar[str] = "standardize"  # type: ignore[misc]
    discretizer: ClassVar[None] = None  # type: ignore[misc]

    _n_evaluations = EVALUATIONS_OF_SPLINES

    def __init__(
        self,
        C: float | str = 1.0,
        n_knots: int = 6,
        tol: float = 1e-6,
        max_iter: int = 1000,
        warm_start: bool = False,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.C = C
        self.n_knots = n_knots
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_integer(self._owner, "n_knots", self.n_knots, at_least=3)

    def _learn_numbers(self, tables: RowBlocks) -> None:
        super()._learn_numbers(tables)
        # The knots are quantiles of all rows.
        standardize = super()._number_terms
        blocks = [(standardize(table), weight) for table, _, weight in tables]
        weights = [each for _, each in blocks if each is not None]
        weight = np.concatenate(weights) if weights else None
        self._splines = []
        for j in range(len(self.encoder_.number_names_)):
            z = np.concatenate([block[:, j] for block, _ in blocks])
            self._splines.append(SplineTerms.learn(z, weight, self.n_knots))

    def _number_terms(self, table: CategoricalTable, *, overwrite: bool = False) -> Array:
        z = super()._number_terms(table, overwrite=overwrite)
        ends = np.cumsum([0, *(splines.n_terms for splines in self._splines)])
        terms = np.empty((len(z), int(ends[-1])), order="F")
        for j, splines in enumerate(self._splines):
            terms[:, ends[j] : ends[j + 1]] = splines.expand(z[:, j])
        return terms

    @property
    def _number_term_names(self) -> list[str]:
        return [
            name if k == 0 else f"{name}~{k}"
            for name, splines in zip(self.encoder_.number_names_, self._splines, strict=True)
            for k in range(splines.n_terms)
        ]

    def _check_fitted_state(self) -> None:
        n_numbers = len(self.encoder_.number_names_)
        for splines in check_parts(self, "_splines", SplineTerms, n_numbers):
            splines._check_fitted_state()
        super()._check_fitted_state()
