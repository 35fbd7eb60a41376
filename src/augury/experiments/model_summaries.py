"""Summaries of the models of an experiment, kept in its store."""

import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.experiments.runner import Job
from augury.experiments.store.result_store import ResultStore
from augury.explain.model_summary import summarize_prepared
from augury.explain.summary_contents import ModelSummary
from augury.foreign import Classifier
from augury.workers.choice import choose_workers
from augury.workers.tasks import Task

# A model summary is a by-product: it must not take as long as the experiment.
_MAX_CELLS = 5_000_000
_MAX_FIT_SECONDS = 3.0

Progress = Callable[[str, str], None]


def add_model_summaries(
    jobs: Iterable[Job],
    store: ResultStore,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    *,
    isolate: bool = False,
    retry_failed: bool = False,
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
    isolate : bool, default=False
        As in `run_jobs`.
    retry_failed : bool, default=False
        Whether summaries that failed are computed again.

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
    n_new = 0
    with choose_workers("add_model_summaries", n_jobs, isolate=isolate) as workers:
        for answer in workers.run(_tasks(jobs, there, seconds)):
            dataset, model = answer.task.label
            summary: ModelSummary = answer.value
            if answer.error is not None:
                summary = _failed_summary(
                    model, answer.error.strip().splitlines()[-1], answer.error
                )
            store.add_model_summary(dataset, model, summary)
            n_new += 1
            if progress is not None:
                progress(dataset, model)
    return n_new


def _fit_seconds(results: Sequence[FoldResult]) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], list[float]] = {}
    for row in results:
        found.setdefault((row.dataset, row.model), []).append(row.fit_seconds)
    return {key: float(np.mean(values)) for key, values in found.items()}


def _tasks(
    jobs: Iterable[Job], there: set[tuple[str, str]], seconds: dict[tuple[str, str], float]
) -> Iterator[Task]:
    for job in jobs:
        name = job.dataset.name
        missing = [model for model in job.models if (name, model) not in there]
        if not missing:
            continue
        size = job.dataset.X.shape[0] * job.dataset.X.shape[1]
        table = prepare_table(job.dataset, job.protocol) if size <= _MAX_CELLS else None
        for model in missing:
            fit = seconds.get((name, model), 0.0)
            function = partial(_summarize_one, model)
            part = job.models[model]
            if table is None:
                function, part = partial(_leave_out, model), f"the data set has {size} values"
            elif fit > _MAX_FIT_SECONDS:
                function, part = partial(_leave_out, model), f"a fit takes {fit:.0f} s"
            yield Task(function, table, [part], label=(name, model))


def _leave_out(model: str, _: PreparedTable | None, reason: str) -> ModelSummary:
    return ModelSummary(model, notes=(f"There is no model summary: {reason}.",))


def _failed_summary(model: str, reason: object, error: str) -> ModelSummary:
    return ModelSummary(model, notes=(f"There is no model summary: {reason}",), error=error)


def _summarize_one(model: str, table: PreparedTable, estimator: Classifier) -> ModelSummary:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            summary = summarize_prepared(model, estimator, table)
    except Exception as error:  # noqa: BLE001 - stored with its traceback
        return _failed_summary(model, error, traceback.format_exc())
    heard = dict.fromkeys(str(warning.message) for warning in caught)
    return replace(summary, notes=(*summary.notes, *heard))


__all__ = ["add_model_summaries"]
