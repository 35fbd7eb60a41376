"""Growth of randomised trees, the probabilities of their leaves, and those of rows."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.row_threads import over_rows

# Columns of a node: the column of its split, the test, and the right child; see random_trees.h.
NODE_FIELDS = 3
# Rows times trees that one thread takes at least: a row visits a dozen nodes in each tree.
_VISITS_PER_CELL = 8


@dataclass(frozen=True, eq=False)
class GrownTree:
    """A tree whose leaves have no probabilities yet.

    Parameters
    ----------
    nodes : array of shape (n_nodes, 3), in pre-order
    n_leaves : number of leaves
    labels, weight : classes and weights (float32) of the rows in the bag, by leaf
    path : array of shape (rows out of the bag, grid), the probability of the class of each row
    leaf : leaf of each row out of the bag
    gains : decrease of the impurity by each column
    """

    nodes: IntegerArray
    n_leaves: int
    labels: IntegerArray
    weight: Array
    path: FloatArray
    leaf: IntegerArray
    gains: FloatArray


def grow_random_tree(
    codes: IntegerArray,
    is_label: BoolArray,
    y: IntegerArray,
    rows: IntegerArray,
    weight: FloatArray,
    outside: IntegerArray,
    grid: FloatArray,
    prior: FloatArray,
    *,
    seed: int,
    max_features: int,
    n_cuts: int,
    min_leaf: float,
) -> GrownTree:
    """Grow a tree from the rows in the bag; the rows out of the bag go down the tree.

    Parameters
    ----------
    codes : array of shape (n_rows, n_columns), uint8 or uint16, column by column
        The largest number of the type is a missing value.
    is_label : whether a column has labels, which have no order
    y : class of each row, int32
    rows, weight : the rows in the bag, int32, and their weights: how often each is drawn
    outside : the rows out of the bag, int32
    grid : strengths s of the smoothing
    prior : probability of each class above the root

    Notes
    -----
    A node draws columns until `max_features` that are not constant were tried, and `n_cuts`
    random splits of each. The split of the largest Σ_sides Σ_c w_c² / w, that is of the smallest
    Gini impurity, is taken. A node of one class, or below 2 `min_leaf`, is a leaf.

    >>> codes = np.array([[0], [0], [9], [9]], dtype=np.uint8, order="F")
    >>> y, rows = np.array([0, 0, 1, 1], np.int32), np.array([0, 2], np.int32)
    >>> tree = grow_random_tree(
    ...     codes, np.array([False]), y, rows, np.ones(2), np.array([1, 3], np.int32),
    ...     np.array([1.0]), np.array([0.5, 0.5]), seed=7, max_features=1, n_cuts=1, min_leaf=1,
    ... )
    >>> tree.nodes[:, 0].tolist(), tree.labels.tolist(), tree.path.ravel().tolist()
    ([0, -1, -1], [0, 1], [0.75, 0.75])
    """
    n_rows, weight = len(rows), weight.copy()
    nodes = np.empty((2 * n_rows - 1, NODE_FIELDS), dtype=np.int32)
    labels = np.empty(n_rows, dtype=np.int32)
    path, gains = np.empty((len(outside), len(grid))), np.zeros(codes.shape[1])
    leaf = np.empty(len(outside), dtype=np.int32)
    n_nodes, n_leaves = _native.grow_random_tree(
        codes, is_label.view(np.uint8), y, rows, weight, outside, grid, prior,
        seed, max_features, n_cuts, min_leaf, nodes, labels, path, leaf, gains,
    )  # fmt: skip
    kept = weight.astype(np.float32)  # all trees are kept until their leaves are smoothed
    return GrownTree(nodes[:n_nodes].copy(), n_leaves, labels, kept, path, leaf, gains)


def smooth_leaves(
    tree: GrownTree, prior: FloatArray, s: float, n_listed: int | None = None
) -> tuple[Array, IntegerArray | None, Array | None]:
    """Return the class probabilities of the leaves of a tree, smoothed from the root.

    p(c | node) is (w_c + s p(c | parent)) / (w + s), and p(c | parent) of the root is the prior.
    With `n_listed`, only so many of the largest probabilities of a node are kept. The second and
    the third result are then their classes and the remaining probability, which is divided among
    all classes by the prior.
    """
    n_values = len(prior) if n_listed is None else n_listed
    values = np.empty((tree.n_leaves, n_values), dtype=np.float32)
    classes = rest = None
    if n_listed is not None:
        classes = np.empty(values.shape, dtype=np.int32)
        rest = np.empty(tree.n_leaves, dtype=np.float32)
    weight = tree.weight.astype(np.float64)
    _native.smooth_leaves(tree.nodes, tree.labels, weight, prior, s, values, classes, rest)
    return values, classes, rest


def add_leaf_shares(
    codes: IntegerArray,
    nodes: IntegerArray,
    roots: IntegerArray,
    leaves: tuple[Array, IntegerArray | None, Array | None],
    prior: FloatArray,
    out: FloatArray,
    *,
    share: FloatArray | None = None,
    n_threads: int = 1,
) -> None:
    """Add the probabilities of the leaves of each row to `out`, times the share of the row.

    Parameters
    ----------
    codes : rows, as in `grow_random_tree`
    nodes, roots : the nodes of all trees, and the first node of each tree and one more
        The third column of a leaf is its row in `leaves`.
    leaves : as `smooth_leaves` returns it, for the leaves of all trees
    prior : probability of each class
    out : array of shape (n_rows, n_classes)
    share : number of each row, or None for 1
    """

    def work(start: int, stop: int) -> None:
        _native.add_leaf_shares(codes, nodes, roots, *leaves, prior, share, out, start, stop)

    over_rows(work, (len(codes), _VISITS_PER_CELL * (len(roots) - 1)), n_threads)


__all__ = ["NODE_FIELDS", "GrownTree", "add_leaf_shares", "grow_random_tree", "smooth_leaves"]
