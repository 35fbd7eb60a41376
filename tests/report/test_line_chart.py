import math
import xml.etree.ElementTree as ET
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.report import Line, line_chart, nice_ticks

SPACE = "{http://www.w3.org/2000/svg}"
LABELS = {"title": "A title", "x_label": "rounds", "y_label": "accuracy"}


def draw(*lines, **changes):
    return ET.fromstring(line_chart(lines, **(LABELS | changes)))


def find(root, attribute, value):
    return next(e for e in root.iter() if e.get(attribute) == value)


def texts(element):
    return [e.text for e in element.iter(f"{SPACE}text")]


def numbers(text):
    return [float(part) for part in text.replace("L", " ").strip("MZ").split()]


def tick_places(root, axis):
    """Return the position of each labelled value of an axis."""
    group = find(root, "data-axis", axis)
    where = "x" if axis == "x" else "y"
    # The text of the y axis is below its tick, because the baseline is lower than the centre.
    shift = 0.0 if axis == "x" else 4.3
    return {
        float(e.text.replace("−", "-").replace(",", "")): float(e.get(where)) - shift
        for e in group.iter(f"{SPACE}text")
    }


def dots(root, name):
    circles = find(root, "data-line", name).iter(f"{SPACE}circle")
    return [(float(c.get("cx")), float(c.get("cy"))) for c in circles]


def paths(root, name):
    return [numbers(p.get("d")) for p in find(root, "data-line", name).iter(f"{SPACE}path")]


# --- ticks ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, 10, 5), [0, 2, 4, 6, 8, 10]),
        ((1, 50, 5), [0, 10, 20, 30, 40, 50]),
        ((-0.3, 0.3, 6), [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]),
        ((0.61, 0.94, 4), [0.6, 0.7, 0.8, 0.9, 1.0]),
        ((1234, 1239, 5), [1234, 1235, 1236, 1237, 1238, 1239]),
        ((0, 0, 4), [-1.0, -0.5, 0.0, 0.5, 1.0]),
        ((0, 3e-9, 3), [0, 1e-9, 2e-9, 3e-9]),
        ((0, 7e12, 4), [0, 2e12, 4e12, 6e12, 8e12]),
    ],
)
def test_ticks_are_the_round_numbers_one_would_choose(arguments, expected):
    assert nice_ticks(*arguments) == expected


def test_whole_numbers_have_whole_ticks():
    assert nice_ticks(1, 3, 6, whole=True) == [1, 2, 3]
    assert nice_ticks(1, 3, 6) == [1.0, 1.5, 2.0, 2.5, 3.0]
    assert nice_ticks(4, 4, 6, whole=True) == [3, 4, 5]


@given(
    low=st.floats(-1e9, 1e9),
    size=st.one_of(st.just(0.0), st.floats(1e-6, 1e9)),
    most=st.integers(1, 12),
    whole=st.booleans(),
)
def test_ticks_cover_the_range_in_equal_round_steps(low, size, most, whole):
    high = low + size
    ticks = nice_ticks(low, high, most, whole=whole)
    steps = [b - a for a, b in pairwise(ticks)]
    step = steps[0]
    slack = 1e-6 * step
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert 1 <= len(steps) <= most + 2
    assert max(steps) - min(steps) <= slack + 1e-6
    leading = f"{step:.3e}"[0]
    assert leading in "125"
    if whole:
        assert all(tick == math.floor(tick) for tick in ticks)


# --- places ---------------------------------------------------------------------------


def test_points_land_where_the_axes_say():
    root = draw(Line("a", [0, 5, 10], [0.2, 0.4, 0.3]))
    x, y = tick_places(root, "x"), tick_places(root, "y")
    assert min(x) == 0
    assert max(x) == 10
    assert min(y) <= 0.2
    assert max(y) >= 0.4
    left, right, bottom, top = x[0], x[10], y[min(y)], y[max(y)]
    assert left < right
    assert top < bottom

    def by_hand(a, b):
        share = (b - min(y)) / (max(y) - min(y))
        return left + a / 10 * (right - left), bottom - share * (bottom - top)

    expected = [by_hand(0, 0.2), by_hand(5, 0.4), by_hand(10, 0.3)]
    np.testing.assert_allclose(dots(root, "a"), expected, atol=0.011)
    np.testing.assert_allclose(paths(root, "a"), [np.ravel(expected)], atol=0.011)


