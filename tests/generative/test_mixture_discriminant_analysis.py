"""Mixtures of normals in each class."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQDA
from sklearn.mixture import GaussianMixture

from augury.data.synthetic import make_waveform
from augury.generative import (
    LinearDiscriminantAnalysis,
    MixtureDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
)
from augury.generative.densities.normal_mixtures import (
    COVARIANCES,
    Groups,
    MixtureEstimator,
    WeightedRows,
    maximize,
)
from tests.versions import has_scikit_learn


def table(n=240, seed=0, d=3):
    """Return three classes of two groups each, whose covariances differ."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    group = rng.integers(0, 2, n)
    centers = rng.normal(scale=3, size=(3, 2, d))
    roots = rng.normal(size=(3, 2, d, d))
    noise = np.einsum("nij,nj->ni", roots[y, group], rng.normal(size=(n, d)))
    return centers[y, group] + noise, y


# ---- special cases --------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_one_component_with_a_shared_covariance_is_linear_analysis(seed):
    X, y = table(seed=seed)
    model = MixtureDiscriminantAnalysis(n_components=1).fit(X, y)
    ours = LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(X), ours.predict_joint_log_proba(X), rtol=1e-10, atol=1e-10
    )
    theirs = TheirLDA(solver="lsqr").fit(X, y)
    # Their covariance is that of maximum likelihood, too.
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-10)
    np.testing.assert_allclose(model.means_, theirs.means_, rtol=1e-10)


@pytest.mark.parametrize("covariance_type", ["own", "class"])
def test_one_component_with_own_covariances_is_quadratic_analysis(covariance_type):
    X, y = table()
    model = MixtureDiscriminantAnalysis(
        n_components=1, covariance_type=covariance_type, min_variance=1e-9
    ).fit(X, y)
    ours = QuadraticDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(X), ours.predict_joint_log_proba(X), rtol=1e-10, atol=1e-10
    )
    np.testing.assert_allclose(model.covariances_, ours.covariances_, rtol=1e-9, atol=1e-12)
    if not has_scikit_learn("1.8"):
        pytest.skip("scikit-learn before 1.8 divides covariances by other numbers of rows")
    theirs = TheirQDA().fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-10)


def test_one_diagonal_component_is_gaussian_naive_bayes():
    X, y = table()
    model = MixtureDiscriminantAnalysis(
        n_components=1, covariance_type="diagonal", min_variance=1e-9
    ).fit(X, y)
    plain = NaiveBayes(discretizer=None, alpha=0.0, variance_floor=0.0).fit(X, y)
    n_c = len(y) / 3
    # The variance of naive Bayes is divided by n_c - 1.
    np.testing.assert_allclose(
        model.covariances_.diagonal(axis1=1, axis2=2),
        plain.variance_.T * (n_c - 1) / n_c,
        rtol=1e-10,
    )


# ---- expectation maximisation ---------------------------------------------------------


@pytest.mark.parametrize(
    ("covariance_type", "theirs"), [("own", "full"), ("class", "tied"), ("diagonal", "diag")]
)
def test_the_mixture_of_one_class_is_scikit_learn_s_from_the_same_start(covariance_type, theirs):
    X, _ = table()
    n_iter = 8
    part = np.digitize(X[:, 0], np.quantile(X[:, 0], [1 / 3, 2 / 3]))
    shares = np.eye(3)[part]
    groups = Groups.of(WeightedRows(X, np.zeros(len(X), dtype=int), np.ones(len(X))), 1)
    estimator = MixtureEstimator(
        np.zeros(3, dtype=int), covariance_type, 1e-9 * np.eye(3), np.array([False])
    )
    ours, likelihoods = maximize(groups, [shares], estimator, max_iter=n_iter, tolerance=0.0)
    # Their start is the M-step from the same parts, so they take one iteration less.
    first, _ = maximize(groups, [shares], estimator, max_iter=1, tolerance=0.0)
    covariances = np.array([d.factor @ d.factor.T for d in first.densities])
    precisions = np.linalg.inv(covariances)
    start = {
        "full": precisions,
        "tied": precisions[0],
        "diag": precisions.diagonal(axis1=1, axis2=2),
    }
    mixture = GaussianMixture(
        3,
        covariance_type=theirs,
        tol=0.0,
        reg_covar=0.0,
        max_iter=n_iter - 1,
        weights_init=np.exp(first.log_share),
        means_init=[d.mean for d in first.densities],
        precisions_init=start[theirs],
    )
    with pytest.warns(match="did not converge"):
        mixture.fit(X)
    np.testing.assert_allclose(np.exp(ours.log_share), mixture.weights_, rtol=1e-8)
    np.testing.assert_allclose([d.mean for d in ours.densities], mixture.means_, rtol=1e-7)
    np.testing.assert_allclose(ours.log_density(X, 0), mixture.score_samples(X), rtol=1e-7)
    assert likelihoods[-1] == pytest.approx(mixture.score(X) * len(X), rel=1e-9)


