"""Mean and scatter of numbers by class: the statistics of normal distributions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.fitted_state import LARGEST_COUNT, check_floats


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, mean and scatter of each column in each class, without missing values.

    The scatter is Σ w (x - mean)². Two sets of rows add by mean and scatter (Chan, Golub and
    LeVeque 1979), not by sums of raw squares, in which digits cancel.

    Parameters
    ----------
    weight, mean, scatter : arrays of shape (n_columns, n_classes)
        The mean of a class without rows is 0.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[1.0], [3.0], [np.nan], [5.0]])
    >>> both = Moments.collect(x, np.array([0, 0, 0, 1]), n_classes=2)
    >>> both.mean, both.scatter
    (array([[2., 5.]]), array([[2., 0.]]))
    """

    weight: Array
    mean: Array
    scatter: Array

    @classmethod
    def collect(
        cls, numbers: Array, y: Array, n_classes: int, weight: Array | None = None
    ) -> Moments:
        """Collect the moments of the rows of `numbers` with classes y."""
        # After an overflow the scatter is not finite; models check it.
        with np.errstate(over="ignore", invalid="ignore"):
            return cls._collect(numbers, y, n_classes, weight)

    @classmethod
    def _collect(cls, numbers: Array, y: Array, n_classes: int, weight: Array | None) -> Moments:
        shape = (numbers.shape[1], n_classes)
        weights, means, scatters = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        weight_of_all = _sum_by_class(y, weight, None, n_classes)
        for j in range(numbers.shape[1]):
            values, classes, per_row = np.ascontiguousarray(numbers[:, j]), y, weight
            missing = np.isnan(values)
            weights[j] = weight_of_all
            if missing.any():
                there = ~missing
                values, classes = values[there], y[there]
                per_row = None if weight is None else weight[there]
                weights[j] = _sum_by_class(classes, per_row, None, n_classes)
            if n_classes == 1 and weight is None:  # several times as fast as sums by class
                means[j] = values.sum() / max(len(values), 1)
                centered = values - means[j]
                scatters[j] = centered @ centered
                continue
            sums = _sum_by_class(classes, per_row, values, n_classes)
            np.divide(sums, weights[j], out=means[j], where=weights[j] > 0)
            squares = values - means[j][classes]
            np.square(squares, out=squares)
            scatters[j] = _sum_by_class(classes, per_row, squares, n_classes)
        return cls(weight=weights, mean=means, scatter=scatters)

    def __add__(self, other: Moments) -> Moments:
        if not isinstance(other, Moments):
            return NotImplemented
        if self.mean.shape != other.mean.shape:
            raise ValueError(
                "moments add only if they have the same columns and classes, got shapes "
                f"{self.mean.shape} and {other.mean.shape}"
            )
        return _merge(self, other)

    def _check_fitted_state(self) -> None:
        shape = check_floats(self, "weight", None, None, low=0, high=LARGEST_COUNT).shape
        check_floats(self, "mean", *shape)
        check_floats(self, "scatter", *shape, low=0)

    def variance(self) -> Array:
        """Return scatter / (weight - 1), the unbiased variance if weights are numbers of rows.

        The divisor is at least weight / 2, its value for two rows, so that weights of any scale
        have a variance of the right size. The variance of at most one row is 0.

        >>> Moments(np.array([[3.0, 0.5]]), np.zeros((1, 2)), np.array([[8.0, 1.0]])).variance()
        array([[4., 4.]])
        """
        divisor = np.maximum(self.weight - 1, self.weight / 2)
        variance = np.zeros_like(self.scatter)
        np.divide(self.scatter, divisor, out=variance, where=self.weight > 0)
        return variance

    def pooled(self) -> Moments:
        """Return the moments of all classes together, as one class."""
        total = Moments(*(array[:, :1] for array in (self.weight, self.mean, self.scatter)))
        for c in range(1, self.mean.shape[1]):
            part = (array[:, c : c + 1] for array in (self.weight, self.mean, self.scatter))
            total = _merge(total, Moments(*part))
        return total


def _sum_by_class(y: Array, weight: Array | None, values: Array | None, n_classes: int) -> Array:
    """Return the weighted sum of the values of each class; None: all weights, or values, are 1."""
    if weight is None or values is None:
        factors = values if weight is None else weight
    else:
        factors = weight * values
    return np.bincount(y, factors, n_classes)


def _merge(a: Moments, b: Moments) -> Moments:
    weight = a.weight + b.weight
    share = np.divide(b.weight, weight, out=np.zeros_like(weight), where=weight > 0)
    with np.errstate(over="ignore", invalid="ignore"):
        difference = b.mean - a.mean
        return Moments(
            weight=weight,
            mean=a.mean + difference * share,
            scatter=a.scatter + b.scatter + difference**2 * a.weight * share,
        )
