"""The flagship and its parts on hard tables: few rows, many classes, many columns."""

import numpy as np
import pandas as pd
import pytest

from augury.discriminative import KernelClassifier
from augury.ensemble import HybridClassifier, RandomCutEnsemble, RandomizedTrees

MODELS = {
    "flagship": lambda: HybridClassifier(),
    "fast": lambda: HybridClassifier(effort="fast"),
    "kernel": lambda: KernelClassifier(),
    "random-trees": lambda: RandomizedTrees(random_state=0),
    "random-cuts": lambda: RandomCutEnsemble(random_state=0),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def spread_classes(n_rows, n_columns, n_classes, seed=0):
    """Return numbers around the mean of their class, and classes of equal shares."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    means = rng.normal(0, 3, (n_classes, n_columns))
    return rng.normal(size=(n_rows, n_columns)) + means[y], y


def check(model, X, y, new, y_new, *, least):
    """Fit; probabilities must be finite and sum to 1, and the accuracy of new rows be enough."""
    model.fit(X, y)
    proba = model.predict_proba(new)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert (model.predict(new) == y_new).mean() >= least


@pytest.mark.parametrize(
    ("n_rows", "n_classes"), [(400, 40), pytest.param(2_000, 100, marks=pytest.mark.long)]
)
def test_many_classes(model, n_rows, n_classes):
    X, y = spread_classes(n_rows + 500, 6, n_classes)
    check(model, X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:], least=0.7)


@pytest.mark.parametrize(
    ("n_rows", "n_columns"), [(60, 400), pytest.param(1_000, 5_000, marks=pytest.mark.long)]
)
def test_many_columns(model, n_rows, n_columns):
    rng = np.random.default_rng(0)
    y = np.arange(n_rows + 60) % 2
    X = rng.normal(size=(len(y), n_columns))
    X[:, :100] += 1.5 * y[:, None]
    check(model, X[:n_rows], y[:n_rows], X[n_rows:], y[n_rows:], least=0.8)


def test_twenty_rows(model):
    X, y = spread_classes(220, 4, 2)
    check(model, X[:20], y[:20], X[20:], y[20:], least=0.85)


def test_one_column(model):
    X, y = spread_classes(300, 1, 2, seed=4)
    check(model, X[:100], y[:100], X[100:], y[100:], least=0.6)


def test_gaps_and_constants_only_beside_one_column(model):
    X, y = spread_classes(300, 1, 2, seed=4)
    frame = pd.DataFrame(X, columns=["x"]).assign(
        gap=np.nan, no_text=pd.Series([None] * 300, dtype=object), one=1, word="same"
    )
    check(model, frame[:100], y[:100], frame[100:], y[100:], least=0.6)


def test_gaps_and_constants_alone_give_the_shares_of_the_classes(model):
    X = pd.DataFrame({"gap": [np.nan] * 40, "one": 1, "word": "same"})
    y = np.arange(40) % 4 == 0
    model.fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 0.25, atol=0.1)


def test_classes_of_one_row(model):
    """Each fold or sample of the rows lacks one of them."""
    X, y = spread_classes(150, 3, 2)
    y = y.copy()
    y[:3] = [7, 8, 9]
    model.fit(X, y)
    proba = model.predict_proba(X)
    assert proba.shape == (150, 5)
    assert np.isfinite(proba).all()
    assert proba[3:, 2:].mean() < 0.1


def test_a_row_of_weight_two_is_two_rows(model):
    X, y = spread_classes(120, 3, 2, seed=2)
    weight = np.random.default_rng(0).integers(0, 3, 120)
    rows = np.repeat(np.arange(120), weight)
    weighted = model.fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = model.fit(X[rows], y[rows]).predict_proba(X)
    # A regression is a part of the flagship, and its minimum is found within a tolerance.
    np.testing.assert_allclose(weighted, repeated, atol=1e-4)


def test_labels_never_seen_tell_nothing(model):
    X, y = spread_classes(200, 2, 2, seed=1)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(text=np.where(y == 1, "yes", "no"))
    model.fit(frame, y)
    new = model.predict_proba(frame.assign(text="never seen"))
    assert np.isfinite(new).all()
    assert (new.argmax(axis=1) == y).mean() > 0.6


def test_noise_columns_cost_little():
    rng = np.random.default_rng(0)
    X, y = spread_classes(800, 4, 3, seed=6)
    wide = np.column_stack([X, rng.normal(size=(800, 50))])
    narrow = HybridClassifier().fit(X[:300], y[:300]).predict(X[300:])
    found = HybridClassifier().fit(wide[:300], y[:300]).predict(wide[300:])
    assert (found == y[300:]).mean() > (narrow == y[300:]).mean() - 0.05
