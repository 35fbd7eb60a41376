"""Order in which a search visits the nodes, given by numbers or by names of columns."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np

from augury.validation import check_choice

Node = int | str


def find_node(owner: str, parameter: str, node: Node, names: Sequence[str], n_nodes: int) -> int:
    """Return the number of a node that is given by its number or by the name of a column.

    >>> find_node("HillClimb", "start_node", "wind", ["sky", "wind"], 2)
    1
    """
    if isinstance(node, Integral) and not isinstance(node, bool):
        if not 0 <= node < n_nodes:
            raise ValueError(f"{owner}: {parameter} must be >= 0 and below {n_nodes}, got {node}")
        return int(node)
    if not isinstance(node, str):
        raise TypeError(
            f"{owner}: {parameter} must be a number or a name of a column, got {node!r}"
        )
    if node not in names:
        known = ", ".join(map(repr, names)) if names else "not known, only numbers"
        raise ValueError(
            f"{owner}: {parameter} must be a column; the columns are {known:.200}; got {node!r}"
        )
    return list(names).index(node)


def visiting_order(
    owner: str,
    order: str | Sequence[Node] | None,
    start_node: Node | None,
    names: Sequence[str],
    n_nodes: int,
) -> list[int] | None:
    """Return the numbers of the nodes in the order of their visits; None for no order.

    `order` and `start_node` are those of `HillClimb`.

    >>> visiting_order("HillClimb", (2, 0, 1), 0, [], 3)
    [0, 1, 2]
    """
    if order is None and start_node is None:
        return None
    if order is None or isinstance(order, str):
        check_choice(owner, "order", "columns" if order is None else order, ("columns",))
        visited = list(range(n_nodes))
    elif not isinstance(order, Sequence | np.ndarray):
        raise TypeError(
            f"{owner}: order must be 'columns', a sequence of all nodes, or None, got "
            f"{order!r:.200}"
        )
    else:
        visited = [find_node(owner, "order", node, names, n_nodes) for node in order]
        if sorted(visited) != list(range(n_nodes)):
            raise ValueError(
                f"{owner}: order must have each of the nodes 0 … {n_nodes - 1} once, got "
                f"{tuple(order)!r:.200}"
            )
    if start_node is None:
        return visited
    first = visited.index(find_node(owner, "start_node", start_node, names, n_nodes))
    return visited[first:] + visited[:first]


__all__ = ["Node", "find_node", "visiting_order"]
