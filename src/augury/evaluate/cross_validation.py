"""Cross-validation of any scikit-learn classifier, by two protocols."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import (
    PROTOCOLS,
    Fold,
    LabelledTable,
    PreparedTable,
    check_models,
    number_folds,
    prepare_table,
    run_fold,
)
from augury.evaluate.weka_folds import WekaFolds
from augury.instance_weights import UnweightedFitWarning, weight_parameters, why_unweighted
from augury.validation import check_choice, check_threads

# Enough tasks to keep all workers busy to the end, few enough that sending the
# table along with each of them costs little: fits may take only a millisecond.
_TASKS_PER_JOB = 4
_LEAST_TASKS = 10


@dataclass(frozen=True, slots=True)
class _Task:
    """Some folds of one model on one data set: what a worker gets at a time."""

    table: PreparedTable
    model: str
    estimator: Any
    folds: Sequence[Fold]


def cross_validate(
    datasets: Iterable[LabelledTable],
    models: Mapping[str, Any],
    splitter: Any = None,
    *,
    protocol: str = "honest",
    n_jobs: int | None = None,
    progress: Callable[[Sequence[FoldResult]], None] | None = None,
) -> list[FoldResult]:
    """Fit and test every model on every fold of every data set.

    Parameters
    ----------
    datasets : iterable of data sets
        Each with `name`, `X` (a data frame or an array), `y` and perhaps
        `sample_weight`; taken one after another, so a generator keeps only two of
        them in memory.
    models : mapping from name to scikit-learn classifier
        Cloned for each fold. A model without `predict_proba` has accuracies only.
    splitter : scikit-learn splitter, default=WekaFolds()
        Split once for each data set: all models see the same folds. One with
        `n_repeats` numbers its runs, any other has one run.
    protocol : {"honest", "published"}, default="honest"
        "honest" learns everything from the training rows alone. "published"
        replaces missing values and cuts numeric columns on the *whole* data set,
        test rows included, before it is split: **optimistic**, by 1 point of
        accuracy on average and 8 on some sets, and only there to reproduce
        documents that did so.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors. The rows are the same
        for any number, the seconds apart, if the models have a `random_state`.
    progress : callable, default=None
        Called with the rows of a few folds whenever they are complete.

    Returns
    -------
    list of FoldResult
        By data set, model, run and fold, in the order given.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If a data set has instance weights and a model takes none.

    Notes
    -----
    The target is handed to the models as a categorical of the *declared* classes,
    numbered 0, 1, … in declared order. So ties go to the class declared first, and
    a model that reads the categories counts the classes that have no rows. A model
    that does not know a class gives it probability 0.

    Instance weights that a data set may have are given to `fit`, also to the steps of a
    Pipeline, and weigh the rows in the accuracy and the losses, as in WEKA. The folds do
    not depend on them.

    Linear algebra runs on one thread within a fit, for the sake of equal sums
    with any number of workers, and because they would compete for the processors.

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
    n_tasks = max(_LEAST_TASKS, _TASKS_PER_JOB * n_workers)
    results: list[FoldResult] = []
    halted = False

    def collect(batches: Iterable[list[FoldResult] | Exception]) -> None:
        for batch in batches:
            if isinstance(batch, Exception):
                raise batch
            results.extend(batch)
            if progress is not None:
                progress(batch)

    with Parallel(n_jobs=n_jobs, return_as="generator", batch_size=1) as parallel:
        running: Iterator[list[FoldResult] | Exception] = iter(())
        try:
            for dataset in _distinct(datasets):
                # Prepared here while the workers are busy with the data set before.
                tasks = list(_tasks(dataset, models, splitter, protocol, n_tasks))
                collect(running)
                running = parallel(delayed(_run_task)(task) for task in tasks if not halted)
            collect(running)
        except BaseException:
            # joblib cannot cancel tasks under way without noise from its own
            # threads, but it can be given no more of them.
            halted = True
            for _ in running:
                pass
            raise
    return results


def _distinct(datasets: Any) -> Iterator[LabelledTable]:
    if hasattr(datasets, "X") or not isinstance(datasets, Iterable):
        raise TypeError(
            f"cross_validate: datasets must be a list of data sets, got {type(datasets).__name__}; "
            "a single one is to be put in a list"
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


def _tasks(
    dataset: LabelledTable, models: Mapping[str, Any], splitter: Any, protocol: str, n_tasks: int
) -> Iterator[_Task]:
    table = prepare_table(dataset, protocol)
    folds = number_folds(splitter, table)
    n_parts = min(n_tasks, len(folds))
    bounds = [len(folds) * part // n_parts for part in range(n_parts + 1)]
    for model, estimator in models.items():
        if table.weight is not None and not weight_parameters(estimator):
            warnings.warn(
                f"cross_validate: {model} is fitted without the instance weights of "
                f"{table.name}: {why_unweighted(estimator)}",
                UnweightedFitWarning,
                stacklevel=3,
            )
        for first, last in pairwise(bounds):
            yield _Task(table, model, estimator, folds[first:last])


def _run_task(task: _Task) -> list[FoldResult] | Exception:
    """Return the rows, or what went wrong: see `cross_validate` on why it is not raised."""
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # `_tasks` has warned once for all folds.
        warnings.simplefilter("ignore", UnweightedFitWarning)
        try:
            return [
                run_fold(task.table, task.model, task.estimator, fold).result for fold in task.folds
            ]
        except Exception as error:  # noqa: BLE001 - whatever a model raises, `collect` raises it
            return error


__all__ = ["PROTOCOLS", "LabelledTable", "cross_validate"]
