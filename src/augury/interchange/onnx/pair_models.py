"""Models of all pairs of columns as a graph: hidden naive Bayes and AODE."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.counts import laplace_log_probability, laplace_log_table
from augury.counts.smoothing import SMALLEST
from augury.counts.triple_counts import TripleCounts
from augury.errors import OnnxExportError
from augury.generative.averaged_one_dependence import AveragedOneDependence
from augury.generative.bases.pair_model import PairModel
from augury.generative.hidden_naive_bayes import HiddenNaiveBayes
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import EncodedRows, encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores

# A term that is not counted: its exponential is 0 beside that of any other.
_NOT_COUNTED = -1e300
# Factors of pairs of columns of a row that are computed at once.
_MOST_FACTORS = 1 << 14


@converts_log_scores(HiddenNaiveBayes)
def hidden_naive_bayes_scores(
    graph: Graph, model: HiddenNaiveBayes, columns: Sequence[Column]
) -> Tensor:
    """Return log p(c) + Σ_i log Σ_j W_ij p(x_i | x_j, c)."""
    rows = encode_rows(graph, model.encoder_, columns)
    offsets = model._pairs.features.offsets
    alone = np.concatenate(model._alone)
    for i, (start, stop) in enumerate(pairwise(offsets.tolist())):
        if model.weights_[i].sum() > 0:
            alone[start : stop - 1] = 0.0  # left out stays 1
    factors = _sum_beside(rows, model) + graph.gather(alone, rows.slots())
    return factors.at_least(SMALLEST).log().sum(1) + model.log_prior_


@converts_log_scores(AveragedOneDependence)
def one_dependence_scores(
    graph: Graph, model: AveragedOneDependence, columns: Sequence[Column]
) -> Tensor:
    """Return the log of the mean over the parents j of p(c, x_j) Π_i p(x_i | x_j, c)."""
    if isinstance(model.statistics_, TripleCounts):
        raise OnnxExportError(
            "to_onnx: AveragedOneDependence with two parents (A2DE) cannot be written: fit it with "
            "one parent"
        )
    rows = encode_rows(graph, model.encoder_, columns)
    features = model._pairs.features
    parents, counted = model._parents_of_slots(model._pairs)
    slots = rows.slots()
    terms = _sum_beside(rows, model) + graph.gather(parents, slots)
    is_parent = graph.gather(counted.astype(np.int64), slots)
    terms = terms.where(is_parent.equals(0).expand(2), _NOT_COUNTED)
    largest = terms.max(1, keep=True)
    n_parents = is_parent.sum(1, keep=True)
    mean = (terms - largest).exp().sum(1) / n_parents.to_float().at_least(1.0)
    scores = mean.log() + largest.squeeze(1)
    naive = graph.gather(laplace_log_table(features, model._alpha), slots).sum(1)
    prior: Array = laplace_log_probability(features.class_counts, model._alpha)
    return scores.where(n_parents.equals(0), naive + prior)


def _sum_beside(rows: EncodedRows, model: PairModel[Any]) -> Tensor:
    """Return Σ_{i≠j} block[slot of j, slot of i] of each column j, of shape [N, n, n_classes]."""
    blocks = model._whole_blocks()
    if blocks is None or rows.codes is None:
        raise OnnxExportError(
            f"to_onnx: the pairs of the {int(rows.n_states.sum()):,} states of "
            f"{type(model).__name__} take more than 128 MB, which is not written: group the labels "
            "of wide columns, or take NaiveBayes"
        )
    whole = blocks.copy()
    for start, stop in pairwise(model._pairs.features.offsets.tolist()):
        whole[start:stop, start:stop] = 0.0  # a column beside itself
    n_slots, n_classes = whole.shape[1:]
    slots, flat = rows.slots(), whole.reshape(-1, n_classes)
    n_columns = len(rows.n_states)
    step = max(1, _MOST_FACTORS // (n_columns * n_classes))
    parts = []
    for start in range(0, n_columns, step):
        some = slots.take(range(start, min(start + step, n_columns)))
        pairs = (some * n_slots).expand(2) + slots.expand(1)
        parts.append(rows.graph.gather(flat, pairs).sum(2))
    return rows.graph.concatenate(parts)


__all__ = ["hidden_naive_bayes_scores", "one_dependence_scores"]
