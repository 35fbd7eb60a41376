"""Tests of the randomised trees."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict

from augury import memory
from augury.bases.held_out import PredictsHeldOut
from augury.ensemble import RandomizedTrees
from augury.ensemble.forest.calibration import Calibration
from augury.ensemble.forest.codes import TableCodes
from augury.ensemble.forest.distinct_rows import DistinctRows
from augury.ensemble.forest.growing import GRID
from augury.fitted_state import FittedStateError
from augury.memory import TableTooLargeError
from tests.mixed_rows import MIXED, Y


def make_table(n, seed=0):
    """Return labels and numbers with missing values, and a class that depends on both."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    kind = rng.choice(list("abcde"), n)
    y = np.where(np.isin(kind, ["a", "c"]) ^ (size > 0), "yes", "no")
    X = pd.DataFrame({"kind": kind, "size": size, "noise": rng.integers(0, 9, n)})
    return X.mask(rng.random(X.shape) < 0.05), y


def test_accuracy_and_log_loss_are_at_least_those_of_a_random_forest():
    X, y = load_breast_cancer(return_X_y=True)
    ours = cross_val_predict(RandomizedTrees(random_state=0), X, y, method="predict_proba")
    forest = RandomForestClassifier(100, random_state=0)
    theirs = cross_val_predict(forest, X, y, method="predict_proba")
    assert log_loss(y, ours) < log_loss(y, theirs)
    assert (ours.argmax(axis=1) == y).mean() > (theirs.argmax(axis=1) == y).mean() - 0.01