@pytest.mark.parametrize("covariance_type", COVARIANCES)
@pytest.mark.parametrize("min_variance", [1e-3, 0.5])
def test_the_likelihood_never_decreases(covariance_type, min_variance):
    for seed in range(5):
        X, y = table(90, seed, d=4)
        weight = np.random.default_rng(seed).uniform(0.5, 3, len(y))
        model = MixtureDiscriminantAnalysis(
            n_components=4,
            covariance_type=covariance_type,
            min_variance=min_variance,
            n_init=1,
            tol=0.0,
            max_iter=60,
        ).fit(X, y, sample_weight=weight)
        assert model.n_iter_ > 2
        growth = np.diff(model.log_likelihoods_)
        assert growth.min() > -1e-9 * np.abs(model.log_likelihoods_).max()


def test_the_reported_likelihood_is_that_of_the_rows():
    X, y = table()
    model = MixtureDiscriminantAnalysis(tol=0.0, max_iter=200).fit(X, y)
    direct = 0.0
    for k, c in enumerate(model.component_classes_):
        assert model.shares_[model.component_classes_ == c].sum() == pytest.approx(1)
        assert model.covariances_[k] == pytest.approx(model.covariances_[0])
    for row, c in zip(X, y, strict=True):
        terms = [
            model.shares_[k] * multivariate_normal(model.means_[k], model.covariances_[k]).pdf(row)
            for k in np.flatnonzero(model.component_classes_ == c)
        ]
        direct += np.log(sum(terms))
    in_coordinates = model.log_likelihoods_[-1]
    jacobian = -len(y) * np.log(model._whitener.factor.diagonal()).sum()
    assert in_coordinates + jacobian == pytest.approx(direct, rel=1e-6)
    own = model.predict_joint_log_proba(X)[np.arange(len(y)), y] - np.log(1 / 3)
    assert own.sum() == pytest.approx(direct, rel=1e-9)


def test_a_component_does_not_collapse_on_one_row():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(30, 2)), [[50.0, 50.0]], rng.normal(size=(30, 2))])
    y = np.array([0] * 31 + [1] * 30)
    model = MixtureDiscriminantAnalysis(
        n_components=3, covariance_type="own", min_variance=0.05
    ).fit(X, y)
    within = LinearDiscriminantAnalysis().fit(X, y).covariance_
    root = np.linalg.inv(np.linalg.cholesky(within))
    smallest = [np.linalg.eigvalsh(root @ s @ root.T).min() for s in model.covariances_]
    assert min(smallest) == pytest.approx(0.05, rel=1e-6)
    assert np.isfinite(model.predict_joint_log_proba(X)).all()


def test_more_starts_never_have_a_lower_likelihood():
    X, y = table(seed=4)
    found = [
        MixtureDiscriminantAnalysis(4, n_init=n).fit(X, y).log_likelihoods_[-1] for n in (1, 3, 8)
    ]
    assert found == sorted(found)


# ---- number of components -------------------------------------------------------------


@pytest.mark.parametrize("choice", ["bic", "cv"])
def test_the_number_of_components_is_found(choice):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    side = rng.choice([-6.0, 6.0], 300)
    # Both classes have two groups, at opposite corners of a square.
    X = np.column_stack([side, np.where(y == 0, side, -side)]) + rng.normal(size=(300, 2))
    model = MixtureDiscriminantAnalysis(choice, max_components=4).fit(X, y)
    assert model.scores_.shape == (4,)
    assert model.scores_[0] > model.scores_[1]
    if choice == "bic":
        assert model.n_components_.tolist() == [2, 2]
    assert model.score(X, y) > 0.99
    assert LinearDiscriminantAnalysis().fit(X, y).score(X, y) < 0.7


def test_the_criterion_is_scikit_learn_s():
    X, y = table()
    model = MixtureDiscriminantAnalysis("bic", max_components=1, covariance_type="own").fit(X, y)
    theirs = [GaussianMixture(1, reg_covar=0).fit(X[y == c]) for c in range(3)]
    likelihood = sum(mix.score(X[y == c]) * 80 for c, mix in enumerate(theirs))
    n_parameters = sum(mix._n_parameters() for mix in theirs)
    jacobian = -len(y) * np.log(model._whitener.factor.diagonal()).sum()
    expected = -2 * (likelihood - jacobian) + n_parameters * np.log(len(y))
    assert model.scores_[0] == pytest.approx(expected)


def test_a_number_for_each_class_and_at_most_one_for_each_row():
    X, y = table(30)
    model = MixtureDiscriminantAnalysis([1, 2, 3]).fit(X, y)
    assert model.n_components_.tolist() == [1, 2, 3]
    assert MixtureDiscriminantAnalysis(99).fit(X, y).n_components_.tolist() == [10, 10, 10]


# ---- rows, weights and columns --------------------------------------------------------


@pytest.mark.parametrize("covariance_type", COVARIANCES)
@pytest.mark.parametrize("n_components", [2, "cv"])
def test_a_whole_weight_equals_repeated_rows(covariance_type, n_components):
    X, y = table(90)
    weight = np.random.default_rng(1).integers(0, 4, 90)
    order = np.random.default_rng(2).permutation(np.repeat(np.arange(90), weight))
    model = MixtureDiscriminantAnalysis(n_components, 2, covariance_type)
    weighted = model.fit(X, y, sample_weight=weight).predict_log_proba(X)
    longhand = model.fit(X[order], y[order]).predict_log_proba(X)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-6, atol=1e-6)


