"""Moves in the space of acyclic graphs: add, delete or reverse an edge."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from augury.arrays import Array, BoolArray

Nodes = list[tuple[int, ...]]


class Objective(Protocol):
    """The function that a search maximises, with a current structure.

    Attributes
    ----------
    decomposable : whether the gain of changing a node depends on its own family only
    """

    decomposable: bool

    def settle(self, nodes: Nodes) -> float:
        """Set the current structure, the parents of each node, and return its score."""

    def change(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Give these nodes these parents, and return the score."""

    def gains_of_adding(self, child: int, candidates: BoolArray) -> Array:
        """Return the gain of each candidate as one more parent of `child`; -inf if impossible.

        Gains of nodes that are not candidates may have any value.
        """

    def gain(self, changes: Mapping[int, tuple[int, ...]]) -> float:
        """Return the gain if these nodes get these parents; -inf if impossible."""


@dataclass(frozen=True)
class Move:
    """A change of one edge, its gain, and the new parents of the nodes that it changes."""

    gain: float
    kind: str
    edge: tuple[int, int]
    changes: Mapping[int, tuple[int, ...]]


class Climber:
    """A current structure that changes by moves; it has no cycle and at most `max_parents`.

    Parameters
    ----------
    objective : Objective
    nodes : the parents of each node at the start
    max_parents : the largest number of parents of a node
    skeleton : symmetric matrix, whether two nodes may be joined by an edge
        None: all of them.
    resolution : gains that differ by less, relative to the score, are equal
        Sums of the same numbers in another order must not change the result.
    """

    objective: Objective
    max_parents: int
    score: float
    nodes: list[tuple[int, ...]]

    def __init__(
        self,
        objective: Objective,
        nodes: Nodes,
        max_parents: int,
        skeleton: BoolArray | None = None,
        resolution: float = 1e-12,
    ) -> None:
        self.objective, self.max_parents = objective, max_parents
        every_pair = np.ones((len(nodes), len(nodes)), dtype=bool)
        self.skeleton = every_pair if skeleton is None else skeleton
        self._resolution = resolution
        self.jump(nodes)

    def jump(self, nodes: Nodes) -> None:
        """Replace the current structure."""
        self.nodes = list(nodes)
        self.score = self.objective.settle(self.nodes)
        self.smallest_gain: float = self._resolution * (1.0 + abs(self.score))
        self._find_paths()

    def _find_paths(self) -> None:
        """Set `reaches[a, b]`: whether there is a path from a to b."""
        n = len(self.nodes)
        self.children: list[set[int]] = [set() for _ in range(n)]
        for i, above in enumerate(self.nodes):
            for j in above:
                self.children[j].add(i)
        self.reaches = np.zeros((n, n), dtype=bool)
        waiting = [len(above) for above in self.nodes]
        ready = [i for i in range(n) if waiting[i] == 0]
        while ready:
            j = ready.pop()
            for i in self.children[j]:
                self.reaches[:, i] |= self.reaches[:, j]
                self.reaches[j, i] = True
                waiting[i] -= 1
                if waiting[i] == 0:
                    ready.append(i)

    def best_move(self, child: int, locked: Iterable[tuple[int, int]] = ()) -> Move | None:
        """Return the move into `child` with the largest gain; edges in `locked` do not change.

        Of equal gains, an added edge comes before a deleted one, and a deleted one before a
        reversed one; then the parent with the lower number comes first.
        """
        above = self.nodes[child]
        shut = {a + b - child for a, b in locked if child in (a, b)}
        moves = [self._addition(child, shut)]
        for j in sorted(set(above) - shut):
            without = tuple(k for k in above if k != j)
            changes = {child: without}
            moves.append(Move(self.objective.gain(changes), "delete", (j, child), changes))
        for j in sorted(set(above) - shut):
            without = tuple(k for k in above if k != j)
            if len(self.nodes[j]) < self.max_parents and not self._other_path(j, child):
                changes = {child: without, j: (*self.nodes[j], child)}
                moves.append(Move(self.objective.gain(changes), "reverse", (j, child), changes))
        return self.best_of(moves)

    def _addition(self, child: int, shut: set[int]) -> Move | None:
        above = self.nodes[child]
        if len(above) >= self.max_parents:
            return None
        allowed = ~self.reaches[child] & self.skeleton[child]
        allowed[[child, *above, *shut]] = False
        if not allowed.any():
            return None
        gains = np.where(allowed, self.objective.gains_of_adding(child, allowed), -np.inf)
        if gains.max() == -np.inf:
            return None
        j = int(np.argmax(gains >= gains.max() - self.smallest_gain))
        return Move(float(gains[j]), "add", (j, child), {child: (*above, j)})

    def _may_add(self, child: int, parent: int) -> bool:
        has_room = len(self.nodes[child]) < self.max_parents
        return bool(has_room and self.skeleton[child, parent] and not self.reaches[child, parent])

    def _other_path(self, start: int, end: int) -> bool:
        return any(self.reaches[k, end] for k in self.children[start] if k != end)

    def best_of(self, moves: Iterable[Move | None]) -> Move | None:
        """Return the first of the moves with the largest gain."""
        possible = [move for move in moves if move is not None and move.gain > -np.inf]
        if not possible:
            return None
        enough = max(move.gain for move in possible) - self.smallest_gain
        return next(move for move in possible if move.gain >= enough)

    def apply(self, move: Move) -> None:
        """Make a move."""
        for i, above in move.changes.items():
            self.nodes[i] = above
        if move.kind == "add":
            j, i = move.edge
            self.children[j].add(i)
            from_here = self.reaches[i].copy()
            from_here[i] = True
            sources = np.append(np.flatnonzero(self.reaches[:, j]), j)
            self.reaches[sources] |= from_here
        else:
            self._find_paths()
        self.score = self.objective.change(move.changes)

    def random_move(self, rng: np.random.Generator) -> Move | None:
        """Return a random possible move; None if a hundred attempts find none."""
        n = len(self.nodes)
        for _ in range(100):
            j, i = (int(k) for k in rng.choice(n, size=2, replace=False)) if n > 1 else (0, 0)
            if j in self.nodes[i]:
                without = tuple(k for k in self.nodes[i] if k != j)
                turned = rng.random() < 0.5
                if not turned:
                    return Move(0.0, "delete", (j, i), {i: without})
                if len(self.nodes[j]) < self.max_parents and not self._other_path(j, i):
                    changes = {i: without, j: (*self.nodes[j], i)}
                    if self.objective.gain(changes) > -np.inf:
                        return Move(0.0, "reverse", (j, i), changes)
            elif i != j and self._may_add(i, j):
                changes = {i: (*self.nodes[i], j)}
                if self.objective.gain(changes) > -np.inf:
                    return Move(0.0, "add", (j, i), changes)
        return None


__all__ = ["Climber", "Move", "Nodes", "Objective"]
