"""Objectives of a search: a sum over families, or the conditional likelihood of the network."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Protocol

import numpy as np

from augury.arrays import Array, BoolArray
from augury.counts.sparse_table import SparseTable
from augury.structure.climber import Nodes
from augury.structure.conditional_scores import conditional_log_likelihood
from augury.structure.family_scores import FamilyScores, JointCounts, is_possible, is_sparse


class SumOfFamilies:
    """A score that is a sum over the families."""

    decomposable = True

    def __init__(self, scores: FamilyScores) -> None:
        self.scores = scores

    def settle(self, nodes: Nodes) -> float:
        """Set the current structure and return its score, without that of an implied class."""
        self._nodes = list(nodes)
        self._scores = [self._family(i, above) for i, above in enumerate(nodes)]
        self._score = float(sum(self._scores))
        return self._score

    def change(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Give these nodes these parents, and return the score."""
        self._score += self.gain(changes)
        for i, above in changes.items():
            self._nodes[i], self._scores[i] = above, self._family(i, above)
        return self._score

    def _family(self, child: int, parents: tuple[int, ...]) -> float:
        return self.scores.family(child, frozenset(parents))

    def gains_of_adding(self, child: int, _candidates: BoolArray) -> Array:
        """Return the gain of each node as one more parent; all are scored in one pass."""
        extended = self.scores.with_each(child, frozenset(self._nodes[child]))
        return np.asarray(extended - self._scores[child])

    def gain(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Return the gain if these nodes get these parents; -inf if impossible."""
        return sum(self._family(i, above) - self._scores[i] for i, above in changes.items())


class RowsAndCounts(JointCounts, Protocol):
    """Counts, the rows that were counted, and the names of their columns."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the columns."""

    def rows(self) -> tuple[Array, Array, Array | None]:
        """Return the codes, the classes and the weights of all rows."""


class ConditionalLikelihood:
    """Σ log p(c | x) over the training rows, by the network with smoothed estimates.

    Every change of the structure changes the posterior of every row. Each candidate therefore
    takes a pass over the rows, and all candidates are evaluated again after each step. With n
    rows, d columns and q classes a step takes about d² n q operations.
    """

    counts: RowsAndCounts
    alpha: float

    decomposable = False

    def __init__(self, counts: RowsAndCounts, alpha: float) -> None:
        self.counts, self.alpha = counts, alpha
        self._codes, self._y, self._weight = counts.rows()
        self._n_slots = counts.n_states + 1
        classes = counts.class_counts
        self._prior = np.log((classes + alpha) / (classes.sum() + alpha * len(classes)))
        # Log probabilities by cell; of a family with more cells than rows, by row.
        self._tables: dict[tuple[int, frozenset[int]], Array] = {}
        self._sparse_factors: dict[tuple[int, frozenset[int]], Array] = {}

    def settle(self, nodes: Nodes) -> float:
        """Set the current structure and return its conditional log likelihood."""
        self._nodes = list(nodes)
        n_classes = len(self._prior)
        if not all(
            is_possible(i, above, self.counts.n_states, n_classes) for i, above in enumerate(nodes)
        ):
            return -np.inf
        self._terms = [self._factors(i, above) for i, above in enumerate(nodes)]
        self._joint = self._prior + sum(self._terms, np.zeros((len(self._y), 1)))
        self._score = self._likelihood(self._joint)
        return self._score

    def change(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Give these nodes these parents, and return the conditional log likelihood."""
        for i, above in changes.items():
            factors = self._factors(i, above)
            self._joint = self._joint + (factors - self._terms[i])
            self._nodes[i], self._terms[i] = above, factors
        self._score = self._likelihood(self._joint)
        return self._score

    def _likelihood(self, joint: Array) -> float:
        return conditional_log_likelihood(joint, self._y, self._weight)

    def gains_of_adding(self, child: int, candidates: BoolArray) -> Array:
        """Return the gain of each candidate as one more parent."""
        above = self._nodes[child]
        gains = np.full(len(self._nodes), -np.inf)
        for j in np.flatnonzero(candidates).tolist():
            gains[j] = self.gain({child: (*above, j)})
        return gains

    def gain(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Return the gain if these nodes get these parents; -inf if impossible."""
        joint = self._joint
        for i, above in changes.items():
            if not is_possible(i, above, self.counts.n_states, joint.shape[1]):
                return -np.inf
            joint = joint + (self._factors(i, above) - self._terms[i])
        return self._likelihood(joint) - self._score

    def _factors(self, child: int, parents: tuple[int, ...]) -> Array:
        """Return log p(x_child | parents, c) for each row and class; 0 if a value is left out."""
        key = child, frozenset(parents)
        columns = (*sorted(parents), child)
        n_slots = tuple(self._n_slots[list(columns)].tolist())
        if parents and is_sparse(prod(n_slots), len(self._codes)):
            if key not in self._sparse_factors:
                self._sparse_factors[key] = self._find_sparse_factors(columns, n_slots)
            return self._sparse_factors[key]
        if key not in self._tables:
            counts = self.counts.joint(columns)
            totals = counts.sum(axis=-2, keepdims=True) + self.alpha * counts.shape[-2]
            theta = (counts + self.alpha) / np.where(totals > 0, totals, 1.0)
            slots = [(0, 1)] * len(columns) + [(0, 0)]
            table = np.pad(np.log(theta), slots).reshape(-1, counts.shape[-1])
            self._tables[key] = table
        table = self._tables[key]
        code = np.zeros(len(self._codes), dtype=np.int64)
        for j in columns:
            code *= self._n_slots[j]
            code += self._codes[:, j]
        factors: Array = table[code]
        return factors

    def _find_sparse_factors(self, columns: tuple[int, ...], n_slots: tuple[int, ...]) -> Array:
        """Return `_factors` of a family whose table would be larger than the rows."""
        family = self._codes[:, list(columns)]
        known = np.all(family < np.array(n_slots) - 1, axis=1)
        family, y = family[known], self._y[known]
        weight = None if self._weight is None else self._weight[known]
        factors = np.zeros((len(known), len(self._prior)))
        table = SparseTable.collect(family, n_slots, y, len(self._prior), weight)
        count, total = table.counts_at(family)
        total += self.alpha * (n_slots[-1] - 1)
        factors[known] = np.log((count + self.alpha) / np.where(total > 0, total, 1.0))
        return factors


__all__ = ["ConditionalLikelihood", "RowsAndCounts", "SumOfFamilies"]
