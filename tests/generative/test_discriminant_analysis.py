import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal
from sklearn import discriminant_analysis as peers
from sklearn.datasets import load_digits, load_iris, load_wine

from augury.generative import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from tests.versions import needs_scikit_learn

MODELS = [
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    RegularizedDiscriminantAnalysis(),
    RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.1),
]
divided_alike = needs_scikit_learn("1.8", "it divides covariances by other numbers of rows")
each_model = pytest.mark.parametrize("model", MODELS, ids=str)

MIXED = pd.DataFrame(
    {
        "colour": ["red", "blue", None, "red", "blue", "red", "blue", "red"],
        "size": [1.0, 2.0, np.nan, 9.0, 8.0, 9.5, 1.2, 7.7],
        "flag": [True, False, True, True, False, False, True, False],
    }
)
MIXED_Y = ["a", "a", "a", "b", "b", "b", "a", "b"]


# ---- the documents ------------------------------------------------------------------------


def test_linear_equals_the_formulas_of_the_notes():
    X = np.array([[0.0, 1.0], [2.0, 0.0], [1.0, 2.0], [5.0, 4.0], [6.0, 6.0], [4.0, 6.5]])
    y = np.array([0, 0, 0, 1, 1, 0])
    model = LinearDiscriminantAnalysis().fit(X, y)
    phi = np.mean(y == 1)
    mu0, mu1 = X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)
    deviations = X - np.where(y[:, None] == 1, mu1, mu0)
    sigma = deviations.T @ deviations / len(y)
    np.testing.assert_allclose(model.means_, [mu0, mu1])
    np.testing.assert_allclose(model.covariance_, sigma)
    joint = np.column_stack(
        [
            np.log(1 - phi) + multivariate_normal.logpdf(X, mu0, sigma),
            np.log(phi) + multivariate_normal.logpdf(X, mu1, sigma),
        ]
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-12)
    # Eq. 12: x'a + b = 0 is the border.
    a = np.linalg.solve(sigma, mu1 - mu0)
    b = np.log(phi / (1 - phi)) - (mu1 + mu0) @ a / 2
    np.testing.assert_allclose(model.coef_, [a])
    np.testing.assert_allclose(model.intercept_, [b])
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-(X @ a + b))))


@pytest.mark.parametrize("ddof", [0, 1])
def test_quadratic_equals_scipys_density(ddof):
    X, y = load_iris(return_X_y=True)
    model = QuadraticDiscriminantAnalysis(covariance=["ml", "unbiased"][ddof]).fit(X, y)
    joint = np.log(1 / 3) + np.column_stack(
        [
            multivariate_normal.logpdf(X, X[y == c].mean(axis=0), np.cov(X[y == c].T, ddof=ddof))
            for c in range(3)
        ]
    )
    np.testing.assert_allclose(model.predict_joint_log_proba(X), joint, rtol=1e-10)


def test_equation_17_and_friedmans_sphere():
    X, y = load_iris(return_X_y=True)
    linear = LinearDiscriminantAnalysis().fit(X, y)
    quadratic = QuadraticDiscriminantAnalysis().fit(X, y)
    model = RegularizedDiscriminantAnalysis(alpha=0.3, gamma=0.2).fit(X, y)
    mixed = 0.3 * quadratic.covariances_ + 0.7 * linear.covariance_
    sphere = np.trace(mixed, axis1=1, axis2=2)[:, None, None] / 4 * np.eye(4)
    np.testing.assert_allclose(model.covariances_, 0.8 * mixed + 0.2 * sphere)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
@pytest.mark.parametrize("covariance", ["ml", "unbiased"])
def test_regularized_reaches_linear_and_quadratic(load, covariance):
    X, y = load(return_X_y=True)
    for alpha, end in ((0, LinearDiscriminantAnalysis), (1, QuadraticDiscriminantAnalysis)):
        between = RegularizedDiscriminantAnalysis(alpha=alpha, covariance=covariance).fit(X, y)
        np.testing.assert_allclose(
            between.predict_proba(X),
            end(covariance=covariance).fit(X, y).predict_proba(X),
            atol=1e-12,
        )


