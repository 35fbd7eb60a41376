"""Kernel densities of single columns in naive Bayes, and the widths of their kernels."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from augury.arrays import Array
from augury.counts import ClassValues, Moments
from augury.counts.class_values import UNMERGED, Values
from augury.generative.densities.kernel_density import KernelDensity
from augury.generative.densities.normal_columns import DensityColumns

BANDWIDTHS = ("silverman", "weka")

# The smallest width: its square is a normal number.
SMALLEST_WIDTH = 1e-150
# WEKA's precision of a column with one value.
_PRECISION_OF_ONE_VALUE = 0.01


@dataclass(frozen=True, eq=False)
class KernelWidths:
    """Rule for the width of the kernels of a column in a class.

    With the weight n of the class, its standard deviation s, the distance q of its quartiles and
    the range r of its values, the width is

    - "silverman": 0.9 min(s, q / 1.34) n^(-1/5), where min is s if q is 0, and at least √f times
      the standard deviation of the whole column, f = `variance_floor`;
    - "weka": r / √n, at least δ / 6, where δ is the mean difference between adjacent distinct
      values of the column, 0.01 if there is one value;
    - a number b: b s.

    The standard deviation is that of `DensityColumns`. A column with one value has the width 1 in
    every class, so that it contributes nothing.

    Examples
    --------
    >>> x, y = np.array([[0.0], [2.0], [4.0], [7.0]]), np.array([0, 0, 1, 1])
    >>> values, moments = ClassValues.collect(x, y, 2), Moments.collect(x, y, 2)
    >>> KernelWidths(0.5, 0.01).learn(values, moments)[0].round(3)  # deviations √2 and √4.5
    array([[0.707, 1.061]])
    >>> KernelWidths("weka", 0.01).learn(values, moments)[0].round(3)  # 2 / √2 and 3 / √2
    array([[1.414, 2.121]])
    """

    bandwidth: str | float
    variance_floor: float

    def learn(self, values: ClassValues, moments: Moments) -> tuple[Array, Array]:
        """Return the widths of each column and class, and of each column over all classes."""
        own = np.sqrt(DensityColumns(self.variance_floor).estimate(moments)[1])
        overall = np.sqrt(DensityColumns(self.variance_floor).estimate(moments.pooled())[1][:, 0])
        floor = np.sqrt(self.variance_floor) * overall
        width, pooled_width = np.ones_like(own), np.ones_like(overall)
        for j in range(len(own)):
            pooled = values.pooled(j)
            if len(pooled.value) == 1 and pooled.level == UNMERGED:
                continue
            precision = _mean_difference(pooled)
            pooled_width[j] = self._width(pooled, float(overall[j]), float(floor[j]), precision)
            for k in range(own.shape[1]):
                width[j, k] = self._width(
                    values.of(j, k), float(own[j, k]), float(floor[j]), precision
                )
        return np.maximum(width, SMALLEST_WIDTH), np.maximum(pooled_width, SMALLEST_WIDTH)

    def _width(self, values: Values, deviation: float, floor: float, precision: float) -> float:
        n = max(values.total, 1.0)
        scale: float = n**-0.2
        if self.bandwidth == "weka":
            return max(values.range / sqrt(n), precision / 6)
        if self.bandwidth == "silverman":
            between = values.quartile_distance() / 1.34
            spread = min(deviation, between) if between > 0 else deviation
            return 0.9 * max(spread, floor) * scale
        return float(self.bandwidth) * deviation


def _mean_difference(values: Values) -> float:
    n = len(values.value)
    return values.range / (n - 1) if n > 1 else _PRECISION_OF_ONE_VALUE


@dataclass(frozen=True, eq=False)
class KernelColumns:
    """Kernel densities of columns in classes. A class without values has that of the column.

    Parameters
    ----------
    values : ClassValues
    width : array of shape (n_columns, n_classes)
    pooled_width : array of shape (n_columns,)
        Width for a class without values.
    """

    values: ClassValues
    width: Array
    pooled_width: Array

    def log_factors(self, numbers: Array, j: int) -> Array:
        """Return log p(x_j | c) of column j for each row and class; 0 where it is missing."""
        x, there = _known(numbers[:, j])
        factors = np.zeros((len(numbers), self.width.shape[1]))
        for k in range(factors.shape[1]):
            density = self._density(j, k)
            if density is not None:
                factors[there, k] = density.log_density(x)
        return factors

    def log_factors_without(self, numbers: Array, j: int, y: Array, weight: Array) -> Array:
        """Return `log_factors` of counted rows, without this weight of the row itself.

        The widths are those of all rows. The factors of a row that was not counted are NaN.
        """
        factors = self.log_factors(numbers, j)
        there = ~np.isnan(numbers[:, j])
        for k in range(factors.shape[1]):
            own = self._own_density(j, k)
            rows = np.flatnonzero(there & (y == k))
            if own is not None:
                factors[rows, k] = own.log_density_without(numbers[rows, j], weight[rows])
            elif len(rows):
                factors[rows, k] = np.nan
            # The density of the whole column, for a class in which no other row is left.
            alone = np.flatnonzero(there) if own is None else rows[np.isneginf(factors[rows, k])]
            pooled = self._pooled_density(j)
            if pooled is not None and len(alone):
                found = pooled.log_density_without(numbers[alone, j], weight[alone])
                # No row is left in any class; all classes are equally likely.
                factors[alone, k] = np.where(np.isneginf(found), 0.0, found)
        return factors

    def _density(self, j: int, k: int) -> KernelDensity | None:
        return self._own_density(j, k) or self._pooled_density(j)

    def _own_density(self, j: int, k: int) -> KernelDensity | None:
        values = self.values.of(j, k)
        return KernelDensity(values, float(self.width[j, k])) if len(values.value) else None

    def _pooled_density(self, j: int) -> KernelDensity | None:
        values = self.values.pooled(j)
        return KernelDensity(values, float(self.pooled_width[j])) if len(values.value) else None


def _known(column: Array) -> tuple[Array, Array | slice]:
    """Return the numbers that are not missing, and where they are."""
    missing = np.isnan(column)
    if not missing.any():
        return np.ascontiguousarray(column), slice(None)
    return column[~missing], ~missing
