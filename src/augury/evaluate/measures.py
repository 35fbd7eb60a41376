"""The measures of predictions: their names, words, directions and computation.

`MEASURES` is the one list that tables, pages and JSON share. `find_measure` also knows measures of
one class, such as `recall:yes`.

Classes without test rows
-------------------------
A small fold may lack a class. The rules are the same for every model:

- Balanced accuracy is the mean recall over the classes that have test rows, as in scikit-learn.
- AUC and average precision are means over the classes that have test rows. They are NaN if no
  class is left (AUC also needs rows of another class), where scikit-learn raises an error or
  returns 0.
- F1 is the mean over the classes that are true or predicted for some row, as in scikit-learn. A
  class that is predicted but has no rows has an F1 of 0.
- Recall, F1, AUC and average precision of one class without test rows are NaN. Precision of a
  class that is never predicted is 0, as in scikit-learn, because a model could otherwise avoid bad
  values.

Whether a value is NaN depends on the true classes of the fold only, never on the model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from augury.arrays import FloatArray
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.reliability import top_label_bins
from augury.evaluate.scored_rows import ScoredRows
from augury.evaluate.threshold_counts import ThresholdCounts


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of predictions, and the words and the format for it.

    Attributes
    ----------
    key : str
        The name in options and in JSON, such as "log_loss" or "recall:yes".
    title : str
        Short words for a reader.
    unit : {"%", "nats", ""}
        Values are shown in this unit. Values themselves are shares: 1.0 is shown as 100 %.
    decimals : int
        Number of decimals to show.
    higher_is_better : bool
        Whether the best model has the highest value.
    needs_probabilities : bool
        Whether a model without probabilities has no value (NaN).
    meaning : str
        One sentence that says what the value is.
    compute : callable
        Returns the value of `ScoredRows`; call `of` instead.
    """

    key: str
    title: str
    unit: str
    decimals: int
    higher_is_better: bool
    needs_probabilities: bool
    meaning: str
    compute: Callable[[ScoredRows], float]

    def of(self, rows: ScoredRows) -> float:
        """Return the value; NaN if the rows have no probabilities and it needs them."""
        if self.needs_probabilities and rows.probabilities is None:
            return math.nan
        return self.compute(rows)

    @property
    def factor(self) -> float:
        """Factor from a value to its unit: 100 for percent."""
        return 100.0 if self.unit == "%" else 1.0

    @property
    def title_in_sentence(self) -> str:
        """The title without a capital, unless it is an acronym.

        >>> MEASURES["log_loss"].title_in_sentence, MEASURES["auc"].title_in_sentence
        ('log loss', 'AUC')
        """
        title = self.title
        return title if title[1:2].isupper() else title[:1].lower() + title[1:]

    def number(self, value: float) -> str:
        """Return a value in its unit, without the unit; "-" for NaN.

        >>> MEASURES["accuracy"].number(0.98912), MEASURES["log_loss"].number(math.nan)
        ('98.91', '-')
        >>> MEASURES["log_loss"].number(-1e-9)  # a number that rounds to zero has no sign
        '0.000'
        """
        return "-" if math.isnan(value) else f"{self.factor * value:z.{self.decimals}f}"

    def format(self, value: float) -> str:
        """Return a value in words: number and unit.

        >>> MEASURES["accuracy"].format(0.98912), MEASURES["log_loss"].format(0.0361)
        ('98.91 %', '0.036')
        """
        number = self.number(value)
        return f"{number} %" if self.unit == "%" and number != "-" else number

    def is_better(self, value: float, other: float) -> bool:
        """Return whether a value is strictly better than another; False if one is NaN."""
        return value > other if self.higher_is_better else value < other


# ---- computation ----------------------------------------------------------------------------


def _accuracy(rows: ScoredRows) -> float:
    return accuracy(rows.codes, rows.predicted, rows.weight)


def _balanced_accuracy(rows: ScoredRows) -> float:
    table = rows.confusion
    totals = table.sum(axis=1)
    there = totals > 0
    return float((np.diagonal(table)[there] / totals[there]).mean())


