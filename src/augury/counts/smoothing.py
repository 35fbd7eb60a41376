"""Smoothed probabilities from counts."""

import numpy as np

from augury.arrays import Array
from augury.counts.feature_counts import FeatureCounts

# The smallest probability of a model. Without smoothing a count of zero would have
# probability zero, and a row that is impossible in every class would have no posterior. With
# this floor, the class with the fewest impossible values is the most probable.
SMALLEST = np.finfo(np.float64).tiny

# Of one number of parents: counts of the states, their totals, and whether a parent is known.
Level = tuple[Array, Array, Array]


def floored_log(probability: Array) -> Array:
    """Return log p, or log of the smallest normal number where p is below it."""
    return np.log(np.maximum(probability, SMALLEST))


def laplace_probability(counts: Array, alpha: float) -> Array:
    """Return (N_k + alpha) / (N + alpha K) over the first axis of counts.

    Laplace smoothing with alpha = 1, Lidstone smoothing otherwise. If no row was counted
    and alpha is 0, all K outcomes are equally likely.

    >>> laplace_probability(np.array([[3.0], [0.0]]), alpha=1.0)
    array([[0.8],
           [0.2]])
    """
    total = counts.sum(axis=0) + alpha * len(counts)
    uniform = np.full(counts.shape, 1.0 / max(len(counts), 1))
    return np.asarray(np.divide(counts + alpha, total, out=uniform, where=total > 0))


def laplace_log_probability(counts: Array, alpha: float) -> Array:
    """Return the log of `laplace_probability`, bounded from below."""
    return floored_log(laplace_probability(counts, alpha))


def laplace_log_table(features: FeatureCounts, alpha: float | str) -> Array:
    """Return log p(state | class) of every slot; 0 for "left out".

    `alpha` is as in `pseudo_count`.
    """
    log_table = np.zeros_like(features.table)
    for j, start in enumerate(features.offsets[:-1]):
        n_states = int(features.n_states[j])
        states = slice(start, start + n_states)
        log_table[states] = laplace_log_probability(
            features.table[states], pseudo_count(alpha, n_states)
        )
    return log_table


def pseudo_count(alpha: float | str, n_states: int) -> float:
    """Return the pseudo-count of each state: alpha itself, or 1 / n_states for "m-estimate".

    The m-estimate adds one row in all, spread evenly over the states.

    >>> pseudo_count(0.5, n_states=4), pseudo_count("m-estimate", n_states=4)
    (0.5, 0.25)
    """
    return 1.0 / max(n_states, 1) if isinstance(alpha, str) else float(alpha)


def log_probability_given_parents(
    counts: Array, alpha: float, equivalent_sample_size: float
) -> Array:
    """Return log p(state | parents, class), shrunk to the estimate with one parent less.

    With t of the parents, N_t counting their rows,
    p_t(v | u_1 … u_t, c) = (N_t(v) + α + m p_{t-1}(v | u_1 … u_{t-1}, c)) / (N_t + α V + m),
    and p_0(v | c) = (N_0(v) + α) / (N_0 + α V). The estimate of a rare combination of parents
    is therefore close to the one without the last parent. m = 0 is Lidstone smoothing, α = 0
    the m-estimate whose prior is the distribution with one parent less.

    Parameters
    ----------
    counts : array of shape (slots of the parents …, own slots, classes)
        As in `FamilyCounts`: the last slot of an axis is "left out".
    alpha : pseudo-count α of each state
    equivalent_sample_size : weight m, in rows, of the estimate with one parent less

    Returns
    -------
    array of the same shape
        If a parent is left out, the estimate is the one without it; if the column itself is,
        log p is 0.
    """
    n_parents = counts.ndim - 2
    filled = sum_over_left_out(counts)
    # The slot of a left-out parent holds the sum over its axis, so the counts with the first t
    # parents are the slice in which all later parents are left out.
    estimate = laplace_probability(filled[(-1,) * n_parents][:-1], alpha)
    for t in range(1, n_parents + 1):
        with_t = filled[(slice(None),) * t + (-1,) * (n_parents - t)][..., :-1, :]
        total = (
            with_t.sum(axis=-2, keepdims=True) + alpha * with_t.shape[-2] + equivalent_sample_size
        )
        prior = np.broadcast_to(estimate[..., None, :, :], with_t.shape)
        weighted = with_t + alpha + equivalent_sample_size * prior
        shrunk = np.divide(weighted, total, out=prior.copy(), where=total > 0)
        shrunk[..., -1, :, :] = estimate  # this parent is left out
        estimate = shrunk
    log_probability = np.zeros_like(counts)
    log_probability[..., :-1, :] = floored_log(estimate)
    return log_probability


def shrink(
    levels: list[Level], alpha: float, equivalent_sample_size: float, n_states: int
) -> Array:
    """Return the estimate with all parents, each shrunk to the one with one parent less.

    This is the estimate of `log_probability_given_parents` at one state, from the counts with
    0, 1, … parents.
    """
    estimate = np.full(levels[0][0].shape, 1.0 / max(n_states, 1))
    for n_used, (count, total, known) in enumerate(levels):
        added = equivalent_sample_size * estimate if n_used else 0.0
        divisor = total + alpha * n_states + (equivalent_sample_size if n_used else 0.0)
        np.divide(count + alpha + added, divisor, out=estimate, where=known & ~(divisor <= 0))
    return estimate


def sum_over_left_out(counts: Array) -> Array:
    """Return counts whose slots of left-out parents hold the sum over all their slots."""
    filled: Array = counts.copy()
    for axis in range(counts.ndim - 2):
        total = filled.sum(axis=axis)
        filled[(slice(None),) * axis + (-1,)] = total
    return filled
