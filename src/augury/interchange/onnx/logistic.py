"""Logistic regression as a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.arrays import Array
from augury.discriminative.logistic_regression import LogisticRegression
from augury.discriminative.readers.matrix_reader import MAX_SCALED
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor, add_up
from augury.interchange.onnx.registry import converts_log_scores


@converts_log_scores(LogisticRegression)
def logistic_scores(graph: Graph, model: LogisticRegression, columns: Sequence[Column]) -> Tensor:
    """Return β_c · x; -inf for a class without rows."""
    rows = encode_rows(graph, model.encoder_, columns)
    n_classes, beta = len(model.classes_), model._beta
    whole = np.zeros((len(beta), n_classes))
    whole[:, model._present[: beta.shape[1]]] = beta
    absent = np.full(n_classes, -np.inf)
    absent[model._present] = 0.0
    n_numbers = len(model._mean)
    n_slots = len(beta) - n_numbers - 1
    products = None
    if rows.numbers is not None:
        z = ((rows.numbers - model._mean) / model._scale).clip(-MAX_SCALED, MAX_SCALED)
        products = z.where(z.is_nan(), 0.0) @ whole[n_slots:-1]
    last: Array = whole[-1] + absent
    return add_up(rows.sum_of_slots(whole[:n_slots]), products) + last


__all__ = ["logistic_scores"]
