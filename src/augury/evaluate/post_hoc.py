"""Post-hoc tests after Friedman's test, and p-values adjusted for many comparisons."""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr
from scipy.stats import studentized_range

from augury.evaluate.friedman import FriedmanTest
from augury.validation import Array, check_choice

CONTROL_METHODS = ("holm", "bonferroni-dunn")
PAIR_METHODS = ("nemenyi", "holm")


@dataclass(frozen=True, slots=True)
class RankComparison:
    """Comparison of two models by their mean ranks.

    Attributes
    ----------
    model, other : str
        Names.
    difference : float
        Mean rank of the model minus that of the other: below 0 if the model is better.
    z : float
        The difference divided by its standard error.
    p : float
        Two-sided p-value of this pair alone.
    adjusted_p : float
        The smallest level of the whole family of comparisons at which this pair differs
        significantly.
    """

    model: str
    other: str
    difference: float
    z: float
    p: float
    adjusted_p: float


def compare_with_control(
    test: FriedmanTest, control: str, *, method: str = "holm"
) -> list[RankComparison]:
    """Compare all other models with one model, after Friedman's test.

    Parameters
    ----------
    test : FriedmanTest
        Test of all models.
    control : str
        Name of the model that the others are compared with.
    method : {"holm", "bonferroni-dunn"}, default="holm"
        How p is adjusted for the number of comparisons. Holm's p is never the larger one.

    Returns
    -------
    list of RankComparison
        In the order of the models.

    Examples
    --------
    >>> from augury.evaluate import friedman_test
    >>> test = friedman_test({"nb": [1, 2, 3], "hnb": [4, 5, 6], "lr": [7, 9, 5]})
    >>> hnb, lr = compare_with_control(test, "nb")
    >>> round(lr.z, 3), round(lr.p, 4), round(lr.adjusted_p, 4)  # z = -5/3 / √(12 / 18)
    (-2.041, 0.0412, 0.0825)
    """
    owner = "compare_with_control"
    check_choice(owner, "control", control, test.models)
    check_choice(owner, "method", method, CONTROL_METHODS)
    pairs = [(model, control) for model in test.models if model != control]
    p = [_pair_p(test, pair) for pair in pairs]
    return _comparisons(test, pairs, p, holm(p) if method == "holm" else bonferroni(p))


def compare_all_pairs(test: FriedmanTest, *, method: str = "nemenyi") -> list[RankComparison]:
    """Compare all pairs of models, after Friedman's test.

    Parameters
    ----------
    test : FriedmanTest
        Test of all models.
    method : {"nemenyi", "holm"}, default="nemenyi"
        p from the studentised range of k models, or adjusted by Holm's method over all pairs.

    Returns
    -------
    list of RankComparison
        The first model with all others, then the second model with those after it, and so on.
    """
    check_choice("compare_all_pairs", "method", method, PAIR_METHODS)
    pairs = list(combinations(test.models, 2))
    p = [_pair_p(test, pair) for pair in pairs]
    if method == "holm":
        return _comparisons(test, pairs, p, holm(p))
    n_models = len(test.models)
    z = np.array([abs(_pair_z(test, pair)) for pair in pairs])
    ranges = studentized_range.sf(math.sqrt(2.0) * z, n_models, math.inf)
    return _comparisons(test, pairs, p, np.clip(ranges, 0.0, 1.0))


def holm(p_values: ArrayLike) -> Array:
    """Adjust p-values for the number of comparisons by Holm's method.

    The smallest p is multiplied by the number of comparisons, the next by one less, and so on;
    no adjusted p is below the one before it.

    Parameters
    ----------
    p_values : array-like of shape (n_comparisons,)
        p-values of single comparisons.

    Returns
    -------
    array of shape (n_comparisons,)
        Holm's procedure rejects at level α the comparisons with an adjusted p ≤ α.

    References
    ----------
    S. Holm (1979): A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()  # 3 · 0.01, 2 · 0.03, max(1 · 0.04, 0.06)
    [0.03, 0.06, 0.06]
    """
    p = _check_p("holm", p_values)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def bonferroni(p_values: ArrayLike) -> Array:
    """Multiply p-values by the number of comparisons.

    Parameters
    ----------
    p_values : array-like of shape (n_comparisons,)
        p-values of single comparisons.

    Returns
    -------
    array of shape (n_comparisons,)
        At least those of `holm`, and at most 1.

    Examples
    --------
    >>> bonferroni([0.01, 0.5]).tolist()
    [0.02, 1.0]
    """
    p = _check_p("bonferroni", p_values)
    adjusted: Array = np.minimum(p * len(p), 1.0)
    return adjusted


def _check_p(owner: str, p_values: ArrayLike) -> Array:
    p = np.asarray(p_values, dtype=np.float64)
    # NaN fails this comparison too.
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"{owner}: p_values must be a column from 0 to 1, got {p_values!r}")
    return p


def _pair_z(test: FriedmanTest, pair: tuple[str, str]) -> float:
    return (test.rank_of(pair[0]) - test.rank_of(pair[1])) / test.standard_error


def _pair_p(test: FriedmanTest, pair: tuple[str, str]) -> float:
    return float(2.0 * ndtr(-abs(_pair_z(test, pair))))


def _comparisons(
    test: FriedmanTest, pairs: list[tuple[str, str]], p: list[float], adjusted: Array
) -> list[RankComparison]:
    return [
        RankComparison(
            model=model,
            other=other,
            difference=test.rank_of(model) - test.rank_of(other),
            z=_pair_z(test, (model, other)),
            p=alone,
            adjusted_p=float(together),
        )
        for (model, other), alone, together in zip(pairs, p, adjusted, strict=True)
    ]


__all__ = [
    "RankComparison",
    "bonferroni",
    "compare_all_pairs",
    "compare_with_control",
    "holm",
]
