"""Randomised and boosted trees as a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.counts.smoothing import SMALLEST
from augury.ensemble.boosting.trees import BoostedTrees
from augury.ensemble.forest.codes import TableCodes
from augury.ensemble.forest.trees import RandomTrees
from augury.ensemble.randomized_trees import RandomizedTrees
from augury.ensemble.tree_boosting import TreeBoosting
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores
from augury.interchange.onnx.tree_ensemble import SplitTrees, add_tree_ensemble

# Flags of the tests of nodes: see kernels/random_trees.h and kernels/boosted_trees.h.
_GAPS_GO_LEFT, _SPLITS_LABELS, _HAS_BITS = 1 << 30, 1 << 29, 1 << 28

# Which of the labels 0, 1, … of a column go left, of shape (n_tests, n_labels).
SidesOfLabels = Callable[[IntegerArray, int], BoolArray]


@converts_log_scores(RandomizedTrees)
def randomized_trees_scores(
    graph: Graph, model: RandomizedTrees, columns: Sequence[Column]
) -> Tensor:
    """Return γ log of the mean of the class probabilities of the leaves.

    The operator returns the number of the leaf of each tree, since it has one value for each leaf.
    """
    trees = model.trees_
    nodes = trees.nodes.astype(np.int64)
    root = np.repeat(trees.roots[:-1], np.diff(trees.roots))
    at = np.arange(len(nodes))
    tree = np.repeat(np.arange(trees.n_trees), np.diff(trees.roots))
    splits = _split_trees(
        model.codes_, nodes, trees.roots[:-1], at + 1, root + nodes[:, 2], _sides_by_bits_or_hash
    )
    numbered = SplitTrees(*splits, target=tree, value=nodes[:, 2].astype(np.float64))
    features = _features(graph, model.codes_, columns)
    leaves = add_tree_ensemble(features, numbered, trees.n_trees).to_int()
    shares = graph.gather(_leaf_shares(trees), leaves).to_float().sum(1)
    return (shares / float(trees.n_trees)).at_least(SMALLEST).log() * float(model.exponent_)


def _leaf_shares(trees: RandomTrees) -> Array:
    """Return the class probabilities of each leaf; those of few classes are float32."""
    if trees.classes is None or trees.rest is None:
        return trees.values
    shares = trees.rest[:, None].astype(np.float64) * trees.prior
    np.add.at(shares, (np.arange(len(shares))[:, None], trees.classes), trees.values)
    return shares


@converts_log_scores(TreeBoosting)
def boosted_trees_scores(graph: Graph, model: TreeBoosting, columns: Sequence[Column]) -> Tensor:
    """Return the sum of the values of the leaves; that of the first of two classes is 0."""
    trees, features = model.trees_, _features(graph, model.codes_, columns)
    n_scores = len(trees.intercept)
    if trees.n_trees:
        scores = add_tree_ensemble(features, _boosted(model.codes_, trees), n_scores)
    else:
        scores = features.take([0]).is_nan().to_float() * np.zeros(n_scores)
    scores = scores + trees.intercept
    return scores if n_scores > 1 else scores * np.array([0.0, 1.0])


def _boosted(codes: TableCodes, trees: BoostedTrees) -> SplitTrees:
    nodes = trees.nodes.astype(np.int64)
    root = np.repeat(trees.roots[:-1], np.diff(trees.roots))
    tree = np.repeat(np.arange(trees.n_trees), np.diff(trees.roots))
    left = root + nodes[:, 2]
    bits = trees.bits.view(np.uint32)

    def sides(tests: IntegerArray, n_labels: int) -> BoolArray:
        label = np.arange(n_labels)
        words = bits[tests & (_SPLITS_LABELS - 1)][:, label // 32]
        return np.asarray(words >> (label % 32).astype(np.uint32) & 1, dtype=bool)

    splits = _split_trees(codes, nodes, trees.roots[:-1], left, left + 1, sides)
    value = np.zeros(len(nodes))
    is_leaf = nodes[:, 0] < 0
    value[is_leaf] = trees.values[nodes[is_leaf, 2]]
    return SplitTrees(*splits, target=tree % len(trees.intercept), value=value)


def _features(graph: Graph, codes: TableCodes, columns: Sequence[Column]) -> Tensor:
    """Return labels as numbers from 1, the last of which is a missing value; then numbers."""
    rows = encode_rows(graph, codes.encoder, columns)
    labels = None if rows.codes is None else rows.codes.to_float() + 1.0
    return graph.concatenate([part for part in (labels, rows.numbers) if part is not None])


def _split_trees(
    codes: TableCodes,
    nodes: IntegerArray,
    roots: IntegerArray,
    left: IntegerArray,
    right: IntegerArray,
    sides: SidesOfLabels,
) -> tuple[
    IntegerArray,
    BoolArray,
    IntegerArray,
    IntegerArray,
    IntegerArray,
    FloatArray,
    BoolArray,
    dict[int, FloatArray],
]:
    """Return the splits as `SplitTrees` has them; `nodes` has columns of codes and tests."""
    is_leaf, test = nodes[:, 0] < 0, nodes[:, 1]
    feature_of = np.argsort(codes.places)
    column = np.where(is_leaf, 0, feature_of[nodes[:, 0]])
    n_states = codes.encoder.n_states_.tolist()
    threshold = np.zeros(len(nodes))
    gaps_go_left: BoolArray = (test & _GAPS_GO_LEFT) != 0
    left, right = left.copy(), right.copy()
    labels: dict[int, FloatArray] = {}
    for feature in np.unique(column[~is_leaf]).tolist():
        own = np.flatnonzero(~is_leaf & (column == feature))
        if feature >= len(n_states):
            k = feature - len(n_states)
            cuts = np.append(codes.cuts[codes.ends[k] : codes.ends[k + 1]], np.inf)
            largest = test[own] & (_HAS_BITS - 1)
            threshold[own] = cuts[np.minimum(largest, len(cuts) - 1)]
            continue
        go_left = np.column_stack([sides(test[own], n_states[feature]), gaps_go_left[own]])
        for i, which in zip(own.tolist(), go_left, strict=True):
            if 2 * which.sum() > len(which):  # the shorter list is written
                left[i], right[i], which = right[i], left[i], ~which
            if which.any():
                labels[i] = np.asarray(np.flatnonzero(which) + 1, dtype=np.float64)
            else:
                threshold[i] = -np.inf
        gaps_go_left[own] = False
    return roots, is_leaf, left, right, column, threshold, gaps_go_left, labels


def _sides_by_bits_or_hash(tests: IntegerArray, n_labels: int) -> BoolArray:
    """Return `goes_left` of kernels/random_trees.h."""
    code = np.arange(n_labels, dtype=np.uint64)
    value = (tests & (_HAS_BITS - 1)).astype(np.uint64)[:, None]
    bits = value >> (code & np.uint64(31)) & np.uint64(1)
    hashed = _mix_bits(
        (code + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) ^ value << np.uint64(20)
    )
    has_bits = ((tests & _HAS_BITS) != 0)[:, None]
    return np.asarray(np.where(has_bits, bits, hashed & np.uint64(1)), dtype=bool)


def _mix_bits(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


__all__ = ["boosted_trees_scores", "randomized_trees_scores"]
