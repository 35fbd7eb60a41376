"""Weights of models whose log probabilities are added."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax

from augury.ensemble.pool.held_out_folds import draw_folds, draw_held_out, predict_in_folds
from augury.ensemble.pool.log_linear_pool import learn_weights, pool
from augury.evaluate import log_loss
from augury.generative import NaiveBayes


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
    folds = draw_folds(keys, y, None).folds
    np.testing.assert_array_equal(folds[:250], folds[250:])
    sizes = np.array([np.bincount(folds[:250][y[:250] == c], minlength=5) for c in range(3)])
    assert (np.ptp(sizes, axis=1) <= 1).all()


def test_folds_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(1)
    keys, y = rng.integers(0, 200, 300).astype(np.uint64), rng.integers(0, 2, 300)
    order = rng.permutation(300)
    drawn, again = draw_folds(keys, y, None), draw_folds(keys[order], y[order], None)
    np.testing.assert_array_equal(drawn.folds[order], again.folds)


def test_equal_values_of_different_classes_are_in_one_fold():
    keys = np.arange(200, dtype=np.uint64) % 100
    drawn = draw_folds(keys, np.repeat([0, 1], 100), None)
    np.testing.assert_array_equal(drawn.folds[:100], drawn.folds[100:])
    assert not drawn.is_frequent.any()


def test_values_of_much_weight_are_in_all_folds():
    keys = np.arange(100, dtype=np.uint64)
    weight = np.where(keys < 3, 60.0, 1.0)
    drawn = draw_folds(keys, np.zeros(100, dtype=int), weight)
    assert np.flatnonzero(drawn.is_frequent).tolist() == [0, 1, 2]
    repeated = np.repeat(keys, weight.astype(int))
    by_rows = draw_folds(repeated, np.zeros(len(repeated), dtype=int), None)
    np.testing.assert_array_equal(by_rows.is_frequent, repeated < 3)


def test_held_out_loss_of_a_table_of_equal_rows_is_the_loss_of_new_rows():
    """Of 8 different rows, each of both classes, the folds must not predict the other class."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (1_600, 3))
    y = (rng.random(1_600) < 0.2 + 0.6 * X[:, 0]).astype(int)
    X = X.astype(str).astype(object)
    keys = np.array([int("".join(row), 2) for row in X[:800]], dtype=np.uint64)
    drawn = draw_folds(keys, y[:800], None)
    model = NaiveBayes()
    held_out = predict_in_folds(model, X[:800], y[:800], 2, None, drawn, "test")
    new = model.fit(X[:800], y[:800]).predict_proba(X[800:])
    assert abs(log_loss(y[:800], held_out) - log_loss(y[800:], new)) < 0.05


def test_a_large_table_holds_out_one_row_of_ten():
    keys = np.arange(24_000, dtype=np.uint64)
    held_out = draw_held_out(keys, np.arange(24_000) % 2, None)
    assert held_out.sum() == 2_400
    assert draw_held_out(keys[:15_000], np.arange(15_000) % 2, None) is None
