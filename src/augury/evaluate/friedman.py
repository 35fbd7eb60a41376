"""Friedman's test of many models over many data sets."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtri
from scipy.stats import studentized_range

from augury.evaluate.score_columns import (
    ScoreTable,
    check_probability,
    check_score_table,
    mean_ranks,
    rounding_noise,
)
from augury.validation import check_choice, check_flag, check_integer

CRITICAL_METHODS = ("nemenyi", "bonferroni-dunn")


@dataclass(frozen=True, slots=True)
class FriedmanTest:
    """The result of `friedman_test`.

    Attributes
    ----------
    models : tuple of str
        Names.
    mean_ranks : tuple of float
        Mean rank over the data sets; rank 1 is the best model on a data set.
    n_datasets : int
        Number of data sets.
    chi_square, chi_square_p : float
        Friedman's statistic and its p, with k - 1 degrees of freedom.
    f, f_p : float
        Iman and Davenport's statistic and its p, with k - 1 and (k - 1)(N - 1) degrees of
        freedom; infinite and 0 if all data sets rank the models in the same order.
    """

    models: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    n_datasets: int
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float

    @property
    def standard_error(self) -> float:
        """Standard error of the difference of two mean ranks, √(k (k + 1) / 6 N)."""
        n_models = len(self.models)
        return math.sqrt(n_models * (n_models + 1) / (6.0 * self.n_datasets))

    def rank_of(self, model: str) -> float:
        """Return the mean rank of a model."""
        return self.mean_ranks[self.models.index(model)]


def friedman_test(
    scores: ScoreTable, *, lower_is_better: bool = False, correct_ties: bool = True
) -> FriedmanTest:
    r"""Test whether the models differ at all, by their ranks on each data set.

    .. math::
        \chi^2_F = \frac{12 N}{k (k + 1)} \Big(\sum_j R_j^2 - \frac{k (k + 1)^2}{4}\Big)
        \qquad F_F = \frac{(N - 1) \chi^2_F}{N (k - 1) - \chi^2_F}

    for the mean ranks R_j of k models on N data sets. Iman and Davenport's F_F is less
    conservative, and is recommended.

    Parameters
    ----------
    scores : mapping from model to array-like of shape (n_datasets,), or data frame
        A score for each data set, in the same order; see `mean_scores`.
    lower_is_better : bool, default=False
        For losses and seconds.
    correct_ties : bool, default=True
        Divide χ² by 1 - Σ (t³ - t) / N k (k² - 1) over the groups of t tied models, as scipy
        does. False is the formula as Demšar prints it, which loses power if there are ties.

    Returns
    -------
    FriedmanTest
        Models with equal scores share their mean rank. If all scores are equal, p is 1.

    References
    ----------
    J. Demšar (2006): Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> test = friedman_test({"nb": [1, 2, 3], "hnb": [4, 5, 6], "lr": [7, 9, 5]})
    >>> [round(rank, 2) for rank in test.mean_ranks]
    [3.0, 1.67, 1.33]
    >>> round(test.chi_square, 3), round(test.f, 3)  # 3 (9 + 25/9 + 16/9 - 12); 2 χ² / (6 - χ²)
    (4.667, 7.0)
    """
    owner = "friedman_test"
    sign = 1.0 if check_flag(owner, "lower_is_better", lower_is_better) else -1.0
    check_flag(owner, "correct_ties", correct_ties)
    models, table = check_score_table(owner, scores)
    ranks = np.array([mean_ranks(sign * row, rounding_noise(row)) for row in table])
    n_datasets, n_models = ranks.shape
    means = ranks.mean(axis=0)
    middle = (n_models + 1) / 2.0
    # The sum of squared deviations equals the bracket of the formula, without cancellation.
    spread = float(((means - middle) ** 2).sum())
    chi_square = 12.0 * n_datasets / (n_models * (n_models + 1)) * spread
    if correct_ties and chi_square > 0:
        # Without ties this sum is k (k² - 1) / 12 on every data set; ties reduce it.
        within = float(((ranks - middle) ** 2).sum()) / n_datasets
        chi_square *= n_models * (n_models**2 - 1) / 12.0 / within
    freedom = n_models - 1
    rest = n_datasets * freedom - chi_square
    if rest <= 1e-12 * n_datasets * freedom:
        f, f_p = math.inf, 0.0
    else:
        f = (n_datasets - 1) * chi_square / rest
        f_p = float(fdtrc(freedom, freedom * (n_datasets - 1), f)) if n_datasets > 1 else 1.0
    return FriedmanTest(
        models=models,
        mean_ranks=tuple(map(float, means)),
        n_datasets=n_datasets,
        chi_square=chi_square,
        chi_square_p=float(chdtrc(freedom, chi_square)),
        f=f,
        f_p=f_p,
    )


def critical_difference(
    n_models: int, n_datasets: int, *, alpha: float = 0.05, method: str = "nemenyi"
) -> float:
    r"""Return the smallest significant difference of two mean ranks.

    .. math:: CD = q_\alpha \sqrt{k (k + 1) / 6 N}

    Parameters
    ----------
    n_models, n_datasets : int
        k and N.
    alpha : float, default=0.05
        Level of the whole family of comparisons.
    method : {"nemenyi", "bonferroni-dunn"}, default="nemenyi"
        Comparison of all pairs, with q from the studentised range over √2; or of all models
        with one control, with q from the normal distribution at α / (k - 1).

    Returns
    -------
    float
        The critical difference.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)  # 2.569 √(20 / 84), in Demšar's example
    1.25
    """
    owner = "critical_difference"
    n_models = check_integer(owner, "n_models", n_models, at_least=2)
    n_datasets = check_integer(owner, "n_datasets", n_datasets, at_least=1)
    level = check_probability(owner, "alpha", alpha)
    check_choice(owner, "method", method, CRITICAL_METHODS)
    if method == "nemenyi":
        q = float(studentized_range.isf(level, n_models, math.inf)) / math.sqrt(2.0)
    else:
        q = -float(ndtri(level / (2.0 * (n_models - 1))))
    return q * math.sqrt(n_models * (n_models + 1) / (6.0 * n_datasets))


def alike_groups(test: FriedmanTest, *, alpha: float = 0.05) -> tuple[tuple[str, ...], ...]:
    """Return the groups of models that do not differ by Nemenyi's test.

    They are the bars of a critical difference diagram.

    Parameters
    ----------
    test : FriedmanTest
        Test of all models.
    alpha : float, default=0.05
        Level of the whole family of comparisons.

    Returns
    -------
    tuple of tuples of str
        Groups of two or more models, from the best rank, without groups inside of others.
    """
    reach = critical_difference(len(test.models), test.n_datasets, alpha=alpha)
    ordered = sorted(test.models, key=test.rank_of)
    groups: list[tuple[str, ...]] = []
    furthest = 0
    for start, model in enumerate(ordered):
        group = [
            other for other in ordered[start:] if test.rank_of(other) - test.rank_of(model) < reach
        ]
        if start + len(group) > furthest and len(group) > 1:
            groups.append(tuple(group))
            furthest = start + len(group)
    return tuple(groups)


__all__ = [
    "FriedmanTest",
    "alike_groups",
    "critical_difference",
    "friedman_test",
]
