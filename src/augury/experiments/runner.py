"""Run the folds that a store does not have yet, on any number of workers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic

from augury.data import Dataset
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.fold_tasks import FoldAnswer, FoldTask, run_folds
from augury.evaluate.folds import (
    Fold,
    FoldOutcome,
    PreparedTable,
    check_models,
    number_folds,
)
from augury.experiments.fingerprints import checksum, describe_model, describe_splitter
from augury.experiments.job import Job
from augury.experiments.store.result_store import FoldKey, ResultStore
from augury.experiments.store.stored_results import Failure
from augury.foreign import Json
from augury.workers.tasks import Workers

# A worker gets folds of about this many seconds at a time.
_TASK_SECONDS = 0.5
_MAX_FOLDS = 50

Progress = Callable[[Sequence[FoldResult | Failure]], None]
# Called with a model and folds that are about to begin.
Begin = Callable[[str, Sequence[FoldKey]], None]


class FailedFoldsError(RuntimeError):
    """Folds raised errors where all of them are needed; has the traceback of the first."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        first = failures[0]
        super().__init__(
            f"{len(failures)} folds failed; the first, {first.model} on {first.dataset}, run "
            f"{first.run}, fold {first.fold}:\n{first.traceback}"
        )


@dataclass(frozen=True, slots=True)
class RunReport:
    """Numbers of folds of a run.

    Attributes
    ----------
    n_done, n_failed : int
        Folds that this run completed, and folds that raised an error in it.
    n_before : int
        Folds that the store had already.
    n_elsewhere : int
        Folds that another process works on, or that were not begun before the deadline.
    """

    n_done: int
    n_failed: int
    n_before: int
    n_elsewhere: int


def run_jobs(
    jobs: Iterable[Job],
    store: ResultStore,
    *,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    isolate: bool = False,
    retry_failed: bool = False,
    progress: Progress | None = None,
    begin: Begin | None = None,
    deadline: float | None = None,
    until: float | None = None,
    expected: Mapping[str, float] | None = None,
    workers: Workers | None = None,
) -> RunReport:
    """Run the folds that a store does not have yet.

    Parameters
    ----------
    jobs : iterable of Job
        Taken one after another. The protocol prepares each data set once for all folds.
    store : ResultStore
        Gets each row as soon as it is known. Folds that it has are not computed again.
    n_jobs : int, default=None
        Worker processes; None means 1, -1 all processors. The rows are the same for any
        number, except for the seconds.
    scheduler : str, default=None
        Address of a Dask scheduler, whose workers are used instead (extra `dask`).
    isolate : bool, default=False
        Whether a single worker is a process of its own as well. By default `n_jobs=1` fits in
        this process, which ends if a model ends it. The command line isolates.
    retry_failed : bool, default=False
        Whether folds whose error is in the store are tried again.
    progress : callable, default=None
        Called with rows and failures as they come.
    begin : callable, default=None
        Called with a model and the folds of a task that is given to a worker, or that is the next
        to be given.
    deadline : float, default=None
        Value of `time.monotonic`. No fold is begun after it, nor one that is expected to end after
        it.
    until : float, default=None
        Value of `time.monotonic` at which folds that are under way are ended if they are in worker
        processes; they stay open.
    expected : mapping from model to float, default=None
        Expected seconds of a fold, until one of the model is completed.
    workers : Workers, default=None
        Workers that are started already, and go on after the call; `n_jobs`, `scheduler` and
        `isolate` are ignored.

    Returns
    -------
    RunReport
        A fold that raises an error is kept as a `Failure` and counted; it does not stop
        the others. A fold whose worker process dies is tried once more, alone in a new
        process, and kept as a `Failure` if that process dies as well.

    Raises
    ------
    StoreError
        If the store has rows of other data, folds or parameters under the same names, or
        cannot be read or written.
    augury.workers.tasks.WorkersLostError
        If workers cannot be started, or the Dask scheduler or its workers are lost. No model
        is at fault: the folds under way stay open.
    """
    store.results()  # a damaged row is reported before hours of work
    run = _Run(store, retry_failed, progress, begin, deadline, dict(expected or {}))
    run_folds(
        "run_jobs",
        run.tasks(jobs),
        run.keep,
        record=True,
        n_jobs=n_jobs,
        scheduler=scheduler,
        isolate=isolate,
        workers=workers,
        until=until,
    )
    return run.report()


