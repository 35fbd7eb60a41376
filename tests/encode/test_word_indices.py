"""Lists of word indices of different lengths, and the models that take them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split

from augury import persist
from augury.encode import WordIndices
from augury.generative import (
    BernoulliNaiveBayes,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
)
from augury.hybrid import (
    AugmentedClassifier,
    MaximumEntropyNaiveBayes,
    RegionLogisticRegression,
)
from augury.memory import TableTooLargeError
from tests.versions import needs_scikit_learn

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes]
# The notes: "a b", "b a", "a c b" and "c c c"; spam is class 1.
MAILS = [(1, 2), (2, 1), (1, 3, 2), (3, 3, 3)]
SPAM = [1, 0, 0, 1]

words = st.lists(st.lists(st.integers(0, 6), max_size=8), min_size=4, max_size=12)


def count_by_hand(rows, n_words, first=0):
    """Return the matrix of counts, word by word."""
    counts = np.zeros((len(rows), n_words), dtype=np.int64)
    for i, row in enumerate(rows):
        for word in row:
            counts[i, word - first] += 1
    return counts


def test_the_worked_example_of_the_notes():
    model = MultinomialNaiveBayes(alpha=0).fit(WordIndices(MAILS, first=1), SPAM)
    phi = np.exp(model.log_probability_)
    np.testing.assert_allclose(phi[:, 1], [1 / 5, 1 / 5, 3 / 5], rtol=1e-12)
    np.testing.assert_allclose(phi[:, 0], [2 / 5, 2 / 5, 1 / 5], rtol=1e-12)
    np.testing.assert_allclose(np.exp(model.log_prior_), [1 / 2, 1 / 2], rtol=1e-12)
    new = WordIndices([(2, 3)], first=1)
    assert model.predict_proba(new)[0, 1] == pytest.approx(0.6, abs=1e-12)
    joint = np.exp(model.predict_joint_log_proba(new)[0])
    np.testing.assert_allclose(joint, [0.4 * 0.2 * 0.5, 0.2 * 0.6 * 0.5], rtol=1e-12)


@pytest.mark.parametrize("model_class", MODELS)
@given(words, st.integers(0, 1), st.randoms(use_true_random=False))
def test_every_method_equals_that_of_the_matrix(model_class, rows, first, random):
    n_words = 7
    y = [i % 2 for i in range(len(rows))]
    weight = [1.0 + random.randrange(3) for _ in rows]
    shifted = [[word + first for word in row] for row in rows]
    X = WordIndices(shifted, n_words, first=first)
    matrix = csr_array(count_by_hand(rows, n_words))
    ours = model_class().fit(X, y, sample_weight=weight)
    theirs = model_class().fit(matrix, y, sample_weight=weight)
    for method in ("predict", "predict_proba", "predict_joint_log_proba"):
        np.testing.assert_array_equal(getattr(ours, method)(X), getattr(theirs, method)(matrix))
    pd.testing.assert_frame_equal(ours.explain(X), theirs.explain(matrix))
    np.testing.assert_array_equal(
        ours.leave_one_out_proba(X, y, sample_weight=weight),
        theirs.leave_one_out_proba(matrix, y, sample_weight=weight),
    )
    half = len(rows) // 2
    parts = model_class().partial_fit(X[:half], y[:half], classes=[0, 1])
    parts.partial_fit(X[half:], y[half:])
    whole = model_class().fit(matrix, y)
    np.testing.assert_allclose(
        parts.predict_joint_log_proba(X), whole.predict_joint_log_proba(matrix), rtol=1e-12
    )


def test_lists_of_equal_length_are_indices_too():
    rows = [[0, 1], [2, 2], [1, 1]]
    np.testing.assert_array_equal(
        WordIndices(np.array(rows)).to_counts("test").toarray(), count_by_hand(rows, 3)
    )
    model = MultinomialNaiveBayes().fit(WordIndices(rows), [0, 1, 0])
    assert model.n_features_in_ == 3
    assert MultinomialNaiveBayes().fit(rows, [0, 1, 0]).n_features_in_ == 2, "a matrix"


@pytest.mark.parametrize("make", [tuple, list, np.array, lambda row: np.array(row, dtype=np.uint8)])
def test_kinds_of_rows(make):
    rows = [make(row) for row in ([3, 1], [], [0, 0, 2])]
    counts = WordIndices(rows).to_counts("test")
    assert counts.has_canonical_format
    np.testing.assert_array_equal(counts.toarray(), count_by_hand([[3, 1], [], [0, 0, 2]], 4))


def test_mixed_kinds_of_rows():
    rows = [(3, 1), np.array([], dtype=float), np.array([0, 0, 2], dtype=np.int16), range(2)]
    expected = count_by_hand([(3, 1), [], [0, 0, 2], [0, 1]], 4)
    np.testing.assert_array_equal(WordIndices(rows).to_counts("test").toarray(), expected)


def test_words_above_the_vocabulary_are_left_out_by_a_fitted_model():
    model = MultinomialNaiveBayes().fit(WordIndices(MAILS, first=1), SPAM)
    known, unknown = (WordIndices([row], first=1) for row in ((2, 3), (2, 9, 3, 4)))
    np.testing.assert_array_equal(model.predict_proba(unknown), model.predict_proba(known))
    nothing = WordIndices([(), (7, 8)], first=1)
    np.testing.assert_allclose(model.predict_proba(nothing), 0.5)
    with pytest.raises(ValueError, match=r"X has 9 features, but MultinomialNaiveBayes .* 3"):
        model.predict(WordIndices([(2, 3)], n_words=9, first=1))


def test_partial_fit_warns_of_words_above_the_vocabulary():
    model = PoissonNaiveBayes().partial_fit(WordIndices([[0], [1, 1]]), [0, 1], classes=[0, 1])
    message = r"2 words have indices above the vocabulary .* \(2 words\), .* n_words"
    with pytest.warns(UserWarning, match=message):
        model.partial_fit(WordIndices([[5, 1], [2]]), [0, 1])
    assert model.statistics_.sums.tolist() == [[1.0, 1.0], [0.0, 2.0]]


def test_selection_of_rows():
    X = WordIndices(MAILS, first=1)
    mask = np.array([True, False, False, True])
    for rows in ([0, 3], np.array([0, 3]), mask, slice(0, 4, 3)):
        np.testing.assert_array_equal(X[rows].to_counts("test").toarray(), [[1, 1, 0], [0, 0, 3]])
    assert X.to_counts("test").sum() == X.to_counts("test").sum() == len(X.indices) == 10
    assert (len(X), X.shape) == (4, (4, 3))
    for wrong in (0, (0, 1), [[0], [1]]):
        with pytest.raises(IndexError, match="WordIndices"):
            X[wrong]


def test_tools_of_scikit_learn():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 120)
    rows = [random.integers(0, 20 + 20 * label, 1 + 10 * (i % 2)) for i, label in enumerate(y)]
    X = WordIndices(rows, n_words=40)
    matrix = X.to_counts("test")
    scores, expected = (cross_val_score(MultinomialNaiveBayes(), each, y) for each in (X, matrix))
    np.testing.assert_array_equal(scores, expected)
    train, test = train_test_split(X, random_state=0)
    assert (len(train), len(test)) == (90, 30)
    search = GridSearchCV(MultinomialNaiveBayes(), {"alpha": [0.1, 1.0]}).fit(X, y)
    assert search.predict(X[:3]).shape == (3,)


@pytest.mark.parametrize(
    "hybrid",
    [
        pytest.param(
            AugmentedClassifier(MultinomialNaiveBayes(), LogisticRegression()),
            marks=needs_scikit_learn("1.7", "LogisticRegression does not say that it is sparse"),
        ),
        RegionLogisticRegression(),
        MaximumEntropyNaiveBayes(),
    ],
    ids=lambda hybrid: type(hybrid).__name__,
)
def test_hybrids_take_them(hybrid):
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 60)
    rows = [random.integers(0, 10 + 10 * label, 8).tolist() for label in y]
    X = WordIndices(rows, n_words=20)
    matrix = X.to_counts("test")
    np.testing.assert_array_equal(
        hybrid.fit(X, y).predict_proba(X), hybrid.fit(matrix, y).predict_proba(matrix)
    )


def test_a_saved_model_takes_them(tmp_path):
    model = BernoulliNaiveBayes().fit(WordIndices(MAILS, first=1), SPAM)
    persist.save_model(model, tmp_path / "model.aug")
    loaded = persist.load_model(tmp_path / "model.aug").model
    new = WordIndices([(2, 3), (), (8,)], first=1)
    np.testing.assert_array_equal(loaded.predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ("free money", TypeError, "got the text 'free money'; .*CountVectorizer counts"),
        (["free money"], TypeError, "got the text 'free money'; .*CountVectorizer counts"),
        ([["free", "money"]], TypeError, "got the text 'free'; .*CountVectorizer"),
        ([[1, "money"]], TypeError, "got the text 'money'"),
        ([[0, 1.5]], TypeError, r"must be whole numbers, got 1\.5"),
        ([np.array([2.0])], TypeError, "must be whole numbers, got "),
        ([[0], [1, None]], TypeError, "must be whole numbers, got None"),
        ([[True]], TypeError, "must be whole numbers, got True"),
        ([[10**30]], TypeError, "must be whole numbers, got 1000"),
        ([[[1, 2], [3]]], TypeError, r"must be whole numbers, got \[1, 2\]"),
        ([0, 1], TypeError, "each row must be a list, a tuple or an array .* got 0 as row 0"),
        ([[0], {1}], TypeError, r"got \{1\} as row 1"),
        (5, TypeError, "rows must be a list of rows, got 5"),
        ([[1], [2, 0, -3]], ValueError, r"at least 0 \(first=0\), got -3 in row 1"),
    ],
)
def test_errors_of_rows(rows, error, message):
    with pytest.raises(error, match=f"^WordIndices: .*{message}"):
        WordIndices(rows)


def test_errors():
    with pytest.raises(ValueError, match=r"from 1 to 2 \(first=1\), got 3 in row 2"):
        WordIndices(MAILS, n_words=2, first=1)
    with pytest.raises(ValueError, match=r"at least 1 \(first=1\), got 0 in row 0"):
        WordIndices([[0]], first=1)
    with pytest.raises(ValueError, match="first must be 0 or 1, got 2"):
        WordIndices([[0]], first=2)
    with pytest.raises(ValueError, match="n_words must be an integer >= 1, got 0"):
        WordIndices([[0]], n_words=0)
    with pytest.raises(ValueError, match=r"X must have words, got 2 empty rows; .* n_words"):
        MultinomialNaiveBayes().fit(WordIndices([[], []]), [0, 1])
    with pytest.raises(TypeError, match="NaiveBayes: X must be a table, got WordIndices; only m"):
        NaiveBayes().fit(WordIndices(MAILS), SPAM)
    with pytest.raises(TableTooLargeError, match="number the words of the vocabulary without"):
        MultinomialNaiveBayes().fit(WordIndices([[10**14], [1]]), [0, 1])


def test_empty_rows_with_a_given_vocabulary():
    model = PoissonNaiveBayes().fit(WordIndices([[], [], [1]], n_words=2), [0, 1, 1])
    assert model.predict_proba(WordIndices([[]])).shape == (1, 2)
