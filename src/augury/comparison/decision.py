"""Decisions of compared models: by costs, or between two classes by a threshold.

Folds keep the class probabilities of their test rows, and decisions follow from these: no model is
fitted again. Measures of predicted classes, such as accuracy and F1, are those of the decisions.

- *Costs.* Every model predicts the class of the least expected cost. Models are ordered by their
  mean cost, unless another measure is asked for.
- *A given threshold.* The rarer of two classes, or the class of the measure, is predicted if its
  probability is at least the threshold.
- *A tuned threshold.* The threshold of a fold is the best one for the other folds of the same run.
  That of the recommended model, which is saved with it, is the best one for all test rows.

A threshold is tuned for accuracy or balanced accuracy, if models are ordered by these. Other
measures of all classes take accuracy, AUC takes balanced accuracy. Measures that favour one class
(F1, recall, precision, average precision) take the F1 of the class: its recall alone is highest if
it is always predicted.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import inf, isinf, isnan, nan
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from augury.arrays import FloatArray
from augury.decide import CostClassifier, ThresholdClassifier
from augury.decide.cost_matrix import Costs, cost_matrix, least_cost
from augury.decide.threshold_tuning import (
    AUTO,
    TunedThreshold,
    check_threshold,
    decide_by_threshold,
    positive_class,
    tune_threshold,
    tuned_measure,
)
from augury.evaluate import Measure
from augury.evaluate.measures import COST, cost_measure
from augury.evaluate.scored_rows import ScoredRows
from augury.experiments.measured_folds import Decide, FoldRows, join_rows
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import StoredResults
from augury.foreign import Json
from augury.summary.contents.verdict import BASELINE, DecisionOfModel

# Key of the request in a store.
META = "decision"
_IN_WORDS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}


@dataclass(frozen=True, slots=True, eq=False)
class DecisionRequest:
    """What a user asks for.

    Attributes
    ----------
    costs : array of shape (n_classes, n_classes), predicted × true, or None
    threshold : float, "auto" or None
        Exactly one of both is None.
    """

    costs: FloatArray | None = None
    threshold: float | str | None = None

    @classmethod
    def of(
        cls, costs: Costs, threshold: object, classes: Sequence[Hashable]
    ) -> DecisionRequest | None:
        """Check the values; None if there is nothing to decide.

        >>> DecisionRequest.of({"no": {"yes": 9}, "yes": {"no": 1}}, None, ["no", "yes"]).costs
        array([[0., 9.],
               [1., 0.]])
        """
        if costs is None and threshold is None:
            return None
        if costs is not None and threshold is not None:
            raise ValueError("compare: costs and threshold exclude each other: give one of them")
        if costs is not None:
            return cls(cost_matrix("compare", costs, classes))
        return cls(threshold=check_threshold(threshold, len(classes)))

    @classmethod
    def read(cls, stored: StoredResults) -> DecisionRequest | None:
        """Return the request that a store keeps."""
        content = stored.meta(META)
        if not isinstance(content, dict):
            return None
        costs, threshold = content.get("costs"), content.get("threshold")
        matrix = None if costs is None else np.asarray(costs, dtype=np.float64)
        return cls(matrix, threshold if isinstance(threshold, float | str) else None)

    def to_json(self) -> dict[str, Json]:
        """Return the request as plain JSON."""
        return {
            "costs": None if self.costs is None else self.costs.tolist(),
            "threshold": self.threshold,
        }


def keep_request(store: ResultStore, request: DecisionRequest | None) -> None:
    """Write the request to a store, from which `augury.comparison.evidence.ask` reads it."""
    store.set_meta(META, None if request is None else request.to_json())


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """How models decide on the test rows of a comparison.

    Attributes
    ----------
    request : DecisionRequest
    classes : sequence of str
    class_counts : array of shape (n_classes,)
    measure : str
        Key of the measure that orders the models.
    """

    request: DecisionRequest
    classes: Sequence[str]
    class_counts: Any
    measure: str

    @property
    def cost_measure(self) -> Measure | None:
        """The mean cost; None if a threshold decides."""
        return None if self.request.costs is None else cost_measure(self.request.costs)

    @property
    def positive(self) -> int:
        """Code of the class that is predicted from a threshold on."""
        return positive_class(self.measure, self.classes, self.class_counts)

    def of_role(self, role: str) -> Decide | None:
        """Return how models of a role decide: the baseline has costs, but no threshold."""
        has_none = role == BASELINE and self.request.costs is None
        return None if has_none else self.decide_folds

    def decide_folds(self, folds: Sequence[FoldRows]) -> list[FoldRows]:
        """Return folds with decided classes; those without probabilities stay as they are."""
        decided = []
        for run, fold, rows in folds:
            if self.request.threshold == AUTO:
                others = [r for other, f, r in folds if other == run and f != fold]
                tuned = self._tune(others)
                threshold = 0.5 if tuned is None else tuned.threshold
            else:
                threshold = self._given_threshold()
            decided.append((run, fold, self._decide(rows, threshold)))
        return decided

    def describe(self, folds: Sequence[FoldRows]) -> DecisionOfModel | None:
        """Return how a model decides; None for a model without probabilities."""
        if not folds or any(rows.probabilities is None for _, _, rows in folds):
            return None
        every = join_rows([rows for _, _, rows in folds])
        labels = tuple(self.classes)
        if self.request.costs is not None:
            return self._describe_costs(every, labels)
        tuned = self._tune([every]) if self.request.threshold == AUTO else None
        threshold = self._given_threshold() if tuned is None else tuned.threshold
        found = DecisionOfModel(
            labels, positive=labels[self.positive], threshold=_finite(threshold)
        )
        if tuned is not None:
            name = tuned_measure(self.measure)
            found = replace(
                found,
                tuned_for=_IN_WORDS.get(name, f"F1 of {found.positive}"),
                value=tuned.value,
                value_of_half=tuned.value_of_half,
            )
        return self._with_shares(found, self._decide(every, threshold))

    def _describe_costs(self, every: ScoredRows, labels: tuple[str, ...]) -> DecisionOfModel:
        costs = self.request.costs
        assert costs is not None
        constant = costs @ np.asarray(self.class_counts, dtype=np.float64)
        cheapest = int(constant.argmin())
        decided = self._decide(every, 0.5)
        found = DecisionOfModel(
            labels,
            costs=tuple(map(tuple, costs.tolist())),
            cost=cost_measure(costs).of(decided),
            cheapest_cost=float(constant[cheapest] / np.sum(self.class_counts)),
            cheapest=labels[cheapest],
        )
        threshold = threshold_of_costs(costs, self.positive) if len(labels) == 2 else nan
        if isnan(threshold):
            return found
        found = replace(found, positive=labels[self.positive], threshold=_finite(threshold))
        return self._with_shares(found, decided)

    def _with_shares(self, found: DecisionOfModel, decided: ScoredRows) -> DecisionOfModel:
        table, c = decided.confusion, self.positive
        hits, n_true, n_predicted = table[c, c], table[c].sum(), table[:, c].sum()
        return replace(
            found,
            recall=float(hits / n_true) if n_true else None,
            precision=float(hits / n_predicted) if n_predicted else None,
        )

    def _given_threshold(self) -> float:
        given = self.request.threshold
        return given if isinstance(given, float) else 0.5

    def _decide(self, rows: ScoredRows, threshold: float) -> ScoredRows:
        p = rows.probabilities
        if p is None:
            return rows
        if self.request.costs is not None:
            return replace(rows, predicted=least_cost(p, self.request.costs))
        return replace(rows, predicted=decide_by_threshold(p, self.positive, threshold))

    def _tune(self, parts: Sequence[ScoredRows]) -> TunedThreshold | None:
        if not parts or any(rows.probabilities is None for rows in parts):
            return None
        counts = join_rows(parts).thresholds_of(self.positive)
        return tune_threshold(counts, tuned_measure(self.measure))


def _finite(threshold: float) -> float | None:
    return None if isinf(threshold) else threshold


def threshold_of_costs(costs: FloatArray, positive: int) -> float:
    """Return the probability of one of two classes from which its prediction costs less.

    Infinite if it never costs less, NaN if it costs less below a probability.

    >>> threshold_of_costs(np.array([[0.0, 10.0], [1.0, 0.0]]), 1)  # 1 / (1 + 10)
    0.09090909090909091
    """
    other = 1 - positive
    false_alarm = costs[positive, other] - costs[other, other]
    miss = costs[other, positive] - costs[positive, positive]
    if false_alarm + miss < 0:
        return nan
    if false_alarm + miss == 0 or false_alarm > false_alarm + miss:
        return inf if false_alarm > 0 else 0.0
    return max(float(false_alarm / (false_alarm + miss)), 0.0)


def describe_in_words(found: DecisionOfModel, measure: str) -> str:
    """Return the decision as sentences of the verdict.

    Parameters
    ----------
    found : DecisionOfModel
    measure : str
        Key of the measure that orders the models: the verdict has its values already.
    """
    text = ""
    if found.cost is not None:
        text = "Its predictions have the least expected cost"
        if measure != COST:
            text += (
                f": {found.cost:.4g} for each row; always predicting {found.cheapest} costs "
                f"{found.cheapest_cost:.4g}"
            )
        text += "."
    if not found.positive:
        return text
    if found.threshold is None:
        return f"{text} It never predicts {found.positive}.".strip()
    how = ""
    if found.tuned_for:
        how = f", tuned for {found.tuned_for} ({found.value:.3f}; {found.value_of_half:.3f} at 0.5)"
    shares = [
        f"{name} {100.0 * share:.1f} %"
        for name, share in (("recall", found.recall), ("precision", found.precision))
        if share is not None
    ]
    where = f"It predicts {found.positive} from a probability of {found.threshold:.3g} on"
    return f"{text} {where}{how}: {' and '.join(shares)} on the test rows.".strip()


def add_decision(
    model: Pipeline, found: DecisionOfModel | None, classes: Sequence[Any]
) -> Pipeline:
    """Return the unfitted model of a comparison with its decision.

    Parameters
    ----------
    model : Pipeline
        Its last step is named "model".
    found : DecisionOfModel or None
        See `Verdict.decision`.
    classes : sequence of labels
        Classes that have rows.
    """
    if found is None:
        return model
    inner = model["model"]
    decider: CostClassifier | ThresholdClassifier
    if found.costs:
        there = {str(label) for label in classes}
        costs: dict[Hashable, dict[Hashable, float]] = {
            predicted: {t: c for t, c in zip(found.classes, row, strict=True) if t in there}
            for predicted, row in zip(found.classes, found.costs, strict=True)
            if predicted in there
        }
        decider = CostClassifier(inner, costs)
    else:
        threshold = 1.0 if found.threshold is None else found.threshold
        decider = ThresholdClassifier(inner, positive=found.positive, threshold=threshold)
    return model.set_params(model=decider)


__all__ = [
    "Decision",
    "DecisionRequest",
    "add_decision",
    "describe_in_words",
    "keep_request",
    "threshold_of_costs",
]
