"""Squared distances between rows and training rows, and those of the nearest."""

import numpy as np

from augury.arrays import Array
from augury.encode.table import code_dtype

# Relative rounding error of a distance; a smaller difference is a tie.
ROUNDING = 1e-12
# The same for a distance that is computed as a difference of products.
_ROUNDING_OF_PRODUCTS = 1e-11
# Scaled numbers beyond this are far outside [0, 1].
_FAR = 1e3
# Number of training rows in a chunk; the smallest distances of the chunks are compared first.
_CHUNK = 64


def count_differences(rows: Array, training: Array) -> Array:
    """Return the number of columns in which each row differs from each training row.

    >>> count_differences(np.array([[0, 1]]), np.array([[0, 1], [0, 2], [1, 2]]))
    array([[0, 1, 2]], dtype=uint8)
    """
    n_columns = rows.shape[1]
    shape = (len(rows), len(training))
    differences = np.zeros(shape, dtype=code_dtype(n_columns))
    differs = np.empty(shape, dtype=bool)
    for j in range(n_columns):
        np.not_equal(rows[:, j, None], training[None, :, j], out=differs)
        np.add(differences, differs.view(np.uint8), out=differences)
    return differences


def true_cells(marked: Array) -> tuple[Array, Array]:
    """Return the rows and columns of the true cells."""
    row, at = np.divmod(np.flatnonzero(marked), marked.shape[1])  # ten times as fast as nonzero
    return row, at


class TrainingNumbers:
    """Numbers of the training rows, prepared for the distances of many rows.

    Parameters
    ----------
    numbers : array of shape (n_training, n_numbers)
    """

    def __init__(self, numbers: Array) -> None:
        self.numbers = numbers
        self.products: Array | None = None
        if _is_moderate(numbers):
            # Training rows at an infinite distance fill the last chunk.
            n_missing = -len(numbers) % _CHUNK
            self.products = np.pad(-2.0 * numbers.T, ((0, 1), (0, n_missing)))
            self.products[-1] = np.inf
            squares = np.square(numbers).sum(axis=1)
            self.products[-1, : len(numbers)] = squares
            self.largest_square = squares.max()

    def near(self, rows: Array, differences: Array | None, k: int) -> tuple[Array, Array] | None:
        """Return pairs of a row and a training row not farther than its k-th neighbour.

        Squared distances are first computed as |a|² + |b|² - 2ab, which is fast but rounds more.
        The distances of the pairs that may be near enough are then computed again. None if a
        number is missing, or so large that the first distances are useless.
        """
        training, products = self.numbers, self.products
        if products is None or k > len(training) // _CHUNK or not _is_moderate(rows):
            return None
        # Without |a|², which is the same for all training rows.
        distances = np.hstack([rows, np.ones((len(rows), 1))]) @ products
        if differences is not None:
            distances[:, : len(training)] += differences
        # The k-th smallest of the minima of chunks is not smaller than the k-th distance.
        n_chunks = distances.shape[1] // _CHUNK
        chunks = distances.reshape(len(rows), _CHUNK, n_chunks)
        minima = chunks.min(axis=1)
        bound = np.partition(minima, k - 1, axis=1)[:, k - 1]
        squares = np.square(rows).sum(axis=1)
        bound += _ROUNDING_OF_PRODUCTS * (squares + np.abs(bound) + self.largest_square + 1.0)
        of_chunk, chunk = true_cells(minima <= bound[:, None])
        place, member = true_cells(chunks[of_chunk, :, chunk] <= bound[of_chunk, None])
        row, at = of_chunk[place], member * n_chunks + chunk[place]
        exact = np.zeros(len(row))
        if differences is not None:
            exact += differences[row, at]
        for j in range(rows.shape[1]):
            exact += np.square(rows[row, j] - training[at, j])
        order = np.lexsort((exact, row))
        first = np.searchsorted(row[order], np.arange(len(rows)))
        radius = exact[order[first + k - 1]] * (1.0 + ROUNDING)
        near = exact <= radius[row]
        return row[near], at[near]


def _is_moderate(numbers: Array) -> bool:
    """Return whether no number is missing or far outside [0, 1]."""
    return bool(np.abs(numbers).max(initial=0.0) <= _FAR)  # False for NaN


def add_squares(distances: Array, rows: Array, training: Array, *, missing_differ: bool) -> None:
    """Add squared differences of scaled numbers; those of missing values are IBk's, or 0."""
    for j in range(rows.shape[1]):
        a, b = rows[:, j, None], training[None, :, j]
        difference = a - b
        unknown = np.isnan(difference)
        if unknown.any():
            worst = _largest_difference(a) + _largest_difference(b)
            worst[worst == 0] = 1.0
            np.copyto(difference, worst if missing_differ else 0.0, where=unknown)
        with np.errstate(over="ignore"):
            distances += np.square(difference, out=difference)


def _largest_difference(scaled: Array) -> Array:
    """Return the largest distance of each number from a number in [0, 1]; 0 if it is missing.

    >>> _largest_difference(np.array([0.0, 0.25, 0.5, 1.0, np.nan]))
    array([1.  , 0.75, 0.5 , 1.  , 0.  ])
    """
    return np.where(np.isnan(scaled), 0.0, np.maximum(np.abs(scaled), np.abs(1.0 - scaled)))


def reach(distances: Array, weight: Array | None, k: int) -> Array:
    """Return the distance of the k-th neighbour of each row, or of the last if there are fewer.

    >>> reach(np.array([[4, 1, 1, 2]]), None, 3), reach(np.array([[4, 1, 2]]), np.ones(3) * 2, 3)
    (array([2]), array([2]))
    """
    if weight is None:
        at = min(k, distances.shape[1]) - 1
        return np.asarray(np.partition(distances, at, axis=1)[:, at])
    order = np.argsort(distances, axis=1)
    reached = np.cumsum(weight[order], axis=1)
    enough = reached >= np.minimum(k * (1.0 - ROUNDING), reached[:, -1:])
    last = np.argmax(enough, axis=1)
    row = np.arange(len(distances))
    return np.asarray(distances[row, order[row, last]])


__all__ = ["ROUNDING", "TrainingNumbers", "add_squares", "count_differences", "reach", "true_cells"]
