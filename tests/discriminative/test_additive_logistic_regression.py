"""Additive logistic regression: splines, penalty, missing values, weights."""

import numpy as np
import pandas as pd
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize

from augury.discriminative import AdditiveLogisticRegression, LogisticRegression
from augury.discriminative.logistic.spline_terms import SplineTerms
from augury.models.build import build_model


def rows(n=400, seed=0):
    """Two numbers with curved log odds, a label, and the probability of class 1."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.uniform(-2, 2, n), "tint": rng.choice(list("xyz"), n)}
    )
    odds = 1.5 * X["a"] ** 2 - 1.5 + np.sin(2 * X["b"]) + (X["tint"] == "x")
    proba = 1 / (1 + np.exp(-odds.to_numpy()))
    return X, (rng.random(n) < proba).astype(int), proba


def test_the_coefficients_minimise_the_penalised_loss():
    X, y, _ = rows(120)
    model = AdditiveLogisticRegression(C=2.0, tol=1e-10).fit(X, y)
    table = model.encoder_.encode(X)
    numbers = model._number_terms(table)
    labels = (table.codes[:, [0]] == np.arange(3)).astype(float)
    matrix = np.column_stack([labels, numbers, np.ones(len(X))])

    def loss(beta):
        scores = matrix @ beta
        return np.sum(np.logaddexp(0, scores) - y * scores) + np.sum(beta[:-1] ** 2) / 4

    found = minimize(loss, np.zeros(matrix.shape[1]), method="BFGS", options={"gtol": 1e-7})
    beta = np.append(model.coef_[1], model.intercept_[1])
    assert loss(beta) <= found.fun + 1e-8
    np.testing.assert_allclose(beta, found.x, atol=1e-4)


def test_curved_log_odds_are_found():
    X, y, proba = rows(5000)
    found = AdditiveLogisticRegression(C=10).fit(X, y).predict_proba(X)[:, 1]
    straight = LogisticRegression(continuous="standardize").fit(X, y).predict_proba(X)[:, 1]
    assert np.abs(found - proba).mean() < 0.03
    assert np.abs(straight - proba).mean() > 0.1


def test_the_terms_span_cubic_splines_with_straight_tails():
    z = np.random.default_rng(0).normal(size=2000)
    terms = SplineTerms.learn(z, None, n_knots=5)
    low, high = terms.knots[0], terms.knots[-1]
    grid = np.linspace(low, high, 200)
    curve = CubicSpline(terms.knots, [0.0, 1.0, -1.0, 2.0, 0.5])(grid)
    design = np.column_stack([terms.expand(grid), np.ones(200)])
    coefficients, *_ = np.linalg.lstsq(design, curve, rcond=None)
    np.testing.assert_allclose(design @ coefficients, curve, atol=1e-6)
    for tail in (np.linspace(high, high + 5, 11), np.linspace(low - 5, low, 11)):
        bends = np.diff(terms.expand(tail), n=2, axis=0)
        np.testing.assert_allclose(bends, 0.0, atol=1e-9)


def test_the_penalty_of_a_curve_is_its_roughness():
    z = np.random.default_rng(0).normal(size=4000)
    terms = SplineTerms.learn(z, None, n_knots=5)
    curves = terms.expand(z)[:, 1:]
    grid = np.linspace(terms.knots[0], terms.knots[-1], 20_001)
    step = grid[1] - grid[0]
    bends = np.diff(terms.expand(grid)[:, 1:], n=2, axis=0) / step**2
    roughness = (bends**2).sum(axis=0) * step
    # A term has the variance 1 / (1 + roughness of the curve of variance 1).
    variance = curves.var(axis=0)
    np.testing.assert_allclose(variance + roughness, 1.0, rtol=2e-3)


def test_a_strong_penalty_gives_the_class_shares_and_a_middle_one_straight_lines():
    X, y, _ = rows()
    flat = AdditiveLogisticRegression(C=1e-8).fit(X, y).predict_proba(X)[:, 1]
    np.testing.assert_allclose(flat, y.mean(), atol=1e-4)
    model = AdditiveLogisticRegression(C=1.0).fit(X, y)
    rough = [abs(model.coef_[1][model.term_names_.index(f"a~{k}")]) for k in (1, 5)]
    assert rough[0] > rough[1]


def test_missing_numbers_have_the_mean_and_a_state_of_their_own():
    X, y, _ = rows()
    X.loc[::4, "a"] = np.nan
    model = AdditiveLogisticRegression().fit(X, y)
    assert any("missing" in name for name in model.term_names_)
    ignoring = AdditiveLogisticRegression(missing="ignore").fit(X, y)
    table = ignoring.encoder_.encode(X)
    n_terms = ignoring._splines[0].n_terms
    assert not ignoring._number_terms(table)[::4, :n_terms].any()
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_column_with_few_values_is_linear():
    X = np.tile([[0.0], [1.0]], (20, 1))
    y = np.tile([0, 1, 1, 1], 10)
    model = AdditiveLogisticRegression(C=1e6).fit(X, y)
    assert model.term_names_ == ["x0"]
    np.testing.assert_allclose(model.predict_proba([[0.0]])[0, 1], 0.5, atol=1e-3)


def test_constant_and_empty_columns():
    X, y, _ = rows()
    wide = X.assign(one=3.0, gone=np.nan)
    found = AdditiveLogisticRegression(missing="ignore").fit(wide, y).predict_proba(wide)
    expected = AdditiveLogisticRegression(missing="ignore").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_whole_weights_are_repeated_rows():
    X, y, _ = rows(200)
    weight = np.random.default_rng(0).integers(0, 4, 200)
    at = np.repeat(np.arange(200), weight)
    weighted = AdditiveLogisticRegression().fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = AdditiveLogisticRegression().fit(X.iloc[at], y[at]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-6)


def test_units_do_not_matter():
    X, y, _ = rows()
    scaled = X.assign(a=1e6 * X["a"] - 3, b=1e-6 * X["b"])
    np.testing.assert_allclose(
        AdditiveLogisticRegression().fit(X, y).predict_proba(X),
        AdditiveLogisticRegression().fit(scaled, y).predict_proba(scaled),
        atol=1e-6,
    )


def test_blocks_of_rows_give_the_same_model(read_in_blocks_of):
    X, y, _ = rows()
    whole = AdditiveLogisticRegression().fit(X, y).predict_proba(X)
    read_in_blocks_of(300)
    np.testing.assert_allclose(AdditiveLogisticRegression().fit(X, y).predict_proba(X), whole, 1e-5)


def test_several_classes_and_a_number_far_outside():
    X, y, _ = rows()
    three = np.where(X["b"] > 1, 2, y)
    model = AdditiveLogisticRegression().fit(X, three)
    far = pd.DataFrame({"a": [1e300, -1e9], "b": [0.0, 1e200], "tint": ["x", "unseen"]})
    proba = model.predict_proba(far)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_knots": 2}, r"AdditiveLogisticRegression: n_knots must be an integer >= 3, got 2"),
        ({"C": 0}, "C must be a number > 0, got 0"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y, _ = rows(20)
    with pytest.raises(ValueError, match=message):
        AdditiveLogisticRegression(**parameters).fit(X, y)


def test_the_name_of_the_command_line():
    assert isinstance(build_model("gam", {}), AdditiveLogisticRegression)
