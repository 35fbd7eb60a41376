"""Newton's method and the step halving of all solvers."""

from dataclasses import dataclass

import numpy as np
import pytest

from augury.discriminative.solvers.linear_systems import (
    solve_by_conjugate_gradients,
    solve_positive_definite,
)
from augury.discriminative.solvers.newton import descend, find_minimum
from augury.discriminative.solvers.one_vs_rest import LOGISTIC, SQUARED_HINGE, separate


@dataclass(frozen=True)
class LogCosh:
    """Σ log (2 cosh x): a full Newton step overshoots where |x| is above about 1.09."""

    x: np.ndarray

    def at(self, x):
        return LogCosh(x)

    @property
    def value(self):
        return float(np.logaddexp(self.x, -self.x).sum())

    @property
    def gradient(self):
        return np.tanh(self.x)

    def newton_direction(self):
        return -np.tanh(self.x) * np.cosh(self.x) ** 2


@pytest.mark.parametrize("start", [0.1, 3.0, -5.0])
def test_halved_steps_reach_the_minimum(start):
    function = LogCosh(np.array([start]))
    found = find_minimum(function, function, max_iter=50, tolerance=1e-12)
    assert found.converged
    np.testing.assert_allclose(found.x, 0.0, atol=1e-12)


def test_the_step_is_halved_until_the_value_decreases():
    here = LogCosh(np.array([3.0]))
    step, there = descend(here, here, here.newton_direction())
    assert 0.0 < step < 1.0
    assert there.value < here.value
    assert descend(here, here, np.array([1.0]))[0] < 1e-9  # upwards: not farther than rounding


def test_the_last_step_is_a_full_one():
    function = LogCosh(np.array([0.1]))
    found = find_minimum(function, function, max_iter=50, tolerance=0.0, last_decrement=10.0)
    assert found.converged
    assert found.n_iter == 1
    np.testing.assert_array_equal(found.x, function.x + function.newton_direction())


def test_the_number_of_steps_is_limited():
    function = LogCosh(np.array([5.0]))
    found = find_minimum(function, function, max_iter=2, tolerance=1e-12)
    assert (found.n_iter, found.converged) == (2, False)


def test_both_systems_have_the_same_solution():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(8, 8))
    hessian, gradient = root @ root.T + np.eye(8), 1e-9 * rng.normal(size=8)
    expected = np.linalg.solve(hessian, gradient)
    direct = solve_positive_definite(hessian, gradient)
    np.testing.assert_allclose(direct, expected, rtol=1e-10)
    nearly = solve_by_conjugate_gradients(
        lambda p: hessian @ p, gradient, lambda r: r / hessian.diagonal()
    )
    np.testing.assert_allclose(nearly, expected, rtol=1e-5)


def test_a_hessian_that_overflows_is_an_error():
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="second derivatives"):
        solve_positive_definite(np.array([[np.inf, 0.0], [0.0, 1.0]]), np.ones(2))


@pytest.mark.parametrize("loss", [LOGISTIC, SQUARED_HINGE])
def test_the_gradient_of_a_separation_vanishes(loss):
    rng = np.random.default_rng(0)
    matrix, costs = rng.normal(size=(60, 4)), rng.random(60)
    signs = np.where(matrix[:, 0] + rng.normal(size=60) > 0, 1.0, -1.0)
    beta, _, converged = separate(matrix, signs, costs, loss, tol=1e-10, max_iter=50)
    rows = matrix * signs[:, None]
    assert converged
    np.testing.assert_allclose(beta + rows.T @ (costs * loss.slope(rows @ beta)), 0.0, atol=1e-8)
