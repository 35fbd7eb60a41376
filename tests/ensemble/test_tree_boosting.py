"""Tests of the boosted trees."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import log_loss

from augury import memory
from augury.bases.held_out import PredictsHeldOut
from augury.ensemble import TreeBoosting
from augury.ensemble.boosting import folds
from augury.fitted_state import FittedStateError
from augury.memory import TableTooLargeError
from tests.mixed_rows import MIXED, Y


def make_table(n, seed=0, q=2):
    """Return labels and numbers with missing values, and a class that depends on both."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    kind = rng.choice(list("abcde"), n)
    y = np.isin(kind, ["a", "c"]) ^ (size > 0.3) ^ (rng.random(n) < 0.05)
    y = y.astype(int) + (q - 2) * (rng.random(n) < 0.3)
    X = pd.DataFrame({"kind": kind, "size": size, "noise": rng.integers(0, 9, n)})
    return X.mask(rng.random(X.shape) < 0.05), y


@pytest.mark.parametrize("q", [2, 3])
def test_log_loss_is_below_that_of_gradient_boosting_of_scikit_learn(q):
    X, y = make_table(3000, q=q)
    train, test = slice(0, 2000), slice(2000, None)
    ours = TreeBoosting().fit(X[train], y[train]).predict_proba(X[test])
    numbers = X.assign(kind=pd.Categorical(X["kind"]).codes).fillna(-9)
    peer = GradientBoostingClassifier(random_state=0)
    theirs = peer.fit(numbers[train], y[train]).predict_proba(numbers[test])
    assert log_loss(y[test], ours) < log_loss(y[test], theirs)


