"""Tasks for workers, and the answers to them."""

import signal
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from threadpoolctl import threadpool_limits

Shared = TypeVar("Shared")
Part = TypeVar("Part")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Task(Generic[Shared, Part, Value]):
    """Calls of one function, made by a worker one after another.

    Attributes
    ----------
    function : callable
        Called as `function(shared, part)` for each part.
    shared : object
        First argument of the calls. Consecutive tasks with the same object send it to a worker
        process once.
    parts : sequence
        Second argument of each call.
    label : tuple of str
        Not used by the workers; identifies the task for its caller.
    """

    function: Callable[[Shared, Part], Value]
    shared: Shared
    parts: Sequence[Part]
    label: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Answer(Generic[Shared, Part, Value]):
    """The result of one part of a task, or its error.

    Attributes
    ----------
    task : Task
        The task. It may have fewer parts than the task that was given.
    part : object
        The part.
    value : object
        The return value of the function; None if there is an error.
    error : str or None
        The traceback of an error, or one line that says how the worker process died.
    """

    task: Task[Shared, Part, Value]
    part: Part
    value: Value | None = None
    error: str | None = None


# Workers run tasks of any types.
AnyTask: TypeAlias = Task[Any, Any, Any]
AnyAnswer: TypeAlias = Answer[Any, Any, Any]


class WorkersLostError(RuntimeError):
    """Workers cannot be started or reached: no task is at fault."""


class Workers(Protocol):
    """A context manager that runs tasks, and ends the processes that it started."""

    def run(
        self, tasks: Iterable[Task[Shared, Part, Value]], *, until: float | None = None
    ) -> Iterator[Answer[Shared, Part, Value]]:
        """Yield the answers as they come. Tasks are taken when a worker is free.

        Worker processes of this machine are ended at `until`, a value of `time.monotonic`: the
        parts under way then have no answer. Other workers complete what they have begun.
        """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class OwnProcess:
    """Runs tasks in this process. A part that ends the process ends the run."""

    def __init__(self) -> None:
        self._answers: Generator[AnyAnswer, None, None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._answers is not None:
            self._answers.close()  # restores the number of threads

    def run(self, tasks: Iterable[AnyTask], *, until: float | None = None) -> Iterator[AnyAnswer]:
        """Yield the answers in order; `until` has no effect."""
        self._answers = (answer for task in tasks for answer in answer_parts(task))
        return self._answers


def answer_parts(
    task: Task[Shared, Part, Value],
) -> Generator[Answer[Shared, Part, Value], None, None]:
    """Call the function for each part, with linear algebra on one thread.

    Setting the number of threads takes as long as a small fit, so it is set once for a task.
    """
    with threadpool_limits(limits=1):
        for part in task.parts:
            try:
                value = task.function(task.shared, part)
            except (Exception, SystemExit):  # noqa: BLE001 - the caller gets its traceback
                yield Answer(task, part, error=traceback.format_exc())
            else:
                yield Answer(task, part, value)


def describe_death(return_code: int) -> str:
    """Return how a worker process died, in one line.

    >>> describe_death(-9)
    'the worker process died (signal 9, possibly out of memory)'
    >>> describe_death(-11)
    'the worker process died (signal 11, SIGSEGV)'
    >>> describe_death(3)
    'the worker process died (exit code 3)'
    """
    if return_code >= 0:
        reason = f"exit code {return_code}"
    elif return_code == -9:
        reason = "signal 9, possibly out of memory"
    else:
        try:
            reason = f"signal {-return_code}, {signal.Signals(-return_code).name}"
        except ValueError:  # a real-time signal has no name
            reason = f"signal {-return_code}"
    return f"the worker process died ({reason})"


__all__ = [
    "Answer",
    "AnyAnswer",
    "AnyTask",
    "OwnProcess",
    "Task",
    "Workers",
    "WorkersLostError",
    "answer_parts",
    "describe_death",
]
