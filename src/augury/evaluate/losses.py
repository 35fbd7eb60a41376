"""Accuracy, log loss and Brier score over the declared classes.

A true class is a code 0, …, n_classes - 1. Probabilities have a column for each declared class,
classes without rows included. Every loss is a weighted mean over the rows: a row of weight 2
counts like two rows.
"""

import numpy as np
from numpy.typing import ArrayLike

from augury.validation import Array, check_sample_weight

# As in scikit-learn, the distance from 1 to the next double: a prediction that gives the true
# class probability 0 has a loss of 36 nats instead of infinity.
SMALLEST_PROBABILITY = float(np.finfo(np.float64).eps)


def accuracy(
    codes: ArrayLike, predicted: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Return the share of rows whose class is predicted correctly.

    Parameters
    ----------
    codes, predicted : array-like of shape (n_samples,)
        True and predicted classes.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows; by default they are equal.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> accuracy([0, 1, 2, 1], [0, 1, 1, 1])
    0.75
    """
    true, guess = np.asarray(codes), np.asarray(predicted)
    if true.ndim != 1 or true.shape != guess.shape:
        raise ValueError(
            f"accuracy: codes and predicted must be two columns of one length, "
            f"got shapes {true.shape} and {guess.shape}"
        )
    _check_rows("accuracy", true)
    return _mean("accuracy", true == guess, sample_weight)


def log_loss(
    codes: ArrayLike, probabilities: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    r"""Return the mean negative log-likelihood of the true classes, in nats.

    .. math:: -\frac1n \sum_i \ln \max(p_{i,c_i}, \epsilon)

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes.
    probabilities : array-like of shape (n_samples, n_classes)
        Predicted distribution of each row.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows; by default they are equal.

    Returns
    -------
    float
        From 0 (certain and right) to -ln ε = 36.04 (certain and wrong). A probability below
        ε = 2⁻⁵² counts as ε, as in scikit-learn.

    Examples
    --------
    >>> round(log_loss([0, 1], [[0.5, 0.5], [0.75, 0.25]]), 4)  # (ln 2 + ln 4) / 2
    1.0397
    """
    true, distribution = check_distributions("log_loss", codes, probabilities)
    likelihood = distribution[np.arange(len(true)), true]
    surprise = np.log(np.clip(likelihood, SMALLEST_PROBABILITY, 1.0))
    # The sum with 0 turns the -0.0 of a perfect prediction into 0.0.
    return -_mean("log_loss", surprise, sample_weight) + 0.0


def brier_score(
    codes: ArrayLike, probabilities: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    r"""Return the mean squared distance between predicted and true distribution.

    Brier's own definition, summed over all classes and never halved:

    .. math:: \frac1n \sum_i \sum_c (p_{ic} - [c = c_i])^2

    For two classes this is twice the score of one class, which is scikit-learn's default for
    two classes; `brier_score_loss(…, scale_by_half=False)` is equal for any number of classes.

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes.
    probabilities : array-like of shape (n_samples, n_classes)
        Predicted distribution of each row.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows; by default they are equal.

    Returns
    -------
    float
        From 0 (certain and right) to 2 (certain and wrong).

    References
    ----------
    G. W. Brier (1950): Verification of forecasts expressed in terms of
    probability. Monthly Weather Review 78, 1-3.

    Examples
    --------
    >>> brier_score([0, 1], [[0.5, 0.5], [0.75, 0.25]])  # (0.5 + 1.125) / 2
    0.8125
    """
    true, distribution = check_distributions("brier_score", codes, probabilities)
    likelihood = distribution[np.arange(len(true)), true]
    squares = np.einsum("ic,ic->i", distribution, distribution)
    return _mean("brier_score", squares - 2.0 * likelihood + 1.0, sample_weight)


def _mean(owner: str, values: Array, sample_weight: ArrayLike | None) -> float:
    weight = check_sample_weight(owner, sample_weight, len(values))
    return float(np.mean(values) if weight is None else np.average(values, weights=weight))


def _check_rows(owner: str, codes: Array) -> None:
    if len(codes) == 0:
        raise ValueError(f"{owner}: codes must have at least one row")


def check_distributions(
    owner: str, codes: ArrayLike, probabilities: ArrayLike
) -> tuple[Array, Array]:
    """Return true classes and predicted distributions of the rows, checked."""
    true = np.asarray(codes)
    distribution = np.asarray(probabilities, dtype=np.float64)
    if true.ndim != 1 or distribution.ndim != 2 or len(true) != len(distribution):
        raise ValueError(
            f"{owner}: probabilities must have one row for each code, "
            f"got shapes {distribution.shape} and {true.shape}"
        )
    _check_rows(owner, true)
    n_classes = distribution.shape[1]
    if true.dtype.kind not in "iu" or true.min() < 0 or true.max() >= n_classes:
        raise ValueError(f"{owner}: codes must be integers in 0, …, {n_classes - 1}")
    # NaN fails this comparison too.
    wrong = ~((distribution >= 0).all(axis=1) & (abs(distribution.sum(axis=1) - 1.0) < 1e-6))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{owner}: probabilities must be non-negative and sum to 1, "
            f"got {distribution[row]} in row {row}"
        )
    return true, distribution


__all__ = ["SMALLEST_PROBABILITY", "accuracy", "brier_score", "check_distributions", "log_loss"]
