"""Fit and test what a store does not have yet, on any number of workers."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from augury.data import Dataset
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.folds import (
    Fold,
    FoldOutcome,
    PreparedTable,
    check_models,
    number_folds,
    prepare_table,
    run_fold,
)
from augury.experiments.fingerprints import checksum, describe_model, describe_splitter
from augury.experiments.store.result_store import FoldKey, ResultStore
from augury.experiments.store.stored_results import Failure
from augury.workers.choice import choose_workers
from augury.workers.tasks import Answer, Task

# What a worker is given at a time: small fits are sent together.
_TASK_SECONDS = 0.5
_MOST_FOLDS = 50

Progress = Callable[[Sequence[FoldResult | Failure]], None]


@dataclass(frozen=True, slots=True)
class Job:
    """A data set, its folds, and the models that meet them.

    Attributes
    ----------
    dataset : Dataset
        See `augury.data`.
    models : mapping from name to classifier
        Cloned for each fold.
    splitter : object
        With `get_n_splits`; one with `n_repeats` numbers its runs.
    protocol : {"honest", "published"}
        See `augury.evaluate.cross_validate`.
    """

    dataset: Dataset
    models: Mapping[str, Any]
    splitter: Any
    protocol: str

    def fold_keys(self) -> list[FoldKey]:
        """Return run and fold of each split, counted from 1."""
        n_runs = getattr(self.splitter, "n_repeats", 1)
        per_run = self.splitter.get_n_splits() // n_runs
        return [(run + 1, fold + 1) for run in range(n_runs) for fold in range(per_run)]


class FailedFoldsError(RuntimeError):
    """Folds that raised errors where all of them are needed; the first one's traceback."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        first = failures[0]
        super().__init__(
            f"{len(failures)} folds failed; the first, {first.model} on {first.dataset}, run "
            f"{first.run}, fold {first.fold}:\n{first.traceback}"
        )


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did.

    Attributes
    ----------
    n_done, n_failed : int
        Folds that this run completed, and that raised an error in it.
    n_before : int
        Folds that the store had already.
    n_elsewhere : int
        Folds that another process works on.
    """

    n_done: int
    n_failed: int
    n_before: int
    n_elsewhere: int


@dataclass(slots=True)
class _Pace:
    """How many folds of a model on a data set fit into one task."""

    seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def learn(self, row: FoldResult) -> None:
        self.seconds[row.dataset, row.model] = row.fit_seconds + row.predict_seconds

    def n_folds(self, dataset: str, model: str) -> int:
        known = self.seconds.get((dataset, model))
        if known is None:
            return 1
        return max(1, min(_MOST_FOLDS, int(_TASK_SECONDS / max(known, 1e-9))))


@dataclass(slots=True)
class _Counts:
    """Folds of a run; `before` are those that the store had already."""

    asked: int = 0
    before: int = 0
    done: int = 0
    failed: int = 0


def run_jobs(
    jobs: Iterable[Job],
    store: ResultStore,
    *,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    isolate: bool = False,
    retry_failed: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Complete a store.

    Parameters
    ----------
    jobs : iterable of Job
        Taken one after another. All folds of a data set share what the protocol does
        before it splits.
    store : ResultStore
        Has each row as soon as it is known. Folds that it has are not computed again.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors. The rows are the same for any
        number, the seconds apart.
    scheduler : str, default=None
        Address of a Dask scheduler, whose workers are used instead (extra `dask`).
    isolate : bool, default=False
        Whether one worker is a process of its own as well. By default `n_jobs=1` fits in this
        process, which ends if a model ends it. The command line isolates.
    retry_failed : bool, default=False
        Whether folds whose error is in the store are tried again.
    progress : callable, default=None
        Called with rows and failures as they come.

    Returns
    -------
    RunReport
        A fold that raises an error is kept as a `Failure` and counted; it does not stop
        the others. Nor does a fold whose worker process dies: it is tried once more, alone in
        a new process, and kept as a `Failure` if that dies as well.

    Raises
    ------
    StoreError
        If the store has rows of other data, folds or parameters under the same names, or
        cannot be read or written.
    augury.workers.tasks.WorkersLostError
        If workers cannot be started, or the Dask scheduler or its workers are lost. This is
        no failure of a model: the folds under way stay open.
    """
    pace, counts = _Pace(), _Counts()

    def tasks() -> Iterator[Task]:
        for job in jobs:
            yield from _open_tasks(job, store, pace, counts, retry_failed)

    store.results()  # a damaged row is reported before hours of work
    with choose_workers("run_jobs", n_jobs, scheduler=scheduler, isolate=isolate) as workers:
        for answer in workers.run(tasks()):
            row = _keep(answer, store, pace, counts)
            if progress is not None:
                progress([row])
    elsewhere = counts.asked - counts.before - counts.done - counts.failed
    return RunReport(counts.done, counts.failed, counts.before, elsewhere)


