"""Progress of passes over the rows of a source."""

from collections.abc import Sequence
from typing import Any, Protocol


class Progress(Protocol):
    """Receives the progress of passes over partitions.

    All methods are called by the thread that called `fit` or `predict`.
    """

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        """Begin a pass.

        Parameters
        ----------
        task : what the pass does, such as "predicting"
        n_partitions : number of partitions of the pass
        n_rows : number of its rows; None if it is not known before reading
        """

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        """Report partitions and rows that are done.

        Parameters
        ----------
        n_partitions : number of partitions that are complete since the call before
        n_rows : number of rows that were read since the call before; None if it is not known
        """


class NoProgress:
    """Progress that nobody wants to see."""

    def begin(self, task: str, n_partitions: int, n_rows: int | None) -> None:
        """Do nothing."""

    def advance(self, n_partitions: int, n_rows: int | None) -> None:
        """Do nothing."""


class PassProgress:
    """Numbers the passes of an engine, and reports the rows of their partitions.

    A pass over one partition is not reported: it begins and ends at once, or reads a few rows.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = NoProgress() if progress is None else progress
        self._n_passes = 0
        self._is_reported = False

    @property
    def is_wanted(self) -> bool:
        """Whether somebody wants to see the progress of the present pass."""
        return self._is_reported and not isinstance(self._progress, NoProgress)

    def begin(self, parts: Sequence[Any]) -> None:
        """Begin a pass over partitions."""
        self._is_reported = len(parts) > 1
        if self._is_reported:
            self._n_passes += 1
            counts = [rows_of(part) for part in parts]
            known = [n_rows for n_rows in counts if n_rows is not None]
            n_rows = sum(known) if len(known) == len(counts) else None
            self._progress.begin(f"pass {self._n_passes}", len(parts), n_rows)

    def advance(self, part: Any) -> None:
        """Report that a partition is complete."""
        if self._is_reported:
            self._progress.advance(1, rows_of(part))


def rows_of(part: Any) -> int | None:
    """Return the number of rows of a partition or a numbered partition; None if unknown."""
    while isinstance(part, tuple):
        part = part[1]
    n_rows: int | None = getattr(part, "n_rows", None)
    return n_rows


__all__ = ["NoProgress", "PassProgress", "Progress", "rows_of"]
