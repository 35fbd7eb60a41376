"""How the parts of the flagship read the columns of a table.

Integers of few different values may be codes, such as those of a course or a district. They are
read as labels too where that predicts better. Texts that identify the rows are not read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.bases.partial_scores import as_pandas
from augury.discriminative import KernelClassifier
from augury.encode.columns import column_names, nominal_by_dtype, read_columns_as, take_rows
from augury.encode.readers.read_once import ReadOnce
from augury.encode.row_keys import highest_rows
from augury.encode.row_numbers import counted_rows
from augury.fitted_state import check_flags, check_integers, require
from augury.foreign import Table
from augury.hybrid.inner_models.fitting import declared_codes
from augury.hybrid.inner_models.tables import as_frame
from augury.identifiers import are_mostly_distinct
from augury.memory import RefusedTableError
from augury.validation import is_pandas

# Integers with so many values, and so many rows of each on average, may be labels.
_FEWEST_VALUES, _MOST_VALUES, _ROWS_OF_VALUE = 3, 255, 3.0
# With more labels together, integers are not tried as labels.
_MOST_LABELS = 1_000
# Rows that show whether a column has numbers that are not integers.
_FIRST_ROWS = 50
# Size of the kernels that readings are compared with.
_ROWS_OF_TRIAL, _LANDMARKS_OF_TRIAL = 2_000, 200
# Standard errors by which a column must predict residuals, and by which a reading must be better.
_ERRORS_OF_COLUMN, _ERRORS_OF_READING = 2.0, 2.0
# Weight of a mean of zero in the mean residual of a label.
_PRIOR_OF_LABEL = 2.0


@dataclass(frozen=True, eq=False)
class ColumnReadings:
    """The columns that the parts get.

    Attributes
    ----------
    sources : column of the table that each of them is read from
    as_labels : whether each of them is a column of numbers that is read as labels
    """

    sources: IntegerArray
    as_labels: BoolArray

    @classmethod
    def of(cls, kept: IntegerArray, codes: IntegerArray) -> ColumnReadings:
        """Return readings of the kept columns, and of the columns of codes as labels too."""
        sources = np.concatenate([kept, codes]).astype(np.intp)
        return cls(sources, np.arange(len(sources)) >= len(kept))

    def changes(self, n_columns: int) -> bool:
        """Return whether the parts get something else than the columns of the table."""
        return not np.array_equal(self.sources, np.arange(n_columns))

    def _check_fitted_state(self) -> None:
        sources = check_integers(self, "sources", None)
        require(len(sources) > 0, self, "sources", "columns of the table")
        check_flags(self, "as_labels", len(sources))

    def apply(self, X: Table) -> Table:
        """Return the table that the parts get."""
        if not self.changes(X.shape[1]):
            return X
        return read_columns_as(X, self.sources.tolist(), self.as_labels.tolist())

    def apply_to_frame(self, X: Table) -> Table:
        """Return the table that the parts get as a data frame, in which values may be replaced."""
        frame = as_frame(X)
        if not self.changes(X.shape[1]):
            # Names that are no text, such as integers, are texts to the parts.
            return frame.set_axis(column_names(frame), axis=1) if is_pandas(frame) else frame
        whole = as_pandas(frame)
        columns = [whole.iloc[:, j] for j in self.sources.tolist()]
        given = zip(self.apply(frame).column_names(), columns, self.as_labels, strict=True)
        return pd.DataFrame(
            {name: c.astype("category") if as_labels else c for name, c, as_labels in given}
        )


def without_identifiers(X: ReadOnce) -> ColumnReadings:
    """Return readings of the columns without texts that identify the rows.

    A column of texts is left out if at least 90 % of its values differ and none is missing, unless
    no column is left.
    """
    nominal = np.flatnonzero(nominal_by_dtype(X))
    keeps = np.ones(X.shape[1], dtype=bool)
    for j, column in zip(nominal.tolist(), X.read_nominal(nominal.tolist(), 1), strict=True):
        present, is_missing = column.present()
        keeps[j] = is_missing or not are_mostly_distinct(int(present.sum()), len(X))
    kept = np.flatnonzero(keeps)
    none = np.empty(0, dtype=np.intp)
    return ColumnReadings.of(kept if len(kept) else np.arange(X.shape[1]), none)


def learn_readings(
    X: ReadOnce,
    codes: IntegerArray,
    weight: Array | None,
    n_classes: int,
    keys: IntegerArray,
    seed: int,
) -> ColumnReadings:
    """Return how to read the columns of training rows.

    Texts that identify the rows are left out, see `without_identifiers`.

    A column of integers may be codes if it has 3 to 255 different values, each in three rows on
    average, and all such columns have at most 1,000 values. Kernel machines of 200 landmarks and
    up to 2,000 rows decide by their leave-one-out log loss. The first reads all numbers as
    numbers. If the labels of some columns predict its residuals, the second reads all such columns
    as labels too, and the third reads those that do: the mean residual of the other rows with the
    label of a row is correlated with the residual of the row by more than two standard errors. The
    best of them is taken if its loss is below that of the first by more than two standard errors.

    Parameters
    ----------
    X, codes, weight : the rows, their classes and weights
    n_classes : number of classes, declared ones without rows included
    keys : random numbers of the rows, which choose the rows that are tried
    seed : seed of the landmarks
    """
    numbers_only = without_identifiers(X)
    kept = numbers_only.sources
    rows = np.zeros(len(codes), dtype=bool)
    rows[highest_rows(keys, _ROWS_OF_TRIAL)] = True
    y, heavy = codes[rows], None if weight is None else weight[rows]
    some = take_rows(X, rows)
    candidates, labels = _may_be_codes(some, heavy)
    if not len(candidates):
        return numbers_only
    trial = _Trial(some, y, heavy, n_classes, seed)
    try:
        return trial.choose(kept, candidates, labels)
    except RefusedTableError:  # too many classes or columns for the machine
        return numbers_only


def _may_be_codes(X: ReadOnce, weight: Array | None) -> tuple[IntegerArray, list[IntegerArray]]:
    """Return the columns of integers of few values, and the number of each row's value, or -1.

    There are none if they have too many values together.
    """
    numeric = np.flatnonzero(~nominal_by_dtype(X))
    chosen: list[int] = []
    labels: list[IntegerArray] = []
    n_labels = 0
    for j, column in zip(numeric.tolist(), X.read_numbers(numeric.tolist()).T, strict=True):
        known = ~np.isnan(column)
        if not _are_integers(column[:_FIRST_ROWS][known[:_FIRST_ROWS]]):
            continue  # without a look at the other rows
        values, of_rows = np.unique(column[known], return_inverse=True)
        n_rows = len(of_rows) if weight is None else float(weight[known].sum())
        few = _FEWEST_VALUES <= len(values) <= min(_MOST_VALUES, n_rows / _ROWS_OF_VALUE)
        if not few or not _are_integers(values):
            continue
        numbers = np.full(len(column), -1, dtype=np.intp)
        numbers[known] = of_rows
        chosen.append(j)
        labels.append(numbers)
        n_labels += len(values)
        if n_labels > _MOST_LABELS:
            return np.empty(0, dtype=np.intp), []
    return np.array(chosen, dtype=np.intp), labels


def _are_integers(values: FloatArray) -> bool:
    return np.array_equal(values, np.floor(values))


@dataclass(frozen=True, eq=False)
class _Trial:
    """Rows on which readings are compared."""

    X: ReadOnce
    y: IntegerArray
    weight: Array | None
    n_classes: int
    seed: int

    def choose(
        self, kept: IntegerArray, candidates: IntegerArray, labels: list[IntegerArray]
    ) -> ColumnReadings:
        """Return the best reading, see `learn_readings`."""
        best = ColumnReadings.of(kept, candidates[:0])
        proba = self._held_out(best)
        first = least = self._log_loss_of_rows(proba)
        predictive = [k for k, column in enumerate(labels) if self._predicts(column, proba)]
        if not predictive:
            return best
        choices = [candidates, candidates[predictive]]
        for choice in choices if len(predictive) < len(candidates) else choices[:1]:
            readings = ColumnReadings.of(kept, choice)
            losses = self._log_loss_of_rows(self._held_out(readings))
            gain, error = self._mean_and_error(first - losses)
            if gain > _ERRORS_OF_READING * error and self._mean_and_error(least - losses)[0] > 0:
                best, least = readings, losses
        return best

    def _held_out(self, readings: ColumnReadings) -> FloatArray:
        machine = KernelClassifier(
            _LANDMARKS_OF_TRIAL, column_weights="equal", random_state=self.seed
        )
        return machine.fit_held_out(
            readings.apply(self.X), declared_codes(self.y, self.n_classes), self.weight
        )

    def _log_loss_of_rows(self, proba: FloatArray) -> FloatArray:
        losses: FloatArray = -np.log(np.maximum(proba[np.arange(len(self.y)), self.y], 1e-12))
        return losses

    def _mean_and_error(self, values: FloatArray) -> tuple[float, float]:
        """Return the mean of a number of each row, and its standard error."""
        mean = float(np.average(values, weights=self.weight))
        variance = float(np.average(np.square(values - mean), weights=self.weight))
        n_rows = len(values) if self.weight is None else float(self.weight.sum())
        return mean, np.sqrt(variance / n_rows)

    def _predicts(self, labels: IntegerArray, proba: FloatArray) -> bool:
        """Return whether the labels of a column predict the residuals of the classes."""
        known = labels >= 0
        each = np.ones(len(labels)) if self.weight is None else self.weight
        left_out = each if counted_rows(self.weight) is None else np.minimum(each, 1.0)
        residuals = -proba
        residuals[np.arange(len(self.y)), self.y] += 1.0
        n_labels = int(labels.max()) + 1
        total = np.bincount(labels[known], each[known], n_labels)
        others = total[labels] - left_out
        products = np.zeros(len(labels))
        for residual in residuals.T:
            sums = np.bincount(labels[known], (each * residual)[known], n_labels)
            rest = sums[labels] - left_out * residual
            products += residual * rest / (others + _PRIOR_OF_LABEL)
        mean, error = self._mean_and_error(np.where(known, products, 0.0))
        return bool(mean > _ERRORS_OF_COLUMN * error)


__all__ = ["ColumnReadings", "learn_readings", "without_identifiers"]