def test_everything_is_inside_the_drawing():
    rng = np.random.default_rng(0)
    lines = [Line(f"line {i}", range(9), rng.normal(0, 1e4, 9)) for i in range(8)]
    root = draw(*lines, width=500, height=300)
    assert root.get("viewBox") == "0 0 500 300"
    for e in root.iter():
        for key, size in (("x", 500), ("cx", 500), ("y", 300), ("cy", 300)):
            if e.get(key):
                assert 0 <= float(e.get(key)) <= size


def test_all_lines_share_the_axes():
    root = draw(Line("a", [0, 1], [0, 1]), Line("b", [9, 10], [50, 60]))
    assert max(tick_places(root, "x")) == 10
    assert max(tick_places(root, "y")) == 60
    assert dots(root, "a")[0][0] < dots(root, "b")[0][0]
    assert dots(root, "a")[0][1] > dots(root, "b")[0][1]


def test_one_point_is_a_dot_without_a_line():
    root = draw(Line("a", [3], [0.7]))
    assert len(dots(root, "a")) == 1
    assert paths(root, "a") == []
    x, y = tick_places(root, "x"), tick_places(root, "y")
    assert min(x) < 3 < max(x)
    assert min(y) < 0.7 < max(y)


def test_a_constant_line_is_level_and_inside():
    root = draw(Line("a", [1, 2, 3], [0.5, 0.5, 0.5]))
    heights = {y for _, y in dots(root, "a")}
    places = tick_places(root, "y").values()
    assert len(heights) == 1
    assert min(places) < heights.pop() < max(places)


def test_nan_leaves_a_gap():
    nan = math.nan
    root = draw(Line("a", [0, 1, 2, 3, 4, 5, 6], [1, 2, nan, 4, nan, 6, 7]))
    assert [len(path) // 2 for path in paths(root, "a")] == [2, 2]
    assert len(dots(root, "a")) == 5  # the lonely point is there as a dot
    assert len(dots(draw(Line("a", [0, nan, 2], [1, 2, 3])), "a")) == 2


def test_a_gap_in_a_long_line_keeps_its_lonely_point():
    y = np.arange(100.0)
    y[[49, 51]] = math.nan
    root = draw(Line("a", range(100), y))
    assert len(paths(root, "a")) == 2
    assert len(dots(root, "a")) == 1  # others have none: there are too many
    assert len(dots(draw(Line("a", range(30), range(30))), "a")) == 30
    assert dots(draw(Line("a", range(31), range(31))), "a") == []


def test_a_band_goes_around_its_line_and_the_axis_covers_it():
    root = draw(Line("a", [0, 1, 2], [5, 6, 7], [4, 5, 1], [6, 7, 9]))
    y = tick_places(root, "y")
    assert min(y) <= 1
    assert max(y) >= 9
    band = numbers(find(root, "data-band", "a").get("d"))
    assert len(band) == 12
    low, high = min(y), max(y)
    heights = [y[low] + (v - low) / (high - low) * (y[high] - y[low]) for v in (6, 7, 9, 1, 5, 4)]
    np.testing.assert_allclose(band[1::2], heights, atol=0.011)


def test_a_band_over_one_point_is_a_bar():
    root = draw(Line("a", [0], [5], [4], [6]), Line("b", [1, 2], [5, 5], [4, 4], [6, 6]))
    assert find(root, "data-band", "a").get("stroke")
    assert find(root, "data-band", "a").get("fill") is None
    assert find(root, "data-band", "b").get("fill-opacity")


def test_bands_lie_below_all_lines():
    svg = line_chart([Line(n, [0, 1], [0, 1], [0, 1], [1, 2]) for n in "ab"], **LABELS)
    assert svg.rindex("data-band") < svg.index("data-line")


# --- words ----------------------------------------------------------------------------


def test_title_labels_and_description():
    root = draw(Line("nb", [1, 50], [0.72, 0.75]), Line("one", [3], [0.7]))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SPACE}title"
    assert root[0].text == "A title"
    assert root[1].text == (
        "Lines of accuracy against rounds: nb, 0.72 at 1 to 0.75 at 50; one, 0.7 at 3."
    )
    assert {"A title", "rounds", "accuracy", "nb", "one"} <= set(texts(root))
    tips = [e.text for e in find(root, "data-line", "nb").iter(f"{SPACE}title")]
    assert tips == ["nb: 0.72 at 1", "nb: 0.75 at 50"]


