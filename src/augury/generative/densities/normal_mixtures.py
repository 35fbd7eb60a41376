"""Mixtures of normal distributions, one mixture for each class, by expectation maximisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh, solve_triangular

from augury.arrays import Array
from augury.counts import floored_log, log_normalize
from augury.counts.class_scatter import ClassScatter
from augury.fitted_state import check_integers, check_logs, check_parts, require
from augury.generative.densities.normal_density import NormalDensity, square_norms
from augury.memory import require_bytes

COVARIANCES = ("shared", "class", "own", "diagonal")
# Components with fewer rows keep their mean.
_NO_ROWS = 1e-200
# From this number of columns on, a pooled scatter is the product of the rows of many components.
# To add a matrix of this size for each component takes longer than to compute it.
_WIDE = 1024


class WeightedRows(NamedTuple):
    """Rows of numbers, the codes of their classes, and their weights."""

    numbers: Array
    y: Array
    weight: Array

    def take(self, rows: Array) -> WeightedRows:
        """Return some of the rows."""
        return WeightedRows(self.numbers[rows], self.y[rows], self.weight[rows])


@dataclass(frozen=True, eq=False)
class NormalMixtures:
    """The mixture of each class: p(x | c) = Σ_r π_cr N(x; μ_cr, Σ_cr).

    Parameters
    ----------
    class_of : array of shape (n_components,)
        Class of each component, in ascending order; every class has at least one.
    log_share : array of shape (n_components,), log π_cr
    densities : the normal distribution of each component
    """

    class_of: Array
    log_share: Array
    densities: tuple[NormalDensity, ...]

    def _check_fitted_state(self) -> None:
        n = len(check_integers(self, "class_of", None))
        fits = n > 0 and self.class_of[0] == 0 and set(np.diff(self.class_of).tolist()) <= {0, 1}
        require(fits, self, "class_of", "all classes in their order")
        check_logs(self, "log_share", n)
        n_columns = {len(each.mean) for each in check_parts(self, "densities", NormalDensity, n)}
        require(len(n_columns) == 1, self, "densities", "of the same columns")
        for density in self.densities:
            density._check_fitted_state()

    @property
    def n_columns(self) -> int:
        """Number of columns of the rows."""
        return len(self.densities[0].mean)

    def components(self, c: int) -> Array:
        """Return the numbers of the components of a class."""
        start, stop = np.searchsorted(self.class_of, [c, c + 1])
        return np.arange(start, stop)

    def log_terms(self, numbers: Array, c: int) -> Array:
        """Return log π_cr N(x; μ_cr, Σ_cr) for each row and component of a class."""
        own = self.components(c)
        terms = np.column_stack([self.densities[k].log_density(numbers) for k in own])
        return np.asarray(terms + self.log_share[own])

    def log_density(self, numbers: Array, c: int) -> Array:
        """Return log p(x | c) of each row."""
        return np.asarray(np.logaddexp.reduce(self.log_terms(numbers, c), axis=1))

    def log_densities(self, numbers: Array) -> Array:
        """Return log p(x | c) of each row and class."""
        first = self.densities[0]
        n_classes = int(self.class_of[-1]) + 1
        if self.n_columns < _WIDE or any(
            each.factor is not first.factor for each in self.densities
        ):
            return np.column_stack([self.log_density(numbers, c) for c in range(n_classes)])
        # The components have one covariance, so that a row is whitened once for all of them.
        terms = np.empty((len(numbers), len(self.densities)))
        means = first.whiten(np.array([each.mean - first.mean for each in self.densities]))
        for block, white in first.white_blocks(numbers):
            for k, mean in enumerate(means):
                terms[block, k] = first.log_peak - 0.5 * square_norms(white - mean)
        terms += self.log_share
        starts = np.searchsorted(self.class_of, np.arange(n_classes))
        return np.asarray(np.logaddexp.reduceat(terms, starts, axis=1))


def rows_by_class(y: Array, n_classes: int) -> list[Array]:
    """Return the numbers of the rows of each class, in ascending order."""
    ends = np.cumsum(np.bincount(y, minlength=n_classes))
    return np.split(np.argsort(y, kind="stable"), ends[:-1])


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows by class: the rows of a class are adjacent during the iterations."""

    classes: list[WeightedRows]

    @classmethod
    def of(cls, rows: WeightedRows, n_classes: int) -> Groups:
        """Divide rows by class."""
        return cls([rows.take(own) for own in rows_by_class(rows.y, n_classes)])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.classes[0].numbers.shape[1])

    @property
    def total(self) -> float:
        """Weight of all rows."""
        return float(sum(own.weight.sum() for own in self.classes))

    def split(self, fold: int, n_folds: int) -> tuple[Groups, Groups]:
        """Return the rows outside and inside a fold; a fold takes every n-th row of a class."""
        inside = [np.arange(len(own.weight)) % n_folds == fold for own in self.classes]
        pairs = list(zip(self.classes, inside, strict=True))
        return (
            Groups([own.take(np.flatnonzero(~chosen)) for own, chosen in pairs]),
            Groups([own.take(np.flatnonzero(chosen)) for own, chosen in pairs]),
        )


