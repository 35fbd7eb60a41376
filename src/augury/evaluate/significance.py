"""Whether one model is better than another, or was only luckier with the folds."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, stdtr

from augury.evaluate.fold_results import FoldResult
from augury.validation import Array, check_number

BETTER, WORSE, EVEN = "better", "worse", ""

# Up to here all signs are counted; beyond, the normal approximation is good to 0.002.
_EXACT_PAIRS = 50


@dataclass(frozen=True, slots=True)
class CorrectedTTest:
    """What `corrected_t_test` found.

    Attributes
    ----------
    difference : float
        Mean of a less mean of b.
    t : float
        The statistic; infinite where all differences are equal and not zero.
    p : float
        Probability of a |t| as large, if there were no difference.
    """

    difference: float
    t: float
    p: float


@dataclass(frozen=True, slots=True)
class SignedRankTest:
    """What `wilcoxon_signed_rank` found.

    Attributes
    ----------
    rank_sum_plus, rank_sum_minus : float
        Ranks of the pairs in which a is higher, and of those in which b is; half of the
        ranks of the pairs without a difference goes to each.
    p : float
        Probability of a smaller sum as small, if there were no difference.
    """

    rank_sum_plus: float
    rank_sum_minus: float
    p: float

    @property
    def statistic(self) -> float:
        """The smaller of the sums, T."""
        return min(self.rank_sum_plus, self.rank_sum_minus)


@dataclass(frozen=True, slots=True)
class WinTieLoss:
    """How often a model was significantly better or worse than the reference.

    Attributes
    ----------
    model, reference : str
        Names.
    marks : mapping from data set to "better", "worse" or ""
        Where both were tested; "better" means that the model is.
    """

    model: str
    reference: str
    marks: Mapping[str, str]

    @property
    def wins(self) -> int:
        """Data sets on which the model is better."""
        return list(self.marks.values()).count(BETTER)

    @property
    def ties(self) -> int:
        """Data sets on which neither is."""
        return list(self.marks.values()).count(EVEN)

    @property
    def losses(self) -> int:
        """Data sets on which the reference is better."""
        return list(self.marks.values()).count(WORSE)


def corrected_t_test(
    a: ArrayLike, b: ArrayLike, *, n_train: ArrayLike, n_test: ArrayLike
) -> CorrectedTTest:
    r"""Compare the scores of two models on the folds of a repeated cross-validation.

    The training sets of J folds overlap, so their scores vary less than independent
    ones would; Nadeau and Bengio enlarge the variance of the mean difference by the
    ratio of test rows to training rows:

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
        Where all differences are zero, p is 1. Where they are all equal and not zero, t
        is infinite and p is 0, as in WEKA.

    Notes
    -----
    WEKA's corrected paired t-test, by which its Experimenter marks a table. Spread that is
    no more than the rounding of the scores counts as none.

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
    owner = "corrected_t_test"
    first, second = _pairs(owner, a, b, at_least=2)
    # Of means, because the folds of one run may differ by a row; so does WEKA.
    ratio = _mean_size(owner, "n_test", n_test, len(first)) / _mean_size(
        owner, "n_train", n_train, len(first)
    )
    differences = first - second
    mean, deviation = float(differences.mean()), float(differences.std(ddof=1))
    noise = _rounding_noise(first, second)
    if deviation <= noise:
        if abs(mean) <= noise:
            return CorrectedTTest(mean, 0.0, 1.0)
        return CorrectedTTest(mean, math.copysign(math.inf, mean), 0.0)
    n_folds = len(differences)
    t = mean / (deviation * math.sqrt(1.0 / n_folds + ratio))
    return CorrectedTTest(mean, t, float(2.0 * stdtr(n_folds - 1, -abs(t))))


def wilcoxon_signed_rank(a: ArrayLike, b: ArrayLike) -> SignedRankTest:
    r"""Compare two models over many data sets by the ranks of their differences.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        A score of each model on each data set, such as its mean accuracy.

    Returns
    -------
    SignedRankTest
        The two sums of ranks, and the two-sided p.

    Notes
    -----
    Absolute differences are ranked from the smallest; equal ones share their mean rank.
    The ranks of zero differences are split evenly between the two sums, as Demšar advises
    and scipy's `zero_method="zsplit"` does; of an odd number none is ignored.

    p counts, among all 2ⁿ ways of giving the ranks found to the two sums, those with a
    smaller sum of at most T. Without ties and zeros that is the usual table. For more than
    50 data sets it is the normal approximation without a continuity correction, of variance
    Σ rank² / 4. Differences that agree up to the rounding of the scores are equal.

    References
    ----------
    J. Demšar (2006): Statistical comparisons of classifiers over multiple data sets. Journal
    of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> test = wilcoxon_signed_rank([5, 7, 9, 4], [4, 5, 6, 8])  # 1, 2, 3 and -4
    >>> test.rank_sum_plus, test.rank_sum_minus, test.statistic, test.p
    (6.0, 4.0, 4.0, 0.875)
    """
    first, second = _pairs("wilcoxon_signed_rank", a, b, at_least=1)
    differences = first - second
    noise = _rounding_noise(first, second)
    ranks = _mean_ranks(np.abs(differences), noise)
    is_zero = np.abs(differences) <= noise
    shared = float(ranks[is_zero].sum()) / 2.0
    plus = float(ranks[~is_zero & (differences > 0)].sum()) + shared
    minus = float(ranks[~is_zero & (differences < 0)].sum()) + shared
    return SignedRankTest(plus, minus, _signed_rank_p(ranks, min(plus, minus)))


