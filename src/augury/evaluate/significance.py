"""Comparison of two models over the folds of one data set.

The corrected t-test, effect sizes, and the marks of a table in which models are compared with a
reference.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.score_columns import (
    check_one_protocol,
    check_pairs,
    check_probability,
    mean_size,
    rounding_noise,
)

BETTER, WORSE, EVEN = "better", "worse", ""


@dataclass(frozen=True, slots=True)
class CorrectedTTest:
    """The result of `corrected_t_test`.

    Attributes
    ----------
    difference : float
        Mean of a minus mean of b.
    t : float
        The statistic; infinite if all differences are equal and not zero.
    p : float
        Probability that abs(t) is at least this large if there is no difference.
    """

    difference: float
    t: float
    p: float


@dataclass(frozen=True, slots=True)
class FoldEffect:
    """Size of a difference over folds; the result of `fold_effect`.

    Attributes
    ----------
    difference : float
        Mean of a minus mean of b, in the unit of the scores.
    low, high : float
        Confidence interval of the difference.
    d : float
        Cohen's d of the pairs, with the corrected variance; infinite if all differences are
        equal and not zero.
    """

    difference: float
    low: float
    high: float
    d: float


@dataclass(frozen=True, slots=True)
class FoldDifferences:
    """Differences of the scores of two models over folds with overlapping training rows.

    Attributes
    ----------
    n_folds : int
        J.
    mean : float
        Mean of the differences; exactly 0 if it is not larger than rounding errors.
    standard_error : float
        √((1/J + n_test / n_train) s²), by Nadeau and Bengio; exactly 0 if the standard
        deviation is not larger than rounding errors.
    """

    n_folds: int
    mean: float
    standard_error: float

    @classmethod
    def collect(
        cls, owner: str, a: ArrayLike, b: ArrayLike, n_train: ArrayLike, n_test: ArrayLike
    ) -> "FoldDifferences":
        """Compare fold by fold; error messages begin with the owner."""
        first, second = check_pairs(owner, a, b, at_least=2)
        # The ratio of means, as in WEKA: folds of one run may differ by a row.
        ratio = mean_size(owner, "n_test", n_test, len(first)) / mean_size(
            owner, "n_train", n_train, len(first)
        )
        differences = first - second
        mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
        noise = rounding_noise(first, second)
        if deviation <= noise:
            return cls(len(first), 0.0 if abs(mean) <= noise else mean, 0.0)
        return cls(len(first), mean, deviation * math.sqrt(1.0 / len(first) + ratio))

    @property
    def t(self) -> float:
        """Mean over standard error; 0 if both are 0, infinite if only the latter is."""
        if self.standard_error == 0.0:
            return math.copysign(math.inf, self.mean) if self.mean else 0.0
        return self.mean / self.standard_error


@dataclass(frozen=True, slots=True)
class WinTieLoss:
    """Data sets on which a model is significantly better or worse than the reference.

    Attributes
    ----------
    model, reference : str
        Names.
    marks : mapping from data set to "better", "worse" or ""
        Data sets on which both have at least two folds in common. "better" means that the
        model is better than the reference.
    """

    model: str
    reference: str
    marks: Mapping[str, str]

    @property
    def wins(self) -> int:
        """Number of data sets on which the model is better."""
        return list(self.marks.values()).count(BETTER)

    @property
    def ties(self) -> int:
        """Number of data sets on which neither is better."""
        return list(self.marks.values()).count(EVEN)

    @property
    def losses(self) -> int:
        """Number of data sets on which the reference is better."""
        return list(self.marks.values()).count(WORSE)


def corrected_t_test(
    a: ArrayLike, b: ArrayLike, *, n_train: ArrayLike, n_test: ArrayLike
) -> CorrectedTTest:
    r"""Compare the scores of two models on the folds of a repeated cross-validation.

    The training sets of J folds overlap, so their scores vary less than independent scores.
    Nadeau and Bengio enlarge the variance of the mean difference by the ratio of test rows to
    training rows:

    .. math:: t = \frac{\bar d}{\sqrt{(1/J + n_{test}/n_{train})\, s_d^2}}

    with J - 1 degrees of freedom, two-sided.

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        Scores of the two models, fold by fold in the same order.
    n_train, n_test : int, or one for each fold
        Rows for training and for testing, above 0; only the ratio of their means matters.

    Returns
    -------
    CorrectedTTest
        If all differences are zero, p is 1. If they are all equal and not zero, t is infinite
        and p is 0, as in WEKA.

    Notes
    -----
    This is the corrected paired t-test by which WEKA's Experimenter marks a table. A standard
    deviation that is not larger than rounding errors counts as zero.

    References
    ----------
    C. Nadeau, Y. Bengio (2003): Inference for the generalization error. Machine
    Learning 52, 239-281.

    Examples
    --------
    >>> test = corrected_t_test([0.9, 0.8, 0.9, 0.8], [0.7, 0.8, 0.7, 0.8], n_train=3, n_test=1)
    >>> round(test.difference, 3), round(test.t, 3)  # 0.1 / √((1/4 + 1/3) · 0.04/3)
    (0.1, 1.134)
    """
    found = FoldDifferences.collect("corrected_t_test", a, b, n_train, n_test)
    return CorrectedTTest(found.mean, found.t, float(2.0 * stdtr(found.n_folds - 1, -abs(found.t))))


def fold_effect(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_train: ArrayLike,
    n_test: ArrayLike,
    confidence: float = 0.95,
) -> FoldEffect:
    r"""Measure how large the difference of two models over the folds is.

    The interval is that of `corrected_t_test`: it excludes 0 if p < 1 - confidence. Cohen's d
    is the mean difference divided by its standard deviation over folds. The latter is enlarged
    like the variance of the mean, so that d does not grow with the number of repetitions:

    .. math:: d = \frac{\bar d}{\sqrt{(1 + J\, n_{test}/n_{train})\, s_d^2}} = t / \sqrt J

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        Scores of the two models, fold by fold in the same order.
    n_train, n_test : int, or one for each fold
        Rows for training and for testing, as in `corrected_t_test`.
    confidence : float, default=0.95
        Confidence level of the interval.

    Returns
    -------
    FoldEffect
        Difference, interval and d.

    Examples
    --------
    >>> effect = fold_effect([3, 5, 8], [1, 1, 2], n_train=9, n_test=1)  # 2, 4, 6
    >>> effect.difference, round(effect.d, 3)  # 4 / √((1 + 3/9) · 4)
    (4.0, 1.732)
    >>> round(effect.low, 2), round(effect.high, 2)  # 4 ± 4.303 · √((1/3 + 1/9) · 4)
    (-1.74, 9.74)
    """
    owner = "fold_effect"
    share = check_probability(owner, "confidence", confidence)
    found = FoldDifferences.collect(owner, a, b, n_train, n_test)
    width = float(stdtrit(found.n_folds - 1, 0.5 + share / 2.0)) * found.standard_error
    return FoldEffect(
        found.mean, found.mean - width, found.mean + width, found.t / math.sqrt(found.n_folds)
    )


def cliffs_delta(a: ArrayLike, b: ArrayLike) -> float:
    """Return the share of pairs in which a is above b, minus the share in which it is below.

    All pairs of a score of a and a score of b count, not only those of the same fold or data
    set: the result measures how much two columns overlap. For paired ranks use
    `SignedRankTest.rank_biserial`.

    Parameters
    ----------
    a, b : array-like of shape (n_scores,)
        Scores of the two models.

    Returns
    -------
    float
        From -1 (every b is higher) to 1 (every a is higher).

    References
    ----------
    N. Cliff (1993): Dominance statistics: ordinal analyses to answer ordinal questions.
    Psychological Bulletin 114, 494-509.

    Examples
    --------
    >>> cliffs_delta([1, 3], [2, 3])  # (1 above - 2 below) of 4
    -0.25
    """
    first, second = check_pairs("cliffs_delta", a, b, at_least=1)
    differences = first[:, np.newaxis] - second
    noise = rounding_noise(first, second)
    return float(np.mean(differences > noise) - np.mean(differences < -noise))


def win_tie_loss(
    results: Iterable[FoldResult], reference: str, *, alpha: float = 0.05
) -> list[WinTieLoss]:
    """Mark the data sets on which each model is better or worse than the reference.

    Parameters
    ----------
    results : iterable of FoldResult
        Rows of one protocol. A model is compared on the data sets and folds that the reference
        has as well.
    reference : str
        Name of a model in `results`.
    alpha : float, default=0.05
        Differences of accuracy with p ≤ α by `corrected_t_test` are marked.

    Returns
    -------
    list of WinTieLoss
        One for each other model, in order of first appearance.
    """
    level = check_probability("win_tie_loss", "alpha", alpha)
    folds: dict[str, dict[str, list[FoldResult]]] = {}
    protocols = set()
    for result in results:
        folds.setdefault(result.model, {}).setdefault(result.dataset, []).append(result)
        protocols.add(result.protocol)
    if not folds:
        raise ValueError("win_tie_loss: results must have at least one row, got none")
    check_one_protocol("win_tie_loss", protocols)
    if reference not in folds:
        raise ValueError(
            f"win_tie_loss: reference must be one of {', '.join(map(repr, folds))}, "
            f"got {reference!r}"
        )
    standard = folds.pop(reference)
    compared = []
    for model, tested in folds.items():
        shared = [name for name in tested if name in standard]
        found = {name: _mark(tested[name], standard[name], level) for name in shared}
        marks = {name: mark for name, mark in found.items() if mark is not None}
        compared.append(WinTieLoss(model, reference, marks))
    return compared


def _mark(rows: list[FoldResult], standard: list[FoldResult], alpha: float) -> str | None:
    """Compare two models on the folds that both have; None if they are fewer than two."""
    places = [{(row.run, row.fold): row for row in group} for group in (rows, standard)]
    for group, found in zip((rows, standard), places, strict=True):
        if len(found) < len(group):
            raise ValueError(
                f"win_tie_loss: {group[0].model} must have each fold of {group[0].dataset} once, "
                f"got {len(group)} rows of {len(found)} folds"
            )
    shared = [place for place in places[0] if place in places[1]]
    if len(shared) < 2:
        return None
    test = corrected_t_test(
        [places[0][place].accuracy for place in shared],
        [places[1][place].accuracy for place in shared],
        n_train=[places[1][place].n_train for place in shared],
        n_test=[places[1][place].n_test for place in shared],
    )
    if test.p > alpha:
        return EVEN
    return BETTER if test.difference > 0 else WORSE


__all__ = [
    "BETTER",
    "EVEN",
    "WORSE",
    "CorrectedTTest",
    "FoldDifferences",
    "FoldEffect",
    "WinTieLoss",
    "cliffs_delta",
    "corrected_t_test",
    "fold_effect",
    "win_tie_loss",
]
