"""The training rows of a kernel machine: landmarks, and rows whose loss is computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.discriminative.landmarks.calibration import CalibrationRows
from augury.encode import CategoricalTable
from augury.encode.row_keys import equal_rows, highest_rows, lowest_rows
from augury.encode.row_numbers import counted_rows, rows_of_different

# Rows from which column weights are learned, and numbers of a block of rows.
ROWS_OF_GRADIENTS = 1000
_NUMBERS_AT_ONCE = 1 << 18
# Landmarks that take part in the search: half of `n_landmarks`, but at least so many.
_LANDMARKS_OF_SEARCH = 64


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Different rows of a table, and which of them the steps of a search use.

    Attributes
    ----------
    table : the rows
    y : number of the class of each row; each of the n_classes has rows
    weight : weight of each row, or None
    left_out : weight of each row that is left out to predict the row, or None if it is 1
    n_classes : number of classes
    n_landmarks : number of landmarks that were asked for
    landmarks : indices of rows of different values; fewer if there are not as many such rows
    judged : indices of rows in ascending order
    of_gradients : indices of rows, from which column weights are learned
    merged_into : row that each row of the user is merged into, or None if all rows differ
    """

    table: CategoricalTable
    y: IntegerArray
    weight: Array | None
    left_out: FloatArray | None
    n_classes: int
    n_landmarks: int
    landmarks: IntegerArray
    judged: IntegerArray
    of_gradients: IntegerArray
    merged_into: IntegerArray | None

    @classmethod
    def of(
        cls,
        table: CategoricalTable,
        y: IntegerArray,
        weight: Array | None,
        keys: IntegerArray,
        n_landmarks: int,
        n_judged: int,
        *,
        is_class_weighted: bool,
    ) -> TrainingRows:
        """Choose landmarks and judged rows by the keys of the rows; merge equal rows."""
        n_classes = int(y.max()) + 1
        merged_into = left_out = None
        first, merged = equal_rows(keys, y)
        if weight is not None or len(first) < len(y):
            counted = counted_rows(weight, is_class_weighted=is_class_weighted)
            n_rows = rows_of_different(first, merged, counted, table.numbers)
            weight = np.bincount(merged, weight, minlength=len(first)).astype(np.float64)
            left_out = weight / n_rows
            table, y, keys, merged_into = table.take(first), y[first], keys[first], merged
        return cls(
            table,
            y,
            weight,
            left_out,
            n_classes,
            n_landmarks,
            landmarks=lowest_rows(keys, n_landmarks),
            judged=highest_rows(keys, n_judged),
            of_gradients=highest_rows(keys, ROWS_OF_GRADIENTS),
            merged_into=merged_into,
        )

    def for_search(self) -> TrainingRows:
        """Return the judged rows and half of the landmarks, all of them judged."""
        landmarks = self.landmarks[: max(_LANDMARKS_OF_SEARCH, self.n_landmarks // 2)]
        if len(self.judged) == len(self.y):
            return replace(self, landmarks=landmarks)
        rows = np.unique(np.concatenate([landmarks, self.judged, self.of_gradients]))
        return replace(
            self,
            table=self.table.take(rows),
            y=self.y[rows],
            weight=self.weight_of(rows),
            left_out=None if self.left_out is None else self.left_out[rows],
            landmarks=np.searchsorted(rows, landmarks),
            judged=np.arange(len(rows)),
            of_gradients=np.searchsorted(rows, self.of_gradients),
        )

    def weight_of(self, rows: Array | slice) -> Array | None:
        """Return the weights of some rows, or None."""
        return None if self.weight is None else self.weight[rows]

    def left_out_of(self, rows: Array | slice) -> float | FloatArray:
        """Return the weight of some rows that is left out to predict each of them."""
        return 1.0 if self.left_out is None else self.left_out[rows]

    def calibration_rows(self) -> CalibrationRows:
        """Return the classes and weights of the judged rows."""
        weight = self.weight_of(self.judged)
        weight = np.ones(len(self.judged)) if weight is None else weight
        y = self.y[self.judged]
        class_weight = np.bincount(y, weight, minlength=self.n_classes).astype(np.float64)
        return CalibrationRows(y, weight, class_weight)

    def blocks(self, n_numbers: int) -> Iterator[slice]:
        """Yield blocks of rows that have at most about 2^18 numbers, given those of a row."""
        step = max(16, _NUMBERS_AT_ONCE // max(1, n_numbers))
        for start in range(0, len(self.y), step):
            yield slice(start, min(start + step, len(self.y)))
