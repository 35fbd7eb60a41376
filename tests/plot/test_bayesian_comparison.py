"""The bars are the probabilities of the Bayesian signed-rank test."""

import pytest
from matplotlib import pyplot as plt

from augury.errors import PictureError
from augury.evaluate import BayesianComparison, bayesian_signed_rank
from augury.plot import BayesianComparisonDisplay

SCORES = {
    "a$": [0.9, 0.8, 0.7, 0.85, 0.6],
    "b": [0.88, 0.79, 0.73, 0.84, 0.55],
    "c": [0.5, 0.4, 0.3, 0.2, 0.1],
}


def test_bars_are_the_probabilities_side_by_side() -> None:
    display = BayesianComparisonDisplay.from_scores(SCORES, rope=0.02, random_state=3)
    assert list(display.comparisons) == [("a$", "b"), ("a$", "c"), ("b", "c")]
    expected = bayesian_signed_rank(SCORES["a$"], SCORES["b"], rope=0.02, random_state=3)
    assert display.comparisons["a$", "b"] == expected
    first = [display.bars_[part][0] for part in ("a_better", "equal", "b_better")]
    widths = [bar.get_width() for bar in first]
    assert widths == pytest.approx([expected.a_better, expected.equal, expected.b_better])
    assert [bar.get_x() for bar in first] == pytest.approx([0.0, widths[0], widths[0] + widths[1]])
    texts = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert texts == ["a\\$ and b", "a\\$ and c", "b and c"]
    # Shares without space have no number.
    assert [text.get_text() for text in display.ax_.texts].count("1.00") == 2


def test_losses_pairs_and_given_axes() -> None:
    _, ax = plt.subplots()
    display = BayesianComparisonDisplay.from_scores(
        SCORES, pairs=[("c", "b")], lower_is_better=True, ax=ax
    )
    assert display.ax_ is ax
    assert display.comparisons["c", "b"].a_better == pytest.approx(1.0, abs=0.01)


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(PictureError, match=r"models of scores, a\$, b, c, got 'd'"):
        BayesianComparisonDisplay.from_scores(SCORES, pairs=[("a$", "d")])
    with pytest.raises(PictureError, match="at least one pair"):
        BayesianComparisonDisplay({})
    BayesianComparisonDisplay({("a", "b"): BayesianComparison(0.2, 0.3, 0.5)}).plot()
