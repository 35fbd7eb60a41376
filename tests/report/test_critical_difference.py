import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from augury.report import critical_difference_diagram

SPACE = "{http://www.w3.org/2000/svg}"
RANKS = {"nb": 3.5, "hnb": 1.5, "tan": 2.0, "lr": 3.0}
GROUPS = [["hnb", "tan"], ["tan", "lr", "nb"], ["alone"]]


def draw(ranks=RANKS, groups=GROUPS, **changes):
    drawn = critical_difference_diagram(ranks, 1.2, groups, title="Ranks", **changes)
    return ET.fromstring(drawn)


def dots(root):
    found = {}
    for group in root.iter(f"{SPACE}g"):
        if name := group.get("data-model"):
            dot = group.find(f"{SPACE}circle")
            found[name] = float(dot.get("cx")), float(dot.get("cy"))
    return found


def bars(root):
    return [path.get("d") for path in root.iter(f"{SPACE}path") if path.get("data-group")]


def ticks(root):
    """Return the position of each rank."""
    return {
        int(text.text): float(text.get("x"))
        for text in root.iter(f"{SPACE}text")
        if text.text.isdigit()
    }


@pytest.mark.parametrize("width", [760.0, 350.0])
class TestDiagram:
    def test_dots_are_at_their_ranks(self, width):
        root = draw(width=width)
        places = ticks(root)
        one = (places[4] - places[1]) / 3
        for name, (x, _) in dots(root).items():
            assert x == pytest.approx(places[1] + (RANKS[name] - 1) * one, abs=0.02)

    def test_groups_of_one_are_not_drawn(self, width):
        assert len(bars(draw(width=width))) == 2

    def test_description_contains_all(self, width):
        found = draw(width=width).find(f"{SPACE}desc").text
        assert found == (
            "Mean ranks, the best first: hnb 1.50, tan 2.00, lr 3.00, nb 3.50. "
            "Not distinguished: hnb, tan; tan, lr, nb."
        )

    def test_names_are_escaped_and_shortened(self, width):
        name = "<script>&\"'" * 20
        root = draw({name: 1.0, "b": 2.0}, [], width=width)
        shown = [text.text for text in root.iter(f"{SPACE}text")]
        assert name in dots(root)
        assert any("…" in text for text in shown)

    def test_many_models(self, width):
        ranks = {f"model {i}": 1.0 + i for i in range(40)}
        places = sorted(ticks(draw(ranks, [], width=width)).values())
        assert min(b - a for a, b in pairwise(places)) >= 20


def test_bars_cover_their_models():
    root = draw()
    found = dots(root)
    for path, group in zip(bars(root), GROUPS, strict=False):
        start, end = (float(part.split()[0]) for part in path[1:].split("H"))
        places = [found[name][0] for name in group]
        assert start < min(places) < max(places) < end


def test_narrow_bars_cover_their_rows():
    root = draw(width=350.0)
    found = dots(root)
    for path, group in zip(bars(root), GROUPS, strict=False):
        start, end = (float(part.split()[-1]) for part in path[1:].split("V"))
        places = [found[name][1] for name in group]
        assert start < min(places) < max(places) < end


def test_two_models_at_least():
    with pytest.raises(ValueError, match="must have at least two models, got 1"):
        draw({"nb": 1.0}, [])
