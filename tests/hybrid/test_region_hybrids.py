"""Hybrids of regions: the likelihoods that they weigh, the weights, and what they read."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack
from scipy.special import log_softmax
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB

from augury.generative import MultinomialNaiveBayes
from augury.hybrid import (
    MaximumEntropyNaiveBayes,
    RegionLogisticRegression,
    RegionWeightedNaiveBayes,
)
from augury.hybrid.regions.region_loss import RegionLoss

HYBRIDS = [RegionWeightedNaiveBayes, MaximumEntropyNaiveBayes]
every_hybrid = pytest.mark.parametrize("hybrid", HYBRIDS)
TITLE, BODY = slice(0, 6), slice(6, 20)
REGIONS = {"title": TITLE, "body": BODY}


def documents(n_rows=60, n_classes=3, seed=0):
    """Short titles that tell the class, long bodies that tell little; a few are empty."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_classes
    title = rng.poisson(0.2 + 1.0 * (np.arange(6) % n_classes == y[:, None]))
    body = rng.poisson(1.0 + 0.4 * (np.arange(14) % n_classes == y[:, None]))
    title[3] = 0
    title[:, 5] = np.arange(n_rows) == 2  # a word that one title has
    body[5] = 0
    title[8], body[8] = 0, 0
    return np.hstack([title, body]), y


def log_likelihoods_without(X, y, n_classes, power, weight=None):
    """Return scaled log p_r(x_r | c) of each row from scikit-learn's models of the others."""
    weight = np.ones(len(y)) if weight is None else weight
    scaled = []
    for columns in (TITLE, BODY):
        likelihood, length = np.zeros((len(y), n_classes)), np.zeros(len(y))
        for i in range(len(y)):
            others = weight.copy()
            others[i] -= min(others[i], 1.0)
            known = (X[others > 0][:, columns] > 0).any(axis=0)
            counts = X[:, columns][:, known]
            peer = MultinomialNB(class_prior=np.full(n_classes, 1 / n_classes))
            peer.partial_fit(counts, y, classes=np.arange(n_classes), sample_weight=others)
            likelihood[i] = counts[i] @ peer.feature_log_prob_.T
            length[i] = counts[i].sum()
        mean = np.average(length[length > 0], weights=weight[length > 0])
        scale = np.where(length > 0, mean / np.maximum(length, 1), 0.0) ** power
        scaled.append(likelihood * scale[:, None])
    return np.stack(scaled, axis=1)


@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize(
    ("model", "power"),
    [
        (RegionWeightedNaiveBayes(REGIONS), 1.0),
        (RegionWeightedNaiveBayes(REGIONS, length_power=0.5), 0.5),
        (MaximumEntropyNaiveBayes(REGIONS), 0.0),
    ],
)
def test_weights_are_the_optimum_over_models_that_have_not_seen_the_row(model, power, C):
    X, y = documents()
    log_likelihoods = log_likelihoods_without(X, y, 3, power)

    def loss(x):
        scores = np.einsum("nrc,r->nc", log_likelihoods, x[:2]) + x[2:]
        own = log_softmax(scores, axis=1)[np.arange(len(y)), y]
        return -own.sum() + ((x[:2] - 1) ** 2).sum() / (2 * C)

    best = minimize(loss, np.r_[1.0, 1.0, 0.0, 0.0, 0.0], method="BFGS", options={"gtol": 1e-7})
    model = clone(model).set_params(C=C, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.region_weights_, best.x[:2], atol=1e-5)
    np.testing.assert_allclose(model.intercept_, best.x[2:] - best.x[2:].mean(), atol=1e-5)


def test_two_classes_are_a_logistic_regression_of_normalised_log_odds():
    X, y = documents(n_rows=200, n_classes=2)
    log_likelihoods = log_likelihoods_without(X, y, 2, power=1.0)
    log_odds = log_likelihoods[:, :, 1] - log_likelihoods[:, :, 0]
    peer = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(log_odds, y)
    model = RegionWeightedNaiveBayes(REGIONS, C=1e9, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.region_weights_, peer.coef_[0], rtol=1e-4)
    np.testing.assert_allclose(np.diff(model.intercept_), peer.intercept_, rtol=1e-4, atol=1e-5)


