"""Normal distributions of single columns in naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from augury.arrays import Array
from augury.counts import Moments
from augury.encode import CategoricalTable

# Larger deviations from the mean, in standard deviations, are set to this number.
_FARTHEST = 1e140

_TINY = np.finfo(np.float64).tiny

# Constants of WEKA: the precision of a column with one value, the standard deviation that is
# treated as zero, and the smallest factor.
_PRECISION_OF_ONE_VALUE = 0.01
_NO_DEVIATION = 1e-10
_SMALLEST_FACTOR = 1e-75


class NormalColumns(Protocol):
    """A treatment of normal columns: how they are collected, estimated and predicted."""

    def of_column(self, j: int) -> NormalColumns:
        """Return the treatment of column j alone."""

    def as_counted(self, numbers: Array) -> Array:
        """Return the numbers whose moments are collected."""

    def estimate(self, moments: Moments) -> tuple[Array, Array]:
        """Return mean and variance, of shape (n_columns, n_classes)."""

    def log_factors(self, numbers: Array, j: int, mean: Array, variance: Array) -> Array:
        """Return log p(x_j | c) of column j for each row and class; 0 where it is missing."""


@dataclass(frozen=True, eq=False)
class DensityColumns:
    """Density of a normal distribution with the unbiased variance.

    Parameters
    ----------
    variance_floor : float
        Smallest variance, as a share of the variance of the column over all classes.

    Examples
    --------
    >>> columns, x = DensityColumns(variance_floor=0.01), np.array([[1.0], [3.0], [7.0]])
    >>> mean, variance = columns.estimate(Moments.collect(x, np.array([0, 0, 1]), n_classes=2))
    >>> mean, variance.round(2)  # the class with one row has the variance of all three
    (array([[2., 7.]]), array([[2.  , 9.33]]))
    """

    variance_floor: float

    def of_column(self, j: int) -> DensityColumns:
        """Return self: all columns are treated in the same way."""
        return self

    def as_counted(self, numbers: Array) -> Array:
        """Return the numbers as they are."""
        return numbers

    def estimate(self, moments: Moments) -> tuple[Array, Array]:
        """Return mean and variance, of shape (n_columns, n_classes)."""
        overall = moments.pooled()
        spread = overall.variance()
        # A column that does not vary contributes nothing; any variance will do.
        spread[spread == 0] = 1.0
        mean = np.where(moments.weight > 0, moments.mean, overall.mean)
        # The scatter of a class with at most one distinct row is a rounding error.
        rounding = moments.weight * (4 * np.finfo(np.float64).eps * moments.mean) ** 2
        own = (moments.weight > 1) | (moments.scatter > rounding)
        variance = np.where(own, moments.variance(), spread)
        floor = np.maximum(self.variance_floor * spread, _TINY)
        return mean, np.maximum(variance, floor)

    def log_factors(self, numbers: Array, j: int, mean: Array, variance: Array) -> Array:
        """Return the log density of column j for each row and class; 0 where it is missing."""
        values = np.ascontiguousarray(numbers[:, j])
        with np.errstate(over="ignore"):
            z = values - _by_class(mean[j])
            z /= _by_class(np.sqrt(variance[j]))
        # At this distance all classes are equally likely; the squares of all columns still add.
        np.clip(z, -_FARTHEST, _FARTHEST, out=z)
        density: Array = np.square(z, out=z)
        density += _by_class(np.log(2 * np.pi * variance[j]))
        density *= -0.5
        density[:, np.isnan(values)] = 0.0
        return density.T


def _by_class(parameters: Array) -> Array:
    """Return parameters of shape (n_classes,) or (n_rows, n_classes) with the classes first.

    NumPy is several times as fast on a few long rows as on many rows of a few classes.
    """
    return np.atleast_2d(parameters).T


@dataclass(frozen=True, eq=False)
class IntervalColumns:
    """Probability of an interval around the value under a normal distribution, as in WEKA.

    Values are rounded to multiples of the column's precision δ, and
    p(x | c) = Φ((x + δ/2 - mean) / σ) - Φ((x - δ/2 - mean) / σ), at least 1e-75, where σ² is
    Σ w (x - mean)² / Σ w and σ at least δ/6. (WEKA's NaiveBayes and NormalEstimator. WEKA
    subtracts above the mean too, where both Φ are nearly 1: beyond 8.3 σ the factor is 1e-75.)

    Parameters
    ----------
    precision : array of shape (n_columns,)
        See `DistinctNumbers`.

    Examples
    --------
    >>> columns, x = IntervalColumns(np.array([2.0])), np.array([[0.9], [2.2], [5.1]])
    >>> columns.as_counted(x).ravel()
    array([0., 2., 6.])
    """

    precision: Array

    def of_column(self, j: int) -> IntervalColumns:
        """Return the treatment of column j alone, by its precision."""
        return IntervalColumns(self.precision[[j]])

    def as_counted(self, numbers: Array) -> Array:
        """Return the numbers rounded to the nearest multiple of the precision, 0.5 to even."""
        with np.errstate(over="ignore", invalid="ignore"):
            rounded: Array = numbers / self.precision
            np.rint(rounded, out=rounded)
            rounded *= self.precision
        # If the quotient overflows, rounding makes no difference.
        np.copyto(rounded, numbers, where=~np.isfinite(rounded))
        return rounded

    def estimate(self, moments: Moments) -> tuple[Array, Array]:
        """Return mean and variance; those of a class without values are 0 and (δ/6)²."""
        variance = np.zeros_like(moments.scatter)
        np.divide(moments.scatter, moments.weight, out=variance, where=moments.weight > 0)
        # NormalEstimator: "We really have no idea of scale yet".
        variance[np.sqrt(variance) <= _NO_DEVIATION] = 0.0
        floor = np.maximum((self.precision / 6) ** 2, _TINY)
        return moments.mean, np.maximum(variance, floor[:, None])

    def log_factors(self, numbers: Array, j: int, mean: Array, variance: Array) -> Array:
        """Return the log probability of the interval; 0 where the value is missing."""
        value = IntervalColumns(self.precision[j]).as_counted(numbers[:, j])
        if mean.ndim == 2:  # all rows have the same moments, so equal values have equal factors
            distinct, place = np.unique(value, return_inverse=True)
            if 2 * len(distinct) <= len(value):
                factors = self._log_probability(distinct, j, mean, variance)
                return np.asarray(factors[place])
        return self._log_probability(value, j, mean, variance)

    def _log_probability(self, value: Array, j: int, mean: Array, variance: Array) -> Array:
        half, deviation = self.precision[j] / 2, np.sqrt(variance[j])
        with np.errstate(over="ignore"):
            from_mean = value[:, None] - mean[j]
            factor = ndtr((from_mean + half) / deviation) - ndtr((from_mean - half) / deviation)
        log_factor: Array = np.log(np.maximum(factor, _SMALLEST_FACTOR))
        log_factor[np.isnan(value)] = 0.0
        return log_factor


@dataclass(frozen=True, eq=False)
class DistinctNumbers:
    """The distinct values of each column of numbers, sorted; missing values are ignored; they add.

    Notes
    -----
    Values that differ in the last digit are distinct. The precision of probabilities that were
    multiplied may therefore differ from that of the same probabilities computed by logs. All
    distinct values are in memory at once.

    Examples
    --------
    >>> first = DistinctNumbers.of(np.array([[1.0, 5.0], [2.0, np.nan]]))
    >>> (first + DistinctNumbers.of(np.array([[4.0, 5.0]]))).mean_differences()
    array([1.5 , 0.01])
    """

    values: tuple[Array, ...]

    @classmethod
    def of(cls, numbers: Array) -> DistinctNumbers:
        """Return the distinct values of an array of shape (n_rows, n_columns)."""
        return cls(tuple(np.unique(column[~np.isnan(column)]) for column in numbers.T))

    @classmethod
    def collect(cls, table: CategoricalTable, _: Array, weight: Array | None) -> DistinctNumbers:
        """Return the distinct values of the rows with a positive weight."""
        return cls.of(table.numbers if weight is None else table.numbers[weight > 0])

    def __add__(self, other: DistinctNumbers) -> DistinctNumbers:
        return DistinctNumbers(tuple(map(np.union1d, self.values, other.values)))

    def mean_differences(self) -> Array:
        """Return the mean difference between adjacent distinct values of each column.

        It is 0.01 for a column with one value.
        """
        return np.array([_mean_difference(values) for values in self.values])


def _mean_difference(values: Array) -> float:
    if len(values) < 2:
        return _PRECISION_OF_ONE_VALUE
    # The differences are added one after another, as in WEKA: the last digit of the sum decides
    # how a value halfway between two multiples is rounded.
    with np.errstate(over="ignore"):
        return float(np.cumsum(np.diff(values))[-1] / (len(values) - 1))
