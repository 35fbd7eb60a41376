import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.naive_bayes import MultinomialNB

from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes

# The mails of the notes: "a b", "b a", "a c b", "c c c".
MAILS = np.array([[1, 1, 0], [1, 1, 0], [1, 1, 1], [0, 0, 3]])
SPAM = np.array([1, 0, 0, 1])


def test_the_worked_example_of_the_notes():
    model = MultinomialNaiveBayes(alpha=0).fit(MAILS, SPAM)
    np.testing.assert_allclose(
        np.exp(model.log_probability_), [[2 / 5, 1 / 5], [2 / 5, 1 / 5], [1 / 5, 3 / 5]]
    )
    np.testing.assert_allclose(np.exp(model.log_prior_), [0.5, 0.5])
    joint = np.exp(model.predict_joint_log_proba([[0, 1, 1]]))
    np.testing.assert_allclose(joint, [[0.4 * 0.2 * 0.5, 0.2 * 0.6 * 0.5]])
    np.testing.assert_allclose(model.predict_proba([[0, 1, 1]]), [[0.4, 0.6]])


def test_laplace_smoothing_of_the_notes():
    model = MultinomialNaiveBayes().fit(MAILS, SPAM)
    np.testing.assert_allclose(
        np.exp(model.log_probability_), [[3 / 8, 2 / 8], [3 / 8, 2 / 8], [2 / 8, 4 / 8]]
    )


def test_equals_scikit_learn():
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.5, (200, 30)), rng.choice(list("pqrstu"), 200)
    weight = rng.random(200) * 3
    for alpha in (0.1, 1.0, 7.0):
        peer = MultinomialNB(alpha=alpha).fit(X, y, sample_weight=weight)
        for matrix in (X, csr_array(X), pd.DataFrame(X), X.astype(np.float32)):
            ours = MultinomialNaiveBayes(alpha=alpha).fit(matrix, y, sample_weight=weight)
            np.testing.assert_allclose(
                ours.predict_log_proba(matrix), peer.predict_log_proba(X), rtol=1e-10
            )
            np.testing.assert_allclose(
                ours.predict_joint_log_proba(matrix), peer.predict_joint_log_proba(X), rtol=1e-10
            )


def test_a_missing_count_is_no_event():
    X = np.array([[1.0, 2.0], [3.0, np.nan], [0.0, 1.0], [2.0, 2.0]])
    y = [0, 0, 1, 1]
    zero = np.nan_to_num(X)
    ours = MultinomialNaiveBayes(missing="ignore").fit(X, y)
    expected = MultinomialNaiveBayes().fit(zero, y)
    np.testing.assert_allclose(ours.predict_log_proba(X), expected.predict_log_proba(zero))
    # A gap is an event: a column of its own, 1 where x1 is missing.
    told = MultinomialNaiveBayes().fit(X, y)
    by_hand = np.column_stack([zero, np.isnan(X[:, 1])])
    expected = MultinomialNaiveBayes().fit(by_hand, y)
    np.testing.assert_allclose(told.predict_log_proba(X), expected.predict_log_proba(by_hand))


def test_a_label_is_an_event():
    X = pd.DataFrame({"n": [1, 0, 2], "sky": ["sun", "rain", "sun"]})
    y = ["a", "b", "b"]
    by_hand = np.array([[1, 0, 1], [0, 1, 0], [2, 0, 1]])
    model = MultinomialNaiveBayes().fit(X, y)
    expected = MultinomialNaiveBayes().fit(by_hand, y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(by_hand))
    assert model.encoder_.names == ["n", "sky=rain", "sky=sun"]
    unseen = pd.DataFrame({"n": [1], "sky": ["fog"]})
    np.testing.assert_allclose(
        model.predict_proba(unseen), expected.predict_proba(np.array([[1, 0, 0]]))
    )
    explained = model.explain(X)
    assert explained.columns.tolist() == ["prior", "n", "sky"]
    log_proba = model.predict_log_proba(X)
    np.testing.assert_allclose(explained.sum(axis=1), log_proba[:, 1] - log_proba[:, 0])


def test_without_smoothing_the_fewest_impossible_events_win():
    model = MultinomialNaiveBayes(alpha=0).fit([[1, 1, 0, 0], [0, 0, 1, 1]], ["a", "b"])
    assert model.predict([[1, 1, 1, 0]]).tolist() == ["a"]
    assert np.isfinite(model.predict_proba([[1, 1, 1, 1]])).all()


def test_nothing_counted_in_a_class_is_uniform():
    y = pd.Categorical(["a", "a"], categories=["a", "b"])
    model = MultinomialNaiveBayes(alpha=0).fit([[1, 3], [0, 0]], y)
    np.testing.assert_allclose(np.exp(model.log_probability_), [[0.25, 0.5], [0.75, 0.5]])


@pytest.mark.parametrize("missing", ["state", "ignore"])
def test_negative_counts_name_the_column(missing):
    frame = pd.DataFrame({"a": [1.0, np.nan], "b": [-2.0, 1.0]})
    model = MultinomialNaiveBayes(missing=missing)
    message = r"MultinomialNaiveBayes: column 'b' must be counts >= 0, got -2\.0"
    with pytest.raises(ValueError, match=message):
        model.fit(frame, [0, 1])
    with pytest.raises(ValueError, match=r"column 'x1' must be counts >= 0, got -2\.0"):
        model.fit(csr_array(frame.fillna(0)), [0, 1])
    model.fit(frame.abs(), [0, 1])
    with pytest.raises(ValueError, match=message):
        model.predict(frame)
