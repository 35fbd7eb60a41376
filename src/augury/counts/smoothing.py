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


def pseudo_count(smoothing: str, n_states: Any) -> Any:
    """Return what is added to each count: 1 ("laplace"), or 1/n_states ("m-estimate").

    The m-estimate adds one row in all, spread evenly over the states.
    """
    return 1.0 if smoothing == "laplace" else 1.0 / np.maximum(n_states, 1)


def laplace_given_parents(counts: Array, alpha: float) -> Array:
    """Return log p(state | parents, class) by Laplace's rule, "left out" included.

    `counts` has shape (slots of the parents …, own slots, classes), as in `FamilyCounts`.
    Where a parent is left out, its states are summed over; where the child itself is,
    log p is 0: its factor is left out.
    """
    filled = _sum_over_left_out(counts)
    log_probability = np.zeros_like(counts)
    states = np.moveaxis(filled[..., :-1, :], -2, 0)
    log_probability[..., :-1, :] = np.moveaxis(laplace_log_probability(states, alpha), 0, -2)
    return log_probability


def backoff_given_parents(counts: Array, alpha: float, strength: float) -> Array:
    """Return log p(state | parents, class), each parent shrunk to the model without it.

    p_0(v | c) is Laplace's estimate; with the first t parents,
    p_t(v | u_1 … u_t, c) = (N_t(v) + m p_{t-1}(v)) / (N_t + m): the m-estimate with the
    parent-reduced distribution as its prior. So a rare combination of parents says
    little, and one that never occurred says what it says without the last parent.
    """
    n_parents = counts.ndim - 2
    log_probability = np.zeros_like(counts)
    filled = _sum_over_left_out(counts)
    # Left-out parents are the last slot of their axis and hold the sum over it, so the
    # counts with the first t parents are the slice where all later ones are left out.
    reduced = filled[(-1,) * n_parents]
    estimate = np.exp(laplace_log_probability(reduced[:-1], alpha))
    for t in range(1, n_parents + 1):
        with_t = filled[(slice(None),) * t + (-1,) * (n_parents - t)][..., :-1, :]
        total = with_t.sum(axis=-2, keepdims=True) + strength
        prior = np.broadcast_to(estimate[..., None, :, :], with_t.shape)
        shrunk = np.divide(with_t + strength * prior, total, out=prior.copy(), where=total > 0)
        shrunk[..., -1, :, :] = estimate  # this parent is left out
        estimate = shrunk
    log_probability[..., :-1, :] = floored_log(estimate)
    return log_probability


def _sum_over_left_out(counts: Array) -> Array:
    """Return counts whose slots of left-out parents hold the sum over all their slots."""
    filled: Array = counts.copy()
    for axis in range(counts.ndim - 2):
        total = filled.sum(axis=axis)
        index: list[Any] = [slice(None)] * counts.ndim
        index[axis] = -1
        filled[tuple(index)] = total
    return filled
