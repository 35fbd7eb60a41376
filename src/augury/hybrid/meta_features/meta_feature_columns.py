"""Columns of meta-features: class probabilities or log odds, scaled."""

import numpy as np

from augury.arrays import Array
from augury.counts import floored_log
from augury.fitted_state import LARGEST_COEFFICIENT, check_coefficients, check_floats

OUTPUTS = ("proba", "log_odds")
SCALINGS = ("range", "standardize")


def meta_feature_columns(proba: Array, output: str) -> Array:
    """Return the probabilities themselves, or log odds.

    The log odds of two classes are one column, that of the second class. For more classes they
    are log p minus its mean over the classes.

    >>> meta_feature_columns(np.array([[0.2, 0.8]]), "log_odds").round(3)  # log 4
    array([[1.386]])
    """
    if output == "proba":
        return proba
    log_proba = floored_log(proba)
    if proba.shape[1] == 2:
        return log_proba[:, 1:] - log_proba[:, :1]
    return np.asarray(log_proba - log_proba.mean(axis=1, keepdims=True))


def meta_feature_names(classes: Array, output: str, taken: set[str]) -> list[str]:
    """Return a name for each column, different from those that are taken."""
    if output == "proba":
        names = [f"p({c})" for c in classes]
    else:
        names = [f"log_odds({c})" for c in (classes[1:] if len(classes) == 2 else classes)]
    while taken & set(names):
        names = [f"{name}'" for name in names]
    return names


class Scaler:
    """Scales columns to the range from 0 to 1, or to mean 0 and variance 1.

    A column that does not vary becomes 0.

    >>> Scaler("range", np.array([[2.0], [4.0]])).scale(np.array([[3.0], [6.0]])).T
    array([[0.5, 2. ]])
    """

    def __init__(self, scaling: str | None, columns: Array, weight: Array | None = None) -> None:
        shift, width = np.zeros(columns.shape[1]), np.ones(columns.shape[1])
        if scaling == "range":
            counted = columns if weight is None else columns[weight > 0]
            shift = counted.min(axis=0)
            width = counted.max(axis=0) - shift
        elif scaling == "standardize":
            shift = np.average(columns, axis=0, weights=weight)
            width = np.sqrt(np.average((columns - shift) ** 2, axis=0, weights=weight))
        self._shift, self._width = shift, np.where(width > 0, width, 1.0)

    def _check_fitted_state(self) -> None:
        n_columns = len(check_coefficients(self, "_shift", None))
        check_floats(self, "_width", n_columns, low=1 / LARGEST_COEFFICIENT)

    def scale(self, columns: Array) -> Array:
        """Return scaled columns."""
        return np.asarray((columns - self._shift) / self._width)
