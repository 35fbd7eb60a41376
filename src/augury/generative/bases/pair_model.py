"""Base class of the models that use every pair of columns."""

from abc import abstractmethod
from itertools import pairwise
from typing import TypeVar

import numpy as np

from augury.arrays import Array
from augury.bases.table_classifier import ROWS_TO_PREDICT
from augury.counts import PairCounts
from augury.counts.triple_counts import TripleCounts
from augury.encode import CategoricalTable
from augury.fitted_state import check_part, check_parts
from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.kernels import add_pair_factors
from augury.memory import require_bytes
from augury.time_limit import require_time

# Blocks of at most this size in all are kept. The numbers of larger models are computed from the
# counts for the pairs of values that the rows have.
_BYTES_TO_KEEP = 1 << 27
# Tables of the size of a block that are in memory while one is computed.
_TABLES_TO_MAKE = 4
# Such numbers that are in memory at once.
_NUMBERS_AT_ONCE = 1 << 20
# Time of the factor of one pair of values in one class.
_NS_OF_FACTOR = 1.0

P = TypeVar("P", bound=PairCounts | TripleCounts)


class PairModel(CategoricalClassifier[P]):
    """Base class of the models whose statistics are pair counts.

    The type parameter is `PairCounts`, or `TripleCounts`, which contains pair counts. A subclass
    writes `_collect` (see `_count_pairs`), `_estimate`, which ends with `_keep_blocks`,
    `_log_joint`, which adds up `_sum_beside`, `_make_block` and `_check_block`. Block j holds
    one number for each state of column j, state of any column, and class: the factor or term
    of these two values in this class.

    All pairs are in one table, and blocks that are not kept are computed again in each call.
    `WidePairModel` is the base of models that read columns of many states apart.

    A row takes d² q factors. A model whose predictions of 1,000 rows take more than ten minutes
    is refused before the table is read.
    """

    _blocks: list[Array] | None

    @property
    def _columns_of_factor(self) -> int:
        """Number of columns on which a factor depends: a row takes d² or d³ factors of a class."""
        return 2

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        tuples = {2: "pairs", 3: "triples"}[self._columns_of_factor]
        require_time(
            n_predicted * n_columns**self._columns_of_factor * n_classes,
            _NS_OF_FACTOR,
            f"the predictions of {n_predicted:,} rows from all {tuples} of {n_columns:,} columns "
            f"in {n_classes:,} classes",
            n_rows=n_rows,
            owner=self._owner,
            advice="use fewer columns, or take a model without pairs, such as NaiveBayes, "
            "TreeAugmentedNaiveBayes or LogisticRegression",
        )

    @property
    def _pairs(self) -> PairCounts:
        return pairs_of(self.statistics_)

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        pairs = check_part(self, "statistics_", PairCounts, TripleCounts)
        pairs._check_fitted_state()
        self._check_feature_counts(self._pairs.features)
        if self._blocks is not None:
            features = self._pairs.narrow.features
            shape, n_states = features.table.shape, features.n_states.tolist()
            blocks = check_parts(self, "_blocks", np.ndarray, len(n_states))
            for n, block in zip(n_states, blocks, strict=True):
                self._check_block(block, (n + 1, *shape))

    @abstractmethod
    def _check_block(self, block: Array, shape: tuple[int, ...]) -> None:
        """Raise unless a block has this shape and values that a block can have."""

    def _keep_blocks(self, pairs: PairCounts) -> None:
        """Compute all blocks, if they are small; to be called at the end of `_estimate`."""
        self._blocks = None
        n_slots = len(pairs.narrow.features.table)
        if 8 * n_slots**2 * len(self.classes_) <= _BYTES_TO_KEEP:
            # The blocks are parts of one array, which predictions read as a whole.
            whole = np.zeros((n_slots, n_slots, len(self.classes_)))
            offsets = pairs.narrow.features.offsets
            self._blocks = [whole[start:stop] for start, stop in pairwise(offsets)]
            for block, j in zip(self._blocks, np.flatnonzero(pairs.is_narrow), strict=True):
                block[:] = self._make_block(pairs, int(j))
            pairs.derived["blocks"] = self._blocks, whole
        elif not self._reads_wide_pairs:
            n_states = pairs.features.n_states.tolist()
            require_bytes(
                8 * _TABLES_TO_MAKE * (max(n_states) + 1) * n_slots * len(self.classes_),
                f"the factors of all {n_slots:,} states beside those of one column",
                n_states,
                advice="leave these columns out, group their labels, or take a model without "
                "pairs, such as NaiveBayes",
            )

    def _whole_blocks(self) -> Array | None:
        """Return all blocks as one array; None if a column has no block."""
        blocks, pairs = self._blocks, self._pairs
        if not blocks or len(blocks) < len(pairs.features.n_states):
            return None
        # The blocks of a model that was loaded or copied are arrays of their own.
        if pairs.derived.get("blocks", (None,))[0] is not blocks:
            pairs.derived["blocks"] = blocks, np.concatenate(blocks)
        return np.asarray(pairs.derived["blocks"][1])

    @abstractmethod
    def _make_block(self, pairs: PairCounts, j: int) -> Array:
        """Return block j of a narrow column, of shape (slots of j, slots of all, classes).

        The slots are those of `pairs.narrow`.
        """

    def _sum_beside(self, table: CategoricalTable, j: int) -> Array:
        """Return for each row and class the sum of block j over the values of the other columns."""
        total = np.zeros((table.n_samples, len(self.classes_)))
        block = self._make_block(self._pairs, j) if self._blocks is None else self._blocks[j]
        self._add_block(table.codes, j, block, total)
        return total

    def _add_block(self, narrow: Array, place: int, block: Array, total: Array) -> None:
        """Add the numbers of a block for the codes of the narrow columns."""
        offsets = self._pairs.narrow.features.offsets
        add_pair_factors(narrow, place, block, offsets, total, n_threads=self._n_threads())

    def _empty_block(self, pairs: PairCounts, j: int) -> Array:
        n_slots = int(pairs.features.n_states[j]) + 1
        return np.zeros((n_slots, *pairs.narrow.features.table.shape))


