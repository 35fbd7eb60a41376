"""A thread that computes answers one after another, with a bound on those that wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition, Event, Thread

# The thread ends when it has had nothing to do for so long.
_IDLE_SECONDS = 10.0

IsAbandoned = Callable[[], bool]
Compute = Callable[[IsAbandoned], bytes]


class QueueFullError(Exception):
    """As many answers are waiting as are allowed."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """An answer that waits or is computed.

    Attributes
    ----------
    compute : callable
        Returns the answer. Its argument is a function that returns whether nobody waits for the
        answer any more.
    future : Future
        The answer.
    """

    compute: Compute
    future: Future[bytes] = field(default_factory=Future)
    _abandoned: Event = field(default_factory=Event)

    def abandon(self) -> None:
        """Remove the job from the queue; ask it to end if it is running."""
        self._abandoned.set()
        self.future.cancel()

    def run(self) -> None:
        """Compute the answer, unless the job is abandoned."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            answer = self.compute(self._abandoned.is_set)
        except BaseException as error:  # noqa: BLE001 - who waits for the answer gets it
            self.future.set_exception(error)
        else:
            self.future.set_result(answer)


class AnswerQueue:
    """Computes answers in one thread, so that a model computes one answer at a time.

    The process does not wait for the thread when it ends, as it would for an executor's.

    Parameters
    ----------
    max_waiting : int
        Most jobs that wait, beside the one that is computed.
    """

    def __init__(self, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._waiting: deque[Job] = deque()
        self._changed = Condition()
        self._thread: Thread | None = None
        self._is_computing = False

    def submit(self, compute: Compute) -> Job:
        """Append a job.

        Raises
        ------
        QueueFullError
            If too many jobs are waiting; abandoned ones do not count.
        """
        job = Job(compute)
        with self._changed:
            self._waiting = deque(each for each in self._waiting if not each.future.cancelled())
            if len(self._waiting) + self._is_computing > self._max_waiting:
                raise QueueFullError
            self._waiting.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="augury-serve", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.run()
            del job  # and its request and answer, while the thread waits

    def _next(self) -> Job | None:
        with self._changed:
            self._is_computing = False
            while not self._waiting:
                if not self._changed.wait(_IDLE_SECONDS) and not self._waiting:
                    self._thread = None
                    return None
            self._is_computing = True
            return self._waiting.popleft()


__all__ = ["AnswerQueue", "Compute", "IsAbandoned", "Job", "QueueFullError"]
