"""Bars of contributions sum to the log odds, and begin where the bar above ends."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_wine
from sklearn.pipeline import Pipeline

from augury.discriminative import LinearSVM
from augury.encode import TidyColumns
from augury.errors import PictureError
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.plot import ContributionsDisplay

X, Y = load_wine(return_X_y=True, as_frame=True)
ROW = X.iloc[[100]]


def test_bars_are_the_contributions_of_explain() -> None:
    model = NaiveBayes(continuous="gaussian").fit(X, Y)
    display = ContributionsDisplay.from_estimator(model, ROW, positive=1, negative=0)
    explained = model.explain(ROW, positive=1, negative=0).iloc[0]
    assert display.values_[0] == pytest.approx(explained["prior"])
    assert display.values_.sum() == pytest.approx(explained.sum(), abs=1e-9)
    for name, value in zip(display.names_[1:-1], display.values_[1:-1], strict=True):
        column = name.partition(" = ")[0]
        assert value == pytest.approx(explained[column])
    assert len(display.names_) == 14  # the prior, 12 columns and the one that is left
    assert display.names_[-1] == "1 other column"
    assert display.ax_.get_xlabel() == "log odds of 1 against 0"


def test_each_bar_begins_where_the_one_above_ends() -> None:
    model = NaiveBayes(continuous="gaussian").fit(X, Y)
    display = ContributionsDisplay.from_estimator(model, ROW, max_features=3)
    ends = np.array([bar.get_x() + bar.get_width() for bar in display.bars_])
    starts = np.array([bar.get_x() for bar in display.bars_])
    np.testing.assert_allclose(starts, [0.0, *ends[:-1]], atol=1e-9)
    assert ends[-1] == pytest.approx(display.explanation.log_odds)
    assert display.names_[-1] == "10 other columns"
    assert [bool(bar.get_hatch()) for bar in display.bars_] == (display.values_ < 0).tolist()


def test_labels_missing_values_pipelines_and_given_axes() -> None:
    table = pd.DataFrame({"sky": ["sun", "rain", None] * 6, "wind": [1.0, np.nan, 5.0] * 6})
    y = ["out", "in", "in"] * 6
    model = Pipeline([("columns", TidyColumns()), ("model", HiddenNaiveBayes())]).fit(table, y)
    _, ax = plt.subplots()
    display = ContributionsDisplay.from_estimator(model, table.iloc[[2]], ax=ax)
    assert display.ax_ is ax
    assert set(display.names_) == {"prior", "sky = missing", "wind = 5"}
    assert "p = " in ax.get_title(loc="left")


def test_a_model_without_probabilities() -> None:
    display = ContributionsDisplay.from_estimator(LinearSVM().fit(X, Y), ROW)
    assert "difference of decision values" in display.ax_.get_xlabel()
    assert "p = " not in display.ax_.get_title(loc="left")


def test_what_cannot_be_drawn() -> None:
    model = NaiveBayes().fit(X, Y)
    with pytest.raises(PictureError, match="row must have one row, got 2"):
        ContributionsDisplay.from_estimator(model, X[:2])
    with pytest.raises(PictureError, match=r"classes are \[0, 1, 2\], got 7"):
        ContributionsDisplay.from_estimator(model, ROW, positive=7, negative=0)
    for positive, negative in [(1, None), (None, 1), (1, 1)]:
        with pytest.raises(PictureError, match="two different classes, or both None"):
            ContributionsDisplay.from_estimator(model, ROW, positive=positive, negative=negative)
    with pytest.raises(ValueError, match="max_features must be"):
        ContributionsDisplay.from_estimator(model, ROW, max_features=0)
