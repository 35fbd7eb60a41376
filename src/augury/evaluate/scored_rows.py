"""Test rows: their true classes, and what a model predicts for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray, IntegerArray
from augury.evaluate.losses import check_distributions
from augury.evaluate.threshold_counts import ThresholdCounts
from augury.validation import check_integer, check_sample_weight


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """True classes of test rows and what a model predicts for them.

    Attributes
    ----------
    codes : array of shape (n_samples,)
        True classes, 0, …, n_classes - 1.
    predicted : array of shape (n_samples,)
        Predicted classes; -1 for a prediction that is no class, which counts as wrong.
    probabilities : array of shape (n_samples, n_classes) or None
        p(c | x); None for a model without probabilities.
    weight : array of shape (n_samples,) or None
        Weights of the rows: a row of weight 2 counts like two rows.
    n_classes : int
        Number of declared classes, those without rows included.
    positive : int
        With two classes, the class whose average precision is meant: by default 1.
    """

    codes: IntegerArray
    predicted: IntegerArray
    probabilities: FloatArray | None
    weight: FloatArray | None
    n_classes: int
    positive: int

    @classmethod
    def of(
        cls,
        codes: ArrayLike,
        predicted: ArrayLike,
        probabilities: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        n_classes: int | None = None,
        positive: int = 1,
    ) -> ScoredRows:
        """Check the columns; without `n_classes` it is that of the probabilities or codes.

        >>> rows = ScoredRows.of([0, 0, 1], [0, 1, 1])
        >>> rows.n_classes, rows.confusion.tolist()
        (2, [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
        """
        owner = "ScoredRows"
        true, guess = np.asarray(codes), np.asarray(predicted)
        if true.ndim != 1 or true.shape != guess.shape or not len(true):
            raise ValueError(
                f"{owner}: codes and predicted must be two columns of one length, with at least "
                f"one row, got shapes {true.shape} and {guess.shape}"
            )
        for name, column, least in (("codes", true, 0), ("predicted", guess, -1)):
            if column.dtype.kind not in "iu" or column.min() < least:
                raise ValueError(f"{owner}: {name} must be integers >= {least}")
        distribution = None
        if probabilities is not None:
            true, distribution = check_distributions(owner, true, probabilities)
            n_classes = distribution.shape[1] if n_classes is None else n_classes
        largest = int(max(true.max(), guess.max()))
        n_classes = max(2, largest + 1) if n_classes is None else n_classes
        n_classes = check_integer(owner, "n_classes", n_classes, at_least=1)
        if largest >= n_classes:
            raise ValueError(
                f"{owner}: codes and predicted must be below n_classes = {n_classes}, got {largest}"
            )
        if distribution is not None and distribution.shape[1] != n_classes:
            raise ValueError(
                f"{owner}: probabilities must have n_classes = {n_classes} columns, "
                f"got {distribution.shape[1]}"
            )
        weight = check_sample_weight(owner, sample_weight, len(true))
        return cls(true, guess, distribution, weight, n_classes, positive)

    @property
    def confusion(self) -> FloatArray:
        """Weight of the rows of each true (row) and predicted class; no class is the last."""
        width = self.n_classes + 1
        cells = self.codes.astype(np.intp) * width + self.predicted % width
        counts = np.bincount(cells, self.weight, self.n_classes * width)
        return counts.reshape(self.n_classes, width).astype(np.float64)

    def thresholds_of(self, code: int) -> ThresholdCounts:
        """Return the rows of a class and other rows above each threshold of its probability."""
        if self.probabilities is None:
            raise ValueError("ScoredRows: the model has no probabilities, and so no thresholds")
        return ThresholdCounts.collect(self.codes == code, self.probabilities[:, code], self.weight)


__all__ = ["ScoredRows"]
