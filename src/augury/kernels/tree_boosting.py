"""Growth of boosted trees, and the sums of the values of their leaves."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.row_threads import over_rows

# Codes of a column without the missing value; words of 32 bits of a split of labels.
MAX_CODES, BITS_WORDS = 254, 8
# Columns of a node: the column of its split, the test, and the left child; see boosted_trees.h.
NODE_FIELDS = 3
# Flag of the test of a node: the other bits are a row of the table of bits.
SPLITS_LABELS = 1 << 29
# Rows times trees that one thread takes at least: a row visits several nodes in each tree.
_VISITS_PER_CELL = 4


@dataclass(frozen=True)
class BoostingRules:
    """How boosted trees are grown; see `TreeBoosting`."""

    learning_rate: float
    max_leaves: int
    max_features: int
    l2: float
    label_l2: float
    label_smoothing: float
    min_hessian: float


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Rows that trees are boosted from.

    Parameters
    ----------
    codes : array of shape (n_rows, n_columns), uint8, row by row
        The code after the last of a column is a missing value.
    offsets : number of codes up to each column, that of the missing value included
    is_label : whether a column has labels, which have no order
    y, weight : class (int32) and weight above 0 of each row
    """

    codes: IntegerArray
    offsets: IntegerArray
    is_label: BoolArray
    y: IntegerArray
    weight: FloatArray

    @classmethod
    def of(
        cls, codes: IntegerArray, is_label: BoolArray, y: IntegerArray, weight: FloatArray
    ) -> "CodedRows":
        """Return the rows of codes whose missing value is 255."""
        n_codes = [
            int(column[column <= MAX_CODES].max(initial=0)) + 1 if len(column) else 1
            for column in codes.T
        ]
        by_row = np.ascontiguousarray(np.minimum(codes, np.array(n_codes, dtype=np.uint8)))
        offsets = np.cumsum([0, *(n + 1 for n in n_codes)], dtype=np.int64)
        return cls(by_row, offsets, is_label, y, weight)


@dataclass(frozen=True, eq=False)
class GrownTrees:
    """Trees of some rounds of boosting, one for each round, or one for each round and class.

    Parameters
    ----------
    nodes : array of shape (n_nodes, 3), int32; children are counted from the root of their tree
    ends : number of nodes up to each tree, this one included
    values : float32 value of each leaf of all trees
    bits : array of shape (n_splits_of_labels, 8), int32, the labels that go left
    """

    nodes: IntegerArray
    ends: IntegerArray
    values: Array
    bits: IntegerArray


def boost_trees(
    rows: CodedRows,
    inside: IntegerArray,
    outside: IntegerArray,
    scores: FloatArray,
    gains: FloatArray,
    rules: BoostingRules,
    *,
    n_rounds: int,
    seed: int,
) -> GrownTrees:
    """Grow the trees of some rounds from the rows inside, and add their values to the scores.

    Parameters
    ----------
    rows : all rows
    inside, outside : rows to learn from, and rows whose scores are updated too, int32
    scores : array of shape (n_rows, 1) for two classes, the log odds of the second, or of shape
        (n_rows, n_classes), the logs of probabilities up to a constant
    gains : the gains of the splits of each column are added to it
    rules : how trees are grown

    Notes
    -----
    A round fits a tree to the gradients g and hessians h of the loss; with more than two classes
    a tree for each. A leaf is split where G²/(H + l2), summed over both sides, grows most, and
    the leaf with the largest growth is split first. The value of a leaf is -G/(H + l2) times
    the learning rate. G and H are sums of whole numbers of 32 bits, scaled by the sums of all
    rows, so they are exact and do not depend on the order of rows.

    >>> codes = np.array([[0], [0], [9], [9]], dtype=np.uint8)
    >>> y = np.array([0, 0, 1, 1], np.int32)
    >>> rows = CodedRows.of(codes, np.array([False]), y, np.ones(4))
    >>> rules = BoostingRules(1.0, 2, 1, 0.5, 0.0, 1.0, 0.1)
    >>> scores, all_rows = np.zeros((4, 1)), np.arange(4, dtype=np.int32)
    >>> trees = boost_trees(
    ...     rows, all_rows[:3], all_rows[3:], scores, np.zeros(1), rules, n_rounds=1, seed=0
    ... )
    >>> trees.nodes[:, 0].tolist(), scores.ravel().round(3).tolist()  # g = ±0.5, h = 0.25
    ([0, -1, -1], [-1.0, -1.0, 0.667, 0.667])
    """
    n_trees = n_rounds * scores.shape[1]
    nodes = np.empty((n_trees * (2 * rules.max_leaves - 1), NODE_FIELDS), dtype=np.int32)
    values = np.empty(n_trees * rules.max_leaves, dtype=np.float32)
    bits = np.empty((n_trees * (rules.max_leaves - 1), BITS_WORDS), dtype=np.int32)
    ends = np.empty(n_trees, dtype=np.int64)
    n_nodes, n_values, n_bits = _native.boost_trees(
        rows.codes, rows.offsets, rows.is_label.view(np.uint8), rows.y, rows.weight,
        np.concatenate([inside, outside]), len(inside), scores, n_rounds, rules.max_leaves,
        rules.max_features, rules.learning_rate, rules.l2, rules.label_l2, rules.label_smoothing,
        rules.min_hessian, seed, nodes, values, bits, ends, gains,
    )  # fmt: skip
    return GrownTrees(nodes[:n_nodes].copy(), ends, values[:n_values].copy(), bits[:n_bits].copy())


def add_tree_values(
    codes: IntegerArray,
    nodes: IntegerArray,
    roots: IntegerArray,
    values: Array,
    bits: IntegerArray,
    out: FloatArray,
    *,
    n_threads: int = 1,
) -> None:
    """Add the value of the leaf of each row in tree i to column i mod k of `out`.

    Parameters
    ----------
    codes : array of shape (n_rows, n_columns), uint8, column by column; 255 is a missing value
    nodes, values, bits : as in `GrownTrees`, for all trees
    roots : the first node of each tree, and the number of nodes
    out : array of shape (n_rows, k)
    """

    def work(start: int, stop: int) -> None:
        _native.add_tree_values(codes, nodes, bits, roots, values, out, start, stop)

    over_rows(work, (len(codes), _VISITS_PER_CELL * (len(roots) - 1)), n_threads)


__all__ = [
    "BITS_WORDS",
    "MAX_CODES",
    "NODE_FIELDS",
    "SPLITS_LABELS",
    "BoostingRules",
    "CodedRows",
    "GrownTrees",
    "add_tree_values",
    "boost_trees",
]
