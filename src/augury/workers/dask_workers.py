"""Tasks on the workers of a Dask scheduler."""

import traceback
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from time import monotonic, sleep
from typing import Any, Self

from augury.optional import import_extra
from augury.workers import dask_client
from augury.workers.dask_client import POLL_SECONDS, connect, silent_logs
from augury.workers.messages import answer_call, pack_call, pack_shared, read_answer
from augury.workers.tasks import Answer, AnyAnswer, AnyTask, WorkersLostError


class DaskWorkers:
    """Runs tasks on the workers of a Dask scheduler.

    Parts of a task whose worker died (Dask's `KilledWorker`) are run again after all others,
    one at a time. The answer of a part that ends workers again has an error.

    Parameters
    ----------
    address : str
        Address of the scheduler.

    Raises
    ------
    ImportError
        If Dask is not installed.
    WorkersLostError
        If the scheduler cannot be reached or is lost, if it has no workers for a minute, or if
        they cannot import augury.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._distributed = import_extra("distributed", extra="dask", purpose="a Dask scheduler")
        self._client: Any = None
        self._running: dict[Any, AnyTask] = {}
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._shared: tuple[Any, Any] = (None, None)
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            opened.enter_context(silent_logs())
            self._client = connect(self._distributed, self._address)
            self._opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with self._opened:
            if self._client.status == "running":
                with suppress(Exception):
                    self._client.cancel(list(self._running), force=True)
            with suppress(Exception):
                self._client.close(timeout=1)

    def run(self, tasks: Iterable[AnyTask]) -> Iterator[AnyAnswer]:
        """Yield the answers as they come; one more task is sent than the workers have threads."""
        source = iter(tasks)
        suspects: deque[AnyTask] = deque()
        is_open = True
        while True:
            room = self._n_threads() + 1 - len(self._running)
            while is_open and room > 0:
                task = next(source, None)
                is_open = task is not None
                if task is not None:
                    room -= 1
                    yield from self._send(task)
            if not self._running:
                break
            yield from self._receive(suspects)
        while suspects:
            suspect = suspects.popleft()
            yield from self._send(suspect)
            killers: deque[AnyTask] = deque()
            while self._running:
                yield from self._receive(killers)
            for task in killers:
                yield Answer(
                    task,
                    task.parts[0],
                    error="the Dask worker process died, also when this was run alone",
                )

    def _n_threads(self) -> int:
        """Return the threads of all workers; wait for workers if there are none."""
        deadline = monotonic() + dask_client.PATIENCE
        while True:
            if self._client.status != "running":
                raise self._lost()
            try:
                n_threads = sum(self._client.nthreads().values())
            except Exception as error:
                raise self._lost() from error
            if n_threads:
                return int(n_threads)
            if monotonic() > deadline:
                raise dask_client.no_workers(self._address)
            sleep(POLL_SECONDS)

    def _send(self, task: AnyTask) -> Iterator[AnyAnswer]:
        if not task.parts:
            return
        is_new = self._shared[0] is not task.shared
        try:
            shared, call = pack_shared(task) if is_new else b"", pack_call(task)
        except Exception:  # noqa: BLE001 - returned with its traceback
            error = traceback.format_exc()
            yield from (Answer(task, part, error=error) for part in task.parts)
            return
        try:
            with warnings.catch_warnings():
                # Dask warns of large messages; a table is sent once.
                warnings.simplefilter("ignore", UserWarning)
                if is_new:
                    # A call instead of scattered data: if its worker dies, Dask runs it again.
                    self._shared = (task.shared, self._client.submit(_same, shared, pure=False))
                future = self._client.submit(
                    _answer_all, call, len(task.parts), self._shared[1], pure=False
                )
        except Exception as error:
            raise self._lost() from error
        self._running[future] = task
        future.add_done_callback(self._finished.put)

    def _receive(self, suspects: deque[AnyTask]) -> Iterator[AnyAnswer]:
        """Wait a moment for a task to finish."""
        try:
            future = self._finished.get(timeout=POLL_SECONDS)
        except Empty:
            self._n_threads()  # raises an error if no worker is left
            return
        task = self._running.pop(future)
        if future.status == "finished":
            try:
                answers = future.result(timeout=dask_client.PATIENCE)
            except Exception as error:
                raise self._lost() from error
            for part, content in zip(task.parts, answers, strict=True):
                yield read_answer(task, part, content)
            return
        reason = future.exception() if future.status == "error" else None
        if reason is None:
            raise self._lost()
        if not isinstance(reason, self._distributed.KilledWorker):
            raise WorkersLostError(
                f"the workers of the Dask scheduler at {self._address!r} cannot run augury: "
                f"{type(reason).__name__}: {reason}"
            )
        self._shared = (None, None)  # may have been lost with the worker
        suspects.extend(replace(task, parts=[part]) for part in task.parts)

    def _lost(self) -> WorkersLostError:
        return WorkersLostError(
            f"the Dask scheduler at {self._address!r} is lost; what is done is kept, and the same "
            "run with a new scheduler continues it"
        )


def _same(content: bytes) -> bytes:
    return content


def _answer_all(call: bytes, n_parts: int, shared: bytes) -> list[bytes]:
    return list(answer_call(call, n_parts, shared, []))


__all__ = ["DaskWorkers"]
