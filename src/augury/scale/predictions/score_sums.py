"""Measures of predicted rows whose classes are known, as sums that add over blocks of rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from augury.arrays import Array, FloatArray
from augury.evaluate.losses import SMALLEST_PROBABILITY
from augury.evaluate.measure_choice import rare_class
from augury.evaluate.measures import MEASURES, Measure, class_measure
from augury.evaluate.scored_rows import ScoredRows
from augury.scale.predictions.probability_counts import ProbabilityCounts

# Measures that follow from the numbers of rows of each true and predicted class.
_OF_COUNTS = ("accuracy", "balanced_accuracy", "f1")
# With more classes there is no AUC and no average precision: each class has counts of its own.
_MOST_RANKED = 20


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """A measure of the predictions, and of the predictions that ignore the columns.

    Attributes
    ----------
    measure : Measure
    value : float
    baseline : float
        Of the class that most rows have, predicted for every row; for measures of probabilities,
        of the shares of the classes. NaN for a measure of one class.
    """

    measure: Measure
    value: float
    baseline: float


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSums:
    """Sums over rows whose classes are known.

    Attributes
    ----------
    classes : tuple of labels
        The classes of the model.
    counts : array of shape (n_classes + 1, n_classes)
        Number of rows of each true and predicted class. The last true class is that of rows whose
        class the model does not know.
    nats, squares : float or None
        Sums of the log loss and of the Brier score; None without probabilities.
    ranked : [class]
        Rows by the probability of each class; empty without probabilities and with more than 20
        classes.
    """

    classes: tuple[Hashable, ...]
    counts: FloatArray
    nats: float | None
    squares: float | None
    ranked: tuple[ProbabilityCounts, ...] = ()

    @classmethod
    def collect(
        cls, classes: Array, target: pd.Series, predicted: Array, probabilities: Array | None
    ) -> ScoreSums:
        """Sum over rows; those without a class do not count.

        >>> sums = ScoreSums.collect(
        ...     np.array([0, 1]), pd.Series([0.0, 1.0, None]), np.array([0, 0, 1]), None)
        >>> sums.counts.tolist(), sums.n_rows
        ([[1.0, 0.0], [1.0, 0.0], [0.0, 0.0]], 2)
        """
        known = target.notna().to_numpy()
        true = code_labels(target[known], classes)
        guess = code_labels(pd.Series(np.asarray(predicted)[known]), classes)
        n_classes = len(classes)
        cells = np.where(true < 0, n_classes, true) * n_classes + guess
        counts = np.bincount(cells, minlength=(n_classes + 1) * n_classes).astype(np.float64)
        nats = squares = None
        ranked: tuple[ProbabilityCounts, ...] = ()
        if probabilities is not None:
            p = np.asarray(probabilities)[known]
            own = np.where(true < 0, 0.0, p[np.arange(len(true)), true])
            nats = float(-np.log(np.clip(own, SMALLEST_PROBABILITY, 1.0)).sum())
            squares = float((np.einsum("ic,ic->i", p, p) - 2.0 * own + 1.0).sum())
            if n_classes <= _MOST_RANKED:
                ranked = tuple(
                    ProbabilityCounts.collect(true == c, p[:, c]) for c in range(n_classes)
                )
        labels = tuple(np.asarray(classes).tolist())
        return cls(labels, counts.reshape(n_classes + 1, n_classes), nats, squares, ranked)

    def __add__(self, other: ScoreSums) -> ScoreSums:
        return ScoreSums(
            self.classes,
            self.counts + other.counts,
            None if self.nats is None or other.nats is None else self.nats + other.nats,
            None if self.squares is None or other.squares is None else self.squares + other.squares,
            tuple(a + b for a, b in zip(self.ranked, other.ranked, strict=True)),
        )

    @property
    def n_rows(self) -> int:
        """Number of rows whose classes are known."""
        return int(self.counts.sum())

    @property
    def class_rows(self) -> FloatArray:
        """Number of rows of each class, and of those that the model does not know."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def most_common(self) -> int:
        """Code of the class of the model that most rows have."""
        return int(self.class_rows[:-1].argmax())

    def measures(self) -> Iterator[MeasuredValue]:
        """Yield the measures of all classes."""
        always = np.zeros_like(self.counts)
        always[:, self.most_common] = self.class_rows
        for key in _OF_COUNTS:
            values = [MEASURES[key].of(_as_rows(counts)) for counts in (self.counts, always)]
            yield MeasuredValue(MEASURES[key], *values)
        if self.ranked:
            yield from self._ranked_measures()
        shares = self.class_rows / self.n_rows
        there = shares[shares > 0]
        if self.nats is not None:
            entropy = float(-(there * np.log(there)).sum())
            yield MeasuredValue(MEASURES["log_loss"], self.nats / self.n_rows, entropy)
        if self.squares is not None:
            gini = float(1.0 - (there**2).sum())
            yield MeasuredValue(MEASURES["brier"], self.squares / self.n_rows, gini)

    def _ranked_measures(self) -> Iterator[MeasuredValue]:
        """Yield AUC and average precision, by the rules of `augury.evaluate.measures`."""
        rows = self.class_rows[:-1]
        codes = np.flatnonzero(rows).tolist()
        if len(self.classes) == 2 and codes:
            codes = [rare_class(rows)]
        curves = [self.ranked[code].at_thresholds() for code in codes]
        areas = [each.area_under_roc for each in curves if each.n_positive and each.n_negative]
        shares = [float(rows[code] / self.n_rows) for code in codes]
        yield MeasuredValue(MEASURES["auc"], _mean(areas), 0.5 if areas else float("nan"))
        precision = _mean([each.average_precision for each in curves])
        yield MeasuredValue(MEASURES["average_precision"], precision, _mean(shares))

    def class_measures(self, code: int) -> tuple[MeasuredValue, MeasuredValue]:
        """Return recall and precision of a class."""
        rows = _as_rows(self.counts)
        recall, precision = (
            class_measure(name, code, self.classes[code]) for name in ("recall", "precision")
        )
        return (
            MeasuredValue(recall, recall.of(rows), float("nan")),
            MeasuredValue(precision, precision.of(rows), float("nan")),
        )

    def mean_cost(self, costs: FloatArray) -> tuple[float, float]:
        """Return the mean cost of the decisions, and that of the cheapest class for all rows.

        Rows whose class the model does not know are left out.

        Parameters
        ----------
        costs : array of shape (n_classes, n_classes), predicted × true
        """
        counts = self.counts[:-1]
        of_class = counts.sum(axis=1)
        total = of_class.sum()
        if not total:
            return float("nan"), float("nan")
        return float((costs.T * counts).sum() / total), float((costs @ of_class).min() / total)


def code_labels(labels: pd.Series, classes: Array) -> Array:
    """Return the code of each label, -1 if it is no class; text and numbers may be the same label.

    >>> code_labels(pd.Series(["1", "2", "x"]), np.array([1, 2])).tolist()
    [0, 1, -1]
    """
    known = pd.Series(classes)
    both: Any = (labels, known)
    if not all(is_numeric_dtype(each) and not is_bool_dtype(each) for each in both):
        both = tuple(each.astype(str) for each in both)
    return np.asarray(pd.Index(both[1].to_numpy()).get_indexer(both[0].to_numpy()))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def _as_rows(counts: FloatArray) -> ScoredRows:
    """Return a row for each true and predicted class that occur together, with their number."""
    true, predicted = np.nonzero(counts)
    weight = counts[true, predicted]
    return ScoredRows.of(true, predicted, None, weight, n_classes=counts.shape[0])


__all__ = ["MeasuredValue", "ScoreSums", "code_labels"]
