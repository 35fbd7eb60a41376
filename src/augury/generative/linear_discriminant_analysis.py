"""Linear discriminant analysis."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import ClassWeight
from augury.encode import CategoricalTable, row_blocks, slice_rows
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import (
    LARGEST_COUNT,
    check_coefficients,
    check_floats,
    check_part,
    require,
)
from augury.foreign import Table
from augury.generative.bases.blas_threads import with_n_jobs
from augury.generative.bases.discriminant_analysis import DiscriminantAnalysis
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.densities.class_covariances import ClassCovariances
from augury.generative.densities.normal_density import NormalDensity, square_norms
from augury.registration import register_model

# Products of slopes and means below this have rounding errors below 1e-13.
_NEAR_ZERO = 100.0


@register_model("lda", "Linear discriminant analysis")
class LinearDiscriminantAnalysis(ExplainsLogOdds, DiscriminantAnalysis):
    """Linear discriminant analysis (LDA): normal classes with one covariance.

    p(c, x) = p(c) N(x; μ_c, Σ). With two classes this is the Gaussian discriminant analysis
    (GDA) of the notes.

    Parameters
    ----------
    priors : array of n_classes probabilities or None
        Class prior, in the order of the sorted classes; None is the share of the rows,
        n_c / n. (Σ weights classes by their rows in any case.)
    covariance : {"ml", "unbiased"}
        Maximum likelihood, Σ = 1/n Σ_i (x_i - μ_c(i))(x_i - μ_c(i))ᵀ, as in the notes,
        or divided by n - q, where q is the number of classes with rows.
    ridge : float
        If Σ is singular (because columns depend on each other, or there are fewer rows than
        columns), this share of each column's variance over all rows is added to its variance.
        The share is multiplied by ten until Σ is regular. If Σ is regular, nothing is added.
        (In cross-validation over the 11 of 22 sets where it was needed, the mean accuracy was
        86.3 % with 1e-4, 86.6 with 0.01 and 87.5 with 0.1, the log loss 1.47, 1.15 and 0.80;
        but 0.1 costs one percent on sets with many rows.)
    categorical_features, missing : see `TableEncoder`
        Labels become indicators of all states but the most frequent one of each column. A
        missing number and an unseen or ignored label take the mean of the column over the
        training rows. With missing="state", a column says whether the number is missing.
    n_jobs : int or None
        Threads, also of the linear algebra; None means 1, -1 one for each core.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    coef_ : array of shape (n_classes, n_columns), or (1, n_columns) for two classes
        Slopes of log p(c | x), up to a term that is the same for all classes. With two
        classes, the slope of the log odds of the second class against the first.
    intercept_ : array of shape (n_classes,) or (1,)
    means_ : array of shape (n_classes, n_columns)
        The mean of a class without rows is that of all rows.
    covariance_ : array of shape (n_columns, n_columns), without the ridge
    ridge_ : float, the ridge that was needed
    log_prior_ : array of shape (n_classes,)
    column_names_ : names of the columns: numbers first, then indicators such as sky=sun
    fill_values_ : array of shape (n_columns,), the values that replace missing ones
    encoder_ : the fitted `TableEncoder`
    statistics_ : ClassScatter; statistics of other rows can be added to it

    Notes
    -----
    The quadratic term of log N(x; μ_c, Σ) is the same for all classes, so the posterior
    is a softmax of linear functions, p(c | x) ∝ exp(intercept_c + coef_c · x) with
    coef_c = Σ⁻¹(μ_c - μ) (Eqs. 12 to 14 of the lecture): the form of logistic
    regression. The converse does not hold, because Poisson classes have such a posterior too.
    LDA therefore assumes more: if the assumption is right, it needs fewer rows; if it is
    wrong, logistic regression is the better fit.

    `explain` measures each feature from its mean over all rows, so that the contribution of a
    mean or missing value is 0. The indicators of a column of labels are one feature.

    A column that is the same in all rows is left out. Σ is factored by Cholesky with all
    columns scaled to variance 1, and never inverted.

    Memory in bytes (see `augury.memory`): fit takes `n (8 p + d + 8 m + 40) + 48 p²`, and the
    model keeps `16 p² + 100 s`.

    References
    ----------
    Wang et al., lecture notes L17-B, section 2.1; JerryLead (2011), Discriminative
    models, generative models and naive Bayes, section 2.

    Examples
    --------
    The means are 1 and 5, and Σ = 1. Halfway between the means, at 3, the odds are even. The
    log odds grow by (5 - 1) / 1 for each unit of x.

    >>> from augury.generative import LinearDiscriminantAnalysis
    >>> model = LinearDiscriminantAnalysis().fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    >>> model.coef_, model.intercept_
    (array([[4.]]), array([-12.]))
    >>> model.predict_proba([[3.0], [3.5]]).round(3)
    array([[0.5  , 0.5  ],
           [0.119, 0.881]])
    """

    ridge_: float

    _pooled = True

    def __init__(
        self,
        priors: ArrayLike | None = None,
        covariance: str = "ml",
        ridge: float = 0.01,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.priors = priors
        self.covariance = covariance
        self.ridge = ridge
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    @property
    def covariance_(self) -> Array:
        """Covariance within the classes."""
        estimates = self._covariances_of(self.statistics_)
        return estimates.in_all_columns(estimates.shared)

    def _estimate_densities(self, estimates: ClassCovariances) -> None:
        # One normal distribution about the mean of all rows; the mean of a class is a linear term.
        shared = NormalDensity.of(estimates.center, estimates.shared, estimates.scale, self.ridge)
        self._density, self.ridge_ = shared, shared.ridge
        self._white_means = shared.whiten(estimates.means - estimates.center)
        self._constants = self.log_prior_ - 0.5 * square_norms(self._white_means)
        self._slopes = np.zeros_like(self.means_)
        self._slopes[:, self._varying] = shared.unwhiten(self._white_means)
        self._center = estimates.statistics.total_mean
        intercepts = self._constants - self._slopes @ self._center
        two = len(self.classes_) == 2
        self.coef_: Array = self._slopes[1:] - self._slopes[:1] if two else self._slopes
        self.intercept_: FloatArray = intercepts[1:] - intercepts[:1] if two else intercepts

    def _check_densities(self) -> None:
        n_classes, n_columns = self.means_.shape
        n_varying = len(self._varying)
        density = check_part(self, "_density", NormalDensity)
        require(len(density.mean) == n_varying, self, "_density", "of the columns that vary")
        density._check_fitted_state()
        for name in ("_constants", "intercept_"):
            rows = 1 if name == "intercept_" and n_classes == 2 else n_classes
            check_floats(self, name, rows, low=-LARGEST_COUNT, high=LARGEST_COUNT)
        check_coefficients(self, "_white_means", n_classes, n_varying)
        check_floats(self, "_slopes", n_classes, n_columns)
        check_floats(self, "coef_", 1 if n_classes == 2 else n_classes, n_columns)
        check_floats(self, "_center", n_columns)

    @with_n_jobs
    def _log_joint(self, table: CategoricalTable) -> Array:
        numbers = self._select(self._numbers(table))
        joint = np.empty((len(numbers), len(self.classes_)))
        for block, white in self._density.white_blocks(numbers):
            joint[block] = white @ self._white_means.T
            joint[block] -= 0.5 * square_norms(white)[:, None]
        joint += self._constants + self._density.log_peak
        return joint

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        with self._naming_columns():
            blocks = [
                self._linear_scores(self._read(slice_rows(X, rows))) for rows in row_blocks(X)
            ]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    @with_n_jobs
    def _linear_scores(self, table: CategoricalTable) -> Array:
        """Return log p(c, x) without the term that all classes share, which is quadratic in x."""
        numbers, center = self._numbers(table), self._center
        # If the columns are far from zero, deviations from their means round less.
        if (np.abs(self._slopes) @ np.abs(center)).max() < _NEAR_ZERO:
            scores = numbers @ self._slopes.T + (self._constants - self._slopes @ center)
        else:
            scores = (numbers - center) @ self._slopes.T + self._constants
        if not np.isfinite(scores.sum()):  # values so large that products overflow
            return self._log_joint(table)
        return np.asarray(scores)

    @with_n_jobs
    def _log_terms(self, table: CategoricalTable) -> tuple[list[str], Array]:
        matrix, numbers = self._matrix(table), self._numbers(table)
        deviations = numbers - self._center
        terms = np.empty((len(numbers), 1 + len(matrix.features), len(self.classes_)))
        common = self._density.log_density(self._select(numbers))
        terms[:, 0] = self._constants + common[:, None]
        for j, columns in enumerate(map(slice, matrix.starts[:-1], matrix.starts[1:])):
            terms[:, j + 1] = deviations[:, columns] @ self._slopes[:, columns].T
        return ["prior", *matrix.features], terms
