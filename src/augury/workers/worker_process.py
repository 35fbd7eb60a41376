"""The program of a worker process: it answers tasks until its standard input ends.

The standard input ends when the run closes it or dies, for whatever reason. A thread reads it from
the start, so that no worker outlives its run, not even one that is still importing modules.
"""

import os
import pickle
import signal
from queue import Queue
from threading import Thread
from typing import IO, Any

from augury.workers.frames import ANSWER, READY, SHARED, TASK, read_frame, write_frame

Inbox = Queue[tuple[bytes, bytes] | None]


def serve() -> None:
    """Answer tasks from standard input on standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run handles Ctrl-C, and ends its workers
    requests, answers = _take_streams()
    try:
        _serve(requests, answers)
    except BrokenPipeError:  # the run is dead
        _end_group()


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    inbox: Inbox = Queue()
    Thread(target=_listen, args=(requests, inbox), daemon=True).start()
    write_frame(answers, READY)
    shared: bytes | None = None
    cache: list[Any] = []
    while (request := inbox.get()) is not None:
        kind, content = request
        if kind == SHARED:
            shared = content
        elif kind == TASK:
            from augury.workers.messages import answer_call  # only now: it is slow to import

            n_parts, call = pickle.loads(content)  # noqa: S301 - our own run's message
            for answer in answer_call(call, n_parts, shared, cache):
                write_frame(answers, ANSWER, answer)
            shared = None
        inbox.task_done()


def _take_streams() -> tuple[IO[bytes], IO[bytes]]:
    """Keep standard input and output for messages; output of a model goes to standard error."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def _listen(requests: IO[bytes], inbox: Inbox) -> None:
    while (request := read_frame(requests)) is not None:
        inbox.put(request)
    if inbox.unfinished_tasks:
        _end_group()
    inbox.put(None)


def _end_group() -> None:
    """End this process, and the processes that a model started in it, at once."""
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


__all__ = ["serve"]
