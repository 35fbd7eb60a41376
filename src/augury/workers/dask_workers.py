"""Tasks on the workers of a Dask scheduler."""

import traceback
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any, Self

from augury.workers import dask_client
from augury.workers.dask_client import POLL_SECONDS
from augury.workers.dask_scheduler import DaskScheduler
from augury.workers.messages import answer_call, pack_call, pack_shared, read_answer
from augury.workers.tasks import Answer, AnyAnswer, AnyTask


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
        self._scheduler = DaskScheduler(
            address, "what is done is kept, and the same run with a new scheduler continues it"
        )
        self._running: dict[Any, AnyTask] = {}
        self._finished: SimpleQueue[Any] = SimpleQueue()
        self._shared: tuple[Any, Any] = (None, None)

    def __enter__(self) -> Self:
        self._scheduler.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._scheduler.cancel(self._running)
        self._scheduler.__exit__()

    def run(self, tasks: Iterable[AnyTask], *, until: float | None = None) -> Iterator[AnyAnswer]:
        """Yield the answers as they come; one more task is sent than the workers have threads.

        `until` has no effect.
        """
        source = iter(tasks)
        suspects: deque[AnyTask] = deque()
        is_open = True
        while True:
            room = self._scheduler.n_threads() + 1 - len(self._running)
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
        client = self._scheduler.client
        try:
            with warnings.catch_warnings():
                # Dask warns of large messages; a table is sent once.
                warnings.simplefilter("ignore", UserWarning)
                if is_new:
                    # A call instead of scattered data: if its worker dies, Dask runs it again.
                    self._shared = (task.shared, client.submit(_same, shared, pure=False))
                future = client.submit(
                    _answer_all, call, len(task.parts), self._shared[1], pure=False
                )
        except Exception as error:  # Dask raises many kinds of errors for a lost connection
            raise self._scheduler.lost() from error
        self._running[future] = task
        future.add_done_callback(self._finished.put)

    def _receive(self, suspects: deque[AnyTask]) -> Iterator[AnyAnswer]:
        """Wait a moment for a task to finish."""
        try:
            future = self._finished.get(timeout=POLL_SECONDS)
        except Empty:
            self._scheduler.n_threads()  # raises an error if no worker is left
            return
        task = self._running.pop(future)
        if future.status == "finished":
            try:
                answers = future.result(timeout=dask_client.PATIENCE)
            except Exception as error:  # as above; errors of the model are in the answers
                raise self._scheduler.lost() from error
            for part, content in zip(task.parts, answers, strict=True):
                yield read_answer(task, part, content)
            return
        reason = future.exception() if future.status == "error" else None
        if reason is None:
            raise self._scheduler.lost()
        if not isinstance(reason, self._scheduler.distributed.KilledWorker):
            raise self._scheduler.unable(reason)
        self._shared = (None, None)  # may have been lost with the worker
        suspects.extend(replace(task, parts=[part]) for part in task.parts)


def _same(content: bytes) -> bytes:
    return content


def _answer_all(call: bytes, n_parts: int, shared: bytes) -> list[bytes]:
    return list(answer_call(call, n_parts, shared, []))


__all__ = ["DaskWorkers"]
