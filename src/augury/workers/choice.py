"""Choice of the workers that run tasks."""

from augury.validation import check_threads
from augury.workers.dask_workers import DaskWorkers
from augury.workers.pool import WorkerPool
from augury.workers.tasks import OwnProcess, Workers


def choose_workers(
    owner: str, n_jobs: int | None, *, scheduler: str | None = None, isolate: bool = False
) -> Workers:
    """Return the workers that run tasks.

    Parameters
    ----------
    owner : str
        Named in the error if `n_jobs` is not valid.
    n_jobs : int or None
        Worker processes; None means 1, -1 all processors. A single worker is this process.
    scheduler : str, default=None
        Address of a Dask scheduler, whose workers are used instead.
    isolate : bool, default=False
        Whether a single worker is a process of its own as well. A model that ends the worker
        then does not end this process.
    """
    if scheduler is not None:
        return DaskWorkers(scheduler)
    n_workers = check_threads(owner, n_jobs)
    return WorkerPool(n_workers) if isolate or n_workers > 1 else OwnProcess()


__all__ = ["choose_workers"]
