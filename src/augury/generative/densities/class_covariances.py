"""Means and covariances of normal classes, from scatter matrices by class."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array
from augury.counts.class_scatter import ClassScatter

# Smaller deviations, as a share of the numbers themselves, are rounding errors.
ROUNDING = 8 * np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class ClassCovariances:
    """Means and covariances of the columns that vary; the other columns are left out.

    Parameters
    ----------
    statistics : ClassScatter
    unbiased : divide by n_k - 1 and n - q instead of by n_k and n
    """

    statistics: ClassScatter
    unbiased: bool

    @cached_property
    def varying(self) -> Array:
        """Indices of the columns that are not the same in all rows."""
        mean, variance = self.statistics.total_mean, self.statistics.total_variance
        return np.flatnonzero(variance > (ROUNDING * mean) ** 2)

    @cached_property
    def center(self) -> Array:
        """Mean of all rows."""
        center: Array = self.statistics.total_mean[self.varying]
        return center

    @cached_property
    def scale(self) -> Array:
        """Standard deviation over all rows."""
        return np.sqrt(self.statistics.total_variance[self.varying])

    @cached_property
    def means(self) -> Array:
        """Mean of each class; that of all rows for a class without rows."""
        own = self.statistics.mean[:, self.varying]
        return np.where(self.statistics.weight[:, None] > 0, own, self.center)

    @cached_property
    def shared(self) -> Array:
        """Covariance within the classes, the same for all.

        If no class has two different rows, it is unknown; it is then the diagonal matrix of
        the variances over all rows.
        """
        weight = self.statistics.weight
        divisor = weight.sum() - (weight > 0).sum() if self.unbiased else weight.sum()
        within = self._columns(self.statistics.within())
        if divisor <= 0 or self._is_nothing(within.diagonal() / weight.sum()):
            return np.diag(self.scale**2)
        covariance: Array = within / divisor
        return covariance

    def own(self, k: int) -> Array:
        """Return the covariance of class k; the shared one if its rows do not differ."""
        weight = self.statistics.weight[k]
        divisor = weight - 1 if self.unbiased else weight
        if divisor <= 0:
            return self.shared
        covariance: Array = self._columns(self.statistics.scatter[k]) / divisor
        return self.shared if self._is_nothing(covariance.diagonal()) else covariance

    def in_all_columns(self, covariance: Array) -> Array:
        """Return the covariance with zeros for the columns that do not vary."""
        n_columns = self.statistics.mean.shape[1]
        whole = np.zeros((n_columns, n_columns))
        whole[np.ix_(self.varying, self.varying)] = covariance
        return whole

    def _columns(self, matrix: Array) -> Array:
        if len(self.varying) == len(matrix):
            return matrix
        part: Array = matrix[np.ix_(self.varying, self.varying)]
        return part

    def _is_nothing(self, variance: Array) -> bool:
        return not (variance > ROUNDING**2 * (self.center**2 + self.scale**2)).any()