def win_tie_loss(
    results: Iterable[FoldResult], reference: str, *, alpha: float = 0.05
) -> list[WinTieLoss]:
    """Mark where each model is better or worse than the reference.

    Parameters
    ----------
    results : iterable of FoldResult
        Of one protocol; a model is compared on the data sets that the reference has, too.
    reference : str
        Name of a model in `results`.
    alpha : float, default=0.05
        Differences of accuracy with p ≤ α by `corrected_t_test` are marked.

    Returns
    -------
    list of WinTieLoss
        One for each other model, in order of first appearance.
    """
    if check_number("win_tie_loss", "alpha", alpha, above=0.0) >= 1.0:
        raise ValueError(f"win_tie_loss: alpha must be a number between 0 and 1, got {alpha!r}")
    folds: dict[str, dict[str, list[FoldResult]]] = {}
    protocols = set()
    for result in results:
        folds.setdefault(result.model, {}).setdefault(result.dataset, []).append(result)
        protocols.add(result.protocol)
    if not folds:
        raise ValueError("win_tie_loss: results must have at least one row, got none")
    if len(protocols) > 1:
        raise ValueError(
            f"win_tie_loss: results must be of one protocol, got {', '.join(sorted(protocols))}"
        )
    if reference not in folds:
        raise ValueError(
            f"win_tie_loss: reference must be one of {', '.join(map(repr, folds))}, "
            f"got {reference!r}"
        )
    standard = folds.pop(reference)
    compared = []
    for model, tested in folds.items():
        shared = [name for name in tested if name in standard]
        marks = {name: _mark(tested[name], standard[name], alpha) for name in shared}
        compared.append(WinTieLoss(model, reference, marks))
    return compared


def _mark(rows: list[FoldResult], standard: list[FoldResult], alpha: float) -> str:
    places = [{(row.run, row.fold): row for row in group} for group in (rows, standard)]
    for group, found in zip((rows, standard), places, strict=True):
        if len(found) < len(group):
            raise ValueError(
                f"win_tie_loss: {group[0].model} must have each fold of {group[0].dataset} once, "
                f"got {len(group)} rows of {len(found)} folds"
            )
    if places[0].keys() != places[1].keys():
        raise ValueError(
            f"win_tie_loss: {rows[0].model} and {standard[0].model} must have the same folds "
            f"on {rows[0].dataset}"
        )
    test = corrected_t_test(
        [row.accuracy for row in places[0].values()],
        [places[1][place].accuracy for place in places[0]],
        n_train=[row.n_train for row in standard],
        n_test=[row.n_test for row in standard],
    )
    if test.p > alpha:
        return EVEN
    return BETTER if test.difference > 0 else WORSE


def _pairs(owner: str, a: ArrayLike, b: ArrayLike, *, at_least: int) -> tuple[Array, Array]:
    first, second = _numbers(owner, "a", a), _numbers(owner, "b", b)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            f"{owner}: a and b must be two columns of one length, "
            f"got shapes {first.shape} and {second.shape}"
        )
    if len(first) < at_least:
        raise ValueError(f"{owner}: a and b must have at least {at_least} pairs, got {len(first)}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError(f"{owner}: a and b must be finite")
    return first, second


def _mean_size(owner: str, name: str, sizes: ArrayLike, n_folds: int) -> float:
    given = _numbers(owner, name, sizes)
    if given.shape not in ((), (n_folds,)):
        raise ValueError(
            f"{owner}: {name} must be one number or one for each of {n_folds} folds, "
            f"got shape {given.shape}"
        )
    if not (np.isfinite(given) & (given > 0)).all():
        raise ValueError(f"{owner}: {name} must be positive, got {sizes!r}")
    return float(given.mean())


def _numbers(owner: str, name: str, values: ArrayLike) -> Array:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{owner}: {name} must be numbers, got {values!r}") from None


def _rounding_noise(a: Array, b: Array) -> float:
    """Return how far differences of equal scores may lie apart: 0.768 - 0.763, 0.936 - 0.931."""
    return 8.0 * float(np.finfo(np.float64).eps) * float(max(np.abs(a).max(), np.abs(b).max()))


def _mean_ranks(values: Array, noise: float) -> Array:
    order = np.argsort(values, kind="stable")
    group = np.concatenate([[0], np.cumsum(np.diff(values[order]) > noise)])
    places = np.arange(1.0, len(values) + 1.0)
    ranks = np.empty(len(values))
    ranks[order] = (np.bincount(group, places) / np.bincount(group))[group]
    return ranks


def _signed_rank_p(ranks: Array, statistic: float) -> float:
    if len(ranks) > _EXACT_PAIRS:
        deviation = math.sqrt(float((ranks**2).sum()) / 4.0)
        return float(2.0 * ndtr((statistic - float(ranks.sum()) / 2.0) / deviation))
    # Mean ranks are halves, so twice them are whole numbers to count by.
    ways = np.ones(1)
    for doubled in np.rint(2.0 * ranks).astype(int):
        sums = np.zeros(len(ways) + doubled)
        sums[: len(ways)] += 0.5 * ways
        sums[doubled:] += 0.5 * ways
        ways = sums
    # The sum of a zero that was split may lie between two that can occur.
    n_smaller = math.floor(2.0 * statistic + 1e-9) + 1
    return min(1.0, 2.0 * float(ways[:n_smaller].sum()))


__all__ = [
    "BETTER",
    "EVEN",
    "WORSE",
    "CorrectedTTest",
    "SignedRankTest",
    "WinTieLoss",
    "corrected_t_test",
    "wilcoxon_signed_rank",
    "win_tie_loss",
]
