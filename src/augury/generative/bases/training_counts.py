"""Counts of the training rows, for structure learners."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import numpy as np

from augury.arrays import Array, BoolArray
from augury.bases.row_blocks import RowBlocks
from augury.counts import PairCounts, count_family, require_families
from augury.counts.filled_cells import FilledCells
from augury.counts.pair_counts import find_narrow
from augury.encode import CategoricalTable
from augury.kernels import count_class_values, pair_bytes, slot_offsets
from augury.memory import is_affordable
from augury.structure.family_scores import is_sparse

# Cells of the tables that are counted at once, and of the pair counts that are kept.
_CELLS_AT_ONCE = 1 << 24
_MAX_PAIR_CELLS = 1 << 29
# Rows, times candidates, whose filled cells are found at once.
_ROWS_AT_ONCE = 1 << 15


class TrainingCounts:
    """Counts of the training rows; each call reads them once.

    Parameters
    ----------
    training : blocks of `(CategoricalTable, y, weight)`
    n_states : declared number of states of each column
    n_classes : number of classes
    n_threads : number of threads
    names : names of the columns, by which a search may refer to them
    """

    n_states: Array
    n_classes: int

    def __init__(
        self,
        training: RowBlocks,
        n_states: Array,
        n_classes: int,
        n_threads: int = 1,
        names: Sequence[str] = (),
    ) -> None:
        self.names = names
        self.n_states, self.n_classes = n_states, n_classes
        self._training, self._n_threads = training, n_threads

    @cached_property
    def class_counts(self) -> Array:
        """Weight of the rows of each class."""
        return self._weight_and_rows[:-1]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self._weight_and_rows[-1])

    @cached_property
    def _weight_and_rows(self) -> Array:
        return self._training.total(partial(_weigh_classes, n_classes=self.n_classes))

    def pairs(self) -> PairCounts:
        """Return the counts of all pairs of columns; they are counted once, then kept."""
        return self._pairs

    @cached_property
    def _pairs(self) -> PairCounts:
        return self._training.total(
            partial(
                _count_pairs,
                n_states=self.n_states,
                n_classes=self.n_classes,
                n_threads=self._n_threads,
            )
        )

    def family(self, child: int, parents: tuple[int, ...]) -> Array:
        """Return the counts of a column with these parents, as in `FamilyCounts`."""
        return self._training.total(
            partial(
                _count_family,
                n_states=self.n_states,
                parents=parents,
                child=child,
                n_classes=self.n_classes,
                n_threads=self._n_threads,
            )
        )

    def rows(self) -> tuple[Array, Array, Array | None]:
        """Return the codes, the classes and the weights of all rows at once."""
        blocks = [(table.codes, y, weight) for table, y, weight in self._training]
        return blocks[0] if len(blocks) == 1 else _join(blocks)

    # ---- counts for the searches of `augury.structure` --------------------------------

    def joint(self, columns: tuple[int, ...], *, with_class: bool = True) -> Array:
        """Return the counts of these columns, of shape (their states …, classes)."""
        if 0 < len(columns) <= 2 and self._is_paired[list(columns)].all():
            i, j = self._states_of(columns[0]), self._states_of(columns[-1])
            counts: Array = (self._narrow.table if with_class else self._pairs_of_all)[i, j]
            return counts if columns[1:] else np.einsum("ii...->i...", counts)
        if not columns:
            counts = self.class_counts
        else:
            *parents, child = columns
            counts = self.family(child, tuple(parents))[(slice(-1),) * len(columns)]
        return counts if with_class else np.asarray(counts.sum(axis=-1))

    def joint_with_each(
        self, columns: tuple[int, ...], candidates: Array, *, with_class: bool = True
    ) -> Iterator[tuple[Array, Array]]:
        """Yield some of the candidates and their joint counts with these columns.

        The counts have the shape (all states of the candidates, states of `columns` …,
        classes). The states of `columns` and the class of a row form one label, and all
        candidates are counted against this label in one pass.
        """
        if len(columns) <= 1 and self._is_paired[list(columns)].all():
            is_paired = self._is_paired[candidates]
            if (paired := candidates[is_paired]).size:
                yield paired, self._beside_pair(columns, paired, with_class)
            if not (candidates := candidates[~is_paired]).size:
                return
        shape = (*(self.n_states[list(columns)] + 1).tolist(), *[self.n_classes] * with_class)
        n_labels = int(np.prod(shape))
        part = np.cumsum((self.n_states[candidates] + 1) * n_labels) // _CELLS_AT_ONCE
        for some in np.split(candidates, np.flatnonzero(np.diff(part)) + 1):
            yield some, self._beside(columns, some, shape)

    def filled_with_each(
        self,
        parents: tuple[int, ...],
        own: int | None,
        candidates: Array,
        *,
        with_class: bool = True,
    ) -> Iterator[tuple[Array, FilledCells]]:
        """Yield some of the candidates, and the filled cells of the families that they enter.

        The candidate is one more parent of the column `own`; None is the class. If `with_class`
        is False, there is one class that holds all rows. Rows with unknown members are omitted.
        """
        members = (*parents, *([] if own is None else [own]))
        codes, y, weight = self._rows_of(members)
        outer = np.zeros(len(codes), dtype=np.int64)
        for at, j in enumerate(parents):
            outer *= int(self.n_states[j])
            outer += codes[:, at]
        inner = np.zeros_like(outer) if own is None else codes[:, -1].astype(np.int64)
        rows = np.lexsort((inner, outer))
        known = np.asarray((codes < self.n_states[list(members)]).all(axis=1))
        if not known.all():
            rows = rows[known[rows]]
        outer, inner = outer[rows], inner[rows]
        y = y[rows] if with_class else np.zeros(len(rows), dtype=y.dtype)
        weight = None if weight is None else weight[rows]
        step = max(1, _ROWS_AT_ONCE // max(1, len(rows)))
        for start in range(0, len(candidates), step):
            some = candidates[start : start + step]
            of_some, *_ = self._rows_of(tuple(some.tolist()))
            yield (
                some,
                FilledCells.collect(
                    of_some[rows],
                    self.n_states[some],
                    outer,
                    inner,
                    y,
                    self.n_classes if with_class else 1,
                    weight,
                    is_sorted=True,
                ),
            )

    def _rows_of(self, columns: tuple[int, ...]) -> tuple[Array, Array, Array | None]:
        """Return the codes of these columns, the classes and the weights of all rows."""
        blocks = [(table.codes[:, list(columns)], y, w) for table, y, w in self._training]
        return blocks[0] if len(blocks) == 1 else _join(blocks)

    def _beside(self, columns: tuple[int, ...], some: Array, shape: tuple[int, ...]) -> Array:
        with_class = len(shape) > len(columns)
        n_labels = int(np.prod(shape))
        # A slice of adjacent columns is not copied; counting a few columns more costs less.
        span = np.arange(some[0], some[-1] + 1)
        counted = span if (self.n_states[span] + 1).sum() * n_labels <= _CELLS_AT_ONCE else some
        require_families(
            self.n_states,
            [(*columns, j) for j in counted.tolist()],
            self.n_classes if with_class else 1,
        )
        take = slice(some[0], some[-1] + 1) if counted is span else some
        offsets = slot_offsets(self.n_states[counted])
        tables: Array = self._training.total(
            partial(
                _count_beside,
                take=take,
                columns=columns,
                n_states=self.n_states,
                n_classes=self.n_classes if with_class else 0,
                offsets=offsets,
                n_labels=n_labels,
                n_threads=self._n_threads,
            )
        )
        is_asked_for = np.zeros(len(self.n_states), dtype=bool)
        is_asked_for[some] = True
        wanted = np.repeat(is_asked_for[counted], self.n_states[counted] + 1)
        wanted[offsets[1:] - 1] = False  # the slots of rows that leave the candidate out
        states = tables[wanted].reshape(-1, *shape)
        return np.asarray(states[(slice(None), *(slice(-1),) * len(columns))])

    @cached_property
    def _is_paired(self) -> BoolArray:
        """Whether all pairs of a column with others of this kind are counted once and kept."""
        narrow = ~is_sparse((self.n_states + 1) ** 2, self.n_rows)
        n_bytes = pair_bytes(self.n_states[narrow], self.n_classes)
        # Sums over the classes, families and their scores take memory as well.
        kept = n_bytes <= 8 * _MAX_PAIR_CELLS and is_affordable(4 * n_bytes)
        return np.asarray(narrow & kept)

    @cached_property
    def _narrow(self) -> PairCounts:
        """The counts of the pairs of these columns."""
        paired = np.flatnonzero(self._is_paired)
        if len(paired) == len(self.n_states) and find_narrow(self.n_states, self.n_classes).all():
            return self._pairs
        return self._training.total(
            partial(
                _count_pairs,
                n_states=self.n_states[paired],
                n_classes=self.n_classes,
                n_threads=self._n_threads,
                columns=paired,
            )
        )

    @cached_property
    def _pairs_of_all(self) -> Array:
        return np.asarray(self._narrow.table.sum(axis=-1))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *np.cumsum(self.n_states * self._is_paired).tolist()]

    def _states_of(self, column: int) -> slice:
        return slice(self._starts[column], self._starts[column + 1])

    def _beside_pair(self, columns: tuple[int, ...], candidates: Array, with_class: bool) -> Array:
        is_candidate = np.zeros(len(self.n_states), dtype=bool)
        is_candidate[candidates] = True
        states = np.repeat(is_candidate[self._is_paired], self.n_states[self._is_paired])
        if not columns:
            features = self._narrow.features
            counts: Array = features.table[features.state_slots[states]]
            return counts if with_class else np.asarray(counts.sum(axis=-1))
        table = self._narrow.table if with_class else self._pairs_of_all
        return np.asarray(table[:, self._states_of(columns[0])][states])


# ---- counts of one block; functions without references to the training rows -----------------


def _weigh_classes(_: CategoricalTable, y: Array, weight: Array | None, n_classes: int) -> Array:
    """Return the weight of each class, and the number of rows."""
    return np.append(np.bincount(y, weight, n_classes).astype(np.float64), len(y))


def _count_pairs(
    table: CategoricalTable,
    y: Array,
    weight: Array | None,
    n_states: Array,
    n_classes: int,
    n_threads: int,
    columns: Array | None = None,
) -> PairCounts:
    """Return the counts of all pairs, or of the pairs of some columns in one dense table."""
    codes = table.codes if columns is None else table.codes[:, columns]
    return PairCounts.collect(
        codes,
        n_states,
        y,
        n_classes,
        weight,
        n_threads=n_threads,
        all_dense=columns is not None,
    )


def _count_family(
    table: CategoricalTable,
    y: Array,
    weight: Array | None,
    n_states: Array,
    parents: tuple[int, ...],
    child: int,
    n_classes: int,
    n_threads: int,
) -> Array:
    return count_family(table.codes, n_states, parents, child, y, n_classes, weight, n_threads)


def _count_beside(
    table: CategoricalTable,
    y: Array,
    weight: Array | None,
    take: slice | Array,
    columns: tuple[int, ...],
    n_states: Array,
    n_classes: int,
    offsets: Array,
    n_labels: int,
    n_threads: int,
) -> Array:
    """Count columns against one label: the states of `columns`, and the class unless 0 classes."""
    label = np.zeros(len(y), dtype=np.int32)
    for j in columns:
        label *= np.int32(n_states[j] + 1)
        label += table.codes[:, j]
    if n_classes:
        label *= np.int32(n_classes)
        label += y.astype(np.int32, copy=False)
    return count_class_values(
        table.codes[:, take], label, weight, offsets, n_labels, n_threads=n_threads
    )


def _join(
    blocks: list[tuple[Array, Array, Array | None]],
) -> tuple[Array, Array, Array | None]:
    codes, y, weights = zip(*blocks, strict=True)
    weight = None if weights[0] is None else np.concatenate(weights)
    return np.concatenate(codes), np.concatenate(y), weight


__all__ = ["TrainingCounts"]
