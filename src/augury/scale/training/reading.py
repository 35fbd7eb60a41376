"""How the rows of a source are read: their classes, the states of labels and the cut points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import Array
from augury.bases.row_blocks import Block
from augury.encode import TableEncoder, TidyColumns, code_known_classes
from augury.encode.column_summaries import NumberSummary
from augury.encode.columns import read_numbers
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.rows.streamed_rows import StreamedRows
from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.column_survey import EMPTY, NUMBERS
from augury.scale.summaries.survey_encoder import columns_as_labels, learn_encoder
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey
from augury.scale.training.labelled_frames import LabelledFrames, LabelledRows

# Adds columns to the rows of a frame, given their classes and weights.
JoinColumns = Callable[[pd.DataFrame, Array, Array | None], pd.DataFrame]


@dataclass(frozen=True, eq=False)
class RowReader:
    """Reads a partition as blocks `(X, codes of the classes, weight)`, as a model gets them.

    Attributes
    ----------
    frames : how rows are read
    classes : the sorted classes
    tidy : fitted TidyColumns, or None
    join : what adds columns that are computed from the row, its class and its weight, or None
    """

    frames: LabelledFrames
    classes: Array
    tidy: TidyColumns | None
    join: JoinColumns | None = None

    def __call__(
        self, part: NumberedPartition
    ) -> Iterator[tuple[pd.DataFrame, Array, Array | None]]:
        """Yield the blocks of a partition."""
        for rows in self.frames.read(part):
            if not len(rows.y):
                continue
            codes = self.code_classes(rows)
            X = rows.X if self.tidy is None else self.tidy.transform(rows.X)
            if self.join is not None:
                X = self.join(X, codes, rows.weight)
            yield X, codes, rows.weight

    def code_classes(self, rows: LabelledRows) -> Array:
        """Return the code of the class of each row."""
        return code_known_classes(rows.place, rows.y, self.classes, len(rows.y))


@dataclass(frozen=True, eq=False)
class Reading:
    """The rows of a source, and what the first pass has learned about their columns.

    Attributes
    ----------
    engine : what computes sums over partitions
    partitions : the partitions of the source, with their numbers
    reader : how a partition is read
    survey : statistics of the columns that a model gets
    first : the first rows, as a model gets them
    class_weights : weight of the rows of each class
    bins : class × bin weights of the columns of numbers that have been counted
    """

    engine: Engine
    partitions: Sequence[NumberedPartition]
    reader: RowReader
    survey: TableSurvey
    first: pd.DataFrame
    class_weights: dict[Any, float]
    bins: dict[str, BinCounts] = field(default_factory=dict)

    @property
    def classes(self) -> Array:
        """The sorted classes."""
        return self.reader.classes

    def rows(
        self, function: Callable[..., Block], *, keep_after: int | None = None
    ) -> StreamedRows:
        """Return the blocks that a function makes of `(X, codes of the classes, weight)`."""
        read = partial(_read_blocks, reader=self.reader, function=function)
        return StreamedRows(self.engine, self.partitions, read, keep_after=keep_after)

    def learn(self, encoder: TableEncoder, extra: Sequence[str] = ()) -> TableEncoder:
        """Fit an encoder; columns of numbers named `extra` follow those of the source.

        The numbers of `extra` are not cut.
        """
        cuts = {}
        if encoder.discretizer is not None:
            names = self._numbers(encoder)
            self._count_bins(names)
            cuts = {name: self._cut_points(encoder, name) for name in names}
        added = None if encoder.discretizer is None else np.empty(0)
        summaries = {name: NumberSummary(False, 0.0, added) for name in extra}
        return learn_encoder(encoder, self.survey, cuts, summaries)

    def joined(self, join: JoinColumns, first: pd.DataFrame, surveyed: Sequence[str]) -> Reading:
        """Return how to read the rows with further columns.

        Parameters
        ----------
        join : what adds the columns
        first : the first rows with them
        surveyed : names of the new columns that are surveyed, in a pass
        """
        reader, survey = replace(self.reader, join=join), self.survey
        if surveyed:
            work = partial(survey_columns, reader=reader, names=surveyed, settings=survey.settings)
            more = self.engine.total(self.partitions, work)
            assert more is not None
            survey = survey.replaced(more)
        return replace(self, reader=reader, survey=survey, first=first)

    def _numbers(self, encoder: TableEncoder) -> list[str]:
        """Return the names of the columns that an encoder reads as numbers."""
        columns = self.survey.columns
        as_labels = columns_as_labels(encoder, list(columns), type(encoder).__name__)
        return [
            name
            for name, column in columns.items()
            if column.kind in (EMPTY, NUMBERS) and name not in as_labels
        ]

    def _cut_points(self, encoder: TableEncoder, name: str) -> Array:
        discretizer: Any = encoder.discretizer
        if isinstance(discretizer, OriginalColumnCuts):
            discretizer = "mdl"
        numbers = self.survey.columns[name].numbers
        replacement = None
        if encoder.missing == "replace" and numbers is not None:
            replacement = numbers.mean
        return self.bins[name].cut_points(discretizer, replacement)

    def _count_bins(self, names: Sequence[str]) -> None:
        """Count the classes in the bins of some columns, in one pass for all of them."""
        new = [name for name in names if name not in self.bins]
        if new:
            bins = {name: self.survey.bins(name, len(self.classes)) for name in new}
            counts = self.engine.total(
                self.partitions, partial(_count_bins, reader=self.reader, bins=bins)
            )
            assert counts is not None
            self.bins.update(counts.columns)


def survey_columns(
    part: NumberedPartition, reader: RowReader, names: Sequence[str], settings: SurveySettings
) -> TableSurvey | None:
    """Survey columns of a partition as a model gets them."""
    total, first_row = None, 0
    for X, _, weight in reader(part):
        found = TableSurvey.collect(X[list(names)], weight, part.number, first_row, settings)
        first_row += len(X)
        total = found if total is None else total + found
    return total


@dataclass(frozen=True, eq=False)
class ColumnBins:
    """Class × bin weights of several columns; they add."""

    columns: dict[str, BinCounts]

    def __add__(self, other: ColumnBins) -> ColumnBins:
        return ColumnBins(
            {name: counts + other.columns[name] for name, counts in self.columns.items()}
        )


def _read_blocks(
    part: NumberedPartition, reader: RowReader, function: Callable[..., Block]
) -> Iterator[Block]:
    return (function(*block) for block in reader(part))


def _count_bins(
    part: NumberedPartition, reader: RowReader, bins: dict[str, Bins]
) -> ColumnBins | None:
    """Count the rows of a partition, block by block into the same arrays."""
    counts: dict[str, BinCounts] = {}
    n_classes = len(reader.classes)
    for X, y, weight in reader(part):
        at = np.array([X.columns.get_loc(name) for name in bins])
        numbers = read_numbers(X, at)
        for column, name in zip(numbers.T, bins, strict=True):
            if name in counts:
                counts[name].add_rows(column, y, weight)
            else:
                counts[name] = BinCounts.collect(column, y, weight, n_classes, bins[name])
    return ColumnBins(counts) if counts else None


__all__ = ["JoinColumns", "Reading", "RowReader", "survey_columns"]
