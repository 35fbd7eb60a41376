"""Skeletons: which two columns may be joined by an edge (super-structures)."""

from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import BoolArray
from augury.structure.family_scores import JointCounts
from augury.structure.node_order import Node, find_node


@runtime_checkable
class SkeletonLearner(Protocol):
    """An object that learns a skeleton from the counts of the training rows.

    `IndependenceTests` is one.
    """

    def learn_skeleton(self, counts: JointCounts, *, given_class: bool) -> ArrayLike:
        """Return a symmetric matrix: whether two columns may be joined by an edge.

        `given_class` says whether the class is a parent of every column.
        """


Skeleton = Collection[tuple[Node, Node]] | ArrayLike | SkeletonLearner


def skeleton_matrix(
    owner: str, skeleton: Skeleton, names: Sequence[str], n_columns: int
) -> BoolArray:
    """Return a symmetric matrix of the pairs of columns in a given skeleton.

    Parameters
    ----------
    owner : str
        The class that has the parameter `skeleton`, for messages.
    skeleton : pairs of columns by number or name, or symmetric boolean matrix
    names : names of the columns
    n_columns : number of columns

    Examples
    --------
    >>> skeleton_matrix("HillClimb", [("sky", "wind")], ["sky", "wind", "sea"], 3).astype(int)
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]])
    """
    # An iterator would be empty in the next fit.
    if isinstance(skeleton, str | bytes) or not isinstance(skeleton, Collection | np.ndarray):
        raise TypeError(
            f"{owner}: skeleton must be pairs of columns, a symmetric boolean matrix, an object "
            f"with a method learn_skeleton, or None, got {skeleton!r:.200}"
        )
    given: list[object] = list(skeleton)
    if _are_flags(given):
        return _checked_matrix(owner, np.asarray(given), n_columns)
    matrix = np.zeros((n_columns, n_columns), dtype=bool)
    for pair in given:
        if isinstance(pair, str) or not isinstance(pair, Collection | np.ndarray) or len(pair) != 2:
            raise ValueError(
                f"{owner}: skeleton must have pairs of columns, got {pair!r:.200} among them"
            )
        i, j = (find_node(owner, "a column of skeleton", node, names, n_columns) for node in pair)
        if i == j:
            raise ValueError(
                f"{owner}: skeleton must have pairs of different columns, got {pair!r:.200}"
            )
        matrix[i, j] = matrix[j, i] = True
    return matrix


def _are_flags(rows: list[object]) -> bool:
    lengths = {len(row) for row in rows if isinstance(row, Sequence | np.ndarray)}
    return len(rows) > 0 and len(lengths) == 1 and np.asarray(rows).dtype == bool


def _checked_matrix(owner: str, matrix: BoolArray, n_columns: int) -> BoolArray:
    if matrix.shape != (n_columns, n_columns):
        raise ValueError(
            f"{owner}: skeleton must have shape {n_columns, n_columns}, one row for each column of "
            f"the encoded table, got {matrix.shape}"
        )
    if (different := np.argwhere(matrix != matrix.T)).size:
        i, j = different[0].tolist()
        raise ValueError(
            f"{owner}: skeleton must be symmetric, got {matrix[i, j]} at {i, j} and "
            f"{matrix[j, i]} at {j, i}"
        )
    return np.asarray(matrix & ~np.eye(n_columns, dtype=bool))


__all__ = ["Skeleton", "SkeletonLearner", "skeleton_matrix"]
