"""Counts of labels in one pass, when the first partition has all labels.

The states of labels follow from the labels that occur. So if every later value is a state that the
first partition has shown, the first partition has taught all that the first pass over the source
would teach, and this pass is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.encode import CategoricalTable, TableEncoder
from augury.generative.bases.event_model import EventModel
from augury.generative.bases.generative_classifier import (
    AnyGenerativeClassifier,
    GenerativeClassifier,
)
from augury.generative.naive_bayes import NaiveBayes
from augury.scale.rows.engine import Engine
from augury.scale.rows.numbered_partition import NumberedPartition, number_partitions
from augury.scale.rows.partition_errors import ExpectedError
from augury.scale.rows.streamed_rows import add_present
from augury.scale.sources.source import Source
from augury.scale.summaries.column_survey import BOOLEANS, LABELS, NUMBERS
from augury.scale.training.first_pass import (
    class_labels,
    read_from_survey,
    require_numbers_of_rows,
    survey_parts,
)
from augury.scale.training.labelled_frames import LabelledFrames
from augury.scale.training.reading import Reading, RowReader

# With fewer partitions the first one is a large part of the rows.
_MIN_PARTITIONS = 3


class UnknownLabelError(ExpectedError):
    """A partition has a label, or a missing value, that the first partition does not have."""


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Statistics of rows, weights of classes, and numbers of rows with and without a class.

    The statistics are None if there are no rows.
    """

    statistics: Any
    class_weights: Array
    n_rows: int
    n_unlabelled: int

    def __add__(self, other: CountedRows) -> CountedRows:
        return CountedRows(
            add_present(self.statistics, other.statistics),
            self.class_weights + other.class_weights,
            self.n_rows + other.n_rows,
            self.n_unlabelled + other.n_unlabelled,
        )


def fit_in_one_pass(
    model: Any,
    engine: Engine,
    source: Source,
    frames: LabelledFrames,
    as_labels: frozenset[str],
) -> CountedRows | None:
    """Fit a model of labels in one pass; return None, and leave the model, if that cannot be done.

    The model must need one pass, and states that follow from the labels alone: no numbers are
    cut, no missing value is replaced, no infrequent labels are grouped, and no labels are declared.
    """
    if not _needs_one_pass(model) or len(source.partitions) < _MIN_PARTITIONS:
        return None
    parts = number_partitions(source.partitions)
    found = survey_parts(engine, parts[:1], source, frames, as_labels)
    if found is None or found.survey is None:
        return None
    target = found.survey.columns[frames.target]
    if target.kind not in (LABELS, NUMBERS):
        return None
    if len(class_labels(target, found.weightless)) < 2:  # rows that are sorted by class
        return None
    reading = read_from_survey(engine, parts, frames, found, type(model).__name__)
    if not _follows_from_labels(reading, model._make_encoder(), as_labels):
        return None
    model._prepare_stream(reading.learn, reading.first, reading.classes)
    work = partial(_count_part, frames=frames, reader=reading.reader, model=model)
    try:
        counted = engine.total(parts, work)
    except UnknownLabelError:
        return None
    assert counted is not None  # the first partition has rows
    require_numbers_of_rows(type(model).__name__, frames, float(counted.class_weights.sum()))
    model._adopt(counted.statistics)
    return counted


def _needs_one_pass(model: Any) -> bool:
    """Return whether a model counts the rows without a look at them before."""
    if not isinstance(model, GenerativeClassifier) or isinstance(model, EventModel):
        return False
    learns_nothing = type(model)._learn_structure is GenerativeClassifier._learn_structure
    return learns_nothing or (isinstance(model, NaiveBayes) and model.continuous != "interval")


def _follows_from_labels(
    reading: Reading, encoder: TableEncoder, as_labels: frozenset[str]
) -> bool:
    """Return whether the states that an encoder learns follow from the labels that occur."""
    if not isinstance(encoder, TableEncoder) or encoder.missing != "state":
        return False
    for name, column in reading.survey.columns.items():
        is_read_as_labels = column.kind in (LABELS, BOOLEANS) or (
            column.kind == NUMBERS and name in as_labels
        )
        if not is_read_as_labels or column.labels is None or not column.labels.is_exact:
            return False
        if encoder._grouping.needs_weights(column.labels.n_labels):
            return False
    return True


def _count_part(
    part: NumberedPartition,
    frames: LabelledFrames,
    reader: RowReader,
    model: AnyGenerativeClassifier,
) -> CountedRows | None:
    """Count the rows of a partition; raise if it has a label that the first does not have."""
    total: CountedRows | None = None
    known = set(reader.classes.tolist())
    for rows in frames.read(part):
        if not {*rows.y.unique().tolist(), *rows.weightless} <= known:
            raise UnknownLabelError(rows.place)
        counts: Any = None
        weights: Array = np.zeros(len(reader.classes))
        if len(rows.y):
            codes = reader.code_classes(rows)
            table = model._read(rows.X)
            if not isinstance(table, CategoricalTable) or table.leaves_out():
                raise UnknownLabelError(rows.place)
            counts = model._collect(table, codes, rows.weight)
            weights = np.bincount(codes, rows.weight, minlength=len(reader.classes))
        found = CountedRows(counts, weights, len(rows.y), rows.n_unlabelled)
        total = found if total is None else total + found
    return total


__all__ = ["CountedRows", "fit_in_one_pass"]
