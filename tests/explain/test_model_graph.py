"""Graphs of fitted models."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from augury.discriminative import C45Tree, LogisticRegression
from augury.encode import TidyColumns
from augury.errors import PictureError
from augury.explain.model_graph import HiddenParentGraph, NetworkGraph, RegressionGraph, graph_model
from augury.generative import (
    HiddenNaiveBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier

RNG = np.random.default_rng(3)
Y = np.array(["no", "yes"])[RNG.integers(0, 2, 80)]
X = pd.DataFrame({name: RNG.integers(0, 3, 80).astype(str) for name in "abcd"})
X["d"] = X["c"].where(RNG.random(80) < 0.8, X["a"])


def test_naive_bayes_in_a_pipeline_and_a_search() -> None:
    pipeline = Pipeline([("columns", TidyColumns()), ("model", NaiveBayes())])
    for fitted in (
        pipeline.fit(X.assign(same="one"), Y),
        GridSearchCV(NaiveBayes(), {"alpha": [1.0]}, cv=2).fit(X, Y),
    ):
        graph = graph_model(fitted)
        assert isinstance(graph, NetworkGraph)
        assert graph.columns == ("a", "b", "c", "d")  # the constant column is not read
        assert graph.structure.edges == []


def test_columns_of_an_array_have_numbers() -> None:
    graph = graph_model(NaiveBayes().fit(X.to_numpy(), Y))
    assert graph.columns == ("x0", "x1", "x2", "x3")


def test_tree() -> None:
    model = TreeAugmentedNaiveBayes().fit(X, Y)
    graph = graph_model(model)
    assert isinstance(graph, NetworkGraph)
    assert graph.structure is model.structure_


def test_weights_of_hidden_parents_sum_to_one() -> None:
    model = HiddenNaiveBayes().fit(X, Y)
    graph = graph_model(model)
    assert isinstance(graph, HiddenParentGraph)
    weights = np.array(graph.weights)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(
        weights, model.weights_ / model.weights_.sum(axis=1, keepdims=True), atol=1e-12
    )


def test_a_column_without_a_hidden_parent() -> None:
    alone = pd.DataFrame({"a": list("xyxy"), "b": list("uuvv")})
    graph = graph_model(HiddenNaiveBayes().fit(alone, [0, 0, 0, 1]))
    assert isinstance(graph, HiddenParentGraph)
    assert all(sum(row) == pytest.approx(1.0) or sum(row) == 0.0 for row in graph.weights)


def test_regression_and_hybrid() -> None:
    assert graph_model(LogisticRegression().fit(X, Y)) == RegressionGraph(
        ("a", "b", "c", "d"), final="LogisticRegression"
    )
    hybrid = AugmentedClassifier(HiddenNaiveBayes(), output="proba").fit(X, Y)
    assert graph_model(hybrid) == RegressionGraph(
        ("a", "b", "c", "d"),
        ("p(no)", "p(yes)"),
        first="HiddenNaiveBayes",
        final="LogisticRegression",
    )
    alone = graph_model(AugmentedClassifier(encoding="none").fit(X, Y))
    assert isinstance(alone, RegressionGraph)
    assert not alone.passes_columns


def test_no_structure() -> None:
    with pytest.raises(PictureError, match=r"^C45Tree has no structure that can be drawn"):
        graph_model(C45Tree().fit(X, Y))
