"""Summaries of the models of an experiment, kept in its store."""

import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic

import numpy as np

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import PreparedTable
from augury.experiments.job import Job
from augury.experiments.store.result_store import ResultStore
from augury.explain.model_summary import summarize_prepared
from augury.explain.summary_contents import ModelSummary
from augury.foreign import Classifier
from augury.workers.run_tasks import run_tasks
from augury.workers.tasks import Answer, Task, Workers

# A model summary must not take as long as the experiment.
_MAX_VALUES = 5_000_000
_MAX_FIT_SECONDS = 3.0

Progress = Callable[[str, str], None]
_Task = Task[PreparedTable | None, Classifier, ModelSummary]
_Answer = Answer[PreparedTable | None, Classifier, ModelSummary]


def add_model_summaries(
    jobs: Iterable[Job],
    store: ResultStore,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    *,
    isolate: bool = False,
    retry_failed: bool = False,
    workers: Workers | None = None,
    deadline: float | None = None,
) -> int:
    """Compute the model summaries that a store lacks.

    Parameters
    ----------
    jobs : iterable of Job
        Jobs, as given to `run_jobs`.
    store : ResultStore
        Store that receives each summary as soon as it is computed.
    n_jobs : int, default=None
        Number of worker processes; None means 1, -1 all processors.
    progress : callable, default=None
        Called with data set and model of each new summary.
    isolate, workers
        As in `run_jobs`.
    retry_failed : bool, default=False
        Whether summaries that failed are computed again.
    deadline : float, default=None
        Value of `time.monotonic` after which no summary is begun, nor one that is expected to end
        after it, and at which those under way are ended. They stay open.

    Returns
    -------
    int
        Number of new summaries. A summary that cannot be computed is stored as well: with
        `error`, which is the traceback or the way the worker process died, or with a note that
        it would take too long (more than 5 million values, or more than 3 s for a fit to one
        fold).
    """
    there = {
        key
        for key, summary in store.model_summaries().items()
        if not (retry_failed and summary.error)
    }
    seconds = _fit_seconds(store.results())
    added: list[tuple[str, str]] = []

    def keep(answer: _Answer) -> None:
        dataset, model = answer.task.label
        summary = answer.value
        if summary is None:
            error = answer.error or ""
            summary = _failed_summary(model, error.strip().splitlines()[-1], error)
        store.add_model_summary(dataset, model, summary)
        added.append((dataset, model))
        if progress is not None:
            progress(dataset, model)

    run_tasks(
        "add_model_summaries",
        _tasks(jobs, there, seconds, deadline),
        keep,
        n_jobs=n_jobs,
        isolate=isolate,
        workers=workers,
        until=deadline,
    )
    return len(added)


def _fit_seconds(results: Sequence[FoldResult]) -> dict[tuple[str, str], float]:
    """Return the mean time of a fit to the largest training samples, by data set and model."""
    found: dict[tuple[str, str], list[FoldResult]] = {}
    for row in results:
        found.setdefault((row.dataset, row.model), []).append(row)
    return {key: _seconds_at_most_rows(rows) for key, rows in found.items()}


def _seconds_at_most_rows(rows: Sequence[FoldResult]) -> float:
    most = max(row.n_train for row in rows)
    return float(np.mean([row.fit_seconds for row in rows if row.n_train == most]))


def _tasks(
    jobs: Iterable[Job],
    there: set[tuple[str, str]],
    seconds: dict[tuple[str, str], float],
    deadline: float | None,
) -> Iterator[_Task]:
    for job in jobs:
        name = job.dataset.name
        missing = [model for model in job.models if (name, model) not in there]
        if not missing:
            continue
        size = job.dataset.X.shape[0] * job.dataset.X.shape[1]
        table = job.table() if size <= _MAX_VALUES else None
        for model in missing:
            fit = seconds.get((name, model), 0.0)
            if deadline is not None and monotonic() + fit > deadline:
                continue
            reason = ""
            if table is None:
                reason = f"the data set has {size} values"
            elif fit > _MAX_FIT_SECONDS:
                reason = f"a fit takes {fit:.0f} s"
            function = partial(_leave_out, model, reason) if reason else partial(_summarize, model)
            yield Task(function, table, [job.models[model]], label=(name, model))


def _leave_out(model: str, reason: str, *_: object) -> ModelSummary:
    return ModelSummary(model, notes=(f"There is no model summary: {reason}.",))


def _failed_summary(model: str, reason: object, error: str) -> ModelSummary:
    return ModelSummary(model, notes=(f"There is no model summary: {reason}",), error=error)


def _summarize(model: str, table: PreparedTable, estimator: Classifier) -> ModelSummary:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            summary = summarize_prepared(model, estimator, table)
    except Exception as error:  # noqa: BLE001 - stored with its traceback
        return _failed_summary(model, error, traceback.format_exc())
    messages = dict.fromkeys(str(warning.message) for warning in caught)
    return replace(summary, notes=(*summary.notes, *messages))


__all__ = ["add_model_summaries"]
