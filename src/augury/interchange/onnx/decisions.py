"""Decisions from probabilities as a graph: the most probable class, costs and thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from augury.decide import CostClassifier, ThresholdClassifier
from augury.decide.decision_classifier import DecisionClassifier
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import convert_probabilities, converts_probabilities


@converts_probabilities(CostClassifier, ThresholdClassifier)
def decided_probabilities(
    graph: Graph, model: DecisionClassifier, columns: Sequence[Column]
) -> Tensor:
    """Return the probabilities of the classifier whose decisions change."""
    return convert_probabilities(graph, model.estimator_, columns)


def decide(model: Any, probabilities: Tensor) -> Tensor:
    """Return the index of the class that a model decides for, of shape [N]."""
    while isinstance(model, Pipeline):
        model = model.steps[-1][1]
    if isinstance(model, CostClassifier):
        return (probabilities @ np.ascontiguousarray(-model.costs_.T)).arg_max()
    if isinstance(model, ThresholdClassifier):
        positive = int(model.positive_)
        is_positive = probabilities.take([positive]) >= float(model.threshold_)
        of_sides = np.array([1 - positive, positive])
        return probabilities.graph.gather(of_sides, is_positive.to_int().squeeze(1))
    return probabilities.arg_max()


__all__ = ["decide", "decided_probabilities"]
