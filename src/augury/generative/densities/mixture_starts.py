"""Starts of mixtures: a division of the rows of a class by k-means."""

import numpy as np

from augury.arrays import Array

_MAX_ITER = 20


def divide(numbers: Array, weight: Array, n_parts: int, random: np.random.Generator) -> Array:
    """Return the part of each row by k-means, as responsibilities of 0 and 1.

    The first centres are drawn one after another with probabilities proportional to the weight
    times the squared distance to the nearest centre (k-means++).

    Parameters
    ----------
    numbers : array of shape (n_rows, n_columns), distinct rows
    weight : array of shape (n_rows,)
    n_parts : int, at most the number of rows, or 1
    random : Generator

    Returns
    -------
    array of shape (n_rows, n_parts)

    Examples
    --------
    >>> rows = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> parts = divide(rows, np.ones(4), 2, np.random.default_rng(0)).argmax(axis=1)
    >>> bool(parts[0] == parts[1] != parts[2] == parts[3])
    True
    """
    if n_parts == 1:
        return np.ones((len(numbers), 1))
    nearest = _squares(numbers, _first_centers(numbers, weight, n_parts, random)).argmin(axis=1)
    for _ in range(_MAX_ITER):
        members = _indicators(nearest, n_parts)
        total = weight @ members
        centers = (members * weight[:, None]).T @ numbers / np.maximum(total, 1e-300)[:, None]
        squares = _squares(numbers, centers)
        squares[:, total <= 0] = np.inf  # the center of a part without rows is arbitrary
        again = squares.argmin(axis=1)
        if np.array_equal(again, nearest):
            break
        nearest = again
    return _indicators(nearest, n_parts)


def _first_centers(
    numbers: Array, weight: Array, n_parts: int, random: np.random.Generator
) -> Array:
    chosen: list[int] = []
    chance = weight
    for _ in range(n_parts):
        ends = np.cumsum(chance)
        chosen.append(int(np.searchsorted(ends, random.random() * ends[-1], side="right")))
        chosen[-1] = min(chosen[-1], len(ends) - 1)
        chance = weight * _squares(numbers, numbers[chosen]).min(axis=1)
        chance[chosen] = 0.0
        if not chance.any():  # all other rows are too near to be distinguished
            chance = np.where(np.isin(np.arange(len(weight)), chosen), 0.0, weight)
    return np.asarray(numbers[chosen])


def _squares(numbers: Array, centers: Array) -> Array:
    """Return the squared distance of each row from each center."""
    return np.stack([((numbers - center) ** 2).sum(axis=1) for center in centers], axis=1)


def _indicators(part: Array, n_parts: int) -> Array:
    return np.asarray(part[:, None] == np.arange(n_parts), dtype=np.float64)
