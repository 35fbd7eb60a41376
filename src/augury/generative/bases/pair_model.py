"""Base class of the models that use every pair of columns."""

from abc import abstractmethod
from typing import TypeVar

import numpy as np

from augury.arrays import Array
from augury.counts import PairCounts
from augury.counts.triple_counts import TripleCounts
from augury.encode import CategoricalTable
from augury.fitted_state import check_part, check_parts
from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.kernels import add_pair_factors
from augury.memory import require_bytes

# Blocks of at most this size in all are kept. Those of larger models are computed when they are
# needed, one at a time.
_BYTES_TO_KEEP = 1 << 27
# Tables of the size of a block that are in memory while one is computed.
_TABLES_TO_MAKE = 4

P = TypeVar("P", bound=PairCounts | TripleCounts)


class PairModel(CategoricalClassifier[P]):
    """Base class of the models whose statistics are pair counts.

    The type parameter is `PairCounts`, or `TripleCounts`, which contains pair counts. A subclass
    writes `_collect` (see `_count_pairs`), `_estimate`, which ends with `_keep_blocks`,
    `_log_joint`, which adds up `_sum_beside`, `_make_block` and `_check_block`. Block j holds
    one number for each state of column j, state of any column, and class: the factor or term
    of these two values in this class.
    """

    _blocks: list[Array] | None

    @property
    def _pairs(self) -> PairCounts:
        return pairs_of(self.statistics_)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        pairs = check_part(self, "statistics_", PairCounts, TripleCounts)
        pairs._check_fitted_state()
        self._check_feature_counts(self._pairs.features)
        if self._blocks is not None:
            shape = self._pairs.features.table.shape
            n_states = self.encoder_.n_states_.tolist()
            blocks = check_parts(self, "_blocks", np.ndarray, len(n_states))
            for n, block in zip(n_states, blocks, strict=True):
                self._check_block(block, (n + 1, *shape))

    @abstractmethod
    def _check_block(self, block: Array, shape: tuple[int, ...]) -> None:
        """Raise unless a block has this shape and values that a block can have."""

    def _keep_blocks(self, pairs: PairCounts) -> None:
        """Compute all blocks, if they are small; to be called at the end of `_estimate`."""
        self._blocks = None
        n_slots, n_states = len(pairs.features.table), pairs.features.n_states.tolist()
        if 8 * n_slots**2 * len(self.classes_) <= _BYTES_TO_KEEP:
            self._blocks = [self._make_block(pairs, j) for j in range(len(n_states))]
            return
        require_bytes(
            8 * _TABLES_TO_MAKE * (max(n_states) + 1) * n_slots * len(self.classes_),
            f"the factors of all {n_slots:,} states beside those of one column",
            n_states,
            advice="leave these columns out, group their labels, or take a model without pairs, "
            "such as NaiveBayes",
        )

    @abstractmethod
    def _make_block(self, pairs: PairCounts, j: int) -> Array:
        """Return block j, of shape (slots of j, slots of all columns, classes)."""

    def _sum_beside(self, table: CategoricalTable, j: int) -> Array:
        """Return for each row and class the sum of block j over the values of the other columns."""
        block = self._make_block(self._pairs, j) if self._blocks is None else self._blocks[j]
        total = np.zeros((table.n_samples, len(self.classes_)))
        offsets = self._pairs.features.offsets
        add_pair_factors(table.codes, j, block, offsets, total, n_threads=self._n_threads())
        return total

    def _empty_block(self, pairs: PairCounts, j: int) -> Array:
        features = pairs.features
        return np.zeros((features.n_states[j] + 1, *features.table.shape))


def pairs_of(statistics: PairCounts | TripleCounts) -> PairCounts:
    """Return the pair counts of statistics that contain them."""
    return statistics.pairs if isinstance(statistics, TripleCounts) else statistics


__all__ = ["PairModel", "pairs_of"]
