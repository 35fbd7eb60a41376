"""Confusion, curves and calibration of one model, from its predictions of test rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import ndtri
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.decide.cost_matrix import least_cost
from augury.decide.threshold_tuning import decide_by_threshold
from augury.evaluate.measure_choice import rare_class
from augury.summary.contents.table_summary import (
    CalibrationOfModel,
    ClassCurves,
    ClassScores,
    MergedBin,
    ReferenceCurves,
)
from augury.summary.contents.verdict import DecisionOfModel
from augury.summary.table.row_predictions import RowPredictions

# Points of a curve on the page, and classes that have one.
_MAX_POINTS, _MAX_CLASSES = 160, 12
# A bin of calibration has at least this number of rows, if there are as many.
_MIN_ROWS = 25
_QUANTILES = np.linspace(0, 1, 7)[1:-1]
_DIGITS = 6
_LEVEL = 0.975  # quantile of a two-sided 95 % interval


def decide_rows(found: RowPredictions, decision: DecisionOfModel | None) -> RowPredictions:
    """Return the rows with the classes that costs or a threshold decide for."""
    p = found.probabilities
    if decision is None or p is None:
        return found
    if decision.costs:
        return replace(found, predicted=least_cost(p, np.array(decision.costs)))
    positive = decision.classes.index(decision.positive)
    threshold = np.inf if decision.threshold is None else decision.threshold
    return replace(found, predicted=decide_by_threshold(p, positive, threshold))


def confusion_of(found: RowPredictions) -> FloatArray:
    """Return the mean number of rows in a run, of shape (true, predicted).

    Predictions that are no class are left out.
    """
    q = found.n_classes
    has_class = found.predicted >= 0
    codes = found.true[has_class] * q + found.predicted[has_class]
    return np.bincount(codes, minlength=q * q).reshape(q, q) / found.n_runs


def class_scores(found: RowPredictions, labels: Sequence[str]) -> tuple[ClassScores, ...]:
    """Return recall and precision of each class."""
    table = confusion_of(found)
    hits, predicted = np.diag(table), table.sum(axis=0)
    tested = np.bincount(found.true, minlength=found.n_classes) / found.n_runs
    return tuple(
        ClassScores(
            label,
            round(float(tested[c])),
            float(hits[c] / tested[c]) if tested[c] else None,
            float(hits[c] / predicted[c]) if predicted[c] else None,
        )
        for c, label in enumerate(labels)
    )


def class_curves(
    found: RowPredictions,
    labels: Sequence[str],
    decision: DecisionOfModel | None = None,
    reference: tuple[str, RowPredictions] | None = None,
) -> tuple[ClassCurves, ...]:
    """Return the curves of each class; of two classes those of the positive or rarer one.

    Parameters
    ----------
    found : RowPredictions
        Without probabilities there are no curves.
    labels : [class]
    decision : DecisionOfModel or None
        Has the positive class and its threshold; None is the rarer class and 0.5. The predicted
        classes of `found` are those of the decision, see `decide_rows`.
    reference : (name, RowPredictions) or None
        Another model on the same test rows.
    """
    if found.probabilities is None:
        return ()
    counts = np.bincount(found.true, minlength=found.n_classes)
    shown, cut = list(range(found.n_classes)), None
    if found.n_classes == 2:
        shown, cut = [rare_class(counts)], 0.5
        if decision is not None and decision.positive:
            shown, cut = [list(labels).index(decision.positive)], decision.threshold
    curves = []
    for c in shown[:_MAX_CLASSES]:
        if not 0 < counts[c] < len(found.true):
            continue
        is_chosen = found.predicted == c
        drawn = _curves_of(labels[c], found.true == c, found.probabilities[:, c], is_chosen, cut)
        curves.append(replace(drawn, reference=_reference_of(reference, c, drawn.chosen[2])))
    return tuple(curves)


def _reference_of(
    reference: tuple[str, RowPredictions] | None, c: int, precision: float | None
) -> ReferenceCurves | None:
    """Return the curves of the reference, and what it finds with a precision."""
    if reference is None or reference[1].probabilities is None:
        return None
    name, found = reference
    is_class, p = found.true == c, reference[1].probabilities[:, c]
    if not 0 < is_class.sum() < len(is_class):
        return None
    drawn = _curves_of(name, is_class, p, found.predicted == c, None)
    share = None
    if precision is not None:
        precisions, recalls, _ = precision_recall_curve(is_class, p)
        share = float(recalls[precisions >= precision].max(initial=0.0))
    return ReferenceCurves(
        model=name,
        false_positive_rate=drawn.false_positive_rate,
        true_positive_rate=drawn.true_positive_rate,
        recall=drawn.recall,
        precision=drawn.precision,
        auc=drawn.auc,
        average_precision=drawn.average_precision,
        found=share,
    )


def _curves_of(
    label: str, is_class: BoolArray, p: FloatArray, is_chosen: BoolArray, threshold: float | None
) -> ClassCurves:
    false_rate, true_rate, _ = roc_curve(is_class, p)
    precision, recall, _ = precision_recall_curve(is_class, p, drop_intermediate=True)
    roc = _thin(false_rate, true_rate)
    shares = _thin(recall[::-1], precision[::-1])
    n_chosen = int(is_chosen.sum())
    return ClassCurves(
        label=label,
        share=float(is_class.mean()),
        false_positive_rate=roc[0],
        true_positive_rate=roc[1],
        recall=shares[0],
        precision=shares[1],
        auc=float(roc_auc_score(is_class, p)),
        average_precision=float(average_precision_score(is_class, p)),
        threshold=threshold,
        chosen=(
            float(is_chosen[~is_class].mean()),
            float(is_chosen[is_class].mean()),
            float(is_class[is_chosen].mean()) if n_chosen else None,
        ),
    )


def _thin(x: FloatArray, y: FloatArray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return some points of a curve whose x ascends, evenly spaced along the curve."""
    if len(x) > _MAX_POINTS:
        along = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
        places = np.searchsorted(along, np.linspace(0, along[-1], _MAX_POINTS))
        chosen = np.unique(np.concatenate([[0], places, [len(x) - 1]]))
        chosen = chosen[chosen < len(x)]
        x, y = x[chosen], y[chosen]
    return tuple(x.round(_DIGITS).tolist()), tuple(y.round(_DIGITS).tolist())