def test_columns_that_matter_have_the_importance():
    X, y = make_table(1500)
    model = TreeBoosting().fit(X, y)
    kind, size, noise = model.feature_importances_
    assert min(kind, size) > 3 * noise
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_held_out_rows_are_honest():
    """Labels that nothing predicts: no round helps, and the held-out loss is the entropy."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(1500, 6)), (rng.random(1500) < 0.3).astype(int)
    model = TreeBoosting()
    held = model.fit_held_out(X, y)
    entropy = log_loss(y, np.full(1500, y.mean()))
    assert model.n_rounds_ <= 10
    assert log_loss(y, held) == pytest.approx(entropy, abs=0.01)
    assert log_loss(y, held) == pytest.approx(model.held_out_log_losses_.min())


def test_held_out_rows_foretell_the_loss_of_new_rows():
    X, y = make_table(6000)
    model = TreeBoosting().fit(X[:2000], y[:2000])
    new = log_loss(y[2000:], model.predict_proba(X[2000:]))
    assert model.held_out_log_losses_.min() == pytest.approx(new, abs=0.03)


def test_the_number_of_rounds_has_the_least_held_out_loss():
    X, y = make_table(1000)
    model = TreeBoosting().fit(X, y)
    losses = model.held_out_log_losses_
    assert 0 < model.n_rounds_ == folds.ROUNDS_AT_ONCE * int(np.argmin(losses))
    assert len(losses) - 1 - np.argmin(losses) == folds.PATIENCE // folds.ROUNDS_AT_ONCE
    assert model.trees_.n_trees == folds.N_FOLDS * model.n_rounds_
    few = TreeBoosting(max_rounds=7).fit(X, y)
    assert few.n_rounds_ == 7
    np.testing.assert_array_equal(few.held_out_log_losses_[:2], losses[:2])


def test_the_model_is_the_mean_of_the_models_of_the_folds():
    X, y = make_table(800)
    model = TreeBoosting()
    held = model.fit_held_out(X, y)
    codes, trees = model.codes_.encode(X), model.trees_
    per_model = np.array_split(np.arange(trees.n_trees), folds.N_FOLDS)
    scores = []
    for numbers in per_model:
        first = replace(trees, roots=trees.roots[numbers[0] : numbers[-1] + 2])
        scores.append(folds.N_FOLDS * (first.scores(codes, 1) - trees.intercept))
    mean = np.mean(scores, axis=0)[:, 0] + trees.intercept[0]
    log_odds = np.diff(model.predict_log_proba(X), axis=1)[:, 0]
    np.testing.assert_allclose(mean, log_odds, atol=1e-5)
    # The held-out log odds of a row are those of one of the models.
    own = np.log(held[:, 1] / held[:, 0])
    differences = np.abs(np.array(scores)[:, :, 0] + trees.intercept[0] - own).min(axis=0)
    assert np.quantile(differences, 0.99) < 0.02  # the intercepts of the models differ a little


def test_the_model_of_fit_held_out_is_that_of_fit():
    X, y = make_table(300)
    weight = np.arange(300) % 3
    model = TreeBoosting(max_rounds=20)
    fitted, held = clone(model).fit(X, y, weight), model.fit_held_out(X, y, weight)
    assert isinstance(model, PredictsHeldOut)
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
    without = weight == 0
    np.testing.assert_array_equal(held[without], fitted.predict_proba(X)[without])
    np.testing.assert_allclose(held.sum(axis=1), 1)


@pytest.mark.parametrize("q", [2, 5])
def test_nothing_depends_on_the_number_of_threads(q):
    X, y = make_table(3000, seed=2, q=q)
    one, two = (TreeBoosting(random_state=3, n_jobs=n, max_rounds=30) for n in (1, 2))
    np.testing.assert_array_equal(one.fit_held_out(X, y), two.fit_held_out(X, y))
    for name in ("nodes", "values", "bits"):
        np.testing.assert_array_equal(getattr(one.trees_, name), getattr(two.trees_, name))
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


def test_the_order_of_rows_and_columns_changes_nothing():
    X, y = make_table(300)
    order = np.random.default_rng(0).permutation(300)
    model = TreeBoosting(max_rounds=20)
    held, expected = model.fit_held_out(X, y), model.predict_proba(X)
    columns = ["size", "noise", "kind"]
    turned = clone(model)
    held_turned = turned.fit_held_out(X[columns].iloc[order], y[order])
    np.testing.assert_allclose(turned.predict_proba(X[columns]), expected, rtol=1e-12)
    np.testing.assert_allclose(held_turned, held[order], rtol=1e-12)


def test_whole_weights_are_repeated_rows_held_out_as_well():
    X, y = make_table(300)
    weight = np.random.default_rng(0).integers(1, 4, 300)
    repeated = np.repeat(np.arange(300), weight)
    one, two = TreeBoosting(max_rounds=20), TreeBoosting(max_rounds=20)
    held = one.fit_held_out(X, y, weight)
    longhand = two.fit_held_out(X.iloc[repeated], y[repeated])
    np.testing.assert_allclose(held[repeated], longhand, rtol=1e-9)
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-9)


def test_a_large_table_has_one_model_and_holds_out_a_quarter(monkeypatch):
    monkeypatch.setattr(folds, "MANY_ROWS", 500)
    X, y = make_table(1000)
    model = TreeBoosting()
    held = model.fit_held_out(X, y)
    known = np.isfinite(held).all(axis=1)
    assert 200 < known.sum() < 300
    assert model.trees_.n_trees == model.n_rounds_ > 0
    np.testing.assert_allclose(held[known], model.predict_proba(X)[known], atol=1e-5)


def test_an_unseen_label_is_a_missing_value():
    X, y = make_table(300)
    model = TreeBoosting().fit(X, y)
    new = pd.DataFrame({"kind": ["never", None], "size": [1.0, 1.0], "noise": [3.0, 3.0]})
    unseen, missing = model.predict_proba(new)
    np.testing.assert_array_equal(unseen, missing)


def test_many_labels_share_a_state():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 1000, 6000)
    X = pd.DataFrame({"label": labels.astype(str), "row": np.arange(6000).astype(str)})
    y = (labels % 2) ^ (rng.random(6000) < 0.1)
    model = TreeBoosting().fit(X, y)
    assert model.codes_.encode(X).dtype == np.uint8
    assert model.feature_importances_[0] > 0.9


@pytest.mark.parametrize(
    ("y", "q"),
    [([0, 1], 2), ([0, 1, 2], 3), ([0, 0, 0, 1], 2), ([0, 1] * 3, 2)],
)
def test_few_rows(y, q):
    X = np.arange(len(y), dtype=float)[:, None]
    model = TreeBoosting()
    held = model.fit_held_out(X, np.array(y))
    assert held.shape == (len(y), q)
    np.testing.assert_allclose(held.sum(axis=1), 1)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_one_row_and_a_declared_class():
    y = pd.Categorical(["a", "a"], categories=["a", "b"])
    model = TreeBoosting().fit(np.ones((2, 1)), y)
    assert model.n_rounds_ == 0
    assert model.predict_proba(np.ones((1, 1))).shape == (1, 2)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("learning_rate", 0.0, "a number > 0 and <= 1"),
        ("learning_rate", 2.0, "a number > 0 and <= 1"),
        ("max_rounds", 0, "an integer >= 1"),
        ("max_leaves", 1, "an integer >= 2"),
        ("max_leaves", 5000, "an integer from 2 to 4096"),
        ("l2", -1.0, "a number >= 0"),
        ("min_hessian", 0.0, "a number > 0"),
        ("max_features", 1.5, "a number > 0 and <= 1"),
    ],
)
def test_wrong_parameters_are_refused(name, value, allowed):
    with pytest.raises(ValueError, match=f"^TreeBoosting: {name} must be {allowed}"):
        TreeBoosting(**{name: value}).fit(MIXED, Y)


def test_trees_that_do_not_fit_in_memory_are_refused_before_they_grow(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**7)
    X, y = np.zeros((5000, 2)), np.arange(5000) % 60
    with pytest.raises(TableTooLargeError, match="72,000 trees of 2 columns") as refused:
        TreeBoosting().fit(X, y)
    assert "lower max_rounds or max_leaves" in str(refused.value)


# ---- what a file may say -------------------------------------------------------------------


def change(array, at, value):
    array = array.copy()
    array[at] = value
    return array


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("nodes", lambda t: change(t.nodes, (0, 2), 0)),  # a child that is its parent
        ("nodes", lambda t: change(t.nodes, (0, 2), int(t.roots[1]) - 1)),  # one child outside
        ("nodes", lambda t: change(t.nodes, (0, 0), 3)),  # a column outside
        ("nodes", lambda t: change(t.nodes, (0, 1), (1 << 29) | 99_999)),  # no such bits
        ("nodes", lambda t: change(t.nodes, (0, 1), -1)),
        ("nodes", lambda t: change(t.nodes, (-1, 2), len(t.values))),  # a leaf outside
        ("nodes", lambda t: t.nodes.astype(np.int64)),
        ("nodes", lambda t: t.nodes[:-1]),
        ("roots", lambda t: change(t.roots, 1, 0)),
        ("roots", lambda t: t.roots[:-1]),
        ("roots", lambda t: t.roots.astype(np.int32)),
        ("values", lambda t: change(t.values, 0, np.nan)),
        ("values", lambda t: change(t.values, 0, np.inf)),
        ("values", lambda t: t.values[:3]),
        ("values", lambda t: t.values.astype(float)),
        ("bits", lambda t: t.bits[:, :7]),
        ("bits", lambda t: t.bits.astype(np.int64)),
        ("intercept", lambda t: np.zeros(2)),
        ("intercept", lambda t: np.full(1, np.nan)),
    ],
)
def test_trees_that_no_fit_gives_are_refused(name, changed):
    X, y = make_table(300)
    model = TreeBoosting().fit(X, y)
    model._check_fitted_state()
    model.trees_ = replace(model.trees_, **{name: changed(model.trees_)})
    with pytest.raises(FittedStateError):
        model._check_fitted_state()
