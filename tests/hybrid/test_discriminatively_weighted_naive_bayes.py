"""Weights by conditional likelihood."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime, minimize

from augury.generative import CorrelationWeightedNaiveBayes, NaiveBayes
from augury.hybrid import DiscriminativelyWeightedNaiveBayes
from augury.hybrid.discriminatively_weighted_naive_bayes import _Factors, _Rows


def table(n=150, seed=0, n_classes=3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    a = np.where(rng.random(n) < 0.6, y, rng.integers(0, 3, n))
    b = np.where(rng.random(n) < 0.9, a, rng.integers(0, 3, n))  # says what a says
    c = rng.integers(0, 4, n)
    X = pd.DataFrame({"a": a, "b": b, "c": c}).astype(str).astype("category")
    return X, y


def log_shares(X, y, row, alpha):
    """Return log p(x_i | c) of one row, of shape (columns, classes), and log p(c)."""
    classes = range(y.max() + 1)
    factors = [
        [
            np.log(
                ((X[name][y == c] == row[name]).sum() + alpha)
                / ((y == c).sum() + alpha * len(X[name].cat.categories))
            )
            for c in classes
        ]
        for name in X
    ]
    sizes = np.array([(y == c).sum() for c in classes])
    return np.array(factors), np.log((sizes + alpha) / (len(y) + alpha * len(sizes)))


def dense(X, y, alpha, leave_one_out):
    """Return the log shares of all rows, each counted anew."""
    found = []
    for i in range(len(y)):
        rest = np.arange(len(y)) != i if leave_one_out else np.full(len(y), True)
        found.append(log_shares(X[rest], y[rest], X.iloc[i], alpha))
    factors, priors = zip(*found, strict=True)
    return np.array(factors), np.array(priors)


def direct_loss(weights, factors, priors, y, objective):
    joint = priors + np.einsum("njc,j->nc", factors, weights)
    proba = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])
    truth = np.eye(joint.shape[1])[y]
    if objective == "mse":
        return 0.5 * ((truth - proba) ** 2).sum()
    return -np.log(proba[np.arange(len(y)), y]).sum()


# The row must be left out of all counts: the reference counts the other rows anew.
@pytest.mark.parametrize("objective", ["cll", "mse"])
@pytest.mark.parametrize("leave_one_out", [False, True])
@pytest.mark.parametrize("max_weight", [1.0, 3.0])
def test_weights_minimise_the_loss(objective, leave_one_out, max_weight):
    X, y = table(80)
    model = DiscriminativelyWeightedNaiveBayes(
        objective, max_weight, leave_one_out, alpha=1.0, tol=1e-9
    ).fit(X, y)
    factors, priors = dense(X, y, 1.0, leave_one_out)
    found = minimize(
        direct_loss,
        np.full(3, 0.5),
        (factors, priors, y, objective),
        method="SLSQP",
        bounds=[(0, max_weight)] * 3,
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    np.testing.assert_allclose(model.weights_, found.x, atol=2e-5)


@pytest.mark.parametrize("mse", [False, True])
@pytest.mark.parametrize("leave_one_out", [False, True])
def test_gradient_by_differences(mse, leave_one_out):
    X, y = table(60)
    weight = np.random.default_rng(1).uniform(0.2, 3, 60)
    plain = NaiveBayes()
    training = plain.read_training(X, y, weight)
    factors = _Factors(plain.fit_read(training).statistics_.counts, "m-estimate")
    [(read, codes, weights)] = training
    rows = _Rows(factors, read.codes, codes, weights, leave_one_out, keep_prior=False)

    def loss(w):
        return rows.loss_and_gradient(w, factors.weighted(w), mse=mse)

    at = np.array([0.9, 0.3, 1.2])
    by_differences = approx_fprime(at, lambda w: loss(w)[0], 1e-6)
    np.testing.assert_allclose(loss(at)[1], by_differences, rtol=1e-4, atol=1e-4)


def test_a_column_that_repeats_another_has_less_weight_in_all():
    X, y = table(3000)
    model = DiscriminativelyWeightedNaiveBayes().fit(X, y)
    assert 0.8 < model.weights_[:2].sum() < 1.2
    twice = DiscriminativelyWeightedNaiveBayes().fit(X.assign(again=X["a"]), y)
    np.testing.assert_allclose(
        twice.predict_proba(X.assign(again=X["a"])), model.predict_proba(X), atol=1e-3
    )


def test_more_likely_than_any_fixed_weights():
    X, y = table(300)
    rows = np.arange(len(y))
    model = DiscriminativelyWeightedNaiveBayes(leave_one_out=False).fit(X, y)
    fixed = CorrelationWeightedNaiveBayes().fit(X, y)
    ours, theirs = (each.predict_log_proba(X)[rows, y].sum() for each in (model, fixed))
    assert ours > theirs + 1


@pytest.mark.parametrize("leave_one_out", [False, True])
def test_a_whole_weight_equals_repeated_rows(leave_one_out):
    X, y = table(80)
    weight = np.random.default_rng(2).integers(0, 4, 80)
    model = DiscriminativelyWeightedNaiveBayes(leave_one_out=leave_one_out, tol=1e-9)
    weighted = model.fit(X, y, sample_weight=weight).weights_
    repeated = np.repeat(np.arange(80), weight)
    longhand = model.fit(X.iloc[repeated], y[repeated]).weights_
    np.testing.assert_allclose(weighted, longhand, atol=1e-6)


def test_contributions_sum_to_the_log_odds():
    X, y = table()
    labels = np.array(["no", "perhaps", "yes"])[y]
    model = DiscriminativelyWeightedNaiveBayes().fit(X, labels)
    contributions = model.explain(X[:5], positive="yes", negative="no")
    assert list(contributions) == ["prior", "a", "b", "c"]
    log_proba = model.predict_log_proba(X[:5])
    odds = log_proba[:, 2] - log_proba[:, 0]
    np.testing.assert_allclose(contributions.sum(axis=1), odds, atol=1e-12)
    plain = NaiveBayes(alpha=1.0).fit(X, labels).explain(X[:5], positive="yes", negative="no")
    one = DiscriminativelyWeightedNaiveBayes(alpha=1.0).fit(X, labels)
    np.testing.assert_allclose(
        one.explain(X[:5], positive="yes", negative="no")["a"],
        one.weights_[0] * plain["a"],
        rtol=1e-12,
    )


def test_mixed_columns_with_gaps():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    number = np.where(rng.random(200) < 0.1, np.nan, y + rng.normal(size=200))
    label = np.where(rng.random(200) < 0.7, y, 1 - y).astype(str).astype(object)
    label[:10] = None
    X = pd.DataFrame({"number": number, "label": label})
    model = DiscriminativelyWeightedNaiveBayes().fit(X, y)
    assert model.score(X, y) > 0.7
    later = pd.DataFrame({"number": [0.1, np.nan], "label": ["unseen", None]})
    np.testing.assert_allclose(model.predict_proba(later).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"objective": "accuracy"}, "objective must be one of 'cll', 'mse', got 'accuracy'"),
        ({"max_weight": 0.5}, "max_weight must be a number >= 1, got 0.5"),
        ({"alpha": "laplace"}, "alpha must be 'm-estimate' or a number >= 0, got 'laplace'"),
        ({"tol": 0.0}, "tol must be a number > 0, got 0.0"),
        ({"discretizer": None}, "discretizer must not be None"),
    ],
)
def test_errors(parameters, message):
    with pytest.raises(ValueError, match=f"DiscriminativelyWeightedNaiveBayes: {message}"):
        DiscriminativelyWeightedNaiveBayes(**parameters).fit([["a"], ["b"]], [0, 1])
