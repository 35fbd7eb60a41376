"""Probabilities of a column given its parents, from family counts without one row."""

import numpy as np

from augury.arrays import Array
from augury.counts import floored_log
from augury.counts.smoothing import sum_over_left_out
from augury.generative.leave_one_out.counts import take_away

# Of one number of parents: counts of the states, their totals, and whether a parent is known.
Level = tuple[Array, Array, Array]


def log_given_parents_without(
    counts: Array,
    family: Array,
    y: Array,
    weight: Array,
    alpha: float,
    equivalent_sample_size: float,
) -> Array:
    """Return log p(state | parents, class) of each row's own class, without that row.

    This is `log_probability_given_parents` of the counts without the row; 0 where the column
    is left out.

    Parameters
    ----------
    counts : array of shape (slots of the parents …, own slots, classes)
    family : array of shape (n_samples, n_parents + 1), the codes of the parents and of the column
    """
    *parents, state = family.T
    levels: list[Level] = []
    tables = _with_first_parents(sum_over_left_out(counts), parents, len(y))
    for n_used, (at, table) in enumerate(tables):
        total = table[:, :-1].sum(axis=1)[at, y]
        known = parents[n_used - 1] < counts.shape[n_used - 1] - 1 if n_used else state >= 0
        levels.append((take_away(table[at, state, y], weight), take_away(total, weight), known))
    n_states = counts.shape[-2] - 1
    log_share = floored_log(_shrink(levels, alpha, equivalent_sample_size, n_states))
    return np.where(state == n_states, 0.0, log_share)


def log_class_given_parents_without(
    counts: Array,
    parents: Array,
    y: Array,
    weight: Array,
    alpha: float,
    equivalent_sample_size: float,
) -> Array:
    """Return log p(c | parents of the class) of all classes, without each row.

    Parameters
    ----------
    counts : array of shape (slots of the parents …, classes)
    parents : array of shape (n_samples, n_parents)
    """
    rows = np.arange(len(y))
    levels: list[Level] = []
    columns = list(parents.T)
    tables = _with_first_parents(sum_over_left_out(counts[..., None]), columns, len(y))
    for n_used, (at, table) in enumerate(tables):
        count = table[at, :, 0]
        count[rows, y] = take_away(count[rows, y], weight)
        known = columns[n_used - 1] < counts.shape[n_used - 1] - 1 if n_used else y >= 0
        levels.append((count, count.sum(axis=1, keepdims=True), known[:, None]))
    return floored_log(_shrink(levels, alpha, equivalent_sample_size, counts.shape[-1]))


def _with_first_parents(
    filled: Array, parents: list[Array], n_rows: int
) -> list[tuple[Array, Array]]:
    """Return, for 0, 1, … parents, the index of each row's parents and the counts by index."""
    found = []
    at = np.zeros(n_rows, dtype=np.int64)
    for n_used in range(len(parents) + 1):
        if n_used:
            at = at * filled.shape[n_used - 1] + parents[n_used - 1]
        later = (-1,) * (len(parents) - n_used)
        table = filled[(slice(None),) * n_used + later]
        found.append((at, table.reshape(-1, *filled.shape[-2:])))
    return found


def _shrink(
    levels: list[Level], alpha: float, equivalent_sample_size: float, n_states: int
) -> Array:
    """Return the estimate with all parents, each shrunk to the one with one parent less."""
    estimate = np.full(levels[0][0].shape, 1.0 / max(n_states, 1))
    for n_used, (count, total, known) in enumerate(levels):
        added = equivalent_sample_size * estimate if n_used else 0.0
        divisor = total + alpha * n_states + (equivalent_sample_size if n_used else 0.0)
        np.divide(count + alpha + added, divisor, out=estimate, where=known & ~(divisor <= 0))
    return estimate
