"""Nomogram of an additive model: points of each value, and the probability of their sum."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from augury.explain.nomogram import make_nomogram
from augury.explain.nomogram_contents import POINTS, Nomogram, NomogramColumn, probability
from augury.foreign import Table
from augury.plot.canvas import plain_text, shorten, text_width, use_points
from augury.plot.class_styles import FAINT_INK, GRID, INK, color_of
from augury.plot.display import Display
from augury.plot.nomogram_plan import CURVE, FONT, LEVEL, SCALE, ColumnPlan
from augury.plot.nomogram_scales import Tick, number_text, place_texts, round_numbers
from augury.validation import check_integer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

_MARGIN, _RIGHT = 12.0, 58.0
_NAME, _WIDEST_NAME = 9.5, 150.0
_BOLD = 1.2  # width of bold text beside that of other text
_PROBABILITIES = (
    0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999
)  # fmt: skip
# The scale of sums ends where the probability is beyond these log odds, unless a row is there.
_FARTHEST = log(0.9995 / 0.0005)


@dataclass(slots=True)
class NomogramScale:
    """What is drawn of one column.

    Attributes
    ----------
    kind : {"labels", "numbers", "two-sided", "curve"}
    ticks : list of Tick
        All ticks; the log odds of a tick give its place.
    lines : list of matplotlib Line2D
        The scale, or the curve.
    tick_lines : list of matplotlib Line2D
        One for each tick, except for a curve.
    texts : dict from the index of a tick to matplotlib Text
        Texts that fit.
    """

    kind: str
    ticks: list[Tick]
    lines: list[Line2D]
    tick_lines: list[Line2D]
    texts: dict[int, Text]


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
        self.max_features = check_integer(
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
        names = [shorten(plain_text(column.name), _NAME, _WIDEST_NAME) for column in shown]
        curve_space = 34.0 if any(plan.kind == "curve" for plan in plans) else 0.0
        widest = max(
            [
                *(text_width(name, _NAME) for name in names),
                *(_BOLD * text_width(title, _NAME) for title in self._titles()),
            ]
        )
        self._left = _MARGIN + widest + 12.0 + curve_space
        for plan in plans:
            plan.place(self._left)
        self._plans = plans
        self._totals = self._range_of_totals()
        width = self._left + SCALE + (_RIGHT if self.nomogram.row else 0.0) + _MARGIN + 8.0
        heights = [plan.height for plan in plans]
        rest = len(self.nomogram.columns) > len(shown)
        legend = 11.0 * len(self._legend_lines(shown))
        height = 70.0 + sum(heights) + (16.0 if rest else 0.0) + 112.0 + legend
        is_new = ax is None
        ax = self._open_axes(ax, size=(width / 72, height / 72))
        self._unit = use_points(ax, width, height, is_new=is_new)
        self.scales_, self.marks_, self.names_, self.total_mark_ = {}, {}, {}, None
        self._write(ax, _MARGIN, 16.0, self._title(), size=_NAME + 1, color=INK)
        y = 52.0
        self._draw_axis(ax, y, "points", round_numbers(0, POINTS, 10), self.x_of, bold=True)
        y += 18.0
        for k, (plan, name) in enumerate(zip(plans, names, strict=True)):
            self._draw_column(ax, plan, name, y, k)
            y += plan.height
        if rest:
            self._write_rest(ax, y + 8.0)
            y += 16.0
        self._draw_totals(ax, y + 26.0)
        self._write_legend(ax, shown, height - 9.0)
        return self

    def _titles(self) -> tuple[str, ...]:
        return (
            "total points",
            "log odds",
            f"p({shorten(plain_text(self.nomogram.positive), _NAME, 90.0)})",
        )

    def _title(self) -> str:
        n = self.nomogram
        title = f"{plain_text(n.positive)} against {plain_text(n.negative)}"
        return title if n.n_classes == 2 else f"{title}, of {n.n_classes} classes"

    def _place_of(self, column: NomogramColumn) -> Any:
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

    def _write(self, ax: Axes, x: float, y: float, text: str, **style: Any) -> Text:
        size = style.pop("size", FONT)
        options: dict[str, Any] = {"color": FAINT_INK, "va": "center", "zorder": 5, **style}
        return ax.text(x, y, text, fontsize=size * self._unit, **options)

    def _line(self, ax: Axes, x: Sequence[float], y: Sequence[float], **style: Any) -> Line2D:
        style["linewidth"] = style.get("linewidth", 1.0) * self._unit
        [line] = ax.plot(x, y, **style)
        return line

    def _draw_axis(
        self,
        ax: Axes,
        y: float,
        name: str,
        values: Sequence[float],
        place: Any,
        *,
        texts: Sequence[str] | None = None,
        bold: bool = False,
    ) -> None:
        self._write(ax, self._left - 12.0, y, name, size=_NAME, color=INK, ha="right",
                    fontweight="bold" if bold else "normal")  # fmt: skip
        self._line(ax, [self._left, self._left + SCALE], [y, y], color=INK)
        texts = [number_text(value, 6) for value in values] if texts is None else texts
        x = [place(value) for value in values]
        for each in x:
            self._line(ax, [each, each], [y, y - 4.0], color=INK)
        placed = place_texts(
            x, [text_width(text, FONT) for text in texts], [True] * len(x),
            left=self._left - 20.0, right=self._left + SCALE + 20.0, max_levels=1,
        )  # fmt: skip
        for each in placed:
            self._write(ax, each.x, y - 10.0, texts[each.tick], ha="center")

    def _draw_column(self, ax: Axes, plan: ColumnPlan, name: str, top: float, k: int) -> None:
        column = plan.column
        y = top + plan.above * LEVEL + 8.0
        bottom = top + plan.height
        if k % 2 == 0:
            ax.axhspan(top, bottom, color="#f6f8fa", zorder=0)
        draw = self._draw_curve if plan.kind == "curve" else self._draw_scale
        scale = draw(ax, plan, y)
        self.scales_[column.name] = scale
        middle = y + CURVE / 2 if plan.kind == "curve" else y
        self.names_[column.name] = self._write(
            ax, _MARGIN, middle, name, size=_NAME, color=INK, ha="left"
        )
        for value in dict.fromkeys((column.missing, column.unseen)):
            if value is not None:
                self._line(
                    ax, [plan.x_of(value)], [y + CURVE if plan.kind == "curve" else y],
                    marker="o", markersize=4.5 * self._unit, markerfacecolor="white",
                    markeredgecolor=FAINT_INK, markeredgewidth=0.9, linestyle="none", zorder=4,
                )  # fmt: skip
        if self.nomogram.row is not None:
            self._mark(ax, plan, k, y)

    def _draw_scale(self, ax: Axes, plan: ColumnPlan, y: float) -> NomogramScale:
        low, high = plan.x_of(plan.column.smallest), plan.x_of(plan.column.largest)
        lines = [self._line(ax, [low, high], [y, y], color=color_of(0), linewidth=1.4, zorder=3)]
        tick_lines = []
        for tick in plan.ticks:
            x = plan.x_of(tick.log_odds)
            ends = (
                [y - 3.5, y + 3.5]
                if tick.above is None
                else [y, y - 4.0 if tick.above else y + 4.0]
            )
            tick_lines.append(self._line(ax, [x, x], ends, color=color_of(0), zorder=3))
        texts = {}
        for each in plan.placed:
            tick = plan.ticks[each.tick]
            place = y - 5.0 - (each.level - 0.5) * LEVEL
            if each.level < 0:
                place = y + 5.0 + (-each.level - 0.5) * LEVEL
            if abs(each.level) > 1:  # a leader from the tick to a text that is farther away
                edge = place + (5.0 if each.level > 0 else -5.0)
                x = plan.x_of(tick.log_odds)
                self._line(ax, [x, x], [y, edge], color="#c8d0d8", linewidth=0.6, zorder=1)
            texts[each.tick] = self._write(
                ax, each.x, place, tick.text, ha="center",
                color=FAINT_INK if tick.text == "missing" else INK,
                style="italic" if tick.text == "missing" else "normal",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.75},
            )  # fmt: skip
        return NomogramScale(plan.kind, plan.ticks, lines, tick_lines, texts)

    def _draw_curve(self, ax: Axes, plan: ColumnPlan, y: float) -> NomogramScale:
        """Draw numbers upwards and points to the right; a jump is a gap."""
        column = plan.column
        low, high = plan.branches[0].values[0], plan.branches[-1].values[-1]

        def height(value: float) -> float:
            return y + CURVE - (value - low) / (high - low) * CURVE

        texts = {}
        for k, value in enumerate(plan.values):
            place = height(value)
            self._line(
                ax, [self._left, self._left + SCALE], [place, place], color=GRID,
                linewidth=0.6, zorder=1,
            )  # fmt: skip
            texts[k] = self._write(ax, self._left - 5.0, place, plan.ticks[k].text, ha="right")
        lines = []
        cuts = list(column.cuts)
        for a, b in zip([low, *cuts], [*cuts, high], strict=True):
            inside = np.linspace(a, b, 80)[1:] if a in cuts else np.linspace(a, b, 80)
            x = [plan.x_of(column.log_odds(float(value))) for value in inside]
            lines.append(
                self._line(
                    ax,
                    x,
                    [height(value) for value in inside],
                    color=color_of(0),
                    linewidth=1.4,
                    zorder=3,
                )
            )
        for label in column.labels:  # "missing", below the curve
            x_label = plan.x_of(label.log_odds)
            self._line(ax, [x_label], [y + CURVE + 8.0], marker="^", markersize=4 * self._unit,
                       color=color_of(0), linestyle="none", zorder=4)  # fmt: skip
            self._write(ax, x_label + 5.0, y + CURVE + 8.0, label.label, style="italic")
        return NomogramScale("curve", plan.ticks, lines, [], texts)

    def _mark(self, ax: Axes, plan: ColumnPlan, k: int, y: float) -> None:
        assert self.nomogram.row is not None
        mark = self.nomogram.row[k]
        middle = y
        if plan.kind == "curve":
            low, high = plan.branches[0].values[0], plan.branches[-1].values[-1]
            middle = y + CURVE / 2
            is_missing = mark.value == "missing"
            share = 0.0 if is_missing else (float(mark.value) - low) / (high - low)
            y += CURVE + 8.0 if is_missing else CURVE * (1 - share)
        x = plan.x_of(mark.log_odds)
        self.marks_[plan.column.name] = self._line(
            ax, [x], [y], marker="o", markersize=6 * self._unit, color=color_of(1),
            linestyle="none", zorder=6,
        )  # fmt: skip
        points = self.nomogram.row_points()[k]
        self._write(
            ax, self._left + SCALE + _RIGHT, middle, f"{points:.1f}", ha="right", color=color_of(1)
        )

    def _write_rest(self, ax: Axes, y: float) -> None:
        n = self.nomogram
        hidden = n.columns[self.max_features :]
        most = max(n.points(column, column.largest) for column in hidden)
        self._write(
            ax, _MARGIN, y,
            f"{len(hidden)} other columns are not drawn; each has at most {most:.1f} points.",
        )  # fmt: skip
        if n.row is not None:
            others = sum(n.row_points()[self.max_features :])
            self._write(
                ax, self._left + SCALE + _RIGHT, y, f"{others:.1f}", ha="right", color=color_of(1)
            )

    def _draw_totals(self, ax: Axes, y: float) -> None:
        n, (low, high) = self.nomogram, self._totals
        titles = self._titles()
        self._draw_axis(ax, y, titles[0], round_numbers(low, high, 10), self.x_of_total, bold=True)
        odds = round_numbers(n.log_odds_of(low), n.log_odds_of(high), 10)
        self._draw_axis(
            ax, y + 34.0, titles[1], odds, lambda value: self.x_of_total(n.total_of(value))
        )
        known = [p for p in _PROBABILITIES if low <= n.total_of(log(p / (1 - p))) <= high]
        # The probabilities near ½ are kept if texts overlap.
        known.sort(key=lambda p: (p not in (0.5, 0.1, 0.9, 0.01, 0.99), abs(p - 0.5)))
        self._draw_axis(
            ax, y + 68.0, titles[2], known,
            lambda p: self.x_of_total(n.total_of(log(p / (1 - p)))),
            texts=[f"{p:g}" for p in known], bold=True,
        )  # fmt: skip
        if n.row is None:
            return
        total = sum(n.row_points())
        x = self.x_of_total(total)
        self.total_mark_ = self._line(
            ax, [x, x], [y, y + 68.0], marker="o", markersize=6 * self._unit,
            color=color_of(1), linewidth=1.0, zorder=6,
        )  # fmt: skip
        value = n.log_odds_of(total)
        for k, text in enumerate((f"{total:.1f}", f"{value:.3g}", _probability_text(value))):
            self._write(
                ax, self._left + SCALE + _RIGHT, y + 34.0 * k, text.replace("-", "−"),
                ha="right", color=color_of(1), fontweight="bold",
            )  # fmt: skip

    def _write_legend(self, ax: Axes, shown: Sequence[NomogramColumn], y: float) -> None:
        for k, line in enumerate(reversed(self._legend_lines(shown))):
            self._write(ax, _MARGIN, y - 11.0 * k, line, size=FONT - 1)

    def _legend_lines(self, shown: Sequence[NomogramColumn]) -> list[str]:
        n, lines = self.nomogram, []
        plans = self._plans
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
