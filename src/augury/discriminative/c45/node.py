"""Immutable nodes of a decision tree, and their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.discriminative.c45.growing import GrowingNode
from augury.discriminative.c45.rows import SMALL, TreeColumn
from augury.fitted_state import check_float_array, check_part, check_real, require

# Weights and probabilities of the classes, column, threshold and number of branches.
Parts = tuple[Array, Array, TreeColumn | None, float | None, int]


@dataclass(frozen=True, eq=False, repr=False)
class TreeNode:
    """A node of a decision tree, with all nodes below it.

    Parameters
    ----------
    class_weights : weight of the training rows of each class in the node
    probabilities : share of each class; without training rows, those of the parent node
    column : the column of the split; None in a leaf
    threshold : for a column of numbers, the largest value of the first branch
    branches : the nodes below, one for each state of the column, or for <= and >

    Examples
    --------
    >>> leaf = TreeNode(np.array([2.0, 1.0]), np.array([2.0, 1.0]) / 3)
    >>> leaf.is_leaf, leaf.weight, leaf.errors
    (True, 3.0, 1.0)
    >>> leaf
    <leaf, 3.0 rows>
    """

    class_weights: Array
    probabilities: Array
    column: TreeColumn | None = None
    threshold: float | None = None
    branches: tuple[TreeNode, ...] = ()

    def __repr__(self) -> str:
        what = "leaf" if self.column is None else f"split on {self.column.name!r}"
        return f"<{what}, {decimal_text(self.weight)} rows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return nest, (self.in_parts(),)

    def in_parts(self) -> list[Parts]:
        """Return a flat list of all nodes in the order of `walk`; `nest` rebuilds the tree.

        Nested nodes could exceed the recursion limit when a tree is saved.
        """
        return [
            (n.class_weights, n.probabilities, n.column, n.threshold, len(n.branches))
            for n in self.walk()
        ]

    @property
    def is_leaf(self) -> bool:
        """Whether the node has no split."""
        return self.column is None

    @property
    def weight(self) -> float:
        """Weight of the training rows in the node."""
        return float(self.class_weights.sum())

    @property
    def errors(self) -> float:
        """Weight of the training rows that are not of the most frequent class."""
        return self.weight - float(self.class_weights.max())

    @property
    def shares(self) -> list[float]:
        """Share of the rows in each branch; a row with a missing value is divided by it."""
        total = max(self.weight, SMALL)
        return [branch.weight / total for branch in self.branches]

    @property
    def conditions(self) -> list[str]:
        """The condition of each branch, such as `outlook = sunny` or `humidity <= 75`."""
        if self.column is None:
            return []
        name, states = self.column.name, self.column.states
        if states is not None:
            return [f"{name} = {state}" for state in states]
        threshold = number_text(self.threshold or 0.0)
        return [f"{name} <= {threshold}", f"{name} > {threshold}"]

    def check(self, n_classes: int, n_states: list[int], n_numbers: int) -> None:
        """Raise unless the node is consistent with the numbers of classes and columns.

        Parameters
        ----------
        n_classes : number of classes
        n_states : number of states of each column of labels
        n_numbers : number of columns of numbers
        """
        check_float_array(self, "class_weights", self.class_weights, n_classes, low=0)
        shares = check_float_array(self, "probabilities", self.probabilities, n_classes, low=0)
        require(abs(float(shares.sum()) - 1) < SMALL, self, "probabilities", "1 in their sum")
        if self.column is None:
            require(not self.branches, self, "branches", "none, since the node has no split")
            return
        column = check_part(self, "column", TreeColumn)
        known = n_states[column.index : column.index + 1]
        if column.states is None:
            known = [2] if column.index < n_numbers else []
            check_real(self, "threshold", low=-np.inf, high=np.inf)
        fits = known == [len(self.branches)] and column.n_branches == len(self.branches)
        require(fits, self, "branches", "one for each state of the column")
        require(0 < sum(self.shares) < np.inf, self, "branches", "nodes with rows")

    def walk(self) -> Iterator[TreeNode]:
        """Yield this node and all below it, each before its branches, which are in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.branches)

    def leaf_text(self, class_names: Sequence[str]) -> str:
        """Return the class with its rows and errors, as J48 prints a leaf."""
        counts = decimal_text(self.weight)
        if self.errors > SMALL:
            counts += "/" + decimal_text(self.errors)
        return f"{class_names[int(np.argmax(self.probabilities))]} ({counts})"

    def to_text(self, class_names: Sequence[str]) -> str:
        """Return the tree as J48 prints it: one line for each branch, indented by depth."""
        if self.is_leaf:
            return f": {self.leaf_text(class_names)}"
        lines = []
        waiting = [(0, "", self)]
        while waiting:
            depth, condition, node = waiting.pop()
            if condition:
                end = f": {node.leaf_text(class_names)}" if node.is_leaf else ""
                lines.append("|   " * (depth - 1) + condition + end)
            below = zip(node.conditions, node.branches, strict=True)
            waiting += reversed([(depth + 1, text, branch) for text, branch in below])
        return "\n".join(lines)


def nest(parts: Sequence[Parts]) -> TreeNode:
    """Return the root of a tree from a list that has each node before its branches."""
    ready: list[TreeNode] = []
    for class_weights, probabilities, column, threshold, n_branches in reversed(parts):
        branches = tuple(ready.pop() for _ in range(n_branches))
        ready.append(TreeNode(class_weights, probabilities, column, threshold, branches))
    return ready[0]


def freeze(root: GrowingNode) -> TreeNode:
    """Return a grown tree as immutable nodes."""
    parts = []
    above: dict[int, Array] = {}
    for node in root.walk():
        weight = node.class_weights.sum()
        probabilities = above[id(node)] if weight < SMALL else node.class_weights / weight
        above.update({id(branch): probabilities for branch in node.branches})
        column = None if node.split is None else node.split.column
        threshold = None
        if node.split is not None and node.split.column.states is None:
            threshold = node.split.threshold
        parts.append((node.class_weights, probabilities, column, threshold, len(node.branches)))
    return nest(parts)


def decimal_text(x: float) -> str:
    """Return a weight as WEKA prints it: one or two decimals, halves rounded up.

    >>> decimal_text(26.0), decimal_text(2.665)
    ('26.0', '2.67')
    """
    return str(floor(x * 100 + 0.5) / 100)


def number_text(x: float) -> str:
    """Return a threshold as WEKA prints it, with at most six decimals.

    >>> number_text(75.0), number_text(2.5), number_text(0.00000125)
    ('75', '2.5', '1.25e-06')
    """
    if x != 0 and abs(x) < 1e-3:  # WEKA would print 0
        return f"{x:.6g}"
    return f"{x:.6f}".rstrip("0").rstrip(".")
