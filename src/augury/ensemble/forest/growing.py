"""Growth of randomised trees, and the strength of the smoothing of their leaves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.counts import floored_log
from augury.ensemble.forest.calibration import Calibration, sharpen
from augury.ensemble.forest.distinct_rows import DistinctRows
from augury.ensemble.forest.trees import RandomTrees
from augury.kernels import GrownTree, grow_random_tree, smooth_leaves

# Strengths of the smoothing among which the rows out of the bag choose.
GRID = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
# With more classes, a leaf keeps the largest probabilities only.
MAX_DENSE_CLASSES, LISTED_CLASSES = 64, 32
# Rows, and rows times classes, that the smoothing and the exponent are learned from.
MAX_JUDGED, MAX_CELLS = 5_000, 1 << 22

# Values, classes and rest of the leaves of a tree, see `smooth_leaves`.
Leaves: TypeAlias = tuple[Array, IntegerArray | None, Array | None]
# Rows out of the bag of a tree, their shares, and their leaves.
JudgedRows: TypeAlias = tuple[IntegerArray, FloatArray, IntegerArray]


@dataclass(frozen=True)
class GrowthRules:
    """How trees are grown; see `RandomizedTrees`."""

    max_features: int
    n_cuts: int
    min_leaf: float
    n_draws: int


@dataclass(frozen=True, eq=False)
class GrownForest:
    """Trees, and what the growth says about them.

    Parameters
    ----------
    trees : the trees
    smoothing : the strength of the smoothing of the leaves
    calibration : what the rows out of the bag say about the mean of the trees
    gains : sum over the trees of the decrease of the impurity by each column of the codes
    judged : class probabilities of the first rows by the trees whose sample does not have them
    """

    trees: RandomTrees
    smoothing: float
    calibration: Calibration
    gains: FloatArray
    judged: FloatArray


def entries_of_leaf(n_classes: int) -> int:
    """Return the number of probabilities that a leaf keeps."""
    return n_classes if n_classes <= MAX_DENSE_CLASSES else LISTED_CLASSES


class ForestGrower:
    """Grows trees from samples of the rows, each with a seed of its own.

    Parameters
    ----------
    rows : the different training rows
    is_label : whether each column of the codes has labels
    n_classes : number of classes
    seeds : seed of each tree, below 2^63
    rules : how trees are grown
    n_threads : number of trees that are grown at once; no result depends on it
    """

    def __init__(
        self,
        rows: DistinctRows,
        is_label: BoolArray,
        n_classes: int,
        seeds: list[int],
        rules: GrowthRules,
        n_threads: int,
    ) -> None:
        self._rows = rows
        self._is_label = is_label
        self._seeds = seeds
        self._rules = rules
        self._n_threads = n_threads
        weight = np.bincount(rows.y, rows.weight, minlength=n_classes)
        self._prior: FloatArray = (weight + 1 / n_classes) / (weight.sum() + 1)
        # The rows are in an order that says nothing about them: the first ones are a sample.
        self._n_judged = min(len(rows.y), MAX_JUDGED, MAX_CELLS // n_classes + 1)

    def grow(self) -> GrownForest:
        """Grow all trees, choose the strength of the smoothing, and smooth the leaves."""
        grown: list[GrownTree] = []
        judged: list[JudgedRows] = []
        sums, shares = np.zeros((self._n_judged, len(GRID))), np.zeros(self._n_judged)
        gains = np.zeros(len(self._is_label))
        with ThreadPoolExecutor(self._n_threads) as pool:
            run = map if self._n_threads == 1 else pool.map
            for tree, rows, share in run(self._grow_tree, self._seeds):
                sums[rows] += share[:, None] * tree.path
                shares[rows] += share
                gains += tree.gains
                judged.append((rows, share, tree.leaf))
                grown.append(replace(tree, path=np.empty((0, len(GRID)))))  # not needed again
            losses = self._log_losses(sums, shares)
            best = GRID.index(1.0) if losses is None else int(np.argmin(losses))
            n_listed = LISTED_CLASSES if len(self._prior) > MAX_DENSE_CLASSES else None

            def smooth(tree: GrownTree) -> Leaves:
                return smooth_leaves(tree, self._prior, GRID[best], n_listed)

            leaves = list(run(smooth, grown))
        p = self._out_of_bag(judged, leaves, shares)
        known = np.flatnonzero(shares)
        calibration = Calibration.learn(p[known], self._rows.y[known], self._rows.weight[known])
        p[known] = sharpen(p[known], calibration.exponent)
        trees = _join(grown, leaves, self._prior)
        return GrownForest(trees, GRID[best], calibration, gains, p)

    def held_out(self, forest: GrownForest) -> FloatArray:
        """Return the class probabilities of each different row from the trees without it.

        A row that is in every sample has the shares of the classes.
        """
        n = len(self._rows.y)
        if n == self._n_judged:
            return forest.judged
        sums, shares = np.zeros((n, len(self._prior))), np.zeros(n)
        for tree, seed in enumerate(self._seeds):
            share = self._rows.left_out(self._rows.draw(seed, self._rules.n_draws))
            forest.trees.add_shares_of(tree, self._rows.codes, share, sums, self._n_threads)
            shares += share
        known = shares > 0
        sums[~known] = self._prior
        sums[known] = sharpen(sums[known], forest.calibration.exponent)
        return sums

    def _out_of_bag(
        self, judged: list[JudgedRows], leaves: list[Leaves], shares: FloatArray
    ) -> FloatArray:
        """Return the mean of the judged rows over the trees whose sample does not have them."""
        sums = np.zeros((self._n_judged, len(self._prior)))
        for (rows, share, leaf), (values, classes, rest) in zip(judged, leaves, strict=True):
            if classes is None or rest is None:
                sums[rows] += share[:, None] * values[leaf]
            else:
                np.add.at(sums, (rows[:, None], classes[leaf]), share[:, None] * values[leaf])
                sums[rows] += (share * rest[leaf])[:, None] * self._prior
        known = shares > 0
        sums[known] /= shares[known, None]
        sums[~known] = self._prior
        return sums

    def _grow_tree(self, seed: int) -> tuple[GrownTree, IntegerArray, FloatArray]:
        """Return a tree, the judged rows out of the bag, which went down the tree, and shares."""
        rules, rows = self._rules, self._rows
        times = rows.draw(seed, rules.n_draws)
        inside = np.flatnonzero(times).astype(np.int32)
        share = rows.left_out(times[: self._n_judged])
        outside = np.flatnonzero(share).astype(np.int32)
        tree = grow_random_tree(
            rows.codes,
            self._is_label,
            rows.y,
            inside,
            times[inside] * rows.weight_of_draw[inside],
            outside,
            np.array(GRID),
            self._prior,
            seed=seed,
            max_features=rules.max_features,
            n_cuts=rules.n_cuts,
            min_leaf=rules.min_leaf,
        )
        return tree, outside, share[outside]

    def _log_losses(self, sums: FloatArray, shares: FloatArray) -> FloatArray | None:
        """Return the log loss of the rows out of the bag for each strength of the grid."""
        judged = np.flatnonzero(shares > 0)
        if not len(judged):
            return None
        weight = self._rows.weight[judged]
        p = sums[judged] / shares[judged, None]
        return np.asarray(-(weight @ floored_log(p)) / weight.sum())


def _join(
    grown: list[GrownTree],
    leaves: list[Leaves],
    prior: FloatArray,
) -> RandomTrees:
    """Return the trees in one, with the leaves of all of them numbered."""
    first = 0
    for tree in grown:
        is_leaf = tree.nodes[:, 0] < 0
        tree.nodes[is_leaf, 1] = 0
        tree.nodes[is_leaf, 2] += first
        first += tree.n_leaves
    values, classes, rest = zip(*leaves, strict=True)
    listed = classes[0] is not None
    return RandomTrees(
        np.concatenate([tree.nodes for tree in grown]),
        np.cumsum([0, *(len(tree.nodes) for tree in grown)], dtype=np.int64),
        np.concatenate(values),
        np.concatenate(classes) if listed else None,
        np.concatenate(rest) if listed else None,
        prior,
    )
