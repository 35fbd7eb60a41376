"""Laws that the discriminant analyses and their statistics satisfy on any table."""

import numpy as np
import pandas as pd
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.counts.class_scatter import ClassScatter
from augury.generative import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)

MODELS = [
    LinearDiscriminantAnalysis(),
    LinearDiscriminantAnalysis(covariance="unbiased", missing="ignore"),
    QuadraticDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(missing="replace"),
    RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.2),
]
CHOOSING = RegularizedDiscriminantAnalysis(n_folds=3, alphas=[0, 0.5, 1])


@st.composite
def tables(draw, max_rows=20):
    """Labels and numbers with gaps, classes and weights."""
    n = draw(st.integers(2, max_rows))
    gappy = st.one_of(st.just(np.nan), st.integers(-5, 5).map(float))
    numbers = draw(arrays(np.float64, (n, 2), elements=gappy))
    codes = draw(arrays(np.int8, n, elements=st.integers(-1, 2)))
    y = draw(arrays(np.int32, n, elements=st.integers(0, 2)))
    weight = draw(arrays(np.float64, n, elements=st.integers(0, 3).map(float)))
    X = pd.DataFrame({"a": numbers[:, 0], "b": numbers[:, 1]})
    X["c"] = pd.Categorical.from_codes(codes, list("xyz"))
    return X, y, weight


def matrices(seed, n=60):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    return rng.normal(size=(n, 4)) @ rng.normal(size=(4, 4)) + rng.normal(size=(3, 4))[y], y


def target_of(y):
    return pd.Categorical.from_codes(y, [0, 1, 2])


@given(tables(), st.integers(0, 20), st.booleans())
def test_merging_any_split_equals_all_rows(table, where, pooled):
    frame, y, weight = table
    X = frame[["a", "b"]].fillna(0).to_numpy()
    whole = ClassScatter.collect(X, y, 3, weight, pooled=pooled)
    head, tail = (
        ClassScatter.collect(X[rows], y[rows], 3, weight[rows], pooled=pooled)
        for rows in (slice(where), slice(where, None))
    )
    merged = head + tail
    np.testing.assert_array_equal(merged.weight, whole.weight)
    np.testing.assert_allclose(merged.mean, whole.mean, atol=1e-12)
    np.testing.assert_allclose(merged.scatter, whole.scatter, atol=1e-10)


@given(tables(), st.sampled_from([*MODELS, CHOOSING]))
def test_a_whole_weight_equals_repeated_rows(table, model):
    X, y, weight = table
    weight[0] = max(weight[0], 1)
    repeated = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = model.fit(X, target_of(y), sample_weight=weight).predict_joint_log_proba(X)
    longhand = model.fit(X.iloc[repeated], target_of(y[repeated])).predict_joint_log_proba(X)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-6, atol=1e-6)


@given(tables(), st.sampled_from([*MODELS, CHOOSING]), st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(table, model, random):
    X, y, _ = table
    expected = model.fit(X, target_of(y)).predict_joint_log_proba(X)
    rows = list(range(len(y)))
    random.shuffle(rows)
    shuffled = model.fit(X.iloc[rows], target_of(y[rows])).predict_joint_log_proba(X)
    np.testing.assert_allclose(shuffled, expected, rtol=1e-6, atol=1e-6)


@given(tables(), st.sampled_from(MODELS))
def test_rows_of_probabilities_sum_to_one(table, model):
    X, y, _ = table
    model.fit(X, target_of(y))
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@given(tables())
def test_coefficients_reproduce_the_posterior(table):
    X, y, _ = table
    model = LinearDiscriminantAnalysis().fit(X, target_of(y))
    numbers = model._numbers(model._read(X))
    scores = numbers @ model.coef_.T + model.intercept_
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        odds / odds.sum(axis=1, keepdims=True), model.predict_proba(X), atol=1e-7
    )


@given(tables(), st.sampled_from(["ml", "unbiased"]))
def test_regularized_ends_in_linear_and_quadratic(table, covariance):
    X, y, _ = table
    for alpha, end in ((0.0, LinearDiscriminantAnalysis), (1.0, QuadraticDiscriminantAnalysis)):
        between = RegularizedDiscriminantAnalysis(alpha=alpha, covariance=covariance)
        np.testing.assert_allclose(
            between.fit(X, target_of(y)).predict_joint_log_proba(X),
            end(covariance=covariance).fit(X, target_of(y)).predict_joint_log_proba(X),
            rtol=1e-6,
            atol=1e-6,
        )


@given(st.integers(0, 1000), st.sampled_from(["ml", "unbiased"]))
def test_affine_maps_change_no_posterior(seed, covariance):
    X, y = matrices(seed)
    rng = np.random.default_rng(seed + 1)
    A, b = rng.normal(size=(4, 4)), rng.normal(size=4) * 10
    assume(np.linalg.cond(A) < 100)
    for Model in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        plain = Model(covariance=covariance).fit(X, y).predict_proba(X)
        mapped = Model(covariance=covariance).fit(X @ A + b, y).predict_proba(X @ A + b)
        np.testing.assert_allclose(mapped, plain, atol=1e-7)


@given(st.integers(0, 1000), st.permutations(range(4)))
def test_the_order_of_columns_changes_nothing(seed, columns):
    X, y = matrices(seed)
    for model in MODELS:
        expected = model.fit(X, y).predict_joint_log_proba(X)
        permuted = model.fit(X[:, columns], y).predict_joint_log_proba(X[:, columns])
        np.testing.assert_allclose(permuted, expected, rtol=1e-7, atol=1e-7)
