"""The work and memory of a search for mixtures of normal densities, before it starts."""

from typing import NamedTuple

from augury.memory import require_bytes

# Matrices of the size of a covariance that are in memory while the coordinates are learned.
_MATRICES_OF_COORDINATES = 12
# Steps of expectation maximisation from one start, as measured: with more than four columns for
# each row of a class, and otherwise.
_COLUMNS_OF_ROW = 4
_STEPS_OF_FEW_ROWS, _STEPS_OF_START = 2, 15
# Cholesky factorizations that take the time of the covariance of a step: without and with
# eigenvalues below the bound.
_FACTORS_OF_STEP, _FACTORS_OF_BOUND = 2, 19


class MixtureWork(NamedTuple):
    """Numbers of steps, of densities in a step, and of what they compute in all."""

    n_steps: int
    n_components: int
    n_factors: int
    n_evaluations: int


def mixture_work(
    shape: tuple[int, int],
    n_classes: int,
    n_components: int,
    covariance_type: str,
    *,
    n_searches: int,
    n_init: int,
) -> MixtureWork:
    """Return the work of `n_searches` searches in a table of this shape."""
    n_rows, n_columns = shape
    n_components = min(max(n_components, n_classes), n_rows)
    # In so many dimensions the first responsibilities hardly change.
    is_short = n_rows * _COLUMNS_OF_ROW < n_columns * n_classes
    n_starts = n_init if n_components > n_classes else 1
    n_steps = n_searches * n_starts * (_STEPS_OF_FEW_ROWS if is_short else _STEPS_OF_START)
    is_singular = n_rows - n_classes < n_columns
    factors = {"shared": 1, "class": n_classes, "own": n_components}
    each = _FACTORS_OF_BOUND if is_singular else _FACTORS_OF_STEP
    return MixtureWork(
        n_steps,
        n_components,
        n_steps * each * factors.get(covariance_type, 0),
        n_steps * 2 * n_rows * max(1, n_components // n_classes),
    )


def require_coordinates(n_columns: int) -> None:
    """Raise unless there is memory for the coordinates of so many columns."""
    require_bytes(
        8 * _MATRICES_OF_COORDINATES * n_columns**2,
        f"the covariances of {n_columns:,} columns (an indicator of a state is one) and their "
        "factors",
        advice="use fewer columns, group labels of columns with many, or take a model without "
        "covariances, such as NaiveBayes or LogisticRegression",
    )


__all__ = ["MixtureWork", "mixture_work", "require_coordinates"]
