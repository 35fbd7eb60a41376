"""Hybrids as a graph: probabilities of one model are columns of another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from augury.counts.smoothing import SMALLEST
from augury.hybrid.augmented_classifier import AugmentedClassifier
from augury.hybrid.blended_naive_bayes import BlendedNaiveBayes
from augury.hybrid.discriminatively_weighted_naive_bayes import (
    DiscriminativelyWeightedNaiveBayes,
)
from augury.hybrid.generative_features import GenerativeFeatures
from augury.interchange.onnx.columns import Column, NumberColumn
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.matrices import read_matrix
from augury.interchange.onnx.registry import (
    convert_log_scores,
    convert_probabilities,
    converts_log_scores,
    converts_probabilities,
)


@converts_probabilities(AugmentedClassifier)
def augmented_probabilities(
    graph: Graph, model: AugmentedClassifier, columns: Sequence[Column]
) -> Tensor:
    """Return the probabilities of the final model, which gets meta-features."""
    features, n_classes = model.features_, len(model.classes_)
    inner = declared_probabilities(graph, features.estimator_, columns, n_classes)
    passed = [] if model.encoding == "none" else list(columns)
    if features._reader is not None:
        matrix = read_matrix(graph, features._reader, columns)
        passed = [
            NumberColumn(name, matrix.take([j])) for j, name in enumerate(features._reader.names)
        ]
    added = _meta_features(features, inner)
    return declared_probabilities(graph, model.final_estimator_, [*passed, *added], n_classes)


@converts_log_scores(BlendedNaiveBayes, DiscriminativelyWeightedNaiveBayes)
def inner_naive_bayes_scores(
    graph: Graph,
    model: BlendedNaiveBayes | DiscriminativelyWeightedNaiveBayes,
    columns: Sequence[Column],
) -> Tensor:
    """Return log p(c, x) of the naive Bayes that the hybrid has estimated."""
    return convert_log_scores(graph, model.model_, columns)


def _meta_features(features: GenerativeFeatures, proba: Tensor) -> list[Column]:
    values = proba
    if features.output == "log_odds":
        logs = proba.at_least(SMALLEST).log()
        n_classes = len(features.classes_)
        if n_classes == 2:
            values = logs.take([1]) - logs.take([0])
        else:
            values = logs - logs.sum(1, keep=True) / float(n_classes)
    scaler = features._scaler
    values = (values - scaler._shift) / scaler._width
    return [
        NumberColumn(name, values.take([j])) for j, name in enumerate(features.augmented_names_)
    ]


def declared_probabilities(
    graph: Graph, model: Any, columns: Sequence[Column], n_classes: int
) -> Tensor:
    """Return the probabilities of a model of codes, with a column for each declared class."""
    known = convert_probabilities(graph, model, columns)
    codes = np.asarray(model.classes_, dtype=np.int64)
    if np.array_equal(codes, np.arange(n_classes)):
        return known
    return known @ np.eye(n_classes)[codes]


__all__ = ["augmented_probabilities", "declared_probabilities"]
