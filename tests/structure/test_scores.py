"""Every score against its formula, written out cell by cell."""

from math import lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from augury.structure import acll, aic, bdeu, bic, fcll, k2, log_likelihood
from augury.structure.conditional_scores import ALPHA, BETA, LAMBDA, acll_gamma, acll_of_class

# Zeros are frequent: configurations without rows, states and classes without rows.
few = st.sampled_from([0, 0, 1, 2, 3, 7, 20])


def tables(n_axes):
    shapes = st.tuples(*[st.integers(1, 4)] * n_axes)
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=few))


@given(tables(2), st.floats(0.1, 50))
def test_generative_scores_are_their_formulas(counts, size):
    q, r = counts.shape
    n = counts.sum()
    likely = k2_sum = bdeu_sum = 0.0
    for row in counts:
        n_j = row.sum()
        k2_sum += lgamma(r) - lgamma(n_j + r)
        bdeu_sum += lgamma(size / q) - lgamma(size / q + n_j)
        for n_jk in row:
            likely += n_jk * log(n_jk / n_j) if n_jk else 0.0
            k2_sum += lgamma(n_jk + 1)
            bdeu_sum += lgamma(size / q / r + n_jk) - lgamma(size / q / r)
    np.testing.assert_allclose(log_likelihood(counts), likely, atol=1e-9)
    np.testing.assert_allclose(aic(counts), likely - q * (r - 1), atol=1e-9)
    np.testing.assert_allclose(bic(counts), likely - 0.5 * log(max(n, 1)) * q * (r - 1), atol=1e-9)
    np.testing.assert_allclose(k2(counts), k2_sum, atol=1e-9)
    np.testing.assert_allclose(bdeu(counts, size), bdeu_sum, rtol=1e-9, atol=1e-9)


@given(tables(2))
def test_a_configuration_without_rows_costs_parameters_only(counts):
    more = np.concatenate([counts, np.zeros((1, counts.shape[1]))])
    n, r = counts.sum(), counts.shape[1]
    np.testing.assert_allclose(log_likelihood(more), log_likelihood(counts))
    np.testing.assert_allclose(k2(more), k2(counts), atol=1e-12)
    np.testing.assert_allclose(bic(more), bic(counts) - 0.5 * log(max(n, 1)) * (r - 1))


@given(tables(3), st.floats(0.05, 3))
def test_conditional_scores_are_their_formulas(counts, s):
    _, r, q = counts.shape
    present = [c for c in range(q) if counts[:, :, c].sum() > 0]
    approximate = likely = told = 0.0
    for table in counts:
        for k in range(r):
            for c in range(q):
                n = table[k, c]
                theta = [(table[k, d] + s) / (table[:, d].sum() + s * r) for d in range(q)]
                others = [log(theta[d]) for d in present if d != c]
                opposing = sum(others) / len(others) if others else 0.0
                approximate += n * (ALPHA * log(theta[c]) + BETA * opposing)
                if n:
                    likely += n * log(n / table[:, c].sum())
                    told += n * (log(n / table[k].sum()) - log(table[:, c].sum() / table.sum()))
    np.testing.assert_allclose(acll(counts, s), approximate, rtol=1e-9, atol=1e-9)
    expected = (ALPHA + BETA) * likely - BETA * LAMBDA * told
    np.testing.assert_allclose(fcll(counts), expected, rtol=1e-9, atol=1e-9)


@given(tables(4))
def test_leading_axes_are_scored_one_by_one(counts):
    for score in (log_likelihood, aic, k2, bdeu):
        each = score(counts)
        assert each.shape == counts.shape[:2]
        one_by_one = [[score(counts[i, j]) for j in range(each.shape[1])] for i in range(len(each))]
        np.testing.assert_allclose(each, one_by_one, rtol=1e-12, atol=1e-12)
    present = np.ones(counts.shape[-1], dtype=bool)
    for score in (lambda t: acll(t, 0.5, present), fcll):
        np.testing.assert_allclose(
            score(counts).sum(), score(counts.reshape(-1, *counts.shape[-2:]))
        )


def test_the_constants_are_the_documents():
    # Least squares: log(u / (u + v)) on log u and log v, for u and v uniform.
    rng = np.random.default_rng(0)
    u, v = rng.random((2, 400_000))
    design = np.column_stack([np.log(u), np.log(v), np.ones_like(u)])
    fitted = np.linalg.lstsq(design, np.log(u / (u + v)), rcond=None)[0]
    np.testing.assert_allclose(fitted, [ALPHA, BETA, acll_gamma(1.0)], atol=0.01)
    w = rng.random(400_000)
    slope, level = np.polyfit(np.log(w), np.log(w / (1 - w)), 1)
    np.testing.assert_allclose([slope, level], [LAMBDA, LAMBDA], atol=0.02)
    # γ of the document is in bits.
    bits = np.pi**2 / (12 * log(2)) - (2 + (np.pi**2 - 6) * np.log2(0.1) / 12)
    np.testing.assert_allclose(acll_gamma(0.1), bits * log(2))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_acll_of_a_network_row_by_row(n_classes):
    """(α + β) LL - β Σ log(U / V), with U and V of each row of a table, and q > 2 in the mean."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, 3, (50, 3))
    y = rng.integers(0, n_classes, 50)
    parents, s = ((), (0,), (0, 1)), 0.5

    def joint(row, c):
        p = (np.sum(y == c) + s) / (50 + s * n_classes)
        for i, above in enumerate(parents):
            same = (y == c) & (codes[:, above] == codes[row, above]).all(axis=1)
            p *= (np.sum(same & (codes[:, i] == codes[row, i])) + s) / (same.sum() + 3 * s)
        return p

    log_likelihood_of_all = ratio = 0.0
    for row in range(50):
        u = log(joint(row, y[row]))
        v = np.mean([log(joint(row, c)) for c in range(n_classes) if c != y[row]])
        log_likelihood_of_all += u
        ratio += u - v
    expected = (ALPHA + BETA) * log_likelihood_of_all - BETA * ratio

    class_counts = np.bincount(y, minlength=n_classes)
    total = acll_of_class(class_counts, s)
    for i, above in enumerate(parents):
        table = np.zeros((*(3,) * len(above), 3, n_classes))
        np.add.at(table, (*codes[:, above].T, codes[:, i], y), 1)
        total += acll(table.reshape(-1, 3, n_classes), s)
    np.testing.assert_allclose(total, expected, rtol=1e-10)


def test_one_class_has_no_opponent():
    counts = np.array([[[3.0, 0.0], [1.0, 0.0]]])
    expected = ALPHA * (3 * log(3.5 / 5) + log(1.5 / 5))
    np.testing.assert_allclose(acll(counts), expected)
