"""Fitted models as ONNX models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from augury import __version__
from augury.arrays import Array
from augury.encode import TidyColumns
from augury.errors import OnnxExportError
from augury.interchange.onnx import (  # noqa: F401  they register converters
    discriminants,
    ensembles,
    event_models,
    hybrids,
    kernel_machine,
    logistic,
    matrices,
    naive_bayes,
    networks,
    pair_models,
    tidy,
    tree_models,
)
from augury.interchange.onnx.columns import InputColumn, require_unicode
from augury.interchange.onnx.decisions import decide
from augury.interchange.onnx.graph import NUMBER, TEXT, Graph
from augury.interchange.onnx.model_proto import Output, write_model
from augury.interchange.onnx.registry import convert_probabilities

if TYPE_CHECKING:
    import onnx


def to_onnx(model: Any, *, gap: str = "", target: str | None = None) -> onnx.ModelProto:
    """Return a fitted model as an ONNX model, which needs neither augury nor Python.

    The ONNX model has one input for each column that the model reads, of shape [N, 1]: strings
    for labels, float64 for numbers. Its outputs are `label`, what `predict` returns,
    and `probabilities` of shape [N, n_classes], within 1e-6 of `predict_proba`.
    docs/interchange-onnx.md lists the models and the conventions.

    Parameters
    ----------
    model : fitted classifier, or a pipeline of `TidyColumns` and a classifier
    gap : text that means a missing label; a missing number is NaN
    target : name of the predicted column, for the metadata

    Raises
    ------
    OnnxExportError
        If the model, a label or the name of a column cannot be written.

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> from augury.interchange import to_onnx
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", None], "wind": [1.0, 2.0, 5.0, 7.0]})
    >>> model = NaiveBayes(continuous="gaussian").fit(X, ["out", "out", "in", "in"])
    >>> written = to_onnx(model)
    >>> [column.name for column in written.graph.input]
    ['sky', 'wind']
    """
    check_is_fitted(model)
    require_unicode("to_onnx: gap is", gap)
    names = _column_names(model)
    of_label, of_probabilities = _output_names(names)
    graph = Graph(reserved={*names, of_label, of_probabilities})
    columns = [InputColumn(graph, name, gap) for name in names]
    probabilities = convert_probabilities(graph, model, columns)
    graph.inputs = {name: graph.inputs[name] for name in names if name in graph.inputs}
    classes = _classes(model.classes_)
    label = graph.gather(classes, decide(model, probabilities))
    return write_model(
        graph,
        {
            of_label: Output(label, classes.dtype, ("N",)),
            of_probabilities: Output(probabilities, np.dtype(np.float64), ("N", len(classes))),
        },
        _metadata(model, graph, names, gap, target),
        type(model).__name__,
    )


def _column_names(model: Any) -> list[str]:
    given = getattr(model, "feature_names_in_", None)
    if given is None:
        return [f"x{j}" for j in range(model.n_features_in_)]
    names = [str(name) for name in given]
    for j, name in enumerate(names):
        if not name:
            raise OnnxExportError(
                f"to_onnx: column {j} has an empty name, which an input cannot have: rename it"
            )
        require_unicode("to_onnx: a column has the name", name)
    return names


def _output_names(taken: Sequence[str]) -> list[str]:
    """Return the names of both outputs; an underscore follows if a column has the name."""
    names = []
    for name in ("label", "probabilities"):
        while name in taken:
            name += "_"
        names.append(name)
    return names


def _classes(classes: Array) -> Array:
    """Return the classes as texts, integers, truth values or floats."""
    labels = classes.tolist()
    for kind, dtype in ((str, object), (bool, np.bool_), (int, np.int64), (float, np.float64)):
        if all(type(label) is kind for label in labels):
            for label in labels if kind is str else ():
                require_unicode("to_onnx: a class is", label)
            return np.array(labels, dtype=dtype)
    raise OnnxExportError(
        "to_onnx: the classes must be all texts, all integers, all truth values or all floats, got "
        f"{', '.join(map(repr, labels[:5]))}"
    )


def _metadata(
    model: Any, graph: Graph, names: Sequence[str], gap: str, target: str | None
) -> dict[str, str]:
    columns = [
        {"name": name, "meaning": meaning}
        for name, meaning in zip(names, _meanings(model, graph, names), strict=True)
    ]
    facts = {
        "augury_version": __version__,
        "model": " ".join(repr(model).split()),
        "target": target or "",
        "columns": json.dumps(columns, ensure_ascii=False),
        "classes": json.dumps(model.classes_.tolist(), ensure_ascii=False),
        "gap": f"NaN is a missing number, and {gap!r} a missing label",
    }
    return {name: text for name, text in facts.items() if text}


def _meanings(model: Any, graph: Graph, names: Sequence[str]) -> list[str]:
    """Return what the input of each column holds."""
    meaning = {None: "not used", TEXT: "label, as text", NUMBER: "number"}
    found = [meaning[graph.inputs.get(name)] for name in names]
    first = model.steps[0][1] if isinstance(model, Pipeline) else None
    if isinstance(first, TidyColumns):
        for j, decision in enumerate(first.decisions_):
            if decision.treatment == "date" and names[j] in graph.inputs:
                found[j] = "date, as the number of days since 1970-01-01"
            elif decision.treatment == "dropped":
                found[j] += f": {decision.reason}"
    return found


__all__ = ["to_onnx"]
