"""Fits and tests what a store does not have yet, on any number of workers."""

import multiprocessing
import os
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from threading import Thread
from time import sleep
from typing import Any

from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

from augury.bench.errors import ExperimentError
from augury.bench.fingerprints import checksum, describe_model, describe_splitter
from augury.bench.store import FoldKey, ResultStore
from augury.bench.stored_results import Failure
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
from augury.optional import import_extra

# What a worker is given at a time: small fits together, so that they are not outweighed by
# the sending of the table; yet a row is to be written soon after it is known.
_TASK_SECONDS = 0.5
_MOST_FOLDS = 50
_WATCH_SECONDS = 1.0

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


@dataclass(frozen=True, slots=True)
class _Task:
    table: PreparedTable
    model: str
    estimator: Any
    folds: Sequence[Fold]


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


@dataclass(frozen=True, slots=True)
class _Done:
    """A fold as it comes back from a worker: an outcome or a failure."""

    fold: Fold
    outcome: FoldOutcome | None
    failure: Failure | None
    messages: str


def run_jobs(
    jobs: Iterable[Job],
    store: ResultStore,
    *,
    n_jobs: int | None = None,
    scheduler: str | None = None,
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
    retry_failed : bool, default=False
        Whether folds whose error is in the store are tried again.
    progress : callable, default=None
        Called with rows and failures as they come.

    Returns
    -------
    RunReport
        A fold that raises an error is kept as a `Failure` and counted; it does not stop
        the others.

    Raises
    ------
    StoreError
        If the store has rows of other data, folds or parameters under the same names.
    """
    pace = _Pace()
    counts = {"done": 0, "failed": 0, "before": 0, "asked": 0}
    halted = False

    def tasks() -> Iterator[Any]:
        for job in jobs:
            for task in _open_tasks(job, store, pace, counts, retry_failed):
                if halted:
                    return
                yield delayed(_run_task)(task)

    with (
        _backend(scheduler),
        Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1) as parallel,
    ):
        running = parallel(tasks())
        try:
            for returned in running:
                _keep(returned, store, pace, counts, progress)
        except BaseException:
            # joblib cannot cancel tasks under way without noise from its own threads, but
            # it can be given no more of them.
            halted = True
            for _ in running:
                pass
            raise
    elsewhere = counts["asked"] - counts["before"] - counts["done"] - counts["failed"]
    return RunReport(counts["done"], counts["failed"], counts["before"], elsewhere)


def count_before(jobs: Iterable[Job], store: ResultStore) -> dict[str, int]:
    """Return the number of folds of each data set that the store has already."""
    counts = {}
    for job in jobs:
        name, keys = job.dataset.name, job.fold_keys()
        n_open = sum(len(store.open_folds(name, m, job.protocol, keys)) for m in job.models)
        counts[name] = len(keys) * len(job.models) - n_open
    return counts


def _open_tasks(
    job: Job, store: ResultStore, pace: _Pace, counts: dict[str, int], retry_failed: bool
) -> Iterator[_Task]:
    """Claim what is still to be done, a task at a time."""
    check_models("run_jobs", job.models)
    name, keys = job.dataset.name, job.fold_keys()
    counts["asked"] += len(keys) * len(job.models)
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
        counts["before"] += len(keys) - len(left)
        while left:
            n_now = pace.n_folds(name, model)
            now, left = left[:n_now], left[n_now:]
            mine = store.claim(name, model, job.protocol, now, retry_failed=retry_failed)
            if mine:
                folds = folds or {
                    (fold.run, fold.fold): fold for fold in number_folds(job.splitter, table)
                }
                yield _Task(table, model, estimator, [folds[key] for key in mine])


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


@cache
def _end_with_parent() -> None:
    """Let a worker process end when the run that it works for was killed.

    joblib's workers would wait for ever for the next task, or finish a long one beside the
    run that has taken it over.
    """
    if not multiprocessing.current_process().name.startswith("LokyProcess"):
        return
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            sleep(_WATCH_SECONDS)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _run_task(task: _Task) -> list[_Done]:
    _end_with_parent()
    with threadpool_limits(limits=1):
        return [_run_one(task, fold) for fold in task.folds]


def _run_one(task: _Task, fold: Fold) -> _Done:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        try:
            outcome = run_fold(task.table, task.model, task.estimator, fold)
        except Exception:  # noqa: BLE001 - kept in the store with its traceback
            failure = Failure(
                task.table.name,
                task.model,
                task.table.protocol,
                fold.run,
                fold.fold,
                traceback.format_exc(),
            )
            return _Done(fold, None, failure, "")
    messages = "\n".join(dict.fromkeys(str(warning.message) for warning in caught))
    return _Done(fold, outcome, None, messages)


def _keep(
    returned: Sequence[_Done],
    store: ResultStore,
    pace: _Pace,
    counts: dict[str, int],
    progress: Progress | None,
) -> None:
    rows: list[FoldResult | Failure] = []
    for done in returned:
        if done.outcome is not None:
            store.add_outcome(done.outcome, done.fold.test, done.messages)
            pace.learn(done.outcome.result)
            counts["done"] += 1
            rows.append(done.outcome.result)
        elif done.failure is not None:
            store.add_failure(done.failure)
            counts["failed"] += 1
            rows.append(done.failure)
    if progress is not None:
        progress(rows)


@contextmanager
def _dask(address: str) -> Iterator[None]:
    distributed = import_extra("distributed", extra="dask", purpose="a Dask scheduler")
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        raise ExperimentError(f"no Dask scheduler answers at {address!r}: {error}") from error
    with client, parallel_config(backend="dask"):
        yield


def _backend(scheduler: str | None) -> AbstractContextManager[None]:
    return nullcontext() if scheduler is None else _dask(scheduler)


__all__ = ["FailedFoldsError", "Job", "Progress", "RunReport", "count_before", "run_jobs"]