def expect(groups: Groups, mixtures: NormalMixtures) -> tuple[list[Array], float]:
    """Return the responsibilities of the components for the rows of each class.

    The second value is the log likelihood, Σ w log p(x | c). This is the E-step.
    """
    shares, total = [], 0.0
    for c, own in enumerate(groups.classes):
        terms = mixtures.log_terms(own.numbers, c)
        total += float(own.weight @ np.logaddexp.reduce(terms, axis=1))
        shares.append(np.exp(log_normalize(terms)))
    return shares, total


def component_scatter(
    groups: Groups, shares: list[Array], n_components: int, *, pooled: bool
) -> ClassScatter:
    """Return weight, mean and scatter of each component; a row counts by its responsibilities."""
    d = groups.n_columns
    require_bytes(
        8 * ((1 if pooled else n_components) + 3) * d**2,
        f"the covariances of {n_components} components of {d:,} columns",
        advice="use covariance_type='shared' or fewer components, or leave columns out",
    )
    weight, mean = np.zeros(n_components), np.zeros((n_components, d))
    scatter = np.zeros((1 if pooled else n_components, d, d))
    at_once = d if pooled and d >= _WIDE else 0  # rows
    waiting: list[Array] = []
    k = 0
    for own, share in zip(groups.classes, shares, strict=True):
        for weights in (share * own.weight[:, None]).T:
            weight[k] = weights.sum()
            if weight[k] > _NO_ROWS:
                mean[k] = weights @ own.numbers / weight[k]
                deviations = np.sqrt(weights)[:, None] * (own.numbers - mean[k])
                waiting.append(deviations)
                if sum(map(len, waiting)) >= at_once:
                    _add_squares(scatter[0 if pooled else k], waiting)
            k += 1
    _add_squares(scatter[0], waiting)
    return ClassScatter(weight=weight, mean=mean, scatter=scatter)


def _add_squares(scatter: Array, waiting: list[Array]) -> None:
    """Add the products of these rows to a scatter matrix, and empty the list."""
    if waiting:
        rows = waiting[0] if len(waiting) == 1 else np.concatenate(waiting)
        scatter += rows.T @ rows
        waiting.clear()


