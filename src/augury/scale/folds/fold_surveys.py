"""Surveys of the rows of each fold: the first pass, and columns that are surveyed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import pandas as pd

from augury.encode import TidyColumns
from augury.scale.folds.fold_rows import (
    FoldedBlock,
    FoldedReader,
    FoldNumbers,
    in_order_of_folds,
)
from augury.scale.folds.per_fold import PerFold
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.table_survey import TableSurvey
from augury.scale.training.first_pass import HEAD
from augury.scale.training.labelled_frames import LabelledFrames


@dataclass(frozen=True, eq=False)
class FoldSurvey:
    """Survey of the rows of a fold; they add.

    Attributes
    ----------
    survey : statistics of the columns and of the target
    X, y : the first rows
    """

    survey: TableSurvey
    X: pd.DataFrame
    y: pd.Series

    def __add__(self, other: FoldSurvey) -> FoldSurvey:
        return FoldSurvey(self.survey + other.survey, self.X, self.y)


@dataclass(frozen=True, eq=False)
class SurveyedFolds:
    """Surveys of all folds, and the number of rows without a class; they add."""

    folds: PerFold[FoldSurvey]
    n_unlabelled: int

    def __add__(self, other: SurveyedFolds) -> SurveyedFolds:
        return SurveyedFolds(self.folds + other.folds, self.n_unlabelled + other.n_unlabelled)


@dataclass(frozen=True, eq=False)
class ColumnsAgain:
    """Columns that are surveyed again as a training set reads them.

    Attributes
    ----------
    tidy : fitted TidyColumns of the training set
    names : names of the columns
    """

    tidy: TidyColumns
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class SurveysAgain:
    """Surveys of each fold as some training sets read its columns; they add."""

    surveys: Mapping[int, PerFold[TableSurvey]]

    def __add__(self, other: SurveysAgain) -> SurveysAgain:
        return SurveysAgain({k: found + other.surveys[k] for k, found in self.surveys.items()})


def survey_folds(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    frames: LabelledFrames,
    folds: FoldNumbers,
    settings: SurveySettings,
) -> SurveyedFolds | None:
    """Survey the rows of each fold in one pass; None if there are no partitions."""
    work = partial(_survey_part, frames=frames, folds=folds, settings=settings)
    return engine.total(parts, work)


def survey_again(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    reader: FoldedReader,
    settings: SurveySettings,
    again: Mapping[int, ColumnsAgain],
) -> Mapping[int, PerFold[TableSurvey]]:
    """Survey columns again, in one pass for all training sets; the keys are those of `again`."""
    work = partial(_survey_part_again, reader=reader, settings=settings, again=again)
    found = engine.total(parts, work)
    assert found is not None  # the first pass has found rows
    return found.surveys


@dataclass(eq=False)
class _PartSurveys:
    """Surveys of the folds of a partition, to which blocks are added.

    A row is sampled by a hash of its partition, its fold and its number among the rows of both.
    """

    part: NumberedPartition
    n_folds: int
    settings: SurveySettings
    totals: dict[int, TableSurvey] = field(default_factory=dict)

    def add(self, fold: int, frame: pd.DataFrame) -> None:
        before = self.totals.get(fold)
        found = TableSurvey.collect(
            frame,
            None,
            self.part.number * self.n_folds + fold,
            0 if before is None else before.n_rows,
            self.settings,
            # Columns that have too many numbers are not searched again.
            frozenset() if before is None else before.too_many,
        )
        self.totals[fold] = found if before is None else before + found

    def result(self) -> PerFold[TableSurvey]:
        return PerFold(tuple(self.totals.get(fold) for fold in range(self.n_folds)))


def _survey_part(
    part: NumberedPartition, frames: LabelledFrames, folds: FoldNumbers, settings: SurveySettings
) -> SurveyedFolds:
    surveys = _PartSurveys(part, folds.n_folds, settings)
    heads: dict[int, tuple[pd.DataFrame, pd.Series]] = {}
    n_unlabelled = 0
    for rows in frames.read(part):
        n_unlabelled += rows.n_unlabelled
        if not len(rows.y):
            continue
        block = in_order_of_folds(rows, folds)
        for fold, at in _filled_folds(block):
            X, y = block.X[at], block.y[at]
            surveys.add(fold, X.assign(**{frames.target: y}))
            heads.setdefault(fold, (X[:HEAD].copy(), y[:HEAD].copy()))
    found = (
        None if survey is None else FoldSurvey(survey, *heads[fold])
        for fold, survey in enumerate(surveys.result().values)
    )
    return SurveyedFolds(PerFold(tuple(found)), n_unlabelled)


def _survey_part_again(
    part: NumberedPartition,
    reader: FoldedReader,
    settings: SurveySettings,
    again: Mapping[int, ColumnsAgain],
) -> SurveysAgain:
    surveys = {key: _PartSurveys(part, reader.folds.n_folds, settings) for key in again}
    for block in reader(part):
        for key, wanted in again.items():
            X = wanted.tidy.read(block.X)[0][list(wanted.names)]
            for fold, at in _filled_folds(block):
                surveys[key].add(fold, X[at])
    return SurveysAgain({key: found.result() for key, found in surveys.items()})


def _filled_folds(block: FoldedBlock) -> Iterator[tuple[int, slice]]:
    """Yield the folds that have rows in a block, and their places."""
    for fold in range(len(block.ends) - 1):
        at = block.rows_of(fold)
        if at.start < at.stop:
            yield fold, at


__all__ = ["ColumnsAgain", "FoldSurvey", "SurveyedFolds", "survey_again", "survey_folds"]
