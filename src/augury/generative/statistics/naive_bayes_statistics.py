"""Statistics of naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass

from augury.counts import ClassValues, FeatureCounts, Moments
from augury.fitted_state import check_part


@dataclass(frozen=True, eq=False)
class NaiveBayesStatistics:
    """Counts of the categorical columns, and moments and values of the continuous ones.

    Only `continuous="kernel"` collects values.
    """

    counts: FeatureCounts
    moments: Moments
    values: ClassValues | None = None

    def __add__(self, other: NaiveBayesStatistics) -> NaiveBayesStatistics:
        if not isinstance(other, NaiveBayesStatistics):
            return NotImplemented
        values = None
        if self.values is not None and other.values is not None:
            values = self.values + other.values
        elif self.values is not other.values:
            raise ValueError("statistics add only if both or neither of them have values")
        return NaiveBayesStatistics(
            self.counts + other.counts, self.moments + other.moments, values
        )

    def _check_fitted_state(self) -> None:
        check_part(self, "counts", FeatureCounts)
        check_part(self, "moments", Moments)._check_fitted_state()
        if self.values is not None:
            check_part(self, "values", ClassValues)._check_fitted_state()


__all__ = ["NaiveBayesStatistics"]
