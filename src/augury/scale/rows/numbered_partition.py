"""Partitions with their numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from augury.scale.sources.source import Partition


class NumberedPartition(NamedTuple):
    """A partition and its place in the order of the rows."""

    number: int
    partition: Partition

    @property
    def name(self) -> str:
        """The name of the partition, for messages."""
        return self.partition.name


def number_partitions(partitions: Sequence[Partition]) -> list[NumberedPartition]:
    """Return partitions with their numbers, from 0."""
    return [NumberedPartition(number, each) for number, each in enumerate(partitions)]


__all__ = ["NumberedPartition", "number_partitions"]
