"""The fold of each row of a source, and the rows of partitions in the order of their folds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import pandas as pd

from augury.arrays import Array, IntegerArray
from augury.encode import code_known_classes
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.summaries.hashes import hash_rows
from augury.scale.training.labelled_frames import LabelledFrames, LabelledRows


@dataclass(frozen=True)
class FoldNumbers:
    """Folds by a hash of the number of a row in its source and of a seed.

    The fold is splitmix64(splitmix64(seed) + 0x9E3779B97F4A7C15 · row) modulo the number of
    folds. It does not depend on partitions, threads or workers.

    Attributes
    ----------
    n_folds : number of folds
    random_state : seed, an integer >= 0
    starts : number of the first row of each partition, from 0 for the first row of the source

    Examples
    --------
    >>> folds = FoldNumbers(10, 0, (0, 4))
    >>> folds.of_rows(0, 0, 4), folds.of_rows(1, 0, 2)  # rows 0 to 3, and 4 and 5
    (array([5, 4, 1, 8]), array([3, 3]))
    """

    n_folds: int
    random_state: int
    starts: tuple[int, ...]

    def of_rows(self, partition: int, first_row: int, n_rows: int) -> IntegerArray:
        """Return the folds of adjacent rows, given the first one's number in its partition."""
        hashes = hash_rows(self.random_state, self.starts[partition] + first_row, n_rows)
        return (hashes % np.uint64(self.n_folds)).astype(np.intp)

    def of(self, rows: LabelledRows) -> IntegerArray:
        """Return the folds of the rows of a block that have a class."""
        n_rows = len(rows.y) if rows.kept is None else len(rows.kept)
        folds = self.of_rows(rows.partition, rows.first_row, n_rows)
        return folds if rows.kept is None else folds[rows.kept]


@dataclass(frozen=True)
class TrainingFrames(LabelledFrames):
    """How the rows of all folds but one are read from partitions."""

    folds: FoldNumbers = field(kw_only=True)
    left_out: int = field(kw_only=True)

    def read(self, part: NumberedPartition) -> Iterator[LabelledRows]:
        """Yield the rows of a partition."""
        for rows in super().read(part):
            yield rows.take(self.folds.of(rows) != self.left_out)


@dataclass(frozen=True, eq=False)
class FoldedBlock:
    """Rows of a partition in the order of their folds.

    Attributes
    ----------
    X : the columns as they are in the source
    y : classes, or their codes
    ends : the rows of fold k are those from ends[k] to ends[k + 1]
    """

    X: pd.DataFrame
    y: Array
    ends: IntegerArray

    def rows_of(self, fold: int) -> slice:
        """Return the place of the rows of a fold."""
        return slice(int(self.ends[fold]), int(self.ends[fold + 1]))

    def training_rows(self, fold: int) -> list[slice]:
        """Return the places of the rows of all other folds, without empty ones."""
        places = (slice(0, int(self.ends[fold])), slice(int(self.ends[fold + 1]), len(self.y)))
        return [place for place in places if place.start < place.stop]


@dataclass(frozen=True, eq=False)
class FoldedReader:
    """Reads a partition as blocks whose rows are in the order of their folds.

    Attributes
    ----------
    frames : how rows are read
    folds : the fold of each row
    classes : the sorted classes
    """

    frames: LabelledFrames
    folds: FoldNumbers
    classes: Array

    def __call__(self, part: NumberedPartition) -> Iterator[FoldedBlock]:
        """Yield the blocks of a partition; `y` holds the codes of the classes."""
        for rows in self.frames.read(part):
            if len(rows.y):
                block = in_order_of_folds(rows, self.folds)
                codes = code_known_classes(rows.place, block.y, self.classes, len(block.y))
                yield FoldedBlock(block.X, codes, block.ends)


def in_order_of_folds(rows: LabelledRows, folds: FoldNumbers) -> FoldedBlock:
    """Return the rows of a block in the order of their folds; the order in a fold is kept."""
    fold = folds.of(rows)
    order = np.argsort(fold.astype(np.uint16), kind="stable")  # radix sort
    ends = np.concatenate([[0], np.cumsum(np.bincount(fold, minlength=folds.n_folds))])
    y = rows.y.iloc[order].reset_index(drop=True)
    return FoldedBlock(rows.X.iloc[order].reset_index(drop=True), y, ends)


def first_rows(
    engine: Engine, parts: Sequence[NumberedPartition], frames: LabelledFrames
) -> tuple[int, ...]:
    """Return the number of the first row of each partition.

    The target of all rows is read if a partition does not know its number of rows.
    """
    sizes = [part.partition.n_rows for part in parts]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        counted = engine.total(parts, _CountRows(frames.target, len(parts)))
        known = [0] * len(parts) if counted is None else counted.tolist()
    return tuple(accumulate(known[:-1], initial=0))


@dataclass(frozen=True)
class _CountRows:
    """Counts the rows of a partition: an array with a place for each partition."""

    column: str
    n_partitions: int

    def __call__(self, part: NumberedPartition) -> IntegerArray:
        n_rows = np.zeros(self.n_partitions, dtype=np.int64)
        n_rows[part.number] = sum(map(len, part.partition.frames([self.column])))
        return n_rows


__all__ = [
    "FoldNumbers",
    "FoldedBlock",
    "FoldedReader",
    "TrainingFrames",
    "first_rows",
    "in_order_of_folds",
]
