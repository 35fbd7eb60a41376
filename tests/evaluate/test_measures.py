"""Every measure equals scikit-learn's function of the same name, or is computed by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from augury.evaluate import (
    MEASURES,
    ScoredRows,
    ThresholdCounts,
    choose_measure,
    class_measure,
    find_measure,
    top_label_bins,
)
from augury.evaluate.measures import CLASS_MEASURES
from tests.versions import needs_scikit_learn

Drawn = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def draw(n_classes: int, seed: int, n_rows: int = 200) -> Drawn:
    """Return codes, predictions that are not always the most probable, probabilities, weights."""
    rng = np.random.default_rng(seed)
    codes = np.append(np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes))
    weight = rng.integers(0, 4, n_rows).astype(float)
    weight[:n_classes] = 1.0
    probabilities = rng.dirichlet(np.full(n_classes, 0.5), n_rows)
    # Rounded, so that many rows have the same probabilities.
    probabilities = np.round(probabilities, 1) + 0.01
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    probabilities[: n_rows // 2, :] = probabilities[0]
    guess = np.where(rng.random(n_rows) < 0.3, codes, probabilities.argmax(axis=1))
    return codes, guess, probabilities, weight


def value(key: str, rows: ScoredRows) -> float:
    return find_measure(key, range(rows.n_classes)).of(rows)


@needs_scikit_learn("1.7", "brier_score_loss takes two classes")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_equal_to_scikit_learn(n_classes: int, weighted: bool) -> None:
    codes, guess, probabilities, weight = draw(n_classes, seed=n_classes)
    w = weight if weighted else None
    rows = ScoredRows.of(codes, guess, probabilities, w)
    one_hot = np.eye(n_classes, dtype=int)[codes]
    score = probabilities[:, 1] if n_classes == 2 else probabilities
    true = codes if n_classes == 2 else one_hot
    expected = {
        "accuracy": metrics.accuracy_score(codes, guess, sample_weight=w),
        "balanced_accuracy": metrics.balanced_accuracy_score(codes, guess, sample_weight=w),
        "f1": metrics.f1_score(codes, guess, average="macro", sample_weight=w),
        "auc": metrics.roc_auc_score(
            codes, score, multi_class="ovr", average="macro", sample_weight=w
        ),
        "average_precision": metrics.average_precision_score(
            true, score, average="macro", sample_weight=w
        ),
        "log_loss": metrics.log_loss(codes, probabilities, sample_weight=w),
        "brier": metrics.brier_score_loss(
            codes, probabilities, sample_weight=w, labels=range(n_classes), scale_by_half=False
        ),
        "ece": top_label_bins(codes, probabilities, sample_weight=w).expected_calibration_error,
    }
    assert list(expected) == list(MEASURES)
    for key, wanted in expected.items():
        assert value(key, rows) == pytest.approx(wanted, rel=1e-12), key
    each = {"average": None, "sample_weight": w}
    by_class = {
        "recall": metrics.recall_score(codes, guess, **each),
        "precision": metrics.precision_score(codes, guess, **each),
        "f1": metrics.f1_score(codes, guess, **each),
        "auc": [
            metrics.roc_auc_score(one_hot[:, c], probabilities[:, c], sample_weight=w)
            for c in range(n_classes)
        ],
        "average_precision": metrics.average_precision_score(
            one_hot, probabilities, average=None, sample_weight=w
        ),
    }
    assert tuple(by_class) == CLASS_MEASURES
    for key, wanted in by_class.items():
        for code in range(n_classes):
            found = value(f"{key}:{code}", rows)
            assert found == pytest.approx(wanted[code], rel=1e-12), (key, code)


def test_curves_equal_scikit_learn() -> None:
    codes, _, probabilities, weight = draw(2, seed=7)
    rows = ScoredRows.of(codes, codes, probabilities, weight)
    counts = rows.thresholds_of(1)
    false_rate, recall, thresholds = metrics.roc_curve(
        codes, probabilities[:, 1], sample_weight=weight, drop_intermediate=False
    )
    np.testing.assert_allclose(counts.false_positive_rate, false_rate[1:])
    np.testing.assert_allclose(counts.recall, recall[1:])
    np.testing.assert_array_equal(counts.thresholds, thresholds[1:])
    precision, _, _ = metrics.precision_recall_curve(
        codes, probabilities[:, 1], sample_weight=weight
    )
    np.testing.assert_allclose(counts.precision[::-1], precision[:-1])


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=9)
)
def test_auc_is_the_share_of_pairs_in_order(rows: list[tuple[bool, int, int]]) -> None:
    is_positive, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    counts = ThresholdCounts.collect(is_positive, score, weight)
    above = total = 0.0
    for s, w in zip(score[is_positive], weight[is_positive], strict=True):
        for t, v in zip(score[~is_positive], weight[~is_positive], strict=True):
            total += w * v
            above += w * v * ((s > t) + 0.5 * (s == t))
    if total:
        assert counts.area_under_roc == pytest.approx(above / total)
    else:
        assert math.isnan(counts.area_under_roc)


class TestClassesWithoutTestRows:
    CODES = (0, 0, 1, 1)
    PREDICTED = (0, 2, 1, 0)
    PROBABILITIES = ((0.6, 0.2, 0.2), (0.1, 0.1, 0.8), (0.2, 0.7, 0.1), (0.5, 0.4, 0.1))

    def rows(self) -> ScoredRows:
        return ScoredRows.of(self.CODES, self.PREDICTED, self.PROBABILITIES)

    def test_means_leave_the_class_out(self) -> None:
        rows = self.rows()
        assert value("balanced_accuracy", rows) == 0.5
        with pytest.warns(UserWarning, match="y_pred contains classes not in y_true"):
            assert metrics.balanced_accuracy_score(self.CODES, self.PREDICTED) == 0.5
        # class 0: 0.6 and 0.1 against 0.2 and 0.5; class 1: 0.7 and 0.4 against 0.2 and 0.1.
        assert value("auc", rows) == (0.5 + 1.0) / 2
        assert value("average_precision", rows) == pytest.approx((0.5 * 1 + 0.5 * 2 / 4 + 1) / 2)

    def test_f1_counts_classes_that_are_predicted(self) -> None:
        wanted = metrics.f1_score(self.CODES, self.PREDICTED, average="macro")
        assert value("f1", self.rows()) == pytest.approx(wanted)

    def test_measures_of_the_class_are_not_defined(self) -> None:
        rows = self.rows()
        for key in ("recall", "f1", "auc", "average_precision"):
            assert math.isnan(value(f"{key}:2", rows)), key
        assert value("precision:2", rows) == 0.0

    def test_precision_of_a_class_that_is_never_predicted_is_zero(self) -> None:
        rows = ScoredRows.of([0, 1], [0, 0])
        assert value("precision:1", rows) == 0.0
        with pytest.warns(UndefinedMetricWarning):
            assert metrics.precision_score([0, 1], [0, 0]) == 0.0

    @pytest.mark.parametrize("key", ["auc", "average_precision"])
    def test_one_class_alone(self, key: str) -> None:
        rows = ScoredRows.of([0, 0], [0, 1], [[0.9, 0.1], [0.4, 0.6]])
        assert math.isnan(value(key, rows))


def test_a_prediction_that_is_no_class_is_wrong() -> None:
    rows = ScoredRows.of([0, 0, 1], [0, -1, 1])
    assert value("accuracy", rows) == 2 / 3
    assert value("balanced_accuracy", rows) == 0.75
    assert value("f1", rows) == pytest.approx((2 / 3 + 1) / 2)
    assert value("precision:0", rows) == 1.0
    assert value("recall:0", rows) == 0.5


def test_average_precision_of_two_classes_is_that_of_the_positive_class() -> None:
    probabilities = [[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]
    for positive in (0, 1):
        rows = ScoredRows.of([0, 1, 1], [0, 1, 0], probabilities, positive=positive)
        wanted = value(f"average_precision:{positive}", rows)
        assert value("average_precision", rows) == wanted


def test_a_model_without_probabilities_has_no_measure_of_them() -> None:
    rows = ScoredRows.of([0, 1], [0, 1])
    for measure in MEASURES.values():
        assert math.isnan(measure.of(rows)) == measure.needs_probabilities, measure.key
        assert measure.format(measure.of(rows)) in ("-", "100.00 %", "1.000")


def test_direction_and_words() -> None:
    assert MEASURES["accuracy"].is_better(0.9, 0.8)
    assert MEASURES["log_loss"].is_better(0.1, 0.2)
    assert not MEASURES["log_loss"].is_better(math.nan, 0.2)
    assert {m.key for m in MEASURES.values() if not m.higher_is_better} == {
        "log_loss",
        "brier",
        "ece",
    }
    assert find_measure("balanced-accuracy").key == "balanced_accuracy"
    assert class_measure("precision", 0, "a").meaning == (
        "Share of the rows predicted as a that are a."
    )


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("acc", r"^measure must be one of accuracy, .*, recall:CLASS, .* got 'acc'$"),
        ("recall", r"^measure must be one of .* got 'recall'$"),
        ("recall:c", r"^measure 'recall:c': the class must be one of a, b, got 'c'$"),
        ("log_loss:a", r"^measure must be one of .* got 'log_loss:a'$"),
    ],
)
def test_unknown_measures_are_refused(key: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_measure(key, ["a", "b"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0]), "two columns of one length"),
        (([], []), "at least one row"),
        (([0.0, 1.0], [0, 1]), "codes must be integers >= 0"),
        (([0, 1], [0, -2]), "predicted must be integers >= -1"),
        (([0, 1], [0, 2], [[1, 0], [0, 1]]), "below n_classes = 2, got 2"),
        (([0, 1], [0, 1], [[1, 1], [0, 1]]), "sum to 1"),
    ],
)
def test_bad_rows_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ScoredRows.of(*arguments)


class TestChoice:
    @pytest.mark.parametrize(
        ("counts", "key"),
        [
            ([50, 50], "accuracy"),
            ([90, 10], "accuracy"),
            ([901, 99], "average_precision:1"),
            ([3, 500], "average_precision:0"),
            ([0, 500, 3], "average_precision:2"),
            ([40, 30, 30], "accuracy"),
            ([93, 93, 14], "accuracy"),
            ([94, 94, 12], "balanced_accuracy"),
            ([100, 0], "accuracy"),
        ],
    )
    def test_rule(self, counts: list[int], key: str) -> None:
        choice = choose_measure(counts)
        assert choice.measure.key == key
        assert choice.tie_breaker.key == "log_loss"

    def test_reasons(self) -> None:
        assert choose_measure([5, 5]).reason == (
            "Models are ordered by accuracy, because no class is rare."
        )
        assert choose_measure([99_996, 2, 2], ["a", "b", "c"]).reason == (
            "Models are ordered by balanced accuracy, because only 0.002 % of the rows are of "
            "class c, and 99.996 % of class a: each class counts the same."
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([[1, 2]],), "a number >= 0 for each class"),
            (([-1, 2],), "a number >= 0 for each class"),
            (([0, 0],), "at least one row"),
            (([1, 2], ["a"]), "a label for each of 2 class_counts, got 1"),
        ],
    )
    def test_bad_counts_are_refused(self, arguments: tuple, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            choose_measure(*arguments)
