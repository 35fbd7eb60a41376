"""Growth of a C4.5 tree: each node splits on the column with the best gain ratio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.discriminative.c45.gain import all_gains
from augury.discriminative.c45.rows import SMALL, Portions, Split, TreeColumn, TreeRows

# A column with at least this many states for each row does not count in the average gain.
_MANY_STATES = 0.3
# Tolerance of C4.5 for a gain below the average.
_BELOW_AVERAGE = 1e-3


@dataclass(slots=True, eq=False)
class GrowingNode:
    """A node of a tree that is being built; a leaf has no split.

    Parameters
    ----------
    index : the training rows here
    weight : their weights here, or None
    class_weights : their weight in each class
    split : the split, None in a leaf
    table : weight in each branch and class
    branches : the nodes below
    expected_errors : errors that pruning expects of the node
    """

    index: Array
    weight: Array | None
    class_weights: Array
    split: Split | None = None
    table: Array | None = None
    branches: Sequence[GrowingNode] = ()
    expected_errors: float = 0.0

    def walk(self) -> Iterator[GrowingNode]:
        """Yield this node and all below it, each before its branches."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.branches)

    def become_leaf(self) -> None:
        """Remove the split and all nodes below."""
        self.split, self.table, self.branches = None, None, ()


class TreeGrower:
    """Grows the full tree of some rows.

    Parameters
    ----------
    rows : the training rows
    minimum : weight that at least two branches of a split must have
    n_threads : number of threads
    """

    rows: TreeRows
    minimum: float
    n_threads: int
    in_average: list[bool]
    place: Array | None

    def __init__(self, rows: TreeRows, minimum: float, n_threads: int = 1) -> None:
        self.rows, self.minimum, self.n_threads = rows, minimum, n_threads
        columns = rows.columns
        few = _MANY_STATES * rows.total - SMALL
        in_average = [c.states is None or c.n_branches < few for c in columns]
        self.in_average = in_average if any(in_average) else [True] * len(columns)
        # Gains of columns of codes come first; these places restore the order of the columns.
        n_codes = rows.codes.shape[1]
        place = [c.index + n_codes * (c.states is None) for c in columns]
        self.place = None if place == sorted(place) else np.array(place)

    def grow(self) -> GrowingNode:
        """Return the root of the full tree."""
        rows = self.rows
        everything = np.arange(rows.n_samples, dtype=np.int64)
        weight = None if rows.weight is None else rows.weight.copy()
        root = GrowingNode(everything, weight, rows.count(everything, weight))
        waiting = [] if self._is_final(root.class_weights.tolist()) else [root]
        while waiting:
            node = waiting.pop()
            node.split = self._choose(node)
            if node.split is None:
                continue
            portions = Portions(rows, node.split, node.index, node.weight, in_place=True)
            node.table = portions.table
            node.branches = [
                GrowingNode(*portions.part(k), class_weights)
                for k, class_weights in enumerate(portions.table)
            ]
            below = zip(node.branches, portions.table.tolist(), strict=True)
            waiting += [branch for branch, weights in below if not self._is_final(weights)]
        return root

    def _is_final(self, class_weights: list[float]) -> bool:
        """Return whether a node with these class weights is too small to split, or pure."""
        total = sum(class_weights)
        return 2 * self.minimum - total > SMALL or total - max(class_weights) < SMALL

    def _choose(self, node: GrowingNode) -> Split | None:
        """Return the first split of the best ratio among those of at least average gain."""
        facts = all_gains(self.rows, node.index, node.weight, self.minimum, self.n_threads).facts
        if self.place is not None:
            facts = facts[:, self.place]
        gain, ratio, usable, below, above = facts.tolist()
        counted = zip(gain, usable, self.in_average, strict=True)
        averaged = [g for g, is_usable, is_counted in counted if is_usable and is_counted]
        if not averaged:
            return None
        least = sum(averaged) / len(averaged) - _BELOW_AVERAGE
        best, chosen = 0.0, -1
        for j, own in enumerate(ratio):
            if own - best > SMALL and usable[j] and gain[j] >= least:
                best, chosen = own, j
        if chosen < 0:
            return None
        column = self.rows.columns[chosen]
        if column.states is not None:
            return Split(column)
        return self._split_between(column, below[chosen], above[chosen])

    def _split_between(self, column: TreeColumn, below: float, above: float) -> Split:
        """Return the split at the largest value of all training rows that is at most the middle."""
        middle = below / 2 + above / 2
        if not below <= middle < above:  # there is no number between the two
            middle = below
        values = self.rows.distinct[column.index]
        cut = int(np.searchsorted(values, middle, "right")) - 1
        return Split(column, float(values[cut]), cut)
