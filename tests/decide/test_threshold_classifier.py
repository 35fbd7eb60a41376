"""Tuned thresholds equal a search over all thresholds, and raise the measure on new rows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, cross_val_predict

from augury import LogisticRegression, NaiveBayes, ThresholdClassifier
from augury.decide.held_out_rows import predict_held_out
from augury.decide.threshold_tuning import MEASURES, measure_thresholds
from augury.evaluate import ThresholdCounts
from augury.persist import load_model, save_model

X, CODES = make_classification(
    1500, 6, n_informative=4, weights=[0.93], flip_y=0.02, class_sep=1.0, random_state=1
)
Y = np.array(["no", "yes"])[CODES]
TRAIN, NEW = slice(0, 700), slice(700, None)
SCORES = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1": metrics.f1_score,
    "recall": metrics.recall_score,
}


@pytest.mark.parametrize("measure", MEASURES)
def test_the_measure_of_each_threshold_is_that_of_scikit_learn(measure: str) -> None:
    score = np.round(np.random.default_rng(0).random(50), 1)
    true = np.random.default_rng(1).integers(0, 2, 50)
    weight = np.random.default_rng(2).integers(1, 4, 50)
    counts = ThresholdCounts.collect(true == 1, score, weight)
    values = measure_thresholds(counts, measure)
    for threshold, value in zip([2.0, *counts.thresholds], values, strict=True):
        wanted = SCORES[measure](true, score >= threshold, sample_weight=weight)
        assert value == pytest.approx(wanted), threshold


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", "f1"])
def test_the_threshold_is_the_best_of_the_held_out_rows(measure: str) -> None:
    model = ThresholdClassifier(NaiveBayes(), measure).fit(X, Y)
    held = predict_held_out("Test", NaiveBayes(), X, np.array(["no", "yes"]), CODES, None)
    assert len(held.codes) == len(Y), "every row is held out once"
    score, grid = held.probabilities[:, 1], np.linspace(0, 1.001, 301)
    best = max(SCORES[measure](held.codes, score >= threshold) for threshold in grid)
    value = SCORES[measure](held.codes, score >= model.threshold_)
    assert model.value_ == pytest.approx(value)
    assert value >= best
    assert model.value_of_half_ == pytest.approx(SCORES[measure](held.codes, score >= 0.5))


def test_more_of_the_rare_class_is_found_in_new_rows() -> None:
    plain = LogisticRegression().fit(X[TRAIN], Y[TRAIN])
    tuned = ThresholdClassifier(LogisticRegression()).fit(X[TRAIN], Y[TRAIN])
    assert tuned.classes_[tuned.positive_] == "yes"
    before, after = (
        metrics.balanced_accuracy_score(Y[NEW], model.predict(X[NEW])) for model in (plain, tuned)
    )
    assert after > before + 0.03
    peer = TunedThresholdClassifierCV(LogisticRegression()).fit(X[TRAIN], Y[TRAIN])
    by_peer = metrics.balanced_accuracy_score(Y[NEW], peer.predict(X[NEW]))
    assert after > by_peer - 0.05
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))
    np.testing.assert_array_equal(
        tuned.predict(X) == "yes", plain.predict_proba(X)[:, 1] >= tuned.threshold_
    )


def test_precision_bounds_recall() -> None:
    model = ThresholdClassifier(LogisticRegression(), "recall", precision=0.4).fit(X, Y)
    held = predict_held_out("Test", LogisticRegression(), X, model.classes_, CODES, None)
    said = held.probabilities[:, 1] >= model.threshold_
    assert metrics.precision_score(held.codes, said) >= 0.4
    lower = held.probabilities[:, 1] >= 0.5 * model.threshold_
    assert metrics.recall_score(held.codes, lower) > metrics.recall_score(held.codes, said)
    assert metrics.precision_score(held.codes, lower) < 0.4


def test_a_precision_that_no_threshold_has_gives_the_highest() -> None:
    noise = np.random.default_rng(0).random((200, 1)).round(1)
    y = np.arange(200) % 4 == 0
    model = ThresholdClassifier(NaiveBayes(discretizer=None, categorical_features="all"),
                                "recall", precision=1.0).fit(noise, y)  # fmt: skip
    held = predict_held_out(
        "Test", NaiveBayes(discretizer=None, categorical_features="all"), noise, model.classes_,
        y.astype(int), None,
    )  # fmt: skip
    counts = ThresholdCounts.collect(held.codes == 1, held.probabilities[:, 1], held.weight)
    said = held.probabilities[:, 1] >= model.threshold_
    found = metrics.precision_score(held.codes, said, sample_weight=held.weight)
    assert found == pytest.approx(counts.precision.max())


def test_the_positive_class_may_be_given() -> None:
    model = ThresholdClassifier(NaiveBayes(), "f1", positive="no").fit(X, Y)
    assert model.classes_[model.positive_] == "no"
    held = predict_held_out("Test", NaiveBayes(), X, model.classes_, CODES, None)
    said = held.probabilities[:, 0] >= model.threshold_
    assert model.value_ == pytest.approx(metrics.f1_score(held.codes == 0, said))


def test_a_given_threshold_is_taken_without_held_out_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("rows are held out")

    monkeypatch.setattr("augury.decide.threshold_classifier.predict_held_out", refuse)
    model = ThresholdClassifier(NaiveBayes(), threshold=0.2).fit(X[TRAIN], Y[TRAIN])
    assert (model.threshold_, model.value_, model.value_of_half_) == (0.2, None, None)
    p = model.predict_proba(X[NEW])[:, 1]
    assert model.predict(X[NEW]).tolist() == np.where(p >= 0.2, "yes", "no").tolist()


def test_the_positive_class_may_be_given_as_text() -> None:
    model = ThresholdClassifier(NaiveBayes(), positive="0", threshold=0.9)
    assert model.fit(X[TRAIN], CODES[TRAIN]).positive_ == 0


def test_weights_equal_repeated_rows() -> None:
    weight = np.random.default_rng(0).integers(0, 4, len(Y))
    weighted = ThresholdClassifier(NaiveBayes()).fit(X, Y, weight)
    repeated = ThresholdClassifier(NaiveBayes()).fit(
        np.repeat(X, weight, axis=0), np.repeat(Y, weight)
    )
    assert weighted.threshold_ == pytest.approx(repeated.threshold_)
    assert weighted.value_ == pytest.approx(repeated.value_)


def test_held_out_rows_of_many_are_a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augury.decide.held_out_rows._MANY_ROWS", 500)
    held = predict_held_out("Test", NaiveBayes(), X, np.array(["no", "yes"]), CODES, None)
    assert len(held.codes) == 375
    assert held.codes.sum() == pytest.approx(CODES.sum() / 4, abs=1)


def test_held_out_probabilities_are_like_those_of_folds() -> None:
    held = predict_held_out("Test", NaiveBayes(), X, np.array(["no", "yes"]), CODES, None)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    usual = cross_val_predict(NaiveBayes(), X, Y, cv=folds, method="predict_proba")
    losses = metrics.log_loss(held.codes, held.probabilities), metrics.log_loss(CODES, usual)
    assert losses[0] == pytest.approx(losses[1], rel=0.1)


def test_saved_and_loaded(tmp_path: Path) -> None:
    for positive in (None, "no"):
        model = ThresholdClassifier(NaiveBayes(), positive=positive).fit(X, Y)
        save_model(model, tmp_path / "m.augury", X=X)
        loaded = load_model(tmp_path / "m.augury").model
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        assert loaded.threshold_ == model.threshold_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"threshold": 1.5}, "threshold must be a number from 0 to 1, got 1.5"),
        ({"measure": "auc"}, r"^ThresholdClassifier: measure must be one of 'balanced_accuracy'"),
        ({"precision": 2}, r"precision must be a number from 0 to 1, got 2$"),
        ({"measure": "recall"}, r"precision must be above 0 for measure='recall', got 0.0"),
        ({"positive": "maybe"}, r"positive must be one of the classes \['no', 'yes'\], or None"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ThresholdClassifier(**parameters).fit(X, Y)


def test_three_classes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"y must have two classes, got 3: take CostClassifier$"):
        ThresholdClassifier().fit(X, np.arange(len(X)) % 3)


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^ThresholdClassifier: needs two or more rows of two cl"):
        ThresholdClassifier().fit([[0.0], [1.0]], ["a", "b"])
