"""What every generative classifier must bear, whatever it assumes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from augury.generative import BayesianNetworkClassifier, RegularizedDiscriminantAnalysis
from augury.models.catalogue import own_model_classes

CLASSIFIERS = own_model_classes("generative")


@pytest.fixture(params=CLASSIFIERS, ids=lambda c: c.__name__)
def model(request):
    return request.param()


def check_probabilities(model, X, n_classes):
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), n_classes)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba >= 0).all()
    assert np.isfinite(model.predict_joint_log_proba(X)).all()
    assert np.isin(model.predict(X), model.classes_).all()


MIXED = pd.DataFrame(
    {
        "label": ["red", "blue", None, "red", "blue", "red", "green", "blue"],
        "category": pd.Categorical(list("ababcbab"), categories=list("abcd")),
        "number": [1.0, 2.0, np.nan, 9.0, 8.0, 9.5, 0.0, 1.0],
        "whole": [3, 1, 2, 0, 5, 4, 2, 2],
        "flag": [True, False, True, True, False, False, True, False],
    }
)
Y = np.array(["p", "p", "p", "q", "q", "q", "r", "r"])


def test_a_mixed_frame_with_gaps_and_labels_never_seen(model):
    model.fit(MIXED, Y, sample_weight=[1, 2, 1, 1, 0.5, 1, 3, 1])
    new = MIXED.iloc[:3].copy()
    new["label"] = ["never", None, "red"]
    new["category"] = pd.Categorical(["d", "a", None], categories=list("abcd"))
    new["number"] = [np.nan, 100.0, 1.0]
    check_probabilities(model, new, 3)


def test_a_declared_class_without_rows(model):
    y = pd.Categorical(Y, categories=["p", "q", "r", "s"])
    model.fit(MIXED, y)
    assert model.classes_.tolist() == ["p", "q", "r", "s"]
    check_probabilities(model, MIXED, 4)
    assert "s" not in model.predict(MIXED)


def test_one_column(model):
    X = MIXED[["whole"]]
    check_probabilities(model.fit(X, Y), X, 3)


def test_a_constant_column(model):
    X = MIXED[["whole"]].assign(same=2, label="x")
    check_probabilities(model.fit(X, Y), X, 3)


def test_only_constant_columns(model):
    X = pd.DataFrame({"same": [2] * 8, "label": ["x"] * 8})
    check_probabilities(model.fit(X, Y), X, 3)


def test_two_rows(model):
    X = MIXED.iloc[[0, 3]]
    check_probabilities(model.fit(X, ["p", "q"]), X, 2)


def test_five_thousand_columns(model):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (12, 5000)), np.arange(12) % 2
    model.set_params(categorical_features="all")
    if isinstance(model, RegularizedDiscriminantAnalysis):
        model.set_params(alpha=0.5)  # "cv" would factor 110 matrices of this size
    if isinstance(model, BayesianNetworkClassifier):
        model.set_params(max_parents=1)  # with 2, ten thousand steps instead of five
    proba = model.fit(X, y).predict_proba(X[:2])
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_whole_weights_are_repeated_rows(model):
    weight = np.array([1, 2, 0, 1, 3, 1, 1, 2])
    repeated = np.repeat(np.arange(8), weight)
    weighted = clone(model).fit(MIXED, Y, sample_weight=weight).predict_log_proba(MIXED)
    longhand = clone(model).fit(MIXED.iloc[repeated], Y[repeated]).predict_log_proba(MIXED)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-7, atol=1e-7)


def test_statistics_of_parts_add(model):
    declared = pd.Categorical(Y, categories=["p", "q", "r"])
    X = MIXED.assign(label=pd.Categorical(MIXED["label"]))
    model.fit(X, declared)
    expected = model.predict_joint_log_proba(X)
    parts = model.collect(X.iloc[:3], Y[:3]) + model.collect(X.iloc[3:], Y[3:])
    np.testing.assert_allclose(
        model.fit_statistics(parts).predict_joint_log_proba(X), expected, rtol=1e-9, atol=1e-9
    )


def test_the_order_of_the_rows_changes_nothing(model):
    order = np.random.default_rng(1).permutation(8)
    expected = clone(model).fit(MIXED, Y).predict_log_proba(MIXED)
    shuffled = clone(model).fit(MIXED.iloc[order], Y[order]).predict_log_proba(MIXED)
    np.testing.assert_allclose(shuffled, expected, rtol=1e-7, atol=1e-7)
