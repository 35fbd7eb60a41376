"""Fitted randomised trees, and the class probabilities of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.fitted_state import check_floats, check_integers, require
from augury.kernels import add_leaf_shares
from augury.kernels.random_trees import NODE_FIELDS


@dataclass(frozen=True, eq=False)
class RandomTrees:
    """The nodes of all trees, and the class probabilities of their leaves.

    Parameters
    ----------
    nodes : array of shape (n_nodes, 3), int32
        Column of the split (-1: a leaf), its test, and the right child, counted from the root of
        the tree. The left child is the next node. The third number of a leaf is its row in
        `values`.
    roots : first node of each tree, and the number of nodes
    values : array of shape (n_leaves, n_classes), float32, or of fewer entries
    classes, rest : None, or the classes of the entries and the remaining probability of each leaf
    prior : probability of each class, by which `rest` is divided
    """

    nodes: IntegerArray
    roots: IntegerArray
    values: Array
    classes: IntegerArray | None
    rest: Array | None
    prior: FloatArray

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots) - 1

    def mean_shares(self, codes: IntegerArray, n_threads: int) -> FloatArray:
        """Return the mean of the class probabilities of the leaves of each row."""
        out = np.zeros((len(codes), len(self.prior)))
        leaves = self.values, self.classes, self.rest
        add_leaf_shares(codes, self.nodes, self.roots, leaves, self.prior, out, n_threads=n_threads)
        out /= self.n_trees
        return out

    def add_shares_of(
        self, tree: int, codes: IntegerArray, share: FloatArray, out: FloatArray, n_threads: int
    ) -> None:
        """Add the class probabilities of rows in one tree, times the share of each row."""
        roots = self.roots[tree : tree + 2]
        leaves = self.values, self.classes, self.rest
        add_leaf_shares(
            codes, self.nodes, roots, leaves, self.prior, out, share=share, n_threads=n_threads
        )

    def check(self, n_columns: int, n_classes: int) -> None:
        """Raise unless these are trees of so many columns and classes."""
        nodes = check_integers(self, "nodes", None, NODE_FIELDS, low=-1, high=2**31 - 1)
        require(nodes.dtype == np.int32, self, "nodes", "an array of int32")
        roots = check_integers(self, "roots", None, high=len(nodes))
        fits = roots.dtype == np.int64 and len(roots) >= 2 and roots[0] == 0
        fits = fits and roots[-1] == len(nodes) and (np.diff(roots) > 0).all()
        require(fits, self, "roots", "increasing int64 from 0 to the number of nodes")
        self._check_leaves(n_classes)
        self._check_children(n_columns)

    def _check_leaves(self, n_classes: int) -> None:
        prior = check_floats(self, "prior", n_classes, low=0, high=1)
        require(prior.sum() > 0, self, "prior", "probabilities")
        for name in ("values", "rest"):
            value = getattr(self, name)
            if value is None and name == "rest":
                continue
            fits = type(value) is np.ndarray and value.dtype == np.float32
            fits = fits and value.ndim == (2 if name == "values" else 1)
            fits = fits and len(value) == len(self.values)
            require(fits, self, name, "an array of float32")
            fits = np.isfinite(value).all() and (value >= 0).all() and (value <= 1).all()
            require(fits, self, name, "probabilities")
        require((self.classes is None) == (self.rest is None), self, "rest", "beside classes")
        if self.classes is None:
            require(self.values.shape[1] == n_classes, self, "values", "one for each class")
            positive = self.values.sum(axis=1) > 0
        else:
            check_integers(self, "classes", *self.values.shape, high=n_classes - 1)
            require(self.classes.dtype == np.int32, self, "classes", "an array of int32")
            positive = self.values.sum(axis=1) + self.rest > 0
        require(positive.all(), self, "values", "probabilities above 0")

    def _check_children(self, n_columns: int) -> None:
        column, _, right = self.nodes.T
        at = np.arange(len(column))
        root = np.repeat(self.roots[:-1], np.diff(self.roots))
        end = np.repeat(self.roots[1:], np.diff(self.roots))
        is_leaf = column < 0
        require((column < n_columns).all(), self, "nodes", f"of columns below {n_columns}")
        fits = (right[is_leaf] >= 0) & (right[is_leaf] < len(self.values))
        require(fits.all(), self, "nodes", f"of leaves below {len(self.values)}")
        child = root + right
        fits = is_leaf | ((child > at + 1) & (child < end))
        require(fits.all(), self, "nodes", "of children that follow their parents in the tree")

    def _check_fitted_state(self) -> None:
        # The model checks again, with its numbers of columns and classes.
        self.check(2**31 - 1, len(check_floats(self, "prior", None)))


__all__ = ["RandomTrees"]