def test_labels_and_numbers_interact():
    X, y = make_table(1500)
    model = RandomizedTrees(random_state=0).fit(X[:1000], y[:1000])
    assert model.score(X[1000:], y[1000:]) > 0.85
    kind, size, noise = model.feature_importances_
    assert min(kind, size) > 2 * noise
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_rows_out_of_the_bag_are_honest():
    """Labels that nothing predicts: the log loss is the entropy of their shares, not less."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(1500, 6)), (rng.random(1500) < 0.3).astype(int)
    model = RandomizedTrees(random_state=0)
    held = model.fit_held_out(X, y)
    entropy = log_loss(y, np.full(1500, y.mean()))
    assert entropy - 0.01 < model.oob_log_loss_ < entropy + 0.03
    assert log_loss(y, held) == pytest.approx(model.oob_log_loss_, rel=1e-6)
    assert model.oob_score_ == pytest.approx((held.argmax(axis=1) == y).mean())
    assert model.smoothing_ == GRID[-1]
    assert log_loss(y, model.predict_proba(X)) < entropy - 0.05  # the same rows in the bag


def test_rows_out_of_the_bag_foretell_the_loss_of_new_rows():
    X, y = make_table(3000)
    model = RandomizedTrees(random_state=0).fit(X[:1000], y[:1000])
    new = log_loss(y[1000:], model.predict_proba(X[1000:]))
    assert model.oob_log_loss_ == pytest.approx(new, abs=0.05)


def test_equal_rows_are_out_of_the_bag_by_their_copies():
    """Every tree draws one of many equal rows, yet each of them is predicted without itself."""
    X, y = np.repeat([[0], [1]], 200, axis=0), np.repeat([0, 1], 200)
    y[::10] = 1 - y[::10]
    model = RandomizedTrees(categorical_features="all", random_state=0)
    held = model.fit_held_out(X, y)
    assert held.max() == pytest.approx(0.9, abs=0.02)
    assert len(np.unique(held.round(12), axis=0)) == 2 * 2  # by row and class


def test_the_model_of_fit_held_out_is_that_of_fit():
    X, y = make_table(200)
    weight = np.arange(200) % 3
    model = RandomizedTrees(n_estimators=20, random_state=0)
    fitted, held = clone(model).fit(X, y, weight), model.fit_held_out(X, y, weight)
    assert isinstance(model, PredictsHeldOut)
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
    without = weight == 0
    np.testing.assert_array_equal(held[without], fitted.predict_proba(X)[without])
    assert (np.abs(held - fitted.predict_proba(X))[~without].max(axis=1) > 0).all()
    np.testing.assert_allclose(held.sum(axis=1), 1)


def test_a_row_in_every_sample_has_the_shares_of_the_classes():
    X, y = make_table(60)
    held = RandomizedTrees(n_estimators=1, random_state=0).fit_held_out(X, y)
    shares = (np.array([(y == "no").sum(), (y == "yes").sum()]) + 0.5) / 61
    of_shares = np.isclose(held, shares).all(axis=1)
    assert 25 < of_shares.sum() < 50  # 63 % of the rows are drawn


@pytest.mark.parametrize("q", [3, 100])
def test_nothing_depends_on_the_number_of_threads(q):
    X, y = make_table(6000, seed=2)
    y = pd.Series(y) + (np.arange(6000) % (q // 2)).astype(str)
    one = RandomizedTrees(n_estimators=30, random_state=3, n_jobs=1).fit(X, y)
    two = RandomizedTrees(n_estimators=30, random_state=3, n_jobs=2).fit(X, y)
    for name in ("nodes", "values"):
        np.testing.assert_array_equal(getattr(one.trees_, name), getattr(two.trees_, name))
    assert (one.smoothing_, one.exponent_) == (two.smoothing_, two.exponent_)
    np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))
    np.testing.assert_array_equal(one.fit_held_out(X, y), two.fit_held_out(X, y))


def test_the_order_of_rows_and_columns_changes_nothing():
    X, y = make_table(300)
    order = np.random.default_rng(0).permutation(300)
    model = RandomizedTrees(n_estimators=20, random_state=0)
    expected, held = clone(model).fit(X, y).predict_proba(X), clone(model).fit_held_out(X, y)
    columns = ["size", "noise", "kind"]
    turned = clone(model).fit(X[columns].iloc[order], y[order])
    np.testing.assert_allclose(turned.predict_proba(X[columns]), expected, rtol=1e-12)
    np.testing.assert_allclose(clone(model).fit_held_out(X.iloc[order], y[order]), held[order])


def test_whole_weights_are_repeated_rows_out_of_the_bag_as_well():
    X, y = make_table(150)
    weight = np.random.default_rng(0).integers(1, 4, 150)
    repeated = np.repeat(np.arange(150), weight)
    one, two = (RandomizedTrees(n_estimators=20, random_state=0) for _ in range(2))
    held = one.fit_held_out(X, y, weight)
    longhand = two.fit_held_out(X.iloc[repeated], y[repeated])
    np.testing.assert_allclose(held[repeated], longhand, rtol=1e-9)
    assert one.oob_log_loss_ == pytest.approx(two.oob_log_loss_, rel=1e-9)


def test_seeds_give_other_trees():
    X, y = make_table(200)
    first, same, other = (
        RandomizedTrees(n_estimators=5, random_state=seed).fit(X, y) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.trees_.nodes, same.trees_.nodes)
    assert not np.array_equal(first.trees_.nodes[:9], other.trees_.nodes[:9])


def test_an_unseen_label_is_a_missing_value():
    X, y = make_table(300)
    model = RandomizedTrees(n_estimators=20, random_state=0).fit(X, y)
    new = pd.DataFrame({"kind": ["never", None], "size": [1.0, 1.0], "noise": [3.0, 3.0]})
    unseen, missing = model.predict_proba(new)
    np.testing.assert_array_equal(unseen, missing)


@pytest.mark.parametrize("n_labels", [200, 3000])
def test_many_labels(n_labels):
    """Codes of two bytes; labels of an identifier share a state."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, n_labels, 4000)
    X = pd.DataFrame({"label": labels.astype(str), "row": np.arange(4000).astype(str)})
    y = labels % 2
    X["label"] = X["label"].astype(pd.CategoricalDtype([str(k) for k in range(n_labels)]))
    model = RandomizedTrees(random_state=0).fit(X, y)
    assert model.codes_.encode(X).dtype == (np.uint8 if n_labels == 200 else np.uint16)
    assert model.score(X, y) > 0.9
    assert model.feature_importances_[0] > 0.9


