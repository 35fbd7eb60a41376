"""Sums and means of numbers that are given by their logarithms."""

from functools import reduce

import numpy as np

from augury.arrays import Array


def normalize(log_joint: Array) -> Array:
    """Return probabilities of each row from log probabilities up to a constant.

    >>> normalize(np.log([[1.0, 3.0]]) - 5000.0)
    array([[0.25, 0.75]])
    """
    proba: Array = np.exp(log_joint - _row_maximum(log_joint)[:, None])
    proba /= _row_sum(proba)[:, None]
    return proba


def log_normalize(log_joint: Array) -> Array:
    """Return log probabilities of each row from log probabilities up to a constant."""
    shifted: Array = log_joint - _row_maximum(log_joint)[:, None]
    shifted -= np.log(_row_sum(np.exp(shifted)))[:, None]
    return shifted


def log_softmax_of(scores: Array, y: Array) -> tuple[Array, Array]:
    """Return the log probability of the class y of each row, and the class probabilities.

    >>> own, proba = log_softmax_of(np.log([[1.0, 3.0]]), np.array([1]))
    >>> np.exp(own), proba
    (array([0.75]), array([[0.25, 0.75]]))
    """
    proba: Array = scores - _row_maximum(scores)[:, None]
    own: Array = proba[np.arange(len(y)), y]
    np.exp(proba, out=proba)
    total = _row_sum(proba)
    own -= np.log(total)
    proba /= total[:, None]
    return own, proba


# NumPy reduces a short last axis row by row; adding columns is many times as fast.
_FEW = 16


def _row_maximum(values: Array) -> Array:
    if values.shape[1] > _FEW:
        return np.asarray(values.max(axis=1))
    return reduce(np.maximum, values.T)


def _row_sum(values: Array) -> Array:
    if values.shape[1] > _FEW:
        return np.asarray(values.sum(axis=1))
    return reduce(np.add, values.T)


def log_mean_exp(terms: Array, counted: Array) -> Array:
    """Return the log of the mean of exp(terms) over the counted terms of the first axis.

    Parameters
    ----------
    terms : array of shape (n_terms, n_samples, n_classes)
    counted : array of shape (n_terms, n_samples)
        The result of a row without counted terms is -inf.

    >>> terms = np.array([[[-1000.0]], [[-1000.0 + np.log(3.0)]]])
    >>> log_mean_exp(terms, np.array([[True], [True]])) + 1000.0
    array([[0.69314718]])
    """
    masked = np.where(counted[:, :, None], terms, -np.inf)
    largest = masked.max(axis=0)
    n_counted = counted.sum(axis=0)[:, None]
    # The maximum of a row without terms may be replaced by any finite number.
    shift = np.where(np.isfinite(largest), largest, 0.0)
    total = np.exp(masked - shift).sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.asarray(shift + np.log(total) - np.log(np.maximum(n_counted, 1)))