def count_before(jobs: Iterable[Job], store: ResultStore) -> dict[str, int]:
    """Return the number of folds of each data set that the store has already."""
    counts = {}
    for job in jobs:
        name, keys = job.dataset.name, job.fold_keys()
        n_open = sum(len(store.open_folds(name, m, job.protocol, keys)) for m in job.models)
        counts[name] = len(keys) * len(job.models) - n_open
    return counts


def _open_tasks(
    job: Job, store: ResultStore, pace: _Pace, counts: _Counts, retry_failed: bool
) -> Iterator[Task]:
    """Claim what is still to be done, a task at a time."""
    check_models("run_jobs", job.models)
    name, keys = job.dataset.name, job.fold_keys()
    counts.asked += len(keys) * len(job.models)
    table = prepare_table(job.dataset, job.protocol)
    store.add_dataset(
        name,
        checksum(job.dataset),
        describe_splitter(job.splitter),
        _details(job.dataset, table),
        table.y.cat.codes.to_numpy(),
    )
    folds: dict[FoldKey, Fold] = {}
    for model, estimator in job.models.items():
        store.add_model(model, describe_model(estimator))
        left = store.open_folds(name, model, job.protocol, keys, retry_failed=retry_failed)
        counts.before += len(keys) - len(left)
        while left:
            n_now = pace.n_folds(name, model)
            now, left = left[:n_now], left[n_now:]
            mine = store.claim(name, model, job.protocol, now, retry_failed=retry_failed)
            if mine:
                folds = folds or {
                    (fold.run, fold.fold): fold for fold in number_folds(job.splitter, table)
                }
                run = partial(_run_one, model, estimator)
                yield Task(run, table, [folds[key] for key in mine], label=model)


def _details(dataset: Dataset, table: PreparedTable) -> dict[str, Any]:
    return {
        "n_rows": len(dataset.X),
        "n_columns": dataset.X.shape[1],
        "n_numeric": int(dataset.X.select_dtypes("number").shape[1]),
        "n_missing": int(dataset.X.isna().to_numpy().sum()),
        "target": dataset.target,
        "classes": table.classes,
        "source": dataset.source,
        "dropped": list(dataset.dropped),
    }


def _run_one(
    model: str, estimator: Any, table: PreparedTable, fold: Fold
) -> tuple[FoldOutcome, str]:
    """Return the outcome of a fold, and the text of the warnings that it gave."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        outcome = run_fold(table, model, estimator, fold)
    return outcome, "\n".join(dict.fromkeys(str(warning.message) for warning in caught))


def _keep(answer: Answer, store: ResultStore, pace: _Pace, counts: _Counts) -> FoldResult | Failure:
    table, fold = answer.task.shared, answer.part
    if answer.error is not None:
        failure = Failure(
            table.name, answer.task.label, table.protocol, fold.run, fold.fold, answer.error
        )
        store.add_failure(failure)
        counts.failed += 1
        return failure
    outcome, messages = answer.value
    store.add_outcome(outcome, fold.test, messages)
    pace.learn(outcome.result)
    counts.done += 1
    result: FoldResult = outcome.result
    return result


__all__ = ["FailedFoldsError", "Job", "Progress", "RunReport", "count_before", "run_jobs"]
