"""Ensembles as a graph: random cut points, and the pool of the flagship."""

from __future__ import annotations

from collections.abc import Sequence

from augury.counts.smoothing import SMALLEST
from augury.ensemble.hybrid_classifier import SMALLEST_OF_PARTS, HybridClassifier
from augury.ensemble.random_cut_ensemble import RandomCutEnsemble
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.graph import Graph, Tensor, add_up
from augury.interchange.onnx.registry import convert_probabilities, converts_log_scores


@converts_log_scores(RandomCutEnsemble)
def random_cut_scores(graph: Graph, model: RandomCutEnsemble, columns: Sequence[Column]) -> Tensor:
    """Return the log of the mean of the probabilities of the members."""
    members = [convert_probabilities(graph, member, columns) for member in model.estimators_]
    return (add_up(*members) / float(len(members))).at_least(SMALLEST).log()


@converts_log_scores(HybridClassifier)
def pooled_scores(graph: Graph, model: HybridClassifier, columns: Sequence[Column]) -> Tensor:
    """Return the weighted sum of the log probabilities of the parts."""
    read = [columns[j] for j in model._readings.sources.tolist()]
    terms = []
    for part, weight in model._used_parts():
        bounded = convert_probabilities(graph, part, read).at_least(SMALLEST_OF_PARTS)
        terms.append((bounded / bounded.sum(1, keep=True)).log() * float(weight))
    pooled = add_up(*terms)
    return pooled + model.log_class_weights_ if model.log_class_weights_.any() else pooled


__all__ = ["pooled_scores", "random_cut_scores"]
