"""Progress of a run on a terminal: folds of each data set, rate and time left."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from augury.evaluate import FoldResult
    from augury.experiments.store.stored_results import Failure

_EVERY = 0.2  # seconds between two redraws
_MAX_LINES = 8
_BAR = 24


class LiveTable:
    """A table of progress that is redrawn in place.

    Parameters
    ----------
    totals : mapping from data set to number of folds
        The folds of all models.
    stream : text stream
        A terminal.

    Examples
    --------
    >>> import io
    >>> table = LiveTable({"iris": 20}, io.StringIO())
    >>> print(table.lines(10.0)[0])
    0 of 20 folds
    """

    def __init__(self, totals: Mapping[str, int], stream: TextIO) -> None:
        self._totals = dict(totals)
        self._stream = stream
        self._done = dict.fromkeys(totals, 0)
        self._before = dict.fromkeys(totals, 0)
        self._failed = 0
        self._start = monotonic()
        self._drawn_at = -_EVERY
        self._n_drawn = 0

    def skip(self, dataset: str, n_folds: int) -> None:
        """Count folds that the store had before the run."""
        self._before[dataset] += n_folds

    def update(self, rows: Sequence["FoldResult | Failure"]) -> None:
        """Count rows, and draw if the last drawing is old enough."""
        for row in rows:
            self._done[row.dataset] += 1
            self._failed += hasattr(row, "traceback")
        now = monotonic() - self._start
        if now - self._drawn_at >= _EVERY:
            self.draw(now)

    def finish(self) -> None:
        """Draw the final state."""
        self.draw(monotonic() - self._start)

    def draw(self, seconds: float) -> None:
        """Draw the table over the former one."""
        lines = self.lines(seconds)
        back = f"\x1b[{self._n_drawn}F\x1b[J" if self._n_drawn else ""
        with suppress(OSError):  # the terminal may be closed; the run goes on
            self._stream.write(back + "".join(f"{line}\n" for line in lines))
            self._stream.flush()
        self._drawn_at, self._n_drawn = seconds, len(lines)

    def lines(self, seconds: float) -> list[str]:
        """Return the table after so many seconds: the total, then incomplete data sets."""
        n_new, n_before = sum(self._done.values()), sum(self._before.values())
        total = sum(self._totals.values())
        head = f"{n_before + n_new} of {total} folds"
        if n_new and seconds > 0:
            left = (total - n_before - n_new) * seconds / n_new
            head += f", {n_new / seconds:.1f} a second, {format_seconds(left)} left"
        if self._failed:
            head += f", {self._failed} failed"
        width = max(map(len, self._totals), default=0)
        lines = [head]
        for name, n_folds in self._totals.items():
            there = self._done[name] + self._before[name]
            if 0 < there < n_folds:
                full = "█" * (_BAR * there // n_folds)
                lines.append(f"  {name:<{width}}  {full:·<{_BAR}}  {there}/{n_folds}")
        return lines[: 1 + _MAX_LINES]


def format_seconds(seconds: float) -> str:
    """Return a duration in seconds, minutes or hours.

    >>> format_seconds(7.2), format_seconds(187), format_seconds(7300)
    ('7 s', '3 min 7 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


__all__ = ["LiveTable", "format_seconds"]
