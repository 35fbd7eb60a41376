"""Rows of classes with normal or Poisson distributions."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from augury.arrays import FloatArray, IntegerArray
from augury.data.dataset import Dataset
from augury.data.synthetic.arguments import RandomState, check_random_state, describe_call
from augury.data.synthetic.labels import TARGET, label, number_labels
from augury.validation import check_distribution, check_integer


def make_normal_classes(
    n_samples: int = 200,
    *,
    means: ArrayLike = ((0.0, 0.0), (2.5, 1.5)),
    covariances: ArrayLike = ((1.0, 0.5), (0.5, 1.0)),
    priors: ArrayLike | None = None,
    random_state: RandomState = None,
) -> Dataset:
    """Generate classes with multivariate normal distributions, N(μ_c, Σ) or N(μ_c, Σ_c).

    This is the model of Gaussian discriminant analysis if all classes have one covariance, and
    of quadratic discriminant analysis otherwise.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    means : array of shape (n_classes, n_columns)
    covariances : array of shape (n_columns, n_columns) or (n_classes, n_columns, n_columns)
    priors : array of n_classes probabilities or None
        None: all classes are equally probable.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Numeric columns `x1`, `x2` …; classes `0`, `1` ….

    Examples
    --------
    >>> make_normal_classes(50, random_state=0)
    Dataset(name='normal-classes', 50 rows x 2 columns, target='class' with 2 classes)
    """
    owner = "make_normal_classes"
    centers = _class_rows(owner, "means", means)
    n_classes, n_columns = centers.shape
    spread = np.asarray(covariances, dtype=np.float64)
    if spread.shape not in ((n_columns, n_columns), (n_classes, n_columns, n_columns)):
        raise ValueError(
            f"{owner}: covariances must be {n_columns} x {n_columns} numbers, or so many for each "
            f"of {n_classes} classes, got shape {spread.shape}"
        )
    spread = np.broadcast_to(spread, (n_classes, n_columns, n_columns))
    try:
        factors = np.linalg.cholesky(spread)
    except np.linalg.LinAlgError:
        raise ValueError(f"{owner}: covariances must be positive definite") from None

    def draw(y: IntegerArray, rng: np.random.Generator) -> FloatArray:
        noise = rng.standard_normal((len(y), n_columns))
        return np.asarray(centers[y] + np.einsum("ijk,ik->ij", factors[y], noise))

    return _sample(owner, "normal-classes", n_samples, n_classes, priors, random_state, draw)


def make_poisson_classes(
    n_samples: int = 200,
    *,
    rates: ArrayLike = ((1.0,), (5.0,)),
    priors: ArrayLike | None = None,
    random_state: RandomState = None,
) -> Dataset:
    """Generate classes with independent Poisson columns, x_j | c ~ Poisson(λ_cj).

    The posterior of two such classes is that of a logistic regression, but the classes are not
    normal, as the notes of JerryLead (2011) remark.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    rates : array of shape (n_classes, n_columns)
        λ, at least 0.
    priors : array of n_classes probabilities or None
        None: all classes are equally probable.
    random_state : int, Generator or None
        Seed of the random numbers.

    Returns
    -------
    Dataset
        Numeric columns `x1`, `x2` …; classes `0`, `1` ….

    Examples
    --------
    >>> make_poisson_classes(50, random_state=0)
    Dataset(name='poisson-classes', 50 rows x 1 columns, target='class' with 2 classes)
    """
    owner = "make_poisson_classes"
    means = _class_rows(owner, "rates", rates)
    if (means < 0).any():
        raise ValueError(f"{owner}: rates must be numbers >= 0, got {means.min():g}")

    def draw(y: IntegerArray, rng: np.random.Generator) -> FloatArray:
        return np.asarray(rng.poisson(means[y]), dtype=np.float64)

    return _sample(owner, "poisson-classes", n_samples, len(means), priors, random_state, draw)


def _class_rows(owner: str, name: str, value: ArrayLike) -> FloatArray:
    rows = np.asarray(value, dtype=np.float64)
    if rows.ndim != 2 or len(rows) < 2 or not np.isfinite(rows).all():
        raise ValueError(f"{owner}: {name} must be a row of numbers for each of several classes")
    return rows


def _sample(
    owner: str,
    name: str,
    n_samples: int,
    n_classes: int,
    priors: ArrayLike | None,
    random_state: RandomState,
    draw: Callable[[IntegerArray, np.random.Generator], FloatArray],
) -> Dataset:
    n = check_integer(owner, "n_samples", n_samples, at_least=1)
    rng = check_random_state(owner, random_state)
    shares = np.full(n_classes, 1.0 / n_classes)
    if priors is not None:
        shares = check_distribution(owner, "priors", priors, n_classes)
    y = rng.choice(n_classes, size=n, p=shares)
    values = draw(y, rng)
    return Dataset(
        pd.DataFrame(values, columns=[f"x{j + 1}" for j in range(values.shape[1])]),
        pd.Series(label(y, number_labels(n_classes)), name=TARGET),
        name,
        TARGET,
        describe_call(owner, n_samples=n_samples, random_state=random_state),
    )