def test_a_drawing_without_a_title_is_still_called_something():
    assert draw(Line("a", [1], [1]), title="")[0].text == "accuracy against rounds"


def test_text_is_escaped_and_control_characters_are_replaced():
    name = "<b> & \"quoted\" 'n' \x00\ud800 ünï 二"
    root = draw(Line(name, [1, 2], [1, 2]), title="a < b & c", x_label="<x>", y_label="</svg>")
    seen = name.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert seen in texts(root)
    assert find(root, "data-line", seen) is not None
    assert {"a < b & c", "<x>", "</svg>"} <= set(texts(root))


def test_a_long_title_is_wrapped_and_a_long_name_shortened():
    title = "word " * 80
    root = draw(Line("x" * 200, [1, 2], [1, 2]), title=title)
    shown = [text for text in texts(root) if text.startswith("word")]
    assert len(shown) > 2
    assert " ".join(shown).split() == title.split()
    (name,) = texts(find(root, "data-part", "names"))
    assert name.endswith("x…")
    assert len(name) < 60
    assert "x" * 200 in [e.text for e in root.iter(f"{SPACE}title")]
    assert float(root.get("height")) >= 22 * len(shown) + 100
    assert min(tick_places(root, "y").values()) > 22 * len(shown)


def test_numbers_are_written_with_the_decimals_they_need():
    def numbers_of(*y):
        return texts(find(draw(Line("a", range(len(y)), y)), "data-axis", "y"))

    assert numbers_of(0.71, 0.75)[:2] == ["0.71", "0.72"]
    assert numbers_of(-1000, 3000)[:2] == ["−1,000", "0"]
    assert numbers_of(0, 4e15)[1] == "1e+15"
    assert numbers_of(0, 4e-9)[1] == "1e−09"
    assert len(set(numbers_of(1e15, 1e15 + 40))) > 2


def test_rounds_have_whole_ticks():
    root = draw(Line("a", [1, 2, 3], [0.1, 0.2, 0.3]))
    assert list(tick_places(root, "x")) == [1, 2, 3]


# --- distinct lines -------------------------------------------------------------------


def strokes(n):
    root = draw(*(Line(f"line {i}", [0, 1], [0, i]) for i in range(n)))
    for i in range(n):
        (path,) = find(root, "data-line", f"line {i}").iter(f"{SPACE}path")
        yield path.get("stroke"), path.get("stroke-dasharray")


def test_twenty_lines_are_all_different():
    assert len(set(strokes(20))) == 20
    assert len({colour for colour, _ in strokes(5)}) == 5


def test_colours_stand_out_from_the_white_ground():
    for colour, _ in strokes(5):
        channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert 1.05 / (luminance + 0.05) >= 3.0  # WCAG 2.2, 1.4.11


def test_the_ground_is_white_whatever_the_page():
    ground = next(draw(Line("a", [1], [1])).iter(f"{SPACE}rect"))
    assert ground.get("fill") == "#ffffff"


