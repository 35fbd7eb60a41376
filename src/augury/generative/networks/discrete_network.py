"""Discrete Bayesian networks: nodes with states, parents and tables of probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import FloatArray
from augury.fitted_state import check_parts, check_texts, require

# Largest difference from 1 of the sum of a distribution that rounding explains. The sums of
# distributions that augury writes are within 1e-12.
SUM_TOLERANCE = 1e-6


class NetworkError(ValueError):
    """A network is not a Bayesian network; the message names the node."""


@dataclass(frozen=True, eq=False)
class NetworkNode:
    """A node of a network.

    Parameters
    ----------
    name : name of the node
    states : the distinct names of its states
    parents : positions of its parents in the network
    table : array of shape (states of the parents …, own states)
        p(state | states of the parents)
    """

    name: str
    states: tuple[str, ...]
    parents: tuple[int, ...]
    table: FloatArray

    def _check_fitted_state(self) -> None:
        require(isinstance(self.name, str), self, "name", "text")
        require(isinstance(self.states, tuple), self, "states", "a tuple of names")
        check_texts(self, "states")
        fits = isinstance(self.parents, tuple) and all(type(j) is int for j in self.parents)
        require(fits, self, "parents", "positions of nodes")
        require(type(self.table) is np.ndarray, self, "table", "an array")


@dataclass(frozen=True, eq=False)
class DiscreteNetwork:
    """A Bayesian network of discrete nodes.

    Parameters
    ----------
    nodes : the nodes, in any order
    name : name of the network

    Raises
    ------
    NetworkError
        If two nodes have one name, a node has no states or two of the same name, a table has
        another shape than its states, a distribution has a negative number, NaN or another sum
        than 1 (within 1e-6), or the parents form a cycle.

    Examples
    --------
    >>> import numpy as np
    >>> from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkNode
    >>> sky = NetworkNode("sky", ("sun", "rain"), (), np.array([0.7, 0.3]))
    >>> walk = NetworkNode("walk", ("yes", "no"), (0,), np.array([[0.9, 0.1], [0.2, 0.8]]))
    >>> DiscreteNetwork((sky, walk), "outdoors")
    DiscreteNetwork('outdoors', 2 nodes)
    """

    nodes: tuple[NetworkNode, ...]
    name: str = "network"

    def __post_init__(self) -> None:
        names = [node.name for node in self.nodes]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise NetworkError(f"two nodes have the name {twice!r}")
        for node in self.nodes:
            self._check_node(node)
        require_no_cycle(names, [node.parents for node in self.nodes])

    def _check_node(self, node: NetworkNode) -> None:
        if not node.states or len(set(node.states)) < len(node.states):
            raise NetworkError(f"node {node.name!r} must have distinct states, and at least one")
        if len(set(node.parents)) < len(node.parents) or any(
            not 0 <= j < len(self.nodes) for j in node.parents
        ):
            raise NetworkError(f"the parents of node {node.name!r} must be other nodes, each once")
        shape = (*(len(self.nodes[j].states) for j in node.parents), len(node.states))
        table = node.table
        if table.shape != shape or table.dtype != np.float64:
            raise NetworkError(
                f"the table of node {node.name!r} must be float64 of shape {shape}, got "
                f"{table.dtype} of shape {table.shape}"
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise NetworkError(f"the table of node {node.name!r} must hold numbers >= 0")
        worst = float(np.abs(table.sum(axis=-1) - 1).max(initial=0.0))
        if worst > SUM_TOLERANCE:
            raise NetworkError(
                f"each distribution of node {node.name!r} must sum to 1 (within "
                f"{SUM_TOLERANCE:g}), got one that differs by {worst:g}"
            )

    def __repr__(self) -> str:
        return f"DiscreteNetwork({self.name!r}, {len(self.nodes)} nodes)"

    @cached_property
    def position(self) -> dict[str, int]:
        """The position of each node, by its name."""
        return {node.name: k for k, node in enumerate(self.nodes)}

    def __getstate__(self) -> dict[str, object]:
        return {"nodes": self.nodes, "name": self.name}  # without what is computed from them

    def _check_fitted_state(self) -> None:
        require(isinstance(self.name, str), self, "name", "text")
        for node in check_parts(self, "nodes", NetworkNode):
            node._check_fitted_state()
        DiscreteNetwork(tuple(self.nodes), self.name)


def require_no_cycle(names: Sequence[str], parents: Sequence[Sequence[int]]) -> None:
    """Raise `NetworkError` if the parents form a cycle; the message has the nodes of one."""
    waiting = [len(above) for above in parents]
    children: list[list[int]] = [[] for _ in parents]
    for k, above in enumerate(parents):
        for j in above:
            children[j].append(k)
    ready = [k for k, n in enumerate(waiting) if n == 0]
    for j in ready:  # grows while it is read
        for k in children[j]:
            waiting[k] -= 1
            if waiting[k] == 0:
                ready.append(k)
    if len(ready) == len(parents):
        return
    # Every node that waits has a parent that waits: going up from one leads into a cycle.
    seen: dict[int, int] = {}
    at = next(k for k, n in enumerate(waiting) if n)
    while at not in seen:
        seen[at] = len(seen)
        at = next(j for j in parents[at] if waiting[j])
    cycle = [names[k] for k, place in seen.items() if place >= seen[at]][::-1]
    shown = [*cycle[:5], "…"] if len(cycle) > 5 else [*cycle, cycle[0]]
    raise NetworkError(f"the parents must form no cycle, got {' -> '.join(map(str, shown))}")


__all__ = ["SUM_TOLERANCE", "DiscreteNetwork", "NetworkError", "NetworkNode", "require_no_cycle"]
