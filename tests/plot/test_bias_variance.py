"""Bars of bias and variance have the heights that evaluate computes."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from augury.errors import PictureError
from augury.evaluate import BiasVariance, kohavi_wolpert_bias_variance, webb_bias_variance
from augury.plot import BiasVarianceDisplay

CODES = [0, 1, 0, 1]
# Three runs; predictions of each row.
RIGHT = [[0, 1, 0, 1]] * 3
ALWAYS_WRONG_ABOUT_ROW_0 = [[1, 1, 0, 1]] * 3
ONCE_WRONG = [[0, 1, 0, 1], [1, 1, 0, 1], [0, 1, 0, 1]]
MIXED = [[1, 1, 0, 0], [1, 1, 0, 1], [1, 1, 1, 1]]

RESULTS = {
    ("one", "A"): webb_bias_variance(CODES, ALWAYS_WRONG_ABOUT_ROW_0),  # bias 1/4
    ("one", "B"): webb_bias_variance(CODES, ONCE_WRONG),  # variance 1/12
    ("two", "A"): webb_bias_variance(CODES, MIXED),  # bias 1/4, variance 1/6
    ("two", "B"): webb_bias_variance(CODES, RIGHT),
}


def heights(bars) -> list[float]:
    return [float(bar.get_height()) for bar in bars]


def bottoms(bars) -> list[float]:
    return [float(bar.get_y()) for bar in bars]


def test_bars_of_models() -> None:
    display = BiasVarianceDisplay.from_results(RESULTS)
    assert list(display.bias_bars_) == ["A", "B"]
    assert heights(display.bias_bars_["A"]) == pytest.approx([25.0, 25.0])
    assert heights(display.variance_bars_["A"]) == pytest.approx([0.0, 100 / 6])
    assert bottoms(display.variance_bars_["A"]) == pytest.approx([25.0, 25.0])
    assert heights(display.variance_bars_["B"]) == pytest.approx([100 / 12, 0.0])
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["one", "two"]
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["A", "B", "bias", "variance"]


def test_bars_of_models_stand_side_by_side() -> None:
    display = BiasVarianceDisplay.from_results(RESULTS)
    first, second = display.bias_bars_["A"][0], display.bias_bars_["B"][0]
    assert first.get_x() + first.get_width() == pytest.approx(second.get_x())
    assert first.get_x() == pytest.approx(-0.4)


def test_signed_differences() -> None:
    display = BiasVarianceDisplay.from_results(RESULTS, models=["A", "B"], difference=True)
    assert list(display.bias_bars_) == ["A − B"]
    bias, variance = display.bias_bars_["A − B"], display.variance_bars_["A − B"]
    assert heights(bias) == pytest.approx([25.0, 25.0])
    assert heights(variance) == pytest.approx([-100 / 12, 100 / 6])
    # Parts of the same sign are stacked; parts of another sign begin at 0.
    assert bottoms(variance) == pytest.approx([0.0, 25.0])
    assert display.ax_.get_ylabel() == "points; above 0: B is lower"
    assert display.ax_.get_title(loc="left") == "A − B"


def test_the_order_of_the_models_changes_the_sign() -> None:
    display = BiasVarianceDisplay.from_results(RESULTS, models=["B", "A"], difference=True)
    assert heights(display.bias_bars_["B − A"]) == pytest.approx([-25.0, -25.0])
    assert bottoms(display.variance_bars_["B − A"]) == pytest.approx([0.0, -25.0])


def test_negative_parts_are_stacked_downwards() -> None:
    parts = {
        ("d", "A"): BiasVariance(error=0.1, bias=0.05, variance=0.05, noise=0.0),
        ("d", "B"): BiasVariance(error=0.4, bias=0.15, variance=0.25, noise=0.0),
    }
    display = BiasVarianceDisplay.from_results(parts, difference=True)
    [bias], [variance] = display.bias_bars_["A − B"], display.variance_bars_["A − B"]
    assert (bias.get_y(), bias.get_height()) == (0.0, pytest.approx(-10.0))
    assert variance.get_y() == pytest.approx(-10.0)
    assert variance.get_height() == pytest.approx(-20.0)
    low, _ = display.ax_.get_ylim()
    assert low < -30.0


def test_order_and_labels_of_data_sets() -> None:
    display = BiasVarianceDisplay.from_results(
        RESULTS, models=["B"], datasets=["two", "one"], labels={"one": "1", "two": "2"}
    )
    assert heights(display.variance_bars_["B"]) == pytest.approx([0.0, 100 / 12])
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["2", "1"]


def test_the_other_definition() -> None:
    parts = {("d", "A"): kohavi_wolpert_bias_variance(CODES, MIXED)}
    display = BiasVarianceDisplay.from_results(parts)
    assert heights(display.bias_bars_["A"]) == [pytest.approx(100 * parts["d", "A"].bias)]


def test_many_long_names_do_not_overlap() -> None:
    names = [f"a data set with a long name {k}" for k in range(36)]
    parts = {(name, "A"): RESULTS["one", "A"] for name in names}
    display = BiasVarianceDisplay.from_results(parts)
    assert {text.get_rotation() for text in display.ax_.get_xticklabels()} == {60.0}
    # Rotated texts are as far apart as their bars, which is more than the height of a line.
    display.figure_.draw_without_rendering()
    places = np.array([text.get_window_extent().x1 for text in display.ax_.get_xticklabels()])
    line = 8 * display.figure_.dpi / 72
    assert np.diff(places).min() * np.sin(np.pi / 3) > line


def test_given_axes() -> None:
    _, ax = plt.subplots()
    assert BiasVarianceDisplay.from_results(RESULTS, ax=ax).ax_ is ax


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"models": ["A"], "difference": True}, "must be two different models .* got A$"),
        ({"models": ["A", "A"], "difference": True}, "must be two different models"),
        ({"models": ["A", "C"]}, "no result of C on one"),
        ({"datasets": ["three"]}, "no result of A on three"),
        ({"models": []}, "at least one model"),
    ],
)
def test_errors(arguments, message: str) -> None:
    with pytest.raises(PictureError, match=message):
        BiasVarianceDisplay.from_results(RESULTS, **arguments)
