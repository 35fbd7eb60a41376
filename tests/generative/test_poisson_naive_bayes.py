import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.special import gammaln
from scipy.stats import poisson

from augury.generative.poisson_naive_bayes import PoissonNaiveBayes


def test_rates_by_hand():
    X, y = np.array([[1], [3], [7], [9]]), ["quiet", "quiet", "loud", "loud"]
    np.testing.assert_allclose(PoissonNaiveBayes(alpha=0).fit(X, y).rate_, [[8, 2]])
    # μ = (20 + 1) / (4 + 1); λ = (S + 1) / (2 + 1/μ)
    overall = 21 / 5
    expected = [[17 / (2 + 1 / overall), 5 / (2 + 1 / overall)]]
    np.testing.assert_allclose(PoissonNaiveBayes().fit(X, y).rate_, expected)


def test_joint_equals_scipys_pmf():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(3 * rng.random(20), (100, 20)), rng.integers(0, 3, 100)
    for alpha in (0.01, 1.0, 5.0):
        for matrix in (X, csr_array(X), pd.DataFrame(X)):
            model = PoissonNaiveBayes(alpha=alpha).fit(matrix, y)
            joint = np.column_stack(
                [
                    np.log(np.mean(y == c)) + poisson.logpmf(X, model.rate_[:, c]).sum(axis=1)
                    for c in range(3)
                ]
            )
            np.testing.assert_allclose(model.predict_joint_log_proba(matrix), joint, rtol=1e-12)


def test_large_and_broken_counts():
    X = np.array([[0.0, 255.0], [256.0, 1e6], [0.5, 2.5], [np.nan, 254.5]])
    model = PoissonNaiveBayes(alpha=0, missing="ignore").fit(X, [0, 1, 0, 1])
    log_pmf = X[:, :, None] * np.log(model.rate_) - model.rate_ - gammaln(X + 1)[:, :, None]
    expected = np.log(0.5) + np.nansum(log_pmf, axis=1)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), expected, rtol=1e-12)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(csr_array(X[:3])), expected[:3], rtol=1e-12
    )


def test_terms_equal_scipys_pmf():
    rng = np.random.default_rng(1)
    X, y = rng.poisson(1.5, (50, 4)), rng.integers(0, 2, 50)
    model = PoissonNaiveBayes().fit(X, y)
    explained = model.explain(X)
    for j in range(4):
        odds = poisson.logpmf(X[:, j], model.rate_[j, 1]) - poisson.logpmf(
            X[:, j], model.rate_[j, 0]
        )
        np.testing.assert_allclose(explained[f"x{j}"], odds, atol=1e-12)
    log_proba = model.predict_log_proba(X)
    np.testing.assert_allclose(explained.sum(axis=1), log_proba[:, 1] - log_proba[:, 0])


def test_without_smoothing_a_rate_of_zero_is_floored():
    model = PoissonNaiveBayes(alpha=0).fit([[0, 2, 0], [1, 0, 0]], ["a", "b"])
    np.testing.assert_array_equal(model.rate_, [[0, 1], [2, 0], [0, 0]])
    assert model.predict([[1, 0, 1]]).tolist() == ["b"]
    assert np.isfinite(model.predict_proba([[1, 1, 1]])).all()


def test_a_missing_number_is_left_out():
    X = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0], [7.0, 8.0]])
    y = [0, 0, 1, 1]
    model = PoissonNaiveBayes(alpha=0, missing="ignore").fit(X, y)
    np.testing.assert_allclose(model.rate_, [[2, 6], [2, 7]])
    for row in ([4.0, np.nan], [np.nan, 3.0], [np.nan, np.nan], [2.0, 3.0]):
        expected = [
            np.log(0.5) + np.nansum(poisson.logpmf(row, model.rate_[:, c])) for c in range(2)
        ]
        np.testing.assert_allclose(model.predict_joint_log_proba([row])[0], expected)


def test_a_column_that_is_always_missing_says_nothing():
    X = pd.DataFrame({"a": [1.0, 2.0, 5.0, 6.0], "b": [np.nan] * 4})
    y = [0, 0, 1, 1]
    for alpha in (0.0, 1.0):
        for missing in ("ignore", "state"):
            model = PoissonNaiveBayes(alpha=alpha, missing=missing).fit(X, y)
            without = PoissonNaiveBayes(alpha=alpha).fit(X[["a"]], y)
            np.testing.assert_allclose(model.predict_proba(X), without.predict_proba(X[["a"]]))


def test_a_class_without_rows_has_the_rates_of_all():
    y = pd.Categorical([0, 0, 1], categories=[0, 1, 2])
    for alpha in (0.0, 1.0):
        model = PoissonNaiveBayes(alpha=alpha).fit([[1], [2], [6]], y)
        np.testing.assert_allclose(model.rate_[0, 2], (9 + alpha) / (3 + alpha))
        assert model.predict_proba([[3]])[0, 2] < 1e-300


def test_counts_whose_factorials_are_no_numbers_are_refused():
    model = PoissonNaiveBayes().fit([[1, 0], [0, 3]], [0, 1])
    with pytest.raises(ValueError, match=r"column 'x1' must be counts <= 1e\+300, got 1e\+306"):
        model.predict_proba([[1.0, 1e306]])
