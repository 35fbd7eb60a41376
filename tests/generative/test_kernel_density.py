"""Kernel densities against direct sums over all rows, scipy and scikit-learn."""

import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity as SklearnKernelDensity

from augury.counts.class_values import UNMERGED, Values
from augury.generative.densities.kernel_density import KernelDensity


def direct(x, rows, weight, width):
    """Return the log density as a sum over all rows."""
    result = np.empty(len(x))
    for i, number in enumerate(x):
        z = (number - rows) / width
        result[i] = logsumexp(-0.5 * z**2, b=weight)
    return result - np.log(width * np.sqrt(2 * np.pi) * weight.sum())


def tables(rng):
    """Rows of several shapes; the first few have fewer distinct values than are kept."""
    return {
        "one row": rng.normal(size=1),
        "few rows": rng.normal(size=30),
        "rows": rng.normal(size=3000),
        "whole numbers": rng.integers(0, 12, 2000).astype(float),
        "far groups": np.concatenate([rng.normal(size=60), 1e3 + rng.normal(size=40)]),
        "far from zero": 1e9 + rng.normal(size=500),
        "tiny": 1e-120 * rng.normal(size=500),
        "huge": 1e120 * rng.normal(size=500),
        "many rows": rng.normal(size=150_000),
        "many, heavy tails": rng.standard_cauchy(150_000),
        "many, skewed": rng.lognormal(sigma=1.5, size=150_000),
        "many, two groups": np.concatenate(
            [rng.normal(size=100_000), 4 + 0.2 * rng.normal(size=50_000)]
        ),
    }


SHAPES = list(tables(np.random.default_rng(0)))


def silverman(rows):
    first, third = np.quantile(rows, [0.25, 0.75])
    spread = min(rows.std(), (third - first) / 1.34)
    return 0.9 * (spread if spread > 0 else 1.0) * len(rows) ** -0.2


@pytest.mark.parametrize("rule", ["silverman", "weka"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_log_density_equals_the_direct_sum(shape, weighted, rule):
    rng = np.random.default_rng(7)
    rows = tables(rng)[shape]
    weight = rng.uniform(0.1, 3.0, len(rows)) if weighted else np.ones(len(rows))
    width = silverman(rows) if rule == "silverman" else max(np.ptp(rows), 0.1) / len(rows) ** 0.5
    density = KernelDensity(Values.collect(rows, weight if weighted else None), width)
    assert (density.values.level == UNMERGED) == (not shape.startswith("many"))
    low, high = rows.min(), rows.max()
    x = np.concatenate(
        [
            rng.choice(rows, 40),
            np.quantile(rows, np.linspace(0, 1, 21)),
            np.linspace(low, high, 40),
            low - width * np.geomspace(0.1, 1e4, 12),  # far below all rows
            high + width * np.geomspace(0.1, 1e4, 12),
            (rows[0] + rows[-1]) / 2 + width * np.linspace(-5, 5, 20),
        ]
    )
    expected = direct(x, rows, weight, width)
    found = density.log_density(x)
    # Far out log f is large, and depends on where in the outermost bin its values are.
    rtol = 1e-12 if density.values.level == UNMERGED else 1e-8
    np.testing.assert_allclose(found, expected, atol=1e-6, rtol=rtol)


def test_the_middle_of_a_wide_gap_is_exact():
    # Two groups of unequal weight: log f bends within a hundredth of a width.
    rows = np.concatenate([np.linspace(-0.5, 0.5, 30), [200.0]])
    x = np.linspace(90, 110, 2001)
    found = KernelDensity(Values.collect(rows, None), 1.0).log_density(x)
    np.testing.assert_allclose(found, direct(x, rows, np.ones(31), 1.0), atol=1e-9)


def test_a_number_has_one_density_whatever_the_others():
    rng = np.random.default_rng(0)
    rows, x = rng.normal(size=70_000), rng.normal(size=300) * 3
    density = KernelDensity(Values.collect(rows, None), 0.02)
    whole = density.log_density(x)
    alone = np.concatenate([density.log_density(x[[i]]) for i in range(len(x))])
    np.testing.assert_allclose(alone, whole, rtol=0, atol=1e-12)
    assert len(density.log_density(np.empty(0))) == 0


def test_scipy_and_scikit_learn_agree():
    rng = np.random.default_rng(0)
    rows, x = rng.normal(size=400), np.linspace(-5, 5, 101)
    weight = rng.uniform(0.5, 2, 400)
    width = 0.3 * rows.std(ddof=1)
    found = KernelDensity(Values.collect(rows, None), width).log_density(x)
    np.testing.assert_allclose(found, gaussian_kde(rows, bw_method=0.3).logpdf(x), atol=1e-6)
    weighted = KernelDensity(Values.collect(rows, weight), 0.25).log_density(x)
    peer = SklearnKernelDensity(bandwidth=0.25, rtol=1e-10).fit(rows[:, None], sample_weight=weight)
    np.testing.assert_allclose(weighted, peer.score_samples(x[:, None]), atol=1e-6)


def test_the_density_integrates_to_one():
    rows = np.random.default_rng(0).lognormal(size=80_000)
    grid = np.linspace(-2, rows.max() + 2, 400_001)
    density = KernelDensity(Values.collect(rows, None), 0.05)
    total = np.exp(density.log_density(grid)).sum() * (grid[1] - grid[0])
    assert total == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("shape", ["few rows", "rows", "far groups", "whole numbers", "many rows"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_row_left_out_is_the_sum_over_the_others(shape, weighted):
    rng = np.random.default_rng(3)
    rows = tables(rng)[shape]
    weight = rng.uniform(0.1, 3.0, len(rows)) if weighted else np.ones(len(rows))
    density = KernelDensity(Values.collect(rows, weight), silverman(rows))
    tried = np.unique(np.r_[np.argmin(rows), np.argmax(rows), rng.integers(0, len(rows), 40)])
    lost = np.minimum(weight[tried], 1.0)
    found = density.log_density_without(rows[tried], lost)
    for at, less, one in zip(tried, lost, found, strict=True):
        others = weight.copy()
        others[at] -= less
        kept = others > 1e-12
        [expected] = direct(rows[[at]], rows[kept], others[kept], density.width)
        assert one == pytest.approx(expected, abs=1e-5 if shape == "many rows" else 1e-6, rel=1e-9)


def test_a_row_that_was_not_counted_and_the_last_row():
    density = KernelDensity(Values.collect(np.array([1.0, 2.0]), None), 1.0)
    assert np.isnan(density.log_density_without(np.array([1.5]), np.ones(1))).all()
    assert np.isnan(density.log_density_without(np.array([1.0]), np.array([1.5]))).all()
    one = KernelDensity(Values.collect(np.array([1.0]), None), 1.0)
    assert np.isneginf(one.log_density_without(np.array([1.0]), np.ones(1))).all()