def test_the_order_of_columns_and_the_names_of_classes_change_nothing():
    X, y = table()
    model = MixtureDiscriminantAnalysis()
    expected = model.fit(X, y).predict_proba(X)
    np.testing.assert_allclose(model.fit(X[:, ::-1], y).predict_proba(X[:, ::-1]), expected)
    np.testing.assert_allclose(model.fit(X, 2 - y).predict_proba(X)[:, ::-1], expected)


def test_units_of_columns_change_no_posterior():
    X, y = table()
    model = MixtureDiscriminantAnalysis()
    plain = model.fit(X, y).predict_proba(X)
    other = X * [1e-6, -3.0, 1e8] + [5.0, 0.0, 1e9]
    np.testing.assert_allclose(model.fit(other, y).predict_proba(other), plain, atol=1e-6)


def test_partial_fit_divides_new_rows_among_the_first_components():
    X, y = table(600)
    first, more = slice(0, 300), slice(300, None)
    model = MixtureDiscriminantAnalysis(2).partial_fit(X[first], y[first], classes=[0, 1, 2])
    assigning = model._assigning
    model.partial_fit(X[more], y[more])
    assert model._assigning is assigning
    assert model.statistics_.weight.sum() == pytest.approx(600)
    # One iteration of expectation maximisation over all rows, from the first mixtures.
    white = model._white(X)
    for c in range(3):
        terms = assigning.log_terms(white[y == c], c)
        share = np.exp(terms - np.logaddexp.reduce(terms, axis=1)[:, None])
        means = share.T @ X[y == c] / share.sum(axis=0)[:, None]
        np.testing.assert_allclose(model.means_[model.component_classes_ == c], means, rtol=1e-8)


def test_a_singular_covariance_within_the_classes():
    X, y = table()
    both = np.column_stack([X, X[:, 0] + X[:, 1]])
    model = MixtureDiscriminantAnalysis().fit(both, y)
    plain = MixtureDiscriminantAnalysis().fit(X, y)
    assert model._whitener.ridge > 0
    assert abs(model.score(both, y) - plain.score(X, y)) < 0.05


def test_a_mixed_frame_with_gaps_and_unseen_labels():
    X, y = table()
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": np.array(["u", "v", "w"])[y]})
    frame.loc[::7, "a"] = np.nan
    model = MixtureDiscriminantAnalysis(2).fit(frame, y)
    assert model.score(frame, y) > 0.9
    later = pd.DataFrame({"a": [np.nan], "b": [0.0], "c": ["unseen"]})
    np.testing.assert_allclose(model.predict_proba(later).sum(), 1)


def test_a_class_without_two_different_rows_has_the_covariance_within_the_classes():
    X, y = table(60)
    rows = np.flatnonzero((y != 2) | (np.arange(60) == 2))
    labels = pd.Categorical.from_codes(y[rows], [0, 1, 2, 3])
    model = MixtureDiscriminantAnalysis(2, covariance_type="own").fit(X[rows], labels)
    within = LinearDiscriminantAnalysis().fit(X[rows], labels).covariance_
    assert model.n_components_.tolist() == [2, 2, 1, 1]
    np.testing.assert_allclose(model.covariances_[4], within, rtol=1e-9)
    np.testing.assert_allclose(model.means_[4], X[2])
    np.testing.assert_allclose(model.means_[5], X[rows].mean(axis=0))
    assert (model.predict_proba(X)[:, 3] < 1e-100).all()


# Hastie and Tibshirani's example, with more test rows, so that few simulations suffice.
def test_mixtures_are_better_on_waveforms():
    rng = np.random.default_rng(1996)
    models = [
        MixtureDiscriminantAnalysis(3),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
    ]
    errors = []
    for _ in range(5):
        train, test = (make_waveform(n, random_state=rng) for n in (300, 3000))
        fitted = [clone(model).fit(train.X, train.y) for model in models]
        errors.append([1 - model.score(test.X, test.y) for model in fitted])
    mixtures, linear, quadratic = np.mean(errors, axis=0)
    assert mixtures < linear - 0.005
    assert linear < quadratic - 0.005


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components must be an integer >= 1, got 0"),
        ({"n_components": "aic"}, "n_components must be one of 'bic', 'cv', got 'aic'"),
        ({"n_components": [1, 2, 3]}, "n_components must be an integer >= 1, 2 of them"),
        ({"covariance_type": "full"}, "covariance_type must be one of 'shared', 'class', "),
        ({"min_variance": 0.0}, "min_variance must be "),
        ({"n_init": 0}, "n_init must be an integer >= 1, got 0"),
        ({"random_state": -1}, "random_state must be an integer >= 0, got -1"),
    ],
)
def test_errors(parameters, message):
    with pytest.raises(ValueError, match=f"MixtureDiscriminantAnalysis: {message}"):
        MixtureDiscriminantAnalysis(**parameters).fit([[0.0], [1.0]], [0, 1])
