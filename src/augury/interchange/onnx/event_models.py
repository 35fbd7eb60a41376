"""The Bernoulli, multinomial and Poisson models as a graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.generative.bases.event_model import EventModel
from augury.generative.bernoulli_naive_bayes import BernoulliNaiveBayes
from augury.generative.multinomial_naive_bayes import MultinomialNaiveBayes
from augury.generative.poisson_naive_bayes import PoissonNaiveBayes
from augury.interchange.onnx.columns import Column
from augury.interchange.onnx.encoded_rows import encode_rows
from augury.interchange.onnx.graph import Graph, Tensor, add_up
from augury.interchange.onnx.registry import converts_log_scores


@converts_log_scores(BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes)
def event_scores(graph: Graph, model: EventModel, columns: Sequence[Column]) -> Tensor:
    """Return log p(c, x) without the factorials of counts, which all classes share."""
    numbers, indicators = _numbers_and_indicators(graph, model, columns)
    n_numbers = model.encoder_._n_numbers
    of_numbers = None
    if numbers is not None:
        is_missing = numbers.is_nan()
        binarize = getattr(model, "binarize", None)
        counts = numbers if binarize is None else (numbers > float(binarize)).to_float()
        of_numbers = counts.where(is_missing, 0.0) @ model._log_weights[:n_numbers]
        if model._log_zero is not None:
            of_numbers = of_numbers - is_missing.to_float() @ model._log_zero[:n_numbers]
    return add_up(of_numbers, indicators) + model._log_empty_row


def _numbers_and_indicators(
    graph: Graph, model: EventModel, columns: Sequence[Column]
) -> tuple[Tensor | None, Tensor | None]:
    """Return the columns of numbers, and the sum of the weights of the indicators of labels."""
    encoder = model.encoder_
    if encoder._table_encoder is None:
        numbers = graph.concatenate([column.numbers() for column in columns])
        if encoder._means is not None:
            numbers = numbers.where(numbers.is_nan(), encoder._means)
        return numbers, None
    rows = encode_rows(graph, encoder._table_encoder, columns)
    weights = model._log_weights[encoder._n_numbers :]
    # A code without an indicator has the last row, of zeros.
    padded = np.concatenate([weights, np.zeros((1, weights.shape[1]))])
    tables = [padded[places] for places in encoder._columns_of_codes]
    of_labels = rows.sum_of_slots(np.concatenate(tables)) if tables else None
    return rows.numbers, of_labels


__all__ = ["event_scores"]
