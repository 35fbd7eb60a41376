"""Mixture discriminant analysis."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cholesky

from augury.arrays import Array
from augury.bases.class_weights import ClassWeight
from augury.bases.row_blocks import count_rows
from augury.counts.class_scatter import ClassScatter
from augury.encode import CategoricalTable
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_flags, check_floats, check_part, require
from augury.generative.bases.blas_threads import with_n_jobs
from augury.generative.bases.discriminant_analysis import NumberModel
from augury.generative.bases.training_rows import ModelRows
from augury.generative.densities.class_covariances import ClassCovariances
from augury.generative.densities.mixture_search import N_FOLDS, MixtureSearch
from augury.generative.densities.mixture_time import mixture_work, require_coordinates
from augury.generative.densities.normal_density import NormalDensity
from augury.generative.densities.normal_mixtures import (
    COVARIANCES,
    Groups,
    NormalMixtures,
    WeightedRows,
    component_scatter,
    expect,
)
from augury.generative.densities.white_rows import distinct_rows, smallest_covariance
from augury.memory import require_bytes
from augury.registration import register_model
from augury.validation import check_choice, check_integer, check_number

CHOICES = ("bic", "cv")


@register_model("mda", "Mixture discriminant analysis: a mixture of normals for each class")
class MixtureDiscriminantAnalysis(NumberModel):
    """Mixture discriminant analysis (MDA): each class is a mixture of normal distributions.

    p(c, x) = p(c) Σ_r π_cr N(x; μ_cr, Σ_cr), by maximum likelihood. With one component for each
    class and a shared covariance it is linear discriminant analysis; with one component and own
    covariances it is quadratic discriminant analysis.

    Parameters
    ----------
    n_components : int, one int for each class, "bic" or "cv"
        Number of components of a class, at most its number of different rows. "bic" and "cv"
        choose a number from 1 to `max_components`, the same for all classes: the one with the
        lowest Bayesian information criterion, or with the lowest log loss in five folds of the
        training rows.
    max_components : int
        Largest number that "bic" and "cv" try.
    covariance_type : {"shared", "class", "own", "diagonal"}
        One covariance for all components of all classes (Hastie and Tibshirani), one for each
        class, one for each component, or a diagonal one for each component.
    min_variance : float above 0, at most 1
        Smallest variance of a component in any direction, as a share of the variance within the
        classes in this direction. Without it, a component could collapse on one row, with a
        likelihood that has no bound.
    n_init : int
        Number of starts; the mixture of the highest likelihood is kept.
    max_iter : int
        Largest number of iterations of each start.
    tol : float
        The iterations end when the log likelihood per row grows by less than this.
    random_state : int
        Seed of the starts.
    priors, categorical_features, missing, n_jobs : see `LinearDiscriminantAnalysis`
    ridge : float
        If the covariance within the classes is singular, this share of each column's variance is
        added to it, as in `LinearDiscriminantAnalysis`, and no component has a smaller variance
        in the directions in which rows of a class do not vary.
    class_weight : dict, "balanced" or None, default=None
        Weight of each class, a factor of the weights of its rows; see docs/weights.md.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    n_components_ : array of shape (n_classes,), the number of components of each class
    component_classes_ : array of shape (K,), the class of each component as a number
    shares_ : array of shape (K,), π_cr; those of a class sum to 1
    means_ : array of shape (K, n_columns)
    covariances_ : array of shape (K, n_columns, n_columns)
    log_likelihoods_ : array
        Σ log p(x | c) after each iteration of the start that was kept, up to a constant.
    n_iter_ : int, the number of these iterations
    scores_ : array of shape (max_components,), with n_components="bic" or "cv"
        The criterion, or the log loss, of each number of components; lower is better.
    log_prior_, column_names_, fill_values_, encoder_ : see `LinearDiscriminantAnalysis`
    statistics_ : ClassScatter of the components

    Notes
    -----
    Expectation maximisation: the E-step computes the share of each component in each row (its
    responsibility), the M-step the mean and covariance of each component from the rows with these
    shares. The log likelihood never decreases. It has several maxima, so the result depends on
    the start: k-means of the rows of each class, with columns scaled to the variance 1 within
    the classes.

    If a covariance falls below the bound of `min_variance`, its small eigenvalues (relative to
    the bound) are set to the bound. This is the maximum of the likelihood under the bound.

    Rows with equal numbers are one row with the sum of their weights, so a whole weight equals
    repeated rows, and the order of rows does not matter. All rows are in memory during `fit`.

    `partial_fit` keeps the responsibilities by the mixtures of the first call: new rows are
    divided among these components, and then shares, means and covariances are estimated again
    from all rows. It does not search for other components. A class without two different rows
    in the first call keeps the covariance within the classes.

    A class without two different rows has the covariance within the classes. A column that is
    the same in all rows is left out.

    The estimate of the time counts 2 steps from each start if a class has fewer than p / 4 rows,
    otherwise 15. A step takes K density evaluations of each row of the class, p² operations each,
    and for each covariance 2 p³ / 3 operations, or 19 p³ / 3 if there are fewer rows than
    columns. More than ten minutes (for each 100,000 rows) are refused.

    Memory in bytes (see `augury.memory`): fit takes `n (40 p + 150)`, and the model keeps `40
    p² + 24 q p + 100 s`.

    References
    ----------
    T. Hastie, R. Tibshirani: Discriminant analysis by Gaussian mixtures. Journal of the Royal
    Statistical Society B 58 (1996), 155-176.

    Examples
    --------
    The rows of class 0 lie on both sides of class 1, so no line separates them.

    >>> from augury.generative import MixtureDiscriminantAnalysis
    >>> X = [[-9.0], [-7.0], [7.0], [9.0], [-1.0], [1.0]]
    >>> y = [0, 0, 0, 0, 1, 1]
    >>> model = MixtureDiscriminantAnalysis(n_components=[2, 1]).fit(X, y)
    >>> model.means_.round(3).ravel(), model.shares_.round(3), model.covariances_.round(3).ravel()
    (array([-8.,  8.,  0.]), array([0.5, 0.5, 1. ]), array([1., 1., 1.]))
    >>> model.predict([[-8.0], [0.0], [8.0]])
    array([0, 1, 0])
    """

    log_likelihoods_: Array

    def __init__(
        self,
        n_components: int | str | ArrayLike = 3,
        max_components: int = 5,
        covariance_type: str = "shared",
        min_variance: float = 0.01,
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-4,
        random_state: int = 0,
        priors: ArrayLike | None = None,
        ridge: float = 0.01,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
        *,
        class_weight: ClassWeight = None,
    ) -> None:
        self.n_components = n_components
        self.max_components = max_components
        self.covariance_type = covariance_type
        self.min_variance = min_variance
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.priors = priors
        self.ridge = ridge
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.class_weight = class_weight

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if isinstance(self.n_components, str):
            check_choice(self._owner, "n_components", self.n_components, CHOICES)
        elif np.ndim(self.n_components) == 0:
            check_integer(self._owner, "n_components", self.n_components, at_least=1)
        check_choice(self._owner, "covariance_type", self.covariance_type, COVARIANCES)
        check_number(self._owner, "min_variance", self.min_variance, above=0, at_most=1)
        for name in ("max_components", "n_init", "max_iter"):
            check_integer(self._owner, name, getattr(self, name), at_least=1)
        check_number(self._owner, "tol", self.tol, at_least=0)
        check_integer(self._owner, "random_state", self.random_state, at_least=0)

    def _wanted(self) -> Array:
        """Return `n_components` as one number for each class."""
        q = len(self.classes_)
        wanted = np.asarray(self.n_components)
        if wanted.ndim == 0:
            return np.full(q, int(wanted))
        if wanted.shape != (q,) or wanted.dtype.kind not in "iu" or (wanted < 1).any():
            raise ValueError(
                f"{self._owner}: n_components must be an integer >= 1, {q} of them, one for each "
                f"class, 'bic' or 'cv', got {self.n_components!r}"
            )
        return wanted

    # ---- the fitted mixtures, in the columns of the table -----------------------------

    @property
    def n_iter_(self) -> int:
        """Number of iterations of the start that was kept."""
        return len(self.log_likelihoods_)

    @property
    def n_components_(self) -> Array:
        """Number of components of each class."""
        return np.bincount(self._mixtures.class_of, minlength=len(self.classes_))

    @property
    def component_classes_(self) -> Array:
        """Class of each component, as a number."""
        return self._mixtures.class_of

    @property
    def shares_(self) -> Array:
        """Share of each component in its class."""
        return np.exp(self._mixtures.log_share)

    @property
    def means_(self) -> Array:
        """Mean of each component."""
        white = np.array([density.mean for density in self._mixtures.densities])
        means = np.tile(self._center, (len(white), 1))
        means[:, self._varying] += white @ self._whitener.factor.T
        return means

    @property
    def covariances_(self) -> Array:
        """Covariance of each component."""
        n_columns = len(self._center)
        whole = np.zeros((len(self._mixtures.densities), n_columns, n_columns))
        for k, density in enumerate(self._mixtures.densities):
            root = self._whitener.factor @ density.factor
            whole[k][np.ix_(self._varying, self._varying)] = root @ root.T
        return whole

    # ---- search for the components ----------------------------------------------------

    def _require_time(self, n_rows: int) -> None:
        """Raise if the covariances take too much memory, or the search too long."""
        n_columns, n_classes = len(self.fill_values_), len(self.classes_)
        require_coordinates(n_columns)
        if isinstance(self.n_components, str):
            n_searches = 1 + self.max_components * (N_FOLDS if self.n_components == "cv" else 1)
            n_components = n_classes * (self.max_components + 1) // 2  # on average
        else:
            n_searches, n_components = 1, int(self._wanted().sum())
        work = mixture_work(
            (n_rows, n_columns),
            n_classes,
            n_components,
            self.covariance_type,
            n_searches=n_searches,
            n_init=self.n_init,
        )
        self._require_densities(
            work.n_factors,
            work.n_evaluations,
            f"{work.n_steps:,} steps of expectation maximisation for {work.n_components:,} normal "
            "densities",
            n_rows,
            n_separate=work.n_steps * work.n_components,
        )

    @with_n_jobs
    def _learn_structure(self, training: ModelRows) -> None:
        super()._learn_structure(training)
        self._learn_coordinates(training)
        groups = self._distinct_rows(training)
        n_distinct = np.array([len(own.weight) for own in groups.classes])
        self._fixed = n_distinct < 2
        most, search = np.maximum(n_distinct, 1), self._search
        if isinstance(self.n_components, str):
            score = search.criterion if self.n_components == "bic" else search.fold_loss
            tried = [np.minimum(n, most) for n in range(1, self.max_components + 1)]
            self.scores_: Array = np.array([score(groups, counts) for counts in tried])
            counts = tried[int(np.argmin(self.scores_))]
        else:
            counts = np.minimum(self._wanted(), most)
        found = search.run(groups, counts)
        self._assigning, self.log_likelihoods_ = found.mixtures, np.array(found.log_likelihoods)

    def _why_not_streamed(self) -> str:
        return "the components are found by EM steps over all rows in memory"

    def _learn_coordinates(self, training: ModelRows) -> None:
        """Learn the coordinates in which the covariance within the classes is the identity."""
        statistics = reduce(
            add,
            (
                ClassScatter.collect(
                    self._numbers(table), y, len(self.classes_), weight, pooled=True
                )
                for table, y, weight in training
            ),
        )
        self._require_finite(statistics)
        estimates = ClassCovariances(statistics, unbiased=False)
        self._varying, self._center = estimates.varying, statistics.total_mean
        within = estimates.shared
        if self.covariance_type == "diagonal":
            within = np.diag(within.diagonal())
        self._whitener = NormalDensity.of(estimates.center, within, estimates.scale, self.ridge)
        self._floor = smallest_covariance(self._whitener, within, self.min_variance)

    def _distinct_rows(self, training: ModelRows) -> Groups:
        """Return the different rows of each class in the coordinates of the mixtures."""
        n_rows, n_columns = training.total(count_rows), len(self._varying)
        require_bytes(
            8 * 4 * n_rows * n_columns,
            f"{n_rows:,} rows of {n_columns:,} columns, which are all in memory,",
            advice="fit the model to a sample of the rows, and add the others by partial_fit",
        )
        parts = [(self._select(self._numbers(table)), y, weight) for table, y, weight in training]
        numbers = np.concatenate([part[0] for part in parts])
        y = np.concatenate([part[1] for part in parts])
        weight = np.concatenate(
            [np.ones(len(part[1])) if part[2] is None else part[2] for part in parts]
        )
        return distinct_rows(WeightedRows(numbers, y, weight), len(self.classes_), self._white)

    def _white(self, numbers: Array) -> Array:
        """Return rows in the coordinates of the mixtures."""
        white = np.empty_like(numbers, order="C")
        for block, values in self._whitener.white_blocks(numbers):
            white[block] = values
        return white

    @property
    def _search(self) -> MixtureSearch:
        return MixtureSearch(
            self.covariance_type,
            self._floor,
            self._fixed,
            self._whitener.factor,
            n_init=self.n_init,
            max_iter=self.max_iter,
            tolerance=self.tol,
            seed=self.random_state,
        )

    # ---- statistics → mixtures --------------------------------------------------------

    @with_n_jobs
    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> ClassScatter:
        weights = np.ones(len(y)) if weight is None else weight
        white = self._white(self._select(self._numbers(table)))
        groups = Groups.of(WeightedRows(white, y, weights), len(self.classes_))
        shares, _ = expect(groups, self._assigning)
        pooled = self.covariance_type == "shared"
        return component_scatter(groups, shares, len(self._assigning.class_of), pooled=pooled)

    @with_n_jobs
    def _estimate(self, statistics: ClassScatter) -> None:
        class_of = self._assigning.class_of
        n_classes = len(self.classes_)
        self.log_prior_: Array = self._log_prior(
            np.bincount(class_of, statistics.weight, n_classes)
        )
        means = np.array([density.mean for density in self._assigning.densities])
        counts = np.bincount(class_of, minlength=n_classes)
        self._mixtures = self._search.estimator(counts).estimate(statistics, means)

    @with_n_jobs
    def _log_joint(self, table: CategoricalTable) -> Array:
        numbers = self._select(self._numbers(table))
        joint = np.empty((len(numbers), len(self.classes_)))
        for block, white in self._whitener.white_blocks(numbers):
            joint[block] = self._mixtures.log_densities(white)
        joint += self.log_prior_ - np.log(self._whitener.factor.diagonal()).sum()
        return joint

    # ---- checks of a model that is loaded from a file ---------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_classes, n_varying = len(self.classes_), len(self._varying)
        check_floats(self, "_center", len(self.fill_values_))
        check_flags(self, "_fixed", n_classes)
        self._check_floor(check_floats(self, "_floor", n_varying, n_varying))
        for name in ("_whitener", "_assigning", "_mixtures"):
            kind = NormalDensity if name == "_whitener" else NormalMixtures
            check_part(self, name, kind)._check_fitted_state()
        mixtures = self._mixtures
        fits = mixtures.class_of[-1] == n_classes - 1
        require(fits, self, "_mixtures", "of all classes")
        require(len(self._whitener.mean) == n_varying, self, "_whitener", "of the columns")
        for name in ("_assigning", "_mixtures"):
            each: NormalMixtures = getattr(self, name)
            fits = each.n_columns == n_varying and np.array_equal(each.class_of, mixtures.class_of)
            require(fits, self, name, "of the same components and columns")
        statistics = check_part(self, "statistics_", ClassScatter)
        statistics._check_fitted_state()
        pooled = self.covariance_type == "shared" and len(mixtures.class_of) > 1
        fits = statistics.mean.shape == (len(mixtures.class_of), n_varying)
        require(fits and statistics.pooled == pooled, self, "statistics_", "of its components")

    def _check_floor(self, floor: Array) -> None:
        try:
            cholesky(floor, lower=True)
        except LinAlgError:
            require(False, self, "_floor", "positive definite")
