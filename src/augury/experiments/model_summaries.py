"""Summaries of the models of an experiment, kept in its store."""

import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import PreparedTable, prepare_table
from augury.experiments.runner import Job
from augury.experiments.store.result_store import ResultStore
from augury.explain.model_summary import empty_summary, summarize_prepared
from augury.workers.choice import choose_workers
from augury.workers.tasks import Task

# A model summary is a by-product: it must not take as long as the experiment.
_MOST_CELLS = 5_000_000
_MOST_FIT_SECONDS = 3.0

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
    """Draw the portraits that a store lacks.

    Parameters
    ----------
    jobs : iterable of Job
        As given to `run_jobs`.
    store : ResultStore
        Has each portrait as soon as it is drawn.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors.
    progress : callable, default=None
        Called with data set and model of each new portrait.
    isolate : bool, default=False
        As in `run_jobs`.
    retry_failed : bool, default=False
        Whether models that raised an error are tried again.

    Returns
    -------
    int
        Number of portraits drawn. One that cannot be drawn is kept as well: with `error`, the
        traceback or how the worker process died, or with a note that it would have taken too
        long (more than 5 million values, or more than 3 s for a fit to one fold).
    """
    there = {
        key
        for key, content in store.model_summaries().items()
        if not (retry_failed and content.get("error"))
    }
    seconds = _fit_seconds(store.results())
    n_drawn = 0
    with choose_workers("add_model_summaries", n_jobs, isolate=isolate) as workers:
        for answer in workers.run(_tasks(jobs, there, seconds)):
            dataset, model = answer.task.label
            content = answer.value
            if answer.error is not None:
                reason = answer.error.strip().splitlines()[-1]
                content = empty_summary(model, notes=[f"There is no portrait: {reason}"])
                content["error"] = answer.error
            store.add_model_summary(dataset, model, content)
            n_drawn += 1
            if progress is not None:
                progress(dataset, model)
    return n_drawn


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
        table = prepare_table(job.dataset, job.protocol) if size <= _MOST_CELLS else None
        for model in missing:
            fit = seconds.get((name, model), 0.0)
            function = partial(_draw_one, model)
            part = job.models[model]
            if table is None:
                function, part = partial(_leave_out, model), f"the data set has {size} values"
            elif fit > _MOST_FIT_SECONDS:
                function, part = partial(_leave_out, model), f"a fit takes {fit:.0f} s"
            yield Task(function, table, [part], label=(name, model))


def _leave_out(model: str, _: PreparedTable | None, reason: str) -> dict[str, Any]:
    return empty_summary(model, notes=[f"There is no portrait: {reason}."])


def _draw_one(model: str, table: PreparedTable, estimator: Any) -> dict[str, Any]:
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            content = summarize_prepared(model, estimator, table)
        content["notes"] += dict.fromkeys(str(warning.message) for warning in caught)
    except Exception as error:  # noqa: BLE001 - kept in the store with its traceback
        content = empty_summary(model, notes=[f"There is no portrait: {error}"])
        content["error"] = traceback.format_exc()
    return content


__all__ = ["add_model_summaries"]
