"""Bayesian comparisons: the probability that one model is better, or that both are equal.

Two models are practically equal if their scores differ by no more than the region of practical
equivalence (rope): with accuracies as shares, 0.01 is one point.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from augury.evaluate.score_columns import check_pairs, rounding_noise
from augury.evaluate.significance import FoldDifferences
from augury.validation import Array, check_integer, check_number


@dataclass(frozen=True, slots=True)
class BayesianComparison:
    """Three probabilities that sum to one.

    Attributes
    ----------
    a_better : float
        Probability that a is higher by more than the rope.
    equal : float
        Probability that the difference lies within the rope.
    b_better : float
        Probability that b is higher by more than the rope.
    """

    a_better: float
    equal: float
    b_better: float


def bayesian_t_test(
    a: ArrayLike, b: ArrayLike, *, n_train: ArrayLike, n_test: ArrayLike, rope: float = 0.01
) -> BayesianComparison:
    r"""Compare two models on the folds of one data set: the Bayesian correlated t-test.

    With a flat prior, the posterior of the mean difference is Student's t distribution with
    J - 1 degrees of freedom. Its centre is the mean over the folds; its scale is the standard
    error of `corrected_t_test`:

    .. math:: \mu \sim t_{J-1}\big(\bar d,\ (1/J + \tfrac{\rho}{1 - \rho})\, s_d^2\big),
              \qquad \rho = \frac{n_{test}}{n_{train} + n_{test}}

    Parameters
    ----------
    a, b : array-like of shape (n_folds,)
        Scores of the two models, fold by fold in the same order.
    n_train, n_test : int, or one for each fold
        Rows for training and for testing.
    rope : float, default=0.01
        Largest difference that does not matter, in the unit of the scores.

    Returns
    -------
    BayesianComparison
        If all folds have the same difference, one of the probabilities is 1.

    References
    ----------
    G. Corani, A. Benavoli (2015): A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285-304.

    Examples
    --------
    >>> posterior = bayesian_t_test([3, 5, 8], [1, 1, 2], n_train=9, n_test=1, rope=4)
    >>> posterior.a_better  # the mean is 4: half of it lies above
    0.5
    """
    owner = "bayesian_t_test"
    rope = check_number(owner, "rope", rope, at_least=0.0)
    found = FoldDifferences.collect(owner, a, b, n_train, n_test)
    if found.standard_error == 0.0:
        a_better, b_better = float(found.mean > rope), float(found.mean < -rope)
    else:
        freedom = found.n_folds - 1
        a_better = float(stdtr(freedom, (found.mean - rope) / found.standard_error))
        b_better = float(stdtr(freedom, (-rope - found.mean) / found.standard_error))
    return BayesianComparison(a_better, max(0.0, 1.0 - a_better - b_better), b_better)


def bayesian_signed_rank(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float = 0.01,
    prior_strength: float = 0.5,
    n_draws: int = 50_000,
    random_state: int = 0,
) -> BayesianComparison:
    r"""Compare two models over many data sets: the Bayesian signed-rank test.

    The differences and a zero, which represents the prior, get weights from a Dirichlet
    distribution with parameters (s, 1, …, 1). For each draw of weights w

    .. math:: \theta_a = \sum_{ij} w_i w_j [d_i + d_j > 2 r], \qquad
              \theta_b = \sum_{ij} w_i w_j [d_i + d_j < -2 r]

    and θ of equality is 1 - θ_a - θ_b. Each probability is the share of the draws in which its
    θ is the largest; a draw with several largest θ is divided among them.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        A score of each model on each data set, such as its mean accuracy.
    rope : float, default=0.01
        r, the largest difference that does not matter, in the unit of the scores.
    prior_strength : float, default=0.5
        s, the weight of the zero, in data sets.
    n_draws : int, default=50_000
        The standard error is at most 0.5 / √n_draws.
    random_state : int, default=0
        Seed of the draws.

    Returns
    -------
    BayesianComparison
        Equal for equal seeds.

    References
    ----------
    A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017): Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18 (77), 1-36.

    Examples
    --------
    >>> bayesian_signed_rank([0.9, 0.8, 0.9, 0.7, 0.8, 0.9], [0.5] * 6).a_better > 0.99
    True
    """
    owner = "bayesian_signed_rank"
    differences, rope = _differences(owner, a, b, rope)
    rng = _generator(owner, prior_strength, n_draws, random_state)
    values = np.append(0.0, differences)
    sums = values[:, np.newaxis] + values
    weights = rng.dirichlet(np.append(prior_strength, np.ones(len(differences))), n_draws)
    theta_a = ((weights @ (sums > 2.0 * rope)) * weights).sum(axis=1)
    theta_b = ((weights @ (sums < -2.0 * rope)) * weights).sum(axis=1)
    return _shares_of_draws(theta_a, theta_b)


def bayesian_sign_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float = 0.01,
    prior_strength: float = 1.0,
    n_draws: int = 50_000,
    random_state: int = 0,
) -> BayesianComparison:
    r"""Compare two models over many data sets by the signs of their differences alone.

    Data sets are counted in three groups: a better, equal (within the rope), b better. The
    posterior of the three shares is a Dirichlet distribution with these counts as parameters;
    s is added to the count of equality. Each result is the probability that its share is the
    largest.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,)
        A score of each model on each data set, such as its mean accuracy.
    rope : float, default=0.01
        Largest difference that does not matter, in the unit of the scores.
    prior_strength : float, default=1.0
        s, in data sets.
    n_draws : int, default=50_000
        The standard error is at most 0.5 / √n_draws.
    random_state : int, default=0
        Seed of the draws.

    Returns
    -------
    BayesianComparison
        Equal for equal seeds.

    References
    ----------
    A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017): Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning
    Research 18 (77), 1-36.

    Examples
    --------
    >>> bayesian_sign_test([0.9, 0.8, 0.9, 0.7], [0.9, 0.8, 0.9, 0.7]).equal
    1.0
    """
    owner = "bayesian_sign_test"
    differences, rope = _differences(owner, a, b, rope)
    rng = _generator(owner, prior_strength, n_draws, random_state)
    n_a, n_b = int((differences > rope).sum()), int((differences < -rope).sum())
    counts = np.array([n_a, len(differences) - n_a - n_b + prior_strength, n_b])
    theta = np.zeros((n_draws, 3))
    theta[:, counts > 0] = rng.dirichlet(counts[counts > 0], n_draws)
    return _shares_of_draws(theta[:, 0], theta[:, 2])


def _differences(owner: str, a: ArrayLike, b: ArrayLike, rope: float) -> tuple[Array, float]:
    rope = check_number(owner, "rope", rope, at_least=0.0)
    first, second = check_pairs(owner, a, b, at_least=1)
    # A difference that equals the rope up to rounding is within it.
    return first - second, rope + rounding_noise(first, second)


def _generator(
    owner: str, prior_strength: float, n_draws: int, random_state: int
) -> np.random.Generator:
    check_number(owner, "prior_strength", prior_strength, above=0.0)
    check_integer(owner, "n_draws", n_draws, at_least=1)
    return np.random.default_rng(check_integer(owner, "random_state", random_state, at_least=0))


def _shares_of_draws(theta_a: Array, theta_b: Array) -> BayesianComparison:
    theta = np.column_stack([theta_a, 1.0 - theta_a - theta_b, theta_b])
    # Sums of weights that are equal by symmetry may differ in their last digits.
    largest = theta >= theta.max(axis=1, keepdims=True) - 1e-12
    a_better, equal, b_better = (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0)
    return BayesianComparison(float(a_better), float(equal), float(b_better))


__all__ = [
    "BayesianComparison",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bayesian_t_test",
]
