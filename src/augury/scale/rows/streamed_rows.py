"""Blocks of rows that are read from partitions when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from operator import add
from typing import Generic, TypeVar

from augury.bases.row_blocks import Block, RowBlocks
from augury.data.errors import DataError
from augury.scale.rows.engine import Engine, Part, ReadPart

T = TypeVar("T")

NO_ROWS = "the source has no row with a class and a weight above zero"


class StreamedRows(RowBlocks):
    """Blocks that are read from partitions; an engine computes the sums.

    Parameters
    ----------
    engine : Engine
    parts : the partitions
    read : function from a partition to its blocks
    keep_after : int or None
        Number of passes after which the engine keeps the blocks: 0 if many passes will follow, 1
        if most models need one, None if the blocks are not `(CategoricalTable, y, weight)`.
    """

    def __init__(
        self,
        engine: Engine,
        parts: Sequence[Part],
        read: ReadPart,
        *,
        keep_after: int | None = None,
    ) -> None:
        self._engine, self._parts, self._read = engine, parts, read
        self._keep_after, self._n_passes = keep_after, 0

    def total(self, function: Callable[..., T]) -> T:
        """Return the sum of a function over the blocks."""
        self._count_pass()
        work = partial(sum_of_part, read=self._read, function=function)
        total = self._engine.total(self._parts, work)
        if total is None:
            raise DataError(NO_ROWS)
        return total

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block, each time it is read."""
        return MappedRows(self, function)

    def __iter__(self) -> Iterator[Block]:
        """Raise: the rows are never all in this process."""
        raise TypeError("rows that are streamed cannot be iterated over; take sums of them")

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        work = partial(first_of_part, read=self._read, function=function)
        for part in self._parts:
            found = self._engine.total([part], work)
            if found is not None:
                return found[0]
        raise DataError(NO_ROWS)

    def _count_pass(self) -> None:
        if self._n_passes == self._keep_after:
            self._parts, self._read = self._engine.keep(self._parts, self._read)
        self._n_passes += 1


class MappedRows(RowBlocks):
    """Blocks that a function makes of other blocks, each time they are read."""

    def __init__(self, rows: RowBlocks, function: Callable[..., Block]) -> None:
        self._rows, self._function = rows, function

    def total(self, function: Callable[..., T]) -> T:
        """Return the sum of a function over the blocks."""
        return self._rows.total(Composed(self._function, function))

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block."""
        return MappedRows(self, function)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._rows)

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        return self._rows.first(Composed(self._function, function))


class Composed(Generic[T]):
    """A function of the block that another function makes."""

    def __init__(self, inner: Callable[..., Block], outer: Callable[..., T]) -> None:
        self._inner, self._outer = inner, outer

    def __call__(self, *block: object) -> T:
        """Return the outer function of the block."""
        return self._outer(*self._inner(*block))


def add_present(first: T | None, second: T | None) -> T | None:
    """Return the sum of two statistics, each of which is None if it has no rows."""
    if first is None or second is None:
        return second if first is None else first
    total: T = add(first, second)
    return total


def sum_of_part(part: Part, read: ReadPart, function: Callable[..., T]) -> T | None:
    """Return the sum of a function over the blocks of a partition; None if it has no rows."""
    found = (function(*block) for block in read(part))
    first = next(found, None)
    return None if first is None else reduce(add, found, first)


def first_of_part(part: Part, read: ReadPart, function: Callable[..., T]) -> list[T] | None:
    """Return a function of the first block of a partition, in a list; None if it has no rows."""
    for block in read(part):
        return [function(*block)]
    return None


__all__ = ["NO_ROWS", "MappedRows", "StreamedRows", "add_present", "sum_of_part"]