def test_many_classes_are_listed_and_predicted():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 300, 6000)
    X = np.column_stack([y // 20, y % 20, rng.integers(0, 3, 6000)]).astype(float)
    model = RandomizedTrees(n_estimators=20, random_state=0).fit(X[:5000], y[:5000])
    assert model.trees_.classes.shape == (len(model.trees_.values), 32)
    proba = model.predict_proba(X[5000:])
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba > 0).all()
    assert model.score(X[5000:], y[5000:]) > 0.95


def test_a_tree_draws_no_more_than_max_samples():
    X, y = make_table(2000)
    some = RandomizedTrees(n_estimators=20, max_samples=100, random_state=0).fit(X, y)
    every = RandomizedTrees(n_estimators=20, max_samples=None, random_state=0).fit(X, y)
    assert some.n_nodes_ < 20 * 2 * 100 < every.n_nodes_
    assert some.score(X, y) > 0.7


def test_max_features_is_a_number_a_share_or_a_name():
    model = RandomizedTrees()
    for wanted, expected in [("sqrt", 4), (3, 3), (99, 10), (0.25, 3), (1.0, 10), (None, 10)]:
        assert model.set_params(max_features=wanted)._columns_to_try(10) == expected


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("max_features", "log2", "'sqrt', an integer >= 1, a share above 0 and up to 1, or None"),
        *(("max_features", value, "'sqrt', an integer") for value in (0, 0.0, 1.5, True, np.nan)),
        ("n_cuts", 0, "an integer >= 1"),
        ("n_cuts", 65, "an integer from 1 to 64"),
        ("min_samples_leaf", 0, "an integer >= 1"),
        ("max_samples", 0, "an integer >= 1"),
    ],
)
def test_wrong_parameters_are_refused(name, value, allowed):
    model = RandomizedTrees(**{name: value})
    with pytest.raises(ValueError, match=f"^RandomizedTrees: {name} must be {allowed}"):
        model.fit(MIXED, Y)


def test_trees_that_do_not_fit_in_memory_are_refused_before_they_grow(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 10**8)
    X, y = np.zeros((50_000, 2)), np.arange(50_000) % 60
    with pytest.raises(TableTooLargeError, match="100 trees of up to 31,607 leaves") as refused:
        RandomizedTrees().fit(X, y)
    assert "lower n_estimators or max_samples" in str(refused.value)


def test_iris_by_hand_of_the_public_attributes():
    X, y = load_iris(return_X_y=True)
    model = RandomizedTrees(n_estimators=25, random_state=0).fit(X, y)
    means = model.trees_.mean_shares(model.codes_.encode(X), 1)
    powers = means**model.exponent_
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), expected)


# ---- parts ---------------------------------------------------------------------------------


def test_distinct_rows_keep_weights_and_classes():
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 3, (500, 2)).astype(np.uint8), rng.integers(0, 2, 500)
    weight = rng.random(500)
    rows = DistinctRows.of(codes, y, weight)
    assert len(rows.y) == len(np.unique(np.column_stack([codes, y]), axis=0))
    np.testing.assert_array_equal(rows.codes[rows.row_of], codes)
    np.testing.assert_array_equal(rows.y[rows.row_of], y)
    np.testing.assert_allclose(rows.weight, np.bincount(rows.row_of, weight))


def test_rows_are_drawn_by_their_weights():
    weight = np.array([1.0, 2.0, 5.0])
    rows = DistinctRows.of(np.arange(3, dtype=np.uint8)[:, None], np.zeros(3, dtype=int), weight)
    times = sum(rows.draw(seed, 8) for seed in range(500))
    np.testing.assert_allclose(times / 4000, rows.weight / 8, atol=0.02)
    times = np.where(rows.weight == 1, 1, np.where(rows.weight == 2, 0, 2))
    left_out = dict(zip(rows.weight.tolist(), rows.left_out(times).tolist(), strict=True))
    assert left_out == pytest.approx({1: 0, 2: 1, 5: (1 - 1 / 5) ** 2})