def count_before(jobs: Iterable[Job], store: ResultStore) -> dict[str, int]:
    """Return the number of folds of each data set that the store has already."""
    counts = {}
    for job in jobs:
        name, keys = job.dataset.name, job.fold_keys()
        n_open = sum(len(store.open_folds(name, m, job.protocol, keys)) for m in job.models)
        counts[name] = len(keys) * len(job.models) - n_open
    return counts


@dataclass(slots=True)
class _Run:
    """The state of one call of `run_jobs`: claims folds, keeps what becomes of them, counts."""

    store: ResultStore
    retry_failed: bool
    progress: Progress | None
    begin: Begin | None
    deadline: float | None
    expected: dict[str, float]
    n_asked: int = 0
    n_before: int = 0
    n_done: int = 0
    n_failed: int = 0
    fold_seconds: dict[tuple[str, str], float] = field(default_factory=dict)

    def tasks(self, jobs: Iterable[Job]) -> Iterator[FoldTask]:
        """Claim the open folds of all jobs, a task at a time."""
        for job in jobs:
            yield from self._job_tasks(job)

    def _job_tasks(self, job: Job) -> Iterator[FoldTask]:
        check_models("run_jobs", job.models)
        name, keys = job.dataset.name, job.fold_keys()
        self.n_asked += len(keys) * len(job.models)
        table = job.table()
        self.store.add_dataset(
            name,
            checksum(job.dataset),
            describe_splitter(job.splitter),
            _details(job.dataset, table),
            table.y.cat.codes.to_numpy(),
            table.weight,
        )
        folds: dict[FoldKey, Fold] = {}
        claiming = {"retry_failed": self.retry_failed}
        for model, estimator in job.models.items():
            self.store.add_model(model, describe_model(estimator))
            left = self.store.open_folds(name, model, job.protocol, keys, **claiming)
            self.n_before += len(keys) - len(left)
            while left and not self._is_late(name, model):
                n_now = self._folds_per_task(name, model)
                now, left = left[:n_now], left[n_now:]
                mine = self.store.claim(name, model, job.protocol, now, **claiming)
                if mine:
                    folds = folds or {
                        (fold.run, fold.fold): fold for fold in number_folds(job.splitter, table)
                    }
                    if self.begin is not None:
                        self.begin(model, mine)
                    yield FoldTask(table, model, estimator, [folds[key] for key in mine])

    def _is_late(self, dataset: str, model: str) -> bool:
        """Return whether a fold of a model would end after the deadline."""
        if self.deadline is None:
            return False
        seconds = self.fold_seconds.get((dataset, model), self.expected.get(model, 0.0))
        return monotonic() + seconds > self.deadline

    def _folds_per_task(self, dataset: str, model: str) -> int:
        """Return 1 until a fold of this model and data set has been timed."""
        seconds = self.fold_seconds.get((dataset, model))
        if seconds is None:
            return 1
        return max(1, min(_MAX_FOLDS, int(_TASK_SECONDS / max(seconds, 1e-9))))

    def keep(self, answer: FoldAnswer) -> None:
        """Write the result or the failure of a fold to the store."""
        if answer.outcome is None:
            row: FoldResult | Failure = self._keep_failure(answer)
        else:
            row = self._keep_result(answer, answer.outcome)
        if self.progress is not None:
            self.progress([row])

    def _keep_failure(self, answer: FoldAnswer) -> Failure:
        table, fold = answer.table, answer.fold
        error = answer.error or ""
        failure = Failure(table.name, answer.model, table.protocol, fold.run, fold.fold, error)
        self.store.add_failure(failure)
        self.n_failed += 1
        return failure

    def _keep_result(self, answer: FoldAnswer, outcome: FoldOutcome) -> FoldResult:
        self.store.add_outcome(outcome, answer.fold.test, answer.messages)
        row = outcome.result
        # A fold of a small training sample may be followed by folds of large ones: an estimate
        # decreases by half at most.
        key, seconds = (row.dataset, row.model), row.fit_seconds + row.predict_seconds
        self.fold_seconds[key] = max(seconds, self.fold_seconds.get(key, 0.0) / 2)
        self.n_done += 1
        return row

    def report(self) -> RunReport:
        """Return the counts."""
        n_elsewhere = self.n_asked - self.n_before - self.n_done - self.n_failed
        return RunReport(self.n_done, self.n_failed, self.n_before, n_elsewhere)


def _details(dataset: Dataset, table: PreparedTable) -> dict[str, Json]:
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


__all__ = ["FailedFoldsError", "Progress", "RunReport", "count_before", "run_jobs"]
