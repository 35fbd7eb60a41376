"""Naive Bayes as a graph: sums of log factors of labels, intervals and densities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.arrays import Array
from augury.errors import OnnxExportError
from augury.generative.correlation_weighted_naive_bayes import CorrelationWeightedNaiveBayes
from augury.generative.densities.kernel_density import KernelDensity
from augury.generative.naive_bayes import NaiveBayes
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import EncodedRows, encode_rows
from augury.interchange.onnx.graph import Graph, Tensor, add_up
from augury.interchange.onnx.registry import converts_log_scores

# As in `augury.generative.densities`: larger deviations, in widths, are set to this number.
_FARTHEST = 1e140


@converts_log_scores(NaiveBayes)
def naive_bayes_scores(graph: Graph, model: NaiveBayes, columns: Sequence[Column]) -> Tensor:
    """Return log p(c, x)."""
    rows = encode_rows(graph, model.encoder_, columns)
    factors = rows.sum_of_slots(model._log_table)
    return add_up(factors, _number_terms(rows, model)) + model.log_prior_


@converts_log_scores(CorrelationWeightedNaiveBayes)
def weighted_naive_bayes_scores(
    graph: Graph, model: CorrelationWeightedNaiveBayes, columns: Sequence[Column]
) -> Tensor:
    """Return log p(c, x); the table has the log factors times their weights."""
    rows = encode_rows(graph, model.encoder_, columns)
    return add_up(rows.sum_of_slots(model._log_table)) + model.log_prior_


def _number_terms(rows: EncodedRows, model: NaiveBayes) -> Tensor | None:
    """Return the sum of the log densities of all numbers, of shape [N, n_classes]."""
    if rows.numbers is None:
        return None
    if model.continuous == "interval":
        raise OnnxExportError(
            "to_onnx: NaiveBayes(continuous='interval') needs the error function in float64, which "
            "ONNX runtimes lack: fit it with continuous='gaussian', 'kernel' or 'discretize'"
        )
    if model.continuous == "kernel":
        return _kernel_terms(rows.numbers, model)
    return _normal_terms(rows.numbers, model.mean_, model.variance_)


def _normal_terms(numbers: Tensor, mean: Array, variance: Array) -> Tensor:
    z = ((numbers.expand(2) - mean) / np.sqrt(variance)).clip(-_FARTHEST, _FARTHEST)
    density = (z * z + np.log(2 * np.pi * variance)) * -0.5
    return density.where(numbers.is_nan().expand(2), 0.0).sum(1)


def _kernel_terms(numbers: Tensor, model: NaiveBayes) -> Tensor:
    graph, kernels = numbers.graph, model._kernels()
    terms = []
    for j in range(len(model.width_)):
        x = numbers.take([j])
        densities = [kernels._density(j, k) for k in range(model.width_.shape[1])]
        factors = graph.concatenate([_log_density(x, density) for density in densities])
        terms.append(factors.where(x.is_nan(), 0.0))
    return add_up(*terms)


def _log_density(x: Tensor, density: KernelDensity | None) -> Tensor:
    """Return log f of numbers, of shape [N, 1]: all kernels are added."""
    if density is None:
        return x * 0.0
    points, weights = density._points
    z = ((x - points) / density.width).clip(-_FARTHEST, _FARTHEST)
    return _log_sum_exp(z * z * -0.5 + np.log(weights)) + density._log_scale


def _log_sum_exp(terms: Tensor) -> Tensor:
    largest = terms.max(1, keep=True)
    return (terms - largest).exp().sum(1, keep=True).log() + largest


__all__ = ["naive_bayes_scores", "weighted_naive_bayes_scores"]