def test_rows_of_other_weights_are_drawn_alike_and_count_by_their_weights():
    weight = np.array([0.5, 2.0, 5.0])
    rows = DistinctRows.of(np.arange(3, dtype=np.uint8)[:, None], np.zeros(3, dtype=int), weight)
    times = sum(rows.draw(seed, 8) for seed in range(500))
    np.testing.assert_allclose(times / 4000, 1 / 3, atol=0.02)
    np.testing.assert_allclose(rows.weight_of_draw, rows.weight)
    np.testing.assert_allclose(rows.left_out(np.array([1, 0, 2])), [0, 1, 0])


def test_rows_of_different_classes_with_equal_codes_stay_apart():
    rows = DistinctRows.of(np.zeros((4, 1), np.uint8), np.array([0, 1, 0, 1]), None)
    assert sorted(rows.y.tolist()) == [0, 1]


def test_the_exponent_stays_within_its_bounds():
    sure, wrong, weight = np.array([[0.9, 0.1]] * 50), np.ones(50, dtype=int), np.full(50, 1e9)
    assert Calibration.learn(sure, wrong, weight).exponent == pytest.approx(0.25)
    assert Calibration.learn(sure, 1 - wrong, weight).exponent == pytest.approx(8)
    assert Calibration.learn(sure[:0], wrong[:0], weight[:0]).exponent == 1


# ---- what a file may say -------------------------------------------------------------------


def change(array, at, value):
    array = array.copy()
    array[at] = value
    return array


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("nodes", lambda t: change(t.nodes, (0, 2), 1)),  # both children the same
        ("nodes", lambda t: change(t.nodes, (0, 2), len(t.nodes))),
        ("nodes", lambda t: change(t.nodes, (0, 2), int(t.roots[1]))),  # of the next tree
        ("nodes", lambda t: change(t.nodes, (0, 0), 3)),  # a column outside
        ("nodes", lambda t: change(t.nodes, (int(t.roots[1]) - 1, 0), 0)),  # no leaf at the end
        ("nodes", lambda t: change(t.nodes, (-1, 2), len(t.values))),  # a leaf outside
        ("nodes", lambda t: t.nodes.astype(np.int64)),
        ("nodes", lambda t: t.nodes[:-1]),
        ("roots", lambda t: change(t.roots, 1, 0)),
        ("roots", lambda t: t.roots[:-1]),
        ("roots", lambda t: t.roots.astype(np.int32)),
        ("values", lambda t: change(t.values, 0, np.nan)),
        ("values", lambda t: change(t.values, 0, -1)),
        ("values", lambda t: change(t.values, 0, 0)),
        ("values", lambda t: t.values[:, :1]),
        ("values", lambda t: t.values.astype(float)),
        ("prior", lambda t: t.prior[:1]),
        ("prior", lambda t: 0 * t.prior),
        ("rest", lambda t: np.zeros(len(t.values), np.float32)),
        ("classes", lambda t: np.zeros(t.values.shape, np.int32)),
    ],
)
def test_trees_that_no_fit_gives_are_refused(name, changed):
    X, y = make_table(100)
    model = RandomizedTrees(n_estimators=3, random_state=0).fit(X, y)
    model._check_fitted_state()
    model.trees_ = replace(model.trees_, **{name: changed(model.trees_)})
    with pytest.raises(FittedStateError):
        model._check_fitted_state()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cuts", np.array([2.0, 1.0])),
        ("ends", np.array([0, 1])),
        ("ends", np.array([0, 300, 252])),
        ("places", np.array([0, 0, 1])),
        ("places", np.array([0, 1, 3])),
    ],
)
def test_codes_that_no_fit_gives_are_refused(name, value):
    X, y = make_table(100)
    model = RandomizedTrees(n_estimators=3, random_state=0).fit(X, y)
    model.codes_._check_fitted_state()
    assert isinstance(model.codes_, TableCodes)
    setattr(model.codes_, name, value)
    with pytest.raises(FittedStateError):
        model.codes_._check_fitted_state()


def test_listed_classes_outside_are_refused():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 2)), np.arange(400) % 70
    model = RandomizedTrees(n_estimators=2, random_state=0).fit(X, y)
    model._check_fitted_state()
    model.trees_ = replace(model.trees_, classes=change(model.trees_.classes, (0, 0), 70))
    with pytest.raises(FittedStateError, match="classes"):
        model._check_fitted_state()
