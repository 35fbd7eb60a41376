"""Statistics of the rows of each fold; those of a training set are a sum over the other folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from augury.scale.rows.streamed_rows import add_present

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class PerFold(Generic[T]):
    """A statistic of the rows of each fold; None for a fold without rows. They add.

    Examples
    --------
    >>> counts = PerFold((1, None, 5)) + PerFold((2, 10, None))
    >>> counts.values
    (3, 10, 5)
    >>> counts.of_training_sets(), counts.total()
    ([15, 8, 13], 18)
    """

    values: tuple[T | None, ...]

    def __add__(self, other: PerFold[T]) -> PerFold[T]:
        return PerFold(tuple(map(add_present, self.values, other.values)))

    def of_training_sets(self) -> list[T | None]:
        """Return for each fold the sum over the other folds, added in the order of the folds."""
        before, after = _running_sums(self.values), _sums_of_the_rest(self.values)
        return [add_present(*each) for each in zip(before[:-1], after[1:], strict=True)]

    def total(self) -> T | None:
        """Return the sum over all folds."""
        return _running_sums(self.values)[-1]


def _running_sums(values: Sequence[T | None]) -> list[T | None]:
    """Return the sum of the first 0, 1, 2, … values."""
    sums: list[T | None] = [None]
    for value in values:
        sums.append(add_present(sums[-1], value))
    return sums


def _sums_of_the_rest(values: Sequence[T | None]) -> list[T | None]:
    """Return the sums of what is left after the first 0, 1, 2, … values."""
    sums: list[T | None] = [None]
    for value in reversed(values):
        sums.append(add_present(value, sums[-1]))
    return sums[::-1]


__all__ = ["PerFold"]
