"""Discriminant analyses as a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import solve_triangular

from augury.generative.bases.discriminant_analysis import NumberModel
from augury.generative.densities.normal_density import FARTHEST, NormalDensity
from augury.generative.linear_discriminant_analysis import LinearDiscriminantAnalysis
from augury.generative.quadratic_discriminant_analysis import QuadraticDiscriminantAnalysis
from augury.generative.regularized_discriminant_analysis import RegularizedDiscriminantAnalysis
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores


@converts_log_scores(LinearDiscriminantAnalysis)
def linear_scores(
    graph: Graph, model: LinearDiscriminantAnalysis, columns: Sequence[Column]
) -> Tensor:
    """Return log p(c, x) without the term that all classes share."""
    numbers = _number_matrix(graph, model, columns)
    return (numbers - model._center) @ np.ascontiguousarray(model._slopes.T) + model._constants


@converts_log_scores(QuadraticDiscriminantAnalysis, RegularizedDiscriminantAnalysis)
def quadratic_scores(
    graph: Graph, model: QuadraticDiscriminantAnalysis, columns: Sequence[Column]
) -> Tensor:
    """Return log p(c, x)."""
    numbers = _number_matrix(graph, model, columns)
    if len(model._varying) < len(model.fill_values_):
        numbers = numbers.take(model._varying)
    densities = [_log_density(numbers, density) for density in model._densities]
    return graph.concatenate(densities) + model.log_prior_


def _log_density(numbers: Tensor, density: NormalDensity) -> Tensor:
    """Return the log density of each row, of shape [N, 1]."""
    inverse = solve_triangular(density.factor, np.eye(len(density.mean)), lower=True)
    white = ((numbers - density.mean) @ np.ascontiguousarray(inverse.T)).clip(-FARTHEST, FARTHEST)
    return (white * white).sum(1, keep=True) * -0.5 + density.log_peak


def _number_matrix(graph: Graph, model: NumberModel, columns: Sequence[Column]) -> Tensor:
    """Return numbers and indicators of states; a missing value has the mean of its column."""
    rows = encode_rows(graph, model.encoder_, columns)
    parts = []
    n_numbers = len(model.encoder_.number_names_)
    if rows.numbers is not None:
        parts.append(rows.numbers.where(rows.numbers.is_nan(), model.fill_values_[:n_numbers]))
    if rows.codes is not None and len(model.fill_values_) > n_numbers:
        column, state = rows.states()
        kept = np.flatnonzero(state != np.array(model._reference)[column])
        codes = rows.codes.take(column[kept])
        is_left_out = codes.equals(rows.n_states[column[kept]])
        indicators = codes.equals(state[kept]).to_float()
        parts.append(indicators.where(is_left_out, model.fill_values_[n_numbers:]))
    return graph.concatenate(parts)


__all__ = ["linear_scores", "quadratic_scores"]
