"""Search for parents along an order of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from augury.arrays import Array
from augury.structure.family_scores import (
    CONDITIONAL_SCORES,
    GENERATIVE_SCORES,
    FamilyScores,
    JointCounts,
)
from augury.structure.structure import Structure
from augury.validation import check_choice, check_integer, check_number

SCORES = (*GENERATIVE_SCORES, *CONDITIONAL_SCORES)

# Scores that differ by less are equal: sums in another order must not change the result.
_RESOLUTION = 1e-12


@dataclass(frozen=True)
class OrderSearch:
    """The search of K2: each column adds parents among the columns before it while it gains.

    Parameters
    ----------
    score : {"ll", "aic", "bic", "mdl", "k2", "bdeu", "acll", "fcll"}
        Score to maximise.
    max_parents : int
        Largest number of parents of a column besides the class, which is a parent of all.
    order : sequence of the numbers of all columns or None
        None orders the columns by decreasing I(A; C).
    equivalent_sample_size : float
        Number of rows that the prior of "bdeu" is worth.
    alpha : float > 0
        Pseudo-count of each state in "acll".

    References
    ----------
    G. F. Cooper, E. Herskovits: A Bayesian method for the induction of probabilistic
    networks from data. Machine Learning 9 (1992).

    Examples
    --------
    >>> from augury.generative import BayesianNetworkClassifier
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]] * 3
    >>> y = ["same", "same", "other", "other"] * 3
    >>> model = BayesianNetworkClassifier(OrderSearch(order=(1, 0))).fit(X, y)
    >>> print(model.draw())
    x0  | class, x1
    x1  | class
    """

    score: str = "k2"
    max_parents: int = 2
    order: Sequence[int] | None = None
    equivalent_sample_size: float = 1.0
    alpha: float = 0.5

    def learn(self, counts: JointCounts) -> Structure:
        """Return the structure that the search finds."""
        owner = type(self).__name__
        check_choice(owner, "score", self.score, SCORES)
        check_integer(owner, "max_parents", self.max_parents, at_least=0)
        for name in ("equivalent_sample_size", "alpha"):
            check_number(owner, name, getattr(self, name), above=0)
        scores = FamilyScores(
            counts,
            self.score,
            equivalent_sample_size=self.equivalent_sample_size,
            alpha=self.alpha,
        )
        parents: list[tuple[int, ...]] = [()] * len(counts.n_states)
        order = self._order(counts)
        for place, i in enumerate(order):
            parents[i] = self._parents_of(scores, i, order[:place])
        return Structure(tuple(parents))

    def _order(self, counts: JointCounts) -> list[int]:
        n = len(counts.n_states)
        if self.order is None:
            # The LL of the class given the column has the same order as I(A; C).
            scores = FamilyScores(counts, "ll", class_is_parent=False)
            return _decreasing(scores.with_each(n, frozenset())[:n])
        order = list(self.order)
        if any(not isinstance(i, Integral) for i in order) or sorted(order) != list(range(n)):
            raise ValueError(
                f"{type(self).__name__}: order must have each of the columns 0 … {n - 1} once, got "
                f"{tuple(self.order)!r:.200}"
            )
        return [int(i) for i in order]

    def _parents_of(self, scores: FamilyScores, i: int, before: list[int]) -> tuple[int, ...]:
        parents: tuple[int, ...] = ()
        score = scores.family(i, frozenset())
        while before and len(parents) < self.max_parents:
            candidates = scores.with_each(i, frozenset(parents))[before]
            smallest_gain = _RESOLUTION * (1.0 + abs(score))
            best = int(np.argmax(candidates >= candidates.max() - smallest_gain))
            if candidates[best] <= score + smallest_gain:
                break
            parents, score = (*parents, before[best]), float(candidates[best])
        return parents


def _decreasing(values: Array) -> list[int]:
    """Return the indices of the values, the largest first; of equal ones the lower index."""
    near = _RESOLUTION * (1.0 + np.abs(values[np.isfinite(values)]).max(initial=0.0))
    waiting, order = list(range(len(values))), []
    while waiting:
        left = values[waiting]
        order.append(waiting.pop(int(np.argmax(left >= left.max() - near))))
    return order
