"""The first pass over a source: classes, labels, missing values, numbers, and tidy columns."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from sklearn.base import clone

from augury.arrays import Array
from augury.data.errors import DataError
from augury.encode import TidyColumns, encode_target, require_two_classes
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition, number_partitions
from augury.scale.rows.streamed_rows import NO_ROWS, StreamedRows, add_present
from augury.scale.sources.source import Source
from augury.scale.summaries.column_survey import CATEGORIES, ColumnSurvey
from augury.scale.summaries.survey_encoder import summarize_labels
from augury.scale.summaries.survey_settings import SurveySettings
from augury.scale.summaries.survey_tidy import tidy_from_survey
from augury.scale.summaries.table_survey import TableSurvey
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.reading import Reading, RowReader, survey_columns
from augury.scale.training.unread_values import warn_of_unread

# Rows that a model sees before the others, to learn the names and types of the columns.
HEAD = 100


@dataclass(frozen=True, eq=False)
class SurveyedRows:
    """Survey of the rows that have a class and a weight, and what the others tell; they add.

    Attributes
    ----------
    survey : None if there are no rows
    n_unlabelled : number of rows without a class
    weightless : classes of the rows of weight zero
    """

    survey: TableSurvey | None
    n_unlabelled: int
    weightless: frozenset[Hashable]

    def __add__(self, other: SurveyedRows) -> SurveyedRows:
        return SurveyedRows(
            add_present(self.survey, other.survey),
            self.n_unlabelled + other.n_unlabelled,
            self.weightless | other.weightless,
        )


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
    parts = number_partitions(source.partitions)
    found = survey_parts(engine, parts, source, frames, as_labels)
    if found is None or found.survey is None:
        raise DataError(f"{source.name}: {NO_ROWS}")
    survey = found.survey
    require_numbers_of_rows(owner, frames, float(survey.weight))
    if tidy is None:
        return read_from_survey(engine, parts, frames, found, owner), found.n_unlabelled
    classes = find_classes(owner, survey.columns[frames.target], found.weightless)
    decided = tidy_from_survey(clone(tidy), survey.select(list(frames.columns)))
    reader, tidied = RowReader(frames, classes, decided.tidy), decided.survey
    if decided.again:
        again = partial(
            survey_columns, reader=reader, names=decided.again, settings=survey.settings
        )
        more = engine.total(parts, again)
        assert more is not None
        tidied = tidied.replaced(more)
    warn_of_unread(decided.tidy, survey, tidied)
    first = StreamedRows(engine, parts, reader).first(_head)
    weights = _class_weights(survey, frames)
    return Reading(engine, parts, reader, tidied, first, weights), found.n_unlabelled


def survey_parts(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    source: Source,
    frames: LabelledFrames,
    as_labels: frozenset[str],
) -> SurveyedRows | None:
    """Survey some partitions of a source; None if they are empty."""
    settings = SurveySettings(as_labels=as_labels | {frames.target})
    settings = settings.for_rows(source.n_rows or 0, len(frames.columns))
    return engine.total(parts, partial(_survey_part, frames=frames, settings=settings))


def read_from_survey(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    frames: LabelledFrames,
    surveyed: SurveyedRows,
    owner: str,
) -> Reading:
    """Return how to read rows whose columns stay as they are."""
    survey = surveyed.survey
    assert survey is not None
    classes = find_classes(owner, survey.columns[frames.target], surveyed.weightless)
    reader = RowReader(frames, classes, None)
    first = StreamedRows(engine, parts, reader).first(_head)
    selected, weights = survey.select(list(frames.columns)), _class_weights(survey, frames)
    return Reading(engine, parts, reader, selected, first, weights)


def require_numbers_of_rows(owner: str, frames: LabelledFrames, total: float) -> None:
    """Raise if the weights of all rows sum to a share of one row."""
    if frames.weight is not None and total <= 1.0:
        raise ValueError(
            f"{owner}: the weights in column {frames.weight!r} must be numbers of rows, got a sum "
            f"of {total:g}: multiply them by a constant"
        )


def _survey_part(
    part: NumberedPartition, frames: LabelledFrames, settings: SurveySettings
) -> SurveyedRows | None:
    """Survey a partition; columns that have too many numbers are not searched again."""
    total: SurveyedRows | None = None
    too_many, n_rows = frozenset[str](), 0
    for rows in frames.read(part):
        survey = None
        if len(rows.y):
            columns = rows.X.assign(**{frames.target: rows.y})
            # Rows are numbered without those that are left out, as in `survey_columns`.
            survey = TableSurvey.collect(
                columns, rows.weight, rows.partition, n_rows, settings, too_many
            )
            n_rows += len(rows.y)
        found = SurveyedRows(survey, rows.n_unlabelled, rows.weightless)
        total = found if total is None else total + found
        if total.survey is not None:
            too_many = total.survey.too_many
    return total


def _head(X: pd.DataFrame, *_: Array | None) -> pd.DataFrame:
    return X.iloc[:HEAD]


def _class_weights(survey: TableSurvey, frames: LabelledFrames) -> dict[Any, float]:
    """Return the weight of the rows of each class."""
    return dict(summarize_labels(survey.columns[frames.target]).weights)


def class_labels(target: ColumnSurvey, weightless: frozenset[Hashable]) -> list[Hashable]:
    """Return the classes in the order in which they are found."""
    return list(dict.fromkeys([*summarize_labels(target).weights, *weightless]))


def find_classes(owner: str, target: ColumnSurvey, weightless: frozenset[Hashable]) -> Array:
    """Return the sorted classes, declared ones and those of rows of weight zero included."""
    labels = class_labels(target, weightless)
    if target.kind == CATEGORIES:
        y = pd.Categorical.from_codes(range(len(labels)), categories=labels)
    else:
        y = pd.Series(labels)
    classes, _ = encode_target(owner, y)
    require_two_classes(owner, classes)
    return classes


__all__ = [
    "HEAD",
    "class_labels",
    "find_classes",
    "read_from_survey",
    "require_numbers_of_rows",
    "survey_parts",
    "survey_source",
]
