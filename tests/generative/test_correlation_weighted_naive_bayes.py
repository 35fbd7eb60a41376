"""Weights by relevance and redundancy."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import mutual_info_score

from augury.generative import CorrelationWeightedNaiveBayes, NaiveBayes


def table(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = np.where(rng.random(n) < 0.6, y, rng.integers(0, 3, n))
    b = np.where(rng.random(n) < 0.8, a, rng.integers(0, 3, n))
    c = rng.integers(0, 4, n)
    return pd.DataFrame({"a": a, "b": b, "c": c}).astype(str).astype("category"), y


def test_weights_by_scikit_learn_s_mutual_information():
    X, y = table()
    columns = [X[name].cat.codes for name in X]
    relevance = np.array([mutual_info_score(column, y) for column in columns])
    redundancy = np.array(
        [
            np.mean([mutual_info_score(columns[i], columns[j]) for j in range(3) if j != i])
            for i in range(3)
        ]
    )
    difference = relevance / relevance.mean() - redundancy / redundancy.mean()
    model = CorrelationWeightedNaiveBayes().fit(X, y)
    np.testing.assert_allclose(model.relevance_, relevance / relevance.mean(), rtol=1e-12)
    np.testing.assert_allclose(model.weights_, 1 / (1 + np.exp(-difference)), rtol=1e-12)


@pytest.mark.parametrize("alpha", [1.0, 0.5, "m-estimate"])
def test_probabilities_are_powers_of_smoothed_shares(alpha):
    X, y = table()
    model = CorrelationWeightedNaiveBayes(alpha=alpha).fit(X, y)
    row, expected = X.iloc[[7]], np.zeros(3)
    for c in range(3):
        of_class = X[y == c]
        added = 1 / 3 if alpha == "m-estimate" else alpha
        expected[c] = np.log((len(of_class) + added) / (len(X) + 3 * added))
        for name, weight in zip(X, model.weights_, strict=True):
            n_states = len(X[name].cat.categories)
            added = 1 / n_states if alpha == "m-estimate" else alpha
            count = (of_class[name] == row[name].iloc[0]).sum()
            share = (count + added) / (len(of_class) + n_states * added)
            expected[c] += weight * np.log(share)
    np.testing.assert_allclose(model.predict_joint_log_proba(row)[0], expected, rtol=1e-12)


def test_contributions_are_weighted_log_ratios():
    X, y = table()
    model = CorrelationWeightedNaiveBayes(alpha=1.0).fit(X, y)
    plain = NaiveBayes().fit(X, y)
    ours = model.explain(X[:5], positive=2, negative=0)
    theirs = plain.explain(X[:5], positive=2, negative=0)
    weights = np.concatenate([[1.0], model.weights_])
    np.testing.assert_allclose(ours, theirs * weights, rtol=1e-12)
    log_proba = model.predict_log_proba(X[:5])
    np.testing.assert_allclose(ours.sum(axis=1), log_proba[:, 2] - log_proba[:, 0], atol=1e-12)


def test_partial_fit_changes_the_weights():
    X, y = table()
    whole = CorrelationWeightedNaiveBayes().fit(X, y)
    parts = CorrelationWeightedNaiveBayes().partial_fit(X[:50], y[:50], classes=[0, 1, 2])
    assert np.abs(parts.weights_ - whole.weights_).max() > 0.01
    parts.partial_fit(X[50:], y[50:])
    np.testing.assert_allclose(parts.weights_, whole.weights_, rtol=1e-12)
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), rtol=1e-12)


def test_columns_without_information_have_the_weight_one_half():
    # The mean of relevance and of redundancy is 0.
    X = [["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]] * 2
    model = CorrelationWeightedNaiveBayes().fit(X, [0] * 4 + [1] * 4)
    np.testing.assert_allclose(model.weights_, 0.5)
    # One column has no other column.
    model.fit([["a"], ["b"]], [0, 1])
    np.testing.assert_allclose(model.weights_, 0.5)


def test_an_unseen_label_has_no_factor():
    X, y = table()
    model = CorrelationWeightedNaiveBayes().fit(X.astype(str), y)
    row = pd.DataFrame({"a": ["?"], "b": ["?"], "c": ["?"]})
    np.testing.assert_allclose(model.predict_joint_log_proba(row)[0], model.log_prior_)


def test_priors():
    X, y = table()
    model = CorrelationWeightedNaiveBayes(priors=[0.2, 0.3, 0.5]).fit(X, y)
    np.testing.assert_allclose(np.exp(model.log_prior_), [0.2, 0.3, 0.5])


def test_the_error_of_alpha():
    message = "CorrelationWeightedNaiveBayes: alpha must be 'm-estimate' or a number >= 0, got -1.0"
    with pytest.raises(ValueError, match=message):
        CorrelationWeightedNaiveBayes(alpha=-1.0).fit([["a"], ["b"]], [0, 1])
