"""A connection to a Dask scheduler; its failures are errors that say what to do."""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from time import monotonic, sleep
from types import ModuleType
from typing import Any, Self

from augury.optional import import_extra
from augury.workers import dask_client
from augury.workers.dask_client import POLL_SECONDS, connect, no_workers, silent_logs
from augury.workers.tasks import WorkersLostError


class DaskScheduler:
    """A Dask scheduler, connected by a client.

    Parameters
    ----------
    scheduler : str or distributed.Client
        Address of the scheduler, or a client, which is not closed.
    advice : str
        What the user shall do if the scheduler is lost.

    Raises
    ------
    ImportError
        If Dask is not installed.
    TypeError
        If `scheduler` is something else.
    WorkersLostError
        If the scheduler cannot be reached or is lost, or if it has no workers for a minute.
    """

    distributed: ModuleType
    address: str

    def __init__(self, scheduler: Any, advice: str) -> None:
        self.distributed = import_extra("distributed", extra="dask", purpose="a Dask scheduler")
        self._advice, self._is_own = advice, isinstance(scheduler, str)
        self.client: Any = None
        self._opened = ExitStack()
        if not self._is_own:
            if not isinstance(scheduler, self.distributed.Client):
                raise TypeError(
                    "client must be a distributed.Client or the address of a Dask scheduler, got "
                    f"{scheduler!r}"
                )
            self.client = scheduler
        self.address = scheduler if self._is_own else _address(scheduler)

    def __enter__(self) -> Self:
        if self._is_own:
            with ExitStack() as opened:
                opened.enter_context(silent_logs())
                self.client = connect(self.distributed, self.address)
                self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_own:
            # The work is done or has failed; whether the scheduler hears of it does not matter.
            with self._opened, suppress(Exception):
                self.client.close(timeout=1)

    def n_threads(self) -> int:
        """Return the threads of all workers; wait for workers if there are none."""
        deadline = monotonic() + dask_client.PATIENCE
        while True:
            self.require_running()
            try:
                n_threads = sum(self.client.nthreads().values())
            except Exception as error:  # Dask raises many kinds of errors for a lost connection
                raise self.lost() from error
            if n_threads:
                return int(n_threads)
            if monotonic() > deadline:
                raise no_workers(self.address)
            sleep(POLL_SECONDS)

    def require_running(self) -> None:
        """Raise if the client knows that the scheduler is lost."""
        if self.client.status != "running":
            raise self.lost()

    def require_import(self, module: str) -> None:
        """Raise if the scheduler or a worker cannot import a module of augury.

        Without the module a worker ends as soon as it receives a task.
        """
        self.n_threads()
        try:
            self.client.run_on_scheduler(exec, f"import {module}")
            self.client.run(exec, f"import {module}")
        except ImportError as error:
            raise self.unable(error) from error
        except OSError as error:
            raise self.lost() from error

    def cancel(self, futures: Iterable[Any]) -> None:
        """Stop tasks that nobody waits for any more."""
        if self.client.status == "running":
            with suppress(Exception):  # the scheduler may be lost; then nothing runs any more
                self.client.cancel(list(futures), force=True)

    def lost(self) -> WorkersLostError:
        """Return the error of a scheduler that does not answer any more."""
        return WorkersLostError(f"the Dask scheduler at {self.address!r} is lost; {self._advice}")

    def unable(self, reason: BaseException) -> WorkersLostError:
        """Return the error of workers that cannot run augury."""
        return WorkersLostError(
            f"the workers of the Dask scheduler at {self.address!r} cannot run augury: "
            f"{type(reason).__name__}: {reason}"
        )


def _address(client: Any) -> str:
    return str(client.scheduler.address) if client.scheduler is not None else "a closed client"


__all__ = ["DaskScheduler"]
