"""Line chart as one self-contained SVG."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from augury.arrays import FloatArray
from augury.report.line import Curve, Line, read_line
from augury.report.palette import FILE, Palette
from augury.report.svg import (
    LETTER,
    draw_text,
    draw_tip,
    escape_xml,
    open_svg,
    shorten,
    spread,
    widest,
)
from augury.report.ticks import nice_ticks, tick_texts
from augury.validation import check_number

# Four dashes and five colours distinguish twenty lines.
_DASHES = ("", "8 4", "2 3", "10 3 2 3")
_TITLE, _PAD, _SWATCH = 16.0, 20.0, 26.0
_MAX_DOTS = 30


def line_chart(
    lines: Sequence[Line],
    *,
    title: str,
    x_label: str,
    y_label: str,
    width: float = 720.0,
    height: float = 420.0,
    palette: Palette = FILE,
    log_x: bool = False,
) -> str:
    """Draw lines over a common axis, with their names at their ends.

    Parameters
    ----------
    lines : sequence of Line
        At least one, each with at least one point.
    title, x_label, y_label : str
        Title and labels of the axes.
    width, height : float
        Size in pixels; a page may scale the drawing. A long title increases the height. Long
        names of lines are shortened.
    palette : Palette
        Colours: `FILE` has a white background, `PAGE` follows the theme of the page.
    log_x : bool
        Whether the x axis is logarithmic. Its ticks are then the x values of the lines, as many
        as there is room for.

    Returns
    -------
    str
        An SVG element, for a file or for a page. It needs no style sheet, script or font. With
        the default palette it has a white background, so it is readable on light and dark pages.
        It has a title and a description for screen readers.

    Notes
    -----
    Lines differ in colour and in dash; twenty lines are distinct. A line of at most 30 points
    has dots with tooltips that show their numbers.

    Examples
    --------
    >>> rounds = [1, 2, 3, 4]
    >>> svg = line_chart(
    ...     [Line("boosted", rounds, [0.72, 0.75, 0.76, 0.76]), Line("single", [1, 4], [0.72] * 2)],
    ...     title="Boosting naive Bayes", x_label="rounds", y_label="accuracy",
    ... )
    >>> svg[:4], svg[-6:], svg.count("<circle")
    ('<svg', '</svg>', 6)
    """
    width = check_number("line_chart", "width", width, at_least=240.0)
    height = check_number("line_chart", "height", height, at_least=180.0)
    curves = [read_line("line_chart", line) for line in lines]
    if not curves:
        raise ValueError("line_chart: lines must have at least one line, got none")
    if log_x and any(np.nanmin(curve.x) <= 0 for curve in curves):
        raise ValueError("line_chart: x must be positive on a logarithmic axis")
    headline = textwrap.wrap(title, max(int((width - 2 * _PAD) / (_TITLE * LETTER)), 1))
    top = _PAD + 22.0 * len(headline) + 28.0
    height = max(height, top + 100.0)  # a title of many lines increases the height
    frame = _Frame.around(curves, width, (top, height - 58.0), palette, log_x=log_x)
    spoken = title or f"{y_label} against {x_label}"
    parts = open_svg(width, height, spoken, _describe(curves, x_label, y_label))
    parts.append(
        f'<rect x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8" '
        f'fill="{palette.ground}" stroke="{palette.border}"/>'
    )
    for i, text in enumerate(headline):
        style = f'font-size="{_TITLE:g}" font-weight="600"'
        parts.append(draw_text(_PAD, _PAD + 14.0 + 22.0 * i, text, style, fill=palette.ink))
    parts.append(draw_text(_PAD, frame.top - 18.0, y_label, fill=palette.faint_ink))
    middle = (frame.left + frame.right) / 2
    style = 'text-anchor="middle"'
    parts.append(draw_text(middle, height - 16.0, x_label, style, fill=palette.faint_ink))
    parts += _draw_axes(frame)
    for draw in (_draw_band, _draw_line):  # bands are drawn first, so that they do not cover lines
        for i, curve in enumerate(curves):
            parts += draw(curve, frame, i)
    parts += _draw_names(curves, frame)
    return "\n".join([*parts, "</svg>"])


@dataclass(frozen=True)
class _Frame:
    """Position and tick marks of the axes."""

    left: float
    right: float
    top: float
    bottom: float
    x_ticks: list[float]
    y_ticks: list[float]
    names_width: float
    palette: Palette
    log_x: bool

    @classmethod
    def around(
        cls,
        curves: list[Curve],
        width: float,
        height: tuple[float, float],
        palette: Palette,
        *,
        log_x: bool,
    ) -> _Frame:
        """Return a frame with room for the numbers on the left and the names on the right."""
        top, bottom = height
        xs = np.concatenate([curve.x for curve in curves])
        ys = np.concatenate([a for curve in curves for a in (curve.y, *(curve.band or ()))])
        low, high = float(np.nanmin(ys)), float(np.nanmax(ys))
        y_ticks = nice_ticks(low, high, max(int((bottom - top) / 45.0), 2))
        left = _PAD + widest(tick_texts(y_ticks)) + 8.0
        names_width = min(widest([curve.name for curve in curves]), 0.35 * width)
        right = max(width - _PAD - names_width - _SWATCH - 14.0, left + 40.0)
        make_ticks = value_ticks if log_x else _round_ticks
        x_ticks = make_ticks(xs[~np.isnan(xs)], right - left)
        return cls(left, right, top, bottom, x_ticks, y_ticks, names_width, palette, log_x)

    def place_x(self, x: float) -> float:
        low, high = self.x_ticks[0], self.x_ticks[-1]
        if not self.log_x:
            share = (x - low) / (high - low)
        else:
            share = log(x / low) / log(high / low) if high > low else 0.5
        return self.left + share * (self.right - self.left)

    def x_texts(self) -> list[str]:
        """Return the texts of the ticks of the x axis."""
        return (
            [f"{tick:,.12g}" for tick in self.x_ticks] if self.log_x else tick_texts(self.x_ticks)
        )

    def place_y(self, y: float) -> float:
        share = (y - self.y_ticks[0]) / (self.y_ticks[-1] - self.y_ticks[0])
        return self.bottom - share * (self.bottom - self.top)

    def place(self, x: FloatArray, y: FloatArray) -> list[str]:
        """Return points in the syntax of SVG paths."""
        pairs = zip(x.tolist(), y.tolist(), strict=True)
        return [f"{self.place_x(a):.2f} {self.place_y(b):.2f}" for a, b in pairs]


def _round_ticks(xs: FloatArray, width: float) -> list[float]:
    """Return round numbers that cover the values and fit the width."""
    low, high = float(xs.min()), float(xs.max())
    whole = bool((xs == np.floor(xs)).all())
    number = widest(tick_texts(nice_ticks(low, high, whole=whole)))
    n_steps = max(int(width / max(number + 24.0, 56.0)), 1)
    return nice_ticks(low, high, n_steps, whole=whole)


def value_ticks(xs: FloatArray, width: float) -> list[float]:
    """Return the values whose texts fit a logarithmic axis, with the smallest and the largest.

    >>> value_ticks(np.array([16.0, 32.0, 64.0, 4096.0, 4200.0]), 400.0)
    [16.0, 32.0, 64.0, 4200.0]
    """
    values: list[float] = np.unique(xs).tolist()
    if len(values) == 1:
        return values
    scale = width / log(values[-1] / values[0])

    def room(a: float, b: float) -> float:
        texts = widest([f"{a:,.12g}"]) + widest([f"{b:,.12g}"])
        return scale * log(b / a) - texts / 2 - 10.0

    ticks = [values[0]]
    for value in values[1:-1]:
        if room(ticks[-1], value) >= 0 and room(value, values[-1]) >= 0:
            ticks.append(value)
    return [*ticks, values[-1]]


def _draw_axes(frame: _Frame) -> list[str]:
    ink = frame.palette
    left, right = f"{frame.left:.2f}", f"{frame.right:.2f}"
    parts = ['<g data-axis="y">']
    for tick, text in zip(frame.y_ticks, tick_texts(frame.y_ticks), strict=True):
        y = frame.place_y(tick)
        parts.append(f'<path d="M{left} {y:.2f}H{right}" stroke="{ink.grid}"/>')
        parts.append(
            draw_text(frame.left - 8.0, y + 4.3, text, 'text-anchor="end"', fill=ink.faint_ink)
        )
    parts += ["</g>", '<g data-axis="x">']
    parts.append(f'<path d="M{left} {frame.bottom:.2f}H{right}" stroke="{ink.axis}"/>')
    for tick, text in zip(frame.x_ticks, frame.x_texts(), strict=True):
        x = frame.place_x(tick)
        parts.append(f'<path d="M{x:.2f} {frame.bottom:.2f}v5" stroke="{ink.axis}"/>')
        parts.append(
            draw_text(x, frame.bottom + 19.0, text, 'text-anchor="middle"', fill=ink.faint_ink)
        )
    return [*parts, "</g>"]


def _draw_band(curve: Curve, frame: _Frame, i: int) -> list[str]:
    if curve.band is None:
        return []
    colour = frame.palette.of(i)
    parts = []
    for run in curve.runs:
        lower, upper = (frame.place(curve.x[run], edge[run]) for edge in curve.band)
        # The band of a single point has no area; it is drawn as a vertical line.
        style = f'stroke="{colour}"' if len(lower) == 1 else f'fill="{colour}" fill-opacity="0.13"'
        outline = "L".join([*upper, *reversed(lower)])
        parts.append(f'<path data-band="{escape_xml(curve.name)}" d="M{outline}Z" {style}/>')
    return parts


def _draw_line(curve: Curve, frame: _Frame, i: int) -> list[str]:
    colour = frame.palette.of(i)
    dotted = len(curve.points) <= _MAX_DOTS
    parts = [f'<g data-line="{escape_xml(curve.name)}">']
    for run in curve.runs:
        places = frame.place(curve.x[run], curve.y[run])
        if len(places) > 1:
            parts.append(f'<path d="M{"L".join(places)}" stroke="{colour}" {_stroke(i)}/>')
        if dotted or len(places) == 1:
            points = zip(curve.x[run].tolist(), curve.y[run].tolist(), strict=True)
            parts += [_dot(frame, colour, curve.name, x, y) for x, y in points]
    return [*parts, "</g>"]


def _dot(frame: _Frame, colour: str, name: str, x: float, y: float) -> str:
    return (
        f'<circle cx="{frame.place_x(x):.2f}" cy="{frame.place_y(y):.2f}" r="3.2" '
        f'fill="{colour}" stroke="#ffffff">{draw_tip(f"{name}: {y:g} at {x:g}")}'
        "</circle>"
    )


def _draw_names(curves: list[Curve], frame: _Frame) -> list[str]:
    """Draw the name of each line near its end, without overlaps."""
    ends = [frame.place_y(curve.points[-1][1]) for curve in curves]
    order = sorted(range(len(curves)), key=lambda i: ends[i])
    parts = ['<g data-part="names">']
    places = spread([ends[i] for i in order], frame.top - 10.0, frame.bottom)
    for i, y in zip(order, places, strict=True):
        start = frame.right + 10.0
        colour = frame.palette.of(i)
        parts.append(f'<path d="M{start:.2f} {y:.2f}h{_SWATCH:g}" stroke="{colour}" {_stroke(i)}/>')
        name = shorten(curves[i].name, frame.names_width)
        tip = draw_tip(curves[i].name) if name != curves[i].name else ""
        parts.append(
            draw_text(start + _SWATCH + 6.0, y + 4.3, name, fill=frame.palette.ink, tip=tip)
        )
    return [*parts, "</g>"]


def _stroke(i: int) -> str:
    dash = _DASHES[i % len(_DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke-width="2" stroke-linejoin="round"{dashed}'


def _describe(curves: list[Curve], x_label: str, y_label: str) -> str:
    ends = []
    for curve in curves:
        (x0, y0), (x1, y1) = curve.points[0], curve.points[-1]
        until = f" to {y1:g} at {x1:g}" if len(curve.points) > 1 else ""
        ends.append(f"{curve.name}, {y0:g} at {x0:g}{until}")
    return f"Lines of {y_label} against {x_label}: {'; '.join(ends)}."
