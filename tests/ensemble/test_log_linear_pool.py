"""Weights of models whose log probabilities are added."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from augury.encode.row_keys import equal_rows
from augury.ensemble.pool.held_out_folds import draw_folds, draw_held_out
from augury.ensemble.pool.log_linear_pool import learn_weights, pool


def predictions(n_rows=400, seed=0):
    """Return the log probabilities of a good, a poor and a useless model, and the classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    truth = 2.0 * np.eye(3)[y]
    return [
        log_softmax(strength * truth + rng.normal(size=truth.shape), axis=1)
        for strength in (1.0, 0.4, 0.0)
    ], y


def penalised_loss(w, logs, y, weight, prior):
    log_p = log_softmax(np.tensordot(w, np.stack(logs), 1), axis=1)
    return -(weight @ log_p[np.arange(len(y)), y]) + prior / 2 * ((w - 1 / len(w)) ** 2).sum()


@pytest.mark.parametrize("prior", [0.5, 50.0])
def test_weights_minimise_the_penalised_log_loss(prior):
    logs, y = predictions()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(y))
    found = learn_weights(logs, y, weight, prior=prior)
    by_simplex = minimize(
        penalised_loss,
        np.full(3, 0.5),
        args=(logs, y, weight, prior),
        method="Nelder-Mead",
        bounds=[(0.0, 3.0)] * 3,
        options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 5_000},
    )
    assert penalised_loss(found, logs, y, weight, prior) <= by_simplex.fun + 1e-5
    np.testing.assert_allclose(found, by_simplex.x, atol=0.05)


def test_a_useless_model_gets_no_weight_and_a_good_one_most():
    logs, y = predictions(4_000)
    good, poor, useless = learn_weights(logs, y, None, prior=5.0)
    assert good > poor > useless
    assert useless < 0.1


def test_few_rows_keep_the_weights_near_the_geometric_mean():
    logs, y = predictions(3)
    found = learn_weights(logs, y, None, prior=1e4)
    np.testing.assert_allclose(found, 1 / 3, atol=1e-3)


def test_a_weight_equals_repeated_rows():
    logs, y = predictions(60)
    times = np.random.default_rng(2).integers(1, 4, 60)
    by_weight = learn_weights(logs, y, times, prior=5.0)
    repeated = learn_weights(
        [np.repeat(each, times, axis=0) for each in logs], np.repeat(y, times), None, prior=5.0
    )
    np.testing.assert_allclose(by_weight, repeated, atol=1e-5)


def test_pool_is_the_weighted_sum():
    logs, _ = predictions(5)
    np.testing.assert_allclose(pool(logs, np.array([0.5, 0.0, 2.0])), 0.5 * logs[0] + 2 * logs[2])


# ---- folds ----------------------------------------------------------------------------


def test_folds_divide_every_class_and_keep_equal_rows_together():
    rng = np.random.default_rng(0)
    keys = rng.integers(0, 1 << 62, 500).astype(np.uint64)
    y = rng.integers(0, 3, 500)
    keys[250:], y[250:] = keys[:250], y[:250]
    folds = draw_folds(*equal_rows(keys, y), y)
    np.testing.assert_array_equal(folds[:250], folds[250:])
    sizes = np.array([np.bincount(folds[:250][y[:250] == c], minlength=5) for c in range(3)])
    assert (np.ptp(sizes, axis=1) <= 1).all()


def test_folds_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    keys, y = rng.integers(0, 1 << 62, 300).astype(np.uint64), rng.integers(0, 2, 300)
    order = rng.permutation(300)
    folds, ordered = (
        draw_folds(*equal_rows(keys[rows], y[rows]), y[rows]) for rows in (np.arange(300), order)
    )
    np.testing.assert_array_equal(folds[order], ordered)


def test_a_large_table_holds_out_one_of_ten_rows_of_each_class_and_equal_rows_together():
    keys = np.arange(24_000, dtype=np.uint64)
    y = np.where(np.arange(24_000) < 9, 2, np.arange(24_000) % 2)
    keys, y = np.tile(keys, 2), np.tile(y, 2)
    held_out = draw_held_out(*equal_rows(keys, y), y, None)
    np.testing.assert_array_equal(held_out[:24_000], held_out[24_000:])
    sizes = np.bincount(y[:24_000][held_out[:24_000]], minlength=3)
    assert sizes.tolist() == [1199, 1199, 0]  # no row of a class of nine rows


def test_at_most_5000_rows_are_held_out_and_none_of_a_small_table():
    keys = np.arange(200_000, dtype=np.uint64)
    y = np.arange(200_000) % 2
    assert draw_held_out(*equal_rows(keys, y), y, None).sum() == 5_000
    few = slice(19_999)
    assert draw_held_out(*equal_rows(keys[few], y[few]), y[few], None) is None


def test_rows_that_have_most_of_the_weight_are_not_held_out():
    keys, y = np.arange(30_000, dtype=np.uint64), np.zeros(30_000, dtype=int)
    rows = equal_rows(keys, y)
    held_out = draw_held_out(*rows, y, None)
    assert draw_held_out(*rows, y, np.where(held_out, 1.0, 1e-9)) is None


def test_a_model_of_little_weight_gets_none():
    (good, poor, useless), y = predictions()
    weights = learn_weights([good, poor, 0.5 * poor + useless], y, None, prior=0.5)
    assert ((weights == 0) | (weights >= 0.05)).all()