def calibration_of(found: RowPredictions, labels: Sequence[str]) -> CalibrationOfModel | None:
    """Return bins of predicted probabilities, and intervals of the observed shares.

    The edges of the bins are quantiles of the probability, of all rows and of the rows for which
    the event occurs, so that a rare event has several bins. Bins of fewer than 25 rows are merged.
    A row counts once, however many runs predict it: the number of rows of a bin is that of its
    predictions divided by the number of runs.
    """
    label, p, is_event = "", found.confidence, found.predicted == found.true
    if found.n_classes == 2 and found.probabilities is not None:
        c = rare_class(np.bincount(found.true, minlength=2))
        label, p, is_event = labels[c], found.probabilities[:, c], found.true == c
    if p is None:
        return None
    edges = np.unique(
        np.concatenate([np.quantile(part, _QUANTILES) for part in (p, p[is_event]) if len(part)])
    )
    places = np.searchsorted(edges, p, side="right")
    bins = []
    for rows in _merged(places, _MIN_ROWS * found.n_runs):
        n = max(round(len(rows) / found.n_runs), 1)
        share = float(is_event[rows].mean())
        bins.append(MergedBin(n, float(p[rows].mean()), share, *wilson_interval(share, n)))
    total = sum(each.n for each in bins)
    ece = sum(each.n * abs(each.probability - each.share) for each in bins) / total
    return CalibrationOfModel(label, tuple(bins), float(ece))


def _merged(places: IntegerArray, fewest: int) -> list[IntegerArray]:
    """Return the rows of each place; neighbours are merged until they have enough rows."""
    order = np.argsort(places, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(places[order])) + 1)
    merged: list[IntegerArray] = []
    for part in parts:
        if merged and (len(merged[-1]) < fewest or len(part) < fewest):
            merged[-1] = np.concatenate([merged[-1], part])
        else:
            merged.append(part)
    return merged


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of n rows.

    E. B. Wilson (1927): Probable inference, the law of succession, and statistical inference.

    >>> low, high = wilson_interval(0.9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    z2 = float(ndtri(_LEVEL)) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return max(middle - float(half), 0.0), min(middle + float(half), 1.0)


__all__ = [
    "calibration_of",
    "class_curves",
    "class_scores",
    "confusion_of",
    "decide_rows",
    "wilson_interval",
]
