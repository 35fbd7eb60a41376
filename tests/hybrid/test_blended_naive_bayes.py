"""Between naive Bayes and its discriminative twin."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime

from augury.data import load_dataset
from augury.generative import NaiveBayes
from augury.hybrid import BlendedNaiveBayes
from augury.hybrid.blended_naive_bayes import _Objective


def table(n=150, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    a = np.where(rng.random(n) < 0.6, y, rng.integers(0, 3, n))
    b = np.where(rng.random(n) < 0.9, a, rng.integers(0, 3, n))  # says what a says
    c = rng.integers(0, 4, n)
    X = pd.DataFrame({"a": a, "b": b, "c": c}).astype(str)
    return X, y


def conditional_log_likelihood(model, X, y):
    return model.predict_log_proba(X)[np.arange(len(y)), y].sum()


def joint_log_likelihood(model, X, y):
    return model.model_.predict_joint_log_proba(X)[np.arange(len(y)), y].sum()


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_the_generative_end_is_naive_bayes(alpha):
    X, y = table()
    blended = BlendedNaiveBayes(blend=0.0, alpha=alpha).fit(X, y)
    plain = NaiveBayes(alpha=alpha).fit(X, y)
    np.testing.assert_allclose(
        blended.predict_log_proba(X), plain.predict_log_proba(X), rtol=0, atol=1e-10
    )
    # And naive Bayes is where the search would end.
    training = plain.read_training(X, y)
    objective = _Objective(plain.fit_read(training), training, 0.0, alpha)
    _, gradient = objective.loss_and_gradient(objective.start())
    np.testing.assert_allclose(gradient, 0, atol=1e-9)


@pytest.mark.parametrize("name", ["iris", "vote", "glass", "heart-statlog"])
def test_each_end_is_best_at_what_it_is_for(shared_data, name):
    data = load_dataset(name, data_dir=shared_data / "data" / "uci36")
    X, y = data.X, pd.factorize(data.y, sort=True)[0]
    models = [BlendedNaiveBayes(blend=b).fit(X, y) for b in (0.0, 0.3, 0.7, 1.0)]
    given = [conditional_log_likelihood(model, X, y) for model in models]
    together = [joint_log_likelihood(model, X, y) for model in models]
    assert given == sorted(given)
    assert together == sorted(together, reverse=True)
    assert given[-1] > given[0] + 1


def test_gradient_by_differences():
    X, y = table(40)
    weight = np.random.default_rng(0).random(40) + 0.5
    model = NaiveBayes()
    training = model.read_training(X, y, weight)
    model.fit_read(training)
    objective = _Objective(model, training, 0.6, 1.0)
    eta = objective.start() + np.random.default_rng(1).normal(size=len(objective.start())) / 3
    _, gradient = objective.loss_and_gradient(eta)
    by_differences = approx_fprime(eta, lambda x: objective.loss_and_gradient(x)[0], 1e-6)
    np.testing.assert_allclose(gradient, by_differences, atol=1e-3)


def test_probabilities_stay_probabilities():
    X, y = table()
    model = BlendedNaiveBayes(blend=1.0).fit(X, y)
    np.testing.assert_allclose(np.exp(model.model_.log_prior_).sum(), 1)
    for factors in model.model_.log_factors_:
        np.testing.assert_allclose(np.exp(factors).sum(axis=0), 1)


def test_weights_blocks_gaps_and_classes_without_rows(read_in_blocks_of):
    X, y = table(60)
    X.loc[::7, "a"] = None
    weight = np.random.default_rng(1).integers(0, 3, 60)
    rows = np.repeat(np.arange(60), weight)
    weighted = BlendedNaiveBayes(tol=1e-9).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = BlendedNaiveBayes(tol=1e-9).fit(X.iloc[rows], y[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)
    declared = pd.Categorical.from_codes(y, ["p", "q", "r", "s"])
    model = BlendedNaiveBayes().fit(X, declared)
    proba = model.predict_proba(X.assign(b="never"))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert "s" not in model.predict(X)
    expected = BlendedNaiveBayes(tol=1e-9).fit(X, y).predict_proba(X)
    read_in_blocks_of(50)
    np.testing.assert_allclose(
        BlendedNaiveBayes(tol=1e-9).fit(X, y).predict_proba(X), expected, atol=1e-6
    )


def test_the_blend_is_chosen_by_what_was_not_fitted():
    X, y = table(600)
    chosen = BlendedNaiveBayes(blend="cv").fit(X, y)
    assert chosen.blend_ > 0  # b repeats a, which only the discriminative end can know
    few = BlendedNaiveBayes(blend="cv").fit(X[:15], y[:15])
    assert few.blend_ < 1
    same = BlendedNaiveBayes(blend=chosen.blend_).fit(X, y)
    np.testing.assert_array_equal(same.predict_proba(X), chosen.predict_proba(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"blend": 1.5}, "BlendedNaiveBayes: blend must be a number from 0 to 1, or 'cv', got 1.5"),
        ({"blend": "half"}, "blend must be one of 'cv', got 'half'"),
        ({"alpha": 0}, "alpha must be a number > 0, got 0"),
        ({"max_iter": 0}, "max_iter must be an integer >= 1, got 0"),
        ({"discretizer": None}, "discretizer must not be None"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = table(20)
    with pytest.raises(ValueError, match=message):
        BlendedNaiveBayes(**parameters).fit(X, y)
