"""Training sizes of an experiment, and those that a data set has room for."""

from collections.abc import Iterable
from dataclasses import dataclass

from augury.errors import ExperimentError
from augury.evaluate.curves import as_rows, check_sizes, count_training_rows


@dataclass(frozen=True, slots=True)
class TrainingSizes:
    """The training sizes of one data set.

    Attributes
    ----------
    rows : tuple of int
        Numbers of training rows, ascending.
    n_pool : int
        Number of rows that are not for testing.
    left_out : tuple of int or float
        Sizes of the experiment that the data set has no room for: more than `n_pool` rows, or a
        share that is less than two rows.
    """

    rows: tuple[int, ...]
    n_pool: int
    left_out: tuple[float, ...]

    def note(self, dataset: str) -> str:
        """Return a sentence about the sizes that are left out; empty without any."""
        if not self.left_out:
            return ""
        sizes = ", ".join(f"{size:g}" for size in self.left_out)
        return (
            f"{dataset} has {self.n_pool} rows for training; these training sizes are left out: "
            f"{sizes}."
        )


def check_train_sizes(sizes: object) -> tuple[float, ...]:
    """Return the sizes: numbers of rows as int, shares as float.

    >>> check_train_sizes([30, 0.5, 1.0])
    (30, 0.5, 1.0)
    """
    try:
        return tuple(check_sizes("train_sizes", sizes))
    except (TypeError, ValueError) as error:
        raise ExperimentError(str(error)) from error


def fit_sizes(sizes: Iterable[float], n_rows: int, test_share: float) -> TrainingSizes:
    """Return the sizes that a data set has room for, as numbers of rows.

    Sizes that are the same number of rows are one size.

    >>> fit_sizes([30, 0.5, 300, 1.0], 150, 0.3)
    TrainingSizes(rows=(30, 52, 105), n_pool=105, left_out=(300,))
    """
    n_pool = count_training_rows("fit_sizes", n_rows, test_share)
    rows = set()
    left_out = []
    for size in sizes:
        n_train = as_rows(size, n_pool)
        if 2 <= n_train <= n_pool:
            rows.add(n_train)
        else:
            left_out.append(size)
    return TrainingSizes(tuple(sorted(rows)), n_pool, tuple(left_out))


__all__ = ["TrainingSizes", "check_train_sizes", "fit_sizes"]
