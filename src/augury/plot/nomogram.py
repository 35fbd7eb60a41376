"""Nomogram of an additive model: points of each value, and the probability of their sum."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log
from typing import TYPE_CHECKING, Any, Self

from augury.explain.nomogram import make_nomogram
from augury.explain.nomogram_contents import POINTS, Nomogram, NomogramColumn, probability
from augury.foreign import Table
from augury.plot.canvas import plain_text, shorten, text_width, use_points
from augury.plot.class_styles import INK, color_of
from augury.plot.display import Display
from augury.plot.nomogram_canvas import NAME, NomogramCanvas
from augury.plot.nomogram_columns import NomogramScale, draw_column, draw_mark
from augury.plot.nomogram_plan import CURVE, FONT, LEVEL, SCALE, ColumnPlan
from augury.plot.nomogram_scales import round_numbers
from augury.validation import check_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

_MARGIN, _RIGHT = 12.0, 58.0
_WIDEST_NAME = 150.0
_BOLD = 1.2  # width of bold text beside that of other text
_PROBABILITIES = (
    0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999
)  # fmt: skip
# The scale of sums ends where the probability is beyond these log odds, unless a row is there.
_FARTHEST = log(0.9995 / 0.0005)


class NomogramDisplay(Display):
    """Nomogram: each value of a column has points, and the sum of points has a probability.

    Read the points of each value off the scale on top, add them, and read the probability of
    the positive class below the sum. The columns are ordered by their range. The numbers are
    those of `augury.explain.nomogram`: the sum of points gives exactly the log odds of the
    model.

    A column of labels, or of numbers that are cut into intervals, has a tick for each label. A
    number whose log odds only rise or only fall has one scale. The log odds of a normal density
    turn once if the classes have different variances: such a scale is *two-sided*, with the
    numbers before the turning point above the line and the others below it. If the log odds
    turn or jump back more than once, the column is a *curve*: its height is the number, and its
    horizontal place is the points. A circle is the place of unseen labels and of missing values
    that have no label of their own. Texts are shifted above or below a scale where they would
    overlap; texts that fit nowhere are left out, and their ticks stay.

    Parameters
    ----------
    nomogram : Nomogram
        See `augury.explain.nomogram.make_nomogram`.
    max_features : int
        Largest number of columns that are drawn.

    Attributes
    ----------
    scales_ : dict from name of a column to NomogramScale
    marks_ : dict from name of a column to matplotlib Line2D
        The values of the row, if there is one.
    total_mark_ : matplotlib Line2D or None
        The sum of the points of the row.
    names_ : dict from name of a column to matplotlib Text
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain"]})
    >>> model = NaiveBayes().fit(X, ["yes", "yes", "no"])
    >>> display = NomogramDisplay.from_estimator(model, row=X[:1])
    >>> [tick.text for tick in display.scales_["sky"].ticks]
    ['rain', 'sun']
    >>> round(float(display.points_at(display.marks_["sky"].get_xdata()[0])), 6)
    100.0
    """

    scales_: dict[str, NomogramScale]
    marks_: dict[str, Line2D]
    total_mark_: Line2D | None
    names_: dict[str, Text]

    def __init__(self, nomogram: Nomogram, *, max_features: int = 20) -> None:
        self.nomogram = nomogram
        self.max_features: int = check_integer(
            type(self).__name__, "max_features", max_features, at_least=1
        )

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Table = None,
        *,
        positive: Hashable = None,
        negative: Hashable = None,
        row: Table = None,
        max_features: int = 20,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the nomogram of a fitted additive model.

        Parameters
        ----------
        estimator : fitted classifier
            See `augury.explain.nomogram.make_nomogram`. Pipelines and searches are opened.
        X : rows, default=None
            Rows as given to `fit`; the scales of numbers then have their range.
        positive, negative : classes, default=None
            By default the second of two classes against the first. With more than two classes
            both are needed, and the probability is that of the positive class among the two.
        row : table of one row, default=None
            The row whose values are marked, and whose points are written on the right.
        max_features : int, default=20
            Largest number of columns that are drawn, those with the largest range.
        ax : matplotlib Axes, default=None
            By default new axes, as high as the columns need.

        Raises
        ------
        PictureError
            If the log odds of the model are not a sum over columns, or a class is unknown.
        """
        made = make_nomogram(estimator, positive=positive, negative=negative, X=X, row=row)
        return cls(made, max_features=max_features).plot(ax)

    # ---- places -----------------------------------------------------------------------

    def points_at(self, x: float) -> float:
        """Return the points at a horizontal coordinate of the drawing."""
        return (x - self._left) / SCALE * POINTS

    def x_of(self, points: float) -> float:
        """Return the horizontal coordinate of points."""
        return self._left + points / POINTS * SCALE

    def x_of_total(self, total: float) -> float:
        """Return the horizontal coordinate of a sum of points."""
        low, high = self._totals
        return self._left + (total - low) / (high - low) * SCALE

    # ---- drawing ----------------------------------------------------------------------

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the nomogram; see `from_estimator`."""
        shown = self.nomogram.columns[: self.max_features]
        plans = [ColumnPlan.of(column, self._place_of(column)) for column in shown]
        names = [shorten(plain_text(column.name), NAME, _WIDEST_NAME) for column in shown]
        curve_space = 34.0 if any(plan.kind == "curve" for plan in plans) else 0.0
        widest = max(
            [
                *(text_width(name, NAME) for name in names),
                *(_BOLD * text_width(title, NAME) for title in self._titles()),
            ]
        )
        self._left = _MARGIN + widest + 12.0 + curve_space
        for plan in plans:
            plan.place(self._left)
        self._totals = self._range_of_totals()
        width = self._left + SCALE + (_RIGHT if self.nomogram.row else 0.0) + _MARGIN + 8.0
        heights = [plan.height for plan in plans]
        rest = len(self.nomogram.columns) > len(shown)
        legend = self._legend_lines(plans)
        height = 70.0 + sum(heights) + (16.0 if rest else 0.0) + 112.0 + 11.0 * len(legend)
        is_new = ax is None
        ax = self._open_axes(ax, size=(width / 72, height / 72))
        unit = use_points(ax, width, height, is_new=is_new)
        canvas = NomogramCanvas(ax, unit, self._left)
        self.scales_, self.marks_, self.names_, self.total_mark_ = {}, {}, {}, None
        canvas.write(_MARGIN, 16.0, self._title(), size=NAME + 1, color=INK)
        y = 52.0
        canvas.draw_axis(y, "points", round_numbers(0, POINTS, 10), self.x_of, bold=True)
        y += 18.0
        for k, (plan, name) in enumerate(zip(plans, names, strict=True)):
            if k % 2 == 0:
                ax.axhspan(y, y + plan.height, color="#f6f8fa", zorder=0)
            self._draw_column(canvas, plan, name, y, k)
            y += plan.height
        if rest:
            self._write_rest(canvas, y + 8.0)
            y += 16.0
        self._draw_totals(canvas, y + 26.0)
        self._write_legend(canvas, legend, height - 9.0)
        return self

    def _titles(self) -> tuple[str, ...]:
        return (
            "total points",
            "log odds",
            f"p({shorten(plain_text(self.nomogram.positive), NAME, 90.0)})",
        )

    def _title(self) -> str:
        n = self.nomogram
        title = f"{plain_text(n.positive)} against {plain_text(n.negative)}"
        return title if n.n_classes == 2 else f"{title}, of {n.n_classes} classes"

    def _place_of(self, column: NomogramColumn) -> Callable[[float], float]:
        return lambda log_odds: self.x_of(self.nomogram.points(column, log_odds))

    def _range_of_totals(self) -> tuple[float, float]:
        """Return the sums of points that are shown: where probabilities are not 0 or 1."""
        n = self.nomogram
        largest = n.largest_total
        low = min(max(0.0, n.total_of(-_FARTHEST)), largest)
        high = max(min(largest, n.total_of(_FARTHEST)), 0.0)
        if n.row is not None:
            total = sum(n.row_points())
            low, high = min(low, total), max(high, total)
        # All sums have nearly the same probability, or there is nothing to add.
        if high - low < 0.02 * max(largest, 1.0):
            low, high = min(0.0, low), max(largest, high, 1.0)
        return low, high

    def _draw_column(
        self, canvas: NomogramCanvas, plan: ColumnPlan, name: str, top: float, k: int
    ) -> None:
        column = plan.column
        y = top + plan.above * LEVEL + 8.0
        middle = y + CURVE / 2 if plan.kind == "curve" else y
        self.scales_[column.name] = draw_column(canvas, plan, y)
        self.names_[column.name] = canvas.write(
            _MARGIN, middle, name, size=NAME, color=INK, ha="left"
        )
        if self.nomogram.row is not None:
            self.marks_[column.name] = draw_mark(canvas, plan, self.nomogram.row[k], y)
            self._write_result(canvas, middle, f"{self.nomogram.row_points()[k]:.1f}")

    def _write_result(self, canvas: NomogramCanvas, y: float, text: str, **style: Any) -> None:
        """Write a number of the row on the right."""
        canvas.write(canvas.right + _RIGHT, y, text, ha="right", color=color_of(1), **style)

    def _write_rest(self, canvas: NomogramCanvas, y: float) -> None:
        n = self.nomogram
        hidden = n.columns[self.max_features :]
        most = max(n.points(column, column.largest) for column in hidden)
        canvas.write(
            _MARGIN, y,
            f"{len(hidden)} other columns are not drawn; each has at most {most:.1f} points.",
        )  # fmt: skip
        if n.row is not None:
            others = sum(n.row_points()[self.max_features :])
            self._write_result(canvas, y, f"{others:.1f}")

    def _draw_totals(self, canvas: NomogramCanvas, y: float) -> None:
        n, (low, high) = self.nomogram, self._totals
        titles = self._titles()
        canvas.draw_axis(y, titles[0], round_numbers(low, high, 10), self.x_of_total, bold=True)
        odds = round_numbers(n.log_odds_of(low), n.log_odds_of(high), 10)
        canvas.draw_axis(
            y + 34.0, titles[1], odds, lambda value: self.x_of_total(n.total_of(value))
        )
        known = [p for p in _PROBABILITIES if low <= n.total_of(log(p / (1 - p))) <= high]
        # The probabilities near ½ are kept if texts overlap.
        known.sort(key=lambda p: (p not in (0.5, 0.1, 0.9, 0.01, 0.99), abs(p - 0.5)))
        canvas.draw_axis(
            y + 68.0, titles[2], known,
            lambda p: self.x_of_total(n.total_of(log(p / (1 - p)))),
            texts=[f"{p:g}" for p in known], bold=True,
        )  # fmt: skip
        if n.row is None:
            return
        total = sum(n.row_points())
        x = self.x_of_total(total)
        self.total_mark_ = canvas.line(
            [x, x], [y, y + 68.0], marker="o", markersize=6 * canvas.unit,
            color=color_of(1), linewidth=1.0, zorder=6,
        )  # fmt: skip
        value = n.log_odds_of(total)
        for k, text in enumerate((f"{total:.1f}", f"{value:.3g}", _probability_text(value))):
            self._write_result(canvas, y + 34.0 * k, text.replace("-", "−"), fontweight="bold")

    def _write_legend(self, canvas: NomogramCanvas, lines: Sequence[str], y: float) -> None:
        for k, line in enumerate(reversed(lines)):
            canvas.write(_MARGIN, y - 11.0 * k, line, size=FONT - 1)

    def _legend_lines(self, plans: Sequence[ColumnPlan]) -> list[str]:
        n, lines = self.nomogram, []
        shown = [plan.column for plan in plans]
        if n.n_classes > 2:
            classes = f"{plain_text(n.positive)} and {plain_text(n.negative)}"
            lines.append(f"p is the probability among {classes} only.")
        if any(column.missing is not None or column.unseen is not None for column in shown):
            lines.append("○ is the place of an unseen label or a missing value.")
        if any(plan.kind == "two-sided" for plan in plans):
            lines.append(
                "Two-sided scales: the log odds turn. Numbers before the turn are above the line."
            )
        if any(plan.kind == "curve" for plan in plans):
            lines.append("Curves: the height is the number, the horizontal place is the points.")
        dropped = sum(len(plan.ticks) - len(plan.placed) for plan in plans if plan.kind == "labels")
        if dropped:
            lines.append(f"{dropped} ticks have no text, because it would overlap others.")
        return lines


def _probability_text(log_odds: float) -> str:
    if abs(log_odds) > _FARTHEST:
        return "> 0.9995" if log_odds > 0 else "< 0.0005"
    return f"{probability(log_odds):.3g}"


__all__ = ["NomogramDisplay", "NomogramScale"]
