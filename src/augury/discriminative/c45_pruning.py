"""Prune a C4.5 tree by the errors that it must be expected to make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from augury.discriminative.c45_growing import Growth
from augury.discriminative.c45_rows import SMALL, Portions, TreeRows

Array = NDArray[Any]

# What C4.5 accepts for a smaller tree: errors on the training rows, expected errors.
_COLLAPSE_SLACK = 1e-3
_PRUNE_SLACK = 0.1


def added_errors(n: Array, errors: Array, confidence: float) -> Array:
    """Return how many more errors than those seen must be expected of n rows.

    The upper limit of the binomial rate at this confidence, by the normal approximation
    with continuity correction: with f = (errors + ½) / n and z = Φ⁻¹(1 - confidence),

        n (f + z²/2n + z √(f/n - f²/n + z²/4n²)) / (1 + z²/n) - errors.

    Without an error it is n (1 - confidence^(1/n)), exactly; between none and one, and
    where nearly all are wrong, C4.5 interpolates.

    >>> added_errors(np.array([6.0]), np.array([0.0]), 0.25).round(3)  # Quinlan 1993, p. 41
    array([1.238])
    """
    n, one_or_more = np.maximum(n, SMALL), np.maximum(errors, 1.0)
    z = ndtri(1 - confidence)
    f = np.minimum((one_or_more + 0.5) / n, 1.0)
    root = np.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    limit = n * (f + z * z / (2 * n) + z * root) / (1 + z * z / n) - one_or_more
    nearly_all = one_or_more + 0.5 >= n
    limit = np.where(nearly_all, np.maximum(n - one_or_more, 0.0), limit)
    none = n * (1 - confidence ** (1 / n))
    added: Array = np.where(errors < 1, none + errors * (limit - none), limit)
    return added


def collapse(node: Growth) -> None:
    """Make leaves of the nodes whose branches have no fewer errors on the training rows."""
    errors: dict[int, float] = {}
    _note_errors(node, errors)
    _collapse(node, errors)


def _errors(class_weights: Array) -> float:
    return float(class_weights.sum() - class_weights.max())


def _note_errors(node: Growth, errors: dict[int, float]) -> float:
    """Return the errors of the leaves, having noted them for every node."""
    below = [_note_errors(branch, errors) for branch in node.branches]
    errors[id(node)] = sum(below) if node.split is not None else _errors(node.class_weights)
    return errors[id(node)]


def _collapse(node: Growth, errors: dict[int, float]) -> None:
    if node.split is None:
        return
    if errors[id(node)] >= _errors(node.class_weights) - _COLLAPSE_SLACK:
        node.become_leaf()
    for branch in node.branches:
        _collapse(branch, errors)


class Pruner:
    """Replaces nodes by leaves, or by their largest branches, where that costs nothing.

    Parameters
    ----------
    rows : the training rows
    confidence : of the upper limits; less prunes more
    subtree_raising : whether a node may be replaced by its largest branch
    """

    def __init__(self, rows: TreeRows, confidence: float, *, subtree_raising: bool) -> None:
        self.rows, self.confidence = rows, confidence
        self.subtree_raising = subtree_raising

    def prune(self, node: Growth) -> float:
        """Prune all below a node, then itself; return the errors to be expected of it."""
        if node.split is None or node.table is None:
            return float(self._expected(node.class_weights[None])[0])
        *leaves, as_leaf = self._expected(np.vstack([node.table, node.class_weights])).tolist()
        as_tree = sum(
            leaf if branch.split is None else self.prune(branch)
            for branch, leaf in zip(node.branches, leaves, strict=True)
        )
        bags = node.table.sum(axis=1)
        # Of branches of equal weight J48 takes the last.
        largest = node.branches[int(np.flatnonzero(bags > bags.max() - SMALL)[-1])]
        raised = np.inf
        if self.subtree_raising:
            raised = self._expected_of_branch(largest, node.index, node.weight)
        if as_leaf - min(as_tree, raised) - _PRUNE_SLACK < SMALL:
            node.become_leaf()
            return float(as_leaf)
        if raised - as_tree - _PRUNE_SLACK < SMALL:
            node.split, node.branches = largest.split, largest.branches
            self._redistribute(node, node.index, node.weight)
            return self.prune(node)
        return as_tree

    def _expected(self, table: Array) -> Array:
        """Return the errors to be expected of a leaf for each row of class weights."""
        total = table.sum(axis=1)
        errors = np.maximum(total - table.max(axis=1), 0.0)
        expected: Array = errors + added_errors(total, errors, self.confidence)
        expected[total < SMALL] = 0.0
        return expected

    def _expected_of_branch(self, branch: Growth, index: Array, weight: Array | None) -> float:
        """Return the errors to be expected of a branch, were it given these rows."""
        if branch.split is None:
            return float(self._expected(self.rows.count(index, weight)[None])[0])
        portions = Portions(self.rows, branch.split, index, weight)
        leaves = self._expected(portions.table).tolist()
        return sum(
            leaf if below.split is None else self._expected_of_branch(below, *portions.part(k))
            for k, (below, leaf) in enumerate(zip(branch.branches, leaves, strict=True))
        )

    def _redistribute(self, node: Growth, index: Array, weight: Array | None) -> None:
        """Give these rows to a node, and to all below."""
        node.index, node.weight = index, weight
        node.class_weights = self.rows.count(index, weight)
        if node.split is not None:
            portions = Portions(self.rows, node.split, index, weight)
            node.table = portions.table
            for k, branch in enumerate(node.branches):
                self._redistribute(branch, *portions.part(k))
