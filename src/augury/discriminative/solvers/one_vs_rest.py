"""Linear models of one class against the rest, for matrices of few dense columns.

LIBLINEAR descends coordinate by coordinate, or by conjugate gradients, since its matrices may
have millions of columns. A table of codes has tens: its Hessian is cheap, and about ten Newton
steps reach the exact optimum where thousands of rounds do not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit

from augury.arrays import Array
from augury.discriminative.solvers.linear_systems import solve_positive_definite
from augury.discriminative.solvers.newton import find_minimum

# Share of the loss: a smaller decrease cannot be measured.
_UNMEASURABLE = 1e-14
# Share of the loss: one more Newton step reaches the limits of the arithmetic.
_ONE_STEP_AWAY = 1e-10
_MAX_ITER = 100


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss of margins m = t β · x, with its first two derivatives by m."""

    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    curvature: Callable[[Array], Array]


LOGISTIC = Loss(
    value=lambda m: np.logaddexp(0.0, -m),
    slope=lambda m: -expit(-m),
    curvature=lambda m: expit(m) * expit(-m),
)
SQUARED_HINGE = Loss(
    value=lambda m: np.maximum(0.0, 1.0 - m) ** 2,
    slope=lambda m: -2.0 * np.maximum(0.0, 1.0 - m),
    curvature=lambda m: 2.0 * (m < 1.0),
)


@dataclass(frozen=True)
class _MarginLoss:
    """|β|² / 2 + Σ costs_i loss(β · x_i), the rows x_i being multiplied by their signs."""

    rows: Array
    costs: Array
    loss: Loss

    def at(self, x: Array) -> "_MarginPoint":
        return _MarginPoint(self, x)


class _MarginPoint:
    """`_MarginLoss` at one β; the margins are computed once."""

    def __init__(self, function: _MarginLoss, x: Array) -> None:
        self.x, self._function = x, function
        self._margins = function.rows @ x
        self.value = float(x @ x / 2 + function.costs @ function.loss.value(self._margins))

    @cached_property
    def gradient(self) -> Array:
        function = self._function
        slopes = function.costs * function.loss.slope(self._margins)
        return np.asarray(self.x + function.rows.T @ slopes)

    def newton_direction(self) -> Array:
        function = self._function
        curvature = function.costs * function.loss.curvature(self._margins)
        return -solve_positive_definite(_penalised(function.rows, curvature), self.gradient)


def separate(
    matrix: Array, signs: Array, costs: Array, loss: Loss, *, tol: float, max_iter: int
) -> tuple[Array, int, bool]:
    """Minimise |β|² / 2 + Σ costs_i loss(signs_i β · x_i).

    Parameters
    ----------
    matrix : array of shape (n_rows, n_terms)
    signs : array of shape (n_rows,), 1 or -1
    costs : array of shape (n_rows,), not negative
    loss : LOGISTIC or SQUARED_HINGE
    tol : float
        Stopping tolerance: length of the gradient, as a share of that at β = 0.
    max_iter : int
        Maximum number of Newton steps.

    Returns
    -------
    beta : array of shape (n_terms,)
    n_iter : int
    converged : bool
        Whether the tolerance was met, or no step lowers the loss in double precision.

    Examples
    --------
    Two rows, x = 1 and x = -1 in different classes: β = 2 / (1 + exp(β)).

    >>> beta, _, _ = separate(
    ...     np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), np.ones(2), LOGISTIC,
    ...     tol=1e-10, max_iter=50,
    ... )
    >>> bool(np.isclose(beta[0], 2 / (1 + np.exp(beta[0]))))
    True
    """
    function = _MarginLoss(matrix * signs[:, None], costs, loss)
    start = function.at(np.zeros(matrix.shape[1]))
    found = find_minimum(
        function,
        start,
        max_iter=max_iter,
        tolerance=tol * _length(start.gradient),
        size=_length,
        last_decrement=_UNMEASURABLE,
    )
    return found.x, found.n_iter, found.converged or found.n_iter < max_iter


def _length(gradient: Array) -> float:
    return float(np.linalg.norm(gradient))


@dataclass(frozen=True)
class _CountedLoss:
    """Σ_c |β_c|² / 2 + C Σ_ci [N_i log(1 + exp(z_ci)) - P_ci z_ci], with z_ci = β_c · x_i.

    It is the sum of one loss for each class. NumPy computes all of them at once, which is faster
    than one search for each class where distinct rows are few.
    """

    design: Array
    positives: Array
    totals: Array
    C: float

    def at(self, x: Array) -> "_CountedPoint":
        return _CountedPoint(self, x)


class _CountedPoint:
    """`_CountedLoss` at one β; the products with the rows are computed once."""

    def __init__(self, function: _CountedLoss, x: Array) -> None:
        self.x, self._function = x, function
        self._z = z = x @ function.design.T
        fit = np.logaddexp(0.0, z).sum(axis=0) @ function.totals - np.vdot(z, function.positives)
        self.value = float(np.vdot(x, x) / 2 + function.C * fit)

    @cached_property
    def _proba(self) -> Array:
        return np.asarray(expit(self._z))

    @cached_property
    def gradient(self) -> Array:
        function = self._function
        residual = self._proba * function.totals - function.positives
        return np.asarray(self.x + function.C * (residual @ function.design))

    def newton_direction(self) -> Array:
        function = self._function
        curvature = function.C * function.totals * self._proba * (1.0 - self._proba)
        direction = np.empty_like(self.x)
        for c, gradient in enumerate(self.gradient):
            hessian = _penalised(function.design, curvature[c])
            direction[c] = -solve_positive_definite(hessian, gradient)
        return direction


def fit_one_vs_rest(
    design: Array, positives: Array, totals: Array, C: float, start: Array | None = None
) -> Array:
    """Return β of each class, which minimises |β|² / 2 + C Σ_i [N_i log(1 + e^z) - P_i z].

    z = β · x_i. This is LIBLINEAR's L2 logistic regression for rows that occur several times.

    Parameters
    ----------
    design : array of shape (n_rows, n_terms)
        x_i, each distinct row once.
    positives : array of shape (n_classes, n_rows)
        P_i, the weight of the row in the class.
    totals : array of shape (n_rows,)
        N_i, the weight of the row in all classes.
    C : inverse strength of the penalty
    start : array of shape (n_classes, n_terms) or None
        Starting point of the search; None means zeros.

    Examples
    --------
    Rows x = 1 and x = -1, each once in its own class: a = 2 / (1 + exp(a)) = 0.6748.

    >>> x, ones = np.array([[1.0], [-1.0]]), np.ones(2)
    >>> fit_one_vs_rest(x, np.array([[1.0, 0.0]]), ones, C=1.0).round(4)
    array([[0.6748]])
    """
    function = _CountedLoss(design, positives, totals, C)
    beta = np.zeros((len(positives), design.shape[1])) if start is None else start
    return find_minimum(
        function,
        function.at(beta),
        max_iter=_MAX_ITER,
        tolerance=0.0,
        last_decrement=_ONE_STEP_AWAY,
    ).x


def _penalised(rows: Array, curvature: Array) -> Array:
    """Return Σ curvature_i x_i x_iᵀ + I, the Hessian of a loss with the penalty |β|² / 2."""
    hessian = (rows * curvature[:, None]).T @ rows
    hessian.flat[:: rows.shape[1] + 1] += 1.0
    return np.asarray(hessian)
