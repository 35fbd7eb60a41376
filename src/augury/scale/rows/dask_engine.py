"""Sums over partitions on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial, reduce
from operator import add
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import cloudpickle

from augury.bases.row_blocks import Block
from augury.scale.rows.engine import Part, ReadPart
from augury.scale.rows.progress import PassProgress, Progress

T = TypeVar("T")

# Number of sums that one task adds.
_FAN_IN = 8
_POLL_SECONDS = 0.2


class DaskEngine:
    """Workers of a Dask cluster, each of which reads its own partitions.

    Sums are added in a tree on the workers, in the order of the partitions. The client receives
    one sum, so the number of bytes does not grow with the rows. Encoded blocks are kept in the
    memory of the workers, which Dask writes to disk if it is full. If a worker dies, Dask
    computes its partitions again.

    Parameters
    ----------
    client : distributed.Client
    progress : Progress or None
        Receives the progress of each pass.
    """

    def __init__(self, client: Any, progress: Progress | None = None) -> None:
        self._client = client
        self._progress = PassProgress(progress)

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: futures that are not referenced any more are released by Dask."""

    def total(self, parts: Sequence[Part], function: Callable[[Part], T | None]) -> T | None:
        """Return the sum of a function over the partitions."""
        packed = self._client.scatter(cloudpickle.dumps(function), hash=False)
        sums = self._client.map(_call, parts, function=packed, pure=False)
        self._progress.begin(parts)
        done = self._note_done(parts, sums) if self._progress.is_wanted else None
        while len(sums) > 1:
            groups = [sums[k : k + _FAN_IN] for k in range(0, len(sums), _FAN_IN)]
            sums = [self._client.submit(_add, group, pure=False) for group in groups]
        if done is not None:
            self._report(done, sums[0])
        # Arrays that Dask has received may be unaligned; those of a copy are not.
        total: T | None = _copy(sums[0].result())
        return total

    def _note_done(self, parts: Sequence[Part], futures: Sequence[Any]) -> SimpleQueue[Part]:
        """Return a queue that receives each partition when its future is done."""
        done: SimpleQueue[Part] = SimpleQueue()
        for part, future in zip(parts, futures, strict=True):
            future.add_done_callback(partial(_put, done=done, part=part))
        return done

    def _report(self, done: SimpleQueue[Part], last: Any) -> None:
        """Report partitions until the last sum is done."""
        while not last.done() or not done.empty():
            with suppress(Empty):
                self._progress.advance(done.get(timeout=_POLL_SECONDS))

    def blocks(self, parts: Sequence[Part], read: ReadPart) -> Iterator[Block]:
        """Yield the blocks of all partitions, one partition at a time in memory."""
        for part in parts:
            packed = cloudpickle.dumps(read)
            yield from self._client.submit(_load, part, packed, pure=False).result()

    def keep(self, parts: Sequence[Part], read: ReadPart) -> tuple[Sequence[Part], ReadPart]:
        """Keep the blocks in the memory of the workers."""
        packed = self._client.scatter(cloudpickle.dumps(read), hash=False)
        return self._client.map(_load, parts, read=packed, pure=False), iter


def _put(_: Any, done: SimpleQueue[Part], part: Part) -> None:
    done.put(part)


def _copy(found: T) -> T:
    copied: T = pickle.loads(pickle.dumps(found))  # noqa: S301 (made in this line)
    return copied


def _call(part: Part, function: bytes) -> Any:
    return pickle.loads(function)(part)  # noqa: S301 (from the client of this cluster)


def _load(part: Part, read: bytes) -> list[Block]:
    return list(pickle.loads(read)(part))  # noqa: S301 (from the client of this cluster)


def _add(sums: Sequence[T | None]) -> T | None:
    found: list[Any] = [each for each in sums if each is not None]
    return reduce(add, found) if found else None


__all__ = ["DaskEngine"]