# ---- scikit-learn -------------------------------------------------------------------------


@divided_alike
@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
@pytest.mark.parametrize("solver", ["svd", "lsqr"])
def test_linear_equals_scikit_learn(load, solver):
    X, y = load(return_X_y=True)
    peer = peers.LinearDiscriminantAnalysis(solver=solver).fit(X, y)
    ours = LinearDiscriminantAnalysis().fit(X, y)
    assert ours.ridge_ == 0
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-11)
    if solver == "svd":
        np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-7)


@divided_alike
def test_linear_equals_scikit_learn_of_two_classes():
    X, y = load_wine(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    peer = peers.LinearDiscriminantAnalysis().fit(X, y)
    ours = LinearDiscriminantAnalysis().fit(X, y)
    assert ours.coef_.shape == (1, 13)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-9)


@divided_alike
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_quadratic_equals_scikit_learn(load):
    X, y = load(return_X_y=True)
    priors = [0.2, 0.5, 0.3]
    for options in ({}, {"priors": priors}):
        peer = peers.QuadraticDiscriminantAnalysis(**options).fit(X, y)
        ours = QuadraticDiscriminantAnalysis(**options).fit(X, y)
        np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-11)


@divided_alike
def test_shrinkage_equals_scikit_learn_on_digits():
    # scikit-learn's quadratic analysis refuses digits without shrinkage, its covariances
    # being singular; and it shrinks constant columns too.
    X, y = load_digits(return_X_y=True)
    X = X[:, X.std(axis=0) > 0]
    peer = peers.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.1).fit(X, y)
    ours = RegularizedDiscriminantAnalysis(alpha=1, gamma=0.1).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-11)
    peer = peers.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1).fit(X, y)
    ours = RegularizedDiscriminantAnalysis(alpha=0, gamma=0.1).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-11)


# ---- logistic form and explanation --------------------------------------------------------


def test_explanation_by_hand():
    # Means 1 and 5 about 3, variance 1: slope 4, even prior.
    model = LinearDiscriminantAnalysis().fit([[0.0], [2.0], [4.0], [6.0]], [0, 0, 1, 1])
    explained = model.explain([[3.5], [3.0]])
    assert explained.columns.tolist() == ["prior", "x0"]
    np.testing.assert_allclose(explained, [[0, 2], [0, 0]], atol=1e-12)


def test_explanation_sums_to_the_log_odds_and_joins_indicators():
    new = pd.concat([MIXED, MIXED.assign(colour="green", size=np.nan)])
    for missing in ("state", "ignore"):
        model = LinearDiscriminantAnalysis(missing=missing).fit(MIXED, MIXED_Y)
        explained = model.explain(new)
        assert explained.columns.tolist() == ["prior", *MIXED.columns]
        proba = model.predict_log_proba(new)
        np.testing.assert_allclose(explained.sum(axis=1), proba[:, 1] - proba[:, 0], rtol=1e-9)
        # A missing number has the term of its indicator, and none without an indicator.
        is_zero = np.abs(explained["size"][len(MIXED) :]) < 1e-9
        assert is_zero.all() if missing == "ignore" else not is_zero.any()


# ---- mixed and awkward tables -------------------------------------------------------------


@each_model
@pytest.mark.parametrize("missing", ["state", "replace", "ignore"])
def test_mixed_frame_with_gaps_strings_and_unseen_labels(model, missing):
    new = pd.DataFrame({"colour": ["green", None], "size": [np.nan, 3.0], "flag": [True, False]})
    model = model.set_params(missing=missing).fit(MIXED, MIXED_Y)
    np.testing.assert_allclose(model.predict_proba(new).sum(axis=1), 1)
    assert (model.predict(MIXED) == MIXED_Y).all()
    model.set_params(missing="state")