@every_hybrid
def test_by_class_the_gradient_vanishes_and_it_fits_better(hybrid):
    X, y = documents(n_rows=120)
    power = 1.0 if hybrid is RegionWeightedNaiveBayes else 0.0
    log_likelihoods = log_likelihoods_without(X, y, 3, power)
    shared = hybrid(REGIONS, tol=1e-9).fit(X, y)
    own = hybrid(REGIONS, weights="by_class", tol=1e-9).fit(X, y)
    assert own.region_weights_.shape == (2, 3)
    losses = []
    for model in (shared, own):
        loss = RegionLoss(log_likelihoods, y, None, 1.0, by_class=model is own)
        x = np.concatenate([model.region_weights_.ravel(), model.intercept_])
        losses.append(loss.at(x).value)
        np.testing.assert_allclose(loss.at(x).gradient, 0.0, atol=1e-6)
    assert losses[1] < losses[0]


@pytest.mark.parametrize("by_class", [False, True])
def test_derivatives_of_the_loss(by_class):
    rng = np.random.default_rng(0)
    log_likelihoods, y = rng.normal(size=(30, 2, 3)), rng.integers(0, 3, 30)
    loss = RegionLoss(log_likelihoods, y, rng.random(30), 0.7, by_class=by_class)
    x = loss.start() + rng.normal(size=len(loss.start()))
    step = 1e-6 * np.eye(len(x))
    numeric = [(loss.at(x + h).value - loss.at(x - h).value) / 2e-6 for h in step]
    np.testing.assert_allclose(loss.at(x).gradient, numeric, atol=1e-6)
    changes = [(loss.at(x + h).gradient - loss.at(x - h).gradient) / 2e-6 for h in step]
    np.testing.assert_allclose(loss.at(x).hessian(), changes, atol=1e-6)


@every_hybrid
def test_drawn_hard_to_naive_bayes(hybrid):
    X, y = documents()
    model = hybrid(REGIONS, C=1e-9).fit(X, y)
    np.testing.assert_allclose(model.region_weights_, 1.0, atol=1e-5)


def test_what_a_text_says_is_the_weighted_sum_of_its_regions():
    X, y = documents()
    model = RegionWeightedNaiveBayes(REGIONS).fit(X, y)
    row = X[:1]
    scores = model.intercept_.copy()
    for weight, mean, (name, columns) in zip(
        model.region_weights_, model.mean_lengths_, REGIONS.items(), strict=True
    ):
        part = MultinomialNaiveBayes().fit(X[:, columns], y)
        likelihood = row[0, columns] @ part.log_probability_
        scores += weight * mean / row[0, columns].sum() * likelihood
        np.testing.assert_allclose(model.models_[name].log_probability_, part.log_probability_)
    expected = log_softmax(scores)
    np.testing.assert_allclose(model.predict_log_proba(row)[0], expected)
    np.testing.assert_allclose(model.predict_proba(row)[0], np.exp(expected))
    assert model.predict(row)[0] == model.classes_[expected.argmax()]


@every_hybrid
def test_a_text_without_words_has_the_shares_of_the_classes_left(hybrid):
    X, y = documents()
    model = hybrid(REGIONS).fit(X, y)
    expected = np.exp(log_softmax(model.intercept_))
    np.testing.assert_allclose(model.predict_proba(np.zeros((1, 20)))[0], expected)
    # A region without a word in all the rows says nothing, and harms nothing.
    silent = X.copy()
    silent[:, TITLE] = 0
    told = hybrid(REGIONS).fit(silent, y)
    alone = hybrid().fit(X[:, BODY], y)
    np.testing.assert_allclose(told.predict_proba(silent), alone.predict_proba(X[:, BODY]))
    assert told.region_weights_[0] == 1.0


@every_hybrid
def test_every_form_of_counts_and_of_regions(hybrid):
    X, y = documents()
    expected = hybrid(REGIONS).fit(X, y).predict_proba(X)
    names = [f"w{j}" for j in range(20)]
    frame = pd.DataFrame(X, columns=names)
    mask = np.arange(20) < 6
    for matrix, regions in (
        (X, [range(6), range(6, 20)]),
        (X, {"title": mask, "body": ~mask}),
        (X, [np.arange(6), np.arange(6 - 20, 0)]),
        (csr_array(X), REGIONS),
        (X.astype(float), REGIONS),
        (frame, {"title": names[:6], "body": names[6:]}),
        (pl.from_pandas(frame), REGIONS),
    ):
        model = hybrid(regions).fit(matrix, y)
        np.testing.assert_allclose(model.predict_proba(matrix), expected, atol=1e-9)
    assert hybrid([TITLE, BODY]).fit(X, y).region_names_ == ["region0", "region1"]


