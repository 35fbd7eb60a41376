"""Folds as tasks of workers: the one loop of `cross_validate` and `run_jobs`."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from augury.evaluate.folds import Fold, FoldOutcome, PreparedTable, run_fold
from augury.foreign import Classifier
from augury.instance_weights import UnweightedFitWarning
from augury.workers.run_tasks import run_tasks
from augury.workers.tasks import Answer, Task, Workers


@dataclass(frozen=True, slots=True, eq=False)
class FoldTask:
    """Folds of one table that a worker runs with one model, one after another.

    Attributes
    ----------
    table : PreparedTable
        Consecutive tasks of the same table send it to a worker once.
    model : str
        Name of the model.
    estimator : classifier
        Cloned for each fold.
    folds : sequence of Fold
    """

    table: PreparedTable
    model: str
    estimator: Classifier
    folds: Sequence[Fold]


@dataclass(frozen=True, slots=True, eq=False)
class FoldAnswer:
    """The outcome of one fold, or its error.

    Attributes
    ----------
    table, model, fold
        As in the task.
    outcome : FoldOutcome or None
        None if there is an error.
    messages : str
        The warnings of the fold, a line each; empty unless they are recorded.
    error : str or None
        The traceback of an error, or one line that says how the worker process died.
    exception : Exception or None
        The error that the model raised; None if errors are recorded as text.
    """

    table: PreparedTable
    model: str
    fold: Fold
    outcome: FoldOutcome | None = None
    messages: str = ""
    error: str | None = None
    exception: Exception | None = None


def run_folds(
    owner: str,
    tasks: Iterable[FoldTask],
    keep: Callable[[FoldAnswer], None],
    *,
    record: bool,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    isolate: bool = False,
    workers: Workers | None = None,
    until: float | None = None,
) -> None:
    """Run folds on workers, and call `keep` with the answer of each.

    Parameters
    ----------
    owner : str
        Named in errors.
    tasks : iterable of FoldTask
        Taken one after another, whenever a worker is free or about to be.
    keep : callable
        An error that it raises ends all workers.
    record : bool
        Whether warnings and errors are recorded as text. If not, warnings are shown where they
        are given, `UnweightedFitWarning` apart, and the error of a model is in
        `FoldAnswer.exception`.
    n_jobs, scheduler, isolate, workers, until
        See `augury.workers.run_tasks.run_tasks`.
    """
    run = _record_one if record else _run_one
    run_tasks(
        owner,
        (Task(partial(run, t.model, t.estimator), t.table, t.folds, (t.model,)) for t in tasks),
        lambda answer: keep(_read_answer(answer)),
        n_jobs=n_jobs,
        scheduler=scheduler,
        isolate=isolate,
        workers=workers,
        until=until,
    )


_Run = tuple[FoldOutcome | Exception, str]


def _record_one(model: str, estimator: Classifier, table: PreparedTable, fold: Fold) -> _Run:
    """Return the outcome of a fold, and the text of the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        outcome = run_fold(table, model, estimator, fold)
    return outcome, "\n".join(dict.fromkeys(str(warning.message) for warning in caught))


def _run_one(model: str, estimator: Classifier, table: PreparedTable, fold: Fold) -> _Run:
    """Return the outcome of a fold, or the error of the model."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnweightedFitWarning)
        try:
            return run_fold(table, model, estimator, fold), ""
        except Exception as error:  # noqa: BLE001 - raised by the caller of `run_folds`
            return error, ""


def _read_answer(answer: Answer[PreparedTable, Fold, _Run]) -> FoldAnswer:
    [model] = answer.task.label
    place = (answer.task.shared, model, answer.part)
    if answer.value is None:
        return FoldAnswer(*place, error=answer.error)
    outcome, messages = answer.value
    if isinstance(outcome, Exception):
        return FoldAnswer(*place, exception=outcome)
    return FoldAnswer(*place, outcome=outcome, messages=messages)


__all__ = ["FoldAnswer", "FoldTask", "run_folds"]
