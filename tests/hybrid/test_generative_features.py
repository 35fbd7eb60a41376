"""Class probabilities as columns, for every kind of table."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression as Dense
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from augury.generative import MultinomialNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier, GenerativeFeatures


def mixed(n=90, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    label = rng.choice(["red", "green", "blue"], n)
    y = np.digitize(size + (label == "red") + rng.normal(size=n) / 2, [-0.5, 0.7])
    return pd.DataFrame({"size": size, "label": label}), np.array(["a", "b", "c"])[y]


def words(n=60, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return sparse.csr_array(rng.poisson(0.3 + 0.7 * (np.arange(8) % 2 == y[:, None]))), y


@parametrize_with_checks([GenerativeFeatures(GaussianNB(), scaling="standardize")])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_a_frame_gives_a_frame_of_its_kind():
    X, y = mixed()
    X.index = np.arange(90) * 2
    features = GenerativeFeatures(output="proba").fit(X, y)
    out = features.transform(X)
    expected = NaiveBayes().fit(X, y).predict_proba(X)
    assert list(out.columns) == ["size", "label", "p(a)", "p(b)", "p(c)"]
    assert list(features.get_feature_names_out()) == list(out.columns)
    np.testing.assert_array_equal(out.index, X.index)
    np.testing.assert_allclose(out[["p(a)", "p(b)", "p(c)"]], expected)
    polars = GenerativeFeatures(output="proba").fit_transform(pl.from_pandas(X), y)
    assert isinstance(polars, pl.DataFrame)
    np.testing.assert_allclose(polars["p(b)"].to_numpy(), expected[:, 1])
    alone = GenerativeFeatures(encoding="none", output="proba").fit_transform(pl.from_pandas(X), y)
    assert alone.columns == ["p(a)", "p(b)", "p(c)"]


def test_an_array_gives_an_array():
    X, y = mixed()
    numbers = X[["size"]].to_numpy()
    out = GenerativeFeatures().fit_transform(numbers, y)
    assert out.dtype == np.float64
    np.testing.assert_array_equal(out[:, 0], numbers[:, 0])
    labels = GenerativeFeatures().fit_transform(X.to_numpy(), y)
    assert labels[0, 1] == X["label"][0]
    for encoding, width in (("ordinal", 5), ("onehot", None), ("none", 3)):
        features = GenerativeFeatures(encoding=encoding).fit(X, y)
        out = features.transform(X)
        assert out.shape[1] == len(features.get_feature_names_out())
        assert width is None or out.shape[1] == width


@pytest.mark.parametrize("encoding", ["as_is", "none", "ordinal"])
def test_an_array_gives_an_array_after_a_fit_to_a_frame(encoding):
    X, y = mixed()
    features = GenerativeFeatures(encoding=encoding).fit(X, y)
    with pytest.warns(UserWarning, match="valid feature names"):
        out = features.transform(X.to_numpy())
    assert isinstance(out, np.ndarray)
    np.testing.assert_array_equal(out, np.asarray(features.transform(X)))


def test_set_output():
    X, y = mixed()
    features = GenerativeFeatures(encoding="ordinal", output="log_odds")
    out = features.set_output(transform="pandas").fit_transform(X, y)
    assert list(out.columns) == ["size", "label", "log_odds(a)", "log_odds(b)", "log_odds(c)"]


def test_training_rows_are_asked_as_cv_says():
    X, y = mixed()
    by_folds = GenerativeFeatures(encoding="none", output="proba", cv=5)
    expected = cross_val_predict(NaiveBayes(), X, y, cv=5, method="predict_proba")
    np.testing.assert_allclose(by_folds.fit_transform(X, y), expected)
    one_out = GenerativeFeatures(encoding="none", output="proba", cv="loo")
    model = NaiveBayes().fit(X, y)
    np.testing.assert_allclose(one_out.fit_transform(X, y), model.leave_one_out_proba(X, y))
    # New rows are asked of the model of all rows.
    for features in (by_folds, one_out):
        np.testing.assert_allclose(features.transform(X), model.predict_proba(X))


@pytest.mark.parametrize("cv", [None, "loo"])
def test_rows_without_weight_are_asked_too(cv):
    X, y = mixed()
    weight = np.r_[np.zeros(10), np.ones(80)]
    features = GenerativeFeatures(encoding="none", output="proba", cv=cv)
    out = features.fit_transform(X, y, sample_weight=weight).to_numpy()
    rest = NaiveBayes().fit(X[10:], y[10:])
    np.testing.assert_allclose(out[:10], rest.predict_proba(X[:10]))
    some = rest.predict_proba(X[10:]) if cv is None else rest.leave_one_out_proba(X[10:], y[10:])
    np.testing.assert_allclose(out[10:], some)


@pytest.mark.skipif(
    not get_tags(Dense()).input_tags.sparse,
    reason="this scikit-learn does not state that its linear models take sparse matrices",
)
@pytest.mark.parametrize("cv", [None, "loo", 3])
def test_sparse_stays_sparse(cv):
    X, y = words()
    features = GenerativeFeatures(MultinomialNaiveBayes(), output="proba", cv=cv)
    out = features.fit_transform(X, y)
    assert sparse.issparse(out)
    assert out.shape == (60, 10)
    model = AugmentedClassifier(MultinomialNaiveBayes(), Dense(), output="proba", cv=cv)
    model.fit(X, y)
    by_hand = Dense().fit(out, y)
    np.testing.assert_allclose(model.predict_proba(X), by_hand.predict_proba(features.transform(X)))
    alone = AugmentedClassifier(MultinomialNaiveBayes(), encoding="none", cv=cv).fit(X, y)
    assert alone.score(X, y) > 0.6


def test_sparse_is_refused_where_a_model_cannot_read_it():
    X, y = words()
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        GenerativeFeatures(NaiveBayes()).fit(X, y)
    with pytest.raises(ValueError, match="encoding must be 'as_is' or 'none' for a sparse X"):
        GenerativeFeatures(MultinomialNaiveBayes(), encoding="onehot").fit(X, y)


def test_in_a_pipeline_it_is_the_hybrid():
    X, y = mixed()
    pipeline = make_pipeline(GenerativeFeatures(encoding="onehot"), Dense()).fit(X, y)
    hybrid = AugmentedClassifier(encoding="onehot", final_estimator=Dense(), cv=None).fit(X, y)
    np.testing.assert_allclose(pipeline.predict_proba(X), hybrid.predict_proba(X))


def test_names_of_other_columns_are_refused():
    X, y = mixed()
    features = GenerativeFeatures().fit(X, y)
    with pytest.raises(ValueError, match="not equal to feature_names_in_"):
        features.get_feature_names_out(["a", "b"])
    with pytest.raises(ValueError, match="length equal to number of features"):
        GenerativeFeatures().fit(X.to_numpy(), y).get_feature_names_out(["a"])
