"""Laws that naive Bayes and its statistics satisfy on any table."""

from itertools import product

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.counts import FeatureCounts, Moments
from augury.generative import NaiveBayes

N_STATES = (3, 2, 4)


@st.composite
def tables(draw, min_rows=2, max_rows=20, n_classes=3):
    """Codes (the last of each column: left out), numbers with gaps, classes and weights."""
    n = draw(st.integers(min_rows, max_rows))
    codes = np.column_stack(
        [draw(arrays(np.uint8, n, elements=st.integers(0, states))) for states in N_STATES]
    )
    numbers = draw(
        arrays(
            np.float64, (n, 2), elements=st.one_of(st.just(np.nan), st.integers(-5, 5).map(float))
        )
    )
    y = draw(arrays(np.int32, n, elements=st.integers(0, n_classes - 1)))
    weight = draw(arrays(np.float64, n, elements=st.integers(0, 3).map(float)))
    return codes, numbers, y, weight


def frame_of(codes, numbers):
    columns = {
        f"c{j}": pd.Categorical.from_codes(
            np.where(codes[:, j] == states, -1, codes[:, j].astype(int)), list("abcd")[:states]
        )
        for j, states in enumerate(N_STATES)
    }
    return pd.DataFrame(columns | {f"n{j}": numbers[:, j] for j in range(numbers.shape[1])})


def target_of(y):
    return pd.Categorical.from_codes(y, [0, 1, 2])


def collect(codes, numbers, y, weight):
    return (
        FeatureCounts.collect(codes, N_STATES, y, 3, weight),
        Moments.collect(numbers, y, 3, weight),
    )


@given(tables(), st.integers(0, 20))
def test_merging_any_split_equals_all_rows(table, where):
    counts, moments = collect(*table)
    head, tail = (
        collect(*(part[rows] for part in table)) for rows in (slice(where), slice(where, None))
    )
    np.testing.assert_array_equal((head[0] + tail[0]).table, counts.table)
    np.testing.assert_array_equal((head[0] + tail[0]).class_counts, counts.class_counts)
    merged = head[1] + tail[1]
    np.testing.assert_array_equal(merged.weight, moments.weight)
    np.testing.assert_allclose(merged.mean, moments.mean, atol=1e-12)
    np.testing.assert_allclose(merged.scatter, moments.scatter, atol=1e-10)


MODELS = [
    NaiveBayes(),
    NaiveBayes(missing="ignore"),
    NaiveBayes(missing="replace", discretizer="frequency"),
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="gaussian", missing="ignore"),
    NaiveBayes(continuous="kernel"),
    NaiveBayes(continuous="kernel", bandwidth="weka", missing="ignore"),
]


@given(tables(), st.sampled_from(MODELS))
def test_a_whole_weight_equals_repeated_rows(table, model):
    codes, numbers, y, weight = table
    weight[0] = max(weight[0], 1)
    X, repeated = frame_of(codes, numbers), np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = model.fit(X, target_of(y), sample_weight=weight).predict_joint_log_proba(X)
    longhand = model.fit(X.iloc[repeated], target_of(y[repeated])).predict_joint_log_proba(X)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-9, atol=1e-9)


@given(tables(), st.sampled_from(MODELS), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(table, model, random):
    codes, numbers, y, _ = table
    X = frame_of(codes, numbers)
    expected = model.fit(X, target_of(y)).predict_joint_log_proba(X)
    rows, columns = list(range(len(y))), list(X.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = model.fit(X[columns].iloc[rows], target_of(y[rows]))
    np.testing.assert_allclose(
        shuffled.predict_joint_log_proba(X[columns]), expected, rtol=1e-9, atol=1e-9
    )


@given(tables(), st.permutations(range(3)), st.permutations("abcd"))
def test_the_names_of_classes_and_categories_change_nothing(table, new_class, new_letter):
    codes, numbers, y, _ = table
    model = NaiveBayes(continuous="gaussian")
    X = frame_of(codes, numbers)
    expected = model.fit(X, target_of(y)).predict_proba(X)
    renamed = X.copy()
    letters = dict(zip("abcd", new_letter, strict=True))
    for name in renamed.columns[: len(N_STATES)]:
        renamed[name] = renamed[name].cat.rename_categories(letters)
    proba = model.fit(renamed, target_of(np.array(new_class)[y])).predict_proba(renamed)
    np.testing.assert_allclose(proba[:, new_class], expected, rtol=1e-9, atol=1e-12)


@given(tables(), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_joint_is_the_explicit_product_and_sums_to_one(table, alpha):
    codes, _, y, _ = table
    X = frame_of(codes, np.empty((len(y), 0)))
    model = NaiveBayes(alpha=alpha).fit(X, target_of(y))
    cells = list(product(*(range(len(s)) for s in model.encoder_.states_)))
    states = model.encoder_.states_
    every = pd.DataFrame(
        {
            name: pd.Categorical(
                [
                    states[j][cell[j]] if isinstance(states[j][cell[j]], str) else None
                    for cell in cells
                ],
                categories=X[name].cat.categories,
            )
            for j, name in enumerate(X.columns)
        }
    )
    joint = np.exp(model.predict_joint_log_proba(every))
    coded = model.encoder_.transform(X).codes
    for c, k in product(range(3), range(len(cells))):
        expected = (np.sum(y == c) + alpha) / (len(y) + alpha * 3)
        for j in range(X.shape[1]):
            n_c, v = np.sum(y == c), len(states[j])
            hits = np.sum((coded[:, j] == cells[k][j]) & (y == c))
            expected *= (hits + alpha) / (n_c + alpha * v) if n_c + alpha * v else 1 / v
        np.testing.assert_allclose(joint[k, c], expected, rtol=1e-10, atol=1e-300)
    np.testing.assert_allclose(joint.sum(), 1.0, rtol=1e-10)


@given(tables(), st.sampled_from(MODELS))
def test_rows_of_probabilities_sum_to_one(table, model):
    codes, numbers, y, _ = table
    X = frame_of(codes, numbers)
    model.fit(X, target_of(y))
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    np.testing.assert_allclose(
        np.exp(model.predict_log_proba(X)), model.predict_proba(X), atol=1e-12
    )
