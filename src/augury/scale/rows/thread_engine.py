"""Sums over partitions in threads of this process."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from operator import add
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from augury.bases.row_blocks import Block
from augury.memory import release_free_memory
from augury.scale.rows.block_files import BlockFile, read_blocks, write_blocks
from augury.scale.rows.engine import Part, ReadPart
from augury.scale.rows.partition_errors import naming
from augury.scale.rows.progress import PassProgress, Progress
from augury.scale.sources.temporary_folder import TemporaryFolder

T = TypeVar("T")


class ThreadEngine:
    """Threads of this process, each of which reads one partition at a time.

    The sum is computed in the order of the partitions, so it does not depend on the number of
    threads. Only a few partitions are ahead of the sum.

    Parameters
    ----------
    n_threads : int
    folder : Path or None
        Folder for the temporary folder of encoded rows; None is the folder of the system.
    progress : Progress or None
        Receives the progress of each pass.
    """

    def __init__(
        self, n_threads: int, folder: Path | None = None, progress: Progress | None = None
    ) -> None:
        self._n_threads, self._folder = n_threads, folder
        self._progress = PassProgress(progress)
        self._temporary: TemporaryFolder | None = None

    def __enter__(self) -> ThreadEngine:
        # Before any pass: a folder that cannot be used is an error at once.
        self._temporary = TemporaryFolder(self._folder)
        return self

    def __exit__(self, *_: object) -> None:
        if self._temporary is not None:
            self._temporary.remove()
            self._temporary = None

    def total(self, parts: Sequence[Part], function: Callable[[Part], T | None]) -> T | None:
        """Return the sum of a function over the partitions."""
        total: T | None = None
        for found in self._results(parts, partial(_name_errors, function=function)):
            if found is not None:
                total = found if total is None else add(total, found)
        return total

    def keep(self, parts: Sequence[Part], read: ReadPart) -> tuple[Sequence[Part], ReadPart]:
        """Write the blocks to files of a temporary folder."""
        assert self._temporary is not None, "with ThreadEngine(…) as engine"
        write = partial(_write_part, folder=self._temporary.path, read=read)
        files = [file for file in self._results(parts, write) if file is not None]
        return files, read_blocks

    def _results(
        self, parts: Sequence[Part], function: Callable[[Part], T | None]
    ) -> Iterator[T | None]:
        """Yield the results in the order of the partitions, and report the progress."""
        self._progress.begin(parts)
        for part, found in zip(parts, self._compute(parts, function), strict=True):
            self._progress.advance(part)
            yield found

    def _compute(
        self, parts: Sequence[Part], function: Callable[[Part], T | None]
    ) -> Iterator[T | None]:
        if self._n_threads == 1:
            yield from map(partial(_call, function), parts)
            return
        waiting: deque[Future[T | None]] = deque()
        with ThreadPoolExecutor(self._n_threads) as pool:
            try:
                for part in parts:
                    waiting.append(pool.submit(_call, function, part))
                    if len(waiting) > self._n_threads:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()


def _call(function: Callable[[Part], T | None], part: Part) -> T | None:
    found = function(part)
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
    release_free_memory()
    return found


def _name_errors(part: Part, function: Callable[[Part], T | None]) -> T | None:
    with naming(part.name):
        return function(part)


def _write_part(part: Part, folder: Path, read: ReadPart) -> BlockFile | None:
    return write_blocks(folder / f"{uuid4().hex}.arrow", part.name, _read(part, read))


def _read(part: Part, read: ReadPart) -> Iterator[Block]:
    with naming(part.name):
        yield from read(part)


__all__ = ["ThreadEngine"]
