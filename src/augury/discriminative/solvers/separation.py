"""One class against the rest by Newton's steps, for matrices of few dense columns.

LIBLINEAR descends coordinate by coordinate, or by conjugate gradients, since its matrices
may have millions of columns. A table of codes has tens: the matrix of second derivatives
is cheap, and ten of Newton's steps are the exact optimum where thousands of rounds are not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.special import expit

from augury.arrays import Array

_SUFFICIENT = 1e-4  # of the decrease that the slope promises
_SHORTEST = 2.0**-40  # a step below it changes no digit
_LAST_DIGITS = 1e-14  # of the loss: a promise below it cannot be checked any more
_RIDGE = 1e-12  # of the curvature, where columns are alike up to rounding


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
        Of the gradient's length, as a share of the one at β = 0.
    max_iter : int

    Returns
    -------
    beta : array of shape (n_terms,)
    n_iter : int
    arrived : bool
        Whether the tolerance was met, or no step helps in double precision.

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
    rows = matrix * signs[:, None]
    beta = np.zeros(matrix.shape[1])
    margins = np.zeros(len(matrix))
    value = float(costs @ loss.value(margins))
    target = None
    for iteration in range(max_iter):
        gradient = beta + rows.T @ (costs * loss.slope(margins))
        length = float(np.linalg.norm(gradient))
        target = tol * length if target is None else target
        if length <= target:
            return beta, iteration, True
        bent = costs * loss.curvature(margins)
        hessian = (rows * bent[:, None]).T @ rows
        hessian.flat[:: len(beta) + 1] += 1.0
        step = _newton_step(hessian, gradient)
        promised, share = float(gradient @ step), 1.0
        if promised <= _LAST_DIGITS * value:
            return beta - step, iteration + 1, True
        along = rows @ step
        while True:
            moved, there = beta - share * step, margins - share * along
            reached = float(moved @ moved / 2 + costs @ loss.value(there))
            if reached <= value - _SUFFICIENT * share * promised:
                break
            share /= 2
            if share < _SHORTEST:
                return beta, iteration, True
        beta, margins, value = moved, there, reached
    return beta, max_iter, False


def _newton_step(hessian: Array, gradient: Array) -> Array:
    """Return the inverse of the Hessian, times the gradient.

    Columns may be seconds since 1970 beside indicators: squares of both in one matrix take
    more digits than there are, so that all terms are brought to one scale first.

    >>> _newton_step(np.array([[1e30, 0.0], [0.0, 1.0]]), np.array([2e30, 3.0]))
    array([2., 3.])
    """
    scale = 1.0 / np.sqrt(hessian.diagonal())
    scaled = hessian * np.outer(scale, scale)
    try:
        factor = cho_factor(scaled)
    except LinAlgError:
        scaled.flat[:: len(scale) + 1] += _RIDGE
        factor = cho_factor(scaled)
    return np.asarray(scale * cho_solve(factor, scale * gradient))
