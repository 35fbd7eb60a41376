"""The diagram shows the ranks, the critical difference and the groups of the test."""

import pytest
from matplotlib import pyplot as plt

from augury.errors import PictureError
from augury.evaluate import FriedmanTest, alike_groups, critical_difference, friedman_test
from augury.plot import CriticalDifferenceDisplay

# Ten data sets; the last model is always worst, and the first two alternate.
SCORES = {
    "a": [9, 8] * 5,
    "b": [8, 9] * 5,
    "c": [7] * 10,
    "last$": [1] * 10,
}


def test_ruler_bars_and_names() -> None:
    display = CriticalDifferenceDisplay.from_scores(SCORES)
    test = friedman_test(SCORES)
    start, end = display.ruler_.get_xdata()
    assert end - start == pytest.approx(critical_difference(4, 10))
    assert display.groups_ == alike_groups(test) == (("a", "b"), ("c", "last$"))
    assert len(display.bars_) == 2
    low, high = display.bars_[0].get_xdata()
    assert low < 1.5 < high < 3.0
    texts = [text.get_text().strip() for text in display.names_.values()]
    assert texts == ["a 1.50", "b 1.50", "last\\$ 4.00", "c 3.00"]


def test_losses_level_and_given_axes() -> None:
    _, ax = plt.subplots()
    display = CriticalDifferenceDisplay.from_scores(SCORES, lower_is_better=True, alpha=0.1, ax=ax)
    assert display.ax_ is ax
    assert display.test.rank_of("last$") == 1.0
    assert display.critical_difference_ == pytest.approx(critical_difference(4, 10, alpha=0.1))
    assert any("α = 0.1, 10 data sets" in text.get_text() for text in ax.texts)


def test_one_model_has_no_diagram() -> None:
    alone = FriedmanTest(("nb",), (1.0,), 3, 0.0, 1.0, 0.0, 1.0)
    with pytest.raises(PictureError, match="at least two models, got 1"):
        CriticalDifferenceDisplay(alone)
