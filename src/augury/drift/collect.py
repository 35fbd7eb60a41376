"""Collect the statistics of training rows, from a frame or from a table that is read in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from augury.arrays import IntegerArray
from augury.data.errors import DataError
from augury.drift.column_states import ColumnStates, ordered_labels
from augury.drift.column_tally import ColumnTally, buckets_of
from augury.drift.column_values import (
    ColumnReading,
    ColumnValues,
    choose_readings,
    label_codes,
    read_values,
)
from augury.drift.density import StateCounts, log_evidence
from augury.drift.frame_sample import FrameSample
from augury.drift.reference import DROPPED, LABELS, N_GROUPS, ColumnReference, Reference
from augury.encode.columns import column_names
from augury.foreign import Labels, Table
from augury.validation import check_threads, is_frame, is_pandas

if TYPE_CHECKING:
    from augury.scale.rows.numbered_partition import NumberedPartition
    from augury.scale.rows.progress import Progress
    from augury.scale.training.labelled_frames import LabelledFrames

RARE_LEVEL = 0.001
_LEVELS = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
# Bounds of the size: sampled rows and cells, cells of states × classes, and labels.
_MAX_ROWS, _MAX_CELLS = 50_000, 1 << 24
_MAX_STATE_CELLS, _MIN_BINS, _MAX_BINS = 1 << 16, 4, 16
_MAX_LABELS, _MIN_LABELS, _ALL_LABELS = 500, 16, 1 << 14
# Fewest rows of an interval.
_ROWS_OF_BIN = 5

_TARGET = ColumnReading("", LABELS, "")


@dataclass(frozen=True, eq=False)
class TrainingTally:
    """Counts of all training rows, and a sample of them; tallies add.

    Attributes
    ----------
    columns : tally of each column that is read
    target : tally of the classes
    sample : sampled rows; the last column has the classes
    """

    columns: Mapping[str, ColumnTally]
    target: ColumnTally
    sample: FrameSample

    @classmethod
    def collect(
        cls,
        X: pd.DataFrame,
        y: pd.Series,
        readings: Sequence[ColumnReading],
        place: tuple[int, int] = (0, 0),
    ) -> TrainingTally:
        """Count rows; `place` is the number of their partition and of the first row in it."""
        columns = {
            each.name: ColumnTally.collect(read_values(column, each))
            for (_, column), each in zip(X.items(), readings, strict=True)
            if each.treatment != DROPPED
        }
        max_rows = min(_MAX_ROWS, max(1000, _MAX_CELLS // len(readings)))
        # Columns are found by position: a column may have the name of the target.
        rows = pd.concat([X.reset_index(drop=True), y.reset_index(drop=True)], axis=1)
        sample = FrameSample.choose(rows, *place, max_rows)
        return cls(columns, ColumnTally.collect(read_values(y, _TARGET)), sample)

    def __add__(self, other: TrainingTally) -> TrainingTally:
        columns = {name: tally + other.columns[name] for name, tally in self.columns.items()}
        return TrainingTally(columns, self.target + other.target, self.sample + other.sample)


def collect_reference(model: Any, X: Table, y: Labels, *, target: str | None = None) -> Reference:
    """Return the statistics of training rows that `check_drift` compares new rows with.

    Parameters
    ----------
    model : the fitted model
        If it is a Pipeline that begins with `TidyColumns`, columns are read as this step reads
        them. Nothing else of the model is used.
    X : the table that it was fitted to
    y : the classes
    target : name of the column of the classes, to compare the classes of new tables

    Notes
    -----
    The size does not grow with the rows: at most 50,000 rows (fewer of wide tables) are sampled
    for quantiles, naive Bayes and log p(x); ranges, labels and missing values are those of all
    rows. Weights of rows are ignored.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain", None]})
    >>> y = ["out", "out", "in", "in", "in"]
    >>> reference = collect_reference(NaiveBayes().fit(X, y), X, y)
    >>> reference.columns[0].labels, reference.columns[0].n_gaps, reference.classes.labels
    (('rain', 'sun'), 1, ('in', 'out'))
    """
    frame = as_frame(X)
    classes = pd.Series(y)
    if len(classes) != len(frame) or not len(frame):
        raise ValueError(
            "collect_reference: y must have one class for each row of X, got "
            f"{len(classes)} classes for {len(frame)} rows"
        )
    if classes.isna().any():
        raise ValueError("collect_reference: y must not have missing values")
    readings = choose_readings(model, frame)
    return make_reference(TrainingTally.collect(frame, classes, readings), readings, target)


def collect_reference_from_source(
    model: Any,
    source: Any,
    target: str,
    *,
    columns: Sequence[str] | None = None,
    client: Any = None,
    progress: Progress | None = None,
) -> Reference:
    """Return the statistics of a table that is read in pieces, in one pass and constant memory.

    Parameters
    ----------
    model : the fitted model, see `collect_reference`
    source : see `augury.scale.open_source`
    target : the column of the classes; rows without a class are left out
    columns : the columns of the model, in its order; None takes all others
    client : distributed.Client or None
        A Dask cluster whose workers read the partitions.
    progress : Progress or None
        Receives the progress of the pass.
    """
    from augury.scale import open_source
    from augury.scale.fitting import choose_columns, make_engine
    from augury.scale.rows.numbered_partition import number_partitions

    opened = open_source(source)
    frames = choose_columns(opened, target, None, strict=False)
    if columns is not None:
        frames = replace(frames, columns=tuple(opened.check_columns(columns)))
    parts = number_partitions(opened.partitions)
    found = (rows.X for part in parts for rows in frames.read(part) if len(rows.X))
    first = next(found, None)
    if first is None:
        raise DataError(f"{opened.name}: no row has a value of the target {target!r}")
    readings = choose_readings(model, first)
    with make_engine(
        client, check_threads("collect_reference_from_source", -1), None, progress
    ) as engine:
        tally = engine.total(parts, partial(_tally_part, frames=frames, readings=readings))
    assert tally is not None, "the first frame has rows"
    return make_reference(tally, readings, target)


def _tally_part(
    part: NumberedPartition, frames: LabelledFrames, readings: Sequence[ColumnReading]
) -> TrainingTally | None:
    total = None
    for rows in frames.read(part):
        if len(rows.X):
            found = TrainingTally.collect(
                rows.X, rows.y, readings, (rows.partition, rows.first_row)
            )
            total = found if total is None else total + found
    return total


def as_frame(X: Table) -> pd.DataFrame:
    """Return a table as a pandas frame whose columns have names of type str."""
    if is_pandas(X):
        return X.set_axis([str(name) for name in X.columns], axis=1)
    if is_frame(X):
        import narwhals as nw

        return nw.from_native(X, eager_only=True).to_pandas()
    if issparse(X):
        raise TypeError(
            "collect_reference: X must be a data frame or an array, got a sparse matrix: its "
            "columns are not compared"
        )
    values = np.asarray(X)
    return pd.DataFrame(values, columns=column_names(values))


def make_reference(
    tally: TrainingTally, readings: Sequence[ColumnReading], target: str | None
) -> Reference:
    """Return the statistics that are saved, from the counts of all rows and the sampled rows."""
    n_labels = _labels_of_column(readings)
    classes = _label_reference(ColumnReading(target or "", LABELS, ""), tally.target, n_labels)
    y, n_groups = group_codes(tally.sample.frame.iloc[:, -1], classes), count_groups(classes)
    n_read = sum(each.treatment != DROPPED for each in readings)
    n_bins = int(np.clip(_MAX_STATE_CELLS // (n_read * n_groups), _MIN_BINS, _MAX_BINS))
    states, codes = {}, []
    sampled = tally.sample.frame.items()  # faster than `iloc`; the last column has the classes
    for each, (_, column) in zip(readings, sampled, strict=False):
        if each.treatment != DROPPED:
            values = read_values(column, each)
            states[each.name] = _choose_states(values, tally.columns[each.name], n_bins)
            codes.append(states[each.name].encode(values))
    sizes = [each.n_states for each in states.values()]
    counts = StateCounts.collect(codes, sizes, y, n_groups)
    evidence = log_evidence(counts.log_joint_without_own(codes, y))
    # Which rows are sampled depends on high bits of the hash, and not on the lowest one.
    is_predicted = (tally.sample.hashes & np.uint64(1)) == 1
    predictor = StateCounts.collect(
        [each[~is_predicted] for each in codes], sizes, y[~is_predicted], n_groups
    )
    joint = predictor.log_joint([each[is_predicted] for each in codes])
    predicted = joint.argmax(axis=1)
    counts_of = dict(zip(states, zip(counts.columns, predictor.columns, strict=True), strict=True))
    rare = float(np.quantile(evidence, RARE_LEVEL, method="lower"))
    columns = []
    for each in readings:
        made = ColumnReference(each.name, each.treatment, each.format)
        if each.treatment == LABELS:
            made = _label_reference(each, tally.columns[each.name], n_labels)
        elif each.treatment != DROPPED:
            made = _number_reference(each, tally.columns[each.name], states[each.name])
        if each.treatment != DROPPED:
            of_states, of_predictor = (
                tuple(map(tuple, cells.tolist())) for cells in counts_of[each.name]
            )
            made = replace(made, state_counts=of_states, predictor_counts=of_predictor)
        columns.append(made)
    return Reference(
        n_rows=tally.target.n_rows,
        n_sampled=len(y),
        columns=tuple(columns),
        classes=classes,
        group_counts=_as_tuple(counts.groups),
        predicted_counts=_as_tuple(np.bincount(predicted, minlength=n_groups)),
        n_right=int((predicted == y[is_predicted]).sum()),
        log_p_levels=_LEVELS,
        log_p_quantiles=tuple(np.quantile(evidence, _LEVELS).tolist()),
        rare_log_p=rare,
        n_rare=int((evidence < rare).sum()),
        predictor_counts=_as_tuple(predictor.groups),
    )


def _choose_states(values: ColumnValues, tally: ColumnTally, n_bins: int) -> ColumnStates:
    if values.numbers is None:
        return ColumnStates.of_labels(tally, n_bins)
    n_known = len(values.numbers) - values.n_gaps
    few = max(1, min(n_bins, n_known // _ROWS_OF_BIN))
    return ColumnStates.of_numbers(tally, values.numbers, few)


def _labels_of_column(readings: Sequence[ColumnReading]) -> int:
    """Return how many labels of a column are listed."""
    n_columns = sum(each.treatment == LABELS for each in readings)
    return int(np.clip(_ALL_LABELS // max(n_columns, 1), _MIN_LABELS, _MAX_LABELS))


def count_groups(classes: ColumnReference) -> int:
    """Return the number of classes, or of groups of classes if there are many."""
    return min(len(classes.labels), N_GROUPS)


def group_codes(target: pd.Series, classes: ColumnReference) -> IntegerArray:
    """Return the class of each row, or its group if there are many; -1 if missing or unseen."""
    codes, labels = label_codes(target)
    if len(classes.labels) > N_GROUPS:
        known = set(classes.labels)
        is_known = [bool(classes.n_unlisted) or label in known for label in labels]
        of_label = np.where(is_known, buckets_of(labels) % N_GROUPS, -1).tolist()
    else:
        position = {label: k for k, label in enumerate(classes.labels)}
        of_label = [position.get(label, -1) for label in labels]
    return np.array([*of_label, -1], dtype=np.int64)[codes]


def _label_reference(reading: ColumnReading, tally: ColumnTally, n_labels: int) -> ColumnReference:
    ordered = ordered_labels(tally)
    listed, rest = ordered[:n_labels], ordered[n_labels:]
    return ColumnReference(
        reading.name,
        reading.treatment,
        reading.format,
        n_gaps=tally.n_gaps,
        n_unread=tally.n_unread,
        labels=tuple(label for label, _ in listed),
        label_counts=tuple(count for _, count in listed),
        n_unlisted=tally.n_unlisted + sum(count for _, count in rest),
        bucket_counts=tally.buckets if rest or tally.n_unlisted else (),
    )


def _number_reference(
    reading: ColumnReading, tally: ColumnTally, states: ColumnStates
) -> ColumnReference:
    is_empty = not tally.n_known
    return ColumnReference(
        reading.name,
        reading.treatment,
        reading.format,
        n_gaps=tally.n_gaps,
        n_unread=tally.n_unread,
        low=None if is_empty else tally.low,
        high=None if is_empty else tally.high,
        edges=tuple(float(edge) for edge in states.bins),
    )


def _as_tuple(counts: IntegerArray) -> tuple[int, ...]:
    return tuple(counts.tolist())


__all__ = [
    "RARE_LEVEL",
    "TrainingTally",
    "as_frame",
    "collect_reference",
    "collect_reference_from_source",
    "count_groups",
    "group_codes",
    "make_reference",
]
