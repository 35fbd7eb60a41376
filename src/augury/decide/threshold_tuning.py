"""The threshold of a probability that is best for a measure, from rows that were held out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import FloatArray, IntegerArray
from augury.evaluate.measure_choice import rare_class
from augury.evaluate.threshold_counts import ThresholdCounts

MEASURES = ("balanced_accuracy", "f1", "accuracy", "recall")
AUTO = "auto"
# Measures by which models are ordered → measure that a threshold is tuned for; others take F1.
_TUNED_FOR = {
    **dict.fromkeys(("accuracy", "log_loss", "brier", "ece", "cost"), "accuracy"),
    **dict.fromkeys(("balanced_accuracy", "auc"), "balanced_accuracy"),
}


@dataclass(frozen=True, slots=True)
class TunedThreshold:
    """A threshold, and the measure with it and with 0.5."""

    threshold: float
    value: float
    value_of_half: float


def tune_threshold(counts: ThresholdCounts, measure: str, precision: float = 0.0) -> TunedThreshold:
    """Return the best threshold; of equal ones, the one nearest to 0.5.

    Parameters
    ----------
    counts : ThresholdCounts
        Of the positive class.
    measure : {"balanced_accuracy", "f1", "accuracy", "recall"}
    precision : float, default=0.0
        The least precision. If no threshold has it, the one with the highest precision is taken.

    Examples
    --------
    >>> counts = ThresholdCounts.collect([True, True, False, False], [0.9, 0.4, 0.2, 0.1])
    >>> tune_threshold(counts, "f1").threshold.__round__(3)  # in the middle of 0.2 and 0.4
    0.3
    """
    values = measure_thresholds(counts, measure)
    shares = np.append(1.0, counts.precision)
    allowed = shares >= precision
    if precision and not allowed[1:].any():
        allowed = shares == counts.precision.max()
        allowed[0] = False
    places = np.flatnonzero((values >= values[allowed].max() - 1e-12) & allowed)
    distance = [abs(_threshold_at(counts, place) - 0.5) for place in places.tolist()]
    best = int(places[int(np.argmin(distance))])
    # Place 0 is no threshold; place k is the k-th highest probability.
    of_half = values[int((counts.thresholds >= 0.5).sum())]
    return TunedThreshold(_threshold_at(counts, best), float(values[best]), float(of_half))


def decide_by_threshold(probabilities: FloatArray, positive: int, threshold: float) -> IntegerArray:
    """Return the code of one of two classes: the positive one from the threshold on."""
    return np.where(probabilities[:, positive] >= threshold, positive, 1 - positive)


def measure_thresholds(counts: ThresholdCounts, measure: str) -> FloatArray:
    """Return a measure for no threshold, where no row is positive, and for each threshold.

    >>> counts = ThresholdCounts.collect([True, False], [0.9, 0.2])
    >>> measure_thresholds(counts, "accuracy")
    array([0.5, 1. , 0.5])
    """
    hits, false_alarms = np.append(0.0, counts.hits), np.append(0.0, counts.false_alarms)
    positive, negative = counts.n_positive, counts.n_negative
    if measure == "accuracy":
        values = (hits + negative - false_alarms) / (positive + negative)
    elif measure == "f1":
        values = 2.0 * hits / (positive + hits + false_alarms)
    elif measure == "recall":
        values = hits / positive if positive else np.zeros_like(hits)
    else:
        found = hits / positive if positive else np.zeros_like(hits)
        spared = 1.0 - false_alarms / negative if negative else np.zeros_like(hits)
        values = (found + spared) / 2.0
    return np.asarray(values)


def _threshold_at(counts: ThresholdCounts, place: int) -> float:
    """Return the middle between the lowest positive probability and the next lower one."""
    if place == 0:
        return float("inf")
    inside = counts.thresholds[place - 1]
    below = counts.thresholds[place] if place < len(counts.thresholds) else 0.0
    return float((inside + below) / 2.0)


def check_threshold(threshold: object, n_classes: int) -> float | str:
    """Return the threshold; raise an error unless it is "auto" or a number from 0 to 1.

    >>> check_threshold(0.25, 2), check_threshold("auto", 2)
    (0.25, 'auto')
    """
    value: float | str
    if threshold == AUTO:
        value = AUTO
    elif (
        isinstance(threshold, int | float)
        and not isinstance(threshold, bool)
        and 0 <= threshold <= 1
    ):
        value = float(threshold)
    else:
        raise ValueError(f"threshold must be 'auto' or a number from 0 to 1, got {threshold!r}")
    if n_classes != 2:
        raise ValueError(
            f"threshold is for two classes, and there are {n_classes}; give costs instead"
        )
    return value


def tuned_measure(key: str) -> str:
    """Return the measure of `ThresholdClassifier` for the measure that orders models.

    >>> tuned_measure("auc"), tuned_measure("average_precision:yes")
    ('balanced_accuracy', 'f1')
    """
    return _TUNED_FOR.get(key.partition(":")[0], "f1")


def positive_class(key: str, classes: Sequence[str], class_counts: ArrayLike) -> int:
    """Return the code of the class of a measure, such as "recall:yes", or of the rarer class."""
    label = key.partition(":")[2]
    return list(classes).index(label) if label in classes else rare_class(class_counts)


__all__ = [
    "AUTO",
    "MEASURES",
    "TunedThreshold",
    "check_threshold",
    "decide_by_threshold",
    "measure_thresholds",
    "positive_class",
    "tune_threshold",
    "tuned_measure",
]
