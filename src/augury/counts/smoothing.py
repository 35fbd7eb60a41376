"""Counts → log probabilities."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

# The smallest probability that a model states. Without smoothing a count of zero would
# be probability zero, and a row that is impossible under every class would have no
# posterior; so, the class with the fewest impossible values wins.
SMALLEST = np.finfo(np.float64).tiny


def floored_log(probability: Array) -> Array:
    """Return log p, or log of the smallest normal number where p is below it."""
    return np.log(np.maximum(probability, SMALLEST))


def laplace_log_probability(counts: Array, alpha: float) -> Array:
    """Return log((N_k + alpha) / (N + alpha K)) over the first axis of counts.

    Laplace smoothing with alpha = 1, Lidstone's otherwise. Where nothing was counted
    and alpha is 0, all K outcomes are equally likely.

    >>> np.exp(laplace_log_probability(np.array([[3.0], [0.0]]), alpha=1.0)).round(3)
    array([[0.8],
           [0.2]])
    """
    total = counts.sum(axis=0) + alpha * len(counts)
    uniform = np.full(counts.shape, 1.0 / max(len(counts), 1))
    return floored_log(np.divide(counts + alpha, total, out=uniform, where=total > 0))
