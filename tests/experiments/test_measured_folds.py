"""Measures of stored folds equal those of the predictions that the models make."""

import math
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from augury.data import Dataset
from augury.errors import StoreError
from augury.evaluate import MEASURES, WekaFolds, class_measure, corrected_t_test, find_measure
from augury.experiments import (
    Job,
    ResultStore,
    StoredResults,
    compare_measured,
    measure_folds,
    measure_runs,
    run_jobs,
)
from augury.experiments.store.array_blobs import pack_distributions
from augury.generative import NaiveBayes

FOLDS = WekaFolds(n_splits=3, n_repeats=2)
MODELS = {"nb": NaiveBayes(), "gauss": GaussianNB(), "svm": LinearSVC(random_state=0)}
ALL = list(MEASURES.values())


def make_table(n_classes: int, *, weighted: bool = False) -> Dataset:
    X, y = make_classification(
        240, 5, n_informative=4, n_redundant=0, n_classes=n_classes, random_state=0,
        weights=[0.1] if n_classes == 2 else None,
    )  # fmt: skip
    weight = pd.Series(np.random.default_rng(0).integers(1, 4, 240).astype(float))
    return Dataset(
        X=pd.DataFrame(X, columns=list("abcde")),
        y=pd.Series(y).map(lambda code: "xyz"[code]).astype("category"),
        name="drawn",
        target="class",
        source="drawn",
        sample_weight=weight if weighted else None,
    )


def run(table: Dataset, folder: Path | None = None) -> ResultStore:
    store = ResultStore(folder)
    run_jobs([Job(table, MODELS, FOLDS, "honest")], store)
    assert store.failures() == []
    return store


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_equal_to_the_predictions_of_each_fold(n_classes: int, weighted: bool) -> None:
    table = make_table(n_classes, weighted=weighted)
    codes = table.y.cat.codes.to_numpy()
    weight = None if table.sample_weight is None else table.sample_weight.to_numpy()
    with run(table) as store:
        found = measure_folds(store, ALL, "drawn", "gauss")
    assert [(f.run, f.fold) for f in found] == [(r, f) for r in (1, 2) for f in (1, 2, 3)]
    X = table.X.to_numpy()
    for fold, (train, test) in zip(found, FOLDS.split(X, codes), strict=True):
        assert (fold.n_train, fold.n_test) == (len(train), len(test))
        w = None if weight is None else weight[test]
        model = GaussianNB().fit(X[train], codes[train], None if w is None else weight[train])
        p, guess = model.predict_proba(X[test]), model.predict(X[test])
        each = {"sample_weight": w}
        score = p[:, 1] if n_classes == 2 else p
        auc = metrics.roc_auc_score(codes[test], score, multi_class="ovr", **each)
        # In the table of two classes, class 0 is the rarer one.
        true = np.eye(n_classes, dtype=int)[codes[test]]
        precision = metrics.average_precision_score(true, p, average=None, **each)
        expected = {
            "accuracy": metrics.accuracy_score(codes[test], guess, **each),
            "log_loss": metrics.log_loss(codes[test], p, **each),
            "balanced_accuracy": metrics.balanced_accuracy_score(codes[test], guess, **each),
            "auc": auc,
            "average_precision": precision[0] if n_classes == 2 else precision.mean(),
        }
        for key, wanted in expected.items():
            assert fold.values[key] == pytest.approx(wanted, abs=1e-9), key


def test_models_are_compared_by_any_measure() -> None:
    with run(make_table(2)) as store:
        nb, gauss, svm = (measure_folds(store, ALL, "drawn", model) for model in MODELS)
    test = compare_measured(nb, gauss, "auc")
    assert test == corrected_t_test(
        [fold.values["auc"] for fold in nb],
        [fold.values["auc"] for fold in gauss],
        n_train=160,
        n_test=80,
    )
    assert compare_measured(nb, svm, "auc") is None, "a model without probabilities has no AUC"
    assert compare_measured(nb, svm, "balanced_accuracy") is not None
    assert compare_measured(nb[:1], gauss, "auc") is None


def test_rows_of_a_run_are_measured_together() -> None:
    table = make_table(3)
    with run(table) as store:
        found = measure_runs(store, [*ALL, class_measure("recall", 2, "z")], "drawn", "gauss")
        folds = measure_folds(store, ALL, "drawn", "gauss")
    # All folds have 80 rows, so that a mean over the rows is a mean over the folds.
    assert found["accuracy"] == pytest.approx(np.mean([f.values["accuracy"] for f in folds]))
    assert found["log_loss"] == pytest.approx(np.mean([f.values["log_loss"] for f in folds]))
    assert found["ece"] < np.mean([f.values["ece"] for f in folds])
    assert 0 < found["recall:z"] < 1


def test_a_store_of_an_earlier_version_has_no_probabilities(tmp_path: Path) -> None:
    run(make_table(2), tmp_path).close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute("DROP TABLE probabilities")
        connection.execute("DROP TABLE instance_weights")
    connection.close()
    with StoredResults(tmp_path) as stored:
        found = measure_folds(stored, ALL, "drawn", "nb")
    for measure in ALL:
        known = measure.key in ("accuracy", "log_loss", "brier") or not measure.needs_probabilities
        assert math.isnan(found[0].values[measure.key]) != known, measure.key


@pytest.mark.parametrize("change", ["x'00'", "''", "substr(content, 1, 20)"])
def test_damaged_probabilities_are_reported(tmp_path: Path, change: str) -> None:
    run(make_table(2), tmp_path).close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute(f"UPDATE probabilities SET content = {change} WHERE fold = 2")
    connection.close()
    with StoredResults(tmp_path) as stored, pytest.raises(StoreError, match="run 1, fold 2"):
        measure_folds(stored, ALL, "drawn", "nb")


def test_probabilities_of_another_number_of_rows_are_reported(tmp_path: Path) -> None:
    run(make_table(2), tmp_path).close()
    with sqlite3.connect(tmp_path / "results.sqlite") as connection:
        connection.execute(
            "UPDATE probabilities SET content = ? WHERE fold = 2",
            (pack_distributions(np.full((7, 2), 0.5)),),
        )
    connection.close()
    with StoredResults(tmp_path) as stored, pytest.raises(StoreError, match="7 test rows instead"):
        measure_folds(stored, ALL, "drawn", "nb")


def test_an_unknown_data_set_is_reported() -> None:
    with run(make_table(2)) as store, pytest.raises(StoreError, match="has no data set 'other'"):
        measure_folds(store, [find_measure("auc")], "other", "nb")
