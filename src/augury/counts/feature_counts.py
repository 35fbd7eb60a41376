"""Class × value counts of every column: all that naive Bayes needs to know of labels."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array
from augury.fitted_state import LARGEST_COUNT, check_floats, check_integers
from augury.kernels import count_class_values, slot_offsets


@dataclass(frozen=True, eq=False)
class FeatureCounts:
    """Weight of the rows of each class, and of each class and state of each column.

    Counts of two sets of rows add: `FeatureCounts.collect(all)` equals the sum over any
    split of the rows, so they can be collected in parallel or in batches.

    Parameters
    ----------
    n_states : declared number of states of each column
    class_counts : array of shape (n_classes,)
    table : array of shape (n_slots, n_classes)
        Column j has `n_states[j] + 1` slots; the last one holds the rows in which the column
        is left out.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0], [1], [1]], dtype=np.uint8)
    >>> counts = FeatureCounts.collect(codes, [2], np.array([0, 0, 1]), n_classes=2)
    >>> counts.of_column(0)
    array([[1., 0.],
           [1., 1.]])
    >>> (counts + counts).class_counts
    array([4., 2.])
    """

    n_states: Array
    class_counts: Array
    table: Array

    @classmethod
    def collect(
        cls,
        codes: Array,
        n_states: ArrayLike,
        y: Array,
        n_classes: int,
        weight: Array | None = None,
        *,
        n_threads: int = 1,
    ) -> FeatureCounts:
        """Count rows of codes (unsigned, column by column in memory) with classes y."""
        n_states = np.asarray(n_states, dtype=np.int64)
        offsets = slot_offsets(n_states)
        table = count_class_values(codes, y, weight, offsets, n_classes, n_threads=n_threads)
        if weight is None and len(n_states):  # each row is in one slot of the first column
            class_counts = table[: offsets[1]].sum(axis=0)
        else:
            class_counts = np.bincount(y, weights=weight, minlength=n_classes).astype(np.float64)
        return cls(n_states=n_states, class_counts=class_counts, table=table)

    @classmethod
    def from_states(cls, n_states: Array, class_counts: Array, states: Array) -> FeatureCounts:
        """Return the counts for those of all states, of shape (Σ n_states, n_classes).

        The rows without a state of a column are those in which it is left out.
        """
        offsets = slot_offsets(n_states)
        table = np.zeros((int(offsets[-1]), len(class_counts)))
        counts = cls(n_states=n_states, class_counts=class_counts, table=table)
        table[counts.state_slots] = states
        used = n_states > 0
        known = np.zeros((len(n_states), len(class_counts)))
        if used.any():
            starts = np.cumsum(n_states) - n_states
            known[used] = np.add.reduceat(states, starts[used], axis=0)
        table[offsets[1:] - 1] = np.maximum(class_counts - known, 0.0)
        return counts

    def __add__(self, other: FeatureCounts) -> FeatureCounts:
        if not isinstance(other, FeatureCounts):
            return NotImplemented
        if not np.array_equal(self.n_states, other.n_states) or len(self.class_counts) != len(
            other.class_counts
        ):
            raise ValueError(
                "counts add only if they have the same classes and the same states, got "
                f"{len(self.class_counts)} and {len(other.class_counts)} classes, "
                f"{self.n_states.tolist()} and {other.n_states.tolist()} states"
            )
        return FeatureCounts(
            n_states=self.n_states,
            class_counts=self.class_counts + other.class_counts,
            table=self.table + other.table,
        )

    def _check_fitted_state(self) -> None:
        n_states = check_integers(self, "n_states", None)
        n_classes = len(check_floats(self, "class_counts", None, low=0, high=LARGEST_COUNT))
        n_slots = sum(n_states.tolist()) + len(n_states)
        check_floats(self, "table", n_slots, n_classes, low=0, high=LARGEST_COUNT)

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def offsets(self) -> Array:
        """Index of the first slot of each column in `table`."""
        return slot_offsets(self.n_states)

    @cached_property
    def state_slots(self) -> Array:
        """The slots of all states, in the order of the columns, without "left out"."""
        left_out = self.offsets[1:] - 1
        return np.delete(np.arange(len(self.table)), left_out)

    def of_column(self, j: int) -> Array:
        """Return the counts of column j, of shape (n_states[j], n_classes)."""
        start = self.offsets[j]
        column: Array = self.table[start : start + self.n_states[j]]
        return column
