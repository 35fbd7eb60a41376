"""Confusion, curves and calibration from predictions of rows, by hand and by scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from augury.bases.explanation import write_value
from augury.summary.contents.verdict import DecisionOfModel
from augury.summary.table.hard_rows import find_hardest
from augury.summary.table.prediction_details import (
    calibration_of,
    class_curves,
    class_scores,
    confusion_of,
    decide_rows,
    wilson_interval,
)
from augury.summary.table.row_predictions import RowPredictions


def make(true, p, n_runs=1, predicted=None):
    """Return predictions of rows 0, 1, … of each run; p has a row for each prediction."""
    true, p = np.asarray(true), np.asarray(p, dtype=float)
    best = p.argmax(axis=1) if predicted is None else np.asarray(predicted)
    rows = np.tile(np.arange(len(true) // n_runs), n_runs)
    folds = frozenset((run, 1) for run in range(1, n_runs + 1))
    return RowPredictions(true, rows, best, p.max(axis=1), p, folds, p.shape[1])


FOUR = make([0, 0, 0, 1], [[0.9, 0.1], [0.4, 0.6], [0.8, 0.2], [0.3, 0.7]])


def test_confusion_by_hand():
    assert confusion_of(FOUR).tolist() == [[2, 1], [0, 1]]
    first, second = class_scores(FOUR, ["no", "yes"])
    assert (first.recall, first.precision) == (pytest.approx(2 / 3), 1.0)
    assert (second.recall, second.precision, second.n_rows) == (1.0, 0.5, 1)


def test_a_class_that_is_never_predicted_has_no_precision():
    found = make([0, 1], [[0.9, 0.1], [0.8, 0.2]])
    assert class_scores(found, ["no", "yes"])[1].precision is None
    [curves] = class_curves(found, ["no", "yes"])
    assert curves.chosen == (0.0, 0.0, None)


def test_predictions_without_a_class_are_no_hits():
    found = make([0, 1], [[0.9, 0.1], [0.2, 0.8]], predicted=[-1, 1])
    assert confusion_of(found).tolist() == [[0, 0], [0, 1]]
    assert class_scores(found, ["no", "yes"])[0].recall == 0.0


def test_curves_of_two_classes_are_those_of_the_rarer_one():
    [curves] = class_curves(FOUR, ["no", "yes"])
    assert (curves.label, curves.share, curves.threshold) == ("yes", 0.25, 0.5)
    assert curves.chosen == (pytest.approx(1 / 3), 1.0, 0.5)
    assert curves.auc == 1.0


def test_a_threshold_and_costs_decide():
    by_threshold = DecisionOfModel(("no", "yes"), positive="yes", threshold=0.65)
    decided = decide_rows(FOUR, by_threshold)
    [curves] = class_curves(decided, ["no", "yes"], by_threshold)
    assert (curves.threshold, curves.chosen) == (0.65, (0.0, 1.0, 1.0))
    assert confusion_of(decided).tolist() == [[3, 0], [0, 1]]
    by_costs = DecisionOfModel(("no", "yes"), costs=((0.0, 0.0), (1.0, 0.0)))
    assert not decide_rows(FOUR, by_costs).predicted.any()  # to miss yes costs nothing
    never = DecisionOfModel(("no", "yes"), positive="no", threshold=None)
    [curves] = class_curves(decide_rows(FOUR, never), ["no", "yes"], never)
    assert (curves.label, curves.threshold, curves.chosen[2]) == ("no", None, None)


def test_the_reference_is_compared_at_equal_precision():
    """The model finds both of yes with a precision of 2/3; the reference then finds one."""
    true = [1, 1, 0, 0, 0]
    own = make(true, [[0.1, 0.9], [0.2, 0.8], [0.4, 0.6], [0.9, 0.1], [0.9, 0.1]])
    other = make(true, [[0.1, 0.9], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6], [0.9, 0.1]])
    [curves] = class_curves(own, ["no", "yes"], None, ("nb", other))
    assert curves.chosen[1:] == (1.0, pytest.approx(2 / 3))
    assert (curves.reference.model, curves.reference.found) == ("nb", 0.5)
    expected = average_precision_score(np.equal(true, 1), other.probabilities[:, 1])
    assert curves.reference.average_precision == pytest.approx(expected)
    [alone] = class_curves(own, ["no", "yes"])
    assert alone.reference is None


def test_areas_are_those_of_scikit_learn_and_curves_have_few_points():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 3000)
    p = rng.dirichlet([1, 1, 1], 3000)
    p[np.arange(3000), true] += 0.3
    p /= p.sum(axis=1, keepdims=True)
    found = class_curves(make(true, p), ["a", "b", "c"])
    assert [each.label for each in found] == ["a", "b", "c"]
    for c, each in enumerate(found):
        assert each.auc == pytest.approx(roc_auc_score(true == c, p[:, c]))
        assert each.average_precision == pytest.approx(average_precision_score(true == c, p[:, c]))
        assert each.threshold is None
        assert len(each.recall) <= 162
        assert (each.recall[0], each.recall[-1]) == (0.0, 1.0)
        area = np.trapezoid(each.true_positive_rate, each.false_positive_rate)
        assert area == pytest.approx(each.auc, abs=0.005)


def test_calibration_has_bins_with_enough_rows_and_intervals():
    rng = np.random.default_rng(1)
    p = rng.beta(0.3, 6, 4000)
    true = (rng.random(4000) < p).astype(int)
    found = calibration_of(make(true, np.column_stack([1 - p, p])), ["no", "yes"])
    assert found.label == "yes"
    assert sum(each.n for each in found.bins) == 4000
    assert min(each.n for each in found.bins) >= 25
    assert len(found.bins) > 4
    assert all(each.low <= each.share <= each.high for each in found.bins)
    inside = sum(each.low <= each.probability <= each.high for each in found.bins)
    assert inside >= len(found.bins) - 1  # the probabilities are true ones
    assert found.ece < 0.02


def test_a_row_counts_once_in_the_intervals():
    p = np.tile([[0.4, 0.35, 0.25]], (60, 1))
    once = calibration_of(make(np.arange(60) % 2, p), ["a", "b", "c"])
    twice = calibration_of(
        make(np.tile(np.arange(60) % 2, 2), np.tile(p, (2, 1)), n_runs=2), ["a", "b", "c"]
    )
    for found in (once, twice):
        [only] = found.bins
        assert only.n == 60
        assert (only.low, only.high) == wilson_interval(0.5, 60)


def test_the_hardest_rows_are_wrong_with_the_highest_probability():
    p = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.3, 0.7]] * 2
    found = find_hardest(make([0, 0, 0, 1] * 2, p, n_runs=2), ["no", "yes"])
    assert [(each.row, each.true, each.predicted) for each in found] == [
        (3, "no", "yes"),
        (2, "no", "yes"),
    ]
    assert found[0].probability == pytest.approx(0.8)
    assert find_hardest(make([0], [[0.9, 0.1]]), ["no", "yes"]) == []


def test_values_as_text():
    assert [write_value(each) for each in (np.nan, 3, 2.5, "x")] == ["missing", "3", "2.5", "x"]
