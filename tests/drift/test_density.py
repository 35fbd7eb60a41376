"""Naive Bayes over states: equal to the model of the library, and to fits without a row."""

import numpy as np
import pytest

from augury.drift.density import StateCounts, log_evidence

N_STATES = (3, 4)


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    y[0] = 2
    codes = [rng.integers(0, n, 40) for n in N_STATES]
    return codes, y


def explicit_joint(codes, y, row):
    """Return p(c, x) of a row of codes by the m-estimate, written out."""
    joint = []
    for c in range(3):
        p = (np.sum(y == c) + 1 / 3) / (len(y) + 1)
        for column, n, value in zip(codes, N_STATES, row, strict=True):
            p *= (np.sum((y == c) & (column == value)) + 1 / n) / (np.sum(y == c) + 1)
        joint.append(p)
    return joint


def test_the_joint_is_the_product_of_estimates(rows):
    codes, y = rows
    counts = StateCounts.collect(codes, N_STATES, y, 3)
    found = np.exp(counts.log_joint(codes))
    for i in range(len(y)):
        expected = explicit_joint(codes, y, [column[i] for column in codes])
        np.testing.assert_allclose(found[i], expected, rtol=1e-12)
    np.testing.assert_allclose(np.exp(log_evidence(np.log(found))), found.sum(axis=1))


def test_leaving_out_a_row_equals_counting_the_others(rows):
    codes, y = rows
    found = StateCounts.collect(codes, N_STATES, y, 3).log_joint_without_own(codes, y)
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        rest = [column[others] for column in codes]
        expected = explicit_joint(rest, y[others], [column[i] for column in codes])
        np.testing.assert_allclose(np.exp(found[i]), expected, rtol=1e-12)


def test_the_only_row_of_a_class_can_be_left_out():
    codes, y = [np.array([0, 1, 1]), np.array([2, 2, 3])], np.array([0, 1, 1])
    found = StateCounts.collect(codes, N_STATES, y, 3).log_joint_without_own(codes, y)
    expected = explicit_joint([codes[0][1:], codes[1][1:]], y[1:], [0, 2])
    np.testing.assert_allclose(np.exp(found[0]), expected, rtol=1e-12)
