"""Class probabilities from outputs: a softmax with one scale and a bias of each class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.counts import normalize
from augury.discriminative.solvers.newton import find_minimum

# Penalties of half the squares of biases (for each row, and for all) and of the scale.
_BIAS_PENALTY, _LEAST_BIAS_PENALTY = 1e-3, 0.1
_SCALE_PENALTY = 1e-9
# A search ends when the Newton decrement is this share of the loss.
_LAST_DECREMENT = 1e-6
_MAX_STEPS = 100
_FIRST_SCALE = 4.0
# With more classes the biases are zero: the steps for q biases take q² operations for each row.
_MAX_BIASED_CLASSES = 50


@dataclass(frozen=True, eq=False)
class Calibration:
    """p(c | f) = softmax(a f + b), where a >= 0 is a scale and b has a bias of each class.

    The biases are zero if there are more than 50 classes.
    """

    scale: float
    biases: FloatArray

    def scores(self, outputs: FloatArray) -> FloatArray:
        """Return a f + b of outputs f."""
        return self.scale * outputs + self.biases

    def probabilities(self, outputs: FloatArray) -> FloatArray:
        """Return p(c | f) of outputs f."""
        return normalize(self.scores(outputs))


@dataclass(frozen=True, eq=False)
class CalibrationRows:
    """Rows whose outputs are calibrated: their classes and weights.

    The target of a row is not 1 but 1 - e for its class, and e / (q - 1) for the others, where
    e = 1 / (N + 2) and N is the weight of the class (Platt 1999). The scale is therefore finite
    where the outputs separate the classes.

    Parameters
    ----------
    y, weight : class and weight of each row
    class_weight : weight of each class
    has_biases : whether a bias of each class is learned
    """

    y: IntegerArray
    weight: FloatArray
    class_weight: FloatArray
    has_biases: bool = True

    @cached_property
    def targets(self) -> FloatArray:
        """The weighted targets, of shape (n_classes, n_samples)."""
        n_classes = len(self.class_weight)
        missed = 1.0 / (self.class_weight[self.y] + 2.0)
        targets = np.repeat((missed / (n_classes - 1))[None], n_classes, axis=0)
        targets[self.y, np.arange(len(self.y))] = 1.0 - missed
        targets *= self.weight
        return targets

    def calibrate(
        self, outputs: FloatArray, start: Calibration | None = None
    ) -> tuple[Calibration, float]:
        """Return the calibration of the least log loss, and its mean log loss.

        The scale is 0 if the loss is least for a negative one: the outputs then say nothing.
        """
        loss = _CalibrationLoss(self, outputs)
        if start is None:
            x = np.zeros(1 + outputs.shape[1])
            x[0] = _FIRST_SCALE
        else:
            x = np.concatenate([[start.scale], start.biases])
        x = find_minimum(
            loss, loss.at(x), max_iter=_MAX_STEPS, tolerance=0.0, last_decrement=_LAST_DECREMENT
        ).x
        if x[0] < 0.0:
            return self.calibrate(np.zeros_like(outputs), Calibration(0.0, np.zeros(len(x) - 1)))
        return Calibration(float(x[0]), x[1:]), loss.at(x).value / float(self.weight.sum())


class _CalibrationLoss:
    """Penalised log loss as a function of the scale and the biases; it is convex.

    Arrays have a row for each class: NumPy adds long rows many times as fast as short ones.
    """

    def __init__(self, rows: CalibrationRows, outputs: FloatArray) -> None:
        self.targets, self.weight = rows.targets, rows.weight
        self.outputs = np.ascontiguousarray(outputs.T)
        total = float(rows.weight.sum())
        bias = _BIAS_PENALTY * total + _LEAST_BIAS_PENALTY
        self.has_biases = rows.has_biases and len(self.outputs) <= _MAX_BIASED_CLASSES
        self.penalty = np.full(1 + len(self.outputs), bias)
        self.penalty[0] = _SCALE_PENALTY * total

    def at(self, x: Array) -> _CalibrationPoint:
        return _CalibrationPoint(self, x)


class _CalibrationPoint:
    def __init__(self, loss: _CalibrationLoss, x: Array) -> None:
        self._loss, self.x = loss, x
        scores = x[0] * loss.outputs
        scores += x[1:, None]
        scores -= scores.max(axis=0)
        own = float(np.vdot(loss.targets, scores))
        self._proba = np.exp(scores, out=scores)
        totals = self._proba.sum(axis=0)
        self._proba /= totals
        log_totals = float(loss.weight @ np.log(totals))
        self.value = log_totals - own + 0.5 * float(loss.penalty @ np.square(x))

    @cached_property
    def _weighted(self) -> Array:
        weighted: Array = self._proba * self._loss.weight
        return weighted

    @cached_property
    def gradient(self) -> Array:
        loss = self._loss
        error = self._weighted - loss.targets
        gradient: Array = loss.penalty * self.x
        gradient[0] += np.vdot(error, loss.outputs)
        if loss.has_biases:
            gradient[1:] += error.sum(axis=1)
        return gradient

    def newton_direction(self) -> Array:
        outputs, weighted = self._loss.outputs, self._weighted
        expected = np.einsum("ij,ij->j", self._proba, outputs)
        deviation = weighted * (outputs - expected)
        of_scale = float(np.vdot(deviation, outputs))
        if not self._loss.has_biases:
            direction = np.zeros_like(self.x)
            direction[0] = -self.gradient[0] / (of_scale + self._loss.penalty[0])
            return direction
        hessian = np.empty((len(self.x), len(self.x)))
        hessian[0, 0] = of_scale
        hessian[0, 1:] = hessian[1:, 0] = deviation.sum(axis=1)
        hessian[1:, 1:] = np.diag(weighted.sum(axis=1)) - weighted @ self._proba.T
        hessian[np.diag_indices_from(hessian)] += self._loss.penalty
        return np.asarray(np.linalg.solve(hessian, -self.gradient))
