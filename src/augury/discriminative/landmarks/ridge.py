"""Ridge regression of class indicators on kernels of landmarks, and its leave-one-out outputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array

from augury.arrays import Array, FloatArray, IntegerArray

# Added to the diagonal of the kernel of the landmarks, so that it has a Cholesky factor.
_JITTER = 1e-6
# Eigenvalues below this are rounding errors; the smallest penalty is 1e5 times as large.
_SMALLEST_EIGENVALUE = 1e-7
# Least share of a row in its own residual; it is reached only where one row has all the weight.
_SMALLEST_REST = 1e-9


@dataclass(frozen=True, eq=False)
class KernelMoments:
    """Sums over training rows: of the weight, of kernels k, of products k kᵀ and k yᵀ.

    y has the indicators of the classes.
    """

    class_weight: FloatArray
    kernel: FloatArray
    products: FloatArray
    of_classes: FloatArray

    def __add__(self, other: KernelMoments) -> KernelMoments:
        return KernelMoments(
            self.class_weight + other.class_weight,
            self.kernel + other.kernel,
            self.products + other.products,
            self.of_classes + other.of_classes,
        )

    @classmethod
    def collect(
        cls, kernel: FloatArray, y: IntegerArray, weight: Array | None, n_classes: int
    ) -> KernelMoments:
        """Return the sums of rows, given the kernels of each row with the landmarks."""
        weights = np.ones(len(y)) if weight is None else weight
        # The sums of each class take one addition for each row, not one for each row and class.
        indicators = csr_array((weights, (y, np.arange(len(y)))), shape=(n_classes, len(y)))
        # The product of an array with itself takes half the time of another product.
        rooted = kernel if weight is None else kernel * np.sqrt(weight)[:, None]
        return cls(
            np.bincount(y, weights, minlength=n_classes).astype(np.float64),
            kernel.sum(axis=0) if weight is None else weight @ kernel,
            rooted.T @ rooted,
            (indicators @ kernel).T,
        )


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """Ridge regressions of class indicators for every penalty, by one eigendecomposition.

    The regression of a class c minimises Σ_i w_i (y_ic - b - kᵢᵀ α)² + λ αᵀ K α, where kᵢ are the
    kernels of row i with the landmarks and K those of the landmarks with each other. In the basis
    C with Cᵀ K C = S⁻¹ and Cᵀ G C = I, where G = Σ w (k - k̄)(k - k̄)ᵀ and S is diagonal, the
    regression shrinks each coefficient by s / (s + λ).

    Attributes
    ----------
    weight : weight of all rows
    prior : array of shape (n_classes,), shares of the classes
    mean : array of shape (n_landmarks,), k̄
    basis : array of shape (n_landmarks, rank), C
    eigenvalues : array of shape (rank,), s
    projections : array of shape (rank, n_classes), Σ w Cᵀ (k - k̄) (y - prior)ᵀ
    """

    weight: float
    prior: FloatArray
    mean: FloatArray
    basis: FloatArray
    eigenvalues: FloatArray
    projections: FloatArray

    @classmethod
    def of(cls, moments: KernelMoments, landmark_kernel: FloatArray) -> KernelRidge:
        """Decompose the products; `landmark_kernel` is K."""
        weight = float(moments.class_weight.sum())
        prior = moments.class_weight / weight
        mean = moments.kernel / weight
        centred = moments.products - weight * np.outer(mean, mean)
        jitter = _JITTER * np.eye(len(mean))
        lower = np.linalg.cholesky(landmark_kernel + jitter)
        half = solve_triangular(lower, centred, lower=True, check_finite=False)
        whole = solve_triangular(lower, half.T, lower=True, check_finite=False)
        eigenvalues, vectors = np.linalg.eigh((whole + whole.T) / 2)
        kept = eigenvalues > _SMALLEST_EIGENVALUE
        eigenvalues = eigenvalues[kept]
        basis = solve_triangular(lower, vectors[:, kept], lower=True, trans=1, check_finite=False)
        basis /= np.sqrt(eigenvalues)
        projections = basis.T @ (moments.of_classes - weight * np.outer(mean, prior))
        return cls(weight, prior, mean, basis, eigenvalues, projections)

    def coefficients(self, penalty: float) -> tuple[FloatArray, FloatArray]:
        """Return α and b of the classes, of shapes (n_landmarks, n_classes) and (n_classes,)."""
        shrinkage = self.eigenvalues / (self.eigenvalues + penalty)
        coefficients = self.basis @ (shrinkage[:, None] * self.projections)
        return coefficients, self.prior - self.mean @ coefficients

    def leave_one_out(
        self, kernel: FloatArray, y: IntegerArray, left_out: float | FloatArray
    ) -> LeaveOneOut:
        """Return the outputs of training rows without themselves, as a function of the penalty.

        `left_out` is the weight of each row that is left out.
        """
        rotated = (kernel - self.mean) @ self.basis
        return LeaveOneOut(self, rotated, np.square(rotated), y, left_out)


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """The outputs of training rows without themselves.

    The output is (f - h y) / (1 - h), where f is the output with the row, and
    h = u (1 / Σw + Σ_k z_k² s_k / (s_k + λ)) for a left out weight u and z = Cᵀ (k - k̄). It is the
    output of the regression of the other rows on the same landmarks.

    Parameters
    ----------
    ridge : the regression of all rows
    rotated, squared : z and z² of the rows
    y : class of each row
    left_out : u, of each row or of all rows
    """

    ridge: KernelRidge
    rotated: FloatArray
    squared: FloatArray
    y: IntegerArray
    left_out: float | FloatArray

    def outputs(self, penalty: float) -> FloatArray:
        """Return the outputs, of shape (n_rows, n_classes)."""
        ridge = self.ridge
        shrinkage = ridge.eigenvalues / (ridge.eigenvalues + penalty)
        share = self.left_out * (1.0 / ridge.weight + self.squared @ shrinkage)
        outputs: FloatArray = self.rotated @ (shrinkage[:, None] * ridge.projections)
        outputs += ridge.prior
        outputs[np.arange(len(self.y)), self.y] -= share
        outputs /= np.maximum(1.0 - share, _SMALLEST_REST)[:, None]
        return outputs
