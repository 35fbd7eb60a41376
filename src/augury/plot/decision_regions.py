"""Decision regions of a classifier over two columns."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from augury.arrays import Array, FloatArray, IntegerArray
from augury.encode.target import code_known_classes
from augury.errors import PictureError
from augury.foreign import Labels, Table
from augury.optional import import_extra
from augury.plot.canvas import plain_text
from augury.plot.class_styles import FAINT_INK, INK, color_of, light, marker_of
from augury.plot.display import Display
from augury.plot.grid_axis import GridAxis, grid_rows, held_values
from augury.plot.grid_evaluation import class_densities, class_margins
from augury.plot.normal_classes import NormalClasses
from augury.plot.opened_model import OpenedModel, find_column, label_columns
from augury.validation import check_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.contour import QuadContourSet
    from matplotlib.patches import Ellipse

# An SVG file holds the points of more rows as an image.
_MOST_VECTOR_POINTS = 1500
# Levels of the densities, as shares of the largest density of the class.
_DENSITY_LEVELS = (0.05, 0.25, 0.55, 0.85)


class DecisionRegionsDisplay(Display):
    """Regions of two columns by the predicted class, their boundaries, densities and points.

    The boundary is where the two most probable classes are equally probable: p = 0.5 for two
    classes. `from_estimator` computes the numbers.

    Parameters
    ----------
    x, y : GridAxis
        The columns, and the values at which the model was evaluated.
    margins : array of shape (n_classes, len(y), len(x))
        For each class, log p(c | x) minus the largest logarithm of the other classes. The class
        is predicted where its margin is above 0.
    classes : array of shape (n_classes,)
    has_probabilities : bool
        Whether the margins are those of probabilities. Otherwise they are 1 and -1.
    points : array of shape (n_rows, 2) or None
        Places of rows.
    codes : array of shape (n_rows,) or None
        The class of each point; None draws all points alike.
    densities : array of shape (n_classes, len(y), len(x)) or None
        p(x, y | c) on the grid.
    normals : NormalClasses or None
        The normal distributions of the two columns, for the ellipses.
    held : mapping from column to value
        The other columns, and the values at which they were held.

    Attributes
    ----------
    regions_ : list of matplotlib QuadContourSet, the filled region of each class
    boundaries_ : list of QuadContourSet
        Lines of margin 0 of all classes but the first.
    contours_ : list of QuadContourSet, lines of equal density of each class
    ellipses_ : list of matplotlib Ellipse
    points_ : list of PathCollection, the points of each class

    Examples
    --------
    >>> from augury.generative import LinearDiscriminantAnalysis
    >>> from augury.plot import DecisionRegionsDisplay
    >>> X, y = [[0.0, 0.0], [2.0, 1.0], [4.0, 0.0], [6.0, 1.0]], [0, 0, 1, 1]
    >>> model = LinearDiscriminantAnalysis().fit(X, y)
    >>> display = DecisionRegionsDisplay.from_estimator(model, X, y)
    >>> display.ax_.get_xlabel(), len(display.ellipses_)
    ('x0', 4)
    """

    regions_: list[QuadContourSet]
    boundaries_: list[QuadContourSet]
    contours_: list[QuadContourSet]
    ellipses_: list[Ellipse]
    points_: list[PathCollection]

    def __init__(
        self,
        *,
        x: GridAxis,
        y: GridAxis,
        margins: FloatArray,
        classes: Array,
        has_probabilities: bool = True,
        points: FloatArray | None = None,
        codes: IntegerArray | None = None,
        densities: FloatArray | None = None,
        normals: NormalClasses | None = None,
        held: Mapping[Hashable, Any] | None = None,
    ) -> None:
        self.x = x
        self.y = y
        self.margins = margins
        self.classes = classes
        self.has_probabilities = has_probabilities
        self.points = points
        self.codes = codes
        self.densities = densities
        self.normals = normals
        self.held = dict(held or {})

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Table,
        y: Labels = None,
        *,
        features: Sequence[Hashable] | None = None,
        fixed: Mapping[Hashable, Any] | None = None,
        densities: bool | None = None,
        n_deviations: Sequence[float] = (1.0, 2.0),
        grid_size: int = 201,
        ax: Axes | None = None,
    ) -> Self:
        """Evaluate a fitted classifier on a grid, and draw its regions.

        Parameters
        ----------
        estimator : fitted classifier
            With `predict` or also `predict_proba`. A Pipeline that begins with `TidyColumns`
            is drawn over the columns that `TidyColumns` returns.
        X : table
            Rows with the columns that the classifier was fitted to: they give the ranges, the
            labels, the values of the other columns, and the points.
        y : class of each row, or None
        features : two names or indices of columns
            The x axis and the y axis; by default the columns of a model of two columns.
        fixed : mapping from column to value
            Where the other columns are held; by default the median of numbers and the most
            frequent label.
        densities : bool or None
            Whether to draw lines of equal density p(x | c) and the ellipses of normal classes;
            None draws them if the model has them. They are densities of the two columns
            alone, whatever the other columns are. Normal classes have them always; other
            generative models only with two columns, both of them numbers.
        n_deviations : numbers
            Sizes of the ellipses in standard deviations.
        grid_size : int
            Number of values of a column of numbers.
        ax : matplotlib Axes or None
            Where to draw; None makes a new figure.

        Raises
        ------
        augury.errors.PictureError
            If a column is not there, or a value or a class is unknown.
        """
        owner = cls.__name__
        check_integer(owner, "grid_size", grid_size, at_least=2)
        opened = OpenedModel.of(estimator)
        frame = opened.read(X)
        shown = _choose_columns(owner, frame, features)
        nominal = label_columns(opened, frame)
        axes = [GridAxis.of(frame[name], grid_size, is_labels=nominal[name]) for name in shown]
        held = held_values(owner, frame, shown, fixed, nominal)
        blocks = grid_rows(frame, axes[0], axes[1], held)
        shape = (-1, len(axes[1].values), len(axes[0].values))
        margins, has_probabilities = class_margins(owner, opened, blocks)
        known, normals = None, None
        if densities is not False and not any(nominal[name] for name in shown):
            known, normals = class_densities(opened, shown, blocks, has_others=bool(held))
        if densities and known is None:
            raise PictureError(
                f"{owner}: {type(opened.model).__name__} has no density of the columns "
                f"{str(shown[0])!r} and {str(shown[1])!r}"
            )
        classes = np.asarray(opened.model.classes_)
        rng = np.random.default_rng(0)
        places = [axis.place(frame[axis.name], rng) for axis in axes]
        display = cls(
            x=axes[0],
            y=axes[1],
            margins=margins.reshape(shape),
            classes=classes,
            has_probabilities=has_probabilities,
            points=np.column_stack(places),
            codes=None if y is None else _known_codes(owner, y, classes, len(frame)),
            densities=None if known is None else known.reshape(shape),
            normals=normals,
            held=held,
        )
        return display.plot(ax=ax, n_deviations=n_deviations)

    def plot(self, ax: Axes | None = None, *, n_deviations: Sequence[float] = (1.0, 2.0)) -> Self:
        """Draw the regions into `ax`, or into a new figure."""
        ax = self._open_axes(ax)
        self._draw_regions(ax)
        self._draw_densities(ax)
        self._draw_ellipses(ax, n_deviations)
        self._draw_points(ax)
        self._label(ax)
        self._add_legend(ax, n_deviations)
        return self

    def _draw_regions(self, ax: Axes) -> None:
        grid = self.x.positions, self.y.positions
        self.regions_, self.boundaries_ = [], []
        for k, margin in enumerate(self.margins):
            fill = [light(color_of(k))]
            self.regions_.append(
                ax.contourf(*grid, margin, levels=[0.0, np.inf], colors=fill, zorder=0)
            )
        for margin in self.margins[1:]:
            self.boundaries_.append(
                ax.contour(*grid, margin, levels=[0.0], colors=[INK], linewidths=1.6, zorder=2)
            )

    def _draw_densities(self, ax: Axes) -> None:
        self.contours_ = []
        if self.densities is None:
            return
        # Densities are smooth: a coarse grid gives the same lines in fewer bytes.
        step = max(1, min(self.densities.shape[1:]) // 80)
        for k, density in enumerate(self.densities):
            peak = float(density.max()) if self.normals is None else self.normals.peak(k)
            levels = [share * peak for share in _DENSITY_LEVELS]
            self.contours_.append(
                ax.contour(
                    self.x.positions[::step],
                    self.y.positions[::step],
                    density[::step, ::step],
                    levels=levels,
                    colors=[color_of(k)],
                    linewidths=0.7,
                    alpha=0.55,
                    zorder=1,
                )
            )

    def _draw_ellipses(self, ax: Axes, n_deviations: Sequence[float]) -> None:
        self.ellipses_ = []
        if self.normals is None:
            return
        patches = import_extra("matplotlib.patches", extra="plot", purpose="a picture")
        for k, mean in enumerate(self.normals.means):
            for size in n_deviations:
                axes = self.normals.ellipse(k, size)
                ellipse = patches.Ellipse(
                    mean,
                    *(2.0 * axes.lengths),
                    angle=axes.angle,
                    fill=False,
                    edgecolor=color_of(k),
                    linewidth=1.8,
                    linestyle="--",
                    zorder=3,
                )
                ax.add_patch(ellipse)
                self.ellipses_.append(ellipse)
            ax.plot(*mean, marker="+", markersize=11, markeredgewidth=2.2, color=INK, zorder=5)

    def _draw_points(self, ax: Axes) -> None:
        self.points_ = []
        if self.points is None:
            return
        style: dict[str, Any] = {"s": 18, "linewidths": 0.4, "edgecolors": "white", "zorder": 4}
        style["rasterized"] = len(self.points) > _MOST_VECTOR_POINTS
        if self.codes is None:
            self.points_.append(ax.scatter(*self.points.T, color=FAINT_INK, **style))
            return
        for k in range(len(self.classes)):
            rows = self.points[self.codes == k]
            self.points_.append(
                ax.scatter(*rows.T, color=color_of(k), marker=marker_of(k), **style)
            )

    def _label(self, ax: Axes) -> None:
        ax.set_xlabel(plain_text(self.x.name))
        ax.set_ylabel(plain_text(self.y.name))
        ax.set_xlim(self.x.positions[0], self.x.positions[-1])
        ax.set_ylim(self.y.positions[0], self.y.positions[-1])
        for axis, grid in ((ax.xaxis, self.x), (ax.yaxis, self.y)):
            if grid.labels is not None:
                axis.set_ticks(
                    range(len(grid.labels)), [plain_text(label) for label in grid.labels]
                )
        if self.held:
            ax.set_title(plain_text(_describe_held(self.held)), fontsize="small", color=FAINT_INK)

    def _add_legend(self, ax: Axes, n_deviations: Sequence[float]) -> None:
        lines = import_extra("matplotlib.lines", extra="plot", purpose="a picture")
        patches = import_extra("matplotlib.patches", extra="plot", purpose="a picture")
        entries = []
        for k, label in enumerate(self.classes):
            if self.codes is None:
                entries.append(
                    patches.Patch(color=light(color_of(k), 0.4), label=plain_text(label))
                )
            else:
                entries.append(
                    lines.Line2D(
                        [],
                        [],
                        linestyle="",
                        marker=marker_of(k),
                        color=color_of(k),
                        label=plain_text(label),
                    )
                )
        two = len(self.classes) == 2 and self.has_probabilities
        boundary = "p = 0.5" if two else "boundary"
        if len(np.unique(self.margins.argmax(axis=0))) > 1:
            entries.append(lines.Line2D([], [], color=INK, linewidth=1.6, label=boundary))
        if self.normals is not None:
            sizes = " and ".join(f"{size:g}" for size in n_deviations)
            label = f"{sizes} std. deviations"
            entries.append(lines.Line2D([], [], color=INK, linestyle="--", label=label))
        if self.densities is not None:
            entries.append(
                lines.Line2D([], [], color=FAINT_INK, linewidth=0.7, label="equal density")
            )
        ax.legend(handles=entries, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)


def _describe_held(held: Mapping[Hashable, Any]) -> str:
    if len(held) > 3:
        return f"the other {len(held)} columns are held at one value each"
    texts = [f"{v:.4g}" if isinstance(v, float) else str(v) for v in held.values()]
    return ", ".join(f"{name} = {text}" for name, text in zip(held, texts, strict=True))


def _choose_columns(
    owner: str, frame: pd.DataFrame, features: Sequence[Hashable] | None
) -> tuple[Hashable, Hashable]:
    names = list(frame.columns)
    if features is None:
        if len(names) != 2:
            raise PictureError(
                f"{owner}: features must name two of the {len(names)} columns that the model reads"
            )
        return names[0], names[1]
    if isinstance(features, str) or len(features) != 2:
        raise PictureError(f"{owner}: features must be two columns, got {features!r}")
    first, second = (names[find_column(owner, names, feature)] for feature in features)
    if first == second:
        raise PictureError(f"{owner}: features must be two columns, got {first!r} twice")
    return first, second


def _known_codes(owner: str, y: Labels, classes: Array, n_rows: int) -> IntegerArray:
    try:
        return code_known_classes(owner, y, classes, n_rows)
    except ValueError as error:
        raise PictureError(str(error)) from error


__all__ = ["DecisionRegionsDisplay"]
