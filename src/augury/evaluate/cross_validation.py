"""Cross-validation of any scikit-learn classifier."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.fold_tasks import FoldAnswer, FoldTask, run_folds
from augury.evaluate.folds import (
    PROTOCOLS,
    LabelledTable,
    PreparedTable,
    check_models,
    number_folds,
    prepare_table,
)
from augury.evaluate.weka_folds import WekaFolds
from augury.foreign import Classifier, Splitter
from augury.instance_weights import UnweightedFitWarning, weight_parameters, why_unweighted
from augury.validation import check_choice, check_threads

# Many tasks keep all workers busy to the end; few tasks cost little to send.
_TASKS_PER_JOB = 4
_MIN_TASKS = 10
# Frames from the function that keeps an answer up to the caller of `cross_validate`.
_CALLER = 6


def cross_validate(
    datasets: Iterable[LabelledTable],
    models: Mapping[str, Classifier],
    splitter: Splitter | None = None,
    *,
    protocol: str = "honest",
    n_jobs: int | None = None,
    progress: Callable[[Sequence[FoldResult]], None] | None = None,
) -> list[FoldResult]:
    """Fit and test every model on every fold of every data set.

    Parameters
    ----------
    datasets : iterable of data sets
        Each has `name`, `X` (a data frame or an array), `y` and perhaps `sample_weight`. They
        are taken one after another, so a generator keeps only two of them in memory.
    models : mapping from name to scikit-learn classifier
        Cloned for each fold. A model without `predict_proba` has an accuracy, but no losses.
    splitter : scikit-learn splitter, default=WekaFolds()
        Called once for each data set: all models have the same folds. A splitter with
        `n_repeats` numbers its runs; any other has one run.
    protocol : {"honest", "published"}, default="honest"
        "honest" learns everything from the training rows alone. "published" replaces missing
        values and discretises numeric columns on the *whole* data set, test rows included,
        before it is split. This is **optimistic**, by 1 point of accuracy on average and by 8
        on some data sets; it exists to reproduce documents that use it.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors. The rows are the same for any
        number, except for the seconds, if the models have a `random_state`.
    progress : callable, default=None
        Called with the rows of completed folds.

    Returns
    -------
    list of FoldResult
        By data set, model, run and fold, in the order given.

    Raises
    ------
    RuntimeError
        If the worker process of a fold dies twice, the second time alone. An error of a model
        is raised unchanged.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If a data set has instance weights and a model takes none.

    Notes
    -----
    The target is passed to the models as a categorical of the *declared* classes, numbered
    0, 1, … in declared order. So ties go to the class declared first, and a model that reads
    the categories counts the classes without rows. A class that a model does not know has
    probability 0.

    Instance weights of a data set are passed to `fit`, also to the steps of a Pipeline, and
    weight the rows in the accuracy and the losses, as in WEKA. The folds do not depend on them.

    Linear algebra uses one thread within a fit, so that sums are equal for any number of
    workers, and because several workers would compete for the processors.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> iris = SimpleNamespace(name="iris", X=X, y=y)
    >>> rows = cross_validate([iris], {"gaussian": GaussianNB()}, WekaFolds(n_repeats=1))
    >>> len(rows), rows[0].n_train, rows[0].n_test
    (10, 135, 15)
    """
    check_choice("cross_validate", "protocol", protocol, PROTOCOLS)
    n_workers = check_threads("cross_validate", n_jobs)
    check_models("cross_validate", models)
    splitter = WekaFolds() if splitter is None else splitter
    if isinstance(splitter, type) or not hasattr(splitter, "get_n_splits"):
        raise TypeError(
            "cross_validate: splitter must be a scikit-learn splitter, such as "
            f"WekaFolds(n_splits=10), got {splitter!r}"
        )
    n_tasks = max(_MIN_TASKS, _TASKS_PER_JOB * n_workers)
    order: dict[str, int] = {}
    notes: list[str] = []
    results: list[FoldResult] = []

    def tasks() -> Iterator[FoldTask]:
        for dataset in _distinct(datasets):
            order[dataset.name] = len(order)
            table = prepare_table(dataset, protocol)
            notes.extend(_unweighted(table, models))
            yield from _tasks(table, models, splitter, n_tasks)

    def keep(answer: FoldAnswer) -> None:
        while notes:
            warnings.warn(notes.pop(0), UnweightedFitWarning, stacklevel=_CALLER)
        result = _result_of(answer)
        results.append(result)
        if progress is not None:
            progress([result])

    run_folds("cross_validate", tasks(), keep, record=False, n_jobs=n_jobs)
    places = {model: place for place, model in enumerate(models)}
    return sorted(
        results, key=lambda row: (order[row.dataset], places[row.model], row.run, row.fold)
    )


def _result_of(answer: FoldAnswer) -> FoldResult:
    """Return the row of a fold; raise the error of its model or of its worker."""
    if answer.exception is not None:
        raise answer.exception
    if answer.outcome is None:
        raise RuntimeError(
            f"cross_validate: {answer.model} on {answer.table.name}, run {answer.fold.run}, fold "
            f"{answer.fold.fold}: {answer.error}"
        )
    return answer.outcome.result


def _distinct(datasets: Iterable[LabelledTable]) -> Iterator[LabelledTable]:
    if hasattr(datasets, "X") or not isinstance(datasets, Iterable):
        raise TypeError(
            f"cross_validate: datasets must be a list of data sets, got {type(datasets).__name__}; "
            "put a single data set in a list"
        )
    names: set[str] = set()
    for dataset in datasets:
        if not all(hasattr(dataset, part) for part in ("name", "X", "y")):
            raise TypeError(
                f"cross_validate: datasets must each have a name, X and y, got {dataset!r}"
            )
        if dataset.name in names:
            raise ValueError(f"cross_validate: two data sets have the name {dataset.name!r}")
        names.add(dataset.name)
        yield dataset


def _unweighted(table: PreparedTable, models: Mapping[str, Classifier]) -> Iterator[str]:
    for model, estimator in models.items():
        if table.weight is not None and not weight_parameters(estimator):
            yield (
                f"cross_validate: {model} is fitted without the instance weights of "
                f"{table.name}: {why_unweighted(estimator)}"
            )


def _tasks(
    table: PreparedTable, models: Mapping[str, Classifier], splitter: Splitter, n_tasks: int
) -> Iterator[FoldTask]:
    folds = number_folds(splitter, table)
    n_parts = min(n_tasks, len(folds))
    bounds = [len(folds) * part // n_parts for part in range(n_parts + 1)]
    for model, estimator in models.items():
        for first, last in pairwise(bounds):
            yield FoldTask(table, model, estimator, folds[first:last])


__all__ = ["PROTOCOLS", "LabelledTable", "cross_validate"]
