"""Pieces that threads make of partitions, in the order of the partitions and in bounded memory."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Generic, TypeVar

P = TypeVar("P")
T = TypeVar("T")

# Bytes of finished pieces that a partition may have waiting.
WAITING_BYTES = 1 << 25


@dataclass
class _Waiting(Generic[T]):
    """Finished pieces of a partition that have not been asked for yet."""

    pieces: deque[tuple[T, int]] = field(default_factory=deque)
    n_bytes: int = 0
    is_complete: bool = False
    error: BaseException | None = None


class PiecesInOrder(Generic[P, T]):
    """Calls a function for each partition in threads, and yields the pieces in order.

    A thread works on one partition at a time, and waits if the finished pieces of its partition
    take more than `waiting_bytes` of memory. At most one more partition than there are threads is
    begun and not yet yielded. If a partition raises an error, the pieces before it are yielded, and
    the error is raised. `close` ends the threads: each completes the piece that it works on.

    Parameters
    ----------
    partitions : sequence
    function : function from a partition to an iterator of pieces
    size : function from a piece to its bytes
    n_threads : int
        With 1, the thread that iterates does the work.
    waiting_bytes : int

    Examples
    --------
    >>> from contextlib import closing
    >>> pieces = PiecesInOrder([3, 1, 2], lambda n: iter(n * [n]), lambda piece: 1, n_threads=2)
    >>> with closing(pieces):
    ...     list(pieces)
    [(0, 3), (0, 3), (0, 3), (1, 1), (2, 2), (2, 2)]
    """

    def __init__(
        self,
        partitions: Sequence[P],
        function: Callable[[P], Iterator[T]],
        size: Callable[[T], int],
        n_threads: int,
        waiting_bytes: int = WAITING_BYTES,
    ) -> None:
        self._partitions, self._function, self._size = partitions, function, size
        self._limit, self._ahead = waiting_bytes, n_threads + 1
        self._waiting: dict[int, _Waiting[T]] = {}
        self._next, self._head, self._is_closed = 0, 0, False
        self._changed = Condition()
        n_threads = min(n_threads, len(partitions)) if n_threads > 1 else 0
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(n_threads)]

    def __iter__(self) -> Iterator[tuple[int, T]]:
        """Yield the number of the partition and the piece."""
        if not self._threads:
            for number, partition in enumerate(self._partitions):
                yield from ((number, piece) for piece in self._function(partition))
            return
        for thread in self._threads:
            thread.start()
        for number in range(len(self._partitions)):
            while (piece := self._take(number)) is not None:
                yield number, piece[0]

    def close(self) -> None:
        """End the threads, and wait for their end."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _take(self, number: int) -> tuple[T, int] | None:
        """Wait for the next piece of a partition; None if there are no more."""
        with self._changed:
            while True:
                waiting = self._waiting.get(number)
                if waiting is not None and waiting.pieces:
                    piece = waiting.pieces.popleft()
                    waiting.n_bytes -= piece[1]
                    self._changed.notify_all()
                    return piece
                if waiting is not None and waiting.is_complete:
                    del self._waiting[number]
                    self._head = number + 1
                    self._changed.notify_all()
                    if waiting.error is not None:
                        raise waiting.error
                    return None
                self._changed.wait()

    def _work(self) -> None:
        while (begun := self._begin()) is not None:
            number, waiting = begun
            error: BaseException | None = None
            try:
                for piece in self._function(self._partitions[number]):
                    if not self._put(waiting, piece):
                        return
            except BaseException as caught:  # noqa: BLE001 - raised by the thread that iterates
                error = caught
            with self._changed:
                waiting.is_complete, waiting.error = True, error
                self._changed.notify_all()
            if error is not None:
                return

    def _begin(self) -> tuple[int, _Waiting[T]] | None:
        """Wait until the next partition may begin; None if there is none."""
        with self._changed:
            while not self._is_closed and self._next < len(self._partitions):
                if self._next < self._head + self._ahead:
                    number, self._next = self._next, self._next + 1
                    self._waiting[number] = _Waiting()
                    return number, self._waiting[number]
                self._changed.wait()
            return None

    def _put(self, waiting: _Waiting[T], piece: T) -> bool:
        """Wait until there is room for a piece; False if the pieces are not wanted any more."""
        n_bytes = self._size(piece)
        with self._changed:
            while not self._is_closed and waiting.pieces and waiting.n_bytes >= self._limit:
                self._changed.wait()
            if self._is_closed:
                return False
            waiting.pieces.append((piece, n_bytes))
            waiting.n_bytes += n_bytes
            self._changed.notify_all()
            return True


__all__ = ["WAITING_BYTES", "PiecesInOrder"]