def test_what_is_unknown_takes_the_mean_of_its_column():
    model = LinearDiscriminantAnalysis(missing="ignore").fit(MIXED, MIXED_Y)
    assert model.column_names_ == ("size", "colour=blue", "flag=True")
    np.testing.assert_allclose(model.fill_values_, [MIXED["size"].mean(), 3 / 7, 1 / 2])
    row = pd.DataFrame({"colour": ["green"], "size": [np.nan], "flag": [True]})
    known = model._numbers(model._read(row))
    np.testing.assert_allclose(known, [[MIXED["size"].mean(), 3 / 7, 1]])


def test_the_choice_of_a_reference_does_not_matter():
    X = pd.DataFrame({"c": list("abcabcabca"), "x": np.arange(10.0) % 4})
    y = [0, 0, 1, 0, 1, 1, 0, 1, 1, 0]
    expected = LinearDiscriminantAnalysis().fit(X, y).predict_proba(X)
    dummies = pd.get_dummies(X, columns=["c"], dtype=float).drop(columns="c_b")
    peer = peers.LinearDiscriminantAnalysis(solver="lsqr").fit(dummies, y)
    np.testing.assert_allclose(expected, peer.predict_proba(dummies), atol=1e-10)


@each_model
def test_a_declared_class_without_rows(model):
    X, y = load_iris(return_X_y=True)
    y = pd.Categorical.from_codes(y, [0, 1, 2, 3])
    proba = model.fit(X, y).predict_proba(X)
    assert proba.shape == (150, 4)
    assert (proba[:, 3] < 1e-200).all()
    np.testing.assert_allclose(model.means_[3], X.mean(axis=0))
    even = model.set_params(priors=[0.25] * 4).fit(X, y).predict_proba(X)
    model.set_params(priors=None)
    assert (even[:, 3] > 1e-200).any()


def test_a_class_with_equal_rows_takes_the_shared_covariance():
    X = np.array([[0.0], [2.0], [5.0], [5.0]])
    for covariance, shared in (("ml", 0.5), ("unbiased", 1.0)):
        model = QuadraticDiscriminantAnalysis(covariance=covariance).fit(X, [0, 0, 1, 1])
        np.testing.assert_allclose(model.covariances_[1], [[shared]])


@each_model
def test_a_constant_column_says_nothing(model):
    X, y = load_iris(return_X_y=True)
    expected = model.fit(X, y).predict_proba(X)
    with_it = np.insert(X, 2, 0.1, axis=1)
    model.fit(with_it, y)
    np.testing.assert_allclose(model.predict_proba(with_it), expected, atol=1e-12)
    with_it[:, 2] = 99
    np.testing.assert_allclose(model.predict_proba(with_it), expected, atol=1e-12)


@each_model
def test_nothing_but_a_constant_column_leaves_the_prior(model):
    X, y = np.ones((4, 1)), [0, 0, 0, 1]
    np.testing.assert_allclose(model.fit(X, y).predict_proba(X), [[0.75, 0.25]] * 4)
    labels = pd.DataFrame({"only": ["a"] * 4})
    np.testing.assert_allclose(model.fit(labels, y).predict_proba(labels), [[0.75, 0.25]] * 4)


@each_model
def test_a_column_that_gives_the_class_away(model):
    X = np.column_stack([np.repeat([0.0, 1.0], 10), np.random.default_rng(0).normal(size=20)])
    y = np.repeat([0, 1], 10)
    proba = model.fit(X, y).predict_proba(X)
    assert (proba.argmax(axis=1) == y).all()
    assert np.isfinite(proba).all()
    assert np.max(model.ridge_) > 0 or model.gamma > 0


@each_model
def test_dependent_columns_need_a_ridge_and_units_do_not_matter(model):
    X, y = load_iris(return_X_y=True)
    twice = np.column_stack([X, X.sum(axis=1)])
    model = model.fit(twice, y)
    assert np.max(model.ridge_) == (0 if getattr(model, "gamma", 0) else model.ridge)
    assert (model.predict(twice) == y).mean() > 0.95
    if not hasattr(model, "alpha"):  # a sphere has units, and folds follow the numbers
        scale = np.array([1e6, 1, 1e-6, 1, 1e3])
        other = model.predict_proba(twice)
        np.testing.assert_allclose(
            model.fit(twice * scale, y).predict_proba(twice * scale), other, atol=1e-8
        )


