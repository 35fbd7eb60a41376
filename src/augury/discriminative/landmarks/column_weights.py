"""Relevance of coordinates: how much the outputs of a kernel machine change along them."""

import numpy as np

from augury.arrays import Array, FloatArray
from augury.discriminative.landmarks.kernel_functions import kernel_slopes, squared_distances


def column_relevance(
    points: FloatArray,
    weight: Array | None,
    landmarks: FloatArray,
    coefficients: FloatArray,
    kernel: str,
    gamma: float,
) -> FloatArray:
    """Return the mean squared derivative of the outputs by each coordinate, up to a constant.

    The output of a class is f(x) = Σ_l α_l k(x, z_l). Its gradient is proportional to
    Σ_l α_l s(x, z_l) (z_l - x), where s is the slope of the kernel. The squares are summed over
    the classes. This is the diagonal of the average gradient outer product (Radhakrishnan,
    Beaglehole, Pandit and Belkin 2024).
    """
    slopes = kernel_slopes(squared_distances(points, landmarks), kernel, gamma)
    totals = slopes @ coefficients
    relevance = np.zeros(points.shape[1])
    for c in range(coefficients.shape[1]):
        gradient = slopes @ (coefficients[:, c, None] * landmarks)
        gradient -= points * totals[:, c, None]
        np.square(gradient, out=gradient)
        relevance += gradient.sum(axis=0) if weight is None else weight @ gradient
    return relevance
