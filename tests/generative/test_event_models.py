"""Tests of all event models."""

import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from scipy.sparse import coo_array, csr_array, csr_matrix, random_array

from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes
from augury.generative.poisson_naive_bayes import PoissonNaiveBayes

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes]
every_model = pytest.mark.parametrize("model_class", MODELS)


def texts(n_rows=60, n_columns=40, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    return rng.poisson(0.3 + 0.5 * (np.arange(n_columns) % 3 == y[:, None])), y


@every_model
def test_every_sparse_form_equals_dense(model_class):
    X, y = texts()
    expected = model_class().fit(X, y).predict_joint_log_proba(X)
    for form in ("csr", "csc", "coo", "lil", "dok", "bsr"):
        for make in (csr_array, csr_matrix):
            sparse = make(X).asformat(form)
            joint = model_class().fit(sparse, y).predict_joint_log_proba(sparse)
            np.testing.assert_allclose(joint, expected, rtol=1e-12)
    on_dense = model_class().fit(csr_array(X), y).predict_joint_log_proba(X)
    on_sparse = model_class().fit(X, y).predict_joint_log_proba(csr_array(X))
    np.testing.assert_allclose(on_dense, expected, rtol=1e-12)
    np.testing.assert_allclose(on_sparse, expected, rtol=1e-12)


@every_model
def test_two_hundred_thousand_columns_stay_sparse(model_class, monkeypatch):
    rng = np.random.default_rng(0)
    X = random_array(  # 80 GB if it were dense
        (50_000, 200_000),
        density=1e-4,
        format="csr",
        random_state=rng,
        data_sampler=lambda size: np.ones(size),
    )
    y = rng.integers(0, 6, 50_000)

    def refuse(*args, **kwargs):
        raise AssertionError("a sparse matrix was made dense")

    for form in ("csr_array", "csc_array", "coo_array", "csr_matrix"):
        for method in ("toarray", "todense"):
            monkeypatch.setattr(getattr(scipy.sparse, form), method, refuse)
    model = model_class().fit(X, y, sample_weight=1 + y)
    model.partial_fit(X[:100], y[:100])
    proba = model.predict_proba(X[:1000])
    np.testing.assert_allclose(proba.sum(axis=1), 1)


@every_model
def test_mixed_frame_with_gaps_strings_and_unseen_labels(model_class):
    X = pd.DataFrame(
        {
            "colour": ["red", "blue", None, "red", "blue", "red"],
            "size": [1.0, 2.0, np.nan, 9.0, 8.0, 9.5],
            "flag": [True, False, True, True, False, False],
        },
        index=list("abcdef"),
    )
    y = ["a", "a", "a", "b", "b", "b"]
    new = pd.DataFrame({"colour": ["green", None], "size": [np.nan, 3.0], "flag": [True, False]})
    for missing in ("state", "replace", "ignore"):
        model = model_class(missing=missing).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1)
        for rows in (X, new):
            log_proba = model.predict_log_proba(rows)
            odds = model.explain(rows).sum(axis=1)
            np.testing.assert_allclose(odds, log_proba[:, 1] - log_proba[:, 0], atol=1e-12)
            assert odds.index.tolist() == rows.index.tolist()
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))


@every_model
def test_a_declared_class_without_rows(model_class):
    X, y = texts()
    declared = pd.Categorical.from_codes(y, categories=[0, 1, 2, 3])
    for alpha in (0.0, 1.0):
        model = model_class(alpha=alpha).fit(X, declared)
        assert model.classes_.tolist() == [0, 1, 2, 3]
        assert model.log_prior_[3] == np.log(np.finfo(float).tiny)
        proba = model.predict_proba(X)
        np.testing.assert_allclose(
            proba[:, :3], model_class(alpha=alpha).fit(X, y).predict_proba(X)
        )
        assert (proba[:, 3] < 1e-200).all()
    given = model_class(priors=[0.1, 0.2, 0.3, 0.4]).fit(X, declared)
    np.testing.assert_allclose(np.exp(given.log_prior_), [0.1, 0.2, 0.3, 0.4])


@every_model
def test_one_column_a_constant_column_and_two_rows(model_class):
    one = model_class().fit([[0], [4]], ["a", "b"])
    np.testing.assert_allclose(one.predict_proba([[2]]).sum(), 1)
    constant = model_class().fit([[2, 1], [2, 0], [2, 1]], ["a", "b", "b"])
    assert np.isfinite(constant.predict_log_proba([[2, 1], [0, 0], [5, 5]])).all()
    with_one_label = pd.DataFrame({"same": ["x", "x", "x"]})
    assert np.isfinite(
        model_class().fit(with_one_label, [0, 1, 1]).predict_proba(with_one_label)
    ).all()
    nothing = pd.DataFrame({"none": pd.Series([None, None, None], dtype="str")})
    model = model_class(missing="ignore").fit(nothing, [0, 1, 1])
    np.testing.assert_allclose(model.predict_proba(nothing), [[1 / 3, 2 / 3]] * 3)
    np.testing.assert_allclose(model.explain(nothing)["none"], 0)


