"""Drawings of parents and of models inside models: boxes do not overlap, and nothing is cut off."""

import re
import xml.etree.ElementTree as ET

import pytest

from augury.structure.model_flow import FlowNode, ModelFlow
from augury.structure.parent_list import ParentList

SVG = "{http://www.w3.org/2000/svg}"
LONG = "the name of a column that is far too long for a box of this drawing"


def parents(n_columns: int, name: str = "column") -> ParentList:
    names = tuple(f"{name} {k}" for k in range(n_columns))
    members = tuple(tuple((other, 0.5) for other in names if other != own) for own in names)
    return ParentList(names, members, "Parents")


def flow(n_columns: int, name: str = "column") -> ModelFlow:
    columns = FlowNode("columns", tuple(f"{name} {k}" for k in range(n_columns)))
    first = FlowNode("model", ("HiddenNaiveBayes",), (columns,))
    meta = FlowNode("meta-features", tuple(f"log_odds({k})" for k in range(9)), (first,))
    last = FlowNode("model", ("LogisticRegression",), (columns, meta))
    decided = FlowNode("class", ("class",), (last,))
    return ModelFlow((columns, first, meta, last, decided), "Models")


@pytest.mark.parametrize("n_columns", [1, 5, 40])
@pytest.mark.parametrize("name", ["column", LONG, "<&>"])
@pytest.mark.parametrize("make", [parents, flow])
def test_boxes_are_apart_and_inside(make, n_columns, name):
    root = ET.fromstring(make(n_columns, name).to_svg())
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = [
        tuple(float(box.get(key)) for key in ("x", "y", "width", "height"))
        for box in root.iter(f"{SVG}rect")
    ]
    assert boxes
    for k, (x, y, w, h) in enumerate(boxes):
        assert min(x, y) >= 0
        assert x + w <= width
        assert y + h <= height
        for x2, y2, w2, h2 in boxes[:k]:
            assert x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
    for path in root.iter(f"{SVG}path"):
        if path.get("marker-end"):
            ends = [float(number) for number in re.findall(r"[-\d.]+", path.get("d"))]
            assert min(ends) >= 0
            assert max(ends) <= max(width, height)


def test_members_that_do_not_fit_are_counted():
    svg = parents(40).to_svg()
    shown = len(re.findall(r">column \d+ 0\.50<", svg)) // 40
    assert f"and {39 - shown} more" in svg
    text = parents(40).to_text().splitlines()
    assert len(text) == 40
    assert text[0].count("0.50") == 39


def test_graphs_of_graphviz_have_every_edge_once():
    dot = parents(3).to_dot()
    assert dot.count('-> x0 [label="0.50"]') == 2
    assert dot.count("class -> ") == 3
    dot = flow(2).to_dot()
    assert [line.strip() for line in dot.splitlines() if "->" in line] == [
        "n0 -> n1;", "n1 -> n2;", "n0 -> n3;", "n2 -> n3;", "n3 -> n4;",
    ]  # fmt: skip
    out = ParentList(("a",), ((("b", None),),), "", outward=True).to_dot()
    assert "x0 -> x1;" in out
