"""Sums over the training sets of all folds, in one pass over the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.encode import CategoricalTable, TableEncoder, TidyColumns
from augury.generative.bases.generative_classifier import AnyGenerativeClassifier
from augury.generative.bases.training_rows import ReadRows, take_read
from augury.scale.folds.fold_rows import FoldedBlock, FoldedReader
from augury.scale.folds.per_fold import PerFold
from augury.scale.folds.shared_encoding import SharedEncoding
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.rows.streamed_rows import add_present

# What reads the rows of a frame: an encoder, or a model that has another way to read.
ReadsRows = TableEncoder | AnyGenerativeClassifier


@dataclass(frozen=True, eq=False)
class SumOverRows:
    """A sum over the rows of a training set, or over those of each fold.

    Attributes
    ----------
    reads : what reads the rows
    function : function of `(read, y, weight)`
    left_out : the fold that is left out; None if the sum is over the rows of each fold
    """

    reads: ReadsRows
    function: Callable[..., Any]
    left_out: int | None


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums, and the seconds that each took; they add. A sum without rows is None."""

    values: tuple[Any, ...]
    seconds: FloatArray

    def __add__(self, other: Sums) -> Sums:
        values = tuple(map(add_present, self.values, other.values))
        return Sums(values, self.seconds + other.seconds)


@dataclass(eq=False)
class _SameColumns:
    """Sums over rows whose columns are read in the same way.

    Attributes
    ----------
    tidy : fitted TidyColumns, or None
    readers : what reads the rows, each once
    places : for each reader, the numbers of its sums
    """

    tidy: TidyColumns | None
    readers: list[ReadsRows] = field(default_factory=list)
    places: list[list[int]] = field(default_factory=list)
    encoding: SharedEncoding | None = None

    def add(self, reads: ReadsRows, place: int) -> None:
        at = next((k for k, each in enumerate(self.readers) if each is reads), None)
        if at is None:
            at = len(self.readers)
            self.readers.append(reads)
            self.places.append([])
        self.places[at].append(place)

    def read(self, X: pd.DataFrame) -> Iterator[tuple[ReadRows, list[int]]]:
        """Yield the rows as each reader reads them, and the numbers of its sums."""
        if self.tidy is not None:
            X = self.tidy.read(X)[0]
        encoders = [each for each in self.readers if isinstance(each, TableEncoder)]
        if self.encoding is None:
            self.encoding = SharedEncoding(encoders)
        tables: Iterator[CategoricalTable] = self.encoding.encode(X)
        for reads, places in zip(self.readers, self.places, strict=True):
            yield (next(tables) if isinstance(reads, TableEncoder) else reads._read(X)), places


class CountFolds:
    """Computes sums of a partition; the rows are read once for all of them.

    Parameters
    ----------
    reader : how a partition is read in the order of the folds
    """

    def __init__(self, reader: FoldedReader) -> None:
        self._reader = reader
        self._sums: list[SumOverRows] = []
        self._groups: dict[Any, _SameColumns] = {}

    def add(self, tidy_key: object, tidy: TidyColumns | None, wanted: SumOverRows) -> None:
        """Add a sum over rows that a TidyColumns reads; equal keys mean equal reading."""
        group = self._groups.setdefault(tidy_key, _SameColumns(tidy))
        group.add(wanted.reads, len(self._sums))
        self._sums.append(wanted)

    def __call__(self, part: NumberedPartition) -> Sums | None:
        """Return the sums of a partition; None if it has no rows."""
        values: list[Any] = [None] * len(self._sums)
        seconds = np.zeros(len(self._sums))
        is_empty = True
        for block in self._reader(part):
            is_empty = False
            for group in self._groups.values():
                for read, places in group.read(block.X):
                    self._count(block, read, places, values, seconds)
        return None if is_empty else Sums(tuple(values), seconds)

    def _count(
        self,
        block: FoldedBlock,
        read: ReadRows,
        places: Sequence[int],
        values: list[Any],
        seconds: FloatArray,
    ) -> None:
        """Add the sums of a block."""
        for left_out, at in _by_fold(places, self._sums).items():
            if left_out is not None:
                totals = self._sum(block, read, at, block.training_rows(left_out), seconds)
            else:
                per_fold = [
                    self._sum(block, read, at, [block.rows_of(fold)], seconds)
                    for fold in range(self._reader.folds.n_folds)
                ]
                totals = [PerFold(values) for values in zip(*per_fold, strict=True)]
            for place, total in zip(at, totals, strict=True):
                values[place] = add_present(values[place], total)

    def _sum(
        self,
        block: FoldedBlock,
        read: ReadRows,
        places: Sequence[int],
        slices: Sequence[slice],
        seconds: FloatArray,
    ) -> list[Any]:
        """Return some sums over slices of the rows of a block; None where there are no rows."""
        totals: list[Any] = [None] * len(places)
        for rows in slices:
            if rows.start == rows.stop:
                continue
            part, y = take_read(read, rows), block.y[rows]
            for k, place in enumerate(places):
                start = perf_counter()
                totals[k] = add_present(totals[k], self._sums[place].function(part, y, None))
                seconds[place] += perf_counter() - start
        return totals


def _by_fold(places: Sequence[int], sums: Sequence[SumOverRows]) -> dict[int | None, list[int]]:
    groups: dict[int | None, list[int]] = {}
    for place in places:
        groups.setdefault(sums[place].left_out, []).append(place)
    return groups


__all__ = ["CountFolds", "ReadsRows", "SumOverRows", "Sums"]
