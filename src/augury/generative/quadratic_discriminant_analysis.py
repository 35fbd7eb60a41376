"""Quadratic discriminant analysis."""

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.class_weights import ClassWeight
from augury.bases.partial_scores import PartialScores, by_coalition
from augury.encode import CategoricalTable
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_floats, check_parts, require
from augury.foreign import Table
from augury.generative.bases.blas_threads import with_n_jobs
from augury.generative.bases.discriminant_analysis import DiscriminantAnalysis
from augury.generative.densities.class_covariances import ClassCovariances
from augury.generative.densities.normal_density import (
    NormalDensity,
    class_densities,
)
from augury.registration import register_model


@register_model("qda", "Quadratic discriminant analysis")
class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """Quadratic discriminant analysis (QDA): normal classes with their own covariances.

    p(c, x) = p(c) N(x; μ_c, Σ_c) (Eqs. 15 and 16 of the lecture, with the term -½ log det Σ_c
    that is missing in print).

    Parameters
    ----------
    priors, categorical_features, missing, n_jobs : see `LinearDiscriminantAnalysis`
    covariance : {"ml", "unbiased"}
        Scatter of a class divided by n_c, or by n_c - 1.
    ridge : float
        If the covariance of a class is singular, this share of each column's variance over
        all rows is added to its variance. The share is multiplied by ten until the covariance
        is regular. (Over 20 sets where it was needed, the mean accuracy was 76.0 % with 1e-4,
        77.7 with 0.01 and 78.4 with 0.1; `RegularizedDiscriminantAnalysis` is better there.)
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    covariances_ : array of shape (n_classes, n_columns, n_columns), without the ridge
    ridge_ : array of shape (n_classes,), the ridge that each class needed
    classes_, means_, log_prior_, column_names_, fill_values_, encoder_, statistics_ :
        see `LinearDiscriminantAnalysis`

    Notes
    -----
    A class without two different rows has the covariance of linear discriminant analysis. A
    column that is the same in all rows is left out.

    Memory in bytes (see `augury.memory`): fit takes `n (8 p + d + 8 m + 60) + 24 q p²`, and the
    model keeps `16 q p² + 100 s`.

    Examples
    --------
    At 3 the densities of the classes are N(3; 1, 1) and N(3; 7, 4). Their quadratic terms are
    equal, and the standard deviations are 1 and 2, so the odds are 2 to 1.

    >>> from augury.generative import QuadraticDiscriminantAnalysis
    >>> model = QuadraticDiscriminantAnalysis().fit([[0.0], [2.0], [5.0], [9.0]], [0, 0, 1, 1])
    >>> model.covariances_.ravel()
    array([1., 4.])
    >>> model.predict_proba([[3.0]]).round(3)
    array([[0.667, 0.333]])
    """

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
    def covariances_(self) -> Array:
        """Covariance of each class."""
        estimates = self._covariances_of(self.statistics_)
        classes = range(len(self.classes_))
        return np.stack([estimates.in_all_columns(self._of_class(estimates, k)) for k in classes])

    def _of_class(self, estimates: ClassCovariances, k: int) -> Array:
        """Return the covariance of class k."""
        return estimates.own(k)

    def _estimate_densities(self, estimates: ClassCovariances) -> None:
        self._densities = class_densities(
            estimates, lambda k: self._of_class(estimates, k), self.ridge
        )
        self.ridge_: Array = np.array([density.ridge for density in self._densities])

    def _check_densities(self) -> None:
        for density in check_parts(self, "_densities", NormalDensity, len(self.classes_)):
            fits = len(density.mean) == len(self._varying)
            require(fits, self, "_densities", "of the columns that vary")
            density._check_fitted_state()
        check_floats(self, "ridge_", len(self.classes_), low=0)

    @with_n_jobs
    def _log_joint(self, table: CategoricalTable) -> Array:
        numbers = self._select(self._numbers(table))
        joint = np.column_stack([density.log_density(numbers) for density in self._densities])
        joint += self.log_prior_
        return joint

    def _partial_scores(self, X: Table) -> PartialScores:
        """Return log p(c, known columns): the normal distribution of some columns is normal."""
        table = self._read(X)
        matrix, numbers = self._matrix(table), self._select(self._numbers(table))
        of_codes, of_numbers = self.encoder_.source_columns()
        column_of = np.repeat([*of_numbers, *of_codes], np.diff(matrix.starts))[self._varying]

        def score_known(rows: IntegerArray, known: BoolArray) -> Array:
            columns = np.flatnonzero(known[column_of])
            part = numbers[rows][:, columns]
            densities = [density.marginal(columns) for density in self._densities]
            log_densities = [density.log_density(part) for density in densities]
            return np.asarray(self.log_prior_ + np.column_stack(log_densities))

        return by_coalition(score_known)