def _macro_f1(rows: ScoredRows) -> float:
    table = rows.confusion
    either = table.sum(axis=1) + table.sum(axis=0)[: rows.n_classes]
    there = either > 0
    return float((2.0 * np.diagonal(table)[there] / either[there]).mean())


def _log_loss(rows: ScoredRows) -> float:
    return log_loss(rows.codes, _distribution(rows), rows.weight)


def _brier(rows: ScoredRows) -> float:
    return brier_score(rows.codes, _distribution(rows), rows.weight)


def _ece(rows: ScoredRows) -> float:
    bins = top_label_bins(rows.codes, _distribution(rows), sample_weight=rows.weight)
    return bins.expected_calibration_error


def _distribution(rows: ScoredRows) -> FloatArray:
    assert rows.probabilities is not None  # `Measure.of` checks it
    return rows.probabilities


def _auc(rows: ScoredRows) -> float:
    if rows.n_classes == 2:
        return rows.thresholds_of(1).area_under_roc
    return _mean_over_classes(rows, lambda counts: counts.area_under_roc)


def _average_precision(rows: ScoredRows) -> float:
    if rows.n_classes == 2:
        return rows.thresholds_of(rows.positive).average_precision
    return _mean_over_classes(rows, lambda counts: counts.average_precision)


def _mean_over_classes(rows: ScoredRows, value: Callable[[ThresholdCounts], float]) -> float:
    each = [value(rows.thresholds_of(code)) for code in np.unique(rows.codes).tolist()]
    known = [one for one in each if not math.isnan(one)]
    return sum(known) / len(known) if known else math.nan


def _recall_of(code: int, rows: ScoredRows) -> float:
    row = rows.confusion[code]
    return float(row[code] / row.sum()) if row.any() else math.nan


def _precision_of(code: int, rows: ScoredRows) -> float:
    column = rows.confusion[:, code]
    return float(column[code] / column.sum()) if column.any() else 0.0


def _f1_of(code: int, rows: ScoredRows) -> float:
    table = rows.confusion
    if not table[code].any():
        return math.nan
    return float(2.0 * table[code, code] / (table[code].sum() + table[:, code].sum()))


def _auc_of(code: int, rows: ScoredRows) -> float:
    return rows.thresholds_of(code).area_under_roc


def _average_precision_of(code: int, rows: ScoredRows) -> float:
    return rows.thresholds_of(code).average_precision


# ---- the list -------------------------------------------------------------------------------

MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            "accuracy", "Accuracy", "%", 2, True, False,
            "Share of the rows whose class is predicted correctly.", _accuracy,
        ),
        Measure(
            "balanced_accuracy", "Balanced accuracy", "%", 2, True, False,
            "Mean over the classes of the share of their rows that are found.",
            _balanced_accuracy,
        ),
        Measure(
            "f1", "F1 (macro)", "", 3, True, False,
            "Mean over the classes of the harmonic mean of precision and recall.", _macro_f1,
        ),
        Measure(
            "auc", "AUC", "", 3, True, True,
            "Probability that a row of a class has a higher probability of it than another row; "
            "with more than two classes the mean of each class against the rest.", _auc,
        ),
        Measure(
            "average_precision", "Average precision", "", 3, True, True,
            "Precision averaged over all levels of recall: of the rarer of two classes, or the "
            "mean over more classes.", _average_precision,
        ),
        Measure(
            "log_loss", "Log loss", "nats", 3, False, True,
            "Mean of -ln p of the true class.", _log_loss,
        ),
        Measure(
            "brier", "Brier score", "", 3, False, True,
            "Mean squared distance between predicted and true distribution, from 0 to 2.", _brier,
        ),
        Measure(
            "ece", "Calibration error (ECE)", "", 3, False, True,
            "Mean difference between confidence and accuracy in 15 bins of confidence.", _ece,
        ),
    )
}  # fmt: skip

_OF_CLASS: dict[str, tuple[str, str, int, bool, str, Callable[[int, ScoredRows], float]]] = {
    "recall": ("Recall", "%", 2, False, "Share of the rows of {} that are found.", _recall_of),
    "precision": (
        "Precision", "%", 2, False, "Share of the rows predicted as {} that are {}.",
        _precision_of,
    ),
    "f1": ("F1", "", 3, False, "Harmonic mean of precision and recall of {}.", _f1_of),
    "auc": (
        "AUC", "", 3, True,
        "Probability that a row of {} has a higher probability of it than another row.", _auc_of,
    ),
    "average_precision": (
        "Average precision", "", 3, True,
        "Precision of {} averaged over all levels of recall.", _average_precision_of,
    ),
}  # fmt: skip

