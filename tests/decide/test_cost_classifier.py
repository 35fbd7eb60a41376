"""Decisions of least expected cost equal their definition, and cost less than other decisions."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from augury import CostClassifier, LogisticRegression, NaiveBayes
from augury.decide.cost_matrix import cost_matrix, least_cost
from augury.persist import load_model, save_model
from augury.predict_once import predict_once

X, CODES = make_classification(300, 5, n_informative=4, n_redundant=0, n_classes=3, random_state=0)
Y = np.array(["low", "middle", "top"])[CODES]
COSTS = {
    "low": {"middle": 2, "top": 20},
    "middle": {"low": 1, "top": 5},
    "top": {"low": 3, "middle": 1, "top": -2},
}
MATRIX = np.array([[0.0, 2.0, 20.0], [1.0, 0.0, 5.0], [3.0, 1.0, -2.0]])


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda p: sum(p) > 0.1))
def test_the_decision_has_the_least_expected_cost(p: list[float]) -> None:
    shares = np.array(p) / sum(p)
    [decided] = least_cost(shares[np.newaxis], MATRIX)
    expected = [sum(MATRIX[j, c] * shares[c] for c in range(3)) for j in range(3)]
    assert expected[decided] == pytest.approx(min(expected), abs=1e-12)


@pytest.mark.parametrize(("false_alarm", "miss"), list(product([1, 3], [1, 4])))
def test_two_classes_have_elkans_threshold(false_alarm: float, miss: float) -> None:
    p = np.linspace(0, 1, 1001)
    decided = least_cost(np.column_stack([1 - p, p]), np.array([[0.0, miss], [false_alarm, 0.0]]))
    threshold = false_alarm / (false_alarm + miss)
    clear = abs(p - threshold) > 1e-9
    np.testing.assert_array_equal(decided[clear], (p > threshold)[clear])


def test_costs_as_a_dict_and_as_an_array() -> None:
    classes = ["low", "middle", "top"]
    np.testing.assert_array_equal(cost_matrix("Model", COSTS, classes), MATRIX)
    np.testing.assert_array_equal(cost_matrix("Model", MATRIX.tolist(), classes), MATRIX)
    np.testing.assert_array_equal(cost_matrix("Model", None, classes), 1 - np.eye(3))
    by_text = {"0": {"1": 2}, "1": {"0": 3}}
    np.testing.assert_array_equal(cost_matrix("Model", by_text, [0, 1]), [[0, 2], [3, 0]])


@pytest.mark.parametrize("inner", [NaiveBayes(), GaussianNB(), LogisticRegression()])
def test_probabilities_stay_and_decisions_follow_from_them(inner: Any) -> None:
    model = CostClassifier(inner, COSTS).fit(X, Y)
    plain = inner.fit(X, Y)
    p = plain.predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), p)
    np.testing.assert_array_equal(model.predict(X), model.classes_[(p @ MATRIX.T).argmin(axis=1)])
    np.testing.assert_allclose(model.expected_cost(X), (p @ MATRIX.T).min(axis=1))
    true = np.searchsorted(model.classes_, Y)
    decided = np.searchsorted(model.classes_, model.predict(X))
    assert model.mean_cost(X, Y) == pytest.approx(MATRIX[decided, true].mean())
    usual = np.searchsorted(model.classes_, plain.predict(X))
    assert model.mean_cost(X, Y) < MATRIX[usual, true].mean()
    found = predict_once(make_pipeline(model), X)
    np.testing.assert_array_equal(found.predicted, model.predict(X))


def test_without_costs_the_most_probable_class_is_predicted() -> None:
    np.testing.assert_array_equal(
        CostClassifier(NaiveBayes()).fit(X, Y).predict(X), NaiveBayes().fit(X, Y).predict(X)
    )


def test_the_cost_of_new_rows_is_estimated() -> None:
    model = CostClassifier(NaiveBayes(), COSTS, estimate=True).fit(X[:200], Y[:200])
    assert model.mean_cost_ == pytest.approx(model.mean_cost(X[200:], Y[200:]), abs=0.5)
    shares = np.bincount(CODES[:200]) / 200
    assert model.constant_cost_ == pytest.approx((MATRIX @ shares).min())
    assert model.mean_cost_ < model.constant_cost_
    assert CostClassifier().fit(X, Y).mean_cost_ is None


def test_rows_have_weights() -> None:
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    weighted = CostClassifier(NaiveBayes(), COSTS, estimate=True).fit(X, Y, weight)
    repeated = CostClassifier(NaiveBayes(), COSTS, estimate=True).fit(
        np.repeat(X, weight, axis=0), np.repeat(Y, weight)
    )
    assert weighted.mean_cost_ == pytest.approx(repeated.mean_cost_)
    assert weighted.constant_cost_ == pytest.approx(repeated.constant_cost_)
    with pytest.raises(
        ValueError, match=r"^CostClassifier: sample_weight must be None, since KNei"
    ):
        CostClassifier(KNeighborsClassifier()).fit(X, Y, weight)


def test_a_classifier_without_weights_has_held_out_rows() -> None:
    model = CostClassifier(KNeighborsClassifier(), COSTS, estimate=True).fit(X, Y)
    assert model.mean_cost_ < model.constant_cost_


def test_explanations_are_those_of_the_classifier() -> None:
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = CostClassifier(NaiveBayes(), COSTS).fit(frame, Y)
    pd.testing.assert_frame_equal(
        model.explain(frame[:5]), NaiveBayes().fit(frame, Y).explain(frame[:5])
    )


@pytest.mark.parametrize("labels", [["a", "b"], [0, 1], [False, True]], ids=["str", "int", "bool"])
@pytest.mark.parametrize("as_array", [False, True])
def test_saved_and_loaded(labels: list[Any], as_array: bool, tmp_path: Path) -> None:
    y = np.array(labels)[(CODES == 2).astype(int)]
    costs: Any = {labels[0]: {labels[1]: 10}, y[CODES == 2][0]: {labels[0]: 1}}
    if as_array:
        costs = np.array([[0.0, 10.0], [1.0, 0.0]])
    model = CostClassifier(NaiveBayes(), costs, estimate=True).fit(X, y)
    save_model(model, tmp_path / "m.augury", X=X)
    loaded = load_model(tmp_path / "m.augury").model
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.expected_cost(X), model.expected_cost(X))
    assert type(loaded.costs) is type(costs)
    assert loaded.mean_cost_ == model.mean_cost_


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1], [1, 0]], r"^CostClassifier: costs must be .* each pair of the 3 classes, got "),
        ("high", r"^CostClassifier: costs must be an array, predicted × true classes, or a dict"),
        ({"low": 3}, r"got 3 in it$"),
        ({"lo": {"top": 1}}, r"must be of the classes \['low', 'middle', 'top'\], got 'lo'$"),
        ({"low": {"top": "x"}}, r"got 'x' for predicted 'low', true 'top'$"),
        ({"low": {"top": 1}}, r"got none for predicted 'low', true 'middle'$"),
    ],
)
def test_bad_costs_are_refused(costs: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CostClassifier(costs=costs).fit(X, Y)


def test_a_classifier_without_probabilities_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"^CostClassifier: estimator must be a classifier with pre"
    ):
        CostClassifier("nb").fit(X, Y)
