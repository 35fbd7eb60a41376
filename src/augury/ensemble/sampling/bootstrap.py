"""Random samples of the training rows of an ensemble."""

import numpy as np

from augury.arrays import Array, FloatArray
from augury.encode.row_keys import hash_rows
from augury.ensemble.bases.generative_ensemble import MAX_DRAWS
from augury.generative.bases.training_rows import TrainingRows

# Up to this number, rows are drawn one by one; beyond it, the count of each row is drawn.
_MAX_SINGLE_DRAWS = 1 << 21


class Bootstrap:
    """Sampler of rows with replacement that does not depend on their order.

    Rows are sorted by a hash of their codes and class, so that equal rows are adjacent.
    """

    def __init__(self, training: TrainingRows) -> None:
        weights, keys = [], []
        for read, y, weight in training:
            weights.append(np.ones(len(y)) if weight is None else weight)
            keys.append(hash_rows(read.codes, y))
        key = np.concatenate(keys)
        self._order = np.argsort(key, kind="stable")
        self._weight = np.concatenate(weights)[self._order]
        self._edges = np.cumsum(self._weight)
        self._is_first = np.diff(key[self._order], prepend=~key[self._order[:1]]) != 0

    def draw(self, random: np.random.RandomState) -> Array:
        """Return the number of times that each row is drawn."""
        n_draws = max(1, round(float(self._edges[-1])))
        if n_draws > _MAX_SINGLE_DRAWS:
            drawn = self._draw_many(random, n_draws)
        else:
            places = np.searchsorted(
                self._edges, random.random_sample(n_draws) * self._edges[-1], side="right"
            )
            drawn = np.bincount(
                np.minimum(places, len(self._order) - 1), minlength=len(self._order)
            )
            # Draws of all rounds may be kept: bytes instead of 64 bits, if the counts are small.
            drawn = drawn.astype(np.min_scalar_type(int(drawn.max())))
        times = np.empty_like(drawn)
        times[self._order] = drawn
        return times

    def left_out(self, times: Array) -> FloatArray:
        """Return the expected share of the copies of each row that no draw has taken.

        Equal rows of weight w in all are w copies. A draw takes each of them with the probability
        1/w, so that (1 - 1/w)^draws is the share that is left.
        """
        starts = np.flatnonzero(self._is_first)
        copies = np.maximum(np.add.reduceat(self._weight, starts), 1.0)
        draws = np.add.reduceat(times[self._order].astype(np.float64), starts)
        left: FloatArray = np.empty(len(times))
        left[self._order] = ((1 - 1 / copies) ** draws)[np.cumsum(self._is_first) - 1]
        return left

    def _draw_many(self, random: np.random.RandomState, n_draws: int) -> Array:
        """Draw distinct rows; the count is divided among equal rows by their weights."""
        weight = np.add.reduceat(self._weight, np.flatnonzero(self._is_first))
        drawn = random.multinomial(min(n_draws, MAX_DRAWS), weight / weight.sum())
        share = drawn / weight * (n_draws / min(n_draws, MAX_DRAWS))
        times: Array = self._weight * share[np.cumsum(self._is_first) - 1]
        return times


__all__ = ["Bootstrap"]
