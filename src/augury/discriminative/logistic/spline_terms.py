"""Spline terms of one standardised number in an additive regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh
from sklearn.preprocessing import SplineTransformer

from augury.arrays import Array
from augury.fitted_state import LARGEST_COEFFICIENT, check_floats, require

# Quantiles between which the knots are; the function is linear beyond them.
_FIRST, _LAST = 0.05, 0.95
# Rows that are expanded at once.
_ROWS_AT_ONCE = 1 << 16
# Limit of the terms, so that products with coefficients stay finite.
_LARGEST_TERM = 1e150


@dataclass(frozen=True, eq=False)
class SplineTerms:
    """Terms of a smooth function of z: z itself, and curves whose penalty is their roughness.

    The curves are combinations of cubic B-splines. They are uncorrelated with z and with each
    other in the training rows. A curve f of variance 1 is divided by √(1 + ∫ f''²), the integral
    from the first knot to the last, so that one ridge penalty of all coefficients shrinks rough
    curves more than smooth ones, and the function as a whole towards zero.

    Parameters
    ----------
    knots : array of shape (n_knots,), ascending; fewer than 3 give the term z alone
    matrix : array of shape (n_splines, n_curves)
        Curves as combinations of the B-splines of scikit-learn's SplineTransformer.
    shift : array of shape (n_curves,)
        Means of the curves in the training rows.

    Examples
    --------
    >>> z = np.linspace(-1.7, 1.7, 101)
    >>> terms = SplineTerms.learn(z, None, n_knots=4)
    >>> found = terms.expand(np.append(z, np.nan))
    >>> found.shape, found[-1]  # z and 4 curves; 0 where z is missing
    ((102, 5), array([0., 0., 0., 0., 0.]))
    >>> bool(np.abs(np.corrcoef(found[:-1].T) - np.eye(5)).max() < 1e-3)
    True
    """

    knots: Array
    matrix: Array
    shift: Array

    @classmethod
    def learn(cls, z: Array, weight: Array | None, n_knots: int) -> SplineTerms:
        """Learn knots and curves from a standardised column; NaN is missing."""
        there = ~np.isnan(z)
        z, weight = z[there], np.ones(int(there.sum())) if weight is None else weight[there]
        knots = np.empty(0)
        if len(z):
            knots = np.unique(
                np.quantile(
                    z, np.linspace(_FIRST, _LAST, n_knots), weights=weight, method="inverted_cdf"
                )
            )
        if len(knots) < 3:
            return cls(np.empty(0), np.empty((0, 0)), np.empty(0))
        mean, covariance = _weighted_covariance(knots, z, weight)
        # Directions in which the rows do not vary are left to the penalty.
        ridge = 1e-6 * np.trace(covariance) / len(covariance) * np.eye(len(covariance))
        roughness, curves = eigh(_roughness(knots), covariance + ridge)
        # The first combination is the straight line, without roughness.
        matrix = curves[:, 1:] / np.sqrt(1.0 + np.maximum(roughness[1:], 0.0))
        return cls(knots, matrix, mean @ matrix)

    @property
    def n_terms(self) -> int:
        """Number of terms: z and the curves."""
        return 1 + len(self.shift)

    def expand(self, z: Array) -> Array:
        """Return the terms, of shape (n_samples, n_terms); 0 where z is missing."""
        known = np.where(np.isnan(z), 0.0, z)
        terms = np.empty((len(z), self.n_terms))
        terms[:, 0] = known
        if len(self.shift):
            for start in range(0, len(z), _ROWS_AT_ONCE):
                rows = slice(start, start + _ROWS_AT_ONCE)
                terms[rows, 1:] = _splines(self.knots, known[rows]) @ self.matrix - self.shift
            np.clip(terms, -_LARGEST_TERM, _LARGEST_TERM, out=terms)
            terms[np.isnan(z)] = 0.0
        return terms

    def _check_fitted_state(self) -> None:
        knots = check_floats(self, "knots", None)
        n = len(check_floats(self, "shift", None, low=-1e100, high=LARGEST_COEFFICIENT))
        fits = len(knots) == n == 0 or (len(knots) >= 3 and (np.diff(knots) > 0).all())
        require(fits, self, "knots", "ascending")
        n_splines = len(knots) + 1 if len(knots) else 0
        check_floats(self, "matrix", n_splines, n, low=-1e100, high=LARGEST_COEFFICIENT)
        require(n == max(n_splines - 1, 0), self, "shift", "one for each curve")


def _transformer(knots: Array) -> SplineTransformer:
    """Return scikit-learn's cubic B-splines of these knots, straight beyond the outer ones."""
    splines = SplineTransformer(
        degree=3, knots=knots[:, None], extrapolation="linear", include_bias=False
    )
    return splines.fit(knots[:, None])


def _splines(knots: Array, z: Array) -> Array:
    if not len(z):
        return np.empty((0, len(knots) + 1))
    return np.asarray(_transformer(knots).transform(z[:, None]))


def _weighted_covariance(knots: Array, z: Array, weight: Array) -> tuple[Array, Array]:
    """Return mean and covariance of the splines in weighted rows."""
    n, total = len(knots) + 1, weight.sum()
    mean, moments = np.zeros(n), np.zeros((n, n))
    for start in range(0, len(z), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        splines = _splines(knots, z[rows])
        mean += weight[rows] @ splines / total
        moments += (splines * weight[rows, None]).T @ splines / total
    return mean, moments - np.outer(mean, mean)


def _roughness(knots: Array) -> Array:
    """Return ∫ B_i'' B_j'' between the outer knots; B'' is straight between two knots."""
    splines = _transformer(knots).bsplines_[0].derivative(2)
    # Inside of each interval, because B'' of the outer knots is not that of the extrapolation.
    # Gauss's two points integrate products of straight lines exactly.
    middle, half = (knots[1:] + knots[:-1]) / 2, np.diff(knots) / 2
    total = 0.0
    for side in (-1.0, 1.0):
        bent = splines(middle + side * half / np.sqrt(3.0))[:, :-1]
        total = total + (bent * half[:, None]).T @ bent
    return np.asarray(total)
