"""Worker processes on this machine. A process that dies does not affect the others."""

import json
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, Self, cast

from augury.workers.frames import ANSWER, READY, SHARED, TASK, read_frame, write_frame
from augury.workers.messages import pack_call, pack_shared, read_answer
from augury.workers.tasks import Answer, AnyAnswer, AnyTask, WorkersLostError, describe_death

# -P and the parent's path keep a worker from importing a numpy.py of the current folder or
# another augury.
_PROGRAM = (
    "import sys; path = sys.argv.pop(); import json; sys.path[:] = json.loads(path); "
    "from augury.workers.worker_process import serve; serve()"
)
# Fits use one thread. The variables reach libraries that are loaded during a task.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"), "1"
)
_MAX_FAILED_STARTS = 3
_GRACE_SECONDS = 2.0
_POLL_SECONDS = 0.2

_DIED = b"D"
_Event = tuple["_Worker", bytes, Any]


class WorkerPool:
    """Runs tasks in worker processes.

    A worker has one task at a time and answers part by part, so the pool knows which part was
    running when the worker died. That part is run again after all others, in a new process and
    with no other worker alive. If that process dies as well, the answer has an error.

    Parameters
    ----------
    n_workers : int
        Largest number of processes. A process is started when there is a task for it.

    Raises
    ------
    WorkersLostError
        If new processes die before they can take a task.
    """

    def __init__(self, n_workers: int) -> None:
        self._n_workers = n_workers
        self._workers: list[_Worker] = []
        self._events: SimpleQueue[_Event] = SimpleQueue()
        self._waiting: deque[AnyTask] = deque()
        self._suspects: deque[AnyTask] = deque()
        self._n_failed_starts = 0
        self._shared = _Shared(object(), b"", 0)  # unlike that of any task, which may be None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close(kill=error[0] is not None)

    def close(self, *, kill: bool = False) -> None:
        """End all workers: kill them, or close their input and wait."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill() if kill else worker.dismiss()
        for worker in workers:
            worker.wait()

    def run(self, tasks: Iterable[AnyTask], *, until: float | None = None) -> Iterator[AnyAnswer]:
        """Yield the answers as they come; tasks are taken when a worker is free, or one ahead."""
        try:
            yield from self._run(iter(tasks), until)
        except _OutOfTimeError:
            self.close(kill=True)
            self._waiting.clear()
            self._suspects.clear()

    def _run(self, source: Iterator[AnyTask], until: float | None) -> Iterator[AnyAnswer]:
        while True:
            yield from self._hand_out(source)
            if not any(worker.task for worker in self._workers):
                break
            yield from self._react(*self._next_event(until))
        while self._suspects:
            self.close()
            yield from self._run_alone(self._suspects.popleft(), until)

    def _next_event(self, until: float | None) -> _Event:
        # Short waits: a signal that another thread receives does not end a wait, so Ctrl-C
        # would have no effect before a worker answers.
        while True:
            with suppress(Empty):
                return self._events.get(timeout=_POLL_SECONDS)
            if until is not None and monotonic() > until:
                raise _OutOfTimeError

    def _hand_out(self, source: Iterator[AnyTask]) -> Iterator[AnyAnswer]:
        while True:
            if not self._waiting and (task := next(source, None)) is not None:
                self._waiting.append(task)
            worker = self._free_worker() if self._waiting else None
            if worker is None:
                return
            yield from self._give(worker, self._waiting.popleft())

    def _free_worker(self) -> "_Worker | None":
        for worker in self._workers:
            if worker.task is None:
                return worker
        return self._start() if len(self._workers) < self._n_workers else None

    def _start(self) -> "_Worker":
        try:
            worker = _Worker(self._events)
        except OSError as error:
            raise WorkersLostError(f"no worker process can be started: {error}") from error
        self._workers.append(worker)
        return worker

    def _give(self, worker: "_Worker", task: AnyTask) -> Iterator[AnyAnswer]:
        try:
            if self._shared.content is not task.shared:
                packed = pack_shared(task)
                self._shared = _Shared(task.shared, packed, self._shared.number + 1)
            call = pack_call(task)
        except Exception:  # noqa: BLE001 - returned with its traceback
            error = traceback.format_exc()
            yield from (Answer(task, part, error=error) for part in task.parts)
            return
        if task.parts:
            worker.give(task, call, self._shared)

    def _react(self, worker: "_Worker", kind: bytes, content: Any) -> Iterator[AnyAnswer]:
        if worker not in self._workers:  # closed in the meantime
            return
        if kind == READY:
            worker.is_ready = True
            self._n_failed_starts = 0
        elif kind == ANSWER:
            yield worker.read_answer(content)
        elif kind == _DIED:
            self._workers.remove(worker)
            self._count_failed_start(worker, content)
            left = worker.take_back()
            if left is not None and worker.is_ready:
                self._suspects.append(replace(left, parts=left.parts[:1]))
                left = replace(left, parts=left.parts[1:])
            if left is not None and left.parts:
                self._waiting.appendleft(left)

    def _run_alone(self, task: AnyTask, until: float | None) -> Iterator[AnyAnswer]:
        while True:
            worker = self._start()
            yield from self._give(worker, task)
            while worker.task is not None:
                culprit, kind, content = self._next_event(until)
                if culprit is worker and kind == _DIED:
                    break
                yield from self._react(culprit, kind, content)
            else:
                return
            self._workers.remove(worker)
            self._count_failed_start(worker, content)
            if worker.is_ready:
                reason = f"{describe_death(content)}, also when this was run alone in a new process"
                yield Answer(task, task.parts[0], error=reason)
                return

    def _count_failed_start(self, worker: "_Worker", return_code: int) -> None:
        if worker.is_ready:
            return
        self._n_failed_starts += 1
        if self._n_failed_starts >= _MAX_FAILED_STARTS:
            raise WorkersLostError(
                f"{self._n_failed_starts} worker processes died before they could take a task; "
                f"the last: {describe_death(return_code)}"
            )


class _OutOfTimeError(Exception):
    """Tasks are under way at the time at which they are to end."""


class _Shared:
    """The shared object of tasks, its pickled bytes, and its number."""

    def __init__(self, content: Any, packed: bytes, number: int) -> None:
        self.content = content
        self.packed = packed
        self.number = number


class _Worker:
    """One worker process, and the threads of this process that listen to it."""

    def __init__(self, events: "SimpleQueue[_Event]") -> None:
        self._events = events
        self.task: AnyTask | None = None
        self.is_ready = False
        self._n_answered = 0
        self._shared_number = 0
        self._ended = Event()
        # In a session of its own: Ctrl-C on the terminal reaches the run only, and processes
        # that a model starts can be ended together with the worker.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-P", "-c", _PROGRAM, json.dumps([str(p) for p in sys.path])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **_ONE_THREAD},
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        Thread(target=self._watch, daemon=True).start()

    def give(self, task: AnyTask, call: bytes, shared: _Shared) -> None:
        """Send a task. If the worker has died, the pool gets an event."""
        self.task, self._n_answered = task, 0
        stream = cast(IO[bytes], self._process.stdin)
        with suppress(OSError, ValueError):  # the pipe is closed
            if self._shared_number != shared.number:
                write_frame(stream, SHARED, shared.packed)
                self._shared_number = shared.number
            write_frame(stream, TASK, pickle.dumps((len(task.parts), call)))

    def read_answer(self, content: bytes) -> AnyAnswer:
        """Return the answer to the next part."""
        task = cast(AnyTask, self.task)
        part = task.parts[self._n_answered]
        self._n_answered += 1
        if self._n_answered == len(task.parts):
            self.task = None
        return read_answer(task, part, content)

    def take_back(self) -> AnyTask | None:
        """Return the task with the parts that have no answer; the first one was running."""
        task, self.task = self.task, None
        return None if task is None else replace(task, parts=task.parts[self._n_answered :])

    def dismiss(self) -> None:
        """Close the input of the worker, which ends it, even during a task."""
        with suppress(OSError):  # the worker has ended, and what was not sent is lost
            cast(IO[bytes], self._process.stdin).close()

    def kill(self) -> None:
        """End the worker and the processes that it started, at once."""
        if not self._ended.is_set():
            _kill_group(self._process)

    def wait(self) -> None:
        """Wait until the worker has ended, and end it if it does not."""
        if not self._ended.wait(_GRACE_SECONDS):
            _kill_group(self._process)
            self._ended.wait(_GRACE_SECONDS)

    def _listen(self) -> None:
        stream = cast(IO[bytes], self._process.stdout)
        with stream:
            while (frame := read_frame(stream)) is not None:
                self._events.put((self, *frame))
        # A model may have closed the stream while the worker goes on; it cannot answer any more.
        if not self._ended.wait(_GRACE_SECONDS):
            _kill_group(self._process)

    def _watch(self) -> None:
        """Wait for the end of the worker, then for the end of its output."""
        if hasattr(os, "waitid"):
            # The process is not reaped yet, so its group still belongs to it.
            with suppress(ChildProcessError):  # another thread has reaped it
                end = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
                if end is None or (end.si_code, end.si_status) != (os.CLD_EXITED, 0):
                    _kill_group(self._process)
        return_code = self._process.wait()
        self._ended.set()
        self._listener.join(_GRACE_SECONDS)
        with suppress(OSError):  # what was not sent is lost
            cast(IO[bytes], self._process.stdin).close()
        self._events.put((self, _DIED, return_code))


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    if process.returncode is not None:  # reaped: the system may have reused the id
        return
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # it has ended
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


__all__ = ["WorkerPool"]
