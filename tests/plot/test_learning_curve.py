"""Learning curves: means and bands are those of the repetitions."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier

from augury.data import Dataset
from augury.errors import PictureError
from augury.evaluate import GrowingSamples, cross_validate
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.plot import LearningCurveDisplay

MODELS = {"nb": NaiveBayes(), "lda": LinearDiscriminantAnalysis()}
SIZES = [15, 30, 90]


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def rows(iris):
    dataset = Dataset(*iris, "iris", "class", "here")
    return cross_validate([dataset], MODELS, GrowingSamples(SIZES, 3))


@pytest.mark.parametrize("measure", ["error", "log_loss", "brier"])
def test_means_and_bands(rows, measure) -> None:
    display = LearningCurveDisplay.from_results(rows, measure=measure)
    for model, line, band in zip(MODELS, display.lines_, display.bands_, strict=True):
        assert line.get_xdata().tolist() == SIZES
        corners = band.get_paths()[0].vertices
        for size, mean in zip(SIZES, line.get_ydata(), strict=True):
            losses = [
                100 * (1 - row.accuracy) if measure == "error" else getattr(row, measure)
                for row in rows
                if (row.model, row.n_train) == (model, size)
            ]
            assert len(losses) == 3
            assert mean == pytest.approx(np.mean(losses))
            half = 2 * np.std(losses, ddof=1) / np.sqrt(3)
            ends = corners[corners[:, 0] == size, 1]
            assert (ends.min(), ends.max()) == pytest.approx((mean - half, mean + half))


def test_axes_and_legend(rows) -> None:
    display = LearningCurveDisplay.from_results(rows, measure="log_loss")
    ax = display.ax_
    assert (ax.get_xscale(), ax.get_xlabel(), ax.get_ylabel()) == (
        "log", "training rows", "log loss",
    )  # fmt: skip
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["15", "30", "90"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["nb", "lda"]
    assert ax.get_title() == "iris"


def test_estimators_give_the_same_as_results(iris, rows) -> None:
    display = LearningCurveDisplay.from_estimators(
        MODELS, *iris, sizes=SIZES, n_repeats=3, title="flowers"
    )
    expected = LearningCurveDisplay.from_results(rows)
    for ours, theirs in zip(display.curves, expected.curves, strict=True):
        np.testing.assert_array_equal(ours.means, theirs.means)
    assert display.ax_.get_title() == "flowers"


def test_one_repetition_has_no_band(iris) -> None:
    display = LearningCurveDisplay.from_estimators(
        {"nb": NaiveBayes()}, *iris, sizes=[20, 40], n_repeats=1
    )
    assert np.isnan(display.curves[0].errors).all()
    corners = display.bands_[0].get_paths()[0].vertices
    assert set(corners[:, 1]) == set(display.curves[0].means)


def test_many_sizes_have_the_ticks_of_the_axis(iris) -> None:
    display = LearningCurveDisplay.from_estimators(
        {"nb": NaiveBayes()}, *iris, sizes=list(range(10, 100, 10)), n_repeats=1
    )
    assert len(display.curves[0].sizes) == 9
    assert display.ax_.get_xticks().tolist() != display.curves[0].sizes.tolist()


def test_models_without_probabilities(iris) -> None:
    models = {"ridge": RidgeClassifier()}
    display = LearningCurveDisplay.from_estimators(models, *iris, sizes=[30], n_repeats=2)
    assert len(display.lines_) == 1
    with pytest.raises(PictureError, match="no model has probabilities, which log_loss needs"):
        LearningCurveDisplay.from_estimators(
            models, *iris, sizes=[30], n_repeats=2, measure="log_loss"
        )


def test_errors(rows) -> None:
    with pytest.raises(PictureError, match="results must be of one data set, got 0"):
        LearningCurveDisplay.from_results([])
    with pytest.raises(ValueError, match="measure must be one of 'error'"):
        LearningCurveDisplay.from_results(rows, measure="accuracy")
