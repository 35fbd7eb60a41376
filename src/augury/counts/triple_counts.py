"""Counts by class of all triples of values: pair counts given a third column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts.feature_counts import FeatureCounts
from augury.counts.pair_counts import PairCounts
from augury.fitted_state import check_part, check_parts, require
from augury.kernels import pair_bytes
from augury.memory import require_bytes


def require_triples(n_states: Array, n_classes: int) -> None:
    """Raise unless there is memory for the counts of all triples of states."""
    total = sum(n_states.tolist())
    require_bytes(
        total * pair_bytes(n_states, n_classes),
        f"the counts of all triples of {total:,} states in {n_classes:,} classes",
        n_states,
        advice="leave these columns out, group their labels, or take n_parents=1",
    )


@dataclass(frozen=True, eq=False)
class TripleCounts:
    """Pair counts, and for every state of every column the pair counts of its rows.

    The latter are collected as pair counts whose class is the combination of the state of the
    column and the class.

    Parameters
    ----------
    pairs : PairCounts
    by_column : for each column j the PairCounts with n_states[j] · n_classes classes
        Class `state · n_classes + c` is class c among the rows of that state.
    """

    pairs: PairCounts
    by_column: tuple[PairCounts, ...]

    @classmethod
    def collect(
        cls,
        codes: Array,
        pairs: PairCounts,
        y: Array,
        weight: Array | None = None,
        *,
        n_threads: int = 1,
    ) -> TripleCounts:
        """Count rows of codes whose pair counts are given."""
        n_states, n_classes = pairs.features.n_states, len(pairs.features.class_counts)
        require_triples(n_states, n_classes)
        by_column = []
        for j, n in enumerate(n_states.tolist()):
            rows = codes[:, j] < n
            composite = codes[:, j].astype(np.int32) * n_classes + y
            by_column.append(
                PairCounts.collect(
                    codes[rows],
                    n_states,
                    composite[rows],
                    max(n, 1) * n_classes,  # a column may have no states
                    None if weight is None else weight[rows],
                    n_threads=n_threads,
                    all_dense=True,
                )
            )
        return cls(pairs, tuple(by_column))

    def __add__(self, other: TripleCounts) -> TripleCounts:
        if not isinstance(other, TripleCounts):
            return NotImplemented
        by_column = tuple(a + b for a, b in zip(self.by_column, other.by_column, strict=True))
        return TripleCounts(self.pairs + other.pairs, by_column)

    def _check_fitted_state(self) -> None:
        pairs = check_part(self, "pairs", PairCounts)
        pairs._check_fitted_state()
        n_states, n_classes = pairs.features.n_states, len(pairs.features.class_counts)
        for n, part in zip(n_states, check_parts(self, "by_column", PairCounts), strict=True):
            part._check_fitted_state()
            fits = (
                np.array_equal(part.features.n_states, n_states)
                and len(part.features.class_counts) == max(int(n), 1) * n_classes
            )
            require(fits, self, "by_column", "counts of the same columns")

    def given(self, j: int, state: int) -> PairCounts:
        """Return the pair counts of the rows in which column j has this state."""
        n_classes = len(self.pairs.features.class_counts)
        part, classes = self.by_column[j], slice(state * n_classes, (state + 1) * n_classes)
        features = FeatureCounts(
            n_states=part.features.n_states,
            class_counts=part.features.class_counts[classes],
            table=part.features.table[:, classes],
        )
        return PairCounts(features, part.table[:, :, classes])