@dataclass(frozen=True, eq=False)
class MixtureEstimator:
    """Estimation of mixtures from the scatter of their components: the M-step.

    Parameters
    ----------
    class_of : class of each component
    covariance_type : {"shared", "class", "own", "diagonal"}
        Which components have the same covariance.
    floor : array of shape (n_columns, n_columns), positive definite
        Smallest covariance B. Σ - B has no negative eigenvalue. The likelihood has its maximum
        under this bound where the eigenvalues of Σ, relative to B, are at least 1.
    fixed : array of truth values, shape (n_classes,)
        Classes without two different rows: their components have the covariance I.
    """

    class_of: Array
    covariance_type: str
    floor: Array
    fixed: Array

    @property
    def pooled(self) -> bool:
        """Whether the statistics need one scatter matrix only."""
        return self.covariance_type == "shared"

    def estimate(self, scatter: ClassScatter, means: Array) -> NormalMixtures:
        """Return the mixtures of maximum likelihood.

        Parameters
        ----------
        scatter : weight, mean and scatter of each component
        means : array of shape (n_components, n_columns)
            Means of the components that no row belongs to.
        """
        weight = scatter.weight
        n_classes = len(self.fixed)
        of_class = np.bincount(self.class_of, weight, n_classes)[self.class_of]
        share = np.divide(weight, of_class, out=np.ones_like(weight), where=of_class > 0)
        counted = weight > _NO_ROWS
        factors = self._factors(scatter, counted)
        densities = (
            NormalDensity(scatter.mean[k] if counted[k] else means[k], factors[k], 0.0)
            for k in range(len(weight))
        )
        return NormalMixtures(self.class_of, floored_log(share), tuple(densities))

    def _factors(self, scatter: ClassScatter, counted: Array) -> list[Array]:
        """Return the Cholesky factor of the covariance of each component."""
        d = len(self.floor)
        identity = np.asfortranarray(np.eye(d))
        if self.covariance_type == "shared":
            total = scatter.weight.sum()
            factor = self._factor(scatter.within() / total) if total > 0 else identity
            return [factor] * len(counted)
        factors = [identity] * len(counted)
        if self.covariance_type == "class":
            for c in np.flatnonzero(~self.fixed):
                own = np.flatnonzero((self.class_of == c) & counted)
                factor = self._factor(scatter.scatter[own].sum(axis=0) / scatter.weight[own].sum())
                for k in own:
                    factors[k] = factor
            return factors
        for k in np.flatnonzero(counted & ~self.fixed[self.class_of]):
            factors[k] = self._factor(scatter.scatter[k] / scatter.weight[k])
        return factors

    def _factor(self, covariance: Array) -> Array:
        """Return the Cholesky factor of the covariance, which is bounded from below."""
        if self.covariance_type == "diagonal":
            variance = np.maximum(covariance.diagonal(), self.floor.diagonal())
            return np.asfortranarray(np.diag(np.sqrt(variance)))
        try:
            cholesky(covariance - self.floor, lower=True, check_finite=False)
        except LinAlgError:
            covariance = self._bounded(covariance)
        return np.asfortranarray(cholesky(covariance, lower=True, check_finite=False))

    def _bounded(self, covariance: Array) -> Array:
        root = cholesky(self.floor, lower=True, check_finite=False)
        half = solve_triangular(root, covariance, lower=True, check_finite=False)
        relative = solve_triangular(root, half.T, lower=True, check_finite=False)
        values, vectors = eigh(relative, check_finite=False)
        back = root @ vectors
        bounded: Array = (back * np.maximum(values, 1.0)) @ back.T
        return bounded


class Iterations(NamedTuple):
    """The end of the iterations of expectation maximisation."""

    mixtures: NormalMixtures
    log_likelihoods: list[float]


def maximize(
    groups: Groups,
    shares: list[Array],
    estimator: MixtureEstimator,
    *,
    max_iter: int,
    tolerance: float,
) -> Iterations:
    """Iterate from given responsibilities until the log likelihood hardly grows.

    Parameters
    ----------
    groups : rows by class
    shares : responsibilities of the components for the rows of each class
    estimator : MixtureEstimator
    max_iter : largest number of iterations
    tolerance : smallest growth of the log likelihood, per unit of weight
    """
    n_components = len(estimator.class_of)
    means = np.zeros((n_components, groups.n_columns))
    found: list[float] = []
    for _ in range(max_iter):
        scatter = component_scatter(groups, shares, n_components, pooled=estimator.pooled)
        mixtures = estimator.estimate(scatter, means)
        means = np.array([density.mean for density in mixtures.densities])
        shares, log_likelihood = expect(groups, mixtures)
        found.append(log_likelihood)
        if len(found) > 1 and found[-1] - found[-2] <= tolerance * groups.total:
            break
    return Iterations(mixtures, found)
