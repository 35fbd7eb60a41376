"""Opinions of training rows by the model that has not seen them."""

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts import (
    FeatureCounts,
    Moments,
    floored_log,
    laplace_log_probability,
    normalize,
)
from augury.encode import code_known_classes, row_blocks, slice_rows
from augury.generative.bases.generative_classifier import GenerativeClassifier, TrainingRows
from augury.kernels import add_log_factors

# What is left of a sum after a part of it was taken away: smaller shares are rounding.
_ROUNDING = 64 * np.finfo(np.float64).eps
# Rows that are looked up at once: what is made of them stays in the cache.
_ROWS_AT_ONCE = 1 << 14
# A scatter that loses more than this share by one row is added up anew.
_LOSES_MOST = 0.99


class LeavesOneOut(GenerativeClassifier):
    """Base of the models whose counts can forget a row.

    A model writes `_log_joint_without`: log p(c, x) of training rows, each by the model that
    was fitted without it.
    """

    def leave_one_out_proba(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return p(c | x) of training rows, each by the model fitted without that row.

        Cut points, states, replacements of missing values, structure and the weights of
        columns are held as learned from all rows; counts (and moments) leave the row out. For
        naive Bayes it costs about twice `predict_proba`.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`, all rows or some of them
            Weights are numbers of rows, and one row is left out: of a row of weight 3 two
            more stay, and one of weight 0.4 is left out whole.

        Examples
        --------
        Without its own row, "no" is left with Laplace's 1/4 and p(rain | no) = 1/2; "yes" has
        3/4 and p(rain | yes) = 1/4.

        >>> from augury.generative import NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"]
        >>> NaiveBayes().fit(X, y).leave_one_out_proba(X, y)[2]
        array([0.4, 0.6])
        """
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = self._weight_as_fitted(sample_weight, X.shape[0])
        return self._proba_without(
            (
                self._read(slice_rows(X, rows)),
                codes[rows],
                None if weight is None else weight[rows],
            )
            for rows in row_blocks(X)
        )

    def leave_one_out_read(self, training: TrainingRows) -> Array:
        """Return `leave_one_out_proba` of rows that the model has read; for hybrids."""
        return self._proba_without(training)

    def _proba_without(self, blocks: Iterable[tuple[Any, Array, Array | None]]) -> Array:
        parts: list[Array] = []
        for read, y, weight in blocks:
            # One of so many equal rows; so a whole weight is as good as repeated rows.
            taken = np.ones(len(y)) if weight is None else np.minimum(weight, 1.0)
            joint = self._log_joint_without(read, y, taken)
            stranger = np.isnan(joint).any(axis=1)
            if stranger.any():
                row = int(np.argmax(stranger)) + sum(map(len, parts))
                raise ValueError(
                    f"{self._owner}: X, y and sample_weight must be rows that the model was "
                    f"fitted to, got another in row {row}"
                )
            parts.append(normalize(joint))
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    @abstractmethod
    def _log_joint_without(self, read: Any, y: Array, weight: Array) -> Array:
        """Return log p(c, x) of each row by the model without this weight of it.

        Of shape (n_samples, n_classes); NaN in a row that the model has not counted.
        """


def take_away(count: Array, weight: Any) -> Array:
    """Return counts without a row of this weight; NaN where there was less to take.

    >>> take_away(np.array([3.0, 1.0, 0.0]), 1.0)
    array([ 2.,  0., nan])
    """
    left = count - weight
    rounding = _ROUNDING * (count + weight)
    return np.where(left > rounding, left, np.where(left >= -rounding, 0.0, np.nan))


def log_prior_without(class_counts: Array, y: Array, weight: Array, alpha: float) -> Array:
    """Return the smoothed log p(c), of shape (n_samples, n_classes), without each row.

    >>> np.exp(log_prior_without(np.array([2.0, 1.0]), np.array([0]), np.array([1.0]), 1.0))
    array([[0.5, 0.5]])
    """
    if _all_equal(weight):
        # The rows of a class look alike.
        every = np.arange(len(class_counts))
        return _log_prior_without(class_counts, every, weight[0], alpha)[y]
    return _log_prior_without(class_counts, y, weight, alpha)


def _log_prior_without(class_counts: Array, y: Array, weight: Any, alpha: float) -> Array:
    counts = np.repeat(class_counts[:, None], len(y), axis=1)
    counts[y, np.arange(len(y))] = take_away(class_counts[y], weight)
    return np.ascontiguousarray(laplace_log_probability(counts, alpha).T)


def _all_equal(weight: Array) -> bool:
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
    """Add Σ_j log p(x_j | c) without each row to `joint`; of other classes by `log_table`."""
    rows = np.arange(len(y))
    own = joint[rows, y]
    add_log_factors(codes, log_table, features.offsets, joint, n_threads=n_threads)
    if _all_equal(weight):
        # A state looks the same to each of its rows.
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
        share[state == n] = 1.0  # left out
        total += floored_log(share)
    return total


def without_row(count: Array, total: Array, weight: Any, alpha: Any, n_states: Any) -> Array:
    """Return (N - w + α) / (N_all - w + α v), uniform where nothing is left and α is 0.

    >>> without_row(np.array([2.0]), np.array([3.0]), 1.0, alpha=1.0, n_states=2)
    array([0.5])
    """
    left = take_away(total, weight) + alpha * n_states
    share = np.full(count.shape, 1.0 / np.maximum(n_states, 1))
    # A NaN stays one: the row was not counted.
    np.divide(take_away(count, weight) + alpha, left, out=share, where=~(left <= 0))
    return share


def moments_without(moments: Moments, j: int, values: Array, y: Array, weight: Array) -> Moments:
    """Return column j's moments without each row, of shape (n_samples, n_classes).

    Where the rows are all that were counted, a scatter that was mostly the row's own is
    added up from the others: what is left after a subtraction would be rounding.
    """
    n, rows = len(values), np.arange(len(values))
    there = ~np.isnan(values)
    own_weight, own_mean, own_scatter = (
        array[j][y] for array in (moments.weight, moments.mean, moments.scatter)
    )
    left = take_away(own_weight, np.where(there, weight, 0.0))
    away = np.where(there, values - own_mean, 0.0)
    some = left > 0
    share = np.divide(weight, left, out=np.zeros(n), where=some)
    mean = np.where(some | np.isnan(left), own_mean - share * away, 0.0)
    lost = share * own_weight * away**2
    scatter = np.where(some, np.maximum(own_scatter - lost, 0.0), 0.0)
    scatter[scatter <= _ROUNDING * own_scatter] = 0.0
    for row in _mostly_own(moments, j, there, y, weight, lost / np.maximum(own_scatter, 1e-300)):
        others = there & (y == y[row])
        others[row] = False
        if others.any():
            mean[row] = np.average(values[others], weights=weight[others])
            scatter[row] = weight[others] @ (values[others] - mean[row]) ** 2
    tiled = Moments(
        *(np.tile(a[j], (n, 1)) for a in (moments.weight, moments.mean, moments.scatter))
    )
    tiled.weight[rows, y], tiled.mean[rows, y], tiled.scatter[rows, y] = left, mean, scatter
    return tiled


def _mostly_own(
    moments: Moments, j: int, there: Array, y: Array, weight: Array, lost: Array
) -> list[int]:
    """Return the rows whose class loses nearly all its scatter with them; two per class or so."""
    q = moments.weight.shape[1]
    here = np.bincount(y[there], weight[there], q)
    complete = np.isclose(here, moments.weight[j], rtol=1e-9, atol=0.0)
    rows: list[int] = np.flatnonzero(there & complete[y] & (lost > _LOSES_MOST)).tolist()
    return rows
