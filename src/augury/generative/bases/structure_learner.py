"""Type of the objects that learn the structure of a network."""

from typing import Protocol, runtime_checkable

from augury.generative.bases.training_counts import TrainingCounts
from augury.structure import Structure


@runtime_checkable
class StructureLearner(Protocol):
    """An object that learns a structure from the counts of the training rows.

    `HillClimb` and `OrderSearch` of `augury.structure` are structure learners.
    """

    def learn(self, counts: TrainingCounts) -> Structure:
        """Return a structure of `len(counts.n_states)` columns."""
