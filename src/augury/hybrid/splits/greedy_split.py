"""Greedy search for the columns that move from naive Bayes to logistic regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts import FeatureCounts, laplace_log_probability, laplace_log_table
from augury.discriminative.solvers.one_vs_rest import fit_one_vs_rest
from augury.encode import CategoricalTable
from augury.memory import require_bytes

# Scores whose difference is smaller are ties: sums in another order differ by rounding.
_TIE = 1e-9
# Maximum size, for each row, of a table that numbers the groups; larger ones are sorted.
_MAX_CELLS_PER_ROW = 64


@dataclass(frozen=True, eq=False)
class _Regression:
    """A regression on some columns; rows that are equal in them are one group.

    `group` is the group number of each row, `design` has a row of terms for each group, `coef`
    holds the coefficients, and `scores` is log p(c | group) up to a constant of each group.
    """

    group: Array
    design: Array
    coef: Array
    scores: Array


class GreedySplit:
    """The search of HBayes-NB, over columns that are counted once.

    All columns begin in naive Bayes. The column that raises the accuracy on the training
    rows most moves to the regression, until none raises it.

    The factors of naive Bayes do not depend on the split and are summed once; a move subtracts
    one of them. The regression has one row for each combination of values of its columns, with
    its counts. It starts at the coefficients that were found without the candidate.

    Parameters
    ----------
    table : all columns as categories
    y, weight : class and weight of each row
    n_classes : declared number of classes
    alpha : pseudo-count of each state in naive Bayes
    C : inverse strength of the regression's penalty
    one_hot : whether a column is an indicator for each state, or the index of the state

    Attributes
    ----------
    moved : list of the columns, in the order in which they moved
    accuracies : list of the accuracy on the training rows, before and after each move
    """

    def __init__(
        self,
        table: CategoricalTable,
        y: Array,
        weight: Array | None,
        n_classes: int,
        *,
        alpha: float,
        C: float,
        one_hot: bool,
    ) -> None:
        self._codes, self._n_states, self._C = table.codes, table.n_states, C
        if one_hot:
            # The indicators of the states, and the Hessian of a regression on them.
            require_bytes(
                16 * int((table.n_states**2).sum()),
                "the indicators of all states of a column",
                table.n_states,
                advice='leave these columns out, group their labels, or take encoding="ordinal"',
            )
        counts = FeatureCounts.collect(table.codes, table.n_states, y, n_classes, weight)
        self._present = np.flatnonzero(counts.class_counts)
        self._weight = np.ones(len(y)) if weight is None else weight
        number = np.zeros(n_classes, dtype=np.int64)
        number[self._present] = np.arange(len(self._present))
        self._y = number[y]
        self._factors = self._look_up(counts, alpha)
        self._terms = [_terms(counts, j, one_hot=one_hot) for j in range(len(self._n_states))]
        log_prior = laplace_log_probability(counts.class_counts, alpha)[self._present]
        rest = np.zeros((len(self._present), len(y)))
        for j, factors in enumerate(self._factors):
            rest += factors.T[:, self._codes[:, j]]
        self.moved: list[int] = []
        self.accuracies: list[float] = [self._accuracy(rest + log_prior[:, None])]
        self._search(rest)

    def _look_up(self, counts: FeatureCounts, alpha: float) -> list[Array]:
        """Return log p(slot | class) of each column, of shape (slots, classes with rows)."""
        whole = laplace_log_table(counts, alpha)[:, self._present]
        return np.split(whole, counts.offsets[1:-1])

    def _search(self, rest: Array) -> None:
        """Move columns; `rest` is the sum of the remaining factors, of shape (classes, rows)."""
        current = self._without_columns()
        while len(self.moved) < len(self._factors) and len(self._present) > 1:
            # No accuracy is higher if all rows are correct.
            least = self.accuracies[-1] + _TIE
            found: tuple[int, _Regression] | None = None
            for j in range(len(self._factors)):
                if j in self.moved or least >= 1.0:
                    continue
                candidate, code = self._with_column(current, j)
                change = candidate.scores - self._factors[j][code]
                accuracy = self._accuracy(rest, change.T, candidate.group)
                if accuracy > least:  # ties go to the first column
                    least, found = accuracy + _TIE, (j, candidate)
            if found is None:
                return
            j, current = found
            rest -= self._factors[j].T[:, self._codes[:, j]]
            self.moved.append(j)
            self.accuracies.append(least - _TIE)

    def _without_columns(self) -> _Regression:
        n_sought = len(self._present) if len(self._present) > 2 else 1
        return _Regression(
            group=np.zeros(len(self._y), dtype=np.int64),
            design=np.ones((1, 1)),
            coef=np.zeros((n_sought, 1)),
            scores=np.zeros((1, len(self._present))),
        )

    def _with_column(self, current: _Regression, j: int) -> tuple[_Regression, Array]:
        """Return the regression with column j too, and the column's code in each group."""
        n_slots, q = len(self._terms[j]), len(self._present)
        key = current.group * n_slots + self._codes[:, j]
        seen, group = _number(key, len(current.design) * n_slots)
        before, code = seen // n_slots, seen % n_slots
        counts = np.bincount(
            group * q + self._y, weights=self._weight, minlength=len(seen) * q
        ).reshape(-1, q)
        design = np.hstack([current.design[before], self._terms[j][code]])
        start = np.zeros((len(current.coef), design.shape[1]))
        start[:, : current.coef.shape[1]] = current.coef
        fitted_counts = (
            counts if q > 2 else counts[:, 1:]
        )  # with two classes, the second against the first
        positives = np.ascontiguousarray(fitted_counts.T)
        coef = fit_one_vs_rest(design, positives, counts.sum(axis=1), self._C, start)
        z = design @ coef.T
        scores = -np.logaddexp(0.0, -z) if q > 2 else np.hstack([np.zeros_like(z), z])
        return _Regression(group, design, coef, scores), code

    def _accuracy(
        self, rest: Array, change: Array | None = None, group: Array | None = None
    ) -> float:
        """Return the share of rows whose class has the largest score; the first wins ties."""
        best = np.full(len(self._y), -np.inf)
        label = np.zeros(len(self._y), dtype=np.int64)
        for c, scores in enumerate(rest):
            if change is not None:
                scores = scores + change[c][group]
            better = scores > best + _TIE
            np.copyto(best, scores, where=better)
            np.copyto(label, c, where=better)
        right = label == self._y
        return float(self._weight @ right) / float(self._weight.sum())


def _terms(counts: FeatureCounts, j: int, *, one_hot: bool) -> Array:
    """Return the terms of each slot of a column, as `MatrixReader` computes them.

    The last slot is "left out": no indicator, or the mean of the index.
    """
    n_states = int(counts.n_states[j])
    if one_hot:
        return np.vstack([np.eye(n_states), np.zeros((1, n_states))])
    index, weight = np.arange(n_states, dtype=np.float64), counts.of_column(j).sum(axis=1)
    mean = index @ weight / weight.sum() if weight.any() else 0.0
    return np.append(index, mean)[:, None]


def _number(key: Array, n_keys: int) -> tuple[Array, Array]:
    """Return the sorted distinct keys, and for each row the index of its key."""
    if n_keys > _MAX_CELLS_PER_ROW * len(key):
        seen, place = np.unique(key, return_inverse=True)
        return seen, place
    occurs = np.zeros(n_keys, dtype=bool)
    occurs[key] = True
    place = np.cumsum(occurs) - 1
    return np.flatnonzero(occurs), place[key]
