"""The pictures of the lecture notes, on data made as the notes describe and on iris."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.data import Dataset
from augury.data.synthetic import make_normal_classes, make_poisson_classes
from augury.discriminative import LogisticRegression
from augury.foreign import Classifier
from augury.generative import (
    LinearDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from augury.optional import import_extra
from augury.papers.notes.examples import COVARIANCES, IS_SPAM, MAILS, NEW_MAIL
from augury.plot.class_conditional import ClassConditionalDisplay
from augury.plot.class_styles import color_of, dashes_of
from augury.plot.decision_regions import DecisionRegionsDisplay
from augury.plot.density_surface import DensitySurfaceDisplay
from augury.plot.learning_curve import LearningCurveDisplay
from augury.plot.normal_classes import NormalClasses
from augury.reproduce.figure import Figure, FigureInputs

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

IRIS = "sklearn:iris"
SIZES = (10, 20, 50, 100, 200, 500, 1000)
IRIS_SIZES = (10, 15, 25, 50, 100)
N_REPEATS = 20
ALPHAS = (0.0, 0.5, 1.0)

_SEPAL = ["sepal length (cm)", "sepal width (cm)"]
_PETAL = ["petal length (cm)", "petal width (cm)"]

# Classes with covariances of their own, of different direction and size.
_OWN_COVARIANCES = (((1.0, 0.6), (0.6, 1.0)), ((0.5, -0.5), (-0.5, 1.8)))


def _canvas(width: float, height: float) -> Canvas:
    figures = import_extra("matplotlib.figure", extra="plot", purpose="a picture")
    canvas: Canvas = figures.Figure(figsize=(width, height), layout="constrained")
    return canvas


# ---- normal densities -------------------------------------------------------------------


def draw_normal_densities(_: FigureInputs) -> str:
    """Draw the density for Σ = I and for off-diagonals of 0.5 and 0.8: surfaces and contours."""
    canvas = _canvas(9.0, 5.6)
    for k, covariance in enumerate(COVARIANCES):
        normals = NormalClasses(["x1", "x2"], np.zeros((1, 2)), covariance[None])
        space = canvas.add_subplot(2, 3, k + 1, projection="3d")
        display = DensitySurfaceDisplay(normals=normals).plot(ax=space)
        space.set_title(f"Σ = [1 {covariance[0, 1]:g}; {covariance[0, 1]:g} 1]")
        plane = canvas.add_subplot(2, 3, k + 4)
        x, y = display.grid_
        plane.contour(x, y, display.heights_[0], levels=8, cmap="viridis")
        plane.set(xlabel="x1", ylabel="x2", aspect="equal")
    return display.to_svg()


def draw_two_densities(_: FigureInputs) -> str:
    """Draw Figure 2 of the lecture: density surfaces of two classes with one covariance."""
    made = make_normal_classes(400, means=[[0, 0], [3, 2]], random_state=0)
    model = LinearDiscriminantAnalysis().fit(made.X, made.y)
    return DensitySurfaceDisplay.from_estimator(
        model, ax=_canvas(7.0, 5.2).add_subplot(projection="3d")
    ).to_svg()


# ---- regions ----------------------------------------------------------------------------


def _draw_regions(
    models: Mapping[str, Classifier], X: pd.DataFrame, y: pd.Series, **options: Any
) -> str:
    """Draw the regions of several models of the same rows, with one legend."""
    options["grid_size"] = {1: 201, 2: 101}.get(len(models), 81)  # for small files
    canvas = _canvas(2.0 + 3.9 * len(models), 4.0)
    axes = np.atleast_1d(canvas.subplots(1, len(models), sharey=True))
    for k, (ax, (title, model)) in enumerate(zip(axes, models.items(), strict=True)):
        display = DecisionRegionsDisplay.from_estimator(model.fit(X, y), X, y, ax=ax, **options)
        ax.set_title(title)
        if k + 1 < len(models):
            ax.get_legend().remove()
        if k > 0:
            ax.set_ylabel("")
    return display.to_svg()


def _two_classes(dataset: Dataset) -> tuple[pd.DataFrame, pd.Series]:
    """Return the two classes of iris that overlap, in the columns of the petals."""
    rows = dataset.y != "setosa"
    return dataset.X.loc[rows, _PETAL], dataset.y[rows].cat.remove_unused_categories()


def draw_gda(_: FigureInputs) -> str:
    """Draw two normal classes with one covariance, and the line p = 0.5."""
    made = make_normal_classes(200, random_state=0)
    return _draw_regions({"GDA": LinearDiscriminantAnalysis()}, made.X, made.y)


def draw_gda_iris(inputs: FigureInputs) -> str:
    """Draw Gaussian discriminant analysis of two classes of iris."""
    return _draw_regions({"GDA": LinearDiscriminantAnalysis()}, *_two_classes(inputs.dataset))


def draw_lda(_: FigureInputs) -> str:
    """Draw Figure 1 of the lecture: two bivariate normal classes with one covariance."""
    made = make_normal_classes(400, means=[[0, 0], [3, 2]], random_state=0)
    return _draw_regions({"LDA": LinearDiscriminantAnalysis()}, made.X, made.y)


def draw_lda_iris(inputs: FigureInputs) -> str:
    """Draw linear discriminant analysis of the three classes of iris."""
    iris = inputs.dataset
    return _draw_regions({"LDA": LinearDiscriminantAnalysis()}, iris.X[_PETAL], iris.y)


def _regularized() -> dict[str, Classifier]:
    names = {0.0: " (LDA)", 1.0: " (QDA)"}
    return {
        f"RDA, α = {alpha:g}{names.get(alpha, '')}": RegularizedDiscriminantAnalysis(alpha=alpha)
        for alpha in ALPHAS
    }


def draw_rda(_: FigureInputs) -> str:
    """Draw the boundaries between linear and quadratic discriminant analysis."""
    made = make_normal_classes(
        200, means=[[0.0, 0.0], [2.0, 1.5]], covariances=_OWN_COVARIANCES, random_state=0
    )
    return _draw_regions(_regularized(), made.X, made.y, n_deviations=(2.0,))


def draw_rda_iris(inputs: FigureInputs) -> str:
    """Draw the same on iris."""
    iris = inputs.dataset
    return _draw_regions(_regularized(), iris.X[_SEPAL], iris.y, n_deviations=(2.0,))


def _naive_and_not() -> dict[str, Classifier]:
    return {
        "Gaussian naive Bayes": NaiveBayes(continuous="gaussian"),
        "QDA": QuadraticDiscriminantAnalysis(),
    }


def draw_gaussian_nb(_: FigureInputs) -> str:
    """Draw the quadratic boundary of Gaussian naive Bayes beside that of QDA."""
    made = make_normal_classes(
        200, means=[[0.0, 0.0], [2.0, 1.5]], covariances=_OWN_COVARIANCES, random_state=0
    )
    return _draw_regions(_naive_and_not(), made.X, made.y)


def draw_gaussian_nb_iris(inputs: FigureInputs) -> str:
    """Draw the same on iris."""
    iris = inputs.dataset
    return _draw_regions(_naive_and_not(), iris.X[_SEPAL], iris.y)


# ---- GDA and logistic regression --------------------------------------------------------


def _gda_and_regression() -> dict[str, Classifier]:
    # The notes estimate both by maximum likelihood: the penalty is nearly none.
    return {
        "GDA": LinearDiscriminantAnalysis(),
        "logistic regression": LogisticRegression(C=1000.0, continuous="standardize"),
    }


def _compare_on(
    axes: Sequence[Any], made: Dataset, truth: FloatArray, grid: FloatArray, n_jobs: int | None
) -> LearningCurveDisplay:
    """Draw posteriors of models fitted to all rows beside the true one, and learning curves."""
    rows = pd.DataFrame({"x1": grid})
    for k, (name, model) in enumerate(_gda_and_regression().items()):
        posterior = model.fit(made.X, made.y).predict_proba(rows)[:, 1]
        axes[0].plot(grid, posterior, color=color_of(k), linestyle=dashes_of(k), label=name)
    axes[0].plot(grid, truth, color="black", linestyle=":", linewidth=2, label="truth")
    axes[0].set(xlabel="x", ylabel="p(y = 1 | x)")
    axes[0].spines[["top", "right"]].set_visible(False)
    display = LearningCurveDisplay.from_estimators(
        _gda_and_regression(),
        made.X,
        made.y,
        sizes=SIZES,
        n_repeats=N_REPEATS,
        test_share=0.5,
        measure="log_loss",
        n_jobs=n_jobs,
        ax=axes[1],
    )
    axes[1].get_legend().remove()
    axes[0].legend(frameon=False)
    return display


def draw_gda_or_regression(inputs: FigureInputs) -> str:
    """Compare GDA with logistic regression on normal classes and on Poisson classes."""
    canvas = _canvas(10.0, 7.2)
    above, below = canvas.subplots(2, 2)
    n_rows = 2 * SIZES[-1]
    normal = make_normal_classes(n_rows, means=[[0.0], [2.0]], covariances=[[1.0]], random_state=0)
    x = np.linspace(-3.0, 5.0, 161)
    _compare_on(above, normal, 1.0 / (1.0 + np.exp(-(2.0 * x - 2.0))), x, inputs.n_jobs)
    low, high = 1.0, 5.0
    poisson = make_poisson_classes(n_rows, rates=[[low], [high]], random_state=0)
    x = np.linspace(0.0, 12.0, 121)
    truth = 1.0 / (1.0 + np.exp(-(x * np.log(high / low) - high + low)))
    display = _compare_on(below, poisson, truth, x, inputs.n_jobs)
    above[0].set_title("normal classes, N(0, 1) and N(2, 1)")
    below[0].set_title("Poisson classes, λ = 1 and λ = 5")
    return display.to_svg()


def draw_gda_or_regression_iris(inputs: FigureInputs) -> str:
    """Draw learning curves of GDA and logistic regression on two classes of iris."""
    X, y = _two_classes(inputs.dataset)
    canvas = _canvas(10.5, 4.0)
    axes = canvas.subplots(1, 2)
    for ax, measure in zip(axes, ("error", "log_loss"), strict=True):
        display = LearningCurveDisplay.from_estimators(
            _gda_and_regression(), X, y, sizes=[s for s in IRIS_SIZES if s <= 0.7 * len(X)],
            n_repeats=N_REPEATS, measure=measure, n_jobs=inputs.n_jobs, ax=ax,
        )  # fmt: skip
    axes[0].get_legend().remove()
    return display.to_svg()


# ---- the worked example -----------------------------------------------------------------


def draw_mails(_: FigureInputs) -> str:
    """Draw φ(k | y) of the four mails, and the posterior of the mail {2, 3}."""
    model = MultinomialNaiveBayes(alpha=0.0).fit(MAILS, IS_SPAM)
    canvas = _canvas(9.0, 3.8)
    words, posterior = canvas.subplots(1, 2, width_ratios=(2, 1))
    names = np.array(["y = 0, no spam", "y = 1, spam"])
    display = ClassConditionalDisplay(
        name="word k",
        classes=names,
        heights=np.exp(model.log_probability_),
        states=["1 (a)", "2 (b)", "3 (c)"],
    ).plot(ax=words)
    for bars in display.bars_:
        words.bar_label(bars, [f"{round(5 * bar.get_height())}/5" for bar in bars], padding=2)
    words.set(
        ylabel="φ(k | y)",
        ylim=(0, 0.7),
        title="four mails: {1, 2}, {3, 3, 3} spam; {2, 1}, {1, 3, 2} not",
    )
    words.get_legend().remove()
    shares = model.predict_proba(NEW_MAIL)[0]
    bars = posterior.bar(names, shares, color=[color_of(0), color_of(1)], width=0.6)
    bars[1].set(hatch="///", edgecolor="white")
    posterior.bar_label(bars, [f"{share:.1f}" for share in shares], padding=2)
    posterior.set(ylabel="P(y | x)", ylim=(0, 0.7), title="new mail {2, 3}")
    for ax in (words, posterior):
        ax.spines[["top", "right"]].set_visible(False)
    return display.to_svg()


FIGURES = {
    "notes-normal-densities": Figure(draw_normal_densities),
    "notes-gda": Figure(draw_gda),
    "notes-gda-iris": Figure(draw_gda_iris, dataset=IRIS),
    "notes-gda-or-regression": Figure(draw_gda_or_regression),
    "notes-gda-or-regression-iris": Figure(draw_gda_or_regression_iris, dataset=IRIS),
    "notes-mails": Figure(draw_mails),
    "lecture-gaussian-nb": Figure(draw_gaussian_nb),
    "lecture-gaussian-nb-iris": Figure(draw_gaussian_nb_iris, dataset=IRIS),
    "lecture-figure-1": Figure(draw_lda),
    "lecture-figure-1-iris": Figure(draw_lda_iris, dataset=IRIS),
    "lecture-figure-2": Figure(draw_two_densities),
    "lecture-rda": Figure(draw_rda),
    "lecture-rda-iris": Figure(draw_rda_iris, dataset=IRIS),
}

__all__ = ["FIGURES", "IRIS"]
