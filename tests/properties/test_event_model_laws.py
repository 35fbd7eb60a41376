"""Laws that the event models and their statistics satisfy on any counts."""

from itertools import product

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array

from augury.counts.event_counts import EventCounts
from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes
from augury.generative.poisson_naive_bayes import PoissonNaiveBayes

N_CLASSES = 3

MODELS = [
    model_class(alpha=alpha, missing=missing)
    for model_class in (BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes)
    for alpha, missing in ((1.0, "state"), (0.3, "ignore"), (2.0, "replace"), (0.0, "ignore"))
]


@st.composite
def tables(draw, *, gaps=True, max_rows=15, n_columns=4):
    """Counts (many of them zero, some missing), a column of labels, classes and weights."""
    n = draw(st.integers(2, max_rows))
    counts = st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0, 7.0] + [np.nan] * gaps)
    X = draw(arrays(np.float64, (n, n_columns), elements=counts))
    labels = draw(arrays(np.int8, n, elements=st.integers(-1 if gaps else 0, 2)))
    y = draw(arrays(np.int32, n, elements=st.integers(0, N_CLASSES - 1)))
    weight = draw(arrays(np.float64, n, elements=st.integers(0, 3).map(float)))
    weight[:2] = np.maximum(weight[:2], 1)  # less than two rows is warned of
    return X, labels, y, weight


def frame_of(X, labels):
    frame = pd.DataFrame(X, columns=[f"n{j}" for j in range(X.shape[1])])
    return frame.assign(sky=pd.Categorical.from_codes(labels, ["sun", "rain", "fog"]))


def target_of(y):
    return pd.Categorical.from_codes(y, list(range(N_CLASSES)))


@given(tables(), st.integers(0, 15), st.sampled_from([np.asarray, csr_array]))
def test_merging_any_split_equals_all_rows(table, where, make):
    X, _, y, weight = table
    where = min(where, len(y))
    whole = EventCounts.collect(make(X), y, N_CLASSES, weight)
    head, tail = (
        EventCounts.collect(make(X[rows]), y[rows], N_CLASSES, weight[rows])
        for rows in (slice(where), slice(where, None))
    )
    merged = head + tail
    np.testing.assert_array_equal(merged.class_counts, whole.class_counts)
    np.testing.assert_array_equal(merged.sums, whole.sums)
    np.testing.assert_array_equal(merged.known, whole.known)


@given(tables(), st.sampled_from(MODELS))
def test_a_whole_weight_equals_repeated_rows(table, model):
    X, labels, y, weight = table
    frame = frame_of(X, labels)
    repeated = np.repeat(np.arange(len(y)), weight.astype(int))
    weighted = model.fit(frame, target_of(y), sample_weight=weight).predict_joint_log_proba(frame)
    longhand = model.fit(frame.iloc[repeated], target_of(y[repeated]))
    np.testing.assert_allclose(
        weighted, longhand.predict_joint_log_proba(frame), rtol=1e-9, atol=1e-9
    )


@given(tables(gaps=False), st.sampled_from(MODELS))
def test_sparse_equals_dense(table, model):
    X, _, y, weight = table
    dense = model.fit(X, target_of(y), sample_weight=weight).predict_joint_log_proba(X)
    sparse = model.fit(csr_array(X), target_of(y), sample_weight=weight)
    for rows in (X, csr_array(X)):
        np.testing.assert_allclose(
            sparse.predict_joint_log_proba(rows), dense, rtol=1e-9, atol=1e-9
        )


@given(tables(), st.sampled_from(MODELS), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(table, model, random):
    X, labels, y, _ = table
    frame = frame_of(X, labels)
    expected = model.fit(frame, target_of(y)).predict_joint_log_proba(frame)
    rows, columns = list(range(len(y))), list(frame.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = model.fit(frame[columns].iloc[rows], target_of(y[rows]))
    np.testing.assert_allclose(
        shuffled.predict_joint_log_proba(frame[columns]), expected, rtol=1e-9, atol=1e-9
    )


@given(tables(), st.sampled_from(MODELS))
def test_probabilities_and_explanations_sum(table, model):
    X, labels, y, _ = table
    frame = frame_of(X, labels)
    model.fit(frame, target_of(y))
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)
    log_proba = model.predict_log_proba(frame)
    odds = model.explain(frame, positive=2, negative=0).sum(axis=1)
    np.testing.assert_allclose(odds, log_proba[:, 2] - log_proba[:, 0], rtol=1e-9, atol=1e-9)


@given(tables(), st.sampled_from([0.0, 0.5, 1.0]))
def test_the_bernoulli_joint_sums_to_one_over_all_rows(table, alpha):
    X, _, y, _ = table
    model = BernoulliNaiveBayes(alpha=alpha, missing="ignore").fit(X, target_of(y))
    every = np.array(list(product([0, 1], repeat=X.shape[1])))
    for rows in (every, csr_array(every)):
        joint = np.exp(model.predict_joint_log_proba(rows))
        np.testing.assert_allclose(joint.sum(), 1.0, rtol=1e-9)


@given(tables(gaps=False))
def test_the_multinomial_joint_sums_to_one_over_all_sequences(table):
    X, _, y, _ = table
    model = MultinomialNaiveBayes().fit(X, target_of(y))
    casts = product(range(X.shape[1]), repeat=3)
    rows = np.array([np.bincount(cast, minlength=X.shape[1]) for cast in casts])
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(rows)).sum(), 1.0, rtol=1e-9)


@given(tables(n_columns=1, gaps=False))
def test_the_poisson_joint_sums_to_one_over_all_counts(table):
    X, _, y, _ = table
    model = PoissonNaiveBayes().fit(X, target_of(y))
    joint = np.exp(model.predict_joint_log_proba(np.arange(100)[:, None]))
    np.testing.assert_allclose(joint.sum(), 1.0, rtol=1e-9)
