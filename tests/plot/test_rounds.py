"""Curves of rounds equal the staged accuracy."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.ensemble import BoostedNaiveBayes
from augury.errors import PictureError
from augury.generative import NaiveBayes
from augury.plot import RoundsDisplay

X, Y = load_iris(return_X_y=True, as_frame=True)
TRAIN, TEST = np.arange(0, 150, 2), np.arange(1, 150, 2)


def boosted(n_rounds: int = 5) -> BoostedNaiveBayes:
    model = BoostedNaiveBayes(NaiveBayes(continuous="gaussian"), n_estimators=n_rounds)
    return model.fit(X.iloc[TRAIN], Y.iloc[TRAIN])


def test_the_curve_is_the_staged_accuracy() -> None:
    model = boosted()
    display = RoundsDisplay.from_estimator(model, X.iloc[TEST], Y.iloc[TEST])
    line = display.lines_["BoostedNaiveBayes"]
    expected = 100 * np.array(list(model.staged_score(X.iloc[TEST], Y.iloc[TEST])))
    assert np.asarray(line.get_xdata()).tolist() == list(range(1, len(expected) + 1))
    np.testing.assert_allclose(line.get_ydata(), expected)
    assert line.get_ydata()[-1] == pytest.approx(100 * model.score(X.iloc[TEST], Y.iloc[TEST]))
    assert list(display.first_line_.get_ydata()) == [pytest.approx(expected[0])] * 2
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["BoostedNaiveBayes", "first round"]


def test_a_model_in_a_pipeline() -> None:
    rows = X.assign(same="one")
    inner = BoostedNaiveBayes(NaiveBayes(continuous="gaussian"), n_estimators=5)
    pipeline = Pipeline([("columns", TidyColumns()), ("model", inner)])
    pipeline.fit(rows.iloc[TRAIN], Y.iloc[TRAIN])
    display = RoundsDisplay.from_estimator(pipeline, rows.iloc[TEST], Y.iloc[TEST], name="nb")
    alone = RoundsDisplay.from_estimator(boosted(), X.iloc[TEST], Y.iloc[TEST])
    np.testing.assert_allclose(display.accuracy["nb"], alone.accuracy["BoostedNaiveBayes"])


def test_several_ensembles_of_other_libraries() -> None:
    rows, classes = X.to_numpy(), Y.to_numpy()
    other = AdaBoostClassifier(n_estimators=4, random_state=0).fit(rows[TRAIN], classes[TRAIN])
    ours = BoostedNaiveBayes(n_estimators=3).fit(rows[TRAIN], classes[TRAIN])
    _, ax = plt.subplots()
    display = RoundsDisplay.from_estimators(
        {"ours": ours, "trees": other}, rows[TEST], classes[TEST], ax=ax
    )
    assert display.ax_ is ax
    assert list(display.lines_) == ["ours", "trees"]
    assert display.accuracy["trees"][-1] == pytest.approx(
        100 * other.score(rows[TEST], classes[TEST])
    )


def test_no_rounds() -> None:
    model = NaiveBayes().fit(pd.DataFrame({"a": ["x", "y"]}), [0, 1])
    with pytest.raises(PictureError, match=r"^NaiveBayes has no rounds that can be drawn"):
        RoundsDisplay.from_estimator(model, pd.DataFrame({"a": ["x"]}), [0])
    with pytest.raises(PictureError, match="at least one curve"):
        RoundsDisplay({})
