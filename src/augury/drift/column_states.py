"""States of the values of a column: codes that naive Bayes and the tests count."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.drift.column_tally import ColumnTally
from augury.drift.column_values import ColumnValues
from augury.drift.reference import LABELS, N_FURTHER_STATES, ColumnReference

# Smallest share of the rows of a label that has a state of its own.
_FEWEST_SHARE = 1 / 64


@dataclass(frozen=True)
class ColumnStates:
    """The states of a column, see `ColumnReference`.

    Parameters
    ----------
    bins : the labels that have a state of their own, or the upper ends of the intervals
    known_labels : all labels that are not unseen; None if unseen labels cannot be told
    low, high : the range of the numbers; a number that equals `single_low` is below it, and one
        that equals `single_high` above it
    """

    bins: tuple[str, ...] | tuple[float, ...]
    is_labels: bool
    known_labels: frozenset[str] | None = None
    low: float = -np.inf
    high: float = np.inf
    single_low: float | None = None
    single_high: float | None = None

    @classmethod
    def of(cls, column: ColumnReference) -> "ColumnStates":
        """Return the states of new rows."""
        if column.treatment == LABELS:
            is_open = column.n_unlisted > 0
            known = None if is_open else frozenset(column.labels)
            return cls(column.labels[: column.n_bins], True, known)
        low = np.inf if column.low is None else column.low
        high = -np.inf if column.high is None else column.high
        return cls(column.edges, False, None, low, high)

    @classmethod
    def of_labels(cls, tally: ColumnTally, n_bins: int) -> "ColumnStates":
        """Return the states of training rows with labels; a label of one row is unseen."""
        ordered = ordered_labels(tally)
        known = None
        if not tally.n_unlisted:
            known = frozenset(label for label, count in ordered if count > 1)
        # The choice of the most frequent among equally frequent labels would be a chance of the
        # training rows, which new rows do not repeat.
        fewest = max(2, _FEWEST_SHARE * tally.n_known)
        frequent = [label for label, count in ordered if count >= fewest]
        return cls(tuple(frequent[:n_bins] or [label for label, _ in ordered[:1]]), True, known)

    @classmethod
    def of_numbers(cls, tally: ColumnTally, sample: FloatArray, n_bins: int) -> "ColumnStates":
        """Return the states of training rows with numbers: intervals between quantiles."""
        is_gap = np.isnan(sample)
        edges = choose_edges(sample[~is_gap] if is_gap.any() else sample, n_bins)
        single_low = tally.low if tally.n_low == 1 else None
        single_high = tally.high if tally.n_high == 1 else None
        return cls(edges, False, None, tally.low, tally.high, single_low, single_high)

    @property
    def n_bins(self) -> int:
        """Number of the states that are labels or intervals."""
        return len(self.bins) if self.is_labels else len(self.bins) + 1

    @property
    def n_states(self) -> int:
        """Number of all states."""
        return self.n_bins + N_FURTHER_STATES

    def encode(self, values: ColumnValues) -> IntegerArray:
        """Return the state of each row."""
        if values.codes is not None:
            position: dict[object, int] = {label: k for k, label in enumerate(self.bins)}
            of_label = [self._of_label(position, label) for label in values.labels]
            return np.array([*of_label, self.n_bins + 2], dtype=np.uint8)[values.codes]
        assert values.numbers is not None
        numbers = values.numbers
        codes = np.searchsorted(np.array(self.bins, np.float64), numbers) + 1
        codes[(numbers < self.low) | (numbers == self.single_low)] = 0
        codes[(numbers > self.high) | (numbers == self.single_high)] = self.n_bins + 1
        codes[np.isnan(numbers)] = self.n_bins + 2
        return codes.astype(np.uint8)

    def _of_label(self, position: dict[object, int], label: str) -> int:
        if label in position:
            return position[label]
        is_known = self.known_labels is None or label in self.known_labels
        return self.n_bins if is_known else self.n_bins + 1


def ordered_labels(tally: ColumnTally) -> list[tuple[str, int]]:
    """Return the labels and their numbers of rows, the most frequent first."""
    return sorted(tally.labels.items(), key=lambda item: (-item[1], item[0]))


def choose_edges(numbers: FloatArray, n_bins: int) -> tuple[float, ...]:
    """Return the upper ends of intervals with about equally many numbers, without the last.

    They have 7 digits, which keeps the file small.

    >>> choose_edges(np.arange(9.0), 3), choose_edges(np.array([0.0, 0.0, 0.0, 5.0]), 3)
    ((2.0, 5.0), (0.0,))
    """
    if not len(numbers):
        return ()
    ordered = np.sort(numbers)
    is_last = np.append(ordered[1:] != ordered[:-1], True)  # of equal numbers
    if np.count_nonzero(is_last) > n_bins:
        last = np.arange(1, n_bins) * len(ordered) // n_bins - 1
        ends = ordered[np.maximum(last, 0)]
    else:
        ends = ordered[is_last]
    rounded = {float(f"{edge:.7g}") for edge in ends.tolist()}
    highest = float(ordered[-1])
    return tuple(sorted(edge for edge in rounded if edge < highest))


def merge_to_bins(counts: Sequence[int], is_labels: bool) -> IntegerArray:
    """Return numbers of rows of the bins, from those of all states.

    Numbers out of the range join the outer intervals. Other and unseen labels are the last bin.

    >>> merge_to_bins([1, 10, 20, 2, 9], is_labels=False)
    array([11, 22])
    >>> merge_to_bins([10, 20, 3, 1, 9], is_labels=True)
    array([10, 20,  4])
    """
    found = np.asarray(counts, dtype=np.int64)
    if is_labels:
        return np.append(found[:-3], found[-3] + found[-2])
    merged = found[1:-2].copy()
    merged[0] += found[0]
    merged[-1] += found[-2]
    return merged


__all__ = ["ColumnStates", "choose_edges", "merge_to_bins", "ordered_labels"]
