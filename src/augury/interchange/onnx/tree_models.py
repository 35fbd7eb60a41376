"""Randomised and boosted trees as a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, BoolArray, IntegerArray
from augury.counts.smoothing import SMALLEST
from augury.ensemble.forest.codes import TableCodes
from augury.ensemble.forest.trees import RandomTrees
from augury.ensemble.randomized_trees import RandomizedTrees
from augury.ensemble.tree_boosting import TreeBoosting
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import EncodedRows, encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores
from augury.interchange.onnx.tree_ensemble import SplitTrees, find_leaves

# Flags of the tests of nodes: see kernels/random_trees.h and kernels/boosted_trees.h.
_GAPS_GO_LEFT, _SPLITS_LABELS, _HAS_BITS = 1 << 30, 1 << 29, 1 << 28
# Splits of labels in trees of one operator: each may take one number of a row.
_MOST_LABEL_SPLITS = 1 << 12

# Which of the labels 0, 1, … of a column go left, of shape (n_tests, n_labels).
SidesOfLabels = Callable[[IntegerArray, int], BoolArray]


@converts_log_scores(RandomizedTrees)
def randomized_trees_scores(
    graph: Graph, model: RandomizedTrees, columns: Sequence[Column]
) -> Tensor:
    """Return γ log of the mean of the class probabilities of the leaves."""
    trees = model.trees_
    at = np.arange(len(trees.nodes)) - np.repeat(trees.roots[:-1], np.diff(trees.roots))
    nodes = TreeNodes(trees.roots, trees.nodes, at + 1, trees.nodes[:, 2], _sides_by_bits_or_hash)
    leaves = _leaves(encode_rows(graph, model.codes_.encoder, columns), model.codes_, nodes)
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
    trees, rows = model.trees_, encode_rows(graph, model.codes_.encoder, columns)
    n_scores, bits = len(trees.intercept), trees.bits.view(np.uint32)

    def sides(tests: IntegerArray, n_labels: int) -> BoolArray:
        label = np.arange(n_labels)
        words = bits[tests & (_SPLITS_LABELS - 1)][:, label // 32]
        return np.asarray(words >> (label % 32).astype(np.uint32) & 1, dtype=bool)

    if trees.n_trees:
        left = trees.nodes[:, 2]
        nodes = TreeNodes(trees.roots, trees.nodes, left, left + 1, sides)
        values = graph.gather(trees.values, _leaves(rows, model.codes_, nodes)).to_float()
        scores = values @ np.tile(np.eye(n_scores), (trees.n_trees // n_scores, 1))
    else:
        scores = _features(rows).take([0]).is_nan().to_float() * np.zeros(n_scores)
    scores = scores + trees.intercept
    return scores if n_scores > 1 else scores * np.array([0.0, 1.0])


@dataclass(frozen=True, eq=False)
class TreeNodes:
    """Fitted trees of codes.

    Parameters
    ----------
    roots : first node of each tree, and the number of nodes
    nodes : column of the codes (-1: a leaf), test, and the number of a leaf
    left, right : children, counted from the root
    sides : which labels go left by a test
    """

    roots: IntegerArray
    nodes: IntegerArray
    left: IntegerArray
    right: IntegerArray
    sides: SidesOfLabels

    def groups(self, is_label: BoolArray) -> Iterator[TreeNodes]:
        """Yield the trees in groups of a bounded number of splits of labels."""
        column = self.nodes[:, 0]
        splits = np.cumsum((column >= 0) & is_label[column])[self.roots[1:] - 1]
        start = 0
        while start < len(splits):
            before = splits[start - 1] if start else 0
            stop = int(np.searchsorted(splits, before + _MOST_LABEL_SPLITS, side="right"))
            stop = max(start + 1, stop)
            first, last = int(self.roots[start]), int(self.roots[stop])
            yield TreeNodes(
                self.roots[start : stop + 1] - first,
                self.nodes[first:last].astype(np.int64),
                self.left[first:last],
                self.right[first:last],
                self.sides,
            )
            start = stop


def _leaves(rows: EncodedRows, codes: TableCodes, trees: TreeNodes) -> Tensor:
    """Return the number of the leaf of each row in each tree, of shape [N, n_trees]."""
    parts = [_leaves_of_group(rows, codes, group) for group in trees.groups(codes.is_label)]
    return rows.graph.concatenate(parts)


def _leaves_of_group(rows: EncodedRows, codes: TableCodes, trees: TreeNodes) -> Tensor:
    """Return the leaves of some trees.

    A split of a number compares it with a cut point. A split of labels compares a feature of its
    own: 0 for the labels that go left, 1 for the others. Equal splits of labels share a feature.
    """
    is_leaf, test = trees.nodes[:, 0] < 0, trees.nodes[:, 1]
    column = np.argsort(codes.places)[np.where(is_leaf, 0, trees.nodes[:, 0])]
    threshold = np.full(len(column), 0.5)
    gaps_go_left: BoolArray = (test & _GAPS_GO_LEFT) != 0
    parts, n_features, n_labels = [_features(rows)], len(codes.places), len(rows.n_states)
    for place in np.unique(column[~is_leaf]).tolist():
        own = np.flatnonzero(~is_leaf & (column == place))
        if place >= n_labels:
            k = place - n_labels
            cuts = np.append(codes.cuts[codes.ends[k] : codes.ends[k + 1]], np.inf)
            threshold[own] = cuts[np.minimum(test[own] & (_HAS_BITS - 1), len(cuts) - 1)]
            continue
        go_left = trees.sides(test[own], int(rows.n_states[place]))
        go_right = ~np.column_stack([go_left, gaps_go_left[own]])
        distinct, number = np.unique(go_right, axis=0, return_inverse=True)
        column[own] = n_features + number.reshape(-1)
        n_features += len(distinct)
        assert rows.codes is not None
        label = rows.codes.take([place]).squeeze(1)
        parts.append(rows.graph.gather(np.ascontiguousarray(distinct.T), label).to_float())
    splits = SplitTrees(
        np.diff(trees.roots),
        is_leaf,
        trees.left,
        trees.right,
        column,
        threshold,
        gaps_go_left,
        trees.nodes[:, 2],
    )
    return find_leaves(rows.graph.concatenate(parts), splits)


def _features(rows: EncodedRows) -> Tensor:
    """Return the codes of labels and the numbers, of shape [N, n_columns]."""
    codes = None if rows.codes is None else rows.codes.to_float()
    return rows.graph.concatenate([part for part in (codes, rows.numbers) if part is not None])


def _sides_by_bits_or_hash(tests: IntegerArray, n_labels: int) -> BoolArray:
    """Return `goes_left` of kernels/random_trees.h."""
    code = np.arange(n_labels, dtype=np.uint64)
    value = (tests & (_HAS_BITS - 1)).astype(np.uint64)[:, None]
    bits = value >> (code & np.uint64(31)) & np.uint64(1)
    spread = (code + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    hashed = _mix_bits(spread ^ value << np.uint64(20))
    has_bits = ((tests & _HAS_BITS) != 0)[:, None]
    return np.asarray(np.where(has_bits, bits, hashed & np.uint64(1)), dtype=bool)


def _mix_bits(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


__all__ = ["boosted_trees_scores", "randomized_trees_scores"]
