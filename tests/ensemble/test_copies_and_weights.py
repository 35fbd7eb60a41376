"""Weights and copies of rows: a row must not be predicted by itself."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

from augury.discriminative import KernelClassifier
from augury.ensemble import HybridClassifier, RandomizedTrees


def noisy_numbers(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 6))
    return X, (X[:, 0] + rng.normal(0, 1.0, n_rows) > 0).astype(int)


def test_copies_of_rows_do_not_make_the_model_certain():
    X, y = noisy_numbers(150)
    new, y_new = noisy_numbers(1_000, seed=1)
    rows = np.tile(np.arange(150), 3)
    copied = HybridClassifier().fit(X[rows], y[rows])
    once = HybridClassifier().fit(X, y)
    losses = [
        -np.log(model.predict_proba(new)[np.arange(1_000), y_new]).mean()
        for model in (once, copied)
    ]
    assert losses[1] < losses[0] + 0.1
    assert copied.held_out_log_loss_ == pytest.approx(losses[1], abs=0.15)


@pytest.mark.parametrize("model_class", [HybridClassifier, KernelClassifier, RandomizedTrees])
@pytest.mark.parametrize("weight", [0.5, 1.3, 2.0, 3.7])
def test_equal_weights_of_all_rows_do_not_make_a_model_certain(model_class, weight):
    X, y = noisy_numbers(150)
    new, y_new = noisy_numbers(1_000, seed=1)
    once = model_class(random_state=0).fit(X, y)
    weighted = model_class(random_state=0).fit(X, y, sample_weight=np.full(150, weight))
    losses = [log_loss(y_new, model.predict_proba(new)) for model in (once, weighted)]
    assert losses[1] < losses[0] + 0.05


def rare_class(n_rows, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 8, (n_rows, 4)), columns=list("abcd"))
    log_odds = 0.5 * (X["a"] - 3.5) + 0.3 * (X["b"] - 3.5) - 2.6
    return X, (rng.random(n_rows) < 1 / (1 + np.exp(-log_odds))).astype(int)


@pytest.mark.parametrize("as_labels", [False, True])
@pytest.mark.parametrize("model_class", [HybridClassifier, KernelClassifier, RandomizedTrees])
@pytest.mark.parametrize("class_weight", ["balanced", {0: 1, 1: 7}])
def test_class_weights_move_the_probabilities_only(as_labels, model_class, class_weight):
    (X, y), (new, y_new) = rare_class(800, 0), rare_class(4_000, 1)
    if as_labels:
        X, new = X.astype(str), new.astype(str)
    plain = model_class(random_state=0).fit(X, y)
    weighted = model_class(random_state=0, class_weight=class_weight).fit(X, y)
    shares = np.bincount(y) / len(y)
    factors = 0.5 / shares if class_weight == "balanced" else np.array([1.0, 7.0])
    moved = plain.predict_proba(new) * factors
    losses = [
        log_loss(y_new, proba, sample_weight=factors[y_new])
        for proba in (moved / moved.sum(axis=1, keepdims=True), weighted.predict_proba(new))
    ]
    assert losses[1] < losses[0] + 0.03


def test_rows_of_a_class_of_weight_zero_teach_nothing():
    X, y = noisy_numbers(150)
    y = np.where(X[:, 1] > 1.2, 2, y)
    kept = y < 2
    weighted = HybridClassifier(class_weight={2: 0.0}).fit(X, y)
    without = HybridClassifier().fit(X[kept], pd.Categorical(y[kept], categories=[0, 1, 2]))
    assert weighted.predict_proba(X) == pytest.approx(without.predict_proba(X))


def test_equal_rows_of_few_labels_are_not_copies():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(["a", "b", "c"], (300, 2)), columns=["u", "v"])
    y = np.where((X["u"] == "a") & (rng.random(300) < 0.9), 1, 0)
    model = HybridClassifier(effort="fast").fit(X, y)
    assert model.held_out_log_loss_ < 0.2
