import xml.etree.ElementTree as ET

import pytest

from augury.report import Dot, scatter_chart
from augury.report.ticks import log_ticks

SPACE = "{http://www.w3.org/2000/svg}"
LABELS = {"title": "Cost", "x_label": "ms", "y_label": "accuracy"}


def draw(dots, **changes):
    return ET.fromstring(scatter_chart(dots, **(LABELS | changes)))


def places(root):
    found = {}
    for group in root.iter(f"{SPACE}g"):
        if name := group.get("data-dot"):
            where = group.find(f"{SPACE}path[@transform]").get("transform")
            found[name] = tuple(map(float, where[len("translate(") : -1].split()))
    return found


def boxes(root):
    """Return left, top, right and bottom of the names."""
    found = {}
    for group in root.iter(f"{SPACE}g"):
        if name := group.get("data-dot"):
            text = group.find(f"{SPACE}text")
            x, y = float(text.get("x")), float(text.get("y"))
            found[name] = (x, y - 10, x + 7 * len(text.text), y + 2)
    return found


class TestScatterChart:
    def test_equal_ratios_are_equal_distances(self):
        dots = [Dot(str(x), "a", x, 1.0 + x) for x in (1.0, 10.0, 100.0, 1000.0)]
        x = [places(draw(dots))[dot.name][0] for dot in dots]
        assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.02)
        assert x[2] - x[1] == pytest.approx(x[3] - x[2], abs=0.02)

    def test_more_is_higher(self):
        found = places(draw([Dot("low", "a", 1.0, 80.0), Dot("high", "a", 1.0, 90.0)]))
        assert found["high"][1] < found["low"][1]

    def test_kinds_differ_in_shape_and_colour(self):
        root = draw([Dot(kind, kind, 1.0, i) for i, kind in enumerate("abcd")])
        paths = [
            g.find(f"{SPACE}path[@transform]") for g in root.iter(f"{SPACE}g") if g.get("data-dot")
        ]
        assert len({path.get("d") for path in paths}) == 4
        assert len({path.get("fill") for path in paths}) == 4

    def test_names_do_not_cover_each_other(self):
        dots = [Dot(f"model-{i}", "a", 10.0 + 0.2 * i, 80.0 + 0.05 * i) for i in range(4)]
        dots += [Dot("far", "a", 1000.0, 90.0)]
        found = list(boxes(draw(dots)).values())
        for i, a in enumerate(found):
            for b in found[i + 1 :]:
                assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]

    def test_one_dot(self):
        assert list(places(draw([Dot("nb", "a", 5.0, 80.0)]))) == ["nb"]

    def test_names_are_escaped(self):
        name = "</svg><script>&\"'"
        assert list(places(draw([Dot(name, name, 1.0, 1.0)]))) == [name]

    @pytest.mark.parametrize("x", [0.0, -1.0, float("nan")])
    def test_a_time_must_be_positive(self, x):
        with pytest.raises(ValueError, match=r"^scatter_chart: x of dot 'nb' must be a number > 0"):
            draw([Dot("nb", "a", x, 1.0)])

    def test_at_least_one_dot(self):
        with pytest.raises(ValueError, match="must have at least one dot, got none"):
            draw([])


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1.0, 1000.0, [1, 10, 100, 1000]),
        (0.7, 1.2, [0.5, 1, 2]),
        (5.0, 5.0, [5, 10]),
        (0.02, 0.05, [0.02, 0.05]),
        (9.9, 99_000.0, [1, 10, 100, 1000, 10_000, 100_000]),
    ],
)
def test_log_ticks(low, high, expected):
    assert log_ticks(low, high) == expected
