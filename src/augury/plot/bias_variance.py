"""Bias and variance of models on several data sets, as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Self

import numpy as np

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.evaluate import BiasVariance
from augury.optional import import_extra
from augury.plot.class_styles import FAINT_INK, GRID, INK, color_of, light
from augury.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer

_OWNER = "BiasVarianceDisplay"
_WIDTH = 0.8  # of all bars of a data set; the distance of two data sets is 1
_HATCH = "////"


class BiasVarianceDisplay(Display):
    """Bias and variance on each data set: bars of models, or signed differences of two models.

    The bias is the lower part of a bar and the variance is the upper part. The height of the
    bar is the error. With `difference` there is one bar for each data set. It shows the first
    model minus the second: a part above 0 means that the second model is lower. Parts above 0
    are stacked upwards, and parts below 0 are stacked downwards.

    Parameters
    ----------
    datasets : sequence of str
        Names below the bars.
    bias, variance : mapping from model to array of shape (n_datasets,)
        In percentage points.
    difference : bool
        Whether the difference of the two models is drawn.

    Attributes
    ----------
    bias_bars_, variance_bars_ : dict from name to matplotlib BarContainer
        By model; with `difference` the name is "first − second".
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> from augury.evaluate import BiasVariance
    >>> parts = {
    ...     ("iris", "NB"): BiasVariance(error=0.06, bias=0.05, variance=0.01, noise=0),
    ...     ("iris", "LR"): BiasVariance(error=0.07, bias=0.04, variance=0.03, noise=0),
    ... }
    >>> shown = BiasVarianceDisplay.from_results(parts, models=["NB", "LR"], difference=True)
    >>> [round(float(bar.get_height()), 6) for bar in shown.bias_bars_["NB − LR"]]
    [1.0]
    >>> [round(float(bar.get_height()), 6) for bar in shown.variance_bars_["NB − LR"]]
    [-2.0]
    """

    bias_bars_: dict[str, BarContainer]
    variance_bars_: dict[str, BarContainer]

    def __init__(
        self,
        datasets: Sequence[str],
        bias: Mapping[str, FloatArray],
        variance: Mapping[str, FloatArray],
        *,
        difference: bool = False,
    ) -> None:
        self.datasets: list[str] = list(datasets)
        self.bias: dict[str, FloatArray] = dict(bias)
        self.variance: dict[str, FloatArray] = dict(variance)
        self.difference = difference

    @classmethod
    def from_results(
        cls,
        results: Mapping[tuple[str, str], BiasVariance],
        *,
        models: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        labels: Mapping[str, str] | None = None,
        difference: bool = False,
        title: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw what `webb_bias_variance` or `kohavi_wolpert_bias_variance` returned.

        Parameters
        ----------
        results : mapping from (data set, model) to BiasVariance
        models : sequence of str, default=None
            Models in the order of the bars; by default all of the results. With `difference`
            two: the second is subtracted from the first.
        datasets : sequence of str, default=None
            Data sets from left to right; by default all of the results.
        labels : mapping from data set to str, default=None
            Texts below the bars; by default the names of the data sets.
        difference : bool, default=False
            Whether the signed difference of two models is drawn.
        title : str, default=None
            By default the names of the models that are subtracted, if they are.
        ax : matplotlib Axes, default=None
            By default new axes, as wide as the number of bars needs.

        Raises
        ------
        PictureError
            If there is nothing to draw, if a model has no result for a data set, or if
            `difference` has other than two models.
        """
        models = list(dict.fromkeys(m for _, m in results)) if models is None else list(models)
        names = list(dict.fromkeys(d for d, _ in results)) if datasets is None else list(datasets)
        if difference and len(set(models)) != 2:
            raise PictureError(
                f"{_OWNER}: models must be two different models for a difference, got "
                f"{', '.join(models) or 'none'}"
            )
        if not models or not names:
            raise PictureError(f"{_OWNER}: results must have at least one model and data set")
        for name in names:
            for model in models:
                if (name, model) not in results:
                    raise PictureError(f"{_OWNER}: there is no result of {model} on {name}")
        bias, variance = (
            {
                model: np.array([100.0 * getattr(results[name, model], part) for name in names])
                for model in models
            }
            for part in ("bias", "variance")
        )
        texts = [name if labels is None else labels[name] for name in names]
        return cls(texts, bias, variance, difference=difference).plot(ax, title=title)

    @property
    def differences(self) -> tuple[str, FloatArray, FloatArray]:
        """Name, and the differences of bias and of variance: the first model minus the second."""
        first, second = self.bias
        return (
            f"{first} − {second}",
            self.bias[first] - self.bias[second],
            self.variance[first] - self.variance[second],
        )

    def plot(self, ax: Axes | None = None, *, title: str | None = None) -> Self:
        """Draw the bars; see `from_results`."""
        n_bars = len(self.datasets) * (1 if self.difference else len(self.bias))
        width = float(np.clip(1.6 + 0.22 * n_bars + 0.1 * len(self.datasets), 5.0, 16.0))
        ax = self._open_axes(ax, size=(width, 3.8))
        self.bias_bars_, self.variance_bars_ = {}, {}
        if self.difference:
            self._plot_difference(ax)
            title = self.differences[0] if title is None else title
        else:
            self._plot_models(ax)
        if title:
            ax.set_title(title, color=INK, fontsize=11, loc="left")
        self._label_datasets(ax, width)
        ax.set_axisbelow(True)
        ax.yaxis.grid(True, color=GRID)
        ax.spines[["top", "right"]].set_visible(False)
        return self

    def _plot_difference(self, ax: Axes) -> None:
        name, bias, variance = self.differences
        places = np.arange(len(self.datasets))
        # A part that has the same sign as the bias begins where the bias ends.
        bottom = np.where(np.sign(variance) == np.sign(bias), bias, 0.0)
        self.bias_bars_[name] = ax.bar(
            places, bias, _WIDTH, color=color_of(0), label="bias", edgecolor="white", linewidth=0.4
        )
        self.variance_bars_[name] = ax.bar(
            places,
            variance,
            _WIDTH,
            bottom=bottom,
            color=light(color_of(1), 0.55),
            label="variance",
            edgecolor=color_of(1),
            linewidth=0.4,
            hatch=_HATCH,
        )
        ax.axhline(0.0, color=INK, linewidth=0.8)
        second = list(self.bias)[1]
        ax.set_ylabel(f"points; above 0: {second} is lower", color=INK)
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9)

    def _plot_models(self, ax: Axes) -> None:
        n_models = len(self.bias)
        width = _WIDTH / n_models
        for k, model in enumerate(self.bias):
            places = np.arange(len(self.datasets)) - _WIDTH / 2 + (k + 0.5) * width
            self.bias_bars_[model] = ax.bar(
                places, self.bias[model], width, color=color_of(k), label=model,
                edgecolor="white", linewidth=0.4,
            )  # fmt: skip
            self.variance_bars_[model] = ax.bar(
                places, self.variance[model], width, bottom=self.bias[model],
                color=light(color_of(k), 0.35), edgecolor=color_of(k), linewidth=0.4, hatch=_HATCH,
            )  # fmt: skip
        ax.set_ylabel("error, %", color=INK)
        patches = import_extra("matplotlib.patches", extra="plot", purpose="a picture")
        parts = [
            patches.Patch(facecolor=FAINT_INK, label="bias"),
            patches.Patch(facecolor="white", edgecolor=FAINT_INK, hatch=_HATCH, label="variance"),
        ]
        ax.legend(
            handles=[*self.bias_bars_.values(), *parts],
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            frameon=False,
            fontsize=9,
        )

    def _label_datasets(self, ax: Axes, width: float) -> None:
        ax.set_xticks(np.arange(len(self.datasets)), self.datasets)
        ax.set_xlim(-0.6, len(self.datasets) - 0.4)
        ax.tick_params(axis="x", length=0, labelsize=8, colors=FAINT_INK)
        ax.tick_params(axis="y", labelsize=9, colors=FAINT_INK)
        # Letters of this size are about 1/15 inch wide.
        if max(map(len, self.datasets)) > 15 * (width - 1.6) / len(self.datasets):
            for text in ax.get_xticklabels():
                text.set(rotation=60, ha="right", rotation_mode="anchor")


__all__ = ["BiasVarianceDisplay"]
