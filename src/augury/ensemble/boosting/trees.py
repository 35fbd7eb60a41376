"""Fitted boosted trees, and the scores of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.fitted_state import check_integers, check_logs, require
from augury.kernels import GrownTrees, add_tree_values
from augury.kernels.tree_boosting import BITS_WORDS, NODE_FIELDS, SPLITS_LABELS

# Bound of the value of a leaf: sums of many of them are finite.
_LARGEST_VALUE = 1e9


@dataclass(frozen=True, eq=False)
class BoostedTrees:
    """The nodes of all trees, and the values of their leaves.

    Parameters
    ----------
    nodes : array of shape (n_nodes, 3), int32
        Column of the split (-1: a leaf), its test, and the left child, counted from the root of
        the tree. The right child is the next node. The third number of a leaf is its place in
        `values`.
    roots : first node of each tree, and the number of nodes
    values : value of each leaf, float32
    bits : array of shape (n_splits_of_labels, 8), int32, the labels that go left
    intercept : score of each class before the first tree; with two classes only of the second
    """

    nodes: IntegerArray
    roots: IntegerArray
    values: Array
    bits: IntegerArray
    intercept: FloatArray

    @classmethod
    def join(cls, grown: Sequence[GrownTrees], intercept: FloatArray, share: float) -> BoostedTrees:
        """Return all trees as one sum, in which each value counts by its share."""
        nodes, bits = [], []
        roots: list[IntegerArray] = [np.zeros(1, dtype=np.int64)]
        n_nodes = n_values = n_bits = 0
        for trees in grown:
            shifted = trees.nodes.copy()
            shifted[trees.nodes[:, 0] < 0, 2] += n_values
            shifted[(trees.nodes[:, 1] & SPLITS_LABELS) != 0, 1] += n_bits
            nodes.append(shifted)
            roots.append(trees.ends + n_nodes)
            bits.append(trees.bits)
            n_nodes += len(trees.nodes)
            n_values += len(trees.values)
            n_bits += len(trees.bits)
        values = [np.float32(share) * trees.values for trees in grown]
        return cls(
            np.concatenate([np.empty((0, NODE_FIELDS), dtype=np.int32), *nodes]),
            np.concatenate(roots),
            np.concatenate([np.empty(0, dtype=np.float32), *values]),
            np.concatenate([np.empty((0, BITS_WORDS), dtype=np.int32), *bits]),
            intercept,
        )

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots) - 1

    def scores(self, codes: IntegerArray, n_threads: int) -> FloatArray:
        """Return the scores of rows, of shape (n_rows, n_classes), or (n_rows, 1) of two classes.

        The codes are bytes, and 255 is a missing value.
        """
        out: FloatArray = np.tile(self.intercept, (len(codes), 1))
        add_tree_values(
            codes, self.nodes, self.roots, self.values, self.bits, out, n_threads=n_threads
        )
        return out

    def check(self, n_columns: int, n_outputs: int) -> None:
        """Raise unless these are trees of so many columns and scores."""
        check_logs(self, "intercept", n_outputs)
        nodes = check_integers(self, "nodes", None, NODE_FIELDS, low=-1, high=2**31 - 1)
        require(nodes.dtype == np.int32, self, "nodes", "an array of int32")
        roots = check_integers(self, "roots", None, high=len(nodes))
        fits = roots.dtype == np.int64 and len(roots) >= 1 and roots[0] == 0
        fits = fits and roots[-1] == len(nodes) and (np.diff(roots) > 0).all()
        require(fits, self, "roots", "increasing int64 from 0 to the number of nodes")
        require(self.n_trees % n_outputs == 0, self, "roots", f"trees of {n_outputs} scores")
        values = self.values
        fits = type(values) is np.ndarray and values.dtype == np.float32 and values.ndim == 1
        fits = fits and bool((np.abs(values) <= _LARGEST_VALUE).all())
        require(fits, self, "values", "an array of finite float32")
        bits = check_integers(self, "bits", None, BITS_WORDS, low=-(2**31), high=2**31 - 1)
        require(bits.dtype == np.int32, self, "bits", "an array of int32")
        self._check_nodes(n_columns)

    def _check_nodes(self, n_columns: int) -> None:
        column, test, left = self.nodes.T
        at = np.arange(len(column))
        root = np.repeat(self.roots[:-1], np.diff(self.roots))
        end = np.repeat(self.roots[1:], np.diff(self.roots))
        is_leaf = column < 0
        require((column < n_columns).all(), self, "nodes", f"of columns below {n_columns}")
        fits = (left[is_leaf] >= 0) & (left[is_leaf] < len(self.values))
        require(fits.all(), self, "nodes", f"of leaves below {len(self.values)}")
        child = root + left
        fits = is_leaf | ((child > at) & (child + 1 < end))
        require(fits.all(), self, "nodes", "of children that follow their parents in the tree")
        labels = ~is_leaf & ((test & SPLITS_LABELS) != 0)
        fits = (test[labels] & (SPLITS_LABELS - 1)) < len(self.bits)
        require(fits.all() and (test >= 0).all(), self, "nodes", "of splits that are in bits")

    def _check_fitted_state(self) -> None:
        # The model checks again, with its number of columns and of scores.
        self.check(2**31 - 1, len(check_logs(self, "intercept", None)))


__all__ = ["BoostedTrees"]