def test_a_small_ridge_on_a_dependent_column_changes_little():
    X, y = load_iris(return_X_y=True)
    twice = np.column_stack([X, X.sum(axis=1)])
    expected = LinearDiscriminantAnalysis().fit(X, y).predict_proba(X)
    model = LinearDiscriminantAnalysis(ridge=1e-8).fit(twice, y)
    np.testing.assert_allclose(model.predict_proba(twice), expected, atol=1e-4)
    assert np.isfinite(LinearDiscriminantAnalysis(ridge=0).fit(twice, y).coef_).all()


@each_model
def test_two_rows(model):
    proba = model.fit([[0.0, 1.0], [2.0, 1.0]], ["a", "b"]).predict_proba([[0, 1], [1, 1], [2, 1]])
    np.testing.assert_allclose(proba[1], [0.5, 0.5])
    assert proba[0, 0] > 0.5 > proba[2, 0]


@each_model
def test_one_column_of_labels(model):
    X = pd.DataFrame({"c": list("aabbaabb")})
    model.fit(X, [0, 0, 1, 1, 0, 1, 1, 0])
    assert model.predict(pd.DataFrame({"c": ["a", "b", "z"]})).shape == (3,)


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.1),
    ],
    ids=str,
)
def test_five_thousand_columns_of_twenty_rows(model):
    rng = np.random.default_rng(0)
    y = np.arange(20) % 2
    X = rng.normal(size=(20, 5000)) + 0.3 * y[:, None]
    assert (model.fit(X, y).predict(X) == y).all()
    new = rng.normal(size=(20, 5000)) + 0.3 * y[:, None]
    assert np.isfinite(model.predict_joint_log_proba(new)).all()
    del model.statistics_  # half a gigabyte, and pytest keeps the model


# ---- statistics ---------------------------------------------------------------------------


@each_model
def test_partial_fit_equals_fit(model):
    X, y = load_wine(return_X_y=True)
    expected = model.fit(X, y).predict_joint_log_proba(X)
    if getattr(model, "alpha", None) == "cv":
        model = RegularizedDiscriminantAnalysis(alpha=model.alpha_)
    order = np.random.default_rng(0).permutation(len(y))
    parts = type(model)(**model.get_params())
    for rows in np.array_split(order, 3):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.predict_joint_log_proba(X), expected, rtol=1e-8)


def test_statistics_of_other_rows_merge():
    X, y = load_iris(return_X_y=True)
    whole = QuadraticDiscriminantAnalysis().fit(X, y)
    half = QuadraticDiscriminantAnalysis().fit(X[::2], y[::2])
    merged = half.fit_statistics(half.statistics_ + half.collect(X[1::2], y[1::2]))
    np.testing.assert_allclose(merged.predict_proba(X), whole.predict_proba(X), atol=1e-10)


@each_model
def test_rows_in_blocks_equal_rows_at_once(model, read_in_blocks_of):
    expected = model.fit(MIXED, MIXED_Y).predict_joint_log_proba(MIXED)
    read_in_blocks_of(3 * len(MIXED.columns))
    blocked = model.fit(MIXED, MIXED_Y).predict_joint_log_proba(MIXED)
    np.testing.assert_allclose(blocked, expected, rtol=1e-9)


@each_model
def test_survives_pickling(model):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


# ---- choosing alpha -----------------------------------------------------------------------


def two_shapes(n, seed, same):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, 6))
    X[y == 1] = X[y == 1] * (1 if same else [4, 0.2, 1, 1, 1, 1]) + 1
    return X, y


@pytest.mark.parametrize("scoring", ["log_loss", "accuracy"])
def test_cross_validation_finds_shared_and_own_covariances(scoring):
    model = RegularizedDiscriminantAnalysis(scoring=scoring)
    own = model.fit(*two_shapes(400, 0, same=False))
    assert own.alpha_ > 0.6
    shared = RegularizedDiscriminantAnalysis().fit(*two_shapes(60, 0, same=True))
    assert shared.alpha_ < 0.6
    assert len(shared.scores_) == 11
    best = shared.scores_[shared.alphas_ == shared.alpha_]
    np.testing.assert_allclose(best, shared.scores_.min())