@every_model
def test_five_thousand_columns_do_not_underflow(model_class):
    X, y = texts(n_rows=90, n_columns=5000)
    for matrix in (X, csr_array(X)):
        model = model_class().fit(matrix, y)
        assert (model.predict_joint_log_proba(matrix) < -1000).all()
        assert np.isfinite(model.predict_log_proba(matrix)).all()
        assert (model.predict(matrix) == y).all()


@every_model
@pytest.mark.parametrize("make", [np.asarray, csr_array, pd.DataFrame])
def test_batches_equal_one_fit(model_class, make):
    X, y = texts()
    whole = model_class().fit(make(X), y)
    batches = model_class()
    for start in range(0, 60, 20):
        rows = slice(start, start + 20)
        batches.partial_fit(make(X[rows]), y[rows], classes=[2, 0, 1])
    by_hand = model_class().fit(make(X[:30]), y[:30])
    by_hand.fit_statistics(by_hand.statistics_ + by_hand.collect(make(X[30:]), y[30:]))
    for model in (batches, by_hand):
        np.testing.assert_allclose(
            model.predict_log_proba(make(X)), whole.predict_log_proba(make(X)), rtol=1e-10
        )


@every_model
@pytest.mark.parametrize("make", [np.asarray, csr_array, pd.DataFrame])
def test_blocks_of_rows_change_nothing(model_class, make, read_in_blocks_of):
    X, y = texts()
    weight = np.arange(60) % 3
    expected = model_class().fit(make(X), y, sample_weight=weight).predict_joint_log_proba(make(X))
    read_in_blocks_of(100)
    blocks = model_class().fit(make(X), y, sample_weight=weight)
    np.testing.assert_allclose(blocks.predict_joint_log_proba(make(X)), expected, rtol=1e-12)


@every_model
def test_a_label_that_comes_too_late_is_reported(model_class):
    X = pd.DataFrame({"sky": ["sun", "rain"]})
    model = model_class().partial_fit(X, [0, 1], classes=[0, 1])
    with pytest.warns(UserWarning, match=r"column 'sky' has labels.*left out: \['fog'\]"):
        model.partial_fit(pd.DataFrame({"sky": ["fog"]}), [0])
    assert model.statistics_.class_counts.tolist() == [2, 1]


@every_model
@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"alpha": -1.0}, ValueError, r"NaiveBayes: alpha must be a number >= 0, got -1\.0"),
        ({"alpha": "1"}, TypeError, "NaiveBayes: alpha must be a number >= 0, got '1'"),
        ({"priors": [0.5]}, ValueError, "priors must be 2 probabilities, one for each class"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be None or an integer other than 0, got 0"),
        ({"missing": "drop"}, ValueError, "NaiveBayes: missing must be one of"),
        (
            {"categorical_features": "some"},
            ValueError,
            "NaiveBayes: categorical_features must be one of",
        ),
    ],
)
def test_bad_parameters(model_class, parameters, error, message):
    with pytest.raises(error, match=message):
        model_class(**parameters).fit(np.array([[1, 0], [0, 1]]), [0, 1])


@every_model
def test_bad_data(model_class):
    for bad, word in ((np.nan, "NaN"), (np.inf, "infinity"), (-np.inf, "infinity")):
        matrix = coo_array(([1.0, bad, 2.0], ([0, 1, 1], [0, 2, 1])), shape=(2, 3))
        with pytest.raises(
            ValueError, match=f"column 'x2' of a sparse matrix must be finite.*{word}"
        ):
            model_class().fit(matrix, [0, 1])
    for frame in (pd.DataFrame({"a": [1.0, np.inf]}), pd.DataFrame({"a": [-np.inf, np.nan]})):
        with pytest.raises(ValueError, match=r"column 'a' must be finite or missing, got -?inf"):
            model_class().fit(frame, [0, 1])
    with pytest.raises(ValueError, match="column 'x0' must be finite or missing, got inf in row 1"):
        model_class().fit(np.array([[1.0], [np.inf]]), [0, 1])
    model = model_class().fit(csr_array([[1, 0], [0, 1]]), [0, 1])
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 2"):
        model.predict(csr_array([[1, 0, 0]]))
    with pytest.raises(ValueError, match="NaiveBayes: categorical_features must be 'from_dtype'"):
        model_class(categorical_features="all").fit(csr_array([[1, 0], [0, 1]]), [0, 1])
    with pytest.raises(TypeError, match="column 'x0' held numbers in fit"):
        model.predict(np.array([["a", "b"]], dtype=object))
