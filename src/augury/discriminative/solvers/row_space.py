"""Linear models with fewer rows than terms, in the space of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from augury.arrays import Array
from augury.foreign import Matrix

# Terms that are multiplied at once.
_TERMS_AT_ONCE = 2048
# Directions in which the rows vary less than this share of the largest are rounding errors.
_NEGLIGIBLE = 1e-14


@dataclass(frozen=True, eq=False)
class RowSpace:
    """A matrix M of few rows and many terms, rotated to as many terms as it has rows.

    The coefficients that minimise Σ loss(M β) + |β|² / 2 are combinations of the rows, β = Mᵀ α
    (the representer theorem). With the eigenvectors M Mᵀ = Q S Qᵀ, the rotated rows are Q √S, and
    the coefficients are β = Mᵀ Q S^(-1/2) γ, where γ minimises the same loss over rotated rows.

    Attributes
    ----------
    rows : array of shape (n_rows, rank), the rotated rows
    matrix : the matrix M without its last term, which is a one
    weights : array of shape (n_rows, rank), Q S^(-1/2)

    References
    ----------
    T. Hastie, R. Tibshirani (2004): Efficient quadratic regularization for expression arrays.
    Biostatistics 5, 329-340.

    Examples
    --------
    >>> space = RowSpace.of(np.array([[3.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> beta = space.coefficients(np.array([1.0, 2.0]))
    >>> bool(np.allclose(space.rows @ [1.0, 2.0], [3 * beta[0] + beta[3], beta[2] + beta[3]]))
    True
    """

    rows: Array
    matrix: Matrix
    weights: Array

    @classmethod
    def of(cls, matrix: Matrix) -> RowSpace:
        """Rotate a matrix, to which a term of ones is added."""
        products = np.ones((matrix.shape[0], matrix.shape[0]))
        by_term = matrix.tocsc() if sparse.issparse(matrix) else matrix
        for start in range(0, matrix.shape[1], _TERMS_AT_ONCE):
            part = by_term[:, start : start + _TERMS_AT_ONCE]
            dense = part.toarray() if sparse.issparse(part) else part
            products += dense @ dense.T
        variances, directions = np.linalg.eigh(products)
        kept = variances > _NEGLIGIBLE * variances.max()
        root = np.sqrt(variances[kept])
        return cls(directions[:, kept] * root, matrix, directions[:, kept] / root)

    def coefficients(self, rotated: Array) -> Array:
        """Return the coefficients of all terms, that of the one last."""
        alpha = self.weights @ rotated
        return np.append(self.matrix.T @ alpha, alpha.sum())


__all__ = ["RowSpace"]
