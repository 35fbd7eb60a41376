"""Stop a run on Ctrl-C or a signal: soon, without a traceback, and with what to do next."""

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

import click

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
# Seconds until the process ends even if something keeps it, such as a locked file. Nothing is
# lost: rows are written in transactions, and claims and workers end with the process.
_PATIENCE = 2.0


class StoppableRun:
    """A run that signals may stop.

    Attributes
    ----------
    folder : path or None
        Where the rows are kept; None as long as there is no such folder.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.signals: list[int] = []
        self.signal: int | None = None
        self._once = threading.Lock()

    def on_signal(self, number: int, _: FrameType | None) -> None:
        """Stop the main thread where it is; signals after the first change nothing."""
        if self.signal is None:
            self.signal = number
            raise KeyboardInterrupt

    def watch(self, stream: int) -> None:
        """Wait for a signal, and end the process if it does not end by itself.

        The bytes come from Python's low-level handler, also while the main thread is in
        compiled code.
        """
        with os.fdopen(stream, "rb", buffering=0) as numbers:
            while number := numbers.read(1):
                if number[0] in self.signals:
                    sleep(_PATIENCE)
                    self.end(number[0])

    def end(self, number: int) -> Never:
        """Say what is done and how to continue, and end the process."""
        if not self._once.acquire(blocking=False):
            sleep(_PATIENCE)  # the other thread says it
            os._exit(128 + number)
        # The terminal may be gone, or the store locked; the process ends all the same.
        with suppress(Exception):
            name = signal.Signals(number).name
            click.echo(f"Stopped by {name}. {self._describe()}", err=True)
            click.echo(f"To continue, run: {_command_line()}", err=True)
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        # Not sys.exit: it would wait for threads of libraries.
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
    """Let SIGINT, SIGTERM and SIGHUP stop what is inside, with exit code 128 + the signal."""
    run = StoppableRun()
    if threading.current_thread() is not threading.main_thread():
        yield run  # only the main thread can be told of signals
        return
    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    # What is ignored stays ignored: that is what nohup does.
    run.signals = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    receiver, sender = os.pipe()
    os.set_blocking(sender, False)
    threading.Thread(target=run.watch, args=(receiver,), daemon=True).start()
    wakeup = signal.set_wakeup_fd(sender, warn_on_full_buffer=False)
    before = {number: signal.signal(number, run.on_signal) for number in run.signals}
    try:
        yield run
    except BaseException:
        # Whatever it is, it comes from being stopped.
        if run.signal is not None:
            run.end(run.signal)
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(wakeup)
        os.close(sender)  # ends the thread


def _command_line() -> str:
    """Return the command that was given, as a shell takes it."""
    found = shutil.which("augury")
    if found is not None and Path(sys.argv[0]).resolve() == Path(found).resolve():
        return shlex.join(["augury", *sys.argv[1:]])
    return shlex.join(sys.orig_argv)


__all__ = ["StoppableRun", "stoppable"]
