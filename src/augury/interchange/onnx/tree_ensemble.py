"""Decision trees of numbers as one operator `TreeEnsembleRegressor` of ai.onnx.ml.

The operator is that of set 3. `TreeEnsemble` of set 5, which replaces it, gave wrong probabilities
in a test with onnxruntime 1.23.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.errors import OnnxExportError
from augury.interchange.onnx.graph import Tensor

# The operator returns float32, which has all integers up to this one.
_MOST_LEAVES = 1 << 24


@dataclass(frozen=True, eq=False)
class SplitTrees:
    """The nodes of all trees, in arrays of one entry for each node.

    Parameters
    ----------
    sizes : number of nodes of each tree, the first of which is the root
    is_leaf : whether a node is a leaf
    left, right : children of the other nodes, counted from the root of the tree
    column : column of the features that a split reads
    threshold : largest number that goes left
    gaps_go_left : whether a missing number goes left
    leaf : number of a leaf
    """

    sizes: IntegerArray
    is_leaf: BoolArray
    left: IntegerArray
    right: IntegerArray
    column: IntegerArray
    threshold: FloatArray
    gaps_go_left: BoolArray
    leaf: IntegerArray


def find_leaves(features: Tensor, trees: SplitTrees) -> Tensor:
    """Return the number of the leaf of each row in each tree, of shape [N, n_trees].

    `features` has the shape [N, n_columns] and is float64.
    """
    if trees.leaf[trees.is_leaf].max() >= _MOST_LEAVES:
        raise OnnxExportError(f"to_onnx: trees have more than {_MOST_LEAVES:,} leaves")
    n_trees, leaves = len(trees.sizes), np.flatnonzero(trees.is_leaf)
    tree = np.repeat(np.arange(n_trees), trees.sizes)
    first = np.cumsum(trees.sizes) - trees.sizes
    node = np.arange(len(tree)) - first[tree]
    found = features.graph.add(
        "TreeEnsembleRegressor",
        features,
        n_targets=n_trees,
        nodes_treeids=tree.tolist(),
        nodes_nodeids=node.tolist(),
        nodes_featureids=np.where(trees.is_leaf, 0, trees.column).tolist(),
        nodes_modes=np.where(trees.is_leaf, "LEAF", "BRANCH_LEQ").tolist(),
        nodes_values_as_tensor=np.where(trees.is_leaf, 0.0, trees.threshold),
        nodes_truenodeids=np.where(trees.is_leaf, 0, trees.left).tolist(),
        nodes_falsenodeids=np.where(trees.is_leaf, 0, trees.right).tolist(),
        nodes_missing_value_tracks_true=(trees.gaps_go_left & ~trees.is_leaf).astype(int).tolist(),
        target_treeids=tree[leaves].tolist(),
        target_nodeids=node[leaves].tolist(),
        target_ids=tree[leaves].tolist(),
        target_weights_as_tensor=trees.leaf[leaves].astype(np.float64),
    )
    return found.to_int()


__all__ = ["SplitTrees", "find_leaves"]
