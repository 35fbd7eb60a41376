"""Blocks of rows, over which statistics are summed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy as np

from augury.arrays import Array

T = TypeVar("T")

# The parts of a block, such as codes, classes and weights of its rows.
Block = tuple[Any, ...]


class RowBlocks(ABC):
    """Rows in blocks; what a model learns from them is a sum over the blocks.

    A model calls `total` with a function of one block, and the blocks decide where and in which
    order the function is computed: in this thread, in several threads that read from files
    (`augury.scale`), or on other machines. The function must therefore depend on its arguments
    only, change nothing, and be small when it is pickled.

    - The blocks are in the order of the rows, do not overlap, and hold every row.
    - Every iteration yields the same rows in the same blocks.
    - There is at least one block.
    """

    @abstractmethod
    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks."""

    def total(self, function: Callable[..., T]) -> T:
        """Return the sum of a function over the blocks, added in their order."""
        return reduce(add, (function(*block) for block in self))

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        return function(*next(iter(self)))

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block."""
        return BlockList([function(*block) for block in self])


class BlockList(RowBlocks):
    """Blocks that are in memory.

    Examples
    --------
    >>> blocks = BlockList([(1, 2), (3, 4)])
    >>> blocks.total(lambda a, b: a * b)
    14
    >>> list(blocks.map(lambda a, b: (a + b,)))
    [(3,), (7,)]
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks)


# ---- functions of one block: its rows, their classes and their weights ----------------------


def count_rows(_: Any, y: Array, __: Array | None) -> int:
    """Return the number of rows."""
    return len(y)


def weigh_classes(_: Any, y: Array, weight: Array | None, n_classes: int) -> Array:
    """Return the weight of the rows of each class."""
    return np.bincount(y, weight, minlength=n_classes).astype(np.float64)


__all__ = ["Block", "BlockList", "RowBlocks", "count_rows", "weigh_classes"]
