"""Tables that take other paths through the converters: many labels, rows or classes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

from augury.decide import CostClassifier, ThresholdClassifier
from augury.discriminative import KernelClassifier, LogisticRegression
from augury.encode import TidyColumns
from augury.ensemble import HybridClassifier, RandomizedTrees, TreeBoosting
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
)
from augury.interchange import OnnxExportError, to_onnx
from augury.structure import Structure
from tests.interchange.onnx_rows import (
    Rows,
    as_feeds,
    assert_equal_predictions,
    mixed_rows,
    run_onnx,
)


def many_labels(seed: int, n_labels: int = 90, n_rows: int = 1500, n_columns: int = 3) -> Rows:
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {f"code {j}": random.integers(n_labels, size=n_rows).astype(str) for j in range(n_columns)}
    )
    X["size"] = random.normal(size=n_rows)
    X.loc[::9, "code 0"] = None
    odd = X["code 1"].astype(int) % 2
    y = np.where(random.random(n_rows) < 0.8, odd, X["size"] > 0).astype(int)
    new = X.sample(120, random_state=seed).reset_index(drop=True)
    new.loc[::4, "code 1"] = None
    new.loc[1::7, "code 0"] = "unseen"
    new.loc[3, :] = None
    return Rows(X, y, new)


@pytest.mark.parametrize(
    "model",
    [
        RandomizedTrees(n_estimators=10, random_state=0),
        TreeBoosting(max_rounds=20),
        KDependenceBayes(),
        HiddenNaiveBayes(),
        KernelClassifier(n_landmarks=50),
        LogisticRegression(),
        NaiveBayes(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_columns_of_many_labels(model):
    rows = many_labels(0)
    assert_equal_predictions(model.fit(rows.X, rows.y), rows.new)


def test_labels_that_share_a_state():
    rows = many_labels(1, n_labels=600)
    model = HiddenNaiveBayes().fit(rows.X, rows.y)
    assert model.encoder_.infrequent_labels_
    assert_equal_predictions(model, rows.new)


def test_families_of_which_few_cells_are_filled():
    rows = many_labels(2, n_labels=40, n_rows=400)
    model = KDependenceBayes(k=2).fit(rows.X, rows.y)
    assert model._sparse_tables()
    assert_equal_predictions(model, rows.new)


def test_a_network_whose_tables_are_too_large_is_refused(monkeypatch):
    rows = many_labels(2, n_labels=40, n_rows=400)
    model = KDependenceBayes(k=2).fit(rows.X, rows.y)
    monkeypatch.setattr("augury.interchange.onnx.networks._MOST_NUMBERS", 10_000)
    with pytest.raises(OnnxExportError, match=r"tables of KDependenceBayes .*'code \d', 'code \d'"):
        to_onnx(model)


def test_pairs_that_are_not_in_one_table_are_refused():
    rows = many_labels(3, n_labels=90)
    model = HiddenNaiveBayes().fit(rows.X, rows.y)
    model._blocks = None
    with pytest.raises(OnnxExportError, match="HiddenNaiveBayes take more than 128 MB"):
        to_onnx(model)


def test_two_parents_in_aode_are_refused():
    rows = mixed_rows(0, [0, 1])
    model = AveragedOneDependence(n_parents=2).fit(rows.X, rows.y)
    with pytest.raises(OnnxExportError, match="two parents"):
        to_onnx(model)


def test_a_network_in_which_the_class_has_parents():
    rows = mixed_rows(4, ["a", "b", "c"])
    structure = Structure(
        ((), (0,), (), (), (0,), ()), class_parents=(0, 4), class_children=(1, 2, 3, 5)
    )
    model = BayesianNetworkClassifier(structure).fit(rows.X, rows.y)
    assert_equal_predictions(model, rows.new)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_flagship_of_a_table_that_is_boosted(n_classes):
    rows = mixed_rows(6, list(range(n_classes)), n_rows=1300)
    model = make_pipeline(TidyColumns(), HybridClassifier()).fit(rows.X, rows.y)
    assert "boosting" in model[-1].parts_
    assert_equal_predictions(model, rows.new)


def test_the_flagship_reads_integers_as_labels_too():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"district": random.integers(12, size=600), "size": random.normal(size=600)})
    y = (random.permutation(12) % 2)[X["district"]]
    model = HybridClassifier().fit(X, y)
    assert model._readings.as_labels.any()
    new = X[:50].astype(float)
    new.loc[[0, 4], "district"] = np.nan
    new.loc[7, "district"] = 99.0
    new.loc[9, "size"] = np.nan
    assert_equal_predictions(model, new)


def test_the_flagship_leaves_out_texts_that_identify_the_rows():
    rows = mixed_rows(2, ["no", "yes"])
    X = rows.X.assign(name=[f"n{i}" for i in range(len(rows.X))])
    model = HybridClassifier(effort="fast").fit(X, rows.y)
    written = assert_equal_predictions(model, rows.new.assign(name="other"))
    assert "name" not in [each.name for each in written.graph.input]


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),
        LogisticRegression(),
        QuadraticDiscriminantAnalysis(),
        KernelClassifier(n_landmarks=30),
        RandomizedTrees(n_estimators=5, random_state=0),
        TreeBoosting(max_rounds=5),
        HybridClassifier(effort="fast"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_declared_classes_without_rows(model):
    rows = mixed_rows(3, ["b", "d"])
    y = pd.Categorical(rows.y, categories=["a", "b", "c", "d"])
    assert_equal_predictions(model.fit(rows.X, y), rows.new)


def test_trees_of_many_classes():
    random = np.random.default_rng(1)
    X = pd.DataFrame({"x": random.normal(size=900), "z": random.normal(size=900)})
    y = (X["x"].rank() // 12).astype(int).to_numpy()
    model = RandomizedTrees(n_estimators=5, random_state=0).fit(X, y)
    assert model.trees_.classes is not None
    assert_equal_predictions(model, X[:100])


@pytest.mark.parametrize(
    "model",
    [
        TreeBoosting(min_hessian=1e9),
        RandomizedTrees(n_estimators=3, min_samples_leaf=30, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_trees_without_a_split(model):
    X = pd.DataFrame({"x": np.arange(40.0), "z": ["a", "b"] * 20})
    model.fit(X, [0, 1] * 20)
    written = to_onnx(model)
    _, probabilities = run_onnx(written, as_feeds(written, X))
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-6)


def test_labels_follow_costs():
    rows = mixed_rows(5, ["no", "yes"])
    costs = {"no": {"yes": 9.0}, "yes": {"no": 1.0}}
    model = CostClassifier(NaiveBayes(), costs).fit(rows.X, rows.y)
    written = assert_equal_predictions_of_decisions(model, rows.new)
    assert written.graph.name == "CostClassifier"


def test_labels_follow_a_threshold():
    rows = mixed_rows(5, ["no", "yes"])
    model = ThresholdClassifier(NaiveBayes(), "f1").fit(rows.X, rows.y)
    assert_equal_predictions_of_decisions(
        make_pipeline(TidyColumns(), model).fit(rows.X, rows.y), rows.new
    )


def assert_equal_predictions_of_decisions(model, rows):
    written = to_onnx(model)
    label, probabilities = run_onnx(written, as_feeds(written, rows))
    np.testing.assert_allclose(probabilities, model.predict_proba(rows), rtol=0, atol=1e-6)
    assert label.tolist() == model.predict(rows).tolist()
    most_probable = model.classes_[probabilities.argmax(axis=1)]
    assert label.tolist() != most_probable.tolist()
    return written
