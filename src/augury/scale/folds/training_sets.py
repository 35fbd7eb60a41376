"""What a survey of the folds tells about each training set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd
from sklearn.base import clone

from augury.arrays import Array, IntegerArray
from augury.data.errors import DataError
from augury.encode import TidyColumns, code_known_classes
from augury.scale.folds.fold_rows import FoldedReader, FoldNumbers, TrainingFrames
from augury.scale.folds.fold_surveys import (
    ColumnsAgain,
    FoldSurvey,
    SurveyedFolds,
    survey_again,
)
from augury.scale.folds.per_fold import PerFold
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition
from augury.scale.rows.streamed_rows import NO_ROWS
from augury.scale.sources.source import Source
from augury.scale.summaries.survey_encoder import summarize_labels
from augury.scale.summaries.survey_tidy import TidySurvey, tidy_from_survey
from augury.scale.summaries.table_survey import TableSurvey
from augury.scale.training.first_pass import find_classes
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.reading import JoinColumns, Reading, RowReader, survey_columns
from augury.scale.training.unread_values import warn_of_unread


@dataclass(frozen=True, eq=False)
class TrainingReading(Reading):
    """The rows of a training set, and what the survey of the folds has taught about them."""

    def joined(self, join: JoinColumns, first: pd.DataFrame, surveyed: Sequence[str]) -> Reading:
        """Return how to read the rows with further columns, see `Reading.joined`.

        All columns are surveyed again, since the survey of the folds has sampled other rows.
        """
        together = super().joined(join, first, ())
        if not surveyed:
            return together
        names = [*self.survey.columns, *surveyed]
        work = partial(
            survey_columns, reader=together.reader, names=names, settings=self.survey.settings
        )
        survey = self.engine.total(self.partitions, work)
        assert survey is not None
        return replace(together, survey=survey)


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The rows of all folds but one, and what their survey has taught.

    Attributes
    ----------
    fold : number of the fold that is left out
    reading : how the rows are read, and statistics of their columns
    first_codes : codes of the classes of `reading.first`
    n_rows, n_test : numbers of rows of the training set, and of the fold
    """

    fold: int
    reading: Reading
    first_codes: IntegerArray
    n_rows: int
    n_test: int

    @property
    def tidy(self) -> TidyColumns | None:
        """The fitted TidyColumns; None if the columns stay as they are."""
        return self.reading.reader.tidy

    @property
    def tidy_key(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """What decides how the columns are read; the reasons for it do not matter."""
        if self.tidy is None:
            return None
        treatments = tuple(each.treatment for each in self.tidy.decisions_)
        return treatments, tuple(self.tidy.formats_)


@dataclass(frozen=True, eq=False)
class FoldedTable:
    """The rows of a source, in folds.

    Attributes
    ----------
    engine : what computes sums over partitions
    parts : the partitions of the source
    reader : how partitions are read in the order of the folds
    training_sets : the training set of each fold
    survey : statistics of the columns and the target of each fold, as they are in the source
    n_unlabelled : number of rows without a class
    tidy : TidyColumns that is fitted to all rows, or None
    class_weights : number of rows of each class
    """

    engine: Engine
    parts: Sequence[NumberedPartition]
    reader: FoldedReader
    training_sets: Sequence[TrainingSet]
    survey: PerFold[TableSurvey]
    n_unlabelled: int
    tidy: TidyColumns | None
    class_weights: Mapping[object, float]

    @property
    def classes(self) -> Array:
        """The sorted classes of all rows."""
        return self.reader.classes


def learn_training_sets(
    engine: Engine,
    source: Source,
    parts: Sequence[NumberedPartition],
    frames: LabelledFrames,
    folds: FoldNumbers,
    surveyed: SurveyedFolds | None,
    tidy: TidyColumns | None,
) -> FoldedTable:
    """Decide about the columns of each training set from the survey of its own rows.

    The classes are those of all rows: they are declared, as in a cross-validation in memory.
    """
    found = _require_rows(source, surveyed)
    raw = PerFold(tuple(each.survey for each in found))
    everything = raw.total()
    assert everything is not None
    assert surveyed is not None
    owner = "augury.scale.cross_validate"
    classes = find_classes(owner, everything.columns[frames.target], frozenset())
    reader = FoldedReader(frames, folds, classes)
    columns = list(frames.columns)
    surveys = [each.select(columns) for each in raw.of_training_sets() if each is not None]
    surveys.append(everything.select(columns))
    tidies: list[TidyColumns | None] = [None] * len(surveys)
    if tidy is not None:
        decided = [tidy_from_survey(clone(tidy), survey) for survey in surveys]
        surveys = _completed(engine, parts, reader, decided)
        tidies = [each.tidy for each in decided]
        warn_of_unread(decided[-1].tidy, everything.select(columns), surveys[-1])
    class_weights = dict(summarize_labels(everything.columns[frames.target]).weights)
    sets = []
    for fold in range(folds.n_folds):
        head = found[1 if fold == 0 else 0]
        reading = TrainingReading(
            engine,
            parts,
            RowReader(
                TrainingFrames(
                    frames.columns, frames.target, None, frames.strict, folds=folds, left_out=fold
                ),
                classes,
                tidies[fold],
            ),
            surveys[fold],
            _tidied(head.X, tidies[fold]),
            class_weights,
        )
        codes = code_known_classes(owner, head.y, classes, len(head.y))
        n_test = found[fold].survey.n_rows
        sets.append(TrainingSet(fold, reading, codes, everything.n_rows - n_test, n_test))
    return FoldedTable(
        engine, parts, reader, sets, raw, surveyed.n_unlabelled, tidies[-1], class_weights
    )


def _require_rows(source: Source, surveyed: SurveyedFolds | None) -> list[FoldSurvey]:
    """Return the surveys of the folds; raise unless each fold has rows."""
    values = () if surveyed is None else surveyed.folds.values
    found = [each for each in values if each is not None]
    if not found:
        raise DataError(f"{source.name}: {NO_ROWS}")
    if len(found) < len(values):
        n_rows = sum(each.survey.n_rows for each in found)
        raise DataError(
            f"{source.name}: {len(values) - len(found)} of {len(values)} folds have no rows, since "
            f"there are {n_rows} rows with a class; choose fewer folds"
        )
    return found


def _completed(
    engine: Engine,
    parts: Sequence[NumberedPartition],
    reader: FoldedReader,
    decided: Sequence[TidySurvey],
) -> list[TableSurvey]:
    """Survey the columns that were not all known as texts; return the surveys as read."""
    surveys = [each.survey for each in decided]
    wanted = {
        key: ColumnsAgain(each.tidy, each.again) for key, each in enumerate(decided) if each.again
    }
    if wanted:
        again = survey_again(engine, parts, reader, surveys[0].settings, wanted)
        for key, per_fold in again.items():
            is_all = key == len(decided) - 1
            more = per_fold.total() if is_all else per_fold.of_training_sets()[key]
            assert more is not None
            surveys[key] = surveys[key].replaced(more)
    return surveys


def _tidied(X: pd.DataFrame, tidy: TidyColumns | None) -> pd.DataFrame:
    return X if tidy is None else tidy.read(X)[0]


__all__ = ["FoldedTable", "TrainingSet", "learn_training_sets"]
