"""Counts of the values of a column that add over blocks of rows, in bounded memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from augury.arrays import IntegerArray
from augury.drift.column_values import ColumnValues
from augury.drift.reference import N_BUCKETS
from augury.scale.summaries.hashes import hash_labels

# Labels that are counted one by one; beyond that, the rarest are counted together.
MAX_LABELS = 1 << 14


@dataclass(frozen=True, eq=False)
class ColumnTally:
    """What all rows of a column tell; tallies add.

    Attributes
    ----------
    n_rows : number of rows
    n_gaps : number of rows without a value that can be read
    n_unread : number of rows with a value that cannot be read
    unread : some of these values
    holds_numbers : whether the type of the column is a type of numbers
    labels : number of rows of each label
    n_unlisted : number of rows of labels that are not counted one by one
    buckets : number of rows of each bucket of labels
    low, high : smallest and largest number; inf and -inf if there are none
    n_low, n_high : number of rows that have them
    """

    n_rows: int
    n_gaps: int
    n_unread: int
    unread: tuple[str, ...]
    holds_numbers: bool
    labels: Mapping[str, int] = field(default_factory=dict)
    n_unlisted: int = 0
    buckets: tuple[int, ...] = (0,) * N_BUCKETS
    low: float = np.inf
    high: float = -np.inf
    n_low: int = 0
    n_high: int = 0

    @classmethod
    def collect(cls, values: ColumnValues) -> ColumnTally:
        """Count the values of some rows."""
        n_gaps = values.n_gaps
        about = (n_gaps, values.n_unread, values.unread, values.holds_numbers)
        if values.codes is not None:
            counts = np.bincount(values.codes + 1, minlength=len(values.labels) + 1)[1:]
            labels: Counter[str] = Counter()
            for label, count in zip(values.labels, counts.tolist(), strict=True):
                if count:
                    labels[label] += count
            rows = np.bincount(
                buckets_of(values.labels), weights=counts, minlength=N_BUCKETS
            ).astype(np.int64)
            return cls(len(values.codes), *about, labels, 0, tuple(rows.tolist()))._bounded()
        assert values.numbers is not None
        numbers = values.numbers
        if n_gaps == len(numbers):
            return cls(len(numbers), *about)
        known = numbers[~np.isnan(numbers)] if n_gaps else numbers
        low, high = float(known.min()), float(known.max())
        n_low, n_high = int((numbers == low).sum()), int((numbers == high).sum())
        return cls(len(numbers), *about, low=low, high=high, n_low=n_low, n_high=n_high)

    @property
    def n_known(self) -> int:
        """Number of rows that have a value."""
        return self.n_rows - self.n_gaps

    def __add__(self, other: ColumnTally) -> ColumnTally:
        low, high = min(self.low, other.low), max(self.high, other.high)
        return ColumnTally(
            self.n_rows + other.n_rows,
            self.n_gaps + other.n_gaps,
            self.n_unread + other.n_unread,
            self.unread or other.unread,
            self.holds_numbers and other.holds_numbers,
            Counter(self.labels) + Counter(other.labels),
            self.n_unlisted + other.n_unlisted,
            tuple(a + b for a, b in zip(self.buckets, other.buckets, strict=True)),
            low,
            high,
            sum(each.n_low for each in (self, other) if each.low == low),
            sum(each.n_high for each in (self, other) if each.high == high),
        )._bounded()

    def _bounded(self) -> ColumnTally:
        """Return the tally with the rarest labels counted together, if there are too many."""
        if len(self.labels) <= MAX_LABELS:
            return self
        ordered = sorted(self.labels.items(), key=lambda item: (-item[1], item[0]))
        kept, rest = dict(ordered[: MAX_LABELS // 2]), ordered[MAX_LABELS // 2 :]
        n_unlisted = self.n_unlisted + sum(count for _, count in rest)
        return replace(self, labels=kept, n_unlisted=n_unlisted)


def buckets_of(labels: Sequence[str]) -> IntegerArray:
    """Return the bucket of each label, which depends on nothing but the label."""
    return (hash_labels(labels) >> np.uint64(58)).astype(np.int64)


__all__ = ["MAX_LABELS", "ColumnTally", "buckets_of"]
