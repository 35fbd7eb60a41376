"""Progress of a comparison: the results of each model as soon as they are known."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from statistics import fmean
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from augury.cli.terminal.live_table import format_seconds

if TYPE_CHECKING:
    from augury.evaluate import FoldResult
    from augury.experiments.store.stored_results import Failure

_EVERY = 0.2  # seconds between two drawings of the line on a terminal
_EVERY_WHEN_PIPED = 10.0
_ERASE = "\r\x1b[K"


class ComparisonProgress:
    """Lines about the folds of a comparison.

    A line is written when a model has completed its folds of the first runs. In between a terminal
    shows a line with counts that is redrawn; other streams get such a line every ten seconds.

    Parameters
    ----------
    n_folds : int
        Folds of each model in the first runs.
    models : sequence of str
        Names of the models.
    before : sequence of FoldResult
        Folds that the store has already.
    stream : text stream, default=None
        By default standard error.

    Examples
    --------
    >>> import io
    >>> progress = ComparisonProgress(10, ["nb", "lr"], [], io.StringIO())
    >>> progress.describe(2.0)
    '0 of 20 folds, 2 s'
    """

    def __init__(
        self,
        n_folds: int,
        models: Sequence[str],
        before: Sequence[FoldResult],
        stream: TextIO | None = None,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_terminal = self._stream.isatty()
        self._n_folds, self._total = n_folds, n_folds * len(models)
        self._n_done, self._n_failed = len(before), 0
        self._width = max(map(len, models))
        self._rows: dict[str, list[FoldResult]] = {}
        for row in before:
            self._rows.setdefault(row.model, []).append(row)
        self._start = self._written_at = monotonic()

    def update(self, rows: Sequence[FoldResult | Failure]) -> None:
        """Count rows, and write a line for each model that has all its folds."""
        for row in rows:
            self._n_done += 1
            if hasattr(row, "traceback"):
                self._n_failed += 1
                continue
            known = self._rows.setdefault(row.model, [])
            known.append(row)
            if len(known) == self._n_folds:
                self._write_line(self._describe_model(row.model))
        now = monotonic()
        if now - self._written_at >= (_EVERY if self._is_terminal else _EVERY_WHEN_PIPED):
            self._write_count(now)

    def announce(self, n_runs: int, models: Sequence[str]) -> None:
        """Write that the models that are still tied are tested once more."""
        self._n_done, self._total = 0, self._n_folds * len(models)
        tied = f"the {len(models)} models that are still tied"
        self._write_line(f"Run {n_runs}: {tied}")

    def finish(self) -> None:
        """Erase the line with counts."""
        if self._is_terminal:
            self._write(_ERASE)

    def describe(self, seconds: float) -> str:
        """Return the counts after so many seconds."""
        failed = f", {self._n_failed} failed" if self._n_failed else ""
        return f"{self._n_done} of {self._total} folds{failed}, {format_seconds(seconds)}"

    def _describe_model(self, model: str) -> str:
        rows = self._rows[model]
        accuracy = 100.0 * fmean(row.accuracy for row in rows)
        loss = fmean(row.log_loss for row in rows)
        losses = f"  log loss {loss:.3f}" if loss == loss else ""  # a NaN is unequal to itself
        seconds = format_seconds(monotonic() - self._start)
        return f"{model:<{self._width}}  accuracy {accuracy:5.1f} %{losses}  ({seconds})"

    def _write_count(self, now: float) -> None:
        text = self.describe(now - self._start)
        self._write(f"{_ERASE}{text}" if self._is_terminal else f"{text}\n")
        self._written_at = now

    def _write_line(self, text: str) -> None:
        self._write(f"{_ERASE if self._is_terminal else ''}{text}\n")
        self._written_at = monotonic()

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError):  # the stream may be closed; the run goes on
            self._stream.write(text)
            self._stream.flush()


__all__ = ["ComparisonProgress"]
