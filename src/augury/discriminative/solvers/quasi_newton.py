"""Preconditioned L-BFGS, followed by Newton's method.

A step of L-BFGS evaluates the function once and soon comes near the minimum. A Newton step by
conjugate gradients evaluates it many times and reaches the minimum to rounding.

SciPy's L-BFGS-B begins with a multiple of the identity and has no place for a preconditioner. It
also stops at other coefficients than those that are published with this package.
"""

from collections import deque
from dataclasses import replace
from typing import Protocol

import numpy as np

from augury.arrays import Array
from augury.discriminative.solvers.newton import (
    Convex,
    Minimum,
    P,
    P_co,
    decreases,
    descend,
    find_minimum,
    largest_component,
)


class Preconditioned(Convex[P_co], Protocol[P_co]):
    """A convex function with an approximation of its inverse Hessian."""

    def precondition(self, gradient: Array) -> Array:
        """Return a fixed positive definite approximation of the inverse Hessian, times an array."""


# Past steps and changes of the gradient, each pair with its product.
Pairs = deque[tuple[Array, Array, float]]
_MAX_PAIRS = 10


def minimize(
    function: Preconditioned[P],
    x: Array,
    *,
    tolerance: float,
    max_iter: int,
    n_quasi_newton: int,
) -> Minimum:
    """Minimise a function until no component of its gradient exceeds the tolerance.

    The search takes at most `max_iter` steps. Newton steps follow those of L-BFGS (Nocedal 1980)
    after `n_quasi_newton` steps, or when the value no longer decreases.
    """
    near, here = _quasi_newton(function, x, tolerance, min(n_quasi_newton, max_iter))
    if near.converged or near.n_iter == max_iter:
        return near
    found = find_minimum(function, here, tolerance=tolerance, max_iter=max_iter - near.n_iter)
    return replace(found, n_iter=near.n_iter + found.n_iter)


def _quasi_newton(
    function: Preconditioned[P], x: Array, tolerance: float, max_iter: int
) -> tuple[Minimum, P]:
    """Return the end of the search, and the function there."""
    here = function.at(x)
    pairs: Pairs = deque(maxlen=_MAX_PAIRS)
    scale = 1.0
    for n_iter in range(max_iter + 1):
        reached = largest_component(here.gradient)
        end = Minimum(here.x, n_iter, reached, reached <= tolerance)
        if end.converged or n_iter == max_iter:
            break
        direction = -_inverse_hessian_times(function, here.gradient, pairs, scale)
        step, there = descend(function, here, direction)
        if not decreases(here, there):  # Newton steps do not compare values this small
            break
        moved, change = step * direction, there.gradient - here.gradient
        curvature = float(np.vdot(moved, change))
        if curvature > 0.0:
            pairs.append((moved, change, curvature))
            scale = curvature / float(np.vdot(change, function.precondition(change)))
        here = there
    return end, here


def _inverse_hessian_times(
    function: Preconditioned[P], gradient: Array, pairs: Pairs, scale: float
) -> Array:
    """Return the inverse Hessian, as the pairs approximate it, times the gradient.

    `scale` corrects the preconditioner; it is estimated from the last pair.
    """
    result = gradient.copy()
    shares = []
    for moved, change, curvature in reversed(pairs):
        share = float(np.vdot(moved, result)) / curvature
        result -= share * change
        shares.append(share)
    result = scale * function.precondition(result)
    for (moved, change, curvature), share in zip(pairs, reversed(shares), strict=True):
        result += (share - float(np.vdot(change, result)) / curvature) * moved
    return result
