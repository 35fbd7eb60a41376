"""Tasks and answers as bytes. An object that cannot be pickled gives an answer with an error."""

import pickle
import traceback
from collections.abc import Iterator
from typing import Any

import cloudpickle  # unlike pickle, it takes classes of __main__ and local functions
from joblib import parallel_config

from augury.workers.tasks import Answer, AnyAnswer, AnyTask, Task, answer_parts


def pack_call(task: AnyTask) -> bytes:
    """Return the function and the parts of a task as bytes."""
    packed: bytes = cloudpickle.dumps((task.function, list(task.parts)))
    return packed


def pack_shared(task: AnyTask) -> bytes:
    """Return the shared object of a task as bytes."""
    packed: bytes = cloudpickle.dumps(task.shared)
    return packed


def answer_call(
    call: bytes, n_parts: int, shared: bytes | None, cache: list[Any]
) -> Iterator[bytes]:
    """Run a task, and yield the answer to each part.

    Parameters
    ----------
    call : bytes
        See `pack_call`.
    n_parts : int
        Number of parts: if the call cannot be read, each of them gets the error.
    shared : bytes or None
        See `pack_shared`; None if it is the same as in the call before.
    cache : list
        Holds the shared object from one call to the next.
    """
    try:
        if shared is not None:
            cache[:] = []
            cache.append(pickle.loads(shared))  # noqa: S301 - a message of our own run
        function, parts = pickle.loads(call)  # noqa: S301 - a message of our own run
    except (Exception, SystemExit):  # noqa: BLE001 - each part gets the traceback
        error = pickle.dumps((None, traceback.format_exc()))
        yield from [error] * n_parts
        return
    # A model that starts joblib workers gets threads: processes would outlive a killed worker.
    with parallel_config(backend="threading"):
        for answer in answer_parts(Task(function, cache[0], parts)):
            yield _pack_answer(answer)


def _pack_answer(answer: AnyAnswer) -> bytes:
    try:
        packed: bytes = cloudpickle.dumps((answer.value, answer.error))
    except Exception:  # noqa: BLE001 - returned with its traceback
        return pickle.dumps((None, traceback.format_exc()))
    return packed


def read_answer(task: AnyTask, part: Any, content: bytes) -> AnyAnswer:
    """Return the answer to a part."""
    try:
        value, error = pickle.loads(content)  # noqa: S301 - a message of our own worker
    except Exception:  # noqa: BLE001 - returned with its traceback
        return Answer(task, part, error=traceback.format_exc())
    return Answer(task, part, value, error)


__all__ = ["answer_call", "pack_call", "pack_shared", "read_answer"]
