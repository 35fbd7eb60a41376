"""Run tasks on workers, and hand each answer to the caller."""

from collections.abc import Callable, Iterable

from augury.workers.choice import choose_workers
from augury.workers.tasks import Answer, Part, Shared, Task, Value, Workers


def run_tasks(
    owner: str,
    tasks: Iterable[Task[Shared, Part, Value]],
    keep: Callable[[Answer[Shared, Part, Value]], None],
    *,
    n_jobs: int | None = None,
    scheduler: str | None = None,
    isolate: bool = False,
    workers: Workers | None = None,
    until: float | None = None,
) -> None:
    """Run tasks, and call `keep` with the answer to each part as soon as it is available.

    Parameters
    ----------
    owner : str
        Named in the error if `n_jobs` is not valid.
    tasks : iterable of Task
        Taken one after another, whenever a worker is free or about to be.
    keep : callable
        Called in this process and this thread. An error that it raises ends all workers.
    n_jobs, scheduler, isolate
        See `choose_workers`.
    workers : Workers, default=None
        Workers that are started already, and go on after the call; the three parameters above
        are ignored.
    until : float, default=None
        See `augury.workers.tasks.Workers.run`.

    Raises
    ------
    augury.workers.tasks.WorkersLostError
        If workers cannot be started, or the Dask scheduler or its workers are lost.
    """
    if workers is not None:
        for answer in workers.run(tasks, until=until):
            keep(answer)
        return
    with choose_workers(owner, n_jobs, scheduler=scheduler, isolate=isolate) as own:
        for answer in own.run(tasks, until=until):
            keep(answer)


__all__ = ["run_tasks"]
