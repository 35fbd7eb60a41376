"""Progress of passes over the rows of a table: rows, rate and time left."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import TextIO

from augury.cli.terminal.live_table import format_seconds

_EVERY_ON_TERMINAL = 0.2  # seconds between two drawings of the line
_EVERY_IN_FILE = 10.0  # seconds between two lines in a file or pipe


class RowProgress:
    r"""One line of progress, which is redrawn on a terminal; see `augury.scale.rows.progress`.

    In a file or pipe there is a new line every 10 seconds.

    Parameters
    ----------
    stream : text stream
    is_terminal : bool
    clock : function that returns seconds

    Examples
    --------
    >>> import io
    >>> seconds = iter([0.0, 12.0])
    >>> stream = io.StringIO()
    >>> progress = RowProgress(stream, is_terminal=False, clock=lambda: next(seconds))
    >>> progress.begin("predicting", 4, 2_000_000)
    >>> progress.advance(1, 1_200_000)
    >>> stream.getvalue()
    'predicting: 1.2 of 2.0 million rows, 100,000 rows/s, 8 s left\n'
    """

    def __init__(
        self, stream: TextIO, *, is_terminal: bool, clock: Callable[[], float] = monotonic
    ) -> None:
        self._stream, self._is_terminal, self._clock = stream, is_terminal, clock
        self._every = _EVERY_ON_TERMINAL if is_terminal else _EVERY_IN_FILE
        self._width = 0  # of the line on the terminal
        self._drawn_at: float | None = None
        self.begin("", 0, None)

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        """Begin a pass over partitions."""
        self._task, self._n_partitions, self._n_rows = task, n_partitions, n_rows
        self._done, self._rows = 0, 0
        self._start = self._clock() if task else 0.0
        if self._drawn_at is None and task:
            self._drawn_at = self._start

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        """Count partitions and rows, and draw if the last drawing is old enough."""
        self._done += n_partitions
        self._rows += n_rows or 0
        now = self._clock()
        if self._drawn_at is None or now - self._drawn_at >= self._every:
            self._drawn_at = now
            self._draw(self.line(now - self._start))

    def line(self, seconds: float) -> str:
        """Return the line after so many seconds of the pass."""
        if self._rows:
            of = "" if self._n_rows is None else f"of {_count(self._n_rows)} "
            text = f"{_count(self._rows, self._n_rows)} {of}{_unit(self._n_rows or self._rows)}rows"
        else:
            text = f"{self._done} of {self._n_partitions} parts"
        if seconds <= 0:
            return f"{self._task}: {text}"
        if self._rows:
            text += f", {self._rows / seconds:,.0f} rows/s"
        share = self._share()
        if 0 < share <= 1:
            text += f", {format_seconds(seconds * (1 - share) / share)} left"
        return f"{self._task}: {text}"

    def finish(self) -> None:
        """Clear the line on a terminal, so that the next output begins there."""
        if self._width:
            self._write(f"\r{' ' * self._width}\r")
            self._width = 0

    def _share(self) -> float:
        """Return the share of the pass that is done."""
        if self._n_rows and self._rows:
            return self._rows / self._n_rows
        return self._done / self._n_partitions if self._n_partitions else 0.0

    def _draw(self, line: str) -> None:
        if self._is_terminal:
            self._write(f"\r{line:<{self._width}}")
            self._width = len(line)
        else:
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        with suppress(OSError):  # the terminal may be closed; the run goes on
            self._stream.write(text)
            self._stream.flush()


def _count(n_rows: int, of: int | None = None) -> str:
    """Return a number of rows, in millions if it or the number that it is a part of is large."""
    return f"{n_rows / 1e6:,.1f}" if (of or n_rows) >= 1e6 else f"{n_rows:,}"


def _unit(n_rows: int) -> str:
    return "million " if n_rows >= 1e6 else ""


@contextmanager
def row_progress() -> Iterator[RowProgress]:
    """Show progress on standard error."""
    progress = RowProgress(sys.stderr, is_terminal=sys.stderr.isatty())
    try:
        yield progress
    finally:
        progress.finish()


__all__ = ["RowProgress", "row_progress"]
