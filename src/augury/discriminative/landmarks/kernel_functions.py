"""Kernels of squared distances."""

import numpy as np

from augury.arrays import FloatArray

KERNELS = ("rbf", "matern")


def squared_distances(points: FloatArray, landmarks: FloatArray) -> FloatArray:
    """Return |x - z|² of each point x and landmark z.

    >>> squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[25.,  1.]])
    """
    distances: FloatArray = points @ (-2.0 * landmarks.T)
    distances += np.einsum("ij,ij->i", points, points)[:, None]
    distances += np.einsum("ij,ij->i", landmarks, landmarks)
    return np.maximum(distances, 0.0, out=distances)  # rounding may give less than 0


def kernel_values(distances: FloatArray, kernel: str, gamma: float) -> FloatArray:
    """Return the kernel of squared distances D.

    "rbf": exp(-γ D). "matern": (1 + r) exp(-r), where r² = 3 γ D.

    >>> kernel_values(np.array([[0.0, 1.0]]), "rbf", 2.0).round(4)
    array([[1.    , 0.1353]])
    >>> kernel_values(np.array([[0.0, 3.0]]), "matern", 1.0).round(4)
    array([[1.    , 0.1991]])
    """
    if kernel == "rbf":
        values: FloatArray = distances * -gamma
        return np.exp(values, out=values)
    roots = distances * (3.0 * gamma)
    np.sqrt(roots, out=roots)
    values = np.exp(-roots)
    roots += 1.0
    values *= roots
    return values


def kernel_slopes(distances: FloatArray, kernel: str, gamma: float) -> FloatArray:
    """Return s(D) such that the gradient of the kernel in x is proportional to s(D) (z - x)."""
    if kernel == "rbf":
        return kernel_values(distances, kernel, gamma)
    return np.asarray(np.exp(-np.sqrt(distances * (3.0 * gamma))))