def test_names_stand_beside_their_lines_and_do_not_overlap():
    ends = [0.5, 0.5, 0.501, 0.9, 0.1]
    root = draw(*(Line(f"line {i}", [0, 1], [0.3, end]) for i, end in enumerate(ends)))
    names = list(find(root, "data-part", "names").iter(f"{SPACE}text"))
    places = {e.text: float(e.get("y")) - 4.3 for e in names}
    assert all(b - a >= 16.9 for a, b in pairwise(sorted(places.values())))
    for name in ("line 3", "line 4"):
        assert places[name] == pytest.approx(dots(root, name)[-1][1], abs=0.02)
    swatches = find(root, "data-part", "names").iter(f"{SPACE}path")
    shown = {(p.get("stroke"), p.get("stroke-dasharray")) for p in swatches}
    assert shown == set(strokes(5))


def test_nothing_depends_on_the_page_or_on_chance():
    svg = line_chart([Line("a", [0, 1], [0, 1])], **LABELS)
    assert svg == line_chart([Line("a", [0, 1], [0, 1])], **LABELS)
    for outside in ("href", "<style", "<script", " id=", " class=", "url("):
        assert outside not in svg


# --- errors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "lines must have at least one line, got none"),
        ([Line("a", [], [])], "line 'a' must have at least one point, got none"),
        ([Line("a", [1], [math.nan])], "line 'a' must have at least one point, got none"),
        ([Line("a", [1, 2], [1])], "line 'a' must have equal lengths, got {'x': 2, 'y': 1}"),
        ([Line("a", [1], [1], [0])], "line 'a' must have both lower and upper, or none"),
        ([Line("a", [1], [1], [2], [0])], "lower of line 'a' must not exceed its upper"),
        ([Line("a", [1], [math.inf])], "y of line 'a' must be finite or NaN, got inf"),
        ([Line("a", ["u"], [1])], r"x of line 'a' must be numbers, got \['u'\]"),
        ([Line("a", [[1]], [1])], "x of line 'a' must have one axis, got 2"),
        ([Line("a", 1, [1])], "x of line 'a' must have one axis, got 0"),
    ],
)
def test_what_cannot_be_drawn_is_refused(lines, message):
    with pytest.raises(ValueError, match="^line_chart: " + message):
        line_chart(lines, **LABELS)


@pytest.mark.parametrize("size", [{"width": 10}, {"height": math.nan}])
def test_a_drawing_too_small_is_refused(size):
    with pytest.raises(ValueError, match=r"^line_chart: (width|height) must be a number >= "):
        draw(Line("a", [1], [1]), **size)


class TestLogarithmicAxis:
    def test_equal_ratios_have_equal_distances(self):
        sizes = [16, 32, 64, 128, 256, 512, 1024]
        root = draw(Line("a", sizes, range(7)), log_x=True, width=900.0)
        places = tick_places(root, "x")
        assert list(places) == sizes
        steps = [b - a for a, b in pairwise(places.values())]
        assert steps == pytest.approx([steps[0]] * 6, abs=0.05)
        line = find(root, "data-line", "a").find(f"{SPACE}path").get("d")
        assert numbers(line)[::2] == pytest.approx(list(places.values()), abs=0.05)

    def test_ticks_that_would_overlap_are_left_out(self):
        root = draw(Line("a", [16, 32, 1000, 1024, 1030], range(5)), log_x=True, width=300.0)
        assert list(tick_places(root, "x")) == [16, 32, 1030]

    def test_one_size_is_in_the_middle(self):
        root = draw(Line("a", [30], [1.0]), log_x=True)
        axis = find(root, "data-axis", "x").find(f"{SPACE}path").get("d")
        left, right = (float(part) for part in (axis[1:].split()[0], axis.split("H")[1]))
        assert tick_places(root, "x")[30] == pytest.approx((left + right) / 2, abs=0.05)

    def test_zero_has_no_logarithm(self):
        with pytest.raises(ValueError, match="line_chart: x must be positive on a logarithmic"):
            draw(Line("a", [0, 1], [1, 2]), log_x=True)
