"""Growth of a C4.5 tree: each node splits on the column with the best gain ratio."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from augury.arrays import Array
from augury.discriminative.c45.gain import Gains, state_gains, threshold_gains
from augury.discriminative.c45.rows import SMALL, Portions, Split, TreeRows

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
    branches: list[GrowingNode] = field(default_factory=list)
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
        self.split, self.table, self.branches = None, None, []


class TreeGrower:
    """Grows the full tree of some rows.

    Parameters
    ----------
    rows : the training rows
    minimum : weight that at least two branches of a split must have
    n_threads : number of threads
    """

    def __init__(self, rows: TreeRows, minimum: float, n_threads: int = 1) -> None:
        self.rows, self.minimum, self.n_threads = rows, minimum, n_threads
        columns = rows.columns
        self.is_number = np.array([column.states is None for column in columns], dtype=bool)
        few = np.array(
            [column.n_branches < _MANY_STATES * rows.total - SMALL for column in columns]
        )
        in_average = self.is_number | few
        self.in_average = in_average if in_average.any() else np.ones_like(in_average)
        # Gains of columns of codes come first; these places restore the order of the columns.
        n_codes = len(rows.codes)
        self.place = [c.index + n_codes * (c.states is None) for c in columns]

    def grow(self) -> GrowingNode:
        """Return the root of the full tree."""
        rows = self.rows
        everything = np.arange(rows.n_samples)
        weight = None if rows.weight is None else rows.weight.copy()
        root = GrowingNode(everything, weight, rows.count(everything, weight))
        waiting = [root] if not self._is_final(root.class_weights[None])[0] else []
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
            final = self._is_final(portions.table).tolist()
            waiting += [b for b, done in zip(node.branches, final, strict=True) if not done]
        return root

    def _is_final(self, table: Array) -> Array:
        """Return for each row of class weights whether it is too small to split, or pure."""
        total = table.sum(axis=1)
        final: Array = 2 * self.minimum - total > SMALL
        final |= total - table.max(axis=1) < SMALL
        return final

    def _gains(self, node: GrowingNode) -> Gains:
        parts = []
        if len(self.rows.codes):
            parts.append(
                state_gains(self.rows, node.index, node.weight, self.minimum, self.n_threads)
            )
        if len(self.rows.numbers):
            parts.append(threshold_gains(self.rows, node.index, node.weight, self.minimum))
        return Gains(
            *(
                np.concatenate([getattr(part, name) for part in parts])[self.place]
                for name in ("gain", "ratio", "usable", "below", "above")
            )
        )

    def _choose(self, node: GrowingNode) -> Split | None:
        """Return the first split of the best ratio among those of at least average gain."""
        found = self._gains(node)
        averaged = found.gain[found.usable & self.in_average]
        if len(averaged) == 0:
            return None
        good = found.usable & (found.gain >= averaged.mean() - _BELOW_AVERAGE)
        candidates = np.flatnonzero(good)
        best, chosen = 0.0, -1
        for j, ratio in zip(candidates.tolist(), found.ratio[candidates].tolist(), strict=True):
            if ratio - best > SMALL:
                best, chosen = ratio, j
        if chosen < 0:
            return None
        column = self.rows.columns[chosen]
        if column.states is not None:
            return Split(column)
        return Split(
            column, self._threshold(column.index, found.below[chosen], found.above[chosen])
        )

    def _threshold(self, j: int, below: float, above: float) -> float:
        """Return the largest value of all training rows that is at most the middle."""
        middle = below / 2 + above / 2
        if not below <= middle < above:  # there is no number between the two
            middle = below
        values = self.rows.sorted_numbers[j]
        return float(values[np.searchsorted(values, middle, "right") - 1])