def test_the_grids_scores_are_those_of_cross_validation():
    X, y = two_shapes(90, 1, same=False)
    model = RegularizedDiscriminantAnalysis(alphas=[1.0, 0.0, 0.5], n_folds=3).fit(X, y)
    assert model.alphas_.tolist() == [0, 0.5, 1]
    table = model.encoder_.transform(X)

    class Rows(list):
        pass

    training = Rows([(table, y, None)])
    training.y = y
    folds = model._folds(training)
    assert np.bincount(folds).tolist() == [30, 30, 30]
    for alpha, score in zip(model.alphas_, model.scores_, strict=True):
        loss = 0.0
        for fold in range(3):
            test = folds == fold
            part = RegularizedDiscriminantAnalysis(alpha=alpha).fit(X[~test], y[~test])
            loss -= part.predict_log_proba(X[test])[np.arange(test.sum()), y[test]].sum()
        np.testing.assert_allclose(score, loss / 90)


def test_equal_rows_share_a_fold_in_any_order():
    X, y = two_shapes(60, 2, same=False)
    X[::7, 0] = np.nan
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(60), 3))
    for missing in ("state", "replace", "ignore"):
        model = RegularizedDiscriminantAnalysis(missing=missing)
        expected, alpha = model.fit(X, y).scores_, model.alpha_
        again = model.fit(X[order], y[order])
        np.testing.assert_allclose(again.scores_, expected, rtol=1e-6)
        assert again.alpha_ == alpha


# ---- messages -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            LinearDiscriminantAnalysis(covariance="map"),
            "covariance must be one of 'ml', 'unbiased'",
        ),
        (QuadraticDiscriminantAnalysis(ridge=-1), "ridge must be a number >= 0, got -1"),
        (QuadraticDiscriminantAnalysis(priors=[0.5, 0.2, 0.2]), "priors must be non-negative and"),
        (LinearDiscriminantAnalysis(missing="drop"), "missing must be one of"),
        (RegularizedDiscriminantAnalysis(alpha=1.5), "alpha must be 'cv' or a number from 0 to 1"),
        (RegularizedDiscriminantAnalysis(alpha="auto"), "alpha must be 'cv' .*, got 'auto'"),
        (RegularizedDiscriminantAnalysis(gamma=-0.1), "gamma must be a number from 0 to 1, got"),
        (RegularizedDiscriminantAnalysis(alphas=[0, 2]), "alphas must be numbers from 0 to 1"),
        (RegularizedDiscriminantAnalysis(alphas=[]), "alphas must be numbers from 0 to 1"),
        (RegularizedDiscriminantAnalysis(n_folds=1), "n_folds must be an integer >= 2, got 1"),
        (RegularizedDiscriminantAnalysis(scoring="auc"), "scoring must be one of 'log_loss'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_parameters(model, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


@pytest.mark.parametrize("size", [1e160, 1e200])
def test_numbers_too_large_to_square_are_refused_and_not_searched_for_ever(size):
    X = np.random.default_rng(0).normal(size=(40, 2)) * size
    for model in (LinearDiscriminantAnalysis(), RegularizedDiscriminantAnalysis(alpha=0.5)):
        with pytest.raises(ValueError, match="column 'x0' must hold numbers whose squares"):
            model.fit(X, np.arange(40) % 2)


def test_far_away_rows_have_probabilities():
    X = np.random.default_rng(0).normal(size=(40, 2))
    for model in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        proba = model.fit(X, np.arange(40) % 2).predict_proba(X[:3] * 1e200)
        np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_a_grid_that_is_none_is_refused():
    with pytest.raises(TypeError, match="alphas must be numbers from 0 to 1, got 'x'"):
        RegularizedDiscriminantAnalysis(alphas="x").fit([[0.0], [1.0]], [0, 1])
