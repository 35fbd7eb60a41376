"""What one model believes of rows, as numbers for another."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from augury.counts import floored_log

Array = NDArray[Any]

OUTPUTS = ("proba", "log_odds")
SCALINGS = ("range", "standardize")


def opinion_columns(proba: Array, output: str) -> Array:
    """Return probabilities as they are, or as log odds.

    Of two classes the log odds are those of the second; of more, log p less its mean over
    the classes.

    >>> opinion_columns(np.array([[0.2, 0.8]]), "log_odds").round(3)  # log 4
    array([[1.386]])
    """
    if output == "proba":
        return proba
    log_proba = floored_log(proba)
    if proba.shape[1] == 2:
        return log_proba[:, 1:] - log_proba[:, :1]
    return np.asarray(log_proba - log_proba.mean(axis=1, keepdims=True))


def opinion_names(classes: Array, output: str, taken: set[str]) -> list[str]:
    """Return a name for each column, none of those that are taken."""
    if output == "proba":
        names = [f"p({c})" for c in classes]
    else:
        names = [f"log_odds({c})" for c in (classes[1:] if len(classes) == 2 else classes)]
    while taken & set(names):
        names = [f"{name}'" for name in names]
    return names


class Scaler:
    """Brings columns into the range from 0 to 1, or to mean 0 and variance 1.

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

    def scale(self, columns: Array) -> Array:
        """Return columns scaled."""
        return np.asarray((columns - self._shift) / self._width)
