import xml.etree.ElementTree as ET

import pytest

from augury.structure import Structure

DIAMOND = Structure(((), (0,), (0,), (1, 2)))


def test_edges_and_order():
    assert DIAMOND.edges == [(0, 1), (0, 2), (1, 3), (2, 3)]
    order = DIAMOND.order
    assert all(order.index(parent) < order.index(child) for parent, child in DIAMOND.edges)
    assert Structure.from_edges(4, DIAMOND.edges) == DIAMOND
    assert Structure.empty(2).parents == ((), ())


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        (((1,), (2,), (0,)), "no cycle, got one among or above the columns 0, 1, 2"),
        (((0,),), "the parents of column 0 must be other columns"),
        (((5,), ()), r"must be other columns below 2, got \(5,\)"),
        (((), (0, 0)), "the parents of column 1 must be distinct"),
    ],
)
def test_what_is_no_structure_is_refused(parents, message):
    with pytest.raises(ValueError, match=message):
        Structure(parents)


def test_an_edge_to_nowhere_is_refused():
    with pytest.raises(ValueError, match="got the child 7"):
        Structure.from_edges(2, [(0, 7)])


def test_text_and_dot():
    names = ["a", "b", 'say "c"', "d"]
    assert DIAMOND.to_text(names, "y").splitlines()[3] == 'd        | y, b, say "c"'
    dot = DIAMOND.to_dot(names)
    assert "x1 -> x3;" in dot
    assert r'x2 [label="say \"c\""];' in dot
    with pytest.raises(ValueError, match="names must be 4, one for each column, got 1"):
        DIAMOND.to_text(["a"])


def test_svg_is_a_drawing_with_every_name_and_edge():
    names = ["a", "b & c", "<d>", "e"]
    root = ET.fromstring(DIAMOND.to_svg(names))
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in root.iter(f"{space}text")]
    assert sorted(texts) == sorted([*names, "class"])
    arrows = [p for p in root.iter(f"{space}path") if p.get("marker-end")]
    assert len(arrows) == 4
    boxes = dict(zip(texts, root.iter(f"{space}rect"), strict=True))
    assert float(boxes["a"].get("y")) < float(boxes["b & c"].get("y")) < float(boxes["e"].get("y"))


def test_a_wide_layer_goes_on_in_the_next_line():
    root = ET.fromstring(Structure.empty(100).to_svg())
    width = float(root.get("width"))
    assert width < 1000
    for box in root.iter("{http://www.w3.org/2000/svg}rect"):
        assert float(box.get("x")) + float(box.get("width")) <= width


def test_an_empty_structure_can_be_drawn():
    ET.fromstring(Structure(()).to_svg())


def test_a_parent_is_a_whole_number():
    with pytest.raises(TypeError):
        Structure(((), (0.7,)))
