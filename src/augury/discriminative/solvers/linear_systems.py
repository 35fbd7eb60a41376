"""Solutions of H p = g, H being a Hessian."""

from collections.abc import Callable

import numpy as np
from scipy.linalg.lapack import dposv

from augury.arrays import Array

# Added to a scaled Hessian that is singular up to rounding.
_RIDGE = 1e-12


def solve_positive_definite(hessian: Array, gradient: Array) -> Array:
    """Return H⁻¹ g for a positive definite matrix.

    All terms are first brought to one scale: columns may be seconds since 1970 beside
    indicators, and the squares of both in one matrix need more digits than a double has.

    >>> solve_positive_definite(np.array([[1e30, 0.0], [0.0, 1.0]]), np.array([2e30, 3.0]))
    array([2., 3.])

    A matrix that rounding has made singular gets a small ridge:

    >>> hessian = np.array([[1e20, 1e20], [1e20, 1e20 + 1.0]])
    >>> solve_positive_definite(hessian, np.array([2e20, 2e20])).round(3)
    array([1., 1.])
    """
    scale = 1.0 / np.sqrt(hessian.diagonal())
    scaled = hessian * np.outer(scale, scale)
    # `cho_factor` and `cho_solve` are the same two routines with checks that cost more than they.
    _, solution, failed = dposv(scaled, scale * gradient)
    if failed:
        scaled.flat[:: len(scale) + 1] += _RIDGE
        _, solution, failed = dposv(scaled, scale * gradient)
    if failed or not np.isfinite(solution).all():
        raise ValueError("the second derivatives of the loss are too large or not finite")
    return np.asarray(scale * solution)


def solve_by_conjugate_gradients(
    hessian_times: Callable[[Array], Array],
    gradient: Array,
    precondition: Callable[[Array], Array],
) -> Array:
    """Return an approximate H⁻¹ g by preconditioned conjugate gradients.

    The residual r ends below min(0.1, |g|) |g|, so that Newton's method still converges
    superlinearly. |r|² = rᵀ M r is measured by the preconditioner M; SciPy's `cg` measures rᵀ r,
    which is dominated by the terms of frequent states and stops at other points.

    Parameters
    ----------
    hessian_times : function that multiplies the Hessian by an array
    gradient : array of any shape
    precondition : function that multiplies an approximate inverse Hessian by an array

    Examples
    --------
    >>> diagonal = np.array([1.0, 4.0])
    >>> solve_by_conjugate_gradients(lambda p: diagonal * p, np.ones(2), lambda r: r / diagonal)
    array([1.  , 0.25])
    """
    solution = np.zeros_like(gradient)
    residual = gradient.copy()
    scaled = precondition(residual)
    search = scaled.copy()
    norm = first = float(np.vdot(residual, scaled))
    # Rounding can make a product near zero negative.
    enough = min(0.1, np.sqrt(max(first, 0.0))) ** 2 * first
    for _ in range(max(50, gradient.size)):
        if norm <= enough:
            break
        along = hessian_times(search)
        curvature = float(np.vdot(search, along))
        if curvature <= 0.0:  # flat up to rounding
            break
        share = norm / curvature
        solution += share * search
        residual -= share * along
        scaled = precondition(residual)
        before, norm = norm, float(np.vdot(residual, scaled))
        search *= norm / before
        search += scaled
    return solution if solution.any() else scaled
