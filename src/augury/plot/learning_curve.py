"""Learning curves: a loss against the number of training rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.evaluate.cross_validation import cross_validate
from augury.evaluate.curves import GrowingSamples, summarize_curve
from augury.evaluate.fold_results import FoldResult
from augury.foreign import Classifier, Labels, Table
from augury.plot.canvas import plain_text
from augury.plot.class_styles import GRID, color_of, dashes_of, light, marker_of
from augury.plot.display import Display
from augury.plot.opened_model import as_frame
from augury.validation import check_choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import FillBetweenPolyCollection
    from matplotlib.lines import Line2D

MEASURES = {"error": "error, %", "log_loss": "log loss", "brier": "Brier score"}

# More sizes than these would overlap below the axis.
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The curve of one model.

    Attributes
    ----------
    model : str
    sizes : array of shape (n_sizes,), numbers of training rows
    means : array of shape (n_sizes,), the mean loss over the repetitions
    errors : array of shape (n_sizes,)
        Standard error of the mean; NaN for one repetition.
    """

    model: str
    sizes: FloatArray
    means: FloatArray
    errors: FloatArray


@dataclass(frozen=True, slots=True)
class _Rows:
    """A data set as `cross_validate` takes it."""

    name: str
    X: Table
    y: Labels


class LearningCurveDisplay(Display):
    """The loss of models against the number of training rows, tested on the same rows.

    The bands are two standard errors of the mean on both sides. Repetitions share rows, so that
    the bands show the spread of the samples and are not confidence intervals of other data.

    Parameters
    ----------
    curves : sequence of Curve
    measure : {"error", "log_loss", "brier"}
        The loss; the error is in percent.
    title : str
        The data set.

    Attributes
    ----------
    lines_ : list of matplotlib Line2D
    bands_ : list of PolyCollection

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from augury.generative import NaiveBayes
    >>> from augury.plot import LearningCurveDisplay
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> display = LearningCurveDisplay.from_estimators(
    ...     {"nb": NaiveBayes()}, X, y, sizes=[20, 80], n_repeats=2)
    >>> display.curves[0].sizes
    array([20., 80.])
    """

    lines_: list[Line2D]
    bands_: list[FillBetweenPolyCollection]

    def __init__(self, *, curves: Sequence[Curve], measure: str = "error", title: str = "") -> None:
        self.curves = curves
        self.measure = measure
        self.title = title

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Classifier],
        X: Table,
        y: Labels,
        *,
        sizes: Sequence[float],
        n_repeats: int = 10,
        test_share: float = 0.3,
        random_state: int = 0,
        measure: str = "error",
        title: str = "",
        n_jobs: int | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Fit models to samples of growing size, and draw their losses on the other rows.

        Parameters
        ----------
        estimators : mapping from name to unfitted classifier
        X, y : rows and their classes
        sizes, n_repeats, test_share, random_state
            See `augury.evaluate.GrowingSamples`.
        measure : {"error", "log_loss", "brier"}
        title : str
            The data set.
        n_jobs : int or None
            Number of worker processes.
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.
        """
        check_choice(cls.__name__, "measure", measure, tuple(MEASURES))
        samples = GrowingSamples(sizes, n_repeats, test_share=test_share, random_state=random_state)
        rows = _Rows(title, as_frame(X), y)
        results = cross_validate([rows], estimators, samples, n_jobs=n_jobs)
        return cls.from_results(results, measure=measure, ax=ax)

    @classmethod
    def from_results(
        cls,
        results: Iterable[FoldResult],
        *,
        measure: str = "error",
        title: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw rows of `augury.evaluate.cross_validate` with `GrowingSamples`.

        The rows are of one data set. A model without probabilities has an error only.

        Raises
        ------
        augury.errors.PictureError
            If there are no rows, rows of several data sets, or no model has the measure.
        """
        owner = cls.__name__
        check_choice(owner, "measure", measure, tuple(MEASURES))
        rows = list(results)
        names = list(dict.fromkeys(row.dataset for row in rows))
        if len(names) != 1:
            raise PictureError(
                f"{owner}: results must be of one data set, got {len(names)}: {', '.join(names)}"
            )
        means: dict[str, dict[int, float]] = {}
        for point in summarize_curve(rows):
            of_model = means.setdefault(point.summary.model, {})
            of_model[point.n_train] = _mean_of(point.summary, measure)
        curves = [
            Curve(
                model,
                np.array(list(by_size), dtype=np.float64),
                np.array(list(by_size.values())),
                np.array([_standard_error(rows, model, size, measure) for size in by_size]),
            )
            for model, by_size in means.items()
            if np.isfinite(list(by_size.values())).any()
        ]
        if not curves:
            raise PictureError(f"{owner}: no model has probabilities, which {measure} needs")
        return cls(curves=curves, measure=measure, title=names[0] if title is None else title).plot(
            ax=ax
        )

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the curves into `ax`, or into a new figure."""
        ax = self._open_axes(ax)
        self.lines_, self.bands_ = [], []
        for k, curve in enumerate(self.curves):
            [line] = ax.plot(
                curve.sizes,
                curve.means,
                color=color_of(k),
                linestyle=dashes_of(k),
                marker=marker_of(k),
                markersize=5,
                label=plain_text(curve.model),
                zorder=3,
            )
            half = np.nan_to_num(2.0 * curve.errors)
            self.bands_.append(
                ax.fill_between(
                    curve.sizes,
                    curve.means - half,
                    curve.means + half,
                    color=light(color_of(k), 0.5),
                    alpha=0.35,
                    linewidth=0,
                )
            )
            self.lines_.append(line)
        ax.set_xscale("log")
        sizes = sorted({size for curve in self.curves for size in curve.sizes})
        if len(sizes) <= _MOST_TICKS:
            ax.set_xticks(sizes, [f"{size:g}" for size in sizes], minor=False)
            ax.set_xticks([], minor=True)
        ax.set(xlabel="training rows", ylabel=MEASURES[self.measure], title=plain_text(self.title))
        ax.grid(color=GRID, linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(handles=self.lines_, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        return self


def _mean_of(summary: Any, measure: str) -> float:
    if measure == "error":
        return 100.0 - float(summary.accuracy_mean)
    return float(getattr(summary, f"{measure}_mean"))


def _standard_error(rows: Iterable[FoldResult], model: str, n_train: int, measure: str) -> float:
    losses = [
        100.0 * (1.0 - row.accuracy) if measure == "error" else getattr(row, measure)
        for row in rows
        if (row.model, row.n_train) == (model, n_train)
    ]
    if len(losses) < 2:
        return float("nan")
    return float(np.std(losses, ddof=1) / np.sqrt(len(losses)))


__all__ = ["Curve", "LearningCurveDisplay"]
