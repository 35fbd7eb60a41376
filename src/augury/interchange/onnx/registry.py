"""Which function writes the graph of which model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from augury.errors import OnnxExportError
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.graph import Graph, Tensor

# A function from a graph, a fitted model and its columns to a tensor of shape [N, n_classes].
Converter = Callable[[Graph, Any, Sequence[Column]], Tensor]

_LOG_SCORES: dict[type, Converter] = {}
_PROBABILITIES: dict[type, Converter] = {}


def converts_log_scores(*models: type) -> Callable[[Converter], Converter]:
    """Register a function that returns log p(c | x) up to a constant of the row.

    Subclasses of a model are not meant: they may compute something else.
    """

    def register(converter: Converter) -> Converter:
        _LOG_SCORES.update(dict.fromkeys(models, converter))
        return converter

    return register


def converts_probabilities(*models: type) -> Callable[[Converter], Converter]:
    """Register a function that returns class probabilities; see `converts_log_scores`."""

    def register(converter: Converter) -> Converter:
        _PROBABILITIES.update(dict.fromkeys(models, converter))
        return converter

    return register


def convert_log_scores(graph: Graph, model: Any, columns: Sequence[Column]) -> Tensor:
    """Return log p(c | x) of a model up to a constant of the row."""
    _require_known(model)
    if type(model) in _LOG_SCORES:
        return _LOG_SCORES[type(model)](graph, model, columns)
    return _PROBABILITIES[type(model)](graph, model, columns).log()


def convert_probabilities(graph: Graph, model: Any, columns: Sequence[Column]) -> Tensor:
    """Return the class probabilities of a model."""
    _require_known(model)
    if type(model) in _PROBABILITIES:
        return _PROBABILITIES[type(model)](graph, model, columns)
    return _LOG_SCORES[type(model)](graph, model, columns).softmax()


def convertible_models() -> list[str]:
    """Return the names of the classes that can be written."""
    return sorted(model.__name__ for model in {*_LOG_SCORES, *_PROBABILITIES})


def _require_known(model: Any) -> None:
    if type(model) not in _LOG_SCORES and type(model) not in _PROBABILITIES:
        raise OnnxExportError(
            f"to_onnx: model must be, or consist of, {', '.join(convertible_models())}, got "
            f"{type(model).__name__}"
        )
    check_is_fitted(model)


__all__ = [
    "convert_log_scores",
    "convert_probabilities",
    "convertible_models",
    "converts_log_scores",
    "converts_probabilities",
]
