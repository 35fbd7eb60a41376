"""Newton's method for smooth convex functions.

A function gives its value, its gradient and its Newton direction at a point. It decides how to
compute the direction: from the Hessian matrix or from Hessian-vector products
(`linear_systems`). The steps, the step halving and the tests for the end are written here.

SciPy's `trust-exact`, `trust-ncg` and `Newton-CG` evaluate the function again where the value at
a trial point has computed everything that the gradient needs, and they choose other steps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from augury.arrays import Array


class Point(Protocol):
    """A smooth convex function at one point; derivatives may be computed on demand."""

    @property
    def x(self) -> Array:
        """The point."""

    @property
    def value(self) -> float:
        """The value of the function."""

    @property
    def gradient(self) -> Array:
        """The gradient, of the shape of `x`."""

    def newton_direction(self) -> Array:
        """Return the solution p of H p = -gradient, exact or approximate."""


P_co = TypeVar("P_co", bound=Point, covariant=True)
P = TypeVar("P", bound=Point)


class Convex(Protocol[P_co]):
    """A smooth convex function of an array."""

    def at(self, x: Array) -> P_co:
        """Evaluate the function."""


@dataclass(frozen=True)
class Minimum:
    """The end of a search.

    Attributes
    ----------
    x : the point
    n_iter : number of steps
    gradient_size : size of the gradient, before the last step if that step ended the search
    converged : whether the size is within the tolerance, or the last decrement was small
    """

    x: Array
    n_iter: int
    gradient_size: float
    converged: bool


# A step must achieve this share of the decrease that the slope predicts (Armijo's rule).
_SUFFICIENT_DECREASE = 1e-4
# Relative rounding error of a value, which is a sum over all rows.
_ROUNDING_ERROR = 1e-13
_MAX_HALVINGS = 60


def largest_component(gradient: Array) -> float:
    """Return the largest absolute component.

    >>> largest_component(np.array([1.0, -3.0]))
    3.0
    """
    return float(np.abs(gradient).max(initial=0.0))


def find_minimum(
    function: Convex[P],
    start: P,
    *,
    max_iter: int,
    tolerance: float,
    size: Callable[[Array], float] = largest_component,
    last_decrement: float = 0.0,
) -> Minimum:
    """Minimise a function by Newton's method.

    Parameters
    ----------
    function : Convex
    start : Point
        The function at the starting point.
    max_iter : int
        Maximum number of steps.
    tolerance : float
        The search ends when the size of the gradient is at most this.
    size : function of the gradient
    last_decrement : float
        The search also ends with a full step when the Newton decrement gᵀ H⁻¹ g is at most this
        share of the value. The method converges quadratically, so the error after that step is
        of the order of the square.

    Returns
    -------
    Minimum
        The search also ends, not converged, when no step lowers the value in double precision.

    Examples
    --------
    >>> class Parabola:
    ...     def __init__(self, x):
    ...         self.x, self.value, self.gradient = x, float(x @ x), 2 * x
    ...     at = staticmethod(lambda x: Parabola(x))
    ...     def newton_direction(self):
    ...         return -self.x
    >>> start = Parabola(np.array([3.0]))
    >>> found = find_minimum(start, start, max_iter=5, tolerance=1e-9)
    >>> found.x.tolist(), found.n_iter, found.converged
    ([0.0], 1, True)
    """
    here = start
    for n_iter in range(max_iter + 1):
        reached = size(here.gradient)
        if reached <= tolerance or n_iter == max_iter:
            return Minimum(here.x, n_iter, reached, reached <= tolerance)
        direction = here.newton_direction()
        decrement = -float(np.vdot(here.gradient, direction))
        if decrement <= last_decrement * here.value:
            return Minimum(here.x + direction, n_iter + 1, reached, converged=True)
        step, here = descend(function, here, direction)
        if step == 0.0:  # rounding hides any further decrease
            break
    return Minimum(here.x, n_iter, reached, converged=False)


def descend(function: Convex[P], here: P, direction: Array) -> tuple[float, P]:
    """Return the first of the steps 1, ½, ¼ … that lowers the value enough, and the new point.

    The step is 0, and the point the old one, if no step does.
    """
    step, slope = 1.0, float(np.vdot(here.gradient, direction))
    rounding = _ROUNDING_ERROR * abs(here.value)
    for _ in range(_MAX_HALVINGS):
        there = function.at(here.x + step * direction)
        if there.value <= here.value + _SUFFICIENT_DECREASE * step * slope + rounding:
            return step, there
        step /= 2
    return 0.0, here


def decreases(before: Point, after: Point) -> bool:
    """Return whether the value decreases by more than its rounding error."""
    return before.value - after.value > _ROUNDING_ERROR * abs(after.value)
