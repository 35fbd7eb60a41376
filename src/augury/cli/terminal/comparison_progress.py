"""Progress of a comparison: the results of each model as soon as they are known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Self, TextIO

from augury.cli.terminal.live_table import format_seconds
from augury.comparison.listener import ComparisonListener

if TYPE_CHECKING:
    from augury.comparison.listener import ModelScore

_EVERY = 0.5  # seconds between two drawings of the line on a terminal
_EVERY_WHEN_PIPED = 10.0
_ERASE = "\r\x1b[K"
_WIDTH = 80
# A task that is expected to take less is shown without the expected time.
_SHORT = 2.0


@dataclass(slots=True)
class _Running:
    """Folds of a model that a worker has, or will have next."""

    model: str
    n_left: int
    seconds: float | None
    start: float | None = None


class ComparisonProgress(ComparisonListener):
    """Lines about the folds of a comparison.

    A line is written when a model has completed its folds of the first runs, or its first fold of a
    large table. In between a terminal shows a line that is redrawn: the counts, and what is under
    way for how long. Other streams get such a line if ten seconds pass without another.

    Parameters
    ----------
    n_workers : int
        Number of folds that run at a time.
    models : sequence of str
        Names of the models.
    n_folds : int
        Folds of each model in the first runs.
    stream : text stream, default=None
        By default standard error.
    clock : callable, default=time.monotonic
        Returns seconds.

    Examples
    --------
    >>> import io
    >>> seconds = iter([0.0, 0.0, 5.0])
    >>> progress = ComparisonProgress(2, ["nb"], 10, io.StringIO(), lambda: next(seconds))
    >>> progress.expect(10)
    >>> progress.begin("nb", 1, 30.0)
    >>> progress.describe()
    '0 of 10 folds, 5 s; nb for 5 s of about 30 s'
    """

    def __init__(
        self,
        n_workers: int,
        models: Sequence[str],
        n_folds: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_terminal = self._stream.isatty()
        self._clock = clock
        self._n_workers, self._n_folds = n_workers, n_folds
        self._total = self._n_done = self._n_failed = 0
        self._width = max(map(len, models))
        self._running: list[_Running] = []
        self._task: _Running | None = None
        self._lock = RLock()
        self._stopped = Event()
        self._start = self._written_at = clock()

    def __enter__(self) -> Self:
        Thread(target=self._tick, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        with self._lock:
            if self._is_terminal:
                self._write(_ERASE)

    def expect(self, n_folds: int) -> None:
        """Count folds that are to be run."""
        with self._lock:
            self._total = self._n_done + n_folds
            self._task = None
            self._running.clear()  # of folds that were ended

    def begin(self, model: str, n_folds: int, seconds: float | None) -> None:
        """Show folds of a model as soon as a worker is free for them."""
        with self._lock:
            self._running.append(_Running(model, n_folds, seconds))
            self._start_waiting()

    def end(self, model: str, *, has_failed: bool) -> None:
        """Count a fold."""
        with self._lock:
            self._n_done += 1
            self._n_failed += has_failed
            for each in self._running:
                if each.model == model:
                    each.n_left -= 1
                    break
            self._running = [each for each in self._running if each.n_left > 0]
            self._start_waiting()

    def show(self, score: ModelScore) -> None:
        """Write the score of a model."""
        loss = "" if score.log_loss is None else f"  log loss {score.log_loss:.3f}"
        first = "first fold, " if score.n_folds == 1 < self._n_folds else ""
        with self._lock:
            when = f"({first}{format_seconds(self._clock() - self._start)})"
            self._write_line(f"{score.model:<{self._width}}  {score.score}{loss}  {when}")

    def announce(self, n_runs: int, models: Sequence[str]) -> None:
        """Write that the models that are still tied are tested once more."""
        with self._lock:
            self._n_done = 0
            self._write_line(f"Run {n_runs}: the {len(models)} models that are still tied")

    def say(self, sentence: str) -> None:
        """Write a sentence."""
        with self._lock:
            self._write_line(sentence)

    def work_on(self, task: str, seconds: float | None = None) -> None:
        """Show a task that is not a fold."""
        with self._lock:
            self._running.clear()
            self._task = _Running(task, 1, seconds, self._clock())
            if seconds is not None and seconds > _EVERY_WHEN_PIPED:
                self._write_line(f"{task}, about {format_seconds(seconds)}")

    def describe(self) -> str:
        """Return the counts, and what is under way."""
        now = self._clock()
        elapsed = format_seconds(now - self._start)
        if self._task is not None:
            return f"{elapsed}; {_describe(self._task, now)}"
        failed = f", {self._n_failed} failed" if self._n_failed else ""
        text = f"{self._n_done} of {self._total} folds{failed}, {elapsed}"
        under_way = [_describe(each, now) for each in self._running if each.start is not None]
        return "; ".join([text, ", ".join(under_way)] if under_way else [text])

    def _start_waiting(self) -> None:
        for each in self._running[: self._n_workers]:
            if each.start is None:
                each.start = self._clock()

    def _tick(self) -> None:
        while not self._stopped.wait(_EVERY):
            self.refresh()

    def refresh(self) -> None:
        """Write the counts and what is under way, if the last line is old enough."""
        every = _EVERY if self._is_terminal else _EVERY_WHEN_PIPED
        with self._lock:
            if self._stopped.is_set() or self._clock() - self._written_at < every:
                return
            text = self.describe()
            self._write(f"{_ERASE}{text[: _WIDTH - 1]}" if self._is_terminal else f"{text}\n")
            self._written_at = self._clock()

    def _write_line(self, text: str) -> None:
        self._write(f"{_ERASE if self._is_terminal else ''}{text}\n")
        self._written_at = self._clock()

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the stream may be closed; the run goes on
            self._stream.write(text)
            self._stream.flush()


def _describe(each: _Running, now: float) -> str:
    start = now if each.start is None else each.start
    text = f"{each.model} for {format_seconds(now - start)}"
    if each.seconds is not None and each.seconds >= _SHORT:
        text += f" of about {format_seconds(each.seconds)}"
    return text


__all__ = ["ComparisonProgress"]
