"""Counts by class of all pairs of values of two columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array
from augury.counts.feature_counts import FeatureCounts
from augury.fitted_state import LARGEST_COUNT, check_floats, check_part
from augury.kernels import count_pairs
from augury.memory import require_bytes


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Feature counts, and the joint counts by class of every two columns.

    The joint counts of two columns do not contain rows in which one of them is left out. The
    memory is 8 (Σ n_states)² n_classes bytes, whatever the number of rows.

    Parameters
    ----------
    features : FeatureCounts
    table : array of shape (Σ n_states, Σ n_states, n_classes)
        It is symmetric in its first two axes. The block of a column with itself is diagonal
        and holds the counts of its states.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0, 1], [1, 1], [0, 0]], dtype=np.uint8)
    >>> pairs = PairCounts.collect(codes, [2, 2], np.array([0, 0, 1]), n_classes=2)
    >>> pairs.of_columns(0, 1)[:, :, 0]
    array([[0., 1.],
           [0., 1.]])
    """

    features: FeatureCounts
    table: Array

    @classmethod
    def collect(
        cls,
        codes: Array,
        n_states: ArrayLike,
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        n_threads: int = 1,
    ) -> PairCounts:
        """Count rows of codes (unsigned, column by column in memory) with classes y."""
        n_states = np.asarray(n_states, dtype=np.int64)
        table = count_pairs(codes, y, weight, n_states, n_classes, n_threads=n_threads)
        class_counts = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        diagonal = np.arange(len(table))
        features = FeatureCounts.from_states(n_states, class_counts, table[diagonal, diagonal])
        return cls(features=features, table=table)

    def __add__(self, other: PairCounts) -> PairCounts:
        if not isinstance(other, PairCounts):
            return NotImplemented
        features = self.features + other.features
        require_bytes(
            self.table.nbytes,
            "the summed counts of pairs",
            features.n_states,
            advice="leave these columns out, or group their labels",
        )
        return PairCounts(features, self.table + other.table)

    def _check_fitted_state(self) -> None:
        features = check_part(self, "features", FeatureCounts)
        features._check_fitted_state()
        n, n_classes = int(features.n_states.sum()), len(features.class_counts)
        check_floats(self, "table", n, n, n_classes, low=0, high=LARGEST_COUNT)

    @property
    def offsets(self) -> Array:
        """Index of the first state of each column in `table`."""
        return np.concatenate([[0], np.cumsum(self.features.n_states)])

    def of_columns(self, i: int, j: int) -> Array:
        """Return the counts of two columns, of shape (n_states[i], n_states[j], n_classes)."""
        start = self.offsets
        counts: Array = self.table[start[i] : start[i + 1], start[j] : start[j + 1]]
        return counts

    def beside(self, j: int) -> Array:
        """Return the joint counts of the states of column j and those of all columns.

        The shape is (n_states[j], Σ n_states, n_classes); the array is a view.
        """
        start = self.offsets
        counts: Array = self.table[start[j] : start[j + 1]]
        return counts