CLASS_MEASURES = tuple(_OF_CLASS)


def class_measure(name: str, code: int, label: Hashable) -> Measure:
    """Return a measure of one class.

    Parameters
    ----------
    name : {"recall", "precision", "f1", "auc", "average_precision"}
        What to measure.
    code : int
        Code of the class.
    label : str
        Its label, for the words.

    Examples
    --------
    >>> recall = class_measure("recall", 1, "yes")
    >>> recall.key, recall.title
    ('recall:yes', 'Recall of yes')
    >>> recall.of(ScoredRows.of([0, 0, 1, 1], [0, 1, 1, 1]))
    1.0
    """
    if name not in _OF_CLASS:
        allowed = ", ".join(map(repr, _OF_CLASS))
        raise ValueError(f"class_measure: name must be one of {allowed}, got {name!r}")
    title, unit, decimals, needs_probabilities, meaning, compute = _OF_CLASS[name]
    return Measure(
        f"{name}:{label}",
        f"{title} of {label}",
        unit,
        decimals,
        True,
        needs_probabilities,
        meaning.replace("{}", str(label)),
        partial(compute, code),
    )


COST = "cost"


def cost_measure(costs: FloatArray | None = None) -> Measure:
    """Return the mean cost of the predictions.

    Parameters
    ----------
    costs : array of shape (n_classes, n_classes), predicted × true, or None
        None: every wrong prediction costs 1.

    Examples
    --------
    >>> missed = np.array([[0.0, 10.0], [1.0, 0.0]])  # predicted × true
    >>> cost_measure(missed).of(ScoredRows.of([0, 0, 1, 1], [0, 1, 0, 1]))  # (1 + 10) / 4
    2.75
    """
    return Measure(
        COST,
        "Expected cost",
        "",
        3,
        False,
        False,
        "Mean cost of the predictions by the given costs.",
        partial(_mean_cost, costs),
    )


def _mean_cost(costs: FloatArray | None, rows: ScoredRows) -> float:
    table = rows.confusion
    prices = 1.0 - np.eye(rows.n_classes) if costs is None else costs
    # A prediction that is no class costs as much as the worst one.
    prices = np.vstack([prices, prices.max(axis=0)])
    return float((prices.T * table).sum() / table.sum())


def find_measure(key: str, classes: Sequence[Hashable] = ()) -> Measure:
    """Return the measure of a name: one of `MEASURES`, or of one class, such as "recall:yes".

    "cost" is `cost_measure` without costs: the share of wrong predictions.

    Parameters
    ----------
    key : str
        A hyphen may replace an underscore.
    classes : sequence of labels
        The classes in the order of their codes.

    Raises
    ------
    ValueError
        If there is no such measure or no such class; the message lists those that there are.

    Examples
    --------
    >>> find_measure("log-loss").title, find_measure("recall:b", ["a", "b"]).title
    ('Log loss', 'Recall of b')
    """
    name, colon, label = key.partition(":")
    name = name.replace("-", "_")
    if not colon and name in MEASURES:
        return MEASURES[name]
    if key == COST:
        return cost_measure()
    labels = [str(each) for each in classes]
    if colon and name in _OF_CLASS:
        if label in labels:
            return class_measure(name, labels.index(label), label)
        raise ValueError(
            f"measure {key!r}: the class must be one of {', '.join(labels)}, got {label!r}"
        )
    of_class = ", ".join(f"{each}:CLASS" for each in _OF_CLASS)
    known = ", ".join([*MEASURES, COST])
    raise ValueError(f"measure must be one of {known}, {of_class}, got {key!r}")


__all__ = [
    "CLASS_MEASURES",
    "COST",
    "MEASURES",
    "Measure",
    "ScoredRows",
    "class_measure",
    "cost_measure",
    "find_measure",
]
