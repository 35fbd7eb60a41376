"""Minimise a convex function: quasi-Newton steps first, Newton's own at the end.

Steps of L-BFGS cost one look at the rows each and soon come near; Newton's, found by
conjugate gradients, cost many and arrive.
"""

from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from augury.arrays import Array


class Convex(Protocol):
    """A smooth convex function of an array."""

    def at(self, x: Array) -> tuple[float, Array]:
        """Return the value and the gradient at a point."""

    def rescale(self, gradient: Array) -> Array:
        """Return an array times a fixed guess of the inverse Hessian, positive definite."""

    def stand_at(self, x: Array) -> None:
        """Choose the point of `curvature_along`."""

    def curvature_along(self, direction: Array) -> Array:
        """Return the Hessian at that point times a direction."""


@dataclass(frozen=True)
class Minimum:
    """Where the search ended.

    Attributes
    ----------
    x : the point
    n_iter : steps
    largest_gradient : the largest component of the gradient there
    converged : whether that is within the tolerance
    """

    x: Array
    n_iter: int
    largest_gradient: float
    converged: bool


# By so much, of itself, the value may be off: a sum over all rows.
_ROUNDING = 1e-13

# Steps and changes of the gradient that L-BFGS remembers, each with their product.
Pairs = deque[tuple[Array, Array, float]]
_MEMORY = 10


def minimize(
    function: Convex, x: Array, *, tolerance: float, max_iter: int, n_quasi_newton: int
) -> Minimum:
    """Go downhill from x until no component of the gradient exceeds the tolerance.

    At most `max_iter` steps of either kind. Those of L-BFGS (Nocedal 1980) begin with the
    function's own guess of its Hessian; when they no longer pay, or after `n_quasi_newton`,
    Newton's follow.
    """
    near, value, gradient = _quasi_newton(function, x, tolerance, min(n_quasi_newton, max_iter))
    if near.converged or near.n_iter == max_iter:
        return near
    return _newton(function, near, value, gradient, tolerance, max_iter)


def _quasi_newton(
    function: Convex, x: Array, tolerance: float, max_iter: int
) -> tuple[Minimum, float, Array]:
    """Return where the steps ended, and the value and the gradient there."""
    value, gradient = function.at(x)
    pairs: Pairs = deque(maxlen=_MEMORY)
    scale = 1.0
    for n_iter in range(max_iter + 1):
        largest = float(np.abs(gradient).max(initial=0.0))
        here = Minimum(x, n_iter, largest, largest <= tolerance)
        if here.converged or n_iter == max_iter:
            break
        direction = -_inverse_times(function, gradient, pairs, scale)
        step, ahead, gradient_ahead = _step(function, x, value, gradient, direction)
        if value - ahead <= _ROUNDING * abs(ahead):  # Newton's steps need no values to compare
            break
        moved, change = step * direction, gradient_ahead - gradient
        curvature = float(np.vdot(moved, change))
        if curvature > 0.0:
            pairs.append((moved, change, curvature))
            scale = curvature / float(np.vdot(change, function.rescale(change)))
        x, value, gradient = x + moved, ahead, gradient_ahead
    return here, value, gradient


def _inverse_times(function: Convex, gradient: Array, pairs: Pairs, scale: float) -> Array:
    """Return the inverse Hessian, as the pairs tell it, times the gradient.

    `scale` is by how much the guess of it is off, by the last pair.
    """
    result = gradient.copy()
    shares = []
    for moved, change, curvature in reversed(pairs):
        share = float(np.vdot(moved, result)) / curvature
        result -= share * change
        shares.append(share)
    result = scale * function.rescale(result)
    for (moved, change, curvature), share in zip(pairs, reversed(shares), strict=True):
        result += (share - float(np.vdot(change, result)) / curvature) * moved
    return result


def _newton(
    function: Convex, near: Minimum, value: float, gradient: Array, tolerance: float, max_iter: int
) -> Minimum:
    """Take steps p with H p = -g, found as exactly as the gradient is small."""
    x = near.x
    for n_iter in range(near.n_iter, max_iter + 1):
        largest = float(np.abs(gradient).max(initial=0.0))
        here = Minimum(x, n_iter, largest, largest <= tolerance)
        if here.converged or n_iter == max_iter:
            break
        function.stand_at(x)
        direction = _newton_direction(function, gradient, n_most=max(50, gradient.size))
        step, value, ahead = _step(function, x, value, gradient, direction)
        if step == 0.0:  # rounding hides any further descent
            break
        x, gradient = x + step * direction, ahead
    return here


def _newton_direction(function: Convex, gradient: Array, n_most: int) -> Array:
    direction = np.zeros_like(gradient)
    residual = -gradient
    scaled = function.rescale(residual)
    search = scaled.copy()
    norm = first = float(np.vdot(residual, scaled))
    enough = min(0.1, np.sqrt(first)) ** 2 * first
    for _ in range(n_most):
        if norm <= enough:
            break
        along = function.curvature_along(search)
        curvature = float(np.vdot(search, along))
        if curvature <= 0.0:  # flat to rounding
            break
        share = norm / curvature
        direction += share * search
        residual -= share * along
        scaled = function.rescale(residual)
        before, norm = norm, float(np.vdot(residual, scaled))
        search *= norm / before
        search += scaled
    return direction if direction.any() else scaled


def _step(
    function: Convex, x: Array, value: float, gradient: Array, direction: Array
) -> tuple[float, float, Array]:
    """Return 1, ½, ¼ …, the first that keeps a part of what the slope promises.

    With the value and the gradient there.
    """
    step, slope = 1.0, float(np.vdot(gradient, direction))
    for _ in range(60):
        found, there = function.at(x + step * direction)
        if found <= value + 1e-4 * step * slope + _ROUNDING * abs(value):
            return step, found, there
        step /= 2
    return 0.0, value, gradient
