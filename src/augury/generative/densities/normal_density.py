"""Density of a multivariate normal distribution whose covariance may be singular."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cholesky, qr, solve_triangular
from scipy.linalg.lapack import dpocon

from augury.arrays import Array
from augury.fitted_state import LARGEST_COEFFICIENT, check_floats, check_real, require
from augury.generative.densities.class_covariances import ClassCovariances

# A covariance (columns scaled to variance 1) with a smaller reciprocal condition number is
# treated as singular: its smallest variances are hardly more than rounding errors.
SMALLEST_CONDITION = 1e-10
# Larger deviations, in standard deviations, are set to this number.
FARTHEST = 1e140
# The squares of larger means cannot be added.
_LARGEST_MEAN = 1e155
# Cells of the rows that are solved for at once.
_BLOCK_CELLS = 1 << 17


@dataclass(frozen=True, eq=False)
class NormalDensity:
    """A normal distribution, given by the Cholesky factor of its covariance.

    Parameters
    ----------
    mean : array of shape (n_columns,)
    factor : lower triangular L with L Lᵀ = covariance plus ridge
    ridge : share of each column's variance that was added to make the covariance regular
    """

    mean: Array
    factor: Array
    ridge: float

    @classmethod
    def of(cls, mean: Array, covariance: Array, scale: Array, ridge: float) -> NormalDensity:
        """Factor a covariance; add a ridge only if it is singular.

        The columns are divided by `scale`, so that units do not matter. The amount that is
        added to the diagonal starts with `ridge` and is multiplied by ten until the matrix is
        regular.
        """
        scaled = covariance / scale
        scaled /= scale[:, None]
        if not np.isfinite(scaled).all():
            raise ValueError("the covariance of the columns must be finite: scale them")
        factor, added = _regular_factor(scaled), 0.0
        while factor is None:
            more = added * 10 if added else max(ridge, np.finfo(np.float64).eps * len(mean))
            scaled.flat[:: len(mean) + 1] += more - added
            factor, added = _regular_factor(scaled), more
        factor *= scale[:, None]
        return cls(mean=mean, factor=np.asfortranarray(factor), ridge=added)

    def _check_fitted_state(self) -> None:
        n = len(check_floats(self, "mean", None, low=-_LARGEST_MEAN, high=_LARGEST_MEAN))
        factor = check_floats(self, "factor", n, n)
        check_real(self, "ridge", low=0)
        fits = (np.diagonal(factor) > 0).all() and not np.triu(factor, 1).any()
        require(fits, self, "factor", "lower triangular with a positive diagonal")
        if n:
            inverse = solve_triangular(factor, np.eye(n), lower=True, check_finite=False)
            fits = np.isfinite(inverse).all() and np.abs(inverse).max() < LARGEST_COEFFICIENT
            require(fits, self, "factor", "one that can be inverted")

    def marginal(self, columns: Array) -> NormalDensity:
        """Return the distribution of some of the columns."""
        if len(columns) == 0:
            return NormalDensity(np.empty(0), np.empty((0, 0)), self.ridge)
        own = self.factor[columns]
        # L of the columns times its transpose is their covariance; the factor R of a QR
        # decomposition is the Cholesky factor, and the covariance need not be computed.
        upper: Array = qr(own.T, mode="r", check_finite=False)[0][: len(columns)]
        lower = (upper * np.where(upper.diagonal() < 0, -1.0, 1.0)[:, None]).T
        return NormalDensity(self.mean[columns], np.asfortranarray(lower), self.ridge)

    @property
    def log_peak(self) -> float:
        """Log density at the mean."""
        log_determinant = np.log(self.factor.diagonal()).sum()
        return float(-log_determinant - 0.5 * len(self.mean) * np.log(2 * np.pi))

    def whiten(self, deviations: Array, *, overwrite: bool = False) -> Array:
        """Return L⁻¹ times each row, in the same memory if `overwrite` and possible."""
        if deviations.size == 0:
            return deviations
        solved: Array = solve_triangular(
            self.factor, deviations.T, lower=True, overwrite_b=overwrite, check_finite=False
        )
        return solved.T

    def unwhiten(self, white: Array) -> Array:
        """Return L⁻ᵀ times each row: after `whiten`, the rows times Σ⁻¹."""
        if white.size == 0:
            return white
        solved: Array = solve_triangular(
            self.factor, white.T, lower=True, trans="T", check_finite=False
        )
        return solved.T

    def white_blocks(self, rows: Array) -> Iterator[tuple[slice, Array]]:
        """Yield blocks of rows, as whitened deviations from the mean."""
        step = max(256, _BLOCK_CELLS // max(len(self.mean), 1))
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            # Row by row in memory, so that LAPACK takes its transpose without a copy.
            white = self.whiten(np.subtract(rows[block], self.mean, order="C"), overwrite=True)
            # At this distance all classes are equally likely, and squares do not overflow.
            yield block, np.clip(white, -FARTHEST, FARTHEST, out=white)

    def log_density(self, rows: Array) -> Array:
        """Return the log density of each row."""
        result = np.full(len(rows), self.log_peak)
        for block, white in self.white_blocks(rows):
            result[block] -= 0.5 * square_norms(white)
        return result


def square_norms(rows: Array) -> Array:
    """Return the sum of squares of each row."""
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def _regular_factor(scaled: Array) -> Array | None:
    """Return the Cholesky factor, or None if the matrix is singular or nearly so."""
    if len(scaled) == 0:
        return scaled
    try:
        # The matrix is symmetric, and LAPACK takes its transpose without a copy.
        factor: Array = cholesky(scaled.T, lower=True, check_finite=False)
    except LinAlgError:
        return None
    condition, _ = dpocon(factor, np.linalg.norm(scaled, 1), uplo="L")
    return factor if condition >= SMALLEST_CONDITION else None


def class_densities(
    estimates: ClassCovariances, covariance_of: Callable[[int], Array], ridge: float
) -> list[NormalDensity]:
    """Return the normal distribution of each class."""
    return [
        NormalDensity.of(mean, covariance_of(k), estimates.scale, ridge)
        for k, mean in enumerate(estimates.means)
    ]
