"""Charts of the unit square: ROC and precision-recall curves, and calibration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from augury.report.palette import PAGE, Palette
from augury.report.svg import draw_text, draw_tip, open_svg

_LEFT, _TOP, _RIGHT, _BOTTOM = 58.0, 14.0, 14.0, 46.0
_Place = Callable[[float, float], tuple[float, float]]
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class UnitPoint:
    """A dot with an optional interval of y.

    Attributes
    ----------
    x, y : float
    tip : str
        Tooltip.
    low, high : float or None
        Interval; both or neither.
    radius : float
    """

    x: float
    y: float
    tip: str
    low: float | None = None
    high: float | None = None
    radius: float = 4.0


def unit_chart(
    *,
    title: str,
    description: str,
    x_label: str,
    y_label: str,
    curve: Sequence[tuple[float, float]] = (),
    other: Sequence[tuple[float, float]] = (),
    points: Sequence[UnitPoint] = (),
    chosen: UnitPoint | None = None,
    has_diagonal: bool = False,
    level: float | None = None,
    limits: tuple[float, float] = (0.0, 1.0),
    width: float = 340.0,
    palette: Palette = PAGE,
) -> str:
    """Draw a curve or dots in the unit square.

    Parameters
    ----------
    title, description : str
        For screen readers.
    x_label, y_label : str
    curve : sequence of (x, y)
    other : sequence of (x, y)
        Curve of a reference, as a dotted line.
    points : sequence of UnitPoint
        Dots with intervals; a band joins the intervals.
    chosen : UnitPoint or None
        A dot that stands out.
    has_diagonal : bool
        Whether the diagonal is drawn, as a dashed line.
    level : float or None
        Height of a dashed horizontal line.
    limits : (low, high)
        Ends of both axes.
    width : float
        Width in pixels.

    Examples
    --------
    >>> drawn = unit_chart(
    ...     title="ROC", description="a curve", x_label="x", y_label="y", curve=[(0, 0), (1, 1)]
    ... )
    >>> drawn[:4], drawn.count("data-curve")
    ('<svg', 1)
    """
    side = width - _LEFT - _RIGHT
    height = side + _TOP + _BOTTOM
    low, high = limits
    scale = side / (high - low)

    def place(x: float, y: float) -> tuple[float, float]:
        return _LEFT + (x - low) * scale, _TOP + (high - y) * scale

    def line(corners: Sequence[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in (place(*each) for each in corners))

    parts = open_svg(width, height, title, description)
    parts += _axes(place, limits, height, x_label, y_label, palette)
    dashed = f'fill="none" stroke="{palette.axis}" stroke-dasharray="4 4"'
    if has_diagonal:
        parts.append(f'<path d="{line([(low, low), (high, high)])}" {dashed}/>')
    if level is not None:
        parts.append(f'<path d="{line([(low, level), (high, level)])}" {dashed}/>')
    bounded = [p for p in points if p.low is not None and p.high is not None]
    if len(bounded) > 1:
        band = [(p.x, p.high or 0.0) for p in bounded]
        band += [(p.x, p.low or 0.0) for p in reversed(bounded)]
        fill = f'fill="{palette.of(0)}" fill-opacity="0.13"'
        parts.append(f'<path data-band="interval" d="{line(band)}Z" {fill}/>')
    if other:
        dotted = f'fill="none" stroke="{palette.of(2)}" stroke-width="2" stroke-dasharray="2 3"'
        parts.append(f'<path data-curve="2" d="{line(other)}" {dotted}/>')
    stroke = f'fill="none" stroke="{palette.of(0)}" stroke-width="2" stroke-linejoin="round"'
    if curve:
        parts.append(f'<path data-curve="1" d="{line(curve)}" {stroke}/>')
    for p in points:
        parts += _dot(p, place, palette.of(0))
    if chosen is not None:
        parts += _dot(chosen, place, palette.of(1))
    return "\n".join([*parts, "</svg>"])


def _axes(
    place: _Place,
    limits: tuple[float, float],
    height: float,
    x_label: str,
    y_label: str,
    ink: Palette,
) -> list[str]:
    low, high = limits
    (left, bottom), (right, top) = place(low, low), place(high, high)
    parts = []
    for k, tick in enumerate(_TICKS):
        value = low + tick * (high - low)
        x, y = place(value, value)
        line = f"M{left:.1f} {y:.1f}H{right:.1f}M{x:.1f} {top:.1f}V{bottom:.1f}"
        parts.append(f'<path d="{line}" stroke="{ink.grid}" fill="none"/>')
        if k % 2:
            continue
        text = f"{value:g}"
        parts.append(draw_text(left - 7, y + 4.3, text, 'text-anchor="end"', fill=ink.faint_ink))
        parts.append(draw_text(x, bottom + 17, text, 'text-anchor="middle"', fill=ink.faint_ink))
    middle, style = (left + right) / 2, 'text-anchor="middle"'
    parts.append(draw_text(middle, height - 9, x_label, style, fill=ink.faint_ink))
    x, y = 12.0, (top + bottom) / 2
    style += f' transform="rotate(-90 {x:.1f} {y:.1f})"'
    parts.append(draw_text(x, y, y_label, style, fill=ink.faint_ink))
    return parts


def _dot(point: UnitPoint, place: _Place, colour: str) -> list[str]:
    x, y = place(point.x, point.y)
    parts = []
    if point.low is not None and point.high is not None:
        _, low = place(point.x, point.low)
        _, high = place(point.x, point.high)
        parts.append(f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>')
    parts.append(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{point.radius:.1f}" fill="{colour}" '
        f'stroke="var(--paper)">{draw_tip(point.tip)}</circle>'
    )
    return parts


__all__ = ["UnitPoint", "unit_chart"]
