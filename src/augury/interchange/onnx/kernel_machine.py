"""The kernel classifier as a graph: kernels of the distances from landmarks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.arrays import Array
from augury.discriminative.kernel_classifier import KernelClassifier
from augury.discriminative.landmarks.coordinates import LARGEST_COORDINATE, SPREAD_OF_ARSINH
from augury.discriminative.readers.matrix_reader import MAX_SCALED
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores


@converts_log_scores(KernelClassifier)
def kernel_scores(graph: Graph, model: KernelClassifier, columns: Sequence[Column]) -> Tensor:
    """Return the calibrated outputs; -inf for a class without rows."""
    points, landmarks = _points(graph, model, columns), model._landmarks
    products = points @ np.ascontiguousarray(-2.0 * landmarks.T)
    squares: Array = np.einsum("ij,ij->i", landmarks, landmarks)
    distances = (products + (points * points).sum(1, keep=True) + squares).at_least(0.0)
    if model.kernel_ == "rbf":
        kernel = (distances * -float(model.gamma_)).exp()
    else:
        root = (distances * (3.0 * float(model.gamma_))).sqrt()
        kernel = (root + 1.0) * (root * -1.0).exp()
    n_classes = len(model.classes_)
    coefficients = np.zeros((len(landmarks), n_classes))
    coefficients[:, model._present] = model._coef
    intercept = np.full(n_classes, -np.inf)
    intercept[model._present] = model._intercept
    return kernel @ coefficients + intercept


def _points(graph: Graph, model: KernelClassifier, columns: Sequence[Column]) -> Tensor:
    rows = encode_rows(graph, model.encoder_, columns)
    coordinates = model._coordinates
    n_numbers = len(coordinates.mean)
    parts = []
    if rows.numbers is not None:
        z = (rows.numbers - coordinates.mean) / coordinates.spread
        z = z.where(z.is_nan(), 0.0).clip(-MAX_SCALED, MAX_SCALED)
        # onnxruntime has arsinh of float32 only. z² + 1 does not overflow.
        size = graph.add("Abs", z)
        arsinh = (size + (z * z + 1.0).sqrt()).log() * graph.add("Sign", z)
        limited = (arsinh / SPREAD_OF_ARSINH).clip(-LARGEST_COORDINATE, LARGEST_COORDINATE)
        parts.append(limited * coordinates.scale[:n_numbers])
    if rows.codes is not None and rows.n_states.any():
        parts.append(rows.indicators() * coordinates.scale[n_numbers:])
    return graph.concatenate(parts)


__all__ = ["kernel_scores"]
