"""Progress of passes over the rows of a source."""

from typing import Protocol


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


__all__ = ["NoProgress", "Progress"]
