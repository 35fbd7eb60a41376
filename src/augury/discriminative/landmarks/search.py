"""Search for kernel, width, column weights and penalty by leave-one-out log loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.discriminative.landmarks.calibration import Calibration, CalibrationRows
from augury.discriminative.landmarks.column_weights import ROWS_OF_GRADIENTS, column_relevance
from augury.discriminative.landmarks.coordinates import Coordinates
from augury.discriminative.landmarks.kernel_functions import (
    KERNELS,
    kernel_values,
    squared_distances,
)
from augury.discriminative.landmarks.ridge import KernelMoments, KernelRidge
from augury.encode import CategoricalTable

# Widths: γ is a multiple of 1 / (median squared distance of two landmarks).
_MULTIPLES = (0.25, 1.0, 4.0)
PENALTIES = tuple(10.0 ** (k / 2) for k in range(-4, 5))
# Rounds in which column weights are learned from the gradients of the best model so far.
_ROUNDS = 2
# Weights are the square root of the relevance, which changes less from sample to sample.
_POWER = 0.5
_NUMBERS_AT_ONCE = 1 << 21


class Shape(NamedTuple):
    """A kernel, and its width as a multiple of that of the median distance."""

    kernel: str
    multiple: float


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Rows of a table, with the rows that are landmarks and those whose loss is computed.

    Attributes
    ----------
    table : the rows
    y : number of the class of each row; each of the n_classes has rows
    weight : weight of each row, or None
    n_classes : number of classes
    landmarks : indices of rows, all of them different
    judged : indices of rows in ascending order
    """

    table: CategoricalTable
    y: IntegerArray
    weight: Array | None
    n_classes: int
    landmarks: IntegerArray
    judged: IntegerArray

    def weight_of(self, rows: Array | slice) -> Array | None:
        return None if self.weight is None else self.weight[rows]

    def calibration_rows(self) -> CalibrationRows:
        weight = self.weight_of(self.judged)
        weight = np.ones(len(self.judged)) if weight is None else weight
        y = self.y[self.judged]
        return CalibrationRows(y, weight, np.bincount(y, weight, minlength=self.n_classes))

    def blocks(self, n_numbers: int) -> Iterator[slice]:
        """Yield blocks of rows that have at most about 2^21 numbers, given those of a row."""
        step = max(16, _NUMBERS_AT_ONCE // max(1, n_numbers))
        for start in range(0, len(self.y), step):
            yield slice(start, min(start + step, len(self.y)))


@dataclass(frozen=True, eq=False)
class FittedKernel:
    """A kernel ridge regression with its calibration.

    Attributes
    ----------
    shape, gamma : kernel and width
    coordinates, landmarks : how rows become points, and the points of the landmarks
    ridge, penalty : the regression
    calibration, loss : calibration of the leave-one-out outputs, and their log loss
    outputs : leave-one-out outputs of the judged rows
    """

    shape: Shape
    gamma: float
    coordinates: Coordinates
    landmarks: FloatArray
    ridge: KernelRidge
    penalty: float
    calibration: Calibration
    loss: float
    outputs: FloatArray

    def kernel(self, table: CategoricalTable) -> FloatArray:
        """Return the kernels of rows with the landmarks."""
        distances = squared_distances(self.coordinates.points(table), self.landmarks)
        return kernel_values(distances, self.shape.kernel, self.gamma)


def search_kernel(
    rows: TrainingRows, coordinates: Coordinates, sources: IntegerArray, *, learn_weights: bool
) -> FittedKernel:
    """Return the kernel machine of the least leave-one-out log loss.

    Kernels, widths and column weights are compared with half of the landmarks; the chosen ones are
    fitted with all of them. `sources` has the column of each coordinate.
    """
    half = replace(rows, landmarks=rows.landmarks[: max(_FEW, len(rows.landmarks) // 2)])
    shapes = [Shape(kernel, multiple) for kernel in KERNELS for multiple in _MULTIPLES]
    best = found = fit_shapes(half, coordinates, shapes)
    for _ in range(_ROUNDS if learn_weights else 0):
        scale = _weigh(half, found, sources)
        found = fit_shapes(half, replace(coordinates, scale=scale), [found.shape])
        best = min(best, found, key=lambda each: each.loss)
    if len(half.landmarks) < len(rows.landmarks):
        best = fit_shapes(rows, best.coordinates, [best.shape])
    return best


# So few landmarks are not halved.
_FEW = 100


def _weigh(rows: TrainingRows, fitted: FittedKernel, sources: IntegerArray) -> FloatArray:
    """Return new factors of the coordinates: the roots of the weights of their columns."""
    some = rows.judged[:ROWS_OF_GRADIENTS]
    coefficients, _ = fitted.ridge.coefficients(fitted.penalty)
    relevance = column_relevance(
        fitted.coordinates.points(rows.table.take(some)),
        rows.weight_of(some),
        fitted.landmarks,
        coefficients,
        *fitted.shape[:1],
        fitted.gamma,
    )
    # The gradients are those of scaled coordinates.
    relevance *= np.square(fitted.coordinates.scale)
    total = np.bincount(sources, relevance)
    mean = total / np.maximum(np.bincount(sources), 1)
    largest = mean.max(initial=0.0)
    weights = (mean / largest) ** _POWER if largest > 0 else np.ones_like(mean)
    return np.sqrt(weights)[sources]


def fit_shapes(
    rows: TrainingRows, coordinates: Coordinates, shapes: Sequence[Shape]
) -> FittedKernel:
    """Return the best of some kernels and of all penalties, by leave-one-out log loss."""
    landmarks = coordinates.points(rows.table.take(rows.landmarks))
    judged = squared_distances(coordinates.points(rows.table.take(rows.judged)), landmarks)
    between = squared_distances(landmarks, landmarks)
    unit = _median_distance(between)
    gammas = [shape.multiple / unit for shape in shapes]
    sums = _collect(rows, coordinates, landmarks, judged, shapes, gammas)
    calibrated, y = rows.calibration_rows(), rows.y[rows.judged]
    weight = rows.weight_of(rows.judged)
    best: FittedKernel | None = None
    for shape, gamma, moments in zip(shapes, gammas, sums, strict=True):
        ridge = KernelRidge.of(moments, kernel_values(between, shape.kernel, gamma))
        kernel = kernel_values(judged, shape.kernel, gamma)
        outputs_of_penalties = ridge.leave_one_out(kernel, y, weight, PENALTIES)
        start: Calibration | None = None
        for penalty, outputs in zip(PENALTIES, outputs_of_penalties, strict=True):
            calibration, loss = calibrated.calibrate(outputs, start)
            start = calibration if calibration.scale > 0.0 else None
            if best is None or loss < best.loss:
                best = FittedKernel(
                    shape,
                    gamma,
                    coordinates,
                    landmarks,
                    ridge,
                    penalty,
                    calibration,
                    loss,
                    outputs,
                )
    assert best is not None  # there is a shape and a penalty
    return best


def _median_distance(between: FloatArray) -> float:
    """Return the median squared distance of two different landmarks; 1 if there is one only."""
    pairs = between[np.triu_indices_from(between, k=1)]
    pairs = pairs[pairs > 0]
    return float(np.median(pairs)) if len(pairs) else 1.0


def _collect(
    rows: TrainingRows,
    coordinates: Coordinates,
    landmarks: FloatArray,
    judged: FloatArray,
    shapes: Sequence[Shape],
    gammas: Sequence[float],
) -> list[KernelMoments]:
    """Return the moments of each kernel; `judged` has the distances of the judged rows."""

    def sums(distances: FloatArray, block: slice) -> list[KernelMoments]:
        return [
            KernelMoments.collect(
                kernel_values(distances, shape.kernel, gamma),
                rows.y[block],
                rows.weight_of(block),
                rows.n_classes,
            )
            for shape, gamma in zip(shapes, gammas, strict=True)
        ]

    if len(rows.judged) == len(rows.y):
        return sums(judged, slice(len(rows.y)))
    of_blocks = (
        sums(squared_distances(coordinates.points(rows.table.take(block)), landmarks), block)
        for block in rows.blocks(len(landmarks) + landmarks.shape[1])
    )
    return reduce(lambda a, b: list(map(add, a, b)), of_blocks)
