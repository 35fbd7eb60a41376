"""Reliability diagrams: points, intervals and counts are those of the bins."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.stats import binomtest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import RidgeClassifier

from augury.errors import PictureError
from augury.generative import LinearDiscriminantAnalysis
from augury.plot import ReliabilityDisplay

draw = ReliabilityDisplay.from_predictions


@pytest.fixture(scope="module")
def said():
    rng = np.random.default_rng(0)
    p = rng.random(400)
    return np.where(rng.random(400) < p, "yes", "no"), np.column_stack([1 - p, p])


def test_points_and_counts(said) -> None:
    y, p = said
    display = draw(y, p, classes=["no", "yes"], n_bins=4, min_rows=1)
    x, height = display.line_.get_data()
    for b in range(4):
        rows = (p[:, 1] > b / 4) & (p[:, 1] <= (b + 1) / 4)
        assert x[b] == pytest.approx(p[rows, 1].mean())
        assert height[b] == pytest.approx((y[rows] == "yes").mean())
        bar = display.counts_[b]
        assert (bar.get_x(), bar.get_width(), bar.get_height()) == (b / 4, 0.25, rows.sum())


def test_band_has_wilsons_intervals(said) -> None:
    y, p = said
    display = draw(y, p, classes=["no", "yes"], n_bins=5, min_rows=1, level=0.9)
    corners = display.band_.get_paths()[0].vertices
    for x, hits, n in zip(
        display.bins.mean_confidence, display.bins.hit_sums, display.bins.weights, strict=True
    ):
        ends = corners[np.isclose(corners[:, 0], x), 1]
        found = binomtest(int(hits), int(n)).proportion_ci(0.9, method="wilson")
        assert (ends.min(), ends.max()) == pytest.approx((found.low, found.high))


def test_bins_are_merged(said) -> None:
    y, p = said
    display = draw(y, p, classes=["no", "yes"], n_bins=50, min_rows=40)
    assert min(display.bins.weights) >= 40
    assert sum(display.bins.weights) == 400
    assert len(display.line_.get_xdata()) == len(display.bins.weights) < 11


def test_class_that_is_drawn(said) -> None:
    y, p = said
    first = draw(y, p, classes=["no", "yes"], positive="no")
    assert first.ax_.get_ylabel() == "frequency of no"
    assert first.counts_ax_.get_xlabel() == "predicted probability of no"
    assert sum(first.bins.hit_sums) == (y == "no").sum()
    assert sum(draw(y, p, classes=["no", "yes"]).bins.hit_sums) == (y == "yes").sum()


def test_most_probable_class_of_several() -> None:
    X, y = load_iris(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X[::2], y[::2])
    display = ReliabilityDisplay.from_estimator(model, X[1::2], y[1::2])
    assert sum(display.bins.hit_sums) == (model.predict(X[1::2]) == y[1::2]).sum()
    assert display.ax_.get_ylabel() == "share predicted correctly"


def test_weights_are_numbers_of_rows(said) -> None:
    y, p = said
    weight = np.r_[np.full(200, 2), np.ones(200)]
    display = draw(y, p, classes=["no", "yes"], sample_weight=weight)
    rows = np.r_[np.arange(200), np.arange(400)]
    again = draw(y[rows], p[rows], classes=["no", "yes"])
    assert display.bins.hit_rate == pytest.approx(again.bins.hit_rate)


def test_legend_and_a_second_model() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = LinearDiscriminantAnalysis().fit(X[::2], y[::2])
    _, ax = plt.subplots()
    first = ReliabilityDisplay.from_estimator(model, X[1::2], y[1::2], name="one", ax=ax)
    second = ReliabilityDisplay.from_estimator(model, X, y, name="two", ax=ax)
    assert second.ax_ is first.ax_
    assert second.counts_ax_ is first.counts_ax_
    assert first.line_.get_color() != second.line_.get_color()
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    error = first.bins.expected_calibration_error
    assert texts[:3] == ["calibrated", f"ECE {error:.3f} (one)", "95 % intervals"]
    assert texts[3].endswith("(two)")


def test_errors(said) -> None:
    y, p = said
    with pytest.raises(PictureError, match=r"positive must be one of the classes \['no', 'yes'\]"):
        draw(y, p, classes=["no", "yes"], positive="maybe")
    with pytest.raises(PictureError, match="y must be one of the classes"):
        draw(y, p, classes=["no", "aye"])
    with pytest.raises(PictureError, match="there are no rows"):
        draw([], np.empty((0, 2)), classes=["no", "yes"])
    X, z = load_iris(return_X_y=True)
    with pytest.raises(PictureError, match="RidgeClassifier has no probabilities"):
        ReliabilityDisplay.from_estimator(RidgeClassifier().fit(X, z), X, z)
