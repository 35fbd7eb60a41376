"""Class probabilities of rows from a decision tree, computed level by level."""

from __future__ import annotations

import numpy as np

from augury.arrays import Array, FloatArray
from augury.discriminative.c45.node import TreeNode
from augury.encode import CategoricalTable

# Maximum number of visits at once: a row without values visits every leaf.
_MAX_VISITS = 1 << 21


class Descent:
    """A tree as arrays with an element for each node; branches of a node are adjacent.

    Parameters
    ----------
    root : the tree

    Attributes
    ----------
    nodes : list of all nodes, level by level
    """

    def __init__(self, root: TreeNode) -> None:
        nodes = [root]
        first = []
        for node in nodes:  # the list grows during the iteration
            first.append(len(nodes))
            nodes.extend(node.branches)
        self.nodes = nodes
        self.first = np.array(first)
        self.n_branches: Array = np.array([len(node.branches) for node in nodes])
        columns = [node.column for node in nodes]
        self.column: Array = np.array([-1 if c is None else c.index for c in columns])
        self.is_number: Array = np.array([c is not None and c.states is None for c in columns])
        self.threshold: Array = np.array([n.threshold or 0.0 for n in nodes])
        self.share: FloatArray = np.ones(len(nodes))
        for node, start in zip(nodes, first, strict=True):
            if node.branches:
                self.share[start : start + len(node.branches)] = node.shares
        self.n_leaves: int = sum(node.is_leaf for node in nodes)
        self.probabilities: Array = np.array([node.probabilities for node in nodes])

    def probabilities_of(self, table: CategoricalTable) -> Array:
        """Return the probability of each class for each row.

        A row whose value is missing or unseen follows all branches, weighted by their shares
        of the training rows.
        """
        n, n_classes = table.n_samples, self.probabilities.shape[1]
        proba = np.zeros((n, n_classes))
        is_incomplete = table.leaves_out() or bool(np.isnan(table.numbers).any())
        step = max(1, _MAX_VISITS // self.n_leaves) if is_incomplete else n
        for start in range(0, n, step):
            self._descend(table, np.arange(start, min(start + step, n)), proba)
        proba /= proba.sum(axis=1, keepdims=True)
        return proba

    def _descend(self, table: CategoricalTable, row: Array, proba: Array) -> None:
        node, weight = np.zeros(len(row), dtype=np.intp), np.ones(len(row))
        while len(row):
            arrived = self.n_branches[node] == 0
            at = row[arrived]
            np.add.at(proba, at, weight[arrived, None] * self.probabilities[node[arrived]])
            row, node, weight = row[~arrived], node[~arrived], weight[~arrived]
            branch = self.branch_of(table, row, node)
            lost = branch == self.n_branches[node]
            below = self.first[node] + branch
            if not lost.any():
                node = below
                continue
            times = self.n_branches[node[lost]]
            ends = np.cumsum(times)
            each = np.arange(ends[-1]) - np.repeat(ends - times, times)
            spread = np.repeat(self.first[node[lost]], times) + each
            row = np.concatenate([row[~lost], np.repeat(row[lost], times)])
            part = np.repeat(weight[lost], times) * self.share[spread]
            weight, node = (
                np.concatenate([weight[~lost], part]),
                np.concatenate([below[~lost], spread]),
            )
            there = weight > 0  # a branch without training rows has no share
            row, node, weight = row[there], node[there], weight[there]

    def branch_of(self, table: CategoricalTable, row: Array, node: Array) -> Array:
        """Return the branch of each row at its node; the number of branches if it is unknown."""
        branch = np.empty(len(row), dtype=np.intp)
        number = self.is_number[node]
        at = node[~number]
        branch[~number] = table.codes[row[~number], self.column[at]]
        at = node[number]
        value = table.numbers[row[number], self.column[at]]
        branch[number] = np.where(np.isnan(value), 2, value > self.threshold[at])
        return branch
