"""Search for kernel, width, column weights and penalty by leave-one-out log loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.counts import log_normalize
from augury.discriminative.landmarks.calibration import Calibration, CalibrationRows
from augury.discriminative.landmarks.column_weights import column_relevance
from augury.discriminative.landmarks.coordinates import Coordinates
from augury.discriminative.landmarks.kernel_functions import kernel_values, squared_distances
from augury.discriminative.landmarks.ridge import KernelMoments, KernelRidge, LeaveOneOut
from augury.discriminative.landmarks.training_rows import TrainingRows
from augury.encode import CategoricalTable

# Widths: γ is a multiple of 1 / (median squared distance of two landmarks).
_MULTIPLES = (0.25, 1.0, 4.0)
PENALTIES = tuple(10.0 ** (k / 2) for k in range(-4, 5))
_FIRST_PENALTY = PENALTIES[4]
# Rounds in which column weights are learned from the gradients of the best model so far.
_ROUNDS = 2
# Standard errors by which the loss of another machine must be smaller.
_STANDARD_ERRORS = 1.0
# Weights are the square root of the relevance, which changes less from sample to sample.
_POWER = 0.5
# Squared distances below this are rounding errors.
_SMALLEST_DISTANCE = 1e-12


class Shape(NamedTuple):
    """A kernel, and its width as a multiple of that of the median distance."""

    kernel: str
    multiple: float


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
    """Return a kernel machine with a small leave-one-out log loss.

    The search begins with the best width of the Matérn kernel with equal column weights. Learned
    weights and then the RBF kernel replace what was found before if their loss is smaller by more
    than its standard error. All are compared with n_landmarks / 2 landmarks, at least 64, and
    fitted to the judged rows; the best is fitted to all rows with all landmarks. `sources` has the
    column of each coordinate.
    """
    half = rows.for_search()
    shapes = [Shape("matern", multiple) for multiple in _MULTIPLES]
    best = found = fit_shapes(half, coordinates, shapes)
    for _ in range(_ROUNDS if learn_weights else 0):
        scale = _weigh(half, found, sources)
        found = fit_shapes(half, replace(coordinates, scale=scale), [found.shape], found.penalty)
        best = found if _is_better(half, found, best) else best
    rbf = best.shape._replace(kernel="rbf")
    found = fit_shapes(half, best.coordinates, [rbf], best.penalty)
    best = found if _is_better(half, found, best) else best
    if len(half.landmarks) < len(rows.landmarks) or len(half.y) < len(rows.y):
        best = fit_shapes(rows, best.coordinates, [best.shape], best.penalty)
    return best


def _is_better(rows: TrainingRows, new: FittedKernel, old: FittedKernel) -> bool:
    """Return whether the loss of the judged rows decreases by more than its standard error."""
    y, at = rows.y[rows.judged], np.arange(len(rows.judged))
    weight = rows.weight_of(rows.judged)
    old_log, new_log = (
        log_normalize(each.calibration.scores(each.outputs))[at, y] for each in (old, new)
    )
    gains = new_log - old_log
    gain = np.average(gains, weights=weight)
    variance = np.average(np.square(gains - gain), weights=weight)
    n_rows = len(y) if weight is None else weight.sum()
    return bool(gain > _STANDARD_ERRORS * np.sqrt(variance / n_rows))


def _weigh(rows: TrainingRows, fitted: FittedKernel, sources: IntegerArray) -> FloatArray:
    """Return new factors of the coordinates: the roots of the weights of their columns."""
    some = rows.of_gradients
    coefficients, _ = fitted.ridge.coefficients(fitted.penalty)
    relevance = column_relevance(
        fitted.coordinates.points(rows.table.take(some)),
        rows.weight_of(some),
        fitted.landmarks,
        coefficients,
        fitted.shape.kernel,
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
    rows: TrainingRows,
    coordinates: Coordinates,
    shapes: Sequence[Shape],
    at: float = _FIRST_PENALTY,
) -> FittedKernel:
    """Return the best of some kernels, each with its best penalty, by leave-one-out log loss.

    The search for the first penalty begins at `at`.
    """
    landmarks = coordinates.points(rows.table.take(rows.landmarks))
    judged = squared_distances(coordinates.points(rows.table.take(rows.judged)), landmarks)
    between = squared_distances(landmarks, landmarks)
    unit = _median_distance(between)
    gammas = [shape.multiple / unit for shape in shapes]
    sums = _collect(rows, coordinates, landmarks, shapes, gammas)
    calibrated, y = rows.calibration_rows(), rows.y[rows.judged]
    weight = rows.weight_of(rows.judged)
    best: FittedKernel | None = None
    for k, (shape, gamma) in enumerate(zip(shapes, gammas, strict=True)):
        kernel = kernel_values(judged, shape.kernel, gamma)
        moments = sums[k] if sums else KernelMoments.collect(kernel, y, weight, rows.n_classes)
        ridge = KernelRidge.of(moments, kernel_values(between, shape.kernel, gamma))
        outputs = ridge.leave_one_out(kernel, y, rows.left_out_of(rows.judged))
        fitted = _best_penalty(outputs, calibrated, at)
        at = fitted.penalty
        if best is None or fitted.loss < best.loss:
            best = FittedKernel(shape, gamma, coordinates, landmarks, ridge, *fitted)
    assert best is not None  # there is a shape
    return best


class _Penalised(NamedTuple):
    """Penalty, calibration, loss and outputs; see `FittedKernel`."""

    penalty: float
    calibration: Calibration
    loss: float
    outputs: FloatArray


def _best_penalty(rows: LeaveOneOut, calibrated: CalibrationRows, first: float) -> _Penalised:
    """Return the best of the penalties, from the first one up or down while the loss decreases."""

    def judge(k: int, start: Calibration | None) -> _Penalised:
        outputs = rows.outputs(PENALTIES[k])
        start = start if start is not None and start.scale > 0.0 else None
        calibration, loss = calibrated.calibrate(outputs, start)
        return _Penalised(PENALTIES[k], calibration, loss, outputs)

    middle = PENALTIES.index(first)
    best = judge(middle, None)
    for step in (1, -1):
        k = middle + step
        while 0 <= k < len(PENALTIES):
            there = judge(k, best.calibration)
            if there.loss >= best.loss:
                break
            best, k = there, k + step
        if best.penalty != first:
            break
    return best


def _median_distance(between: FloatArray) -> float:
    """Return the median squared distance of two different landmarks; 1 if there is one only."""
    pairs = between[np.triu_indices_from(between, k=1)]
    pairs = pairs[pairs > _SMALLEST_DISTANCE]
    return float(np.median(pairs)) if len(pairs) else 1.0


def _collect(
    rows: TrainingRows,
    coordinates: Coordinates,
    landmarks: FloatArray,
    shapes: Sequence[Shape],
    gammas: Sequence[float],
) -> list[KernelMoments]:
    """Return the moments of each kernel; none if all rows are judged, whose kernels are at hand."""
    if len(rows.judged) == len(rows.y):
        return []

    def sums(block: slice) -> list[KernelMoments]:
        points = coordinates.points(rows.table.take(block))
        distances = squared_distances(points, landmarks)
        return [
            KernelMoments.collect(
                kernel_values(distances, shape.kernel, gamma),
                rows.y[block],
                rows.weight_of(block),
                rows.n_classes,
            )
            for shape, gamma in zip(shapes, gammas, strict=True)
        ]

    of_blocks = map(sums, rows.blocks(sum(landmarks.shape)))
    return reduce(lambda a, b: list(map(add, a, b)), of_blocks)
