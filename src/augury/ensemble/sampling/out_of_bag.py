"""Predictions of the training rows by the members of an ensemble that do not know them."""

from collections.abc import Callable

import numpy as np

from augury.arrays import Array, FloatArray
from augury.counts import floored_log, normalize
from augury.generative.bases.generative_classifier import AnyGenerativeClassifier
from augury.generative.bases.training_rows import ReadRows, TrainingRows, take_read

# Rows, times classes, that are scored at once.
_SCORES_AT_ONCE = 1 << 22


class OutOfBag:
    """Sums of the class probabilities of training rows by the members that do not know them."""

    def __init__(self, training: TrainingRows, n_classes: int) -> None:
        self._training = training
        n_rows = len(training.y)
        self._sums = np.zeros((n_rows, n_classes))
        self._members = np.zeros(n_rows)

    def add(
        self,
        member: AnyGenerativeClassifier,
        shares: Array,
        translate: Callable[[ReadRows], ReadRows],
    ) -> None:
        """Add the predictions of a member.

        Parameters
        ----------
        member : fitted model
        shares : share of each row that is left out of its sample
        translate : function from rows as read to rows with the states of the member
        """
        step = max(1, _SCORES_AT_ONCE // self._sums.shape[1])
        start = 0
        for read, y, _ in self._training:
            out = np.flatnonzero(shares[start : start + len(y)])
            for first in range(0, len(out), step):
                some = out[first : first + step]
                proba = normalize(member._log_joint(translate(take_read(read, some))))
                rows = start + some
                self._sums[rows] += shares[rows, None] * proba
                self._members[rows] += shares[rows]
            start += len(y)

    def probabilities(self) -> FloatArray:
        """Return the mean of the members of each row; the class shares if there is none."""
        y, weight = self._training.y, self._training.weight
        counts = np.bincount(y, weight, minlength=self._sums.shape[1]) + 1.0
        means: FloatArray = np.tile(counts / counts.sum(), (len(y), 1))
        known = self._members > 0
        means[known] = self._sums[known] / self._members[known, None]
        return means

    def losses(self) -> tuple[float, float]:
        """Return the accuracy and the log loss of the rows that are out of some bag."""
        known = self._members > 0
        if not known.any():
            return float("nan"), float("nan")
        y, weight = self._training.y[known], self._training.weight
        means = self._sums[known] / self._members[known, None]
        weight = np.ones(len(y)) if weight is None else weight[known]
        right = means.argmax(axis=1) == y
        loss = -floored_log(means[np.arange(len(y)), y])
        return float(np.average(right, weights=weight)), float(np.average(loss, weights=weight))


__all__ = ["OutOfBag"]
