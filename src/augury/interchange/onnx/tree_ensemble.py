"""Decision trees as one operator `TreeEnsemble` of ai.onnx.ml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.interchange.onnx.graph import Tensor

# Modes of nodes, and the sum of the leaves, in the numbers of ONNX.
_AT_MOST, _MEMBER = 0, 6
_SUM = 1


@dataclass(frozen=True, eq=False)
class SplitTrees:
    """The nodes of all trees, in arrays of one entry for each node.

    Parameters
    ----------
    roots : root of each tree
    is_leaf : whether a node is a leaf
    left, right : children of the other nodes
    column : column of the features that a split reads
    threshold : largest number that goes left
    gaps_go_left : whether a missing number goes left
    labels : labels that go left, of the splits that are not of numbers
    target : output to which a leaf adds its value
    value : value of a leaf
    """

    roots: IntegerArray
    is_leaf: BoolArray
    left: IntegerArray
    right: IntegerArray
    column: IntegerArray
    threshold: FloatArray
    gaps_go_left: BoolArray
    labels: Mapping[int, FloatArray]
    target: IntegerArray
    value: FloatArray


def add_tree_ensemble(features: Tensor, trees: SplitTrees, n_targets: int) -> Tensor:
    """Return the sums of the values of the leaves of each row, of shape [N, n_targets].

    Parameters
    ----------
    features : of shape [N, n_columns], float64; labels are numbers above 0
    trees : the nodes
    n_targets : number of sums
    """
    trees = _with_splits_at_roots(trees)
    splits = np.flatnonzero(~trees.is_leaf)
    leaves = _order_of_leaves(trees)
    place = np.empty(len(trees.is_leaf), dtype=np.int64)
    place[splits] = np.arange(len(splits))
    place[leaves] = np.arange(len(leaves))
    left, right = trees.left[splits], trees.right[splits]
    is_member = np.array([i in trees.labels for i in splits.tolist()], dtype=bool)
    members = [
        number for i in splits.tolist() if i in trees.labels
        for number in (*trees.labels[i].tolist(), np.nan)
    ]  # fmt: skip
    optional = {"membership_values": np.array(members)} if members else {}
    return features.graph.add(
        "TreeEnsemble",
        features,
        n_targets=n_targets,
        aggregate_function=_SUM,
        tree_roots=place[trees.roots].tolist(),
        nodes_splits=trees.threshold[splits],
        nodes_featureids=trees.column[splits].tolist(),
        nodes_modes=np.where(is_member, _MEMBER, _AT_MOST).astype(np.uint8),
        nodes_missing_value_tracks_true=trees.gaps_go_left[splits].astype(int).tolist(),
        nodes_truenodeids=place[left].tolist(),
        nodes_trueleafs=trees.is_leaf[left].astype(int).tolist(),
        nodes_falsenodeids=place[right].tolist(),
        nodes_falseleafs=trees.is_leaf[right].astype(int).tolist(),
        leaf_targetids=trees.target[leaves].tolist(),
        leaf_weights=trees.value[leaves],
        **optional,
    )


def _with_splits_at_roots(trees: SplitTrees) -> SplitTrees:
    """Return the trees, in which a tree of one leaf has a split whose children are that leaf."""
    alone = trees.roots[trees.is_leaf[trees.roots]]
    if not len(alone):
        return trees
    n, k = len(trees.is_leaf), len(alone)
    roots = trees.roots.copy()
    roots[trees.is_leaf[roots]] = n + np.arange(k)

    def extend(values: Array, added: Array | float) -> Array:
        return np.concatenate([values, np.broadcast_to(added, k).astype(values.dtype)])

    return SplitTrees(
        roots,
        extend(trees.is_leaf, 0),
        extend(trees.left, alone),
        extend(trees.right, alone),
        extend(trees.column, 0),
        extend(trees.threshold, 0.0),
        extend(trees.gaps_go_left, 0),
        trees.labels,
        extend(trees.target, 0),
        extend(trees.value, 0.0),
    )


def _order_of_leaves(trees: SplitTrees) -> IntegerArray:
    """Return the leaves in the order in which they are written.

    onnxruntime takes a root for a leaf if one of its children is a leaf, the other is a split, and
    both have the same number (github.com/microsoft/onnxruntime/issues/24679). Such a leaf changes
    places with another one of its tree.
    """
    leaves = np.flatnonzero(trees.is_leaf)
    number = np.cumsum(~trees.is_leaf) - 1
    place = np.empty(len(trees.is_leaf), dtype=np.int64)
    place[leaves] = np.arange(len(leaves))
    for root in trees.roots.tolist():
        children = [int(trees.left[root]), int(trees.right[root])]
        of_leaf = [i for i in children if trees.is_leaf[i]]
        if len(of_leaf) != 1:
            continue
        leaf, split = of_leaf[0], next(i for i in children if not trees.is_leaf[i])
        if place[leaf] == number[split]:
            other = _leaf_below(trees, split)
            place[leaf], place[other] = place[other], place[leaf]
    return leaves[np.argsort(place[leaves])]


def _leaf_below(trees: SplitTrees, node: int) -> int:
    while not trees.is_leaf[node]:
        node = int(trees.left[node])
    return node


__all__ = ["SplitTrees", "add_tree_ensemble"]
