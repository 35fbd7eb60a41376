"""`TidyColumns` and pipelines as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.errors import OnnxExportError
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import convert_probabilities, converts_probabilities


@converts_probabilities(Pipeline)
def pipeline_probabilities(graph: Graph, model: Pipeline, columns: Sequence[Column]) -> Tensor:
    """Return the probabilities of the last step; the others must be `TidyColumns`."""
    for name, step in model.steps[:-1]:
        columns = _tidy(name, step, columns)
    return convert_probabilities(graph, model.steps[-1][1], columns)


def _tidy(name: str, step: Any, columns: Sequence[Column]) -> list[Column]:
    """Return the columns that are kept. Dates and numbers in text are inputs of numbers."""
    if type(step) is not TidyColumns:
        raise OnnxExportError(
            f"to_onnx: step {name!r} of the pipeline must be TidyColumns, got {type(step).__name__}"
        )
    kept = []
    for column, decision in zip(columns, step.decisions_, strict=True):
        if decision.treatment != "dropped":
            kept.append(column)
        if decision.treatment in ("numbers", "date"):
            column.numbers()
    return kept


__all__ = ["pipeline_probabilities"]
