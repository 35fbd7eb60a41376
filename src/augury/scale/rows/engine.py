"""What computes sums over the partitions of a source."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from augury.bases.row_blocks import Block

T = TypeVar("T")

# A partition, or what an engine keeps of it; an engine reads it by a function. It has a `name`.
Part = Any
ReadPart = Callable[[Part], Iterator[Block]]


class Engine(Protocol):
    """Computes functions of partitions, in threads of this process or on other machines.

    If a function raises an error, `total` and `keep` raise one that names the partition.
    """

    def total(self, parts: Sequence[Part], function: Callable[[Part], T | None]) -> T | None:
        """Return the sum of a function over the partitions, in their order.

        None is the function of a partition without rows, and the sum if no partition has any.
        """

    def keep(self, parts: Sequence[Part], read: ReadPart) -> tuple[Sequence[Part], ReadPart]:
        """Keep the blocks of tables where they are read fast; return parts, and how to read them.

        The blocks are `(CategoricalTable, y, weight)`.
        """


__all__ = ["Engine", "Part", "ReadPart"]
