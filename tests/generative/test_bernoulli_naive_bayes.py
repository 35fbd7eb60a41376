import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, csr_matrix
from sklearn.naive_bayes import BernoulliNB

from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes

X = np.array([[1, 1, 0], [3, 0, 0], [0, 2, 0], [0, 0, 1]])
Y = ["spam", "spam", "ham", "ham"]


def test_posterior_by_hand():
    model = BernoulliNaiveBayes().fit(X, Y)
    probability = np.array([[1 / 4, 3 / 4], [2 / 4, 2 / 4], [2 / 4, 1 / 4]])
    np.testing.assert_allclose(np.exp(model.log_probability_), probability)
    # "buy" is there, the others are not.
    expected = 0.5 * probability[0] * (1 - probability[1]) * (1 - probability[2])
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[5, 0, 0]]))[0], expected)


def test_equals_scikit_learn():
    rng = np.random.default_rng(0)
    counts, y = rng.poisson(0.5, (200, 30)), rng.choice(list("pqrstu"), 200)
    weight = rng.random(200) * 3
    for alpha, threshold in ((0.1, 0.0), (1.0, 1.0), (7.0, 0.5)):
        peer = BernoulliNB(alpha=alpha, binarize=threshold).fit(counts, y, sample_weight=weight)
        for matrix in (counts, csr_array(counts), pd.DataFrame(counts), counts.astype(np.float32)):
            ours = BernoulliNaiveBayes(alpha=alpha, binarize=threshold)
            ours.fit(matrix, y, sample_weight=weight)
            np.testing.assert_allclose(
                ours.predict_log_proba(matrix), peer.predict_log_proba(counts), rtol=1e-10
            )
            np.testing.assert_allclose(
                ours.predict_joint_log_proba(matrix),
                peer.predict_joint_log_proba(counts),
                rtol=1e-10,
            )


def test_truth_values_are_zero_and_one():
    truth = X > 0
    expected = BernoulliNaiveBayes().fit(X, Y).predict_proba(X)
    for matrix in (truth, csr_array(truth), pd.DataFrame(truth), truth.tolist()):
        for threshold in (0.0, None):
            model = BernoulliNaiveBayes(binarize=threshold).fit(matrix, Y)
            np.testing.assert_allclose(model.predict_proba(matrix), expected)


def test_negative_numbers_are_below_the_threshold():
    model = BernoulliNaiveBayes(binarize=0.5).fit(X - 2, Y)
    np.testing.assert_array_equal(model.statistics_.sums, [[0, 0, 0], [1, 0, 0]])


def test_stored_zeros_and_places_stored_twice():
    twice = csr_matrix(([0.0, 1.0, 1.0, 1.0], [0, 1, 1, 0], [0, 3, 4]), shape=(2, 2))
    model = BernoulliNaiveBayes(binarize=1.0).fit(twice, [0, 1])
    np.testing.assert_array_equal(model.statistics_.sums, [[0, 1], [0, 0]])
    assert twice.nnz == 4  # the user's matrix is as it was


def test_a_missing_number_is_left_out():
    gappy = np.array([[1.0, 1.0], [1.0, np.nan], [0.0, 1.0], [0.0, 0.0]])
    y = [0, 0, 1, 1]
    model = BernoulliNaiveBayes(missing="ignore").fit(gappy, y)
    # Of x1 one row of class 0 is known.
    np.testing.assert_allclose(np.exp(model.log_probability_), [[3 / 4, 1 / 4], [2 / 3, 2 / 4]])
    np.testing.assert_allclose(model.predict_proba([[1.0, np.nan]]), [[3 / 4, 1 / 4]])
    np.testing.assert_allclose(model.explain([[1.0, np.nan]])["x1"], 0.0)
    told = BernoulliNaiveBayes().fit(gappy, y)
    # p(x1 is missing | 0) = 2/4, and 1/4 of class 1.
    odds = (3 / 4) / (1 / 4) * (2 / 4) / (1 / 4)
    np.testing.assert_allclose(
        told.predict_proba([[1.0, np.nan]]), [[odds / (1 + odds), 1 / (1 + odds)]]
    )


def test_the_threshold_is_for_numbers_not_for_labels():
    frame = pd.DataFrame({"n": [1, 9, 2, 8], "sky": ["sun", "sun", "rain", "sun"]})
    model = BernoulliNaiveBayes(binarize=5).fit(frame, [0, 0, 1, 1])
    assert model.encoder_.names == ["n", "sky=rain", "sky=sun"]
    np.testing.assert_array_equal(model.statistics_.sums, [[1, 0, 2], [1, 1, 1]])
    unseen = pd.DataFrame({"n": [9], "sky": ["fog"]})
    expected = 0.5 * np.array([0.5 * 3 / 4 * 1 / 4, 0.5 * 0.5 * 0.5])
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(unseen))[0], expected)


def test_explanations_sum_to_the_log_odds():
    model = BernoulliNaiveBayes().fit(X, Y)
    log_proba = model.predict_log_proba(X)
    for matrix in (X, csr_array(X)):
        explained = model.explain(matrix)
        assert explained.columns.tolist() == ["prior", "x0", "x1", "x2"]
        np.testing.assert_allclose(explained.sum(axis=1), log_proba[:, 1] - log_proba[:, 0])


def test_bad_thresholds_and_values():
    with pytest.raises(ValueError, match="BernoulliNaiveBayes: binarize must be a number >= 0"):
        BernoulliNaiveBayes(binarize=-1).fit(X, Y)
    with pytest.raises(ValueError, match="column 'x0' must be 0 or 1, got 3"):
        BernoulliNaiveBayes(binarize=None).fit(X, Y)
    with pytest.raises(ValueError, match="column 'x0' must be 0 or 1, got 3"):
        BernoulliNaiveBayes(binarize=None).fit(csr_array(X), Y)
    zero_one = np.minimum(X, 1)
    ours = BernoulliNaiveBayes(binarize=None).fit(zero_one, Y)
    np.testing.assert_allclose(
        ours.predict_proba(zero_one), BernoulliNaiveBayes().fit(X, Y).predict_proba(X)
    )
