"""What one pass over the rows learns about all columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.scale.summaries.bins import Bins
from augury.scale.summaries.column_survey import NUMBERS, TIMESTAMPS, ColumnSurvey
from augury.scale.summaries.exact_sum import ExactSum
from augury.scale.summaries.hashes import hash_rows
from augury.scale.summaries.row_sample import RowSample
from augury.scale.summaries.survey_settings import SurveySettings

_DEFAULT = SurveySettings()


@dataclass(frozen=True, eq=False)
class TableSurvey:
    """Statistics of the columns of a table; the survey of all rows is the sum of its parts.

    The parts are added in the order of the rows: labels keep the order of their first rows. The
    size of a survey is bounded by its settings. The result does not depend on how the rows were
    divided, apart from labels beyond `max_labels` (see `LabelCounts`), integers beyond
    `max_values` of which few occur twice (see `OnceEach`), and the rounding of sums of fractional
    weights.

    Parameters
    ----------
    columns : dict from a name to the survey of the column
    n_rows : number of rows
    weight : sum of the weights
    sample : sampled rows of the columns of numbers
    settings : limits

    Examples
    --------
    >>> X = pd.DataFrame({"sky": ["sun", "rain", None, "sun"], "wind": [1, 2, 7, 7]})
    >>> first = TableSurvey.collect(X[:2], None, key=0, first_row=0)
    >>> survey = first + TableSurvey.collect(X[2:], None, key=0, first_row=2)
    >>> survey.columns["sky"].labels.rows, survey.columns["sky"].n_missing
    ({'sun': 2, 'rain': 1}, 1)
    >>> survey.columns["wind"].numbers.values, survey.columns["wind"].numbers.mean
    (array([1., 2., 7.]), 4.25)
    """

    columns: Mapping[str, ColumnSurvey]
    n_rows: int
    weight: ExactSum
    sample: RowSample
    settings: SurveySettings

    @classmethod
    def collect(
        cls,
        frame: pd.DataFrame,
        weight: FloatArray | None,
        key: int,
        first_row: int,
        settings: SurveySettings = _DEFAULT,
        too_many: frozenset[str] = frozenset(),
    ) -> TableSurvey:
        """Survey adjacent rows.

        Parameters
        ----------
        frame : rows
        weight : weight of each row; None if every row has weight 1
        key : number of the partition
        first_row : number of the first row within its partition
        settings : limits, the same for all rows
        too_many : names of columns that are known to have more distinct numbers than are kept
            These are not searched for, which is faster. Take them from `too_many` of a survey of
            other rows of the same table.
        """
        columns, numbers = {}, {}
        for position, label in enumerate(frame.columns):
            name = str(label)
            if name in columns:
                raise ValueError(f"two columns are named {name!r}: rename one")
            columns[name], values = ColumnSurvey.collect(
                name,
                frame.iloc[:, position],
                weight,
                settings,
                keep_values=name not in too_many,
            )
            if values is not None:
                numbers[name] = values
        hashes = hash_rows(key, first_row, len(frame))
        sample = RowSample.choose(hashes, numbers, settings.min_level, settings.max_sample)
        n_rows = len(frame)
        total = ExactSum.of_integer(n_rows) if weight is None else ExactSum.of(weight)
        return cls(columns, n_rows, total, sample, settings)

    def __add__(self, other: TableSurvey) -> TableSurvey:
        if list(self.columns) != list(other.columns):
            differing = sorted(set(self.columns) ^ set(other.columns))
            what = f"only one has {differing[0]!r}" if differing else "their order differs"
            raise ValueError(f"all parts of the data must have the same columns: {what}")
        if self.settings != other.settings:
            raise ValueError("surveys that are added must have the same settings")
        columns = {name: survey + other.columns[name] for name, survey in self.columns.items()}
        # A column that has gaps alone in some rows is sampled there, before its labels are known.
        numbers = frozenset(name for name, survey in columns.items() if survey.numbers is not None)
        return TableSurvey(
            columns,
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            (self.sample + other.sample).select(numbers),
            self.settings,
        )

    def column(self, name: str) -> ColumnSurvey:
        """Return the survey of a column."""
        return self.columns[name]

    @property
    def too_many(self) -> frozenset[str]:
        """Names of the columns that have more distinct numbers than are kept."""
        return frozenset(
            name
            for name, survey in self.columns.items()
            if survey.numbers is not None and survey.numbers.values is None
        )

    def bins(self, name: str, n_classes: int) -> Bins:
        """Return the bins of a column of numbers for a table with this many classes.

        Each distinct number is a bin of its own if all of them are known.
        """
        numbers = self.columns[name].numbers
        if numbers is None:
            raise ValueError(f"column {name!r} must hold numbers, got {self.columns[name].kind}")
        n_columns = sum(s.kind in (NUMBERS, TIMESTAMPS) for s in self.columns.values())
        if numbers.values is not None:
            return Bins.of_values(numbers.values, n_classes, n_columns)
        sampled = self.sample.columns[name]
        return Bins.of_sample(sampled[~np.isnan(sampled)], n_classes, n_columns)

    def select(self, names: list[str]) -> TableSurvey:
        """Return the survey of some columns."""
        return TableSurvey(
            {name: self.columns[name] for name in names},
            self.n_rows,
            self.weight,
            self.sample.select(frozenset(names)),
            self.settings,
        )

    def replaced(self, other: TableSurvey) -> TableSurvey:
        """Return the survey with the columns of another survey of the same rows.

        New columns follow those that are there already.
        """
        return TableSurvey(
            {**self.columns, **other.columns},
            self.n_rows,
            self.weight,
            self.sample.joined(other.sample),
            self.settings,
        )


__all__ = ["TableSurvey"]
