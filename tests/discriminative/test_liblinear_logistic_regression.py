"""Logistic regression of one class against the rest: probabilities, LIBLINEAR's accuracies."""

import csv

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from augury.data import load_dataset
from augury.discriminative.liblinear_logistic_regression import LiblinearLogisticRegression
from augury.encode import TableEncoder
from augury.evaluate import WekaFolds, cross_validate, summarize


def mixed(n=150, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    size, label = rng.normal(size=n), rng.choice(["red", "green", "blue"], n)
    lean = size + (label == "red") + rng.normal(size=n)
    y = np.digitize(lean, np.quantile(lean, np.arange(1, n_classes) / n_classes))
    return pd.DataFrame({"size": size, "label": label, "dull": rng.normal(size=n)}), y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_published_form_is_scikit_learn_s_on_codes(n_classes):
    X, y = mixed(n_classes=n_classes)
    model = LiblinearLogisticRegression.as_published().fit(X, y)
    codes = TableEncoder().fit(X, y).transform(X).codes.astype(float)
    plain = LogisticRegression(
        solver="liblinear", dual=True, tol=1e-10, max_iter=100_000, random_state=0
    )
    other = (OneVsRestClassifier(plain) if n_classes > 2 else plain).fit(codes, y)
    np.testing.assert_array_equal(model.predict(X), other.predict(codes))
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(codes), atol=1e-12)
    logs = model.predict_log_proba(X)
    np.testing.assert_allclose(np.exp(logs), model.predict_proba(X), atol=1e-12)


def test_both_problems_have_the_same_optimum():
    X, y = mixed()
    primal = LiblinearLogisticRegression().fit(X, y)
    dual = LiblinearLogisticRegression(dual=True, random_state=0, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(primal.coef_, dual.coef_, atol=1e-6)
    np.testing.assert_allclose(primal.intercept_, dual.intercept_, atol=1e-6)


def test_a_class_without_rows_has_no_probability():
    X, y = mixed(n_classes=2)
    plain = LiblinearLogisticRegression().fit(X, y)
    declared = pd.Categorical.from_codes(y * 2, categories=["a", "b", "c"])
    model = LiblinearLogisticRegression().fit(X, declared)
    proba = model.predict_proba(X)
    assert not proba[:, 1].any()
    np.testing.assert_allclose(proba[:, [0, 2]], plain.predict_proba(X))
    with_three = pd.Categorical.from_codes(np.arange(len(y)) % 3, categories=list("abcd"))
    proba = LiblinearLogisticRegression().fit(X, with_three).predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert not proba[:, 3].any()
    one = pd.Categorical(["b"] * len(X), categories=["a", "b"])
    assert LiblinearLogisticRegression().fit(X, one).predict_proba(X)[0].tolist() == [0.0, 1.0]


def test_rows_far_away_have_probabilities():
    X, y = mixed()
    model = LiblinearLogisticRegression().fit(X, y)
    far = pd.DataFrame({"size": [1e300, -1e300], "label": ["red", "pink"], "dull": [0.0, np.nan]})
    np.testing.assert_allclose(model.predict_proba(far).sum(axis=1), 1.0)


@pytest.mark.parametrize("unit", [1e-9, 1e9, 1e100])
def test_the_optimum_is_found_whatever_the_unit(unit):
    """The second derivatives took more digits than there are: SciPy warned, or gave up."""
    X, y = mixed(n_classes=2)
    X = X[["size", "dull"]].assign(size=X["size"] * unit, twice=X["dull"])
    model = LiblinearLogisticRegression(encoding="ordinal", scaling=None, discretizer=None)
    model.fit(X, y)
    terms = np.column_stack([X, np.ones(len(X))])
    beta = np.append(model.coef_[1], model.intercept_[1])
    slope = beta + terms.T @ (model.predict_proba(X)[:, 1] - y)
    np.testing.assert_allclose(slope / np.linalg.norm(terms, axis=0), 0.0, atol=1e-6)


@pytest.mark.parametrize("name", ["balance-scale", "heart-h", "iris", "labor"])
def test_accuracies_are_liblinear_s(name, shared_data):
    with (shared_data / "golden" / "liblinear-accuracy.csv").open(newline="") as lines:
        (golden,) = (row for row in csv.DictReader(lines) if row["dataset"] == name)
    models = {"LR": LiblinearLogisticRegression.as_published()}
    dataset = load_dataset(name, shared_data)
    [ours] = summarize(cross_validate([dataset], models, WekaFolds(), protocol="published"))
    # The solver visits rows at random: 0.05 is its noise.
    assert ours.accuracy_mean == pytest.approx(float(golden["LR integer codes"]), abs=0.05)


def test_a_tolerance_beyond_double_precision_ends_in_peace(shared_data):
    dataset = load_dataset("credit-a", shared_data)
    model = LiblinearLogisticRegression.as_published().set_params(tol=1e-15)
    assert model.fit(dataset.X, dataset.y).n_iter_ < 50
