"""Mean and scatter matrix of rows by class: the statistics of multivariate normal classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from augury.arrays import Array
from augury.fitted_state import LARGEST_COUNT, check_floats, require
from augury.memory import require_bytes

# Matrices of the same size that are in memory while one is added to, scaled and factored.
_MATRICES_TO_FACTOR = 5
# Cells of the rows that are centred at once, so that they stay in the processor's cache.
_BLOCK_CELLS = 1 << 17


@dataclass(frozen=True, eq=False)
class ClassScatter:
    """Weight, mean and scatter matrix of the rows of each class.

    The scatter is Σ w (x - mean)(x - mean)ᵀ. Two sets of rows add by mean and scatter
    (Chan, Golub and LeVeque 1979, for matrices), not by sums of raw products, in which digits
    cancel:

        S = S_a + S_b + (w_a w_b / w) (mean_b - mean_a)(mean_b - mean_a)ᵀ

    Parameters
    ----------
    weight : array of shape (n_classes,)
    mean : array of shape (n_classes, n_columns)
        The mean of a class without rows is 0.
    scatter : array of shape (n_classes, n_columns, n_columns), or (1, n_columns, n_columns)
        If `pooled`, the one matrix is the sum over the classes, each about its own mean.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0, 0.0], [2.0, 4.0], [5.0, 5.0]])
    >>> both = ClassScatter.collect(x, np.array([0, 0, 1]), n_classes=2)
    >>> both.mean
    array([[1., 2.],
           [5., 5.]])
    >>> both.scatter[0]
    array([[2., 4.],
           [4., 8.]])
    """

    weight: Array
    mean: Array
    scatter: Array

    @classmethod
    @np.errstate(over="ignore", invalid="ignore")  # models refuse what is not finite
    def collect(
        cls,
        matrix: Array,
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        pooled: bool = False,
    ) -> ClassScatter:
        """Collect rows of numbers (none missing) with classes y.

        `pooled` keeps only the sum of the scatter matrices of the classes. It is sufficient for
        a shared covariance and takes 1 / n_classes of the memory.
        """
        n_samples, n_columns = matrix.shape
        weights = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        n_matrices = (1 if pooled else n_classes) + _MATRICES_TO_FACTOR
        require_bytes(
            8 * n_matrices * n_columns**2,
            f"the covariances of {n_columns:,} columns (an indicator of a state is one)",
            advice="use fewer columns, group labels of columns with many, or take a model without "
            "covariances, such as NaiveBayes or LogisticRegression",
        )
        scatter = np.zeros((1 if pooled else n_classes, n_columns, n_columns))
        if n_samples == 0:
            return cls(weights, np.zeros((n_classes, n_columns)), scatter)
        # Relative to the first row, a column that does not vary has a scatter of exactly 0.
        origin = matrix[0]
        offset = _class_means(matrix, origin, y, weights, weight)
        for rows in _blocks(n_samples, n_columns):
            classes, part = y[rows], matrix[rows]
            if not pooled:  # rows of a class become adjacent
                order = np.argsort(classes, kind="stable")
                classes, part = classes[order], part[order]
            centred = np.subtract(part, origin, order="C")
            centred -= offset[classes]
            if weight is not None:
                per_row = weight[rows] if pooled else weight[rows][order]
                centred *= np.sqrt(per_row)[:, None]
            if pooled:
                scatter[0] += centred.T @ centred
                continue
            ends = np.searchsorted(classes, np.arange(n_classes + 1))
            for c in np.flatnonzero(np.diff(ends)):
                own = centred[ends[c] : ends[c + 1]]
                scatter[c] += own.T @ own
        mean = np.where(weights[:, None] > 0, origin + offset, 0.0)
        return cls(weight=weights, mean=mean, scatter=scatter)

    def __add__(self, other: ClassScatter) -> ClassScatter:
        if not isinstance(other, ClassScatter):
            return NotImplemented
        if self.mean.shape != other.mean.shape or self.scatter.shape != other.scatter.shape:
            raise ValueError(
                "scatter matrices add only if they have the same classes and columns, got shapes "
                f"{self.scatter.shape} and {other.scatter.shape}, means of shapes "
                f"{self.mean.shape} and {other.mean.shape}"
            )
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        difference = other.mean - self.mean
        spread = np.sqrt(self.weight * share)[:, None] * difference
        scatter = self.scatter + other.scatter
        if self.pooled:
            scatter[0] += spread.T @ spread
        else:
            scatter += spread[:, :, None] * spread[:, None, :]
        # If one side has no rows, the mean is exactly that of the other side.
        mean = np.where(share[:, None] == 1, other.mean, self.mean + difference * share[:, None])
        return ClassScatter(weight=weight, mean=mean, scatter=scatter)

    def _check_fitted_state(self) -> None:
        n_classes = len(check_floats(self, "weight", None, low=0, high=LARGEST_COUNT))
        n_columns = check_floats(self, "mean", n_classes, None).shape[1]
        n_matrices = len(check_floats(self, "scatter", None, n_columns, n_columns))
        require(n_matrices in (1, n_classes), self, "scatter", "one matrix, or one for each class")

    @property
    def pooled(self) -> bool:
        """Whether only the sum of the scatter matrices of the classes is kept."""
        return len(self.scatter) != len(self.mean)

    @property
    def total_mean(self) -> Array:
        """Mean of all rows."""
        rows = self.weight > 0
        if not rows.any():
            return np.zeros(self.mean.shape[1])
        origin = self.mean[rows][0]  # so that the mean of equal means is exact
        mean: Array = origin + self.weight[rows] @ (self.mean[rows] - origin) / self.weight.sum()
        return mean

    @property
    @np.errstate(over="ignore", invalid="ignore")
    def total_variance(self) -> Array:
        """Variance of each column over all rows, within and between the classes, over n."""
        within = self.scatter.diagonal(axis1=1, axis2=2).sum(axis=0)
        between = self.weight @ (self.mean - self.total_mean) ** 2
        variance: Array = (within + between) / max(self.weight.sum(), np.finfo(np.float64).tiny)
        return variance

    def within(self) -> Array:
        """Return the scatter about the class means, summed over the classes."""
        return self.scatter[0] if self.pooled else np.asarray(self.scatter.sum(axis=0))


def _blocks(n_samples: int, n_columns: int) -> list[slice]:
    step = max(1024, _BLOCK_CELLS // max(n_columns, 1))
    return [slice(start, start + step) for start in range(0, n_samples, step)]


def _class_means(
    matrix: Array, origin: Array, y: Array, weights: Array, weight: Array | None
) -> Array:
    """Return the mean of the rows of each class, relative to the origin."""
    sums = np.zeros((len(weights), matrix.shape[1]))
    for rows in _blocks(*matrix.shape):
        classes = y[rows]
        per_row = np.ones(len(classes)) if weight is None else weight[rows]
        shape = (len(classes), len(weights))
        members = csr_array((per_row, classes, np.arange(len(classes) + 1)), shape=shape)
        sums += members.T @ (matrix[rows] - origin)
    return np.divide(sums, weights[:, None], out=np.zeros_like(sums), where=weights[:, None] > 0)