class WidePairModel(PairModel[P]):
    """Base class of the pair models that read columns of many states from the counts.

    There are blocks of the narrow columns of the pair counts only (see `PairCounts`), and the
    numbers of other pairs are computed from the counts by `_sum_at_rows`, which a subclass writes.
    If the blocks are not kept, a call computes a block again where its rows look up more numbers
    than the block has.
    """

    _reads_wide_pairs = True

    @abstractmethod
    def _sum_at_rows(self, codes: Array, j: int, columns: Array) -> Array:
        """Return the sum, over these columns, of what block j would hold for each row."""

    def _sum_beside(self, table: CategoricalTable, j: int) -> Array:
        """Return for each row and class the sum of block j over the values of the other columns."""
        pairs, codes = self._pairs, table.codes
        is_narrow = pairs.is_narrow
        total = np.zeros((table.n_samples, len(self.classes_)))
        others = np.ones(len(is_narrow), dtype=bool)
        others[j] = False
        place, block = pairs.place(j), None
        if self._blocks is not None and is_narrow[j]:
            block = self._blocks[place]
        elif not self._reads_wide_pairs or (is_narrow[j] and self._is_block_small(table, j)):
            block = self._make_block(pairs, j)
        if block is not None:
            narrow = codes if is_narrow.all() else np.asfortranarray(codes[:, is_narrow])
            self._add_block(narrow, place, block, total)
            others &= ~is_narrow
        if others.any():
            columns = np.flatnonzero(others)
            step = max(1, _NUMBERS_AT_ONCE // (len(columns) * len(self.classes_)))
            for start in range(0, len(codes), step):
                rows = slice(start, start + step)
                total[rows] += self._sum_at_rows(codes[rows], j, columns)
        return total

    def _is_block_small(self, table: CategoricalTable, j: int) -> bool:
        """Return whether block j has fewer numbers than these rows look up."""
        features = self._pairs.narrow.features
        return bool(
            (features.n_states[self._pairs.place(j)] + 1) * len(features.table)
            <= table.n_samples * len(features.n_states)
        )


def pairs_of(statistics: PairCounts | TripleCounts) -> PairCounts:
    """Return the pair counts of statistics that contain them."""
    return statistics.pairs if isinstance(statistics, TripleCounts) else statistics


__all__ = ["PairModel", "WidePairModel", "pairs_of"]
