"""Drawing of a column of a nomogram: a scale with ticks, or a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from augury.explain.nomogram_contents import NomogramMark
from augury.plot.class_styles import FAINT_INK, GRID, INK, color_of
from augury.plot.nomogram_canvas import NomogramCanvas
from augury.plot.nomogram_plan import CURVE, LEVEL, ColumnPlan
from augury.plot.nomogram_scales import Tick

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.text import Text


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


def draw_column(canvas: NomogramCanvas, plan: ColumnPlan, y: float) -> NomogramScale:
    """Draw the scale at height y, or the curve below it, and the places of unseen values."""
    is_curve = plan.kind == "curve"
    scale = (_draw_curve if is_curve else _draw_scale)(canvas, plan, y)
    for log_odds in dict.fromkeys((plan.column.missing, plan.column.unseen)):
        if log_odds is not None:
            canvas.line(
                [plan.x_of(log_odds)], [y + CURVE if is_curve else y],
                marker="o", markersize=4.5 * canvas.unit, markerfacecolor="white",
                markeredgecolor=FAINT_INK, markeredgewidth=0.9, linestyle="none", zorder=4,
            )  # fmt: skip
    return scale


def draw_mark(canvas: NomogramCanvas, plan: ColumnPlan, mark: NomogramMark, y: float) -> Line2D:
    """Draw the value of a row on the scale at height y, or on the curve below it."""
    if plan.kind == "curve":
        low, high = plan.branches[0].values[0], plan.branches[-1].values[-1]
        is_missing = mark.value == "missing"
        share = 0.0 if is_missing else (float(mark.value) - low) / (high - low)
        y += CURVE + 8.0 if is_missing else CURVE * (1 - share)
    return canvas.line(
        [plan.x_of(mark.log_odds)], [y], marker="o", markersize=6 * canvas.unit,
        color=color_of(1), linestyle="none", zorder=6,
    )  # fmt: skip


def _draw_scale(canvas: NomogramCanvas, plan: ColumnPlan, y: float) -> NomogramScale:
    low, high = plan.x_of(plan.column.smallest), plan.x_of(plan.column.largest)
    lines = [canvas.line([low, high], [y, y], color=color_of(0), linewidth=1.4, zorder=3)]
    tick_lines = []
    for tick in plan.ticks:
        x = plan.x_of(tick.log_odds)
        ends = [y - 3.5, y + 3.5] if tick.above is None else [y, y - 4.0 if tick.above else y + 4.0]
        tick_lines.append(canvas.line([x, x], ends, color=color_of(0), zorder=3))
    texts = {}
    for each in plan.placed:
        tick = plan.ticks[each.tick]
        place = y - 5.0 - (each.level - 0.5) * LEVEL
        if each.level < 0:
            place = y + 5.0 + (-each.level - 0.5) * LEVEL
        if abs(each.level) > 1:  # a leader from the tick to a text that is farther away
            edge = place + (5.0 if each.level > 0 else -5.0)
            x = plan.x_of(tick.log_odds)
            canvas.line([x, x], [y, edge], color="#c8d0d8", linewidth=0.6, zorder=1)
        texts[each.tick] = canvas.write(
            each.x, place, tick.text, ha="center",
            color=FAINT_INK if tick.text == "missing" else INK,
            style="italic" if tick.text == "missing" else "normal",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.75},
        )  # fmt: skip
    return NomogramScale(plan.kind, plan.ticks, lines, tick_lines, texts)


def _draw_curve(canvas: NomogramCanvas, plan: ColumnPlan, y: float) -> NomogramScale:
    """Draw numbers upwards and points to the right; a jump is a gap."""
    column = plan.column
    low, high = plan.branches[0].values[0], plan.branches[-1].values[-1]

    def height(value: float) -> float:
        return y + CURVE - (value - low) / (high - low) * CURVE

    texts = {}
    for k, value in enumerate(plan.values):
        place = height(value)
        canvas.line(
            [canvas.left, canvas.right], [place, place], color=GRID, linewidth=0.6, zorder=1
        )
        texts[k] = canvas.write(canvas.left - 5.0, place, plan.ticks[k].text, ha="right")
    lines = []
    cuts = list(column.cuts)
    for a, b in zip([low, *cuts], [*cuts, high], strict=True):
        inside = np.linspace(a, b, 80)[1:] if a in cuts else np.linspace(a, b, 80)
        x = [plan.x_of(column.log_odds(float(value))) for value in inside]
        heights = [height(value) for value in inside]
        lines.append(canvas.line(x, heights, color=color_of(0), linewidth=1.4, zorder=3))
    for label in column.labels:  # "missing", below the curve
        x_label = plan.x_of(label.log_odds)
        canvas.line(
            [x_label], [y + CURVE + 8.0], marker="^", markersize=4 * canvas.unit,
            color=color_of(0), linestyle="none", zorder=4,
        )  # fmt: skip
        canvas.write(x_label + 5.0, y + CURVE + 8.0, label.label, style="italic")
    return NomogramScale("curve", plan.ticks, lines, [], texts)


__all__ = ["NomogramScale", "draw_column", "draw_mark"]
