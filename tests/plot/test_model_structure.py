"""Nodes, edges, frames and labels of drawn structures are those of the model."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from augury.discriminative import LogisticRegression
from augury.explain.model_graph import HiddenParentGraph, NetworkGraph, RegressionGraph
from augury.generative import (
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid import AugmentedClassifier
from augury.plot import StructureDisplay
from augury.structure import Structure

CLASS = ("class", 0)


def make_rows(n_columns: int, n_classes: int = 2, name: str = "column{}"):
    rng = np.random.default_rng(n_columns)
    codes = rng.integers(0, n_classes, 200)
    columns, before = {}, codes
    for j in range(n_columns):
        before = np.where(rng.random(200) < 0.5, rng.integers(0, 3, 200), before)
        columns[name.format(j)] = before.astype(str)
    return pd.DataFrame(columns), np.array([f"class {k}" for k in codes])


def column(i: int) -> tuple[str, int]:
    return ("column", i)


def texts(display: StructureDisplay, kind: str) -> list[str]:
    return [text.get_text() for key, text in display.nodes_.items() if key[0] == kind]


def assert_nothing_overlaps(display: StructureDisplay) -> None:
    """Boxes do not overlap, labels fit into their boxes, and all is inside the page."""
    width, height = display.layout_.size()
    boxes = display.layout_.boxes
    for box in boxes.values():
        left, top, right, bottom = box.edges
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
    for a, b in combinations(boxes.values(), 2):
        (l1, t1, r1, b1), (l2, t2, r2, b2) = a.edges, b.edges
        assert r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1, (a, b)
    display.figure_.draw_without_rendering()
    page = display.figure_.bbox
    dots = page.width / width
    for key, text in display.nodes_.items():
        extent = text.get_window_extent()
        assert extent.width <= boxes[key].width * dots
    for text in display.ax_.texts:
        extent = text.get_window_extent()
        assert extent.x1 <= page.x1 + 1, text.get_text()
        assert extent.y0 >= page.y0 - 1, text.get_text()


class TestNaiveBayes:
    def test_nodes_and_edges(self) -> None:
        X, y = make_rows(4)
        display = StructureDisplay.from_estimator(NaiveBayes().fit(X, y), class_name="play")
        assert texts(display, "class") == ["play"]
        assert texts(display, "column") == list(X.columns)
        assert list(display.edges_) == [(CLASS, column(i)) for i in range(4)]
        assert not display.frames_
        assert_nothing_overlaps(display)

    def test_many_columns_have_one_arrow_to_a_frame(self) -> None:
        X, y = make_rows(60, 5)
        display = StructureDisplay.from_estimator(NaiveBayes().fit(X, y))
        assert texts(display, "column") == list(X.columns)
        assert not display.edges_
        assert list(display.frame_edges_) == [("columns", CLASS)]
        assert "parent of every column" in [text.get_text() for text in display.ax_.texts]
        frame = display.layout_.frames["columns"]
        for i in range(60):
            left, top, right, bottom = display.layout_.boxes[column(i)].edges
            assert frame.left < left < right < frame.right
            assert frame.top < top < bottom < frame.bottom
        assert_nothing_overlaps(display)


class TestNetworks:
    @pytest.mark.parametrize("n_columns", [4, 12, 30, 60])
    @pytest.mark.parametrize("kind", [TreeAugmentedNaiveBayes, KDependenceBayes])
    def test_edges_are_those_of_the_structure(self, kind, n_columns: int) -> None:
        X, y = make_rows(n_columns)
        model = kind().fit(X, y)
        display = StructureDisplay.from_estimator(model)
        assert set(display.edges_) == {(column(j), column(i)) for j, i in model.structure_.edges}
        assert list(display.frame_edges_) == [("columns", CLASS)]
        boxes = display.layout_.boxes
        assert all(boxes[a].y < boxes[b].y for a, b in display.edges_)  # parents are above
        assert_nothing_overlaps(display)

    def test_class_parents_and_children(self) -> None:
        structure = Structure(((), (), (1,)), class_parents=(0,), class_children=(1, 2))
        X, y = make_rows(3)
        model = BayesianNetworkClassifier(structure=structure).fit(X, y)
        display = StructureDisplay.from_estimator(model)
        assert set(display.edges_) == {
            (CLASS, column(1)), (CLASS, column(2)), (column(1), column(2)), (column(0), CLASS),
        }  # fmt: skip
        assert not display.frames_


class TestHiddenNaiveBayes:
    def test_weights_are_widths_and_texts(self) -> None:
        X, y = make_rows(4)
        model = HiddenNaiveBayes().fit(X, y)
        display = StructureDisplay.from_estimator(model)
        weights = model.weights_ / model.weights_.sum(axis=1, keepdims=True)
        for i in range(4):
            assert (("hidden", i), column(i)) in display.edges_
            assert (CLASS, column(i)) in display.edges_
            for j in range(4):
                edge = display.edges_.get((column(j), ("hidden", i)))
                assert (edge is None) == (weights[i, j] < 0.005)
                if edge is not None:
                    expected = max(0.3, 4.5 * weights[i, j] / max(0.3, weights.max()))
                    assert edge.get_linewidth() == pytest.approx(expected)
        written = [text.get_text() for text in display.ax_.texts]
        for i in range(4):
            best = int(weights[i].argmax())
            assert f"{weights[i, best]:.2f} {X.columns[best]}" in written
        assert_nothing_overlaps(display)

    @pytest.mark.parametrize("n_columns", [12, 30, 60])
    def test_many_columns(self, n_columns: int) -> None:
        X, y = make_rows(n_columns, 5)
        model = HiddenNaiveBayes().fit(X, y)
        display = StructureDisplay.from_estimator(model)
        weights = model.weights_ / model.weights_.sum(axis=1, keepdims=True)
        drawn = {(a, b) for a, b in display.edges_ if a[0] == "source"}
        largest = np.argsort(-weights, axis=1, kind="stable")[:, :2]  # none is below 0.005
        assert drawn == {
            (("source", int(j)), ("hidden", i)) for i, row in enumerate(largest) for j in row
        }
        [note] = display.notes_
        assert note.get_text().startswith(f"{len(drawn)} of {np.count_nonzero(weights)} weights")
        assert texts(display, "source") == texts(display, "column") == list(X.columns)
        assert_nothing_overlaps(display)


class TestRegression:
    def test_class_depends_on_the_columns_in_a_dashed_frame(self) -> None:
        X, y = make_rows(4)
        display = StructureDisplay.from_estimator(LogisticRegression().fit(X, y))
        assert list(display.edges_) == [(column(i), CLASS) for i in range(4)]
        assert list(display.frames_) == ["inputs"]
        assert display.layout_.frames["inputs"].dashed
        assert display.frames_["inputs"].get_linestyle() not in ("-", "solid")

    def test_hybrid(self) -> None:
        X, y = make_rows(5, 3)
        model = AugmentedClassifier(HiddenNaiveBayes(), output="proba").fit(X, y)
        display = StructureDisplay.from_estimator(model)
        assert texts(display, "meta") == ["p(class 0)", "p(class 1)", "p(class 2)"]
        assert texts(display, "model") == ["HiddenNaiveBayes"]
        assert list(display.edges_) == [(("model", 0), ("meta", k)) for k in range(3)]
        assert set(display.frame_edges_) == {("inputs", CLASS), ("columns", ("model", 0))}
        inner, outer = (display.layout_.frames[name] for name in ("columns", "inputs"))
        assert outer.left < inner.left
        assert inner.bottom < outer.bottom
        assert_nothing_overlaps(display)

    def test_hybrid_without_the_original_columns(self) -> None:
        X, y = make_rows(4)
        display = StructureDisplay.from_estimator(AugmentedClassifier(encoding="none").fit(X, y))
        frames = display.layout_.frames
        assert frames["inputs"].bottom < frames["columns"].top

    @pytest.mark.parametrize("n_columns", [12, 30, 60])
    def test_many_columns(self, n_columns: int) -> None:
        X, y = make_rows(n_columns, 5)
        for model in (LogisticRegression(), AugmentedClassifier()):
            display = StructureDisplay.from_estimator(model.fit(X, y))
            assert ("inputs", CLASS) in display.frame_edges_
            assert_nothing_overlaps(display)


@pytest.mark.parametrize(
    "kind", [NaiveBayes, HiddenNaiveBayes, TreeAugmentedNaiveBayes, AugmentedClassifier]
)
def test_long_names_and_mathematics(kind) -> None:
    X, y = make_rows(12, name="a very long name of a column, paid in $ or in $ per year, number {}")
    display = StructureDisplay.from_estimator(kind().fit(X, y))
    assert all("…" in text for text in texts(display, "column"))
    assert len(set(texts(display, "column"))) == 12  # the ends of the names are kept
    assert_nothing_overlaps(display)


class TestSchematic:
    def test_ellipsis_has_no_box_and_no_edges(self) -> None:
        names = ("$A_1$", "…", "$A_m$")
        display = StructureDisplay(NetworkGraph(names, Structure.empty(3)), class_name="$C$").plot()
        assert list(display.edges_) == [(CLASS, column(0)), (CLASS, column(2))]

    def test_hidden_parents_without_weights(self) -> None:
        graph = HiddenParentGraph(("$A_1$", "…", "$A_m$"), ("$H_1$", "…", "$H_m$"))
        display = StructureDisplay(graph).plot()
        assert texts(display, "hidden") == ["$H_1$", "…", "$H_m$"]
        assert set(display.edges_) == {
            (CLASS, column(0)), (CLASS, column(2)),
            (("hidden", 0), column(0)), (("hidden", 2), column(2)),
        }  # fmt: skip

    def test_axes_of_a_smaller_figure(self) -> None:
        _, axes = plt.subplots(1, 2, figsize=(4, 2), layout="constrained")
        display = StructureDisplay(RegressionGraph(tuple("abc"))).plot(axes[1])
        assert display.ax_ is axes[1]
        whole = StructureDisplay(RegressionGraph(tuple("abc"))).plot()
        assert display.nodes_[CLASS].get_fontsize() < whole.nodes_[CLASS].get_fontsize()
