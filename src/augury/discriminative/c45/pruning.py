"""Pruning of a C4.5 tree by its expected errors."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from augury.arrays import Array
from augury.discriminative.c45.growing import GrowingNode
from augury.discriminative.c45.rows import SMALL, Portions, TreeRows
from augury.kernels import expected_errors

# Additional training errors, or expected errors, that C4.5 accepts for a smaller tree.
_COLLAPSE_SLACK = 1e-3
_PRUNE_SLACK = 0.1


def collapse(root: GrowingNode) -> None:
    """Turn nodes into leaves if their branches have no fewer errors on the training rows."""
    nodes = list(root.walk())
    errors: dict[int, float] = {}
    weights = np.array([node.class_weights for node in nodes])
    owns = (weights.sum(axis=1) - weights.max(axis=1)).tolist()
    for node, own in zip(reversed(nodes), reversed(owns), strict=True):
        below = sum(errors[id(branch)] for branch in node.branches)
        if node.split is None:
            below = own
        elif below >= own - _COLLAPSE_SLACK:
            node.become_leaf()  # the parent still counts the errors of the branches, as in J48
        errors[id(node)] = below


class Pruner:
    """Replaces nodes by leaves or by their largest branches.

    Parameters
    ----------
    rows : the training rows
    confidence : confidence of the upper limits; lower values prune more
    subtree_raising : whether a node may be replaced by its largest branch
    """

    rows: TreeRows
    confidence: float

    def __init__(self, rows: TreeRows, confidence: float, *, subtree_raising: bool) -> None:
        self.rows, self.confidence = rows, confidence
        self.subtree_raising = subtree_raising
        self.quantile: float = float(ndtri(1 - confidence))

    def prune(self, root: GrowingNode) -> None:
        """Prune the tree from the leaves to the root."""
        # Trees may be deeper than the recursion limit.
        waiting = [(root, False)]
        while waiting:
            node, below_is_done = waiting.pop()
            if node.split is None or node.table is None:
                continue
            if not below_is_done:
                waiting.append((node, True))
                leaves = self._expected(node.table).tolist()
                for branch, expected in zip(node.branches, leaves, strict=True):
                    branch.expected_errors = expected
                    waiting.append((branch, False))
            elif self._replace(node):
                waiting.append((node, False))

    def _replace(self, node: GrowingNode) -> bool:
        """Replace a node or keep it; return whether its branches must be pruned again."""
        assert node.table is not None
        as_leaf = float(self._expected(node.class_weights[None])[0])
        as_tree = sum(branch.expected_errors for branch in node.branches)
        bags = node.table.sum(axis=1).tolist()
        most = max(bags) - SMALL
        # J48 takes the last of several branches of equal weight.
        largest = node.branches[max(k for k, bag in enumerate(bags) if bag >= most)]
        raised = np.inf
        if self.subtree_raising:
            raised = self._expected_if_raised(node, largest, as_leaf)
        if as_leaf - min(as_tree, raised) - _PRUNE_SLACK < SMALL:
            node.become_leaf()
            node.expected_errors = as_leaf
            return False
        node.expected_errors = as_tree
        if raised - as_tree - _PRUNE_SLACK >= SMALL:
            return False
        node.split, node.branches = largest.split, largest.branches
        node.expected_errors = raised
        self._redistribute(node)
        return True

    def _expected(self, table: Array) -> Array:
        """Return the expected errors of a leaf for each row of class weights."""
        return expected_errors(table, self.confidence, self.quantile)

    def _expected_if_raised(self, node: GrowingNode, largest: GrowingNode, as_leaf: float) -> float:
        """Return the expected errors of the largest branch if it gets all rows of the node."""
        if largest.split is None:
            return as_leaf
        if self.rows.has_missing:  # the weights of divided rows change everywhere
            return self._expected_of_branch(largest, node.index, node.weight)
        # Only the errors of leaves that get rows of the other branches change.
        others = [branch for branch in node.branches if branch is not largest]
        index = np.concatenate([branch.index for branch in others])
        weights = [branch.weight for branch in others if branch.weight is not None]
        weight = np.concatenate(weights) if weights else None
        expected = largest.expected_errors
        waiting = [(largest, index, weight)]
        while waiting:
            at, index, weight = waiting.pop()
            assert at.split is not None
            assert at.table is not None
            portions = Portions(self.rows, at.split, index, weight)
            reached = np.flatnonzero(portions.table.any(axis=1)).tolist()
            leaves = [k for k in reached if at.branches[k].split is None]
            if leaves:
                before, added = at.table[leaves], portions.table[leaves]
                change = self._expected(np.vstack([before + added, before]))
                expected += float(change[: len(leaves)].sum() - change[len(leaves) :].sum())
            for k in reached:
                if at.branches[k].split is not None:
                    waiting.append((at.branches[k], *portions.part(k)))
        return expected

    def _expected_of_branch(self, branch: GrowingNode, index: Array, weight: Array | None) -> float:
        """Return the expected errors of a branch if it gets these rows."""
        if branch.split is None:
            return float(self._expected(self.rows.count(index, weight)[None])[0])
        expected = 0.0
        waiting = [(branch, index, weight)]
        while waiting:
            node, index, weight = waiting.pop()
            assert node.split is not None
            portions = Portions(self.rows, node.split, index, weight)
            leaves = self._expected(portions.table).tolist()
            for k, below in enumerate(node.branches):
                if below.split is None:
                    expected += leaves[k]
                else:
                    waiting.append((below, *portions.part(k)))
        return expected

    def _redistribute(self, root: GrowingNode) -> None:
        """Divide the rows of a node among its new branches, and all nodes below."""
        for node in root.walk():
            node.class_weights = self.rows.count(node.index, node.weight)
            if node.split is None:
                continue
            portions = Portions(self.rows, node.split, node.index, node.weight, in_place=True)
            node.table = portions.table
            for k, branch in enumerate(node.branches):
                branch.index, branch.weight = portions.part(k)
