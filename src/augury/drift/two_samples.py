"""Tests of whether two samples come from the same distribution, from their counts.

All tests assume that training rows and new rows are exchangeable, and nothing else.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln
from scipy.stats import chi2, hypergeom

from augury.arrays import FloatArray, IntegerArray

# Fewest expected rows of a cell in a test of homogeneity.
_FEWEST_EXPECTED = 5.0
_FEWEST_SHARE = 1 / 32


def all_in_new_probability(n_old: int, n_new: int, n_chosen: int) -> float:
    """Return the probability that `n_chosen` of all rows are all new rows.

    C(n_new, r) / C(n_old + n_new, r): the r largest of all numbers are all in the new rows, or
    all r rows that have some label.

    >>> round(all_in_new_probability(3, 1, 1), 9), all_in_new_probability(3, 1, 2)
    (0.25, 0.0)
    """
    if n_chosen > n_new:
        return 0.0
    n_all = n_old + n_new
    log_p = (
        gammaln(n_new + 1)
        - gammaln(n_new - n_chosen + 1)
        - gammaln(n_all + 1)
        + gammaln(n_all - n_chosen + 1)
    )
    return float(min(1.0, np.exp(log_p)))


def larger_share_probability(k_old: int, n_old: int, k_new: int, n_new: int) -> float:
    """Return the p-value of Fisher's test that the share of new rows is not larger.

    >>> round(larger_share_probability(0, 3, 1, 1), 6)
    0.25
    """
    return float(hypergeom.sf(k_new - 1, n_old + n_new, k_old + k_new, n_new))


def other_share_probability(k_old: int, n_old: int, k_new: int, n_new: int) -> float:
    """Return the p-value of the two-sided test that the shares are equal: twice the smaller tail.

    >>> round(other_share_probability(0, 3, 1, 1), 6)
    0.5
    """
    smaller = float(hypergeom.cdf(k_new, n_old + n_new, k_old + k_new, n_new))
    larger = larger_share_probability(k_old, n_old, k_new, n_new)
    return min(1.0, 2.0 * min(smaller, larger))


@dataclass(frozen=True)
class Homogeneity:
    """Result of a test that two samples have the same distribution over bins.

    Attributes
    ----------
    p_value : None if there are too few rows for two bins
    distance : total variation distance, the share of rows that would have to change their bin
    """

    p_value: float | None
    distance: float


def homogeneity_test(
    old: IntegerArray,
    new: IntegerArray,
    *,
    is_ordered: bool,
    fewest_share: float = _FEWEST_SHARE,
) -> Homogeneity:
    """Test whether two rows of counts have the same distribution.

    The test is the chi-squared test. If the bins are ordered, the rank-sum test of Wilcoxon is done
    as well, which is more powerful if all values are larger or smaller; the p-value is twice the
    smaller one.

    Bins with an expected number below 5 in either sample, or with less than `fewest_share` of
    the rows, are merged: with their neighbours if the bins are ordered, otherwise with other bins
    of few rows.

    >>> homogeneity_test(np.array([50, 50]), np.array([5, 25]), is_ordered=True).p_value < 0.01
    True
    """
    n_old, n_new = int(old.sum()), int(new.sum())
    if not n_old or not n_new:
        return Homogeneity(None, 0.0)
    distance = float(np.abs(old / n_old - new / n_new).sum() / 2)
    share = min(n_old, n_new) / (n_old + n_new)
    expected = np.asarray((old + new) * share, dtype=np.float64)
    fewest = max(_FEWEST_EXPECTED, fewest_share * float(expected.sum()))
    merge = _ordered_groups if is_ordered else _unordered_groups
    groups = merge(expected, fewest)
    if groups.max() == 0:
        return Homogeneity(None, distance)
    table = np.array([np.bincount(groups, weights=counts) for counts in (old, new)])
    pooled = table.sum(axis=0)
    means = np.outer([n_old, n_new], pooled / (n_old + n_new))
    statistic = float(((table - means) ** 2 / means).sum())
    p_value = float(chi2.sf(statistic, len(pooled) - 1))
    if is_ordered:
        p_value = min(1.0, 2.0 * min(p_value, _rank_sum_probability(old, new)))
    return Homogeneity(p_value, distance)


def _rank_sum_probability(old: IntegerArray, new: IntegerArray) -> float:
    """Return the two-sided p-value of the rank-sum test of binned values (normal approximation).

    The values of a bin are ties, which have the mean of their ranks.
    """
    pooled = (old + new).astype(np.float64)
    n_old, n_new, n_all = float(old.sum()), float(new.sum()), float(pooled.sum())
    ranks = np.cumsum(pooled) - (pooled - 1) / 2
    difference = float(new @ ranks) - n_new * (n_all + 1) / 2
    ties = float((pooled**3 - pooled).sum())
    variance = n_old * n_new / 12 * (n_all + 1 - ties / (n_all * (n_all - 1)))
    return float(chi2.sf(difference**2 / variance, 1)) if variance > 0 else 1.0


def _ordered_groups(expected: FloatArray, fewest: float) -> IntegerArray:
    """Return the number of the group of each bin; a group has at least the fewest rows."""
    groups = np.zeros(len(expected), dtype=np.int64)
    group, there = 0, 0.0
    for k, rows in enumerate(expected):
        if there >= fewest:
            group, there = group + 1, 0.0
        groups[k] = group
        there += rows
    if there < fewest and group:  # the last group joins the one before it
        groups[groups == group] = group - 1
    return groups


def _unordered_groups(expected: FloatArray, fewest: float) -> IntegerArray:
    """Return groups in which all bins with few rows are together, with a larger one if needed."""
    order = np.argsort(expected, kind="stable")
    groups = np.empty(len(expected), dtype=np.int64)
    groups[order] = _ordered_groups(expected[order], fewest)
    return groups


__all__ = [
    "Homogeneity",
    "all_in_new_probability",
    "homogeneity_test",
    "larger_share_probability",
    "other_share_probability",
]
