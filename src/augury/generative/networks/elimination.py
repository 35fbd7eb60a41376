"""Exact inference in a network: the nodes whose states are not known are summed over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.counts.smoothing import floored_log
from augury.generative.networks.discrete_network import DiscreteNetwork
from augury.memory import require_bytes

# Numbers of the largest product that is computed at once.
_CELLS_AT_ONCE = 1 << 21
# A product, one of its factors, and the sum over a node.
_TABLES_AT_ONCE = 3

# Nodes whose states are not known, and p of their states for each row: the first axis is the row,
# of length 1 if all rows have the same numbers.
Factor = tuple[tuple[int, ...], FloatArray]


@dataclass(frozen=True)
class EliminationPlan:
    """Which nodes are summed over, in which order, and the size of the largest product.

    Parameters
    ----------
    families : the nodes whose tables are factors
    order : the nodes that are summed over
    n_cells : numbers of the largest product of one row
    """

    families: tuple[int, ...]
    order: tuple[int, ...]
    n_cells: int


def log_scores(
    network: DiscreteNetwork, target: int, codes: IntegerArray, known: BoolArray
) -> FloatArray:
    """Return log p(state of the target, known states) up to a constant of each row.

    Parameters
    ----------
    network : DiscreteNetwork
    target : position of the target
    codes : array of shape (n_rows, n_nodes), the states of the known nodes
    known : array of shape (n_nodes,); the target is not known

    Notes
    -----
    Nodes without known descendants sum to 1 and are not used. The others are eliminated one by
    one; the next node is the one with the smallest product (variable elimination). A product
    that does not fit in memory raises `TableTooLargeError`. A probability of zero counts as the
    smallest normal number after all sums.
    """
    plan = plan_elimination(network, target, known)
    require_bytes(
        8 * _TABLES_AT_ONCE * plan.n_cells,
        f"the joint probabilities of {plan.n_cells:,} combinations of states of unknown columns",
        [len(node.states) for node in network.nodes],
        advice="give the values of more columns, or leave these columns out",
    )
    scores = np.zeros((len(codes), len(network.nodes[target].states)))
    step = max(1, _CELLS_AT_ONCE // plan.n_cells)
    for start in range(0, len(codes), step):
        rows = slice(start, start + step)
        scores[rows] = _scores_of_rows(network, target, codes[rows], known, plan)
    return scores


def plan_elimination(network: DiscreteNetwork, target: int, known: BoolArray) -> EliminationPlan:
    """Return the order of elimination; it depends on which nodes are known, not on their states."""
    families = _relevant_families(network, target, known)
    nodes = network.nodes
    scopes = [frozenset(v for v in (*nodes[k].parents, k) if not known[v]) for k in families]
    order, largest = [], max((_size(network, s) for s in scopes), default=1)
    waiting = set().union(*scopes) - {target}
    while waiting:
        products = {v: frozenset().union(*(s for s in scopes if v in s)) for v in waiting}
        v = min(sorted(waiting), key=lambda v: _size(network, products[v]))
        largest = max(largest, _size(network, products[v]))
        scopes = [s for s in scopes if v not in s] + [products[v] - {v}]
        order.append(v)
        waiting.remove(v)
    return EliminationPlan(tuple(families), tuple(order), largest)


def _size(network: DiscreteNetwork, scope: Iterable[int]) -> int:
    return prod(len(network.nodes[v].states) for v in scope)


def _relevant_families(network: DiscreteNetwork, target: int, known: BoolArray) -> list[int]:
    """Return the nodes whose tables the scores depend on."""
    nodes = network.nodes
    # A node that is neither known nor an ancestor of a known node sums to 1. So does the target.
    used: set[int] = set()
    waiting = [target, *np.flatnonzero(known).tolist()]
    while waiting:
        k = waiting.pop()
        if k not in used:
            used.add(k)
            waiting.extend(nodes[k].parents)
    families_of: dict[int, list[int]] = {}
    for k in sorted(used):
        for v in (*nodes[k].parents, k):
            families_of.setdefault(v, []).append(k)
    # Tables that no unknown node connects with the target are constants of a row.
    reached, found, waiting = {target}, set[int](), [target]
    while waiting:
        for k in families_of[waiting.pop()]:
            if k not in found:
                found.add(k)
                unknown = {v for v in (*nodes[k].parents, k) if not known[v]} - reached
                reached |= unknown
                waiting.extend(unknown)
    return sorted(found)


def _scores_of_rows(
    network: DiscreteNetwork,
    target: int,
    codes: IntegerArray,
    known: BoolArray,
    plan: EliminationPlan,
) -> FloatArray:
    factors = [_reduce(network, k, codes, known) for k in plan.families]
    for v in plan.order:
        product = _multiply([f for f in factors if v in f[0]])
        factors = [f for f in factors if v not in f[0]]
        factors.append(_sum_over(product, v))
    scores = np.zeros((len(codes), len(network.nodes[target].states)))
    for scope, values in factors:
        if scope:  # otherwise a constant of the row
            scores += floored_log(values)
    return scores


def _reduce(network: DiscreteNetwork, k: int, codes: IntegerArray, known: BoolArray) -> Factor:
    """Return the table of a node at the known states of each row."""
    node = network.nodes[k]
    family = (*node.parents, k)
    fixed = [axis for axis, v in enumerate(family) if known[v]]
    free = [axis for axis, v in enumerate(family) if not known[v]]
    table = node.table.transpose([*fixed, *free])
    scope = tuple(family[axis] for axis in free)
    if not fixed:
        return scope, table[None]
    return scope, table[tuple(codes[:, family[axis]] for axis in fixed)]


def _multiply(factors: list[Factor]) -> Factor:
    scope = tuple(dict.fromkeys(v for own, _ in factors for v in own))
    product = np.ones((1,) * (1 + len(scope)))
    for own, values in factors:
        order = sorted(range(len(own)), key=lambda axis: scope.index(own[axis]))
        aligned = values.transpose([0, *(1 + axis for axis in order)])
        sizes = dict(zip((own[axis] for axis in order), aligned.shape[1:], strict=True))
        product = product * aligned.reshape(len(aligned), *(sizes.get(v, 1) for v in scope))
    return scope, product


def _sum_over(factor: Factor, v: int) -> Factor:
    """Return the sum over a node, divided by the largest number of each row."""
    scope, values = factor
    axis = scope.index(v)
    total = values.sum(axis=1 + axis)
    largest = total.max(axis=tuple(range(1, total.ndim)), keepdims=True)
    scaled = np.divide(total, largest, out=np.zeros_like(total), where=largest > 0)
    return scope[:axis] + scope[axis + 1 :], scaled


__all__ = ["EliminationPlan", "log_scores", "plan_elimination"]
