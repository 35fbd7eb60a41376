"""Stopping a run by Ctrl-C or a signal, with a message that says how to continue."""

import os
import shlex
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from types import FrameType
from typing import Never

from augury.cli.terminal.echo import echo

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
# Seconds until the process is ended if it does not end by itself, for example because a file is
# locked. No row is lost: rows are written in transactions. Claims and workers end with the
# process.
_PATIENCE = 2.0


class StoppableRun:
    """A run that signals can stop.

    Attributes
    ----------
    folder : path or None
        Folder of the rows; None if there is none yet.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.signals: list[int] = []
        self.signal: int | None = None
        self._once = threading.Lock()

    def on_signal(self, number: int, _: FrameType | None) -> None:
        """Raise KeyboardInterrupt in the main thread; signals after the first have no effect."""
        if self.signal is None:
            self.signal = number
            raise KeyboardInterrupt

    def watch(self, stream: int) -> None:
        """Wait for a signal, and end the process if it does not end by itself.

        Python's low-level handler writes the bytes, also while the main thread runs compiled
        code.
        """
        with os.fdopen(stream, "rb", buffering=0) as numbers:
            while number := numbers.read(1):
                if number[0] in self.signals:
                    sleep(_PATIENCE)
                    self.end(number[0])

    def end(self, number: int) -> Never:
        """Print what is done and how to continue, and end the process."""
        if not self._once.acquire(blocking=False):
            sleep(_PATIENCE)  # the other thread prints it
            os._exit(128 + number)
        # The process ends even if the terminal is closed or the store is locked.
        with suppress(Exception):
            name = signal.Signals(number).name
            echo(f"Stopped by {name}. {self._describe()}", err=True)
            echo(f"To continue, run: {_command_line()}", err=True)
        with suppress(Exception):  # as above
            sys.stdout.flush()
            sys.stderr.flush()
        # sys.exit would wait for threads of libraries.
        os._exit(128 + number)

    def _describe(self) -> str:
        if self.folder is None:
            return "Nothing is kept."
        from augury.errors import StoreError
        from augury.experiments.store.stored_results import StoredResults

        try:
            with StoredResults(self.folder) as stored:
                n_done, n_failed = stored.count("done"), stored.count("failed")
        except StoreError:  # stopped before there were tables
            n_done = n_failed = 0
        failed = f" ({n_failed} more failed)" if n_failed else ""
        return f"{n_done} folds are done and kept in {self.folder}{failed}."


@contextmanager
def stoppable() -> Iterator[StoppableRun]:
    """Let SIGINT, SIGTERM and SIGHUP stop the block, with exit code 128 + the signal."""
    run = StoppableRun()
    if threading.current_thread() is not threading.main_thread():
        yield run  # only the main thread gets signals
        return
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    # Ignored signals stay ignored, as nohup wants it.
    run.signals = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    threading.Thread(target=run.watch, args=(receiver,), daemon=True).start()
    wakeup = signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
    before = {number: signal.signal(number, run.on_signal) for number in run.signals}
    try:
        yield run
    except BaseException:
        # After a signal, any error is a consequence of the stop.
        if run.signal is not None:
            run.end(run.signal)
        raise
    else:
        # The exception may have been raised where a library ignores it.
        if run.signal is not None:
            run.end(run.signal)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(sender)  # ends the thread


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block like an error, so that it removes temporary files.

    The exit code is 128 + the signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
        return
    numbers = [getattr(signal, name) for name in _SIGNALS[1:] if hasattr(signal, name)]
    # Ignored signals stay ignored, as nohup wants it.
    numbers = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, _exit) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(number: int, _: FrameType | None) -> Never:
    raise SystemExit(128 + number)


def _command_line() -> str:
    """Return the command line of this process, quoted for a shell."""
    found = shutil.which("augury")
    if found is not None and Path(sys.argv[0]).resolve() == Path(found).resolve():
        return shlex.join(["augury", *sys.argv[1:]])
    return shlex.join(sys.orig_argv)


__all__ = ["StoppableRun", "ending_cleanly", "stoppable"]
