"""The first pass over a source: classes, labels, missing values, numbers, and tidy columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from sklearn.base import clone

from augury.arrays import Array
from augury.data.errors import DataError
from augury.encode import TidyColumns, encode_target, require_two_classes
from augury.scale.rows.engine import Engine
from augury.scale.sources.source import Source
from augury.scale.summaries.column_survey import CATEGORIES, ColumnSurvey
from augury.scale.summaries.survey_encoder import summarize_labels
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.survey_tidy import tidy_from_survey
from augury.scale.summaries.table_survey import TableSurvey
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.reading import NumberedPartition, Reading, RowReader

# Rows that a model sees before the others, to learn the names and types of the columns.
_HEAD = 100
_NO_ROWS = "the source has no row with a class and a weight above zero"


@dataclass(frozen=True, eq=False)
class SurveyedRows:
    """Survey of the rows that have a class, and the number of the others; they add."""

    survey: TableSurvey
    n_unlabelled: int

    def __add__(self, other: SurveyedRows) -> SurveyedRows:
        return SurveyedRows(self.survey + other.survey, self.n_unlabelled + other.n_unlabelled)


def survey_source(
    engine: Engine,
    source: Source,
    frames: LabelledFrames,
    *,
    owner: str,
    tidy: TidyColumns | None = None,
    as_labels: frozenset[str] = frozenset(),
) -> tuple[Reading, int]:
    """Survey all columns; return how to read the rows, and the number of rows without a class.

    Parameters
    ----------
    engine : what computes sums over partitions
    source : Source
    frames : how rows are read
    owner : class that is named in errors
    tidy : TidyColumns that decides about the columns, or None
    as_labels : names of columns of numbers that a model reads as labels
    """
    parts = list(enumerate(source.partitions))
    found = survey_parts(engine, parts, source, frames, as_labels)
    if found is None:
        raise DataError(f"{source.name}: {_NO_ROWS}")
    survey = found.survey
    if frames.weight is not None and float(survey.weight) <= 1.0:
        raise ValueError(
            f"{owner}: the weights in column {frames.weight!r} must be numbers of rows, got a sum "
            f"of {float(survey.weight):g}: multiply them by a constant"
        )
    if tidy is None:
        return read_from_survey(engine, parts, frames, survey, owner), found.n_unlabelled
    classes = _classes(owner, survey.columns[frames.target])
    decided = tidy_from_survey(clone(tidy), survey.select(list(frames.columns)))
    reader, tidied = RowReader(frames, classes, decided.tidy), decided.survey
    if decided.again:
        again = partial(_survey_tidy, reader=reader, names=decided.again, settings=survey.settings)
        more = engine.total(parts, again)
        assert more is not None
        tidied = tidied.replaced(more)
    first = _first_rows(engine, parts, reader)
    weights = _class_weights(survey, frames)
    return Reading(engine, parts, reader, tidied, first, weights), found.n_unlabelled


def survey_parts(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    source: Source,
    frames: LabelledFrames,
    as_labels: frozenset[str],
) -> SurveyedRows | None:
    """Survey some partitions of a source; None if they have no row with a class."""
    settings = SurveySettings(as_labels=as_labels | {frames.target})
    settings = settings.for_rows(source.n_rows or 0, len(frames.columns))
    return engine.total(parts, partial(_survey_part, frames=frames, settings=settings))


def read_from_survey(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    frames: LabelledFrames,
    survey: TableSurvey,
    owner: str,
) -> Reading:
    """Return how to read rows whose columns stay as they are."""
    classes = _classes(owner, survey.columns[frames.target])
    reader = RowReader(frames, classes, None)
    first = _first_rows(engine, parts, reader)
    selected, weights = survey.select(list(frames.columns)), _class_weights(survey, frames)
    return Reading(engine, parts, reader, selected, first, weights)


def _survey_part(
    part: NumberedPartition, frames: LabelledFrames, settings: SurveySettings
) -> SurveyedRows | None:
    """Survey a partition; columns that have too many numbers are not searched again."""
    total: SurveyedRows | None = None
    for rows in frames.read(part):
        columns = rows.X.assign(**{frames.target: rows.y})
        survey = TableSurvey.collect(
            columns,
            rows.weight,
            rows.partition,
            rows.first_row,
            settings,
            frozenset() if total is None else total.survey.too_many,
        )
        found = SurveyedRows(survey, rows.n_unlabelled)
        total = found if total is None else total + found
    return None if total is None or not total.survey.n_rows else total


def _survey_tidy(
    part: NumberedPartition, reader: RowReader, names: Sequence[str], settings: SurveySettings
) -> TableSurvey | None:
    """Survey columns that have become numbers or dates."""
    total, first_row = None, 0
    for X, _, weight in reader(part):
        found = TableSurvey.collect(X[list(names)], weight, part[0], first_row, settings)
        first_row += len(X)
        total = found if total is None else total + found
    return total


def _first_rows(
    engine: Engine, parts: Sequence[NumberedPartition], reader: RowReader
) -> pd.DataFrame:
    """Return some rows as a model gets them, read where the partitions lie."""
    heads = (engine.total([part], partial(_head, reader=reader)) for part in parts)
    return next(head for head in heads if head is not None)


def _head(part: NumberedPartition, reader: RowReader) -> pd.DataFrame | None:
    return next((X.iloc[:_HEAD] for X, _, _ in reader(part)), None)


def _class_weights(survey: TableSurvey, frames: LabelledFrames) -> dict[Any, float]:
    """Return the weight of the rows of each class."""
    return dict(summarize_labels(survey.columns[frames.target]).weights)


def _classes(owner: str, target: ColumnSurvey) -> Array:
    """Return the sorted classes, declared ones without rows included."""
    labels = list(summarize_labels(target).weights)
    if target.kind == CATEGORIES:
        y = pd.Categorical.from_codes(range(len(labels)), categories=labels)
    else:
        y = pd.Series(labels)
    classes, _ = encode_target(owner, y)
    require_two_classes(owner, classes)
    return classes


__all__ = ["survey_source"]
