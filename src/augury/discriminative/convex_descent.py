"""Minimise a convex function: quasi-Newton steps first, Newton's own at the end.

Steps of L-BFGS cost one look at the rows each and soon come near; Newton's, found by
conjugate gradients, cost many and arrive.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Convex(Protocol):
    """A convex function of an array, smooth, that is looked at from one point at a time."""

    def move_to(self, x: Array) -> float:
        """Go to a point and return the value there."""

    def gradient(self) -> Array:
        """Return the gradient at this point."""

    def curvature_diagonal(self) -> Array:
        """Return the diagonal of the Hessian at this point, or an upper bound of it."""

    def curvature_along(self, direction: Array) -> Array:
        """Return the Hessian at this point times a direction."""

    def aim(self, direction: Array) -> None:
        """Prepare to look along a direction."""

    def value_at(self, step: float) -> float:
        """Return the value so far along the direction that was aimed at; cheap."""

    def advance(self, step: float) -> Array:
        """Go so far along the direction, where `value_at` looked last; return the point."""


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


def minimize(function: Convex, x: Array, *, tolerance: float, max_iter: int) -> Minimum:
    """Go downhill from x until no component of the gradient exceeds the tolerance.

    At most `max_iter` steps of either kind. Those of L-BFGS (Nocedal 1980) are scaled by the
    diagonal of the Hessian where they begin; when they no longer pay, Newton's follow.
    """
    value = function.move_to(x)
    near = _quasi_newton(function, x, value, tolerance, max_iter)
    if near.converged or near.n_iter == max_iter:
        return near
    return _newton(function, near, tolerance, max_iter)


def _quasi_newton(
    function: Convex, x: Array, value: float, tolerance: float, max_iter: int
) -> Minimum:
    gradient = function.gradient()
    inverse = _inverse(function.curvature_diagonal())
    pairs: Pairs = deque(maxlen=_MEMORY)
    for n_iter in range(max_iter + 1):
        largest = float(np.abs(gradient).max(initial=0.0))
        if largest <= tolerance or n_iter == max_iter:
            return Minimum(x, n_iter, largest, largest <= tolerance)
        direction = -_inverse_times(gradient, pairs, inverse)
        function.aim(direction)
        last, (step, value) = value, _step(function, value, float(np.vdot(gradient, direction)))
        if last - value <= _ROUNDING * abs(value):  # Newton's steps need no values to compare
            return Minimum(x, n_iter, largest, False)
        x = function.advance(step)
        before, gradient = gradient, function.gradient()
        change = gradient - before
        curvature = step * float(np.vdot(direction, change))
        if curvature > 0.0:
            pairs.append((step * direction, change, curvature))
    raise AssertionError("the last round returns")


def _inverse_times(gradient: Array, pairs: Pairs, inverse: Array) -> Array:
    """Return the inverse Hessian, as the pairs tell it, times the gradient."""
    result = gradient.copy()
    shares = []
    for moved, change, curvature in reversed(pairs):
        share = float(np.vdot(moved, result)) / curvature
        result -= share * change
        shares.append(share)
    if shares:  # the last pair tells by how much the diagonal is off
        _, change, curvature = pairs[-1]
        result *= curvature / float(np.vdot(change, inverse * change))
    result *= inverse
    for (moved, change, curvature), share in zip(pairs, reversed(shares), strict=True):
        result += (share - float(np.vdot(change, result)) / curvature) * moved
    return result


def _newton(function: Convex, near: Minimum, tolerance: float, max_iter: int) -> Minimum:
    """Take steps p with H p = -g, found as exactly as the gradient is small."""
    x, value = near.x, function.move_to(near.x)
    for n_iter in range(near.n_iter, max_iter + 1):
        gradient = function.gradient()
        largest = float(np.abs(gradient).max(initial=0.0))
        if largest <= tolerance or n_iter == max_iter:
            return Minimum(x, n_iter, largest, largest <= tolerance)
        direction = _newton_direction(function, gradient, n_most=max(50, gradient.size))
        function.aim(direction)
        step, value = _step(function, value, float(np.vdot(gradient, direction)))
        if step == 0.0:  # rounding hides any further descent
            return Minimum(x, n_iter, largest, False)
        x = function.advance(step)
    raise AssertionError("the last round returns")


def _inverse(diagonal: Array) -> Array:
    return np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)


def _newton_direction(function: Convex, gradient: Array, n_most: int) -> Array:
    inverse = _inverse(function.curvature_diagonal())
    direction = np.zeros_like(gradient)
    residual = -gradient
    scaled = inverse * residual
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
        scaled = inverse * residual
        before, norm = norm, float(np.vdot(residual, scaled))
        search *= norm / before
        search += scaled
    return direction if direction.any() else scaled


def _step(function: Convex, value: float, slope: float) -> tuple[float, float]:
    """Return 1, ½, ¼ …, the first that keeps a part of what the slope promises, and the value."""
    step = 1.0
    for _ in range(60):
        found = function.value_at(step)
        if found <= value + 1e-4 * step * slope + _ROUNDING * abs(value):
            return step, found
        step /= 2
    return 0.0, value
