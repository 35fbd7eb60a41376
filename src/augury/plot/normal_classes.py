"""Normal distributions of the classes of a fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.arrays import FloatArray
from augury.generative import (
    LinearDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
)


@dataclass(frozen=True, slots=True, eq=False)
class NormalClasses:
    """Mean and covariance of each class over some columns.

    Attributes
    ----------
    names : list of str
        The columns.
    means : array of shape (n_classes, n_columns)
    covariances : array of shape (n_classes, n_columns, n_columns)

    Examples
    --------
    >>> one = NormalClasses(["x", "y"], np.zeros((1, 2)), np.array([[[4.0, 0.0], [0.0, 1.0]]]))
    >>> axes = one.ellipse(0, n_deviations=2)
    >>> axes.lengths, abs(axes.angle)  # half axes: two times √4 and √1, the longer along x
    (array([4., 2.]), 0.0)
    """

    names: list[str]
    means: FloatArray
    covariances: FloatArray

    @classmethod
    def of(cls, model: Any) -> NormalClasses | None:
        """Return the distributions that a fitted model uses, its ridge included.

        They are those of linear, quadratic and regularised discriminant analysis, and of the
        continuous columns of naive Bayes with normal densities, whose covariances are diagonal.
        Any other model has None.
        """
        if isinstance(model, LinearDiscriminantAnalysis):
            spread = np.diag(model.statistics_.total_variance)
            shared = model.covariance_ + model.ridge_ * spread
            repeated = np.repeat(shared[None], len(model.classes_), axis=0)
            return cls(list(model.column_names_), model.means_, repeated)
        if isinstance(model, QuadraticDiscriminantAnalysis):
            spread = np.diag(model.statistics_.total_variance)
            own = model.covariances_ + model.ridge_[:, None, None] * spread
            return cls(list(model.column_names_), model.means_, own)
        if isinstance(model, NaiveBayes) and model.continuous in ("gaussian", "interval"):
            diagonal = np.stack([np.diag(column) for column in model.variance_.T])
            return cls(list(model.encoder_.number_names_), model.mean_.T, diagonal)
        return None

    def select(self, names: list[str]) -> NormalClasses | None:
        """Return the marginal distributions of some columns.

        It is None if a column is not one of these, or is the same in all rows.
        """
        if not set(names) <= set(self.names):
            return None
        at = [self.names.index(name) for name in names]
        covariances = self.covariances[np.ix_(range(len(self.means)), at, at)]
        if not (np.diagonal(covariances, axis1=1, axis2=2) > 0).all():
            return None
        return NormalClasses(names, self.means[:, at], covariances)

    def density(self, k: int, rows: FloatArray) -> FloatArray:
        """Return the density of class k at each row."""
        covariance = self.covariances[k]
        deviations = rows - self.means[k]
        squares = np.einsum("ij,ij->i", deviations, np.linalg.solve(covariance, deviations.T).T)
        return np.asarray(np.exp(-0.5 * squares) * self.peak(k))

    def peak(self, k: int) -> float:
        """Return the density of class k at its mean."""
        sign, log_determinant = np.linalg.slogdet(2.0 * np.pi * self.covariances[k])
        assert sign > 0, "a covariance is positive definite"
        return float(np.exp(-0.5 * log_determinant))

    def ellipse(self, k: int, n_deviations: float) -> EllipseAxes:
        """Return the half axes of the ellipse of `n_deviations` in two columns."""
        values, vectors = np.linalg.eigh(self.covariances[k])  # ascending
        direction = vectors[:, 1]
        angle = float(np.degrees(np.arctan2(direction[1], direction[0])))
        # An axis has no direction: angles are from -90 to 90 degrees.
        angle = (angle + 90.0) % 180.0 - 90.0
        return EllipseAxes(n_deviations * np.sqrt(values[::-1]), angle)


@dataclass(frozen=True, slots=True, eq=False)
class EllipseAxes:
    """Half axes of an ellipse, the longer one first, and the angle of the longer one in degrees."""

    lengths: FloatArray
    angle: float


__all__ = ["EllipseAxes", "NormalClasses"]
