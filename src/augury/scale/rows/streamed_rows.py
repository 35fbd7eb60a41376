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
            raise DataError("the source has no row with a class and a weight above zero")
        return total

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block, each time it is read."""
        return MappedRows(self, function)

    def __iter__(self) -> Iterator[Block]:
        self._count_pass()
        return self._engine.blocks(self._parts, self._read)

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        for part in self._parts:
            for block in self._engine.blocks([part], self._read):
                return function(*block)
        raise DataError("the source has no row with a class and a weight above zero")

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
        return (self._function(*block) for block in self._rows)

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


def sum_of_part(part: Part, read: ReadPart, function: Callable[..., T]) -> T | None:
    """Return the sum of a function over the blocks of a partition; None if it has no rows."""
    found = (function(*block) for block in read(part))
    first = next(found, None)
    return None if first is None else reduce(add, found, first)


def read_mapped(part: Part, read: ReadPart, function: Callable[..., Block]) -> Iterator[Block]:
    """Yield the blocks that a function makes of those of a partition."""
    return (function(*block) for block in read(part))


__all__ = ["MappedRows", "StreamedRows", "read_mapped", "sum_of_part"]
