"""The summary of one table: what its parts are computed from."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from augury.explain.feature_influence import feature_influence
from augury.summary.contents.table_summary import TableSummary
from augury.summary.table.class_shares import class_shares
from tests.report.one_table import compare_table

SUMMARY = compare_table().summary


def test_json_and_back():
    content = json.loads(json.dumps(SUMMARY.to_json(), allow_nan=False))
    assert TableSummary.from_json(content).to_json() == SUMMARY.to_json()


def test_all_parts_are_there():
    opened = SUMMARY.opened
    assert opened.model == SUMMARY.verdict.recommended
    assert np.sum(opened.confusion) == pytest.approx(180)
    assert [each.label for each in opened.classes] == list(SUMMARY.classes)
    assert len(opened.curves) == 3
    assert opened.calibration is not None
    assert {each.feature for each in opened.influence} == {
        "blood type",
        "pulse",
        "temperature",
        "admitted",
        "ward",
    }
    assert opened.conditionals[0].name == opened.influence[0].feature
    assert opened.learning.sizes[-1] == 126
    assert "training rows" in opened.learning.answer
    assert [each.treatment for each in SUMMARY.columns][:1] == ["dropped"]


def test_contributions_of_hard_rows_sum_to_the_log_odds():
    for row in SUMMARY.opened.hardest:
        parts = sum(each.contribution for each in row.values)
        assert row.prior + parts + row.others == pytest.approx(row.log_odds, abs=1e-9)
        X, y = compare_table().dataset.X, compare_table().dataset.y
        assert y.iloc[row.row - 1] == row.true != row.predicted
        shown = {each.column: each.value for each in row.values}
        assert shown["ward"] == X["ward"].iloc[row.row - 1]


def test_accuracy_of_the_confusion_is_that_of_the_verdict():
    opened = SUMMARY.opened
    share = np.trace(opened.confusion) / np.sum(opened.confusion)
    assert share == pytest.approx(SUMMARY.verdict.find(opened.model).accuracy, abs=1e-4)


def test_shares_of_numbers_and_missing_values_sum_to_one():
    for each in SUMMARY.opened.conditionals:
        totals = np.sum(each.shares, axis=1) + each.missing
        np.testing.assert_allclose(totals, 1.0, atol=1e-3)


def test_many_labels_show_those_that_differ_between_the_classes():
    rng = np.random.default_rng(0)
    labels = np.array([f"l{i}" for i in rng.integers(0, 30, 600)], dtype=object)
    codes = np.arange(600) % 2
    labels[(codes == 1) & (rng.random(600) < 0.3)] = "telling"
    found = class_shares(pd.Series(labels, name="x"), codes, 2, "labels")
    assert len(found.labels) == 9
    assert found.labels[0] == "telling"
    assert found.labels[-1] == "other labels"
    np.testing.assert_allclose(np.sum(found.shares, axis=1), 1.0, atol=1e-3)


class TestInfluence:
    def test_the_increase_of_the_log_loss_by_hand(self):
        class Copies(BaseEstimator):
            """Predicts the class that the first column names, with probability 0.9."""

            classes_ = np.array(["a", "b"])

            def fit(self, X, y):
                self.fitted_ = True
                return self

            def predict_proba(self, X):
                is_a = X.iloc[:, 0].to_numpy() == "a"
                return np.column_stack([np.where(is_a, 0.9, 0.1), np.where(is_a, 0.1, 0.9)])

        X = pd.DataFrame({"x": ["a", "b"] * 100, "noise": range(200)})
        model = Copies().fit(X, None)
        found = feature_influence(model, X, X["x"], n_repeats=20)
        # Half of the rows get the other class: the loss rises by log 9 for them.
        assert found.loc["x", "influence"] == pytest.approx(np.log(9) / 2, rel=0.1)
        assert found.loc["x", "changed"] == pytest.approx(0.5, abs=0.05)
        assert found.loc["noise"].tolist() == [0.0, 0.0, 0.0]
        assert found.attrs == {
            "measure": "log loss",
            "loss": pytest.approx(-np.log(0.9)),
            "n_rows": 200,
            "n_repeats": 20,
            "n_left_out": 0,
        }

    def test_little_time_means_fewer_rows_shuffles_and_columns(self):
        compared = compare_table()
        X, y = compared.dataset.X, compared.dataset.y
        found = feature_influence(compared.fitted["nb"], X, y, max_seconds=1e-6)
        assert (found.attrs["n_rows"], found.attrs["n_repeats"]) == (50, 1)
        assert found.attrs["n_left_out"] == X.shape[1] - len(found) > 0

    def test_every_model_and_few_rows(self):
        compared = compare_table()
        X, y = compared.dataset.X, compared.dataset.y
        for fitted in compared.fitted.values():
            found = feature_influence(fitted, X, y, n_rows=60, n_repeats=1)
            assert found.attrs["n_rows"] == 60
            assert found.loc["patient", "influence"] == 0.0  # it is left out
        assert found["influence"].is_monotonic_decreasing

    def test_classes_must_fit_the_rows(self):
        compared = compare_table()
        with pytest.raises(ValueError, match="y must have 180 classes, got 2"):
            feature_influence(compared.fitted["nb"], compared.dataset.X, ["good", "poor"])
