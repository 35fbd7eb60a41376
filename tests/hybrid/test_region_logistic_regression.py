"""Logistic regression of words beside what naive Bayes says of the regions."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import log_softmax
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from augury.generative import MultinomialNaiveBayes
from augury.hybrid import RegionLogisticRegression, RegionWeightedNaiveBayes

REGIONS = {"title": slice(0, 4), "body": slice(4, 9)}


def documents(n_rows=45, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % 3
    X = rng.poisson(0.3 + 0.6 * (np.arange(9) % 3 == y[:, None]))
    X[7] = 0
    return X, y


def tfidf(X):
    """Return scikit-learn's tf-idf of log(1 + count)."""
    return TfidfTransformer().fit_transform(csr_array(np.log1p(X))).toarray()


def test_it_is_the_optimum_of_what_is_said():
    X, y = documents()
    log_likelihoods = []
    for columns in REGIONS.values():
        part = MultinomialNaiveBayes(priors=[1 / 3] * 3).fit(X[:, columns], y)
        likelihood, length = part.leave_one_out_events(X[:, columns], y)
        mean = length[length > 0].mean()
        ratio = np.where(length > 0, mean / np.maximum(length, 1), 0)
        log_likelihoods.append(likelihood * np.sqrt(ratio)[:, None])
    z = tfidf(X)

    def loss(x):
        beta, weights, mu = x[:27].reshape(9, 3), x[27:29], x[29:]
        scores = z @ beta + weights[0] * log_likelihoods[0] + weights[1] * log_likelihoods[1] + mu
        own = log_softmax(scores, axis=1)[np.arange(len(y)), y]
        return -own.sum() + (beta**2).sum() / (2 * 3.0) + ((weights - 1) ** 2).sum() / 2

    best = minimize(loss, np.r_[np.zeros(27), 1, 1, 0, 0, 0], method="BFGS", options={"gtol": 1e-6})
    model = RegionLogisticRegression(REGIONS, C=3.0, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.coef_.T, best.x[:27].reshape(9, 3), atol=1e-4)
    np.testing.assert_allclose(model.region_weights_, best.x[27:29], atol=1e-4)
    np.testing.assert_allclose(model.intercept_, best.x[29:] - best.x[29:].mean(), atol=1e-4)


def test_without_words_it_is_the_weighted_regions():
    X, y = documents()
    held = RegionLogisticRegression(REGIONS, C=1e-8, tol=1e-9).fit(X, y)
    regions = RegionWeightedNaiveBayes(REGIONS, length_power=0.5, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(held.predict_proba(X), regions.predict_proba(X), atol=1e-6)


def test_what_a_text_says():
    X, y = documents()
    model = RegionLogisticRegression(REGIONS).fit(X, y)
    peer = TfidfTransformer().fit(csr_array(np.log1p(X)))
    np.testing.assert_allclose(model.idf_, peer.idf_)
    z = peer.transform(csr_array(np.log1p(X[:5]))).toarray()
    weighed = clone(model).set_params(C=1e-8).fit(X, y)
    weighed.region_weights_, weighed.intercept_ = model.region_weights_, model.intercept_
    weighed.coef_ = np.zeros_like(model.coef_)
    expected = log_softmax(weighed.predict_log_proba(X[:5]) + z @ model.coef_.T, axis=1)
    np.testing.assert_allclose(model.predict_log_proba(X[:5]), expected)
    empty = model.predict_log_proba(np.zeros((1, 9)))
    np.testing.assert_allclose(empty[0], log_softmax(model.intercept_))


def test_forms_weights_and_classes_without_rows():
    X, y = documents()
    model = RegionLogisticRegression(REGIONS, tol=1e-8)
    expected = clone(model).fit(X, y).predict_proba(X)
    for form in (csr_array, pd.DataFrame):
        ours = clone(model).fit(form(X), y).predict_proba(form(X))
        np.testing.assert_allclose(ours, expected, atol=1e-6)
    weight = np.random.default_rng(1).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = clone(model).fit(X[rows], y[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)
    declared = pd.Categorical(y, categories=[0, 1, 2, 3])
    proba = clone(model).fit(X, declared).predict_proba(X)
    np.testing.assert_allclose(proba[:, :3], expected, atol=1e-6)
    assert not proba[:, 3].any()


def test_labels_and_gaps_are_events():
    X, y = documents()
    frame = pd.DataFrame(X.astype(float), columns=[f"w{j}" for j in range(9)])
    frame["sky"] = np.array(["sun", "rain", "fog"])[y]
    frame.loc[2, "w1"] = np.nan
    model = RegionLogisticRegression({"words": slice(0, 9), "sky": ["sky"]}).fit(frame, y)
    assert model.score(frame, y) == 1.0
    assert np.isfinite(model.predict_proba(frame.assign(sky="never", w1=np.nan))).all()


def test_too_few_steps_are_told():
    X, y = documents()
    with pytest.warns(UserWarning, match="RegionLogisticRegression: the weights were still moving"):
        RegionLogisticRegression(REGIONS, max_iter=2).fit(X, y)


def test_words_help_where_there_are_a_thousand_packages(shared_data):
    path = shared_data / "data" / "debian-sections.tsv.gz"
    packages = pd.read_csv(path, sep="\t", keep_default_na=False, quoting=3)
    train, test = packages[:1000], packages[1000:4000]
    words = {"title": CountVectorizer(), "depends": CountVectorizer(token_pattern=r"\S+")}
    accuracy, loss = {}, {}
    for model in (
        RegionLogisticRegression(vectorizer=words, tol=1e-4),
        RegionWeightedNaiveBayes(vectorizer=words, length_power=0.5),
    ):
        model.fit(train[["title", "depends"]], train["section"])
        log_proba = model.predict_log_proba(test[["title", "depends"]])
        own = np.searchsorted(model.classes_, test["section"])
        name = type(model).__name__
        accuracy[name] = (log_proba.argmax(axis=1) == own).mean()
        loss[name] = -log_proba[np.arange(len(own)), own].mean()
    assert accuracy["RegionLogisticRegression"] > accuracy["RegionWeightedNaiveBayes"]
    assert loss["RegionLogisticRegression"] < loss["RegionWeightedNaiveBayes"]
