"""Naive Bayes with kernel densities: widths, sums over rows, weights, batches, leave-one-out."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp
from scipy.stats import gaussian_kde, norm

from augury.generative import NaiveBayes
from augury.models.build import build_model
from augury.persist import load_model, save_model


def two_classes(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    X = np.column_stack([rng.normal(size=n) + y, rng.lognormal(size=n) * (1 + y)])
    return X, y


def joint_by_rows(X, y, x, width, weight=None):
    """Return Σ_j log Σ_i w_i φ((x - x_i) / h) / (h Σ w), with a flat prior, row by row."""
    weight = np.ones(len(y)) if weight is None else weight
    joint = np.zeros((len(x), width.shape[1]))
    for k in range(width.shape[1]):
        own = y == k
        for j in range(X.shape[1]):
            kernels = norm.logpdf(x[:, [j]], X[own, j], width[j, k])
            joint[:, k] += logsumexp(kernels, b=weight[own] / weight[own].sum(), axis=1)
    return joint - np.log(width.shape[1])


@pytest.mark.parametrize("bandwidth", ["silverman", "weka", 0.3])
@pytest.mark.parametrize("n", [300, 80_000])
def test_the_joint_is_a_sum_over_all_rows(bandwidth, n):
    X, y = two_classes(n)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, n)
    model = NaiveBayes(continuous="kernel", bandwidth=bandwidth, priors=[0.5, 0.5])
    model.fit(X, y, sample_weight=weight)
    x = two_classes(100, seed=5)[0]
    expected = joint_by_rows(X, y, x, model.width_, weight)
    np.testing.assert_allclose(model.predict_joint_log_proba(x), expected, atol=1e-6, rtol=0)


def test_a_number_is_the_factor_of_scipy():
    X, y = two_classes()
    model = NaiveBayes(continuous="kernel", bandwidth=0.4, priors=[0.5, 0.5]).fit(X[:, :1], y)
    x = np.linspace(-3, 4, 50)
    expected = [gaussian_kde(X[y == k, 0], bw_method=0.4).logpdf(x) for k in range(2)]
    found = model.predict_joint_log_proba(x[:, None])
    np.testing.assert_allclose(found, np.transpose(expected) + np.log(0.5), atol=1e-6)


@pytest.mark.parametrize("n", [300, 80_000])
def test_silvermans_width(n):
    X, y = two_classes(n)
    model = NaiveBayes(continuous="kernel").fit(X, y)
    for j in range(2):
        for k in range(2):
            own = X[y == k, j]
            first, third = np.quantile(own, [0.25, 0.75], method="inverted_cdf")
            spread = min(own.std(ddof=1), (third - first) / 1.34)
            expected = 0.9 * spread * len(own) ** -0.2
            # A quartile of merged values is the mean of its bin.
            rel = 1e-12 if n == 300 else 1e-3
            assert model.width_[j, k] == pytest.approx(expected, rel=rel)


def weka_probability(values, x, precision):
    """Return KernelEstimator.getProbability of weka.estimators, with all kernels added."""
    values = np.rint(values / precision) * precision
    deviation = max(np.ptp(values) / np.sqrt(len(values)), precision / 6)
    z = (values[:, None] - x) / deviation
    half = precision / 2 / deviation
    return (norm.cdf(z + half) - norm.cdf(z - half)).mean(axis=0)


def test_wekas_width_and_probabilities():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 1)), rng.integers(0, 2, 3000)
    model = NaiveBayes(continuous="kernel", bandwidth="weka", priors=[0.5, 0.5]).fit(X, y)
    distinct = np.unique(X)
    precision = np.diff(distinct).mean()
    x = np.linspace(-3, 3, 61)
    found = np.exp(model.predict_joint_log_proba(x[:, None])) * 2
    for k in range(2):
        own = X[y == k, 0]
        expected = max(np.ptp(own) / np.sqrt(len(own)), precision / 6)
        assert model.width_[0, k] == pytest.approx(expected, rel=1e-12)
        # WEKA has the probability of an interval of the length of the precision, and rounds the
        # values to the precision, a thirtieth of the width here.
        np.testing.assert_allclose(
            found[:, k] * precision, weka_probability(own, x, precision), rtol=0.01
        )


def test_wekas_lower_bound_by_the_precision():
    X, y = [[0.0], [0.0], [0.0], [3.0], [9.0]], [0, 0, 0, 1, 1]
    model = NaiveBayes(continuous="kernel", bandwidth="weka").fit(X, y)
    # Precision (9 - 0) / 2; class 0 has one distinct value.
    np.testing.assert_allclose(model.width_, [[4.5 / 6, 6 / np.sqrt(2)]])


def test_half_of_a_class_at_one_value_has_the_standard_deviation():
    X, y = [[0.0], [0.0], [0.0], [0.0], [8.0], [1.0], [2.0]], [0, 0, 0, 0, 0, 1, 1]
    model = NaiveBayes(continuous="kernel").fit(X, y)
    deviation = np.std([0, 0, 0, 0, 8], ddof=1)
    assert model.width_[0, 0] == pytest.approx(0.9 * deviation * 5**-0.2)


def test_a_narrow_class_has_the_floor():
    X = np.concatenate([np.full(50, 3.0), np.linspace(0, 10, 50)])[:, None]
    y = np.repeat([0, 1], 50)
    model = NaiveBayes(continuous="kernel", variance_floor=0.04).fit(X, y)
    assert model.width_[0, 0] == pytest.approx(0.9 * 0.2 * X.std(ddof=1) * 50**-0.2)


def test_a_constant_column_contributes_nothing():
    X, y = two_classes()
    constant = np.column_stack([X, np.full(len(X), 0.1)])
    for bandwidth in ("silverman", "weka", 0.5):
        model = NaiveBayes(continuous="kernel", bandwidth=bandwidth)
        expected = model.fit(X, y).predict_proba(X)
        found = model.fit(constant, y).predict_proba(constant)
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        elsewhere = np.column_stack([X, np.full(len(X), 7.0)])
        np.testing.assert_allclose(model.predict_proba(elsewhere), expected, rtol=1e-9)


def test_missing_numbers_are_left_out():
    X, y = two_classes()
    gaps = X.copy()
    gaps[::3, 1] = np.nan
    model = NaiveBayes(continuous="kernel", missing="ignore", priors=[0.5, 0.5]).fit(gaps, y)
    rows = np.array([[0.5, np.nan]])
    alone = NaiveBayes(continuous="kernel", priors=[0.5, 0.5]).fit(X[:, :1], y)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(rows), alone.predict_joint_log_proba(rows[:, :1])
    )
    there = ~np.isnan(gaps[:, 1])
    second = NaiveBayes(continuous="kernel").fit(gaps[there, 1:], y[there])
    np.testing.assert_allclose(model.width_[1], second.width_[0], rtol=1e-12)


def test_classes_with_one_row_or_none():
    X = np.array([[0.0], [1.0], [2.0], [5.0]])
    y = pd.Categorical(["a", "a", "a", "b"], categories=["a", "b", "never"])
    model = NaiveBayes(continuous="kernel", priors=[0.4, 0.3, 0.3]).fit(X, y)
    deviation = X.std(ddof=1)
    assert model.width_[0, 1] == pytest.approx(0.9 * deviation)  # of the whole column
    joint = model.predict_joint_log_proba([[4.0]])[0]
    first, third = 0.0, 2.0  # quartiles of all four rows
    pooled = 0.9 * min(deviation, (third - first) / 1.34) * 4**-0.2
    expected = norm.pdf(4.0, X[:, 0], pooled).mean()
    assert joint[2] == pytest.approx(np.log(0.3 * expected), abs=1e-6)


@pytest.mark.parametrize("scale", [1e-120, 1e-30, 1.0, 1e30, 1e120])
def test_units_do_not_matter(scale):
    X, y = two_classes()
    for bandwidth in ("silverman", "weka", 0.5):
        model = NaiveBayes(continuous="kernel", bandwidth=bandwidth)
        expected = model.fit(X, y).predict_proba(X)
        np.testing.assert_allclose(model.fit(X * scale, y).predict_proba(X * scale), expected, 1e-6)


def test_rows_far_from_all_others():
    X, y = two_classes()
    model = NaiveBayes(continuous="kernel").fit(X, y)
    proba = model.predict_proba([[1e9, 1.0], [-1e300, 1e300], [1e308, -1e308]])
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)


def test_numbers_that_are_too_large_are_named():
    X = pd.DataFrame({"fine": [1.0, 2.0, 3.0], "vast": [1e300, -1e300, 1.0]})
    with pytest.raises(ValueError, match="column 'vast' must hold numbers whose squares"):
        NaiveBayes(continuous="kernel").fit(X, [0, 1, 1])


@pytest.mark.parametrize("n", [400, 90_000])
def test_batches_give_what_fit_gives(n):
    X, y = two_classes(n)
    weight = np.random.default_rng(2).uniform(0.5, 2.0, n)
    whole = NaiveBayes(continuous="kernel").fit(X, y, sample_weight=weight)
    batches = NaiveBayes(continuous="kernel")
    for rows in np.array_split(np.random.default_rng(3).permutation(n), 7):
        batches.partial_fit(X[rows], y[rows], classes=[0, 1], sample_weight=weight[rows])
    np.testing.assert_allclose(batches.width_, whole.width_, rtol=1e-10)
    np.testing.assert_allclose(
        batches.predict_joint_log_proba(X[:300]), whole.predict_joint_log_proba(X[:300]), rtol=1e-8
    )


def test_statistics_with_and_without_values_do_not_add():
    X, y = two_classes()
    with_values = NaiveBayes(continuous="kernel").fit(X, y)
    without = NaiveBayes(continuous="gaussian").fit(X, y)
    with pytest.raises(ValueError, match="both or neither of them have values"):
        with_values.fit_statistics(without.statistics_)


def test_contributions_sum_to_the_log_odds():
    X, y = two_classes()
    model = NaiveBayes(continuous="kernel").fit(X, y)
    joint = model.predict_joint_log_proba(X)
    total = model.explain(X).sum(axis=1)
    np.testing.assert_allclose(total, joint[:, 1] - joint[:, 0], rtol=1e-9, atol=1e-9)


def test_a_file_keeps_merged_values(tmp_path):
    X, y = two_classes(90_000)
    model = NaiveBayes(continuous="kernel").fit(X, y)
    save_model(model, tmp_path / "kernel.augury", X=X, target="class")
    loaded = load_model(tmp_path / "kernel.augury").model
    np.testing.assert_array_equal(loaded.predict_proba(X[:50]), model.predict_proba(X[:50]))
    more = two_classes(1000, seed=9)
    np.testing.assert_allclose(
        loaded.partial_fit(*more).predict_proba(X[:50]),
        model.partial_fit(*more).predict_proba(X[:50]),
    )


def test_the_name_of_the_command_line():
    model = build_model("kernel-nb", {})
    assert isinstance(model, NaiveBayes)
    assert model.continuous == "kernel"


# ---- leave-one-out ------------------------------------------------------------------------


def mixed(n=40):
    """Numbers with gaps, ties and an outlier; class "c" has one row, "never" has none."""
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b"], n)
    y[n // 2] = "c"
    size = rng.normal(size=n) + (y == "a")
    size[3] = 1e4
    size[[5, 6]] = np.nan
    frame = pd.DataFrame(
        {"size": size, "grade": rng.integers(0, 4, n) * 1.0, "tint": rng.choice(list("xyz"), n)}
    )
    return frame, pd.Categorical(y, categories=["a", "b", "c", "never"])


@pytest.mark.parametrize("bandwidth", ["silverman", "weka", 0.5])
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
def test_a_row_left_out_is_a_refit_without_it_at_the_same_widths(bandwidth, weights):
    X, y = mixed()
    rng = np.random.default_rng(1)
    weight = {
        "none": None,
        "whole": rng.integers(1, 4, len(X)).astype(float),
        "fractions": rng.uniform(0.2, 2.0, len(X)),
    }[weights]
    model = NaiveBayes(continuous="kernel", bandwidth=bandwidth).fit(X, y, weight)
    proba = model.leave_one_out_proba(X, y, weight)
    training = model.read_training(X, y, weight)
    heavy = np.ones(len(X)) if weight is None else weight
    for i in range(len(X)):
        without = heavy.copy()
        without[i] -= min(heavy[i], 1.0)
        others = NaiveBayes(continuous="kernel", bandwidth=bandwidth)
        others.fit_read(training.reweighted(without))
        others.width_, others._pooled_width = model.width_, model._pooled_width
        expected = others.predict_proba(X.iloc[[i]])[0]
        np.testing.assert_allclose(proba[i], expected, rtol=1e-5, atol=1e-9)


def test_a_row_that_was_not_fitted_is_refused():
    X, y = mixed()
    model = NaiveBayes(continuous="kernel").fit(X, y)
    with pytest.raises(ValueError, match="rows that the model was fitted to, got another in row 1"):
        model.leave_one_out_proba(X.iloc[:2], ["b", "never"])
    other = X.iloc[:1].assign(size=0.123456)
    with pytest.raises(ValueError, match="got another in row 0"):
        model.leave_one_out_proba(other, y[:1])
