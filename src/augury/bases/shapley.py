"""Shapley values of the columns of rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.bases.attribution import Attribution
from augury.bases.partial_scores import PartialScores, value_coalitions
from augury.memory import require_bytes

# Permutations for tables of at most 100 columns, and the least for wider tables.
_PERMUTATIONS = 128
_FEWEST = 8
_MOST_COALITIONS = 100 * _PERMUTATIONS
_SEED = 0
# Values of coalitions that are in memory at once.
_VALUES_AT_ONCE = 1 << 22


def attribute_by_shapley(
    partial: PartialScores,
    full: Array,
    weights: Array,
    n_columns: int,
    players: IntegerArray,
    n_permutations: int | None,
) -> Attribution:
    """Return the Shapley values of the columns for Σ_c w_c score_c of each row.

    The value v(S) of a set S of columns is the weighted sum of the scores of the row if only
    the columns in S are known. The Shapley value of a column is the mean of
    v(columns before it, and it) - v(columns before it) over all permutations of the columns.

    All subsets are evaluated if they are at most as many as the prefixes of `n_permutations`
    permutations. Otherwise the mean is over that many permutations: random ones, and the reverse of
    each. The sum of the values is v(all columns) - v(none) in either case. The
    permutations are the same for all rows and all calls.

    Parameters
    ----------
    partial : scores of rows with some columns known
    full : array of shape (n_rows, n_classes), scores of the rows with all columns known
    weights : array of shape (n_rows, n_classes), which sum to 0 in each row
    n_columns : number of columns of the table
    players : indices of the columns that the model uses; the others have the value 0
    n_permutations : even number >= 4, or None: 128, and fewer for more than 100 columns
    """
    design = _design(len(players), n_permutations)
    values = np.empty((2, len(full), len(players)))
    prior = np.empty(len(full))
    step = max(1, _VALUES_AT_ONCE // len(design.coalitions))
    known = np.zeros((len(design.coalitions), n_columns), dtype=bool)
    known[:, players] = design.coalitions
    for start in range(0, len(full), step):
        rows = np.arange(start, min(start + step, len(full)))
        value = np.empty((len(known), len(rows)))
        value[:-1] = value_coalitions(partial, rows, known[:-1], weights[rows])
        # The last coalition has all columns; the model itself gives its scores.
        value[-1] = np.einsum("nc,nc->n", full[rows], weights[rows])
        prior[rows] = value[0]
        values[:, rows] = design.values(value)
    exact = isinstance(design, _AllSubsets)
    found = Attribution(prior, values[0], values[1], "shapley" if exact else "sampled")
    return found.among(players, n_columns)


def _design(n_players: int, n_permutations: int | None) -> _AllSubsets | _Permutations:
    if n_permutations is None:
        fewer = _MOST_COALITIONS // max(1, n_players)
        n_permutations = max(_FEWEST, min(_PERMUTATIONS, fewer - fewer % 2))
    if 2**n_players <= n_permutations * max(1, n_players):
        return _AllSubsets(n_players)
    require_bytes(
        4 * n_permutations * (n_players + 1) * n_players,
        f"the coalitions of {n_players:,} columns in {n_permutations:,} permutations",
        advice="explain a model of fewer columns",
    )
    return _Permutations.draw(n_players, n_permutations)


@dataclass(frozen=True)
class _AllSubsets:
    """All subsets of the players; the first is empty, the last has all players."""

    n_players: int

    @property
    def coalitions(self) -> BoolArray:
        """Mask of the players of each coalition."""
        numbers = np.arange(2**self.n_players)[:, None]
        return np.asarray((numbers >> np.arange(self.n_players)) & 1, dtype=bool)

    def values(self, value: FloatArray) -> FloatArray:
        """Return Shapley values and their variances 0, of shape (2, n_rows, n_players).

        φ_j = Σ_{S without j} |S|! (m - |S| - 1)! / m! [v(S and j) - v(S)]
        """
        m = self.n_players
        there = self.coalitions
        share = [factorial(s) * factorial(m - s - 1) / factorial(m) for s in range(m)]
        size = there.sum(axis=1)
        joins, leaves = np.array([0.0, *share])[size], np.array([*share, 0.0])[size]
        # Relative to the value of the empty set, so that large values do not round.
        weight = np.where(there, joins[:, None], -leaves[:, None])
        phi = (value - value[0]).T @ weight
        return np.stack([phi, np.zeros_like(phi)])


@dataclass(frozen=True, eq=False)
class _Permutations:
    """Random permutations, each followed by its reverse.

    `coalitions` are the distinct prefixes, the empty one first and the whole last; `prefix` has
    the index of the coalition of each permutation and length; `place` is the place of each
    player in each permutation.
    """

    coalitions: BoolArray
    prefix: IntegerArray
    place: IntegerArray

    @classmethod
    def draw(cls, n_players: int, n_permutations: int) -> _Permutations:
        random = np.random.default_rng(_SEED)
        half = max(1, n_permutations // 2)
        drawn = np.argsort(random.random((half, n_players)), axis=1)
        orders = np.stack([drawn, drawn[:, ::-1]], axis=1).reshape(2 * half, n_players)
        place = np.argsort(orders, axis=1)
        prefixes = place[:, None, :] < np.arange(n_players + 1)[:, None]
        packed = np.packbits(prefixes.reshape(-1, n_players), axis=1)
        # The size comes first, so that the empty coalition is the first, the whole the last.
        size = np.tile(np.arange(n_players + 1), 2 * half).astype(">u4").view(np.uint8)
        keys = np.hstack([size.reshape(-1, 4), packed])
        _, first, index = np.unique(
            np.ascontiguousarray(keys).view(f"V{keys.shape[1]}").ravel(),
            return_index=True,
            return_inverse=True,
        )
        coalitions = prefixes.reshape(-1, n_players)[first]
        return cls(coalitions, index.reshape(2 * half, n_players + 1), place)

    def values(self, value: FloatArray) -> FloatArray:
        """Return Shapley values and the squares of their standard errors."""
        n_orders, n_players = self.place.shape
        sums = np.zeros((2, value.shape[1], n_players))
        shift = np.zeros((value.shape[1], n_players))
        for k in range(0, n_orders, 2):
            pair = np.zeros_like(shift)
            for order in (k, k + 1):
                steps = np.diff(value[self.prefix[order]], axis=0)
                pair += 0.5 * steps[self.place[order]].T
            if k == 0:
                shift = pair  # sums of squares relative to the first pair do not cancel
            sums += np.stack([pair - shift, (pair - shift) ** 2])
        n_pairs = n_orders // 2
        mean = sums[0] / n_pairs
        spread = np.maximum(sums[1] - n_pairs * mean**2, 0.0)
        variance = spread / (max(n_pairs - 1, 1) * n_pairs)
        return np.stack([shift + mean, variance])


__all__ = ["attribute_by_shapley"]
