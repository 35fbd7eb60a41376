"""Class-conditional distributions: heights are the model's, densities integrate to one."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from augury.discriminative import LogisticRegression
from augury.encode import TidyColumns
from augury.errors import PictureError
from augury.generative import (
    LinearDiscriminantAnalysis,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from augury.plot import ClassConditionalDisplay

draw = ClassConditionalDisplay.from_estimator


@pytest.fixture(scope="module")
def table():
    found = load_iris(as_frame=True)
    X = found.data.set_axis(["sl", "sw", "pl", "pw"], axis=1)
    X["sky"] = np.where(X["sl"] > 5.8, "sun", "rain")
    X.loc[3, "sky"] = None
    X.loc[5, "sl"] = np.nan
    return X, pd.Series(found.target_names[found.target])


@pytest.mark.parametrize("name", ["sl", "sw", "pl", "pw"])
@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(continuous="gaussian"),
        NaiveBayes(continuous="interval"),
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        RegularizedDiscriminantAnalysis(alpha=0.5),
    ],
    ids=["gaussian", "interval", "LDA", "QDA", "RDA"],
)
def test_densities_integrate_to_one(table, model, name) -> None:
    display = draw(model.fit(*table), name)
    assert len(display.lines_) == 3
    for line in display.lines_:
        # Four standard deviations hold 0.99994 of a normal distribution. The probabilities of
        # intervals are steps, between which the grid has few values.
        slack = 0.05 if getattr(model, "continuous", "") == "interval" else 2e-4
        assert np.trapezoid(line.get_ydata(), line.get_xdata()) == pytest.approx(1.0, abs=slack)


def test_density_of_naive_bayes_is_normal(table) -> None:
    X, y = table
    display = draw(NaiveBayes(continuous="gaussian", variance_floor=0.0).fit(X, y), "pl")
    for k, label in enumerate(["setosa", "versicolor", "virginica"]):
        of_class = X["pl"][y == label]
        expected = norm(of_class.mean(), of_class.std()).pdf(display.lines_[k].get_xdata())
        np.testing.assert_allclose(display.lines_[k].get_ydata(), expected, rtol=1e-9)


def test_density_of_intervals_is_their_probability_over_their_width(table) -> None:
    model = NaiveBayes(continuous="interval").fit(*table)
    display = draw(model, "pl")
    j = model.encoder_.number_names_.index("pl")
    width = model.precision_[j]
    at = np.rint(display.values / width) * width
    for k, line in enumerate(display.lines_):
        normal = norm(model.mean_[j, k], np.sqrt(model.variance_[j, k]))
        expected = (normal.cdf(at + width / 2) - normal.cdf(at - width / 2)) / width
        np.testing.assert_allclose(line.get_ydata(), expected, atol=1e-12)


def test_density_of_linear_analysis_has_one_variance(table) -> None:
    X, y = table[0][["pl", "pw"]], table[1]
    model = LinearDiscriminantAnalysis().fit(X, y)
    display = draw(model, 1)
    for k, line in enumerate(display.lines_):
        normal = norm(model.means_[k, 1], np.sqrt(model.covariance_[1, 1]))
        np.testing.assert_allclose(line.get_ydata(), normal.pdf(line.get_xdata()), rtol=1e-9)


def bar_heights(display) -> np.ndarray:
    return np.array([[bar.get_height() for bar in bars] for bars in display.bars_]).T


def tick_texts(display) -> list[str]:
    return [text.get_text() for text in display.ax_.get_xticklabels()]


def test_bars_of_labels(table) -> None:
    X, y = table
    display = draw(NaiveBayes().fit(X, y), "sky")
    assert tick_texts(display) == ["rain", "sun", "missing"]
    counts = pd.crosstab(X["sky"].fillna("missing"), y).loc[["rain", "sun", "missing"]]
    expected = (counts + 1) / (counts.sum() + 3)
    np.testing.assert_allclose(bar_heights(display), expected)
    np.testing.assert_allclose(bar_heights(display).sum(axis=0), 1.0)


def test_bars_of_intervals(table) -> None:
    X, y = table
    model = NaiveBayes().fit(X, y)
    display = draw(model, "pl")
    assert tick_texts(display) == ["≤ 2.45", "2.45 – 4.75", "> 4.75"]
    counts = pd.crosstab(pd.cut(X["pl"], [-np.inf, 2.45, 4.75, np.inf]), y)
    np.testing.assert_allclose(bar_heights(display), (counts + 1) / (counts.sum() + 3))
    display = draw(model, "sl")  # one value is missing
    assert tick_texts(display)[-1] == "missing"
    np.testing.assert_allclose(bar_heights(display).sum(axis=0), 1.0)
    np.testing.assert_allclose(bar_heights(display)[-1], [2 / 54, 1 / 54, 1 / 54])


def test_bars_of_a_column_without_cut_points() -> None:
    X, y = pd.DataFrame({"noise": [1.0, 2.0, 1.5, 1.6]}), ["a", "b", "b", "a"]
    display = draw(NaiveBayes().fit(X, y), "noise")
    assert tick_texts(display) == ["all numbers"]
    assert bar_heights(display).tolist() == [[1.0, 1.0]]


def test_labels_of_the_picture(table) -> None:
    display = draw(NaiveBayes(continuous="gaussian").fit(*table), "pl")
    assert display.ax_.get_xlabel() == "pl"
    assert display.ax_.get_ylabel() == "density p(x | class)"
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["setosa", "versicolor", "virginica"]
    assert len({line.get_linestyle() for line in display.lines_}) == 3
    assert draw(NaiveBayes().fit(*table), "pl").ax_.get_ylabel() == "probability p(x | class)"


def test_range_of_rows(table) -> None:
    X, y = table
    for model in (NaiveBayes(continuous="gaussian"), LinearDiscriminantAnalysis()):
        display = draw(model.fit(X, y), "pl", X=X)
        low, high = display.ax_.get_xlim()
        assert (low, high) == pytest.approx((1.0 - 0.15 * 5.9, 6.9 + 0.15 * 5.9))


def test_model_behind_tidy_columns(table) -> None:
    X, y = table
    raw = X.assign(id=[f"row{k}" for k in range(150)], cost=[f"${v:.2f}" for v in X["pl"]])
    model = make_pipeline(TidyColumns(), NaiveBayes(continuous="gaussian")).fit(raw, y)
    display = draw(model, "cost")
    means = [line.get_xdata()[np.argmax(line.get_ydata())] for line in display.lines_]
    np.testing.assert_allclose(means, X["pl"].groupby(y).mean(), atol=0.02)


def test_numbers_that_are_labels() -> None:
    X, y = np.array([[3], [3], [5], [5]]), [0, 0, 1, 1]
    display = draw(NaiveBayes(categorical_features="all").fit(X, y), 0)
    assert tick_texts(display) == ["3", "5"]
    np.testing.assert_allclose(bar_heights(display), [[0.75, 0.25], [0.25, 0.75]])


def test_errors(table) -> None:
    X, y = table
    with pytest.raises(PictureError, match=r"reads no column 'no'; it reads sl, sw, pl, pw, sky"):
        draw(NaiveBayes().fit(X, y), "no")
    with pytest.raises(
        PictureError, match="LinearDiscriminantAnalysis has no distribution of the column 'sky'"
    ):
        draw(LinearDiscriminantAnalysis().fit(X, y), "sky")
    with pytest.raises(PictureError, match="LogisticRegression has no class-conditional"):
        draw(LogisticRegression().fit(X, y), "pl")
