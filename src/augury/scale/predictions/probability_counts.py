"""Rows by the probability of a class, as counts that add over blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.evaluate.threshold_counts import ThresholdCounts

# Beyond this number of different probabilities, neighbours are counted together.
_MOST_KEYS = 1 << 17
_HALF = int(np.float64(0.5).view(np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityCounts:
    """Numbers of rows of a class, and of other rows, at each probability of the class.

    There are up to 131,072 different probabilities; with more, neighbours count as equal. So the
    memory is bounded, and the areas under curves of large tables are exact to about 0.0001.

    Attributes
    ----------
    keys : array of shape (n_keys,)
        Probabilities as ascending whole numbers; see `_keys_of`.
    hits, false_alarms : array of shape (n_keys,)
        Rows of the class, and other rows.
    n_dropped : int
        Number of the last bits of the keys that are dropped.
    """

    keys: IntegerArray
    hits: FloatArray
    false_alarms: FloatArray
    n_dropped: int = 0

    @classmethod
    def collect(cls, is_class: ArrayLike, probability: ArrayLike) -> ProbabilityCounts:
        """Count rows.

        >>> counts = ProbabilityCounts.collect([True, False, True], [0.9, 0.2, 0.4])
        >>> (counts + counts).at_thresholds().area_under_roc
        1.0
        """
        return cls._sum(
            _keys_of(np.asarray(probability, dtype=np.float64)),
            np.asarray(is_class, dtype=np.float64),
            1.0 - np.asarray(is_class, dtype=np.float64),
        )

    def __add__(self, other: ProbabilityCounts) -> ProbabilityCounts:
        n_dropped = max(self.n_dropped, other.n_dropped)
        return self._sum(
            np.concatenate([each.keys >> (n_dropped - each.n_dropped) for each in (self, other)]),
            np.concatenate([self.hits, other.hits]),
            np.concatenate([self.false_alarms, other.false_alarms]),
            n_dropped,
        )

    @classmethod
    def _sum(
        cls, keys: IntegerArray, hits: FloatArray, false_alarms: FloatArray, n_dropped: int = 0
    ) -> ProbabilityCounts:
        found, places = np.unique(keys, return_inverse=True)
        while len(found) > _MOST_KEYS:
            keys, n_dropped = keys >> 1, n_dropped + 1
            found, places = np.unique(keys, return_inverse=True)
        sums = [
            np.bincount(places, each, len(found)).astype(np.float64)
            for each in (hits, false_alarms)
        ]
        return cls(found, sums[0], sums[1], n_dropped)

    def at_thresholds(self) -> ThresholdCounts:
        """Return the rows above each probability; its thresholds are keys."""
        return ThresholdCounts(
            self.keys[::-1].astype(np.float64),
            np.cumsum(self.hits[::-1]),
            np.cumsum(self.false_alarms[::-1]),
        )


def _keys_of(probability: FloatArray) -> IntegerArray:
    """Return whole numbers in the order of the probabilities.

    They are the bits of p, or those of 1 - p if that is smaller, so that keys without their last
    bits distinguish probabilities near 0 as well as near 1.
    """
    is_above: BoolArray = probability > 0.5
    nearest = np.where(is_above, 1.0 - probability, probability).clip(0.0, 0.5)
    bits = nearest.view(np.int64)
    return np.where(is_above, 2 * _HALF - bits, bits)


__all__ = ["ProbabilityCounts"]
