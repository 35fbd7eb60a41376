"""Bayesian networks as a graph: tables of log probabilities, indexed by codes of families."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.counts import log_probability_given_parents
from augury.counts.sparse_table import SparseTable
from augury.errors import OnnxExportError
from augury.generative.bases.network_classifier import NetworkClassifier
from augury.generative.bayesian_network_classifier import BayesianNetworkClassifier
from augury.generative.k_dependence_bayes import KDependenceBayes
from augury.generative.tree_augmented_naive_bayes import TreeAugmentedNaiveBayes
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import EncodedRows, encode_rows
from augury.interchange.onnx.graph import Graph, Tensor
from augury.interchange.onnx.registry import converts_log_scores

# More numbers than these in the tables of a network, 128 MB, are not written.
_MOST_NUMBERS = 1 << 24


@converts_log_scores(TreeAugmentedNaiveBayes, KDependenceBayes, BayesianNetworkClassifier)
def network_scores(
    graph: Graph, model: NetworkClassifier[Any], columns: Sequence[Column]
) -> Tensor:
    """Return log p(c, x): the sum of one entry of the table of each family."""
    rows = encode_rows(graph, model.encoder_, columns)
    structure = model.structure_
    families = [(*above, i) for i, above in enumerate(structure.parents)]
    if structure.class_parents:
        families.append(structure.class_parents)
    tables = _tables(model, families, rows.n_states)
    offsets = np.cumsum([0, *(len(table) for table in tables[:-1])])
    cells = _family_codes(rows, families) + offsets
    scores = graph.gather(np.concatenate(tables), cells).sum(1)
    return scores if structure.class_parents else scores + model.log_prior_


def _family_codes(rows: EncodedRows, families: Sequence[tuple[int, ...]]) -> Tensor:
    """Return the number of each family's combination of states, of shape [N, n_families].

    It is a sum over the columns, each code times the number of combinations of the columns after
    it.
    """
    assert rows.codes is not None
    factors = np.zeros((len(rows.n_states), len(families)), dtype=np.int64)
    for k, family in enumerate(families):
        size = 1
        for j in reversed(family):
            factors[j, k] = size
            size *= int(rows.n_states[j]) + 1
    return rows.codes @ factors


def _tables(
    model: NetworkClassifier[Any], families: Sequence[tuple[int, ...]], n_states: Array
) -> list[Array]:
    """Return the log factors of each family, of shape (combinations of states, n_classes)."""
    n_classes = len(model.classes_)
    sizes = [prod(int(n_states[j]) + 1 for j in family) for family in families]
    n_numbers = sum(sizes) * n_classes
    if n_numbers > _MOST_NUMBERS:
        widest = families[sizes.index(max(sizes))]
        names = ", ".join(repr(model.encoder_.table_names_[j]) for j in widest)
        raise OnnxExportError(
            f"to_onnx: the tables of {type(model).__name__} have {n_numbers:,} numbers, more than "
            f"{_MOST_NUMBERS:,}; the largest is that of the columns {names}: group their labels, "
            "or allow fewer parents"
        )
    sparse = model._sparse_tables()
    return [
        _dense(model, i, sparse[i])
        if i in sparse
        else model._log_table[model._offsets[i] : model._offsets[i + 1]]
        for i in range(len(families))
    ]


def _dense(model: NetworkClassifier[Any], i: int, counts: SparseTable) -> Array:
    """Return all log factors of a family whose counts are sparse."""
    n_classes = len(model.classes_)
    codes = np.indices(counts.shape[:-1]).reshape(len(counts.shape) - 1, -1).T
    if i == len(model.structure_.parents):
        return counts.log_class_given_parents(codes, *model._smoothing)
    if model.structure_.has_class(i):
        dense = log_probability_given_parents(counts.to_dense(), *model._smoothing)
        return dense.reshape(-1, n_classes)
    of_all = log_probability_given_parents(counts.of_all_classes.to_dense(), *model._smoothing)
    return np.broadcast_to(of_all.reshape(-1, 1), (of_all.size, n_classes))


__all__ = ["network_scores"]
