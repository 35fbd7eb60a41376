"""Surfaces of densities: the heights are those of the model's distributions."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris

from augury.errors import PictureError
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.plot import DensitySurfaceDisplay
from augury.plot.normal_classes import NormalClasses


def test_heights_are_those_of_the_normal_distribution() -> None:
    covariance = np.array([[1.0, 0.8], [0.8, 1.0]])
    display = DensitySurfaceDisplay(
        normals=NormalClasses(["a", "b"], np.zeros((1, 2)), covariance[None])
    ).plot()
    x, y = np.meshgrid(*display.grid_)
    expected = multivariate_normal([0, 0], covariance).pdf(np.stack([x, y], axis=-1))
    np.testing.assert_allclose(display.heights_[0], expected)
    assert display.heights_.max() == pytest.approx(1 / (2 * np.pi * 0.6))
    assert display.ax_.name == "3d"
    assert display.ax_.get_legend() is None
    # The volume below the surface; the grid has three standard deviations.
    volume = np.trapezoid(np.trapezoid(display.heights_[0], display.grid_[0]), display.grid_[1])
    assert volume == pytest.approx(1.0, abs=0.01)


def test_surfaces_of_a_model() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    names = list(X.columns[2:])
    display = DensitySurfaceDisplay.from_estimator(model, features=names)
    assert len(display.surfaces_) == 3
    np.testing.assert_allclose(display.normals.covariances[1], model.covariance_[2:, 2:])
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["0", "1", "2"]


def test_errors() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = LinearDiscriminantAnalysis().fit(X, y)
    with pytest.raises(PictureError, match="features must be two of the columns sepal length"):
        DensitySurfaceDisplay.from_estimator(model)
    with pytest.raises(PictureError, match="got no, petal width"):
        DensitySurfaceDisplay.from_estimator(model, features=("no", "petal width (cm)"))
    with pytest.raises(PictureError, match="NaiveBayes has no normal classes"):
        DensitySurfaceDisplay.from_estimator(NaiveBayes().fit(X, y))
