"""The loss of a logistic regression and its gradient, against SciPy's log-softmax."""

import numpy as np
import pytest
from scipy.special import log_softmax

from augury import kernels
from augury.kernels import _native


def problem(n, d, n_numbers, q, *, reference, dtype=np.uint8, spread=1.0, seed=0):
    rng = np.random.default_rng(seed)
    n_slots = rng.integers(1, 5, d)
    codes = np.asfortranarray((rng.random((n, d)) * n_slots).astype(dtype))
    offsets = np.concatenate([[0], np.cumsum(n_slots)]).astype(np.int64)
    numbers = rng.normal(size=(n, n_numbers))
    table = spread * rng.normal(size=(int(offsets[-1]) + n_numbers + 1, q))
    y = rng.integers(0, q + reference, n).astype(np.int32)
    return codes, offsets, numbers, table, y


def written_out(codes, offsets, numbers, table, y, weight, *, reference):
    n, q = len(codes), table.shape[1]
    matrix = np.zeros((n, len(table)))
    for j in range(codes.shape[1]):
        matrix[np.arange(n), offsets[j] + codes[:, j]] = 1.0
    matrix[:, offsets[-1] : -1] = numbers
    matrix[:, -1] = 1.0
    scores = np.column_stack([matrix @ table, np.zeros((n, 1))]) if reference else matrix @ table
    log_proba = log_softmax(scores, axis=1)
    w = np.ones(n) if weight is None else weight
    own = np.zeros(scores.shape)
    own[np.arange(n), y] = 1.0
    residual = w[:, None] * (np.exp(log_proba) - own)
    return -(w @ log_proba[np.arange(n), y]), matrix.T @ residual[:, :q]


@pytest.mark.parametrize("reference", [False, True])
@pytest.mark.parametrize("q", [1, 2, 3, 4, 7, 300])
@pytest.mark.parametrize(("d", "n_numbers"), [(0, 2), (1, 0), (5, 3), (8, 1)])
@pytest.mark.parametrize("weighted", [False, True])
def test_loss_and_gradient(reference, q, d, n_numbers, weighted):
    given = problem(700, d, n_numbers, q, reference=reference)
    weight = np.random.default_rng(1).random(700) if weighted else None
    loss, gradient = kernels.logistic_loss(*given, weight, reference=reference)
    expected_loss, expected = written_out(*given, weight, reference=reference)
    np.testing.assert_allclose(loss, expected_loss, rtol=1e-13)  # of one class alone 0
    np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("spread", [1e-8, 30.0, 1e3])
def test_codes_of_any_width_and_scores_of_any_size(dtype, spread):
    for reference in (False, True):
        given = problem(100, 6, 2, 3, reference=reference, dtype=dtype, spread=spread)
        loss, gradient = kernels.logistic_loss(*given, None, reference=reference)
        expected_loss, expected = written_out(*given, None, reference=reference)
        np.testing.assert_allclose(loss, expected_loss, rtol=1e-13)
        np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-11)


def test_every_probability_is_right_to_the_last_digits():
    """Rows of one column each: the gradient of a slot is one row's residual."""
    n = 4096
    codes = np.arange(n, dtype=np.uint16)[:, None]
    scores = np.linspace(-700.0, 0.0, n)[:, None]
    table = np.concatenate([scores, [[0.0]]])
    y = np.ones(n, dtype=np.int32)  # the reference: residuals are probabilities
    _, gradient = kernels.logistic_loss(
        codes, np.array([0, n]), np.empty((n, 0)), table, y, None, reference=True
    )
    odds = np.exp(scores[:, 0])
    np.testing.assert_allclose(gradient[:-1, 0], odds / (1 + odds), rtol=1e-15)


def test_threads_change_nothing(monkeypatch):
    given = problem(1000, 4, 1, 5, reference=False)
    loss, gradient = kernels.logistic_loss(*given, None, reference=False)
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 100)
    loss_of_three, of_three = kernels.logistic_loss(*given, None, reference=False, n_threads=3)
    np.testing.assert_allclose(loss_of_three, loss, rtol=1e-13)
    np.testing.assert_allclose(of_three, gradient, atol=1e-11)


def test_arguments_that_do_not_fit_raise():
    codes, offsets, numbers, table, y = problem(20, 2, 1, 2, reference=True)
    out = np.zeros_like(table)

    def run(codes=codes, offsets=offsets, numbers=numbers, table=table, y=y, **given):
        rows = given.get("rows", (0, 20))
        weight, reference = given.get("weight"), given.get("reference", True)
        return _native.logistic_loss(
            codes, offsets, numbers, table, y, weight, reference, given.get("out", out), *rows
        )

    for wrong in (
        {"y": y[:-1]},
        {"y": y + np.int32(3)},
        {"y": np.full(20, 2, dtype=np.int32), "reference": False},
        {"y": y - np.int32(5)},
        {"numbers": numbers[:-1]},
        {"table": table[:-1]},
        {"offsets": offsets[:-1]},
        {"offsets": offsets[::-1].copy()},
        {"out": np.zeros((len(table), 3))},
        {"weight": np.ones(19)},
        {"rows": (0, 21)},
        {"table": np.zeros((len(table), 0)), "out": np.zeros((len(table), 0))},
    ):
        with pytest.raises(ValueError, match=r"do not fit|out of range"):
            run(**wrong)
    assert not out.any()
    beyond = codes.copy(order="F")
    beyond[7, 1] = 99
    with pytest.raises(ValueError, match="a code is out of range"):
        run(codes=beyond)
    with pytest.raises(ValueError, match="y must be int32"):
        run(y=y.astype(np.int64))
