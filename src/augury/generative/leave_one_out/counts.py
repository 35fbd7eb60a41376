"""Counts of classes and of single columns without one row."""

import numpy as np

from augury.arrays import Array
from augury.counts import FeatureCounts, floored_log, laplace_log_probability
from augury.kernels import add_log_factors

# A difference that is a smaller share of its operands is a rounding error.
ROUNDING = 64 * np.finfo(np.float64).eps
# Rows that are looked up at once, so that temporary arrays stay in the processor's cache.
_ROWS_AT_ONCE = 1 << 14


def take_away(count: Array, weight: Array | float) -> Array:
    """Return counts minus the weight of a row; NaN where the count is smaller than that.

    >>> take_away(np.array([3.0, 1.0, 0.0]), 1.0)
    array([ 2.,  0., nan])
    """
    left = count - weight
    rounding = ROUNDING * (count + weight)
    return np.where(left > rounding, left, np.where(left >= -rounding, 0.0, np.nan))


def log_prior_without(class_counts: Array, y: Array, weight: Array, alpha: float) -> Array:
    """Return the smoothed log p(c), of shape (n_samples, n_classes), without each row.

    >>> np.exp(log_prior_without(np.array([2.0, 1.0]), np.array([0]), np.array([1.0]), 1.0))
    array([[0.5, 0.5]])
    """
    if all_equal(weight):
        # All rows of a class have the same result.
        every = np.arange(len(class_counts))
        return _log_prior_without(class_counts, every, weight[0], alpha)[y]
    return _log_prior_without(class_counts, y, weight, alpha)


def _log_prior_without(class_counts: Array, y: Array, weight: Array | float, alpha: float) -> Array:
    counts = np.repeat(class_counts[:, None], len(y), axis=1)
    counts[y, np.arange(len(y))] = take_away(class_counts[y], weight)
    return np.ascontiguousarray(laplace_log_probability(counts, alpha).T)


def all_equal(weight: Array) -> bool:
    """Return whether there are rows, and all have the same weight."""
    return len(weight) > 0 and bool((weight == weight[0]).all())


def add_log_factors_without(
    features: FeatureCounts,
    codes: Array,
    y: Array,
    weight: Array,
    alpha: float,
    joint: Array,
    *,
    log_table: Array,
    n_threads: int = 1,
) -> None:
    """Add Σ_j log p(x_j | c), estimated without each row, to `joint`.

    Only the factors of a row's own class change; those of the other classes are looked up in
    `log_table`.
    """
    rows = np.arange(len(y))
    own = joint[rows, y]
    add_log_factors(codes, log_table, features.offsets, joint, n_threads=n_threads)
    if all_equal(weight):
        # All rows of a state and class have the same result.
        without = np.zeros_like(features.table)
        for j, start in enumerate(features.offsets[:-1]):
            n, count = features.n_states[j], features.of_column(j)
            share = without_row(count, count.sum(axis=0), weight[0], alpha, n)
            without[start : start + n] = floored_log(share)
        looked_up = np.zeros_like(joint)
        add_log_factors(codes, without, features.offsets, looked_up, n_threads=n_threads)
        own += looked_up[rows, y]
    else:
        for start in range(0, len(y), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            own[part] += _own_log_factors(features, codes[part], y[part], weight[part], alpha)
    joint[rows, y] = own


def _own_log_factors(
    features: FeatureCounts, codes: Array, y: Array, weight: Array, alpha: float
) -> Array:
    """Return Σ_j log p(x_j | own class) without each row."""
    total, q = np.zeros(len(y)), np.int64(features.table.shape[1])
    for j, n in enumerate(features.n_states.tolist()):
        start, count, state = features.offsets[j], features.of_column(j), codes[:, j]
        in_state = features.table.ravel().take((start + state) * q + y)
        share = without_row(in_state, count.sum(axis=0).take(y), weight, alpha, n)
        share[state == n] = 1.0  # the value is left out
        total += floored_log(share)
    return total


def without_row(
    count: Array, total: Array, weight: Array | float, alpha: float, n_states: int
) -> Array:
    """Return (N - w + α) / (N_all - w + α v), or 1 / v where no row is left and α is 0.

    >>> without_row(np.array([2.0]), np.array([3.0]), 1.0, alpha=1.0, n_states=2)
    array([0.5])
    """
    left = take_away(total, weight) + alpha * n_states
    share = np.full(count.shape, 1.0 / max(n_states, 1))
    # NaN, of a row that was not counted, stays NaN.
    np.divide(take_away(count, weight) + alpha, left, out=share, where=~(left <= 0))
    return share
