"""Shapley values against all permutations, and left-out columns against models without them."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

from augury.bases.partial_scores import additive_terms, take_array, take_frame
from augury.bases.shapley import attribute_by_shapley
from augury.discriminative import C45Tree, KNearestNeighbors, LiblinearLogisticRegression
from augury.ensemble import BoostedNaiveBayes
from augury.generative import HiddenNaiveBayes, MultinomialNaiveBayes, QuadraticDiscriminantAnalysis


def random_game(n_columns: int, n_rows: int, n_classes: int = 3):
    """Return scores of all subsets as a function, and those of the whole set."""
    scores = np.random.default_rng(0).normal(size=(2**n_columns, n_rows, n_classes))
    bits = 2 ** np.arange(n_columns)

    def partial(rows, known):
        return scores[known @ bits, rows]

    return partial, scores[-1]


def test_equal_to_the_mean_over_all_permutations():
    n_columns, n_rows = 5, 3
    partial, full = random_game(n_columns, n_rows)
    weights = np.tile([1.0, -1.0, 0.0], (n_rows, 1))
    found = attribute_by_shapley(partial, full, weights, n_columns, np.arange(n_columns), None)

    def value(row, columns):
        mask = np.isin(np.arange(n_columns), list(columns))
        scores = partial(np.array([row]), mask[None])[0]
        return scores[0] - scores[1]

    for row in range(n_rows):
        expected = np.zeros(n_columns)
        orders = list(permutations(range(n_columns)))
        for order in orders:
            for k, j in enumerate(order):
                expected[j] += value(row, order[: k + 1]) - value(row, order[:k])
        np.testing.assert_allclose(found.contributions[row], expected / len(orders), atol=1e-12)
        assert found.prior[row] == pytest.approx(value(row, ()))
    assert found.method == "shapley"


def test_sampled_values_are_within_their_errors():
    n_columns, n_rows = 11, 40
    partial, full = random_game(n_columns, n_rows)
    weights = np.tile([1.0, -1.0, 0.0], (n_rows, 1))
    players = np.arange(n_columns)
    exact = attribute_by_shapley(partial, full, weights, n_columns, players, 1000)
    sampled = attribute_by_shapley(partial, full, weights, n_columns, players, 64)
    assert (exact.method, sampled.method) == ("shapley", "sampled")
    odds = full[:, 0] - full[:, 1]
    for found in (exact, sampled):
        np.testing.assert_allclose(found.prior + found.contributions.sum(axis=1), odds, atol=1e-12)
    ratio = (sampled.contributions - exact.contributions) / np.sqrt(sampled.variance)
    # 440 ratios, about those of a t distribution with 31 degrees of freedom.
    assert 0.8 < np.sqrt(np.mean(ratio**2)) < 1.25
    assert (np.abs(ratio) < 2).mean() > 0.9
    again = attribute_by_shapley(partial, full, weights, n_columns, players, 64)
    np.testing.assert_array_equal(again.contributions, sampled.contributions)


def test_columns_that_are_no_players_have_no_value():
    partial, full = random_game(4, 2)
    weights = np.tile([1.0, -1.0, 0.0], (2, 1))
    seen = lambda rows, known: partial(rows, known | np.array([True, False, True, False]))  # noqa: E731
    found = attribute_by_shapley(seen, full, weights, 4, np.array([1, 3]), None)
    assert (found.contributions[:, [0, 2]] == 0).all()
    np.testing.assert_allclose(
        found.prior + found.contributions.sum(axis=1), full[:, 0] - full[:, 1]
    )


def test_terms_of_a_sum():
    random = np.random.default_rng(0)
    terms = random.normal(size=(4, 3, 2))
    terms[:, 0, 1] = -np.inf

    def partial(rows, known):
        return terms[rows, 0] + np.einsum("kj,kjc->kc", known, terms[rows, 1:])

    found = additive_terms(partial, 4, 2)
    np.testing.assert_allclose(found[:, :, 0], terms[:, :, 0])
    assert np.isneginf(found[:, 0, 1]).all()
    assert (found[:, 1:, 1] == 0).all()


def test_missing_values_of_every_type():
    X = pd.DataFrame(
        {
            "float": [1.0, 2.0],
            "int": [1, 2],
            "bool": [True, False],
            "text": ["a", "b"],
            "label": pd.Categorical(["a", "b"]),
            "whole": pd.array([1, 2], dtype="Int64"),
            "truth": pd.array([True, False], dtype="boolean"),
            "day": pd.to_datetime(["2024-01-01", "2024-01-02"]),
        }
    )
    known = np.zeros((3, X.shape[1]), dtype=bool)
    known[0] = True
    taken = take_frame(X, np.array([1, 1, 0]), known)
    assert taken.iloc[1:].isna().all(axis=None)
    assert taken.iloc[0].tolist() == X.iloc[1].tolist()
    for name in ("float", "label", "whole", "truth", "day"):
        assert taken[name].dtype == X[name].dtype
    labels = take_array(np.array([["a", "b"]]), np.array([0]), np.array([[False, True]]))
    assert labels.tolist() == [[None, "b"]]


# ---- left out in the model's own way ------------------------------------------------------


def test_the_marginals_of_normal_classes_are_normal():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4)) @ random.normal(size=(4, 4))
    y = random.integers(0, 2, 60)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    score = model._partial_scores(X[:5])
    for columns in ([0, 2], [3], [0, 1, 2, 3]):
        known = np.tile(np.isin(np.arange(4), columns), (5, 1))
        found = score(np.arange(5), known)
        for k in (0, 1):
            rows = X[y == k]
            expected = multivariate_normal(
                rows.mean(axis=0)[columns],
                np.cov(rows.T, bias=True)[np.ix_(columns, columns)],
            ).logpdf(X[:5][:, columns])
            np.testing.assert_allclose(found[:, k], expected + np.log((y == k).mean()))
    np.testing.assert_allclose(
        score(np.arange(1), np.zeros((1, 4), dtype=bool))[0], np.log(np.bincount(y) / 60)
    )


@pytest.mark.parametrize("missing", ["ignore", "state"])
def test_neighbors_are_found_without_the_columns(missing):
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": random.normal(size=50),
            "b": random.choice(["u", "v", "w"], 50),
            "c": random.normal(size=50),
        }
    )
    X.loc[::6, "c"] = np.nan
    y = random.integers(0, 3, 50)
    model = KNearestNeighbors(missing=missing).fit(X, y)
    score = model._partial_scores(X)
    for columns in (["a"], ["b"], ["a", "b"], ["a", "c"], ["b", "c"]):
        known = np.tile(X.columns.isin(columns), (50, 1))
        other = KNearestNeighbors(missing=missing).fit(X[columns], y)
        found = np.exp(score(np.arange(50), known))
        expected = other.predict_proba(X[columns])
        np.testing.assert_allclose(found / found.sum(axis=1, keepdims=True), expected)


def test_a_tree_by_hand():
    """Two tests of 8 rows each way; without a value a row follows both branches."""
    X = pd.DataFrame({"a": list("xxxxyyyy") * 4, "b": list("uuvvuuvv") * 4})
    y = np.where((X["a"] == "x") & (X["b"] == "u"), 1, 0)
    y[:4] = [0, 1, 1, 0]  # leaf (x, u) has 7 of 8 rows of class 1; leaf (x, v) 1 of 8
    tree = C45Tree(prune=False, collapse=False).fit(X, y)
    assert tree.to_text().splitlines()[0] == "a = x"
    log_odds = lambda p: np.log(p / (1 - p))  # noqa: E731
    floor = np.log(np.finfo(float).tiny)
    both, only_a, only_b, none = map(log_odds, (7 / 8, 1 / 2, 7 / 16, 1 / 4))
    explained = tree.explain(X.iloc[:1])
    assert explained["prior"][0] == pytest.approx(none)
    assert explained["a"][0] == pytest.approx(((only_a - none) + (both - only_b)) / 2)
    assert explained["b"][0] == pytest.approx(((only_b - none) + (both - only_a)) / 2)
    certain = tree.explain(X.iloc[4:5])  # a = y: no row of class 1
    assert certain.sum(axis=1).iloc[0] == pytest.approx(floor)
    assert tree.explain_path(X.iloc[:1]) == [["a = x", "b = u"]]


def test_hidden_naive_bayes_by_hand():
    """Two coins agree: neither tells anything alone, and both share what they tell together."""
    X = pd.DataFrame([["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 5, columns=["one", "two"])
    y = ["same", "same", "other", "other"] * 5
    explained = HiddenNaiveBayes(alpha=1.0).fit(X, y).explain(X.iloc[:1])
    # p(x_i | x_j, c) = 6/7 in "same" and 1/7 in "other", for either coin.
    np.testing.assert_allclose(explained, [[0.0, np.log(6), np.log(6)]], atol=1e-12)


def test_one_vs_rest_regression_of_more_classes():
    """The log odds are log σ(β_a · x) - log σ(β_b · x), which is no sum."""
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 2))
    y = random.integers(0, 3, 80)
    model = LiblinearLogisticRegression(encoding="ordinal", discretizer=None).fit(X, y)
    explained = model.explain(X[:1], 2, 0)
    terms = model.coef_ * (X[0] - X.mean(axis=0)) / X.std(axis=0)

    def v(*columns):
        z = model.intercept_ + terms[:, list(columns)].sum(axis=1)
        return -np.logaddexp(0, -z[2]) + np.logaddexp(0, -z[0])

    first = ((v(0) - v()) + (v(0, 1) - v(1))) / 2
    np.testing.assert_allclose(explained, [[v(), first, v(0, 1) - v() - first]], atol=1e-12)
    assert explained.attrs["method"] == "shapley"


def test_boosted_event_models_leave_words_out():
    counts = np.random.default_rng(0).poisson(0.7, (40, 6))
    y = (counts[:, 0] > counts[:, 1]).astype(int)
    model = BoostedNaiveBayes(MultinomialNaiveBayes(), n_estimators=3).fit(counts, y)
    explained = model.explain(counts[:5])
    scores = model.predict_log_proba(counts[:5])
    np.testing.assert_allclose(explained.sum(axis=1), scores[:, 1] - scores[:, 0], atol=1e-9)


@pytest.mark.parametrize("wrong", [2, 5, 4.5, "many"])
def test_the_number_of_permutations_is_checked(wrong):
    model = HiddenNaiveBayes().fit([["a"], ["b"]], [0, 1])
    with pytest.raises((TypeError, ValueError), match=r"HiddenNaiveBayes\.explain: n_permutations"):
        model.explain([["a"]], n_permutations=wrong)
