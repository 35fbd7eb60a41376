"""Counts of new rows that are compared with those of the training rows; they add."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.drift.collect import group_codes
from augury.drift.column_states import ColumnStates
from augury.drift.column_tally import ColumnTally
from augury.drift.column_values import ColumnReading, read_values
from augury.drift.density import StateCounts, log_evidence
from augury.drift.frame_sample import FrameSample
from augury.drift.reference import DROPPED, LABELS, Reference

# Rows that the model itself predicts.
MAX_PREDICTED = 10_000


@dataclass(frozen=True, eq=False)
class RowScores:
    """What naive Bayes computes from whole rows.

    Attributes
    ----------
    n_rare : number of rows that are rarer than nearly all training rows
    predicted : number of rows that are predicted as each class, see `Reference.group_counts`
    n_known : number of rows whose class is known and has been seen
    n_right : number of these rows that are predicted correctly
    """

    n_rare: int
    predicted: IntegerArray
    n_known: int
    n_right: int

    def __add__(self, other: RowScores) -> RowScores:
        return RowScores(
            self.n_rare + other.n_rare,
            self.predicted + other.predicted,
            self.n_known + other.n_known,
            self.n_right + other.n_right,
        )


@dataclass(frozen=True, eq=False)
class NewRows:
    """Counts of new rows.

    Attributes
    ----------
    n_rows : number of rows
    columns : tally of each column that was found, by the name in the training rows
    states : number of rows of each state of these columns
    classes : tally of the target, None if the table has none
    scores : what naive Bayes computes; None if a column is missing
    sample : some of the rows, for predictions of the model
    """

    n_rows: int
    columns: Mapping[str, ColumnTally]
    states: Mapping[str, IntegerArray]
    classes: ColumnTally | None
    scores: RowScores | None
    sample: FrameSample

    def __add__(self, other: NewRows) -> NewRows:
        return NewRows(
            self.n_rows + other.n_rows,
            {name: tally + other.columns[name] for name, tally in self.columns.items()},
            {name: counts + other.states[name] for name, counts in self.states.items()},
            None if self.classes is None or other.classes is None else self.classes + other.classes,
            None if self.scores is None or other.scores is None else self.scores + other.scores,
            self.sample + other.sample,
        )


@dataclass(frozen=True, eq=False)
class RowCounter:
    """Counts new rows.

    Attributes
    ----------
    reference : statistics of the training rows
    found : dict from the name of a training column to the name in the new table
    """

    reference: Reference
    found: Mapping[str, str]

    def count(self, frame: pd.DataFrame, place: tuple[int, int]) -> NewRows:
        """Count rows; `place` is the number of their partition and of the first row in it."""
        tallies, states, codes = {}, {}, []
        read = [each for each in self.reference.columns if each.treatment != DROPPED]
        for column in read:
            if column.name not in self.found:
                continue
            values = read_values(frame[self.found[column.name]], ColumnReading.of(column))
            of_column = ColumnStates.of(column)
            codes.append(of_column.encode(values))
            tallies[column.name] = ColumnTally.collect(values)
            states[column.name] = np.bincount(codes[-1], minlength=of_column.n_states)
        target = self.reference.classes.name
        y = frame[target] if target and target in frame.columns else None
        classes = None
        if y is not None:
            reading = ColumnReading(target, LABELS, "")
            classes = ColumnTally.collect(read_values(y, reading))
        is_complete = len(codes) == len(read)
        return NewRows(
            len(frame),
            tallies,
            states,
            classes,
            self._score(codes, y) if is_complete else None,
            FrameSample.choose(frame, *place, MAX_PREDICTED),
        )

    def _score(self, codes: list[IntegerArray], y: pd.Series | None) -> RowScores:
        evidence = log_evidence(StateCounts.of(self.reference).log_joint(codes))
        n_rare = int((evidence < self.reference.rare_log_p).sum())
        counts = StateCounts.of_predictor(self.reference)
        predicted = counts.log_joint(codes).argmax(axis=1)
        n_known = n_right = 0
        if y is not None:
            groups = group_codes(y, self.reference.classes)
            n_known, n_right = int((groups >= 0).sum()), int((groups == predicted).sum())
        shares = np.bincount(predicted, minlength=len(counts.groups))
        return RowScores(n_rare, shares, n_known, n_right)


__all__ = ["MAX_PREDICTED", "NewRows", "RowCounter", "RowScores"]
