"""Tests of two samples: other programs' numbers, and all divisions of a few rows."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact, mannwhitneyu

from augury.drift.two_samples import (
    all_in_new_probability,
    homogeneity_test,
    larger_share_probability,
    other_share_probability,
)


def divisions(n_old, n_new):
    """Yield all sets of rows that may be the new ones."""
    return map(set, combinations(range(n_old + n_new), n_new))


@pytest.mark.parametrize("n_chosen", [0, 1, 2, 3, 4])
def test_the_probability_that_all_chosen_rows_are_new(n_chosen):
    found = [set(range(n_chosen)) <= new for new in divisions(5, 3)]
    assert all_in_new_probability(5, 3, n_chosen) == pytest.approx(np.mean(found))


@pytest.mark.parametrize(("k_old", "k_new"), [(0, 3), (2, 2), (4, 0), (7, 9), (0, 0)])
def test_shares_are_tested_as_by_fisher(k_old, k_new):
    table = [[k_new, 10 - k_new], [k_old, 30 - k_old]]
    greater = fisher_exact(table, alternative="greater").pvalue
    less = fisher_exact(table, alternative="less").pvalue
    assert larger_share_probability(k_old, 30, k_new, 10) == pytest.approx(greater)
    two_sided = min(1.0, 2 * min(greater, less))
    assert other_share_probability(k_old, 30, k_new, 10) == pytest.approx(two_sided)


def test_homogeneity_is_the_chi_squared_test():
    old, new = np.array([60, 30, 10]), np.array([20, 50, 30])
    found = homogeneity_test(old, new, is_ordered=False)
    expected = chi2_contingency([old, new], correction=False).pvalue
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    assert found.distance == pytest.approx(0.4)


def test_ordered_bins_are_tested_by_ranks_as_well():
    old, new = np.full(16, 20), np.repeat([5, 10], 8)
    values = [np.repeat(np.arange(16), counts) for counts in (new, old)]
    ranks = mannwhitneyu(*values, use_continuity=False, method="asymptotic").pvalue
    chi_squared = chi2_contingency([old, new], correction=False).pvalue
    assert ranks < chi_squared
    found = homogeneity_test(old, new, is_ordered=True)
    assert found.p_value == pytest.approx(2 * ranks, rel=1e-9)
    # Larger and smaller values: the sums of ranks are equal, and the counts differ.
    new = np.concatenate([np.full(4, 20), np.full(8, 2), np.full(4, 20)])
    found = homogeneity_test(old, new, is_ordered=True)
    chi_squared = chi2_contingency([old, new], correction=False).pvalue
    assert chi_squared < 1e-6
    assert found.p_value <= 2 * chi_squared * 10


def test_bins_with_few_rows_are_merged():
    old, new = np.array([40, 1, 1, 58]), np.array([40, 2, 0, 58])
    assert homogeneity_test(old, new, is_ordered=True).p_value == pytest.approx(1.0)
    unordered = homogeneity_test(old, new, is_ordered=False)  # 1 + 1 rows join the 40
    expected = chi2_contingency([[42, 58], [42, 58]], correction=False).pvalue
    assert unordered.p_value == pytest.approx(expected)


def test_too_few_rows_are_not_tested():
    assert homogeneity_test(np.array([50, 50]), np.array([2, 0]), is_ordered=True).p_value is None
    assert homogeneity_test(np.array([50, 50]), np.array([0, 0]), is_ordered=True).p_value is None