@every_hybrid
def test_texts(hybrid):
    frame = pd.DataFrame(
        {
            "title": ["red ball", "red", None, "blue car", "blue", "blue blue"] * 3,
            "body": ["it is a ball", "a ball", "it", "it is a car", "", "a car"] * 3,
        }
    )
    y = ["toy", "toy", "toy", "car", "car", "car"] * 3
    model = hybrid(vectorizer=CountVectorizer()).fit(frame, y)
    words = [CountVectorizer().fit(frame[name].fillna("")) for name in ("title", "body")]
    parts = [w.transform(frame[name].fillna("")) for w, name in zip(words, frame, strict=True)]
    width = parts[0].shape[1]
    by_hand = hybrid([slice(width), slice(width, None)]).fit(hstack(parts, format="csr"), y)
    expected = by_hand.predict_proba(hstack(parts, format="csr"))
    np.testing.assert_allclose(model.predict_proba(frame), expected)
    for other in (pl.from_pandas(frame), frame.to_numpy()):
        again = hybrid(vectorizer=CountVectorizer()).fit(other, y)
        np.testing.assert_allclose(again.predict_proba(other), expected)
    new = pd.DataFrame({"title": ["never seen"], "body": [np.nan]})
    np.testing.assert_allclose(model.predict_proba(new)[0], np.exp(log_softmax(model.intercept_)))
    one = hybrid(vectorizer={"title": TfidfVectorizer()}).fit(frame, y)
    assert one.region_names_ == ["title"]
    assert one.predict(new.assign(title="blue")).tolist() == ["car"]
    assert "ball" in model.vectorizers_["title"].vocabulary_


@every_hybrid
def test_a_class_with_one_row_and_one_with_none(hybrid):
    X, y = documents()
    y = np.array(["a", "b", "c"])[y]
    y[0] = "d"
    declared = pd.Categorical(y, categories=["a", "b", "c", "d", "e"])
    for weights in ("shared", "by_class"):
        model = hybrid(REGIONS, weights=weights).fit(X, declared)
        proba = model.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1.0)
        assert not proba[:, 4].any()
        assert np.isfinite(model.region_weights_).all()
        assert model.score(X, y) > 0.8
    without = hybrid(REGIONS).fit(X, y)
    with_it = hybrid(REGIONS).fit(X, declared)
    np.testing.assert_allclose(with_it.predict_proba(X)[:, :4], without.predict_proba(X))


@every_hybrid
@pytest.mark.parametrize("weights", ["shared", "by_class"])
def test_whole_weights_are_repeated_rows(hybrid, weights):
    X, y = documents()
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    model = hybrid(REGIONS, weights=weights, tol=1e-9)
    weighted = clone(model).fit(X, y, sample_weight=weight)
    repeated = clone(model).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.region_weights_, repeated.region_weights_, atol=1e-6)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-7)


