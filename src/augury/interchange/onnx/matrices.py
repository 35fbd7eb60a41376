"""`MatrixReader` and LIBLINEAR's regression as a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.arrays import Array
from augury.discriminative.liblinear_logistic_regression import LiblinearLogisticRegression
from augury.discriminative.readers.matrix_reader import MAX_SCALED, MatrixReader
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores


def read_matrix(graph: Graph, reader: MatrixReader, columns: Sequence[Column]) -> Tensor:
    """Return rows as the matrix that a fitted reader makes of them."""
    rows = encode_rows(graph, reader.encoder, columns)
    numbers = [] if rows.numbers is None else [rows.numbers]
    if reader._is_ordinal and rows.codes is not None:
        left_out = rows.codes.equals(rows.n_states)
        numbers.insert(0, rows.codes.to_float().where(left_out, np.nan))
    parts = []
    if numbers:
        values = graph.concatenate(numbers)
        filled = values.where(values.is_nan(), reader._mean)
        scaled = (filled - reader._shift) / reader._spread
        parts.append(scaled.clip(-MAX_SCALED, MAX_SCALED))
    if not reader._is_ordinal and rows.codes is not None:
        parts.append(rows.indicators())
    return graph.concatenate(parts)


@converts_log_scores(LiblinearLogisticRegression)
def liblinear_scores(
    graph: Graph, model: LiblinearLogisticRegression, columns: Sequence[Column]
) -> Tensor:
    """Return β_c · x of two classes, and log σ(β_c · x) of more; -inf for a class without rows."""
    present = np.asarray(model._present)
    absent = np.full(len(model.classes_), -np.inf)
    absent[present] = 0.0
    coefficients: Array = np.ascontiguousarray(model.coef_.T)
    scores = read_matrix(graph, model.reader_, columns) @ coefficients + model.intercept_
    if len(present) > 2:
        # log σ(s) = min(s, 0) - log(1 + e^-|s|)
        tail = (graph.add("Abs", scores) * -1.0).exp() + 1.0
        scores = graph.add("Min", scores, 0.0) - tail.log()
    return scores + absent


__all__ = ["liblinear_scores", "read_matrix"]
