"""Probabilities of a column given its parents, from family counts without one row."""

from collections.abc import Iterator

import numpy as np

from augury.arrays import Array
from augury.counts import floored_log
from augury.counts.smoothing import Level, shrink, sum_over_left_out
from augury.counts.sparse_table import CountTable, SparseTable
from augury.generative.leave_one_out.counts import take_away


def log_given_parents_without(
    counts: CountTable,
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
    counts : table of shape (slots of the parents …, own slots, classes)
    family : array of shape (n_samples, n_parents + 1), the codes of the parents and of the column
    """
    n_states = counts.shape[-2] - 1
    levels = [
        (take_away(count, weight), take_away(total, weight), known)
        for count, total, known in _levels_of_own_class(counts, family, y)
    ]
    log_share = floored_log(shrink(levels, alpha, equivalent_sample_size, n_states))
    return np.where(family[:, -1] == n_states, 0.0, log_share)


def log_class_given_parents_without(
    counts: CountTable,
    parents: Array,
    y: Array,
    weight: Array,
    alpha: float,
    equivalent_sample_size: float,
) -> Array:
    """Return log p(c | parents of the class) of all classes, without each row.

    Parameters
    ----------
    counts : table of shape (slots of the parents …, classes)
    parents : array of shape (n_samples, n_parents)
    """
    rows = np.arange(len(y))
    levels: list[Level] = []
    for count, known in _levels_of_class(counts, parents):
        count[rows, y] = take_away(count[rows, y], weight)
        levels.append((count, count.sum(axis=1, keepdims=True), known[:, None]))
    return floored_log(shrink(levels, alpha, equivalent_sample_size, counts.shape[-1]))


def _levels_of_own_class(counts: CountTable, family: Array, y: Array) -> Iterator[Level]:
    """Yield, for 0, 1, … parents, the counts of each row's state and of all states in its class."""
    if isinstance(counts, SparseTable):
        rows = np.arange(len(y))
        for count, total, known in counts.levels(family):
            yield count[rows, y], total[rows, y], known[:, 0]
        return
    *parents, state = family.T
    tables = _with_first_parents(sum_over_left_out(counts), parents, len(y))
    for n_used, (at, table) in enumerate(tables):
        total = table[:, :-1].sum(axis=1)[at, y]
        known = parents[n_used - 1] < counts.shape[n_used - 1] - 1 if n_used else state >= 0
        yield table[at, state, y], total, known


def _levels_of_class(counts: CountTable, parents: Array) -> Iterator[tuple[Array, Array]]:
    """Yield, for 0, 1, … parents, the counts of the classes, and whether the parent is known."""
    if isinstance(counts, SparseTable):
        for count, _, known in counts.levels_of_class(parents):
            yield count, known[:, 0]
        return
    columns = list(parents.T)
    tables = _with_first_parents(sum_over_left_out(counts[..., None]), columns, len(parents))
    for n_used, (at, table) in enumerate(tables):
        is_known = columns[n_used - 1] < counts.shape[n_used - 1] - 1 if n_used else at >= 0
        yield table[at, :, 0], is_known


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
