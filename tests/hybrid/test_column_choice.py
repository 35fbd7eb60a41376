"""Which columns leave the generative model, by rules that can be checked otherwise."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2, chi2_contingency, jarque_bera
from sklearn.metrics import mutual_info_score

from augury.hybrid import BiasVarianceSplit, IndependenceSplit, InformationSplit, NormalitySplit
from augury.hybrid.information_split import dependent_columns
from augury.hybrid.normality_split import normality_p_value


def labels(n=200, d=5, seed=0):
    """Columns of which some are noisy copies of others, within classes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = rng.integers(0, 3, (n, d))
    for j in range(1, d):
        copied = rng.random(n) < rng.choice([0.0, 0.3, 0.7])
        X[copied, j] = X[copied, rng.integers(0, j)]
    return pd.DataFrame(X).astype(str).add_prefix("c"), y


def information_by_scikit_learn(X, y):
    """I(A_i; A_j | C) in bits: the mean over classes of what scikit-learn finds within them."""
    d = X.shape[1]
    bits = np.zeros((d, d))
    for c in np.unique(y):
        part = X[y == c]
        for i, j in itertools.permutations(range(d), 2):
            own = mutual_info_score(part.iloc[:, i], part.iloc[:, j]) / np.log(2)
            bits[i, j] += own * len(part) / len(X)
    return bits


def move_by_the_words(information, threshold):
    """The seed's words, literally: sets of columns and a largest pair, again and again."""
    stay, moved = set(range(len(information))), []
    while len(stay) >= 2:
        pairs = [(information[i, j], -i, -j) for i, j in itertools.combinations(sorted(stay), 2)]
        bits, i, j = max(pairs)
        if bits <= threshold:
            break
        i, j = -i, -j
        rest = stay - {i, j}
        of_i = max((information[i, k] for k in rest), default=0.0)
        of_j = max((information[j, k] for k in rest), default=0.0)
        moved.append(i if of_i >= of_j else j)
        stay.remove(moved[-1])
    return sorted(moved)


@pytest.mark.parametrize("seed", range(6))
def test_information_split_is_what_the_words_say(seed):
    X, y = labels(seed=seed)
    model = InformationSplit().fit(X, y)
    bits = information_by_scikit_learn(X, y)
    np.testing.assert_allclose(model.information_, bits, atol=1e-12)
    moved = move_by_the_words(bits, 0.05)
    assert model.discriminative_columns_ == [X.columns[j] for j in moved]
    stay = [j for j in range(X.shape[1]) if j not in moved]
    assert bits[np.ix_(stay, stay)].max(initial=0) <= 0.05


def test_some_columns_move_and_some_stay():
    moved = [len(InformationSplit().fit(*labels(seed=s)).discriminative_columns_) for s in range(6)]
    assert 0 < sum(moved) < 6 * 5


@pytest.mark.parametrize(("threshold", "n_moved"), [(0.0, 2), (0.35, 1), (0.5, 0)])
def test_threshold(threshold, n_moved):
    information = np.array([[0, 0.4, 0.1], [0.4, 0, 0.3], [0.1, 0.3, 0]])
    assert dependent_columns(information, threshold).sum() == n_moved


def test_bias_against_variance():
    X, y = labels(400, seed=3)
    bits = information_by_scikit_learn(X, y)
    few = BiasVarianceSplit(rows_per_coefficient=1e9).fit(X, y)  # variance 1: all stay
    many = BiasVarianceSplit(rows_per_coefficient=1e-3).fit(X, y)  # variance 0: one stays
    assert few.discriminative_columns_ == []
    np.testing.assert_allclose(few.bias_, bits.sum(axis=1) / (X.shape[1] - 1), atol=1e-11)
    assert len(many.generative_columns_) == 1
    model = BiasVarianceSplit(rows_per_coefficient=70).fit(X, y)
    np.testing.assert_allclose(model.variance_, np.exp(-400 / (70 * 2 * 1)))
    moved = [j for j, c in enumerate(X.columns) if c in model.discriminative_columns_]
    assert moved == np.flatnonzero(model.bias_ > model.variance_).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_independence_p_values_are_scipy_s(seed):
    X, y = labels(seed=seed)
    model = IndependenceSplit().fit(X, y)
    for i, j in itertools.combinations(range(X.shape[1]), 2):
        tests = [
            chi2_contingency(
                pd.crosstab(X.iloc[y == c, i], X.iloc[y == c, j]),
                correction=False,
                lambda_="log-likelihood",
            )
            for c in (0, 1)
        ]
        expected = chi2.sf(sum(t.statistic for t in tests), sum(t.dof for t in tests))
        assert model.p_values_[i, j] == pytest.approx(expected, rel=1e-6)
    stay = [j for j, c in enumerate(X.columns) if c in model.generative_columns_]
    kept = model.p_values_[np.ix_(stay, stay)][~np.eye(len(stay), dtype=bool)]
    assert (kept * 10 >= 0.05).all()
    assert (model.p_values_ * 10 < 0.05).any() == bool(model.discriminative_columns_)


def test_normality_p_value_is_scipy_s():
    rng = np.random.default_rng(0)
    for values in (rng.normal(size=40), rng.exponential(size=30), 1e200 * rng.random(25)):
        expected = jarque_bera(values / np.abs(values).max()).pvalue
        assert normality_p_value(values, np.ones(len(values))) == pytest.approx(expected)
    weight = rng.integers(1, 4, 25).astype(float)
    repeated = jarque_bera(np.repeat(values / 1e200, weight.astype(int))).pvalue
    assert normality_p_value(values, weight) == pytest.approx(repeated)


def test_normality_of_what_has_no_shape():
    assert normality_p_value(np.array([1.0, 5.0]), np.ones(2)) == 1.0
    assert normality_p_value(np.full(9, 0.1), np.ones(9)) == 0.0
    assert normality_p_value(np.array([np.nan] * 9), np.ones(9)) == 1.0


def test_normal_columns_are_in_the_discriminant_analysis():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 100)
    X = pd.DataFrame(
        {
            "bell": rng.normal(size=200) + y,
            "skew": rng.exponential(size=200) + y,
            "half": np.where(y == 1, rng.exponential(size=200), rng.normal(size=200)),
            "label": rng.choice(["a", "b"], 200),
        }
    )
    model = NormalitySplit().fit(X, y)
    assert model.generative_columns_ == ["bell"]
    assert model.discriminative_columns_ == ["skew", "half", "label"]
    assert model.p_values_[3] == 0
    assert NormalitySplit(level=0.0).fit(X, y).discriminative_columns_ == ["label"]
