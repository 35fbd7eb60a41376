"""Rows of a class that score above each threshold: ROC and precision-recall curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray
from augury.validation import check_sample_weight


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdCounts:
    """Numbers of rows whose score is at least a threshold, for every distinct score.

    Attributes
    ----------
    thresholds : array of shape (n_thresholds,)
        The distinct scores, descending.
    hits, false_alarms : array of shape (n_thresholds,)
        Number of rows (sum of their weights) of the class, and of the other classes, whose score
        is at least the threshold. The last numbers are those of all rows.

    Examples
    --------
    >>> counts = ThresholdCounts.collect([False, True, False, True], [0.1, 0.4, 0.35, 0.8])
    >>> counts.thresholds, counts.hits, counts.false_alarms
    (array([0.8 , 0.4 , 0.35, 0.1 ]), array([1., 2., 2., 2.]), array([0., 0., 1., 2.]))
    >>> counts.area_under_roc, counts.average_precision
    (1.0, 1.0)
    """

    thresholds: FloatArray
    hits: FloatArray
    false_alarms: FloatArray

    @classmethod
    def collect(
        cls, is_positive: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> ThresholdCounts:
        """Count the rows.

        Parameters
        ----------
        is_positive : array-like of bool of shape (n_samples,)
            Whether the row is of the class.
        score : array-like of shape (n_samples,)
            Higher for rows that are more probably of the class; finite.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. Rows of weight zero do not count.
        """
        owner = "ThresholdCounts"
        positive = np.asarray(is_positive)
        values = np.asarray(score, dtype=np.float64)
        if positive.dtype.kind != "b" or positive.ndim != 1 or positive.shape != values.shape:
            raise ValueError(
                f"{owner}: is_positive and score must be a column of True and False and a column "
                f"of numbers of one length, got {positive.dtype} of shape {positive.shape} and "
                f"shape {values.shape}"
            )
        if len(values) == 0 or not np.isfinite(values).all():
            raise ValueError(f"{owner}: score must have at least one row and be finite")
        weight = check_sample_weight(owner, sample_weight, len(values))
        if weight is None:
            weight = np.ones(len(values))
        elif not weight.all():
            used = weight > 0
            positive, values, weight = positive[used], values[used], weight[used]
        order = np.argsort(-values, kind="stable")
        values = values[order]
        last = np.append(np.flatnonzero(np.diff(values)), len(values) - 1)
        in_class = np.where(positive, weight, 0.0)[order]
        outside = np.where(positive, 0.0, weight)[order]
        return cls(values[last], np.cumsum(in_class)[last], np.cumsum(outside)[last])

    @property
    def n_positive(self) -> float:
        """Number of rows of the class."""
        return float(self.hits[-1])

    @property
    def n_negative(self) -> float:
        """Number of rows of the other classes."""
        return float(self.false_alarms[-1])

    @property
    def recall(self) -> FloatArray:
        """Share of the rows of the class that are found at each threshold; NaN without any."""
        return _share(self.hits, self.n_positive)

    @property
    def false_positive_rate(self) -> FloatArray:
        """Share of the other rows that are found at each threshold; NaN without any."""
        return _share(self.false_alarms, self.n_negative)

    @property
    def precision(self) -> FloatArray:
        """Share of the found rows that are of the class, at each threshold."""
        return np.asarray(self.hits / (self.hits + self.false_alarms))

    @property
    def area_under_roc(self) -> float:
        """Probability that a row of the class scores above another row; a tie counts half.

        NaN unless there are rows of the class and other rows.
        """
        if not (self.n_positive and self.n_negative):
            return float("nan")
        found = np.append(0.0, self.recall)
        return float(np.trapezoid(found, np.append(0.0, self.false_positive_rate)))

    @property
    def average_precision(self) -> float:
        """Sum over the thresholds of precision × the recall that the threshold adds.

        NaN without rows of the class.
        """
        if not self.n_positive:
            return float("nan")
        return float(np.diff(self.recall, prepend=0.0) @ self.precision)


def _share(counts: FloatArray, total: float) -> FloatArray:
    return np.asarray(counts / total if total else np.full(len(counts), np.nan))


__all__ = ["ThresholdCounts"]
