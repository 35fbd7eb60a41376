"""Wilcoxon's signed-rank test of two models over many data sets, and of all pairs of models."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from augury.evaluate.score_columns import (
    ScoreTable,
    check_pairs,
    check_probability,
    check_score_table,
    mean_ranks,
    rounding_noise,
)
from augury.evaluate.significance import BETTER, EVEN, WORSE
from augury.validation import Array, check_choice, check_flag

CONVENTIONS = ("counted", "table")

# Up to this number p is exact; above it, the normal approximation is accurate to 0.002.
_EXACT_PAIRS = 50


@dataclass(frozen=True, slots=True)
class SignedRankTest:
    """The result of `wilcoxon_signed_rank`.

    Attributes
    ----------
    rank_sum_plus, rank_sum_minus : float
        Sum of the ranks of the pairs in which a is higher, and of those in which b is. Each
        includes half of the ranks of the pairs without a difference.
    p : float
        Probability that the smaller sum is at most this small if there is no difference.
    """

    rank_sum_plus: float
    rank_sum_minus: float
    p: float

    @property
    def statistic(self) -> float:
        """The smaller of the sums, T."""
        return min(self.rank_sum_plus, self.rank_sum_minus)

    @property
    def rank_biserial(self) -> float:
        """Effect size: difference of the sums over their total, from -1 to 1 (a always higher)."""
        total = self.rank_sum_plus + self.rank_sum_minus
        # The total is 0 if the only pair is a zero that the convention leaves out.
        return (self.rank_sum_plus - self.rank_sum_minus) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class WilcoxonMatrix:
    """Tests of all pairs of models over the same data sets; the result of `wilcoxon_matrix`.

    Attributes
    ----------
    models : tuple of str
        Names.
    tests : mapping from pair of names to SignedRankTest
        Each pair in both orders. `rank_sum_plus` is the sum of the data sets on which the
        first of the two is better.
    """

    models: tuple[str, ...]
    tests: Mapping[tuple[str, str], SignedRankTest]

    def mark(self, model: str, other: str, *, alpha: float = 0.05) -> str:
        """Return "better" or "worse" if the models differ with p ≤ α, otherwise ""."""
        test = self.tests[model, other]
        if test.p > alpha or test.rank_sum_plus == test.rank_sum_minus:
            return EVEN
        return BETTER if test.rank_sum_plus > test.rank_sum_minus else WORSE

    def marks(self, *, lower: float = 0.05, upper: float = 0.1) -> tuple[tuple[str, ...], ...]:
        """Return the matrix of marks, row against column, in KEEL's layout.

        Marks below the diagonal have the level `lower`, marks above it `upper`. "better" means
        that the model of the row is better; KEEL prints ● for it, the hybrid paper of 2022 ○.
        """
        check_probability("WilcoxonMatrix", "lower", lower)
        check_probability("WilcoxonMatrix", "upper", upper)
        return tuple(
            tuple(
                EVEN if i == j else self.mark(row, column, alpha=upper if i < j else lower)
                for j, column in enumerate(self.models)
            )
            for i, row in enumerate(self.models)
        )


def wilcoxon_signed_rank(
    a: ArrayLike, b: ArrayLike, *, convention: str = "counted"
) -> SignedRankTest:
    r"""Compare two models over many data sets by the ranks of their differences.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        A score of each model on each data set, such as its mean accuracy.
    convention : {"counted", "table"}, default="counted"
        How zero differences and ties are treated, see Notes. "table" is KEEL's convention.

    Returns
    -------
    SignedRankTest
        The two sums of ranks, and the two-sided p.

    Notes
    -----
    Absolute differences are ranked from the smallest; equal ones share their mean rank.
    The ranks of zero differences are split evenly between the two sums, as Demšar advises
    and scipy's `zero_method="zsplit"` does.

    "counted": of an odd number of zeros none is ignored. p counts, among all 2ⁿ ways of
    giving the ranks found to the two sums, those with a smaller sum of at most T.

    "table": of an odd number of zeros one is ignored, as Demšar has it, so a single one is
    left out. p is read from the table for n ranks without ties; a T between two of its
    rows, which a tie may give, gets their mean. KEEL's `Wilcoxon` does this up to 50 data
    sets (and gives 1 for every p above 0.2, which the table it reads does not hold).

    Without ties and zeros both are the usual table. For more than 50 data sets p is the
    normal approximation without a continuity correction, of variance Σ rank² / 4 (KEEL
    corrects for continuity there). Differences that agree up to the rounding of the scores
    are equal.

    References
    ----------
    J. Demšar (2006): Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> test = wilcoxon_signed_rank([5, 7, 9, 4], [4, 5, 6, 8])  # 1, 2, 3 and -4
    >>> test.rank_sum_plus, test.rank_sum_minus, test.statistic, test.p
    (6.0, 4.0, 4.0, 0.875)
    >>> test.rank_biserial
    0.2
    """
    check_choice("wilcoxon_signed_rank", "convention", convention, CONVENTIONS)
    first, second = check_pairs("wilcoxon_signed_rank", a, b, at_least=1)
    differences = first - second
    noise = rounding_noise(first, second)
    is_zero = np.abs(differences) <= noise
    by_table = convention == "table"
    if by_table and is_zero.sum() % 2 == 1:
        kept = np.arange(len(differences)) != int(np.argmax(is_zero))
        differences, is_zero = differences[kept], is_zero[kept]
        if len(differences) == 0:
            return SignedRankTest(0.0, 0.0, 1.0)
    ranks = mean_ranks(np.abs(differences), noise)
    shared = float(ranks[is_zero].sum()) / 2.0
    plus = float(ranks[~is_zero & (differences > 0)].sum()) + shared
    minus = float(ranks[~is_zero & (differences < 0)].sum()) + shared
    smaller = min(plus, minus)
    if by_table and len(ranks) <= _EXACT_PAIRS:
        untied = np.arange(1.0, len(ranks) + 1.0)
        below, above = math.floor(smaller + 1e-9), math.ceil(smaller - 1e-9)
        p = (_signed_rank_p(untied, below) + _signed_rank_p(untied, above)) / 2.0
    else:
        p = _signed_rank_p(ranks, smaller)
    return SignedRankTest(plus, minus, p)


def wilcoxon_matrix(
    scores: ScoreTable, *, lower_is_better: bool = False, convention: str = "counted"
) -> WilcoxonMatrix:
    """Compare every two models over the same data sets by `wilcoxon_signed_rank`.

    Parameters
    ----------
    scores : mapping from model to array-like of shape (n_datasets,), or data frame
        A score for each data set, in the same order; see `mean_scores`.
    lower_is_better : bool, default=False
        For losses and seconds.
    convention : {"counted", "table"}, default="counted"
        As in `wilcoxon_signed_rank`.

    Returns
    -------
    WilcoxonMatrix
        The tests, and the marks that papers print.

    Notes
    -----
    The levels are those of single pairs, as in KEEL's tables. k models have k (k - 1) / 2 pairs,
    and one in 20 pairs of equal models is marked at 0.05. Adjust p with `holm` to correct for
    the number of pairs.

    Examples
    --------
    >>> scores = {"nb": [1, 2, 3, 4, 5, 6], "lr": [2, 4, 6, 8, 10, 12], "svm": [2, 4, 6, 8, 10, 11]}
    >>> matrix = wilcoxon_matrix(scores)
    >>> matrix.tests["nb", "lr"].p  # 2 of 2⁶ ways
    0.03125
    >>> matrix.marks()
    (('', 'worse', 'worse'), ('better', '', ''), ('better', '', ''))
    """
    owner = "wilcoxon_matrix"
    sign = -1.0 if check_flag(owner, "lower_is_better", lower_is_better) else 1.0
    models, table = check_score_table(owner, scores)
    tests = {}
    for i, j in combinations(range(len(models)), 2):
        test = wilcoxon_signed_rank(sign * table[:, i], sign * table[:, j], convention=convention)
        tests[models[i], models[j]] = test
        tests[models[j], models[i]] = SignedRankTest(
            test.rank_sum_minus, test.rank_sum_plus, test.p
        )
    return WilcoxonMatrix(models, tests)


def _signed_rank_p(ranks: Array, statistic: float) -> float:
    if len(ranks) > _EXACT_PAIRS:
        deviation = math.sqrt(float((ranks**2).sum()) / 4.0)
        return float(2.0 * ndtr((statistic - float(ranks.sum()) / 2.0) / deviation))
    # Mean ranks are multiples of 0.5; doubled, they are integers.
    ways = np.ones(1)
    for doubled in np.rint(2.0 * ranks).astype(int):
        sums = np.zeros(len(ways) + doubled)
        sums[: len(ways)] += 0.5 * ways
        sums[doubled:] += 0.5 * ways
        ways = sums
    # With the divided ranks of zeros, the sum may lie between two possible sums.
    n_smaller = math.floor(2.0 * statistic + 1e-9) + 1
    return min(1.0, 2.0 * float(ways[:n_smaller].sum()))


__all__ = [
    "CONVENTIONS",
    "SignedRankTest",
    "WilcoxonMatrix",
    "wilcoxon_matrix",
    "wilcoxon_signed_rank",
]
