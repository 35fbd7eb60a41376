"""Class-conditional distributions of one column."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from augury.arrays import Array, FloatArray
from augury.encode.table import MISSING
from augury.errors import PictureError
from augury.foreign import Table
from augury.generative import NaiveBayes
from augury.plot.canvas import plain_text
from augury.plot.class_styles import GRID, color_of, dashes_of, light
from augury.plot.display import Display
from augury.plot.normal_classes import NormalClasses
from augury.plot.opened_model import OpenedModel, find_column

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.container import BarContainer
    from matplotlib.lines import Line2D

_GRID_SIZE = 501
# A curve extends over this many standard deviations of each class.
_N_DEVIATIONS = 4.0
# Density at the end of a curve, as a share of its maximum.
_NEGLIGIBLE = 1e-3
_MOST_EXTENSIONS = 6
# Lines are short in SVG files, dots are long.
_HATCHES = ("", "///", "\\\\\\", "xxx", "---")
# Longer names of states, or more of them, are written vertically.
_MOST_LETTERS = 40


class ClassConditionalDisplay(Display):
    """p(x_j | c) of one column in each class: curves of densities, or bars of probabilities.

    Parameters
    ----------
    name : str
        The column.
    classes : array of shape (n_classes,)
    heights : array of shape (n_values, n_classes)
        Densities at `values`, or probabilities of `states`.
    values : array of shape (n_values,) or None
        Numbers at which the densities were evaluated.
    states : list of str or None
        The labels or intervals whose probabilities are drawn as bars.

    Attributes
    ----------
    lines_ : list of matplotlib Line2D, the density of each class; empty for bars
    bars_ : list of BarContainer, the probabilities of each class; empty for densities

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> from augury.plot import ClassConditionalDisplay
    >>> model = NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"])
    >>> display = ClassConditionalDisplay.from_estimator(model, "x0")
    >>> display.states, display.heights[:, 1].round(2)  # (0 + 1) / (2 + 2) and (2 + 1) / (2 + 2)
    (['rain', 'sun'], array([0.25, 0.75]))
    """

    lines_: list[Line2D]
    bars_: list[BarContainer]

    def __init__(
        self,
        *,
        name: str,
        classes: Array,
        heights: FloatArray,
        values: FloatArray | None = None,
        states: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.classes = classes
        self.heights = heights
        self.values = values
        self.states = states

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        feature: Hashable,
        *,
        X: Table = None,
        ax: Axes | None = None,
    ) -> Self:
        """Evaluate the class-conditional distribution of a column, and draw it.

        Parameters
        ----------
        estimator : fitted model
            `NaiveBayes` of any kind of columns, or linear, quadratic or regularised
            discriminant analysis, whose columns have normal marginal distributions. It may be
            behind `TidyColumns`.
        feature : name or index of the column
        X : table or None
            Rows whose range the curves have; by default the range follows from the model.
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.

        Raises
        ------
        augury.errors.PictureError
            If the model has no such column, or no distribution of it.
        """
        owner = cls.__name__
        opened = OpenedModel.of(estimator)
        model = opened.model
        if isinstance(model, NaiveBayes):
            found = _of_naive_bayes(owner, opened, feature, X)
        elif (normals := NormalClasses.of(model)) is not None:
            found = _of_normals(owner, opened, normals, feature, X)
        else:
            raise PictureError(
                f"{owner}: {type(model).__name__} has no class-conditional distribution of a "
                "column; NaiveBayes and the discriminant analyses have"
            )
        return cls(classes=np.asarray(model.classes_), **found).plot(ax=ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the distributions into `ax`, or into a new figure."""
        ax = self._open_axes(ax)
        self.lines_, self.bars_ = [], []
        if self.states is None:
            self._draw_curves(ax)
        else:
            self._draw_bars(ax, self.states)
        ax.set_xlabel(plain_text(self.name))
        ax.grid(axis="y", color=GRID, linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_ylim(bottom=0.0)
        ax.legend(
            handles=[*self.lines_, *self.bars_],
            title="class",
            loc="center left",
            bbox_to_anchor=(1.01, 0.5),
            frameon=False,
        )
        return self

    def _draw_curves(self, ax: Axes) -> None:
        assert self.values is not None, "a density has the numbers at which it was evaluated"
        for k, label in enumerate(self.classes):
            height = self.heights[:, k]
            [line] = ax.plot(
                self.values,
                height,
                color=color_of(k),
                linestyle=dashes_of(k),
                label=plain_text(label),
            )
            ax.fill_between(self.values, height, color=light(color_of(k)), alpha=0.5, linewidth=0)
            self.lines_.append(line)
        ax.set_xlim(self.values[0], self.values[-1])
        ax.set_ylabel("density p(x | class)")

    def _draw_bars(self, ax: Axes, states: Sequence[str]) -> None:
        places = np.arange(len(states))
        width = 0.8 / len(self.classes)
        for k, label in enumerate(self.classes):
            shift = (k - (len(self.classes) - 1) / 2) * width
            bars = ax.bar(
                places + shift,
                self.heights[:, k],
                width,
                color=color_of(k),
                hatch=_HATCHES[k % len(_HATCHES)],
                edgecolor="white",
                linewidth=0.6,
                label=plain_text(label),
            )
            self.bars_.append(bars)
        is_long = sum(map(len, states)) > _MOST_LETTERS
        ax.set_xticks(
            places, [plain_text(state) for state in states], rotation=90 if is_long else 0
        )
        ax.set_ylabel("probability p(x | class)")


def _of_naive_bayes(owner: str, opened: OpenedModel, feature: Hashable, X: Table) -> dict[str, Any]:
    model = opened.model
    encoder = model.encoder_
    names: list[Hashable] = list(encoder.feature_names_)
    j = find_column(owner, names, feature)
    name = str(names[j])
    if name in encoder.number_names_:
        values, factors = _evaluate_range(opened, j, name, X)
        # The probability of an interval, divided by its width, is a density.
        width = model.precision_[encoder.number_names_.index(name)] if _has_width(model) else 1.0
        return {"name": name, "values": values, "heights": factors / width}
    states = encoder.states_[encoder.table_names_.index(name)]
    if name not in encoder.cut_points_:
        texts = ["missing" if state is MISSING else str(state) for state in states]
        inside: list[Any] = [None if state is MISSING else state for state in states]
    else:
        cuts = encoder.cut_points_[name].tolist()
        # An interval has its upper end: the cut point itself.
        inside = [*cuts, np.nextafter(cuts[-1], np.inf) if cuts else 0.0]
        texts = _interval_texts(cuts)
        if states[-1] is MISSING:
            texts, inside = [*texts, "missing"], [*inside, np.nan]
    return {"name": name, "states": texts, "heights": np.exp(_evaluate(opened, j, inside))}


def _has_width(model: NaiveBayes) -> bool:
    return hasattr(model, "precision_") and model.continuous == "interval"


def _of_normals(
    owner: str, opened: OpenedModel, normals: NormalClasses, feature: Hashable, X: Table
) -> dict[str, Any]:
    names: list[Hashable] = list(opened.model.encoder_.feature_names_)
    name = str(names[find_column(owner, names, feature)])
    column = normals.select([name])
    if column is None:
        raise PictureError(
            f"{owner}: {type(opened.model).__name__} has no distribution of the column {name!r}, "
            "which holds labels, or is the same in all rows"
        )
    values = _grid(column.means[:, 0], column.covariances[:, 0, 0])
    if X is not None:
        values = _grid_of_rows(opened.read(X)[name])
    heights = [column.density(k, values[:, None]) for k in range(len(column.means))]
    return {"name": name, "values": values, "heights": np.column_stack(heights)}


def _evaluate(opened: OpenedModel, j: int, values: Sequence[Any] | FloatArray) -> FloatArray:
    """Return log p(x_j | c) of these values of column j; the other columns are missing."""
    encoder = opened.model.encoder_
    columns = {}
    for i, (name, nominal) in enumerate(
        zip(encoder.feature_names_, encoder.is_nominal_, strict=True)
    ):
        filled = values if i == j else [None if nominal else np.nan] * len(values)
        columns[name] = pd.Series(filled, dtype=object if nominal else np.float64)
    names, terms = opened.model.column_log_likelihoods(opened.rows(pd.DataFrame(columns)))
    return np.asarray(terms[:, names.index(encoder.feature_names_[j])], dtype=np.float64)


def _evaluate_range(
    opened: OpenedModel, j: int, name: str, X: Table
) -> tuple[FloatArray, FloatArray]:
    """Return numbers of column j, and p(x_j | c) of each."""
    model = opened.model
    if X is not None:
        values = _grid_of_rows(opened.read(X)[name])
        return values, np.exp(_evaluate(opened, j, values))
    k = model.encoder_.number_names_.index(name)
    values = _grid(model.mean_[k], model.variance_[k])
    # A density that is not normal may extend farther.
    factors = np.exp(_evaluate(opened, j, values))
    for _ in range(_MOST_EXTENSIONS):
        is_high = (factors[[0, -1]] > _NEGLIGIBLE * factors.max(axis=0)).any(axis=1)
        if not is_high.any():
            break
        low, high = values[0], values[-1]
        space = 0.25 * (high - low) * is_high
        values = np.linspace(low - space[0], high + space[1], len(values))
        factors = np.exp(_evaluate(opened, j, values))
    return values, factors


def _grid(means: FloatArray, variances: FloatArray) -> FloatArray:
    reach = _N_DEVIATIONS * np.sqrt(variances)
    return np.linspace(np.min(means - reach), np.max(means + reach), _GRID_SIZE)


def _grid_of_rows(column: pd.Series) -> FloatArray:
    low, high = float(column.min()), float(column.max())
    space = 0.15 * (high - low) or 0.5
    return np.linspace(low - space, high + space, _GRID_SIZE)


def _interval_texts(cuts: list[float]) -> list[str]:
    """Return the intervals between cut points.

    >>> _interval_texts([2.45, 4.75])
    ['≤ 2.45', '2.45 – 4.75', '> 4.75']
    """
    if not cuts:
        return ["all numbers"]
    ends = [f"{cut:.5g}" for cut in cuts]
    between = [f"{low} – {high}" for low, high in pairwise(ends)]
    return [f"≤ {ends[0]}", *between, f"> {ends[-1]}"]


__all__ = ["ClassConditionalDisplay"]
