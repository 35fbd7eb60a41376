"""Measures from sums of blocks equal those of all rows."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from augury.scale.predictions.score_sums import ScoreSums, code_labels
from tests.versions import needs_scikit_learn

CLASSES = np.array(["a", "b", "c"])


def drawn() -> tuple[pd.Series, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    true = pd.Series(CLASSES[random.choice(3, 90, p=[0.6, 0.3, 0.1])], dtype=object)
    probabilities = random.dirichlet(np.ones(3), 90)
    return true, CLASSES[probabilities.argmax(axis=1)], probabilities


@needs_scikit_learn("1.7", "brier_score_loss takes two classes")
def test_blocks_add_to_the_measures_of_scikit_learn() -> None:
    true, predicted, p = drawn()
    parts = [
        ScoreSums.collect(CLASSES, true[rows], predicted[rows], p[rows])
        for rows in (slice(0, 20), slice(20, 21), slice(21, None))
    ]
    sums = parts[0] + parts[1] + parts[2]
    found = {each.measure.key: (each.value, each.baseline) for each in sums.measures()}
    shares = np.tile(true.value_counts(normalize=True)[CLASSES].to_numpy(), (90, 1))
    always = np.full(90, "a")
    expected = {
        "accuracy": [metrics.accuracy_score(true, each) for each in (predicted, always)],
        "balanced_accuracy": [
            metrics.balanced_accuracy_score(true, each) for each in (predicted, always)
        ],
        "f1": [metrics.f1_score(true, each, average="macro") for each in (predicted, always)],
        "auc": [
            metrics.roc_auc_score(true, each, multi_class="ovr", labels=CLASSES)
            for each in (p, shares)
        ],
        "average_precision": [
            metrics.average_precision_score(true.to_numpy()[:, None] == CLASSES, each)
            for each in (p, shares)
        ],
        "log_loss": [metrics.log_loss(true, each) for each in (p, shares)],
        "brier": [
            metrics.brier_score_loss(true, each, labels=CLASSES, scale_by_half=False)
            for each in (p, shares)
        ],
    }
    assert list(found) == list(expected)
    for key, values in expected.items():
        assert found[key] == pytest.approx(tuple(values)), key
    for code, label in enumerate(CLASSES):
        recall, precision = sums.class_measures(code)
        wanted = {"labels": [label], "average": "macro"}
        assert recall.value == pytest.approx(metrics.recall_score(true, predicted, **wanted))
        assert precision.value == pytest.approx(metrics.precision_score(true, predicted, **wanted))


@pytest.mark.parametrize("most", [1 << 17, 1 << 11])
def test_areas_of_two_classes_are_those_of_scikit_learn_on_many_rows(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augury.scale.predictions.probability_counts._MOST_KEYS", most)
    random = np.random.default_rng(1)
    p = random.beta(0.3, 20, 20_000)  # most of them are below 0.01
    true = random.uniform(size=len(p)) < p
    both = np.column_stack([1 - p, p])
    labels = pd.Series(np.where(true, "yes", "no"))
    classes, guess = np.array(["no", "yes"]), np.where(p > 0.5, "yes", "no")
    blocks = [slice(start, start + 1000) for start in range(0, len(p), 1000)]
    sums = ScoreSums.collect(classes, labels[:0], guess[:0], both[:0])
    for rows in blocks:
        sums = sums + ScoreSums.collect(classes, labels[rows], guess[rows], both[rows])
    found = {each.measure.key: (each.value, each.baseline) for each in sums.measures()}
    area, precision = metrics.roc_auc_score(true, p), metrics.average_precision_score(true, p)
    exact = most > len(p)
    assert found["auc"] == (pytest.approx(area, abs=1e-12 if exact else 5e-4), 0.5)
    assert found["average_precision"][0] == pytest.approx(precision, rel=1e-12 if exact else 5e-3)
    assert found["average_precision"][1] == pytest.approx(true.mean())
    assert len(sums.ranked[1].keys) <= min(most, len(p))


def test_many_classes_have_no_areas() -> None:
    labels = np.array([f"c{i:02}" for i in range(30)])
    p = np.full((30, 30), 1 / 30)
    sums = ScoreSums.collect(labels, pd.Series(labels), labels, p)
    assert "auc" not in {each.measure.key for each in sums.measures()}


def test_rows_without_a_class_and_unknown_classes() -> None:
    target = pd.Series(["a", None, "new", "b"])
    p = np.array([[0.5, 0.5], [1.0, 0.0], [0.25, 0.75], [0.5, 0.5]])
    sums = ScoreSums.collect(np.array(["a", "b"]), target, np.array(["a", "a", "b", "a"]), p)
    assert sums.counts.tolist() == [[1, 0], [1, 0], [0, 1]]
    assert sums.n_rows == 3
    [accuracy, *_, log_loss, brier] = sums.measures()
    assert accuracy.value == 1 / 3
    assert log_loss.value == pytest.approx((2 * math.log(2) + 52 * math.log(2)) / 3)
    assert brier.value == pytest.approx((0.5 + 0.5 + 1 + 0.25**2 + 0.75**2) / 3)
    mean, cheapest = sums.mean_cost(np.array([[0.0, 5.0], [1.0, 0.0]]))
    assert (mean, cheapest) == (2.5, 0.5), "the row of the unknown class does not count"


def test_without_probabilities_there_are_no_losses() -> None:
    sums = ScoreSums.collect(np.array([0, 1]), pd.Series([0, 1]), np.array([0, 1]), None)
    assert [each.measure.key for each in sums.measures()] == [
        "accuracy",
        "balanced_accuracy",
        "f1",
    ]


@pytest.mark.parametrize(
    ("labels", "classes", "codes"),
    [
        ([1.0, 0.0], [0, 1], [1, 0]),
        (["1", "0"], [0, 1], [1, 0]),
        ([True, False], [False, True], [1, 0]),
        (["True", "x"], [False, True], [1, -1]),
    ],
)
def test_labels_are_the_same_as_text_or_numbers(
    labels: list, classes: list, codes: list[int]
) -> None:
    assert code_labels(pd.Series(labels), np.array(classes)).tolist() == codes
