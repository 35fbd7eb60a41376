"""Generative scores of a column and its parents, computed from counts.

Every score takes counts of shape (…, configurations of the parents, states) and returns one
number for each of the leading axes. Logarithms are natural, and a higher score is better. Scores
add: the score of a family is the sum over its configurations, if BIC is given `n_samples` and
BDeu `n_configurations`; the score of a network is the sum over its families.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from augury.arrays import Array, FloatArray
from augury.counts.smoothing import SMALLEST
from augury.kernels import log_likelihoods


def log_likelihood(counts: ArrayLike) -> FloatArray:
    """Return Σ_jk N_jk log(N_jk / N_j), the maximum log likelihood (LL).

    >>> float(round(log_likelihood([[1, 1], [2, 0]]), 4))  # 2 log 1/2 + 2 log 1
    -1.3863
    """
    return log_likelihoods(np.asarray(counts, dtype=np.float64))[()]  # a number for one table


def x_log_x(x: Array) -> Array:
    """Return x log x, 0 for 0.

    >>> x_log_x(np.array([0.0, 1.0, np.e])).tolist()
    [-0.0, 0.0, 2.718281828459045]
    """
    return np.asarray(x * np.log(np.maximum(x, SMALLEST)))


def n_parameters(counts: Array) -> int:
    """Return the number of free probabilities: configurations · (states - 1)."""
    *_, configurations, states = counts.shape
    return int(configurations * max(states - 1, 0))


def aic(counts: ArrayLike) -> FloatArray:
    """Return the log likelihood minus the number of free parameters (Akaike).

    >>> float(round(aic([[1, 1], [2, 0]]), 4))
    -3.3863
    """
    counts = np.asarray(counts, dtype=np.float64)
    return log_likelihood(counts) - n_parameters(counts)


def bic(counts: ArrayLike, n_samples: float | None = None) -> FloatArray:
    """Return the log likelihood minus ½ log N for each free parameter (Schwarz; MDL).

    Parameters
    ----------
    counts : array of shape (…, configurations, states)
    n_samples : N
        None: the sum of the counts.

    Examples
    --------
    >>> float(round(bic([[1, 1], [2, 0]]), 4))  # -1.3863 - 2 · ½ log 4
    -2.7726
    """
    counts = np.asarray(counts, dtype=np.float64)
    n = counts.sum() if n_samples is None else n_samples
    penalty = 0.5 * np.log(max(n, 1.0)) * n_parameters(counts)
    return np.asarray(log_likelihood(counts) - penalty)[()]


def k2(counts: ArrayLike) -> FloatArray:
    """Return Σ_j [log Γ(r) - log Γ(N_j + r) + Σ_k log Γ(N_jk + 1)] (Cooper and Herskovits).

    This is the log probability of the rows under a uniform prior over all distributions. A
    configuration without rows adds 0.

    >>> float(round(k2([[1, 1], [2, 0]]), 4))  # 1! 1! / 3! and 2! 0! / 3!
    -2.8904
    """
    counts = np.asarray(counts, dtype=np.float64)
    r = counts.shape[-1]
    of_configurations = gammaln(max(r, 1)) - gammaln(counts.sum(axis=-1) + max(r, 1))
    of_cells = gammaln(counts + 1.0).sum(axis=(-2, -1))
    return np.asarray(of_configurations.sum(axis=-1) + of_cells)[()]


def bdeu(
    counts: ArrayLike,
    equivalent_sample_size: float = 1.0,
    n_configurations: ArrayLike | None = None,
) -> FloatArray:
    """Return the log probability of the rows under a uniform Dirichlet prior (BDeu).

    The prior is worth `equivalent_sample_size` rows, spread evenly over the q
    configurations and r states. With a_j = ess / q and a_jk = a_j / r the score is
    Σ_j [log Γ(a_j) - log Γ(a_j + N_j) + Σ_k (log Γ(a_jk + N_jk) - log Γ(a_jk))].
    Equivalent structures have equal scores (Heckerman, Geiger and Chickering 1995).

    Parameters
    ----------
    counts : array of shape (…, configurations, states)
    equivalent_sample_size : float
    n_configurations : q, if `counts` has only some of the configurations of the family
        A number, or one for each of the leading axes.

    Examples
    --------
    >>> float(round(bdeu([[1, 1]], equivalent_sample_size=2.0), 4))  # as K2: 1! 1! / 3!
    -1.7918
    """
    counts = np.asarray(counts, dtype=np.float64)
    *leading, configurations, states = counts.shape
    q = np.asarray(configurations if n_configurations is None else n_configurations)
    a_j = np.broadcast_to(equivalent_sample_size / np.maximum(q, 1), leading)[..., None]
    a_jk = a_j[..., None] / max(states, 1)
    of_configurations = gammaln(a_j) - gammaln(a_j + counts.sum(axis=-1))
    of_cells = gammaln(a_jk + counts) - gammaln(a_jk)
    return np.asarray(of_configurations.sum(axis=-1) + of_cells.sum(axis=(-2, -1)))[()]


__all__ = ["aic", "bdeu", "bic", "k2", "log_likelihood", "n_parameters", "x_log_x"]
