"""Choice of the measure by which models are ordered, from the numbers of rows of the classes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.evaluate.measures import MEASURES, Measure, class_measure

# The classes are far from balanced if the rarest has less than this part of an equal share.
FAR_FROM_BALANCED = 0.2


@dataclass(frozen=True, slots=True)
class MeasureChoice:
    """The measure that orders models, the one that breaks ties, and the reason.

    Attributes
    ----------
    measure : Measure
        Models are ordered by it.
    tie_breaker : Measure
        Orders models of the same value.
    reason : str
        One sentence for a reader.
    """

    measure: Measure
    tie_breaker: Measure
    reason: str


def choose_measure(class_counts: ArrayLike, classes: Sequence[Hashable] = ()) -> MeasureChoice:
    """Choose the measure that orders models, from the numbers of rows of the classes.

    The classes are far from balanced if the rarest has less than a fifth of an equal share of the
    rows: less than 10 % of two classes, less than 5 % of four. Then

    - two classes are judged by the average precision of the rarer one: a model that never finds it
      has a high accuracy, and an average precision as low as its share;
    - more classes are judged by balanced accuracy, in which each class has the same weight.

    Otherwise models are judged by accuracy. Log loss breaks ties in each case.

    Parameters
    ----------
    class_counts : array-like of shape (n_classes,)
        Number of rows of each class, or the sum of their weights. Classes without rows do not
        count.
    classes : sequence of labels, default=()
        Names of the classes for the sentence, in the same order; by default their codes.

    Returns
    -------
    MeasureChoice

    Examples
    --------
    >>> choose_measure([50, 50]).measure.key
    'accuracy'
    >>> choice = choose_measure([975, 25], ["flown", "cancelled"])
    >>> choice.measure.key
    'average_precision:cancelled'
    >>> print(choice.reason)
    Models are ordered by the average precision of cancelled, because only 2.5 % of the rows are \
of this class: always guessing flown has an accuracy of 97.5 %.
    """
    counts = _check_counts(class_counts, classes)
    labels = [str(label) for label in classes] or [str(code) for code in range(len(counts))]
    log_loss = MEASURES["log_loss"]
    there = np.flatnonzero(counts)
    rare, common = rare_class(counts), int(np.argmax(counts))
    share, largest = counts[[rare, common]] / counts.sum()
    if share * len(there) >= FAR_FROM_BALANCED or len(there) < 2:
        reason = "Models are ordered by accuracy, because no class is rare."
        return MeasureChoice(MEASURES["accuracy"], log_loss, reason)
    guess = f"always guessing {labels[common]} has an accuracy of {_percent(largest)}"
    if len(there) == 2:
        return MeasureChoice(
            class_measure("average_precision", rare, labels[rare]),
            log_loss,
            f"Models are ordered by the average precision of {labels[rare]}, because only "
            f"{_percent(share)} of the rows are of this class: {guess}.",
        )
    return MeasureChoice(
        MEASURES["balanced_accuracy"],
        log_loss,
        f"Models are ordered by balanced accuracy, because only {_percent(share)} of the rows are "
        f"of class {labels[rare]}, and {_percent(largest)} of class {labels[common]}: each class "
        "counts the same.",
    )


def rare_class(class_counts: ArrayLike) -> int:
    """Return the code of the class with the fewest rows, the last of several; it has some.

    >>> rare_class([30, 0, 10]), rare_class([5, 5])
    (2, 1)
    """
    counts = np.asarray(class_counts, dtype=np.float64)
    there = np.flatnonzero(counts)
    return int(there[len(there) - 1 - np.argmin(counts[there][::-1])])


def _check_counts(class_counts: ArrayLike, classes: Sequence[Hashable]) -> np.ndarray:
    counts = np.asarray(class_counts, dtype=np.float64)
    if counts.ndim != 1 or not (counts >= 0).all() or not np.isfinite(counts.sum()):
        raise ValueError(
            f"choose_measure: class_counts must be a number >= 0 for each class, "
            f"got {class_counts!r}"
        )
    if not counts.any():
        raise ValueError("choose_measure: class_counts must have at least one row, got none")
    if len(classes) not in (0, len(counts)):
        raise ValueError(
            f"choose_measure: classes must have a label for each of {len(counts)} class_counts, "
            f"got {len(classes)}"
        )
    return counts


def _percent(share: float) -> str:
    """Return a share with one decimal, or more so that it is not shown as 0 or 100."""
    decimals = 1
    while decimals < 6 and round(100.0 * share, decimals) in (0.0, 100.0):
        decimals += 1
    return f"{100.0 * share:.{decimals}f} %"


__all__ = ["FAR_FROM_BALANCED", "MeasureChoice", "choose_measure", "rare_class"]
