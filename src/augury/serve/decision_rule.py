"""How a served model decides: for the most probable class, by costs, or by a threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from augury.decide import CostClassifier, ThresholdClassifier
from augury.models.wrapped_models import find_decision

# Probabilities of a scorer may differ by so much from those of the model.
TOLERANCE = 1e-9
# No other class is as probable.
_CLEAR = 0.5 + TOLERANCE


class DecisionRule:
    """The most probable class."""

    name = "most probable"

    def decide(self, probabilities: Sequence[float]) -> int | None:
        """Return the index of the decided class; None if it depends on the last digits."""
        highest = max(probabilities)
        # Exactly one is among the highest; none is if the probabilities are not numbers.
        if highest >= _CLEAR or sum(p > highest - TOLERANCE for p in probabilities) == 1:
            return probabilities.index(highest)
        return None

    def describe(self, probabilities: Sequence[float]) -> dict[str, Any] | None:
        """Return what the answer tells about the decision."""
        return None


class CostRule(DecisionRule):
    """The class of the least expected cost."""

    name = "least expected cost"

    def __init__(self, model: CostClassifier) -> None:
        self._costs: list[list[float]] = model.costs_.tolist()
        self._margin = TOLERANCE * max(1.0, float(np.abs(model.costs_).sum(axis=1).max()))

    def _expected(self, probabilities: Sequence[float]) -> list[float]:
        return [
            sum(p * cost for p, cost in zip(probabilities, costs, strict=True))
            for costs in self._costs
        ]

    def decide(self, probabilities: Sequence[float]) -> int | None:
        """Return the index of the cheapest class; None if it depends on the last digits."""
        expected = self._expected(probabilities)
        lowest = min(expected)
        if sum(cost < lowest + self._margin for cost in expected) == 1:
            return expected.index(lowest)
        return None

    def describe(self, probabilities: Sequence[float]) -> dict[str, Any]:
        """Return the rule and the expected cost of the decision."""
        return {"rule": self.name, "expected_cost": min(self._expected(probabilities))}


class ThresholdRule(DecisionRule):
    """The positive class, if its probability is at least a threshold."""

    name = "threshold"

    def __init__(self, model: ThresholdClassifier) -> None:
        self._positive, self._threshold = int(model.positive_), float(model.threshold_)
        self._label = str(model.classes_[self._positive])

    def decide(self, probabilities: Sequence[float]) -> int | None:
        """Return the index of the decided class; None if it depends on the last digits."""
        above = probabilities[self._positive] - self._threshold
        if abs(above) > TOLERANCE:
            return self._positive if above > 0 else 1 - self._positive
        return None

    def describe(self, probabilities: Sequence[float]) -> dict[str, Any]:
        """Return the rule, the positive class and the threshold; null: it is never predicted."""
        threshold = self._threshold if np.isfinite(self._threshold) else None
        return {"rule": self.name, "positive": self._label, "threshold": threshold}


def decision_rule(model: Any) -> DecisionRule | None:
    """Return how a fitted model decides; None if that is not known from its class."""
    last = find_decision(model)
    if type(last) is CostClassifier:
        return CostRule(last)
    if type(last) is ThresholdClassifier:
        return ThresholdRule(last)
    return None if last is not None else DecisionRule()


__all__ = ["TOLERANCE", "CostRule", "DecisionRule", "ThresholdRule", "decision_rule"]