def test_the_weights_of_weighted_rows_are_those_of_models_without_one_of_them():
    X, y = documents()
    weight = np.random.default_rng(2).random(len(y)) * 2
    log_likelihoods = log_likelihoods_without(X, y, 3, 0.0, weight)
    model = MaximumEntropyNaiveBayes(REGIONS, tol=1e-10).fit(X, y, sample_weight=weight)
    loss = RegionLoss(log_likelihoods, y, weight, 1.0, by_class=False)
    found = np.concatenate([model.region_weights_, model.intercept_])
    np.testing.assert_allclose(loss.at(found).gradient, 0.0, atol=1e-7)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "RegionWeightedNaiveBayes: C must be a number > 0, got 0"),
        ({"alpha": -1}, "alpha must be a number >= 0"),
        ({"length_power": -1}, "length_power must be a number >= 0"),
        ({"weights": "each"}, "weights must be one of 'shared', 'by_class', got 'each'"),
        ({"regions": 3}, "regions must be a mapping from names to columns"),
        ({"regions": {}}, "regions must name at least one region"),
        ({"regions": {"a": []}}, r"regions\['a'\] must have columns"),
        ({"regions": {"a": [20]}}, r"regions\['a'\] must be a slice, names, indices or booleans"),
        ({"regions": {"a": ["word"]}}, r"regions\['a'\] must be a slice, names"),
        ({"vectorizer": CountVectorizer()}, "column 'x0' must be text for a vectorizer, got 1"),
        ({"vectorizer": {"title": CountVectorizer()}}, "vectorizer must name columns of X"),
        ({"vectorizer": CountVectorizer(), "regions": [[0]]}, "regions must be None with a"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = documents()
    X[0, 0] = 1
    with pytest.raises((TypeError, ValueError), match=message):
        RegionWeightedNaiveBayes(**parameters).fit(X, y)


def test_bad_rows_name_the_region():
    X, y = documents()
    X[0, 7] = -1
    with pytest.raises(ValueError, match=r"region 'body': .* column 'x1' must be counts >= 0"):
        RegionWeightedNaiveBayes(REGIONS).fit(X, y)
    with pytest.raises(TypeError, match="X must have columns of text"):
        RegionWeightedNaiveBayes(vectorizer=CountVectorizer()).fit(csr_array(np.abs(X)), y)


def test_too_few_steps_are_told():
    X, y = documents()
    with pytest.warns(UserWarning, match="still moving after 1 steps"):
        RegionWeightedNaiveBayes(REGIONS, max_iter=1, tol=1e-9).fit(X, y)


def test_titles_and_dependencies_of_debian_packages(shared_data):
    path = shared_data / "data" / "debian-sections.tsv.gz"
    packages = pd.read_csv(path, sep="\t", keep_default_na=False, quoting=3)
    train, test = packages[:3000], packages[3000:8000]
    assert train["section"].nunique() == 20
    words = {"title": CountVectorizer(), "depends": CountVectorizer(token_pattern=r"\S+")}

    def of(model, columns):
        """Return the accuracy and the log loss of a naive Bayes of some columns."""
        readers = [words[name].fit(train[name]) for name in columns]
        X, new = (
            hstack([r.transform(part[name]) for r, name in zip(readers, columns, strict=True)])
            for part in (train, test)
        )
        return scored(model.fit(X.tocsr(), train["section"]), new.tocsr())

    def scored(model, X):
        return model.score(X, test["section"]), log_loss(test["section"], model.predict_proba(X))

    plain = [of(MultinomialNaiveBayes(), c) for c in (["title"], ["depends"], ["title", "depends"])]
    for hybrid in HYBRIDS:
        model = hybrid(vectorizer=words).fit(train[["title", "depends"]], train["section"])
        accuracy, loss = scored(model, test[["title", "depends"]])
        assert accuracy > max(a for a, _ in plain) + 0.02
        assert loss < min(b for _, b in plain) - 0.2


def test_the_words_of_a_text_are_explained():
    """The contribution of a text is the sum of those of its words, and 0 of absent words."""
    X = pd.DataFrame(
        {
            "title": ["goal", "goal", "goal score", "vote", "vote", "vote law"],
            "body": ["it was so", "so it is", "was it", "it was so", "so it is", "was it"],
        }
    )
    y = ["sport"] * 3 + ["politics"] * 3
    new = pd.DataFrame({"title": ["vote goal vote"], "body": ["so"]}, index=[7])
    for hybrid in (*HYBRIDS, RegionLogisticRegression):
        model = hybrid(vectorizer=CountVectorizer()).fit(X, y)
        explained, words = model.explain(new), model.explain_words(new)
        assert explained.columns.tolist() == ["prior", "title", "body"]
        assert words.columns[1:5].tolist() == [
            f"title={w}" for w in ("goal", "law", "score", "vote")
        ]
        assert words.index.tolist() == [7]
        for region in ("title", "body"):
            own = words.filter(like=f"{region}=").sum(axis=1)
            np.testing.assert_allclose(own, explained[region], atol=1e-12)
        assert (words[["title=law", "body=it"]] == 0).all(axis=None)
        assert words["title=vote"][7] < 0 < words["title=goal"][7], "against sport, and for it"
        log_proba = model.predict_log_proba(new)[0]
        assert words.sum(axis=1)[7] == pytest.approx(log_proba[1] - log_proba[0], abs=1e-9)


def test_words_say_nothing_about_a_class_without_rows():
    y = pd.Categorical([0, 0, 1, 1], categories=[0, 1, 2])
    model = MaximumEntropyNaiveBayes().fit(np.eye(4), y)
    with pytest.raises(ValueError, match=r"explain_words: class .*2.* has no training rows"):
        model.explain_words(np.eye(4), 2, 0)
