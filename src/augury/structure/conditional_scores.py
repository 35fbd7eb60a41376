"""Scores of the class given the columns: aCLL, f̂CLL and the exact CLL.

aCLL and f̂CLL take counts of shape (…, configurations of the other parents, states, classes):
the class is a parent, and the last axis. Logarithms are natural; those of the documents are to
base 2, which multiplies every score by 1.4427 and does not change the ranking. A higher score is
better. Scores add over configurations and over the families of a network.
"""

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, BoolArray, FloatArray
from augury.counts import log_normalize
from augury.structure.scores import x_log_x

# log(u / (u + v)) ≈ α log u + β log v + γ, least squares for u, v uniform in (0, p).
ALPHA = (np.pi**2 + 6) / 24
BETA = (np.pi**2 - 18) / 24
# log(w / (1 - w)) ≈ λ log w + ρ, least squares for w uniform in (0, 1).
LAMBDA = RHO = np.pi**2 / 6


def acll_gamma(p: float) -> float:
    """Return the γ of a row in nats; aCLL omits it, because it is the same for all structures.

    The document has it in bits: γ = π²/(12 ln 2) - (2 + (π² - 6) log₂ p / 12).

    >>> round(acll_gamma(1.0), 4)
    -0.5638
    """
    return float(np.pi**2 / 12 - 2 * np.log(2) - (np.pi**2 - 6) * np.log(p) / 12)


def acll(
    counts: ArrayLike, pseudo_count: float = 0.5, present: BoolArray | None = None
) -> FloatArray:
    """Return the approximate conditional log likelihood of a family (aCLL).

    Σ N_jkc (α log θ_jkc + β mean over c' ≠ c of log θ_jkc'), α = (π² + 6)/24 and
    β = (π² - 18)/24 < 0. The score is high if the rows of the family are likely in their own
    class and unlikely in the others. The sum over a network is
    (α + β) LL - β Σ_rows log(U / V), where U is the joint probability of a row with its class
    and V that with the other class.

    Parameters
    ----------
    counts : array of shape (…, configurations, states, classes)
    pseudo_count : float > 0
        θ_jkc = (N_jkc + s) / (N_jc + s r). With s = 0, V may be 0 and the score infinite.
    present : mask of the classes that have rows
        None: those that have rows in `counts`.

    Notes
    -----
    The document has two classes. With more classes, log V is the mean over the other classes
    that have rows. If only one class has rows, the score is α log U.

    References
    ----------
    Y.-C. Hao: Bayesian networks classifier using approximation (in Chinese). 2014.
    A. M. Carvalho, T. Roos, A. L. Oliveira, P. Myllymäki: Discriminative learning of
    Bayesian networks via factorized conditional log-likelihood. JMLR 12 (2011).

    Examples
    --------
    One configuration, two states that distinguish the two classes: θ is 5/6 for the class of
    a row and 1/6 for the other class.

    >>> float(round(acll([[[2, 0], [0, 2]]]), 4))
    1.9457
    >>> float(round(4 * (ALPHA * np.log(5 / 6) + BETA * np.log(1 / 6)), 4))
    1.9457
    """
    counts = np.asarray(counts, dtype=np.float64)
    totals = counts.sum(axis=-2, keepdims=True) + pseudo_count * counts.shape[-2]
    log_theta = np.log((counts + pseudo_count) / np.where(totals > 0, totals, 1.0))
    with_rows = counts.reshape(-1, counts.shape[-1]).sum(axis=0) > 0
    terms = weigh_classes(counts, log_theta, with_rows if present is None else present)
    return np.asarray(terms.sum(axis=(-3, -2, -1)))[()]


def acll_of_class(class_counts: ArrayLike, pseudo_count: float = 0.5) -> float:
    """Return the term of the class itself in aCLL, which is the same for all structures."""
    counts = np.asarray(class_counts, dtype=np.float64)
    log_theta = np.log((counts + pseudo_count) / (counts.sum() + pseudo_count * len(counts)))
    return float(weigh_classes(counts, log_theta, counts > 0).sum())


def weigh_classes(counts: FloatArray, log_theta: FloatArray, present: BoolArray) -> FloatArray:
    """Return N (α log θ_c + β mean of log θ_c' over the other classes that have rows)."""
    weighted: FloatArray = counts * (ALPHA * log_theta)
    n_others = np.count_nonzero(present) - 1
    if n_others > 0:
        of_all = log_theta[..., present].sum(axis=-1, keepdims=True)
        weighted += counts * (BETA / n_others) * (of_all - log_theta)
    return weighted


def fcll(counts: ArrayLike) -> FloatArray:
    """Return the factorized conditional log likelihood of a family (f̂CLL).

    (α + β) LL - β λ Σ N_jkc (log(N_jkc / N_jk) - log(N_jc / N_j)), λ = π²/6. This is aCLL
    with U / V replaced by the class frequencies of rows of the same configuration, so that it
    is finite without smoothing. Terms that are the same for all structures are omitted.

    Parameters
    ----------
    counts : array of shape (…, configurations, states, classes)

    Notes
    -----
    It is published for two classes; here the sums run over all classes.

    References
    ----------
    A. M. Carvalho, T. Roos, A. L. Oliveira, P. Myllymäki: Discriminative learning of
    Bayesian networks via factorized conditional log-likelihood. JMLR 12 (2011).

    Examples
    --------
    States that distinguish the classes: LL = 0, log(N_jkc / N_jk) = 0, and N_jc / N_j = ½.

    >>> float(round(fcll([[[2, 0], [0, 2]]]), 4))
    1.545
    >>> float(round(-BETA * LAMBDA * 4 * np.log(2), 4))
    1.545
    """
    counts = np.asarray(counts, dtype=np.float64)
    of_class = counts.sum(axis=-2)
    of_state = counts.sum(axis=-1)
    of_all = of_state.sum(axis=-1)
    cells = x_log_x(counts).sum(axis=(-3, -2, -1))
    classes = x_log_x(of_class).sum(axis=(-2, -1))
    states = x_log_x(of_state).sum(axis=(-2, -1))
    of_the_class = cells - states - classes + x_log_x(of_all).sum(axis=-1)
    return np.asarray((ALPHA + BETA) * (cells - classes) - BETA * LAMBDA * of_the_class)[()]


def conditional_log_likelihood(
    log_joint: Array, y: Array, sample_weight: Array | None = None
) -> float:
    """Return Σ_rows log p(c | x) (CLL) of log p(c, x) for each row and class.

    It is not a sum over columns: a search must compute it for the whole network.

    >>> float(round(conditional_log_likelihood(np.log([[0.3, 0.1]]), np.array([0])), 4))
    -0.2877
    """
    own = log_normalize(log_joint)[np.arange(len(y)), y]
    return float(own.sum() if sample_weight is None else own @ sample_weight)


__all__ = [
    "ALPHA",
    "BETA",
    "LAMBDA",
    "RHO",
    "acll",
    "acll_gamma",
    "acll_of_class",
    "conditional_log_likelihood",
    "fcll",
    "weigh_classes",
]
