"""Checks, ranks and means of columns of scores."""

from collections.abc import Hashable, Iterable
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from augury.evaluate.fold_results import FoldResult
from augury.validation import Array, check_choice, check_number

SCORES = ("accuracy", "log_loss", "brier", "fit_seconds", "predict_seconds")


class ScoreTable(Protocol):
    """A mapping from model to a score for each data set, or a data frame with such columns."""

    def items(self) -> Iterable[tuple[Hashable, ArrayLike]]:
        """Return names and columns."""
        ...


def mean_scores(results: Iterable[FoldResult], score: str = "accuracy") -> dict[str, Array]:
    """Average the folds of each data set and model into one column for each model.

    Parameters
    ----------
    results : iterable of FoldResult
        Rows of one protocol, with every model on the same data sets.
    score : {"accuracy", "log_loss", "brier", "fit_seconds", "predict_seconds"}
        What to average. Lower is better for all of them except accuracy: pass
        `lower_is_better=True` to the tests.

    Returns
    -------
    dict from model to array of shape (n_datasets,)
        Models and data sets are in order of first appearance, as `friedman_test` and
        `wilcoxon_matrix` expect them.

    Examples
    --------
    >>> row = dict(model="m", protocol="honest", run=1, n_train=8, n_test=2,
    ...            log_loss=0.5, brier=0.25, fit_seconds=0.01, predict_seconds=0.01)
    >>> mean_scores([FoldResult(**row, dataset="d", fold=1, accuracy=1.0),
    ...              FoldResult(**row, dataset="d", fold=2, accuracy=0.5)])
    {'m': array([0.75])}
    """
    check_choice("mean_scores", "score", score, SCORES)
    folds: dict[str, dict[str, list[float]]] = {}
    protocols: set[str] = set()
    datasets: dict[str, None] = {}
    for result in results:
        found = folds.setdefault(result.model, {}).setdefault(result.dataset, [])
        found.append(getattr(result, score))
        protocols.add(result.protocol)
        datasets[result.dataset] = None
    if not folds:
        raise ValueError("mean_scores: results must have at least one row, got none")
    check_one_protocol("mean_scores", protocols)
    for model, tested in folds.items():
        lacking = [name for name in datasets if name not in tested]
        if lacking:
            raise ValueError(
                f"mean_scores: results must have all models on all data sets, "
                f"got none of {model} on {', '.join(lacking)}"
            )
    return {
        model: np.array([np.mean(tested[name]) for name in datasets])
        for model, tested in folds.items()
    }


def check_one_protocol(owner: str, protocols: set[str]) -> None:
    """Raise an error if rows have different protocols."""
    if len(protocols) > 1:
        raise ValueError(
            f"{owner}: results must be of one protocol, got {', '.join(sorted(protocols))}"
        )


def check_probability(owner: str, name: str, value: object) -> float:
    """Return `value` as a float if it is a number between 0 and 1, both excluded."""
    number = check_number(owner, name, value, above=0.0)
    if number >= 1.0:
        raise ValueError(f"{owner}: {name} must be a number between 0 and 1, got {value!r}")
    return number


def check_pairs(owner: str, a: ArrayLike, b: ArrayLike, *, at_least: int) -> tuple[Array, Array]:
    """Return two columns of scores; raise unless they are finite and of one length."""
    first, second = as_numbers(owner, "a", a), as_numbers(owner, "b", b)
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            f"{owner}: a and b must be two columns of one length, "
            f"got shapes {first.shape} and {second.shape}"
        )
    if len(first) < at_least:
        raise ValueError(f"{owner}: a and b must have at least {at_least} pairs, got {len(first)}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError(f"{owner}: a and b must be finite")
    return first, second


def check_score_table(owner: str, scores: ScoreTable) -> tuple[tuple[str, ...], Array]:
    """Return the names of the models, and their scores with a row for each data set."""
    if not hasattr(scores, "items"):
        raise TypeError(
            f"{owner}: scores must be a mapping from model to a score for each data set, or a "
            f"data frame with a column for each model, got {type(scores).__name__}"
        )
    columns = {str(name): as_numbers(owner, str(name), column) for name, column in scores.items()}
    if len(columns) < 2:
        raise ValueError(f"{owner}: scores must have at least 2 models, got {len(columns)}")
    shapes = {column.shape for column in columns.values()}
    if len(shapes) > 1 or len(next(iter(shapes))) != 1 or shapes == {(0,)}:
        raise ValueError(
            f"{owner}: scores must have as many data sets, at least 1, for each model, "
            f"got shapes {', '.join(str(shape) for shape in sorted(shapes))}"
        )
    for name, column in columns.items():
        if not np.isfinite(column).all():
            place = int(np.argmin(np.isfinite(column)))
            raise ValueError(
                f"{owner}: scores must be finite, got {column[place]} of {name} "
                f"on data set {place + 1}"
            )
    return tuple(columns), np.column_stack(list(columns.values()))


def mean_size(owner: str, name: str, sizes: ArrayLike, n_folds: int) -> float:
    """Return the mean number of rows of the folds."""
    given = as_numbers(owner, name, sizes)
    if given.shape not in ((), (n_folds,)):
        raise ValueError(
            f"{owner}: {name} must be one number or one for each of {n_folds} folds, "
            f"got shape {given.shape}"
        )
    if not (np.isfinite(given) & (given > 0)).all():
        raise ValueError(f"{owner}: {name} must be positive, got {sizes!r}")
    return float(given.mean())


def as_numbers(owner: str, name: str, values: ArrayLike) -> Array:
    """Return values as an array of floats."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{owner}: {name} must be numbers, got {values!r}") from None


def rounding_noise(*columns: Array) -> float:
    """Return by how much equal differences of scores may differ because of rounding.

    An example are 0.768 - 0.763 and 0.936 - 0.931.
    """
    largest = max(float(np.abs(column).max()) for column in columns)
    return 8.0 * float(np.finfo(np.float64).eps) * largest


def mean_ranks(values: Array, noise: float) -> Array:
    """Return ranks from 1 for the smallest; values that differ by at most `noise` share one."""
    order = np.argsort(values, kind="stable")
    group = np.concatenate([[0], np.cumsum(np.diff(values[order]) > noise)])
    places = np.arange(1.0, len(values) + 1.0)
    ranks = np.empty(len(values))
    ranks[order] = (np.bincount(group, places) / np.bincount(group))[group]
    return ranks


__all__ = [
    "SCORES",
    "ScoreTable",
    "as_numbers",
    "check_one_protocol",
    "check_pairs",
    "check_probability",
    "check_score_table",
    "mean_ranks",
    "mean_scores",
    "mean_size",
    "rounding_noise",
]
