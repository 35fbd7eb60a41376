"""The work of a search for mixtures of normal densities, estimated before it starts."""

from typing import NamedTuple

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


__all__ = ["MixtureWork", "mixture_work"]
