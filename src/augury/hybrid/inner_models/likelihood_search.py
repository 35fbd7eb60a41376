"""Searches for naive Bayes of maximum conditional likelihood: their time, and parts of rows."""

from collections.abc import Iterator

import numpy as np

from augury.arrays import Array
from augury.time_limit import require_time

# Rows, times classes, whose probabilities are in memory at once.
SCORES_AT_ONCE = 1 << 24
# Evaluations of the loss that a search takes at least, and what the score of a row in a class
# costs: two steps for each column, and as much as twenty for its exponential.
_FEWEST_EVALUATIONS = 20
_STEPS_OF_SCORE = 20
_NS_OF_STEP = 0.5


def require_loss_time(
    owner: str, n_rows: int, n_columns: int, n_classes: int, n_searches: int = 1
) -> None:
    """Raise `TooLongError` if the evaluations of the conditional likelihood take too long."""
    n_evaluations = n_searches * _FEWEST_EVALUATIONS
    require_time(
        n_evaluations * n_rows * n_classes * (2 * n_columns + _STEPS_OF_SCORE),
        _NS_OF_STEP,
        f"{n_evaluations:,} evaluations of the loss of {n_rows:,} rows with {n_columns:,} "
        f"columns in {n_classes:,} classes",
        n_rows=n_rows,
        owner=owner,
        advice="use fewer columns, merge rare classes, or take NaiveBayes",
    )


def split_rows(
    codes: Array, y: Array, weight: Array | None, n_classes: int
) -> Iterator[tuple[Array, Array, Array | None]]:
    """Yield codes, classes and weights of at most 2^24 / n_classes rows; all at once if they fit.

    >>> codes, y = np.zeros((3, 1), dtype=np.uint8), np.array([0, 1, 0])
    >>> [len(part) for part, _, _ in split_rows(codes, y, None, n_classes=1 << 23)]
    [2, 1]
    """
    step = max(1, SCORES_AT_ONCE // n_classes)
    if len(y) <= step:
        yield codes, y, weight
        return
    for start in range(0, len(y), step):
        rows = slice(start, start + step)
        part = np.asfortranarray(codes[rows])
        yield part, y[rows], None if weight is None else weight[rows]


__all__ = ["SCORES_AT_ONCE", "require_loss_time", "split_rows"]
