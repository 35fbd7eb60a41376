"""Scatter chart of named dots as one SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from augury.report.palette import FILE, Palette
from augury.report.svg import (
    TEXT_SIZE,
    draw_text,
    draw_tip,
    escape_xml,
    open_svg,
    shorten,
    text_width,
    widest,
)
from augury.report.ticks import log_ticks, nice_ticks, tick_texts
from augury.validation import check_number

_PAD, _SIZE = 16.0, 5.0
# Shapes of the kinds of dots around the origin. Kinds differ in shape and in colour.
_SHAPES = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
    "M-4.6 -4.6H4.6V4.6H-4.6Z",
    "M0 -5.8L5.6 4.4H-5.6Z",
    "M0 -6.2L6.2 0L0 6.2L-6.2 0Z",
    "M0 5.8L5.6 -4.4H-5.6Z",
)


@dataclass(frozen=True)
class Dot:
    """A dot: its name, its kind, which determines shape and colour, and its position."""

    name: str
    kind: str
    x: float
    y: float


def scatter_chart(
    dots: Sequence[Dot],
    *,
    title: str,
    x_label: str,
    y_label: str,
    width: float = 760.0,
    height: float = 400.0,
    palette: Palette = FILE,
) -> str:
    """Draw dots with their names over a logarithmic axis.

    Parameters
    ----------
    dots : sequence of Dot
        At least one dot; x must be positive.
    title, x_label, y_label : str
        Title for screen readers, and labels of the axes.
    width, height : float
        Size in pixels.
    palette : Palette
        Colours.

    Returns
    -------
    str
        An SVG element.

    Examples
    --------
    >>> dots = [Dot("nb", "generative", 1.5, 81.2), Dot("svm", "discriminative", 220.0, 85.0)]
    >>> svg = scatter_chart(dots, title="Cost", x_label="ms", y_label="accuracy")
    >>> svg.count("data-dot=")
    2
    """
    width = check_number("scatter_chart", "width", width, at_least=240.0)
    height = check_number("scatter_chart", "height", height, at_least=180.0)
    if not dots:
        raise ValueError("scatter_chart: dots must have at least one dot, got none")
    for dot in dots:
        check_number("scatter_chart", f"x of dot {dot.name!r}", dot.x, above=0.0)
    kinds = list(dict.fromkeys(dot.kind for dot in dots))
    frame = _Frame.around(dots, kinds, width, height)
    texts = "; ".join(f"{dot.name}: {dot.y:.4g} at {dot.x:.3g}" for dot in dots)
    parts = open_svg(width, height, title, f"{y_label} against {x_label}. {texts}.")
    parts += _draw_kinds(kinds, frame, palette)
    parts += _draw_axes(frame, x_label, y_label, height, palette)
    taken = [_Box.of_dot(frame, dot) for dot in dots]
    for dot in sorted(dots, key=lambda dot: frame.place_y(dot.y)):
        parts += _draw_dot(dot, kinds.index(dot.kind), frame, taken, palette)
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

    @classmethod
    def around(cls, dots: Sequence[Dot], kinds: list[str], width: float, height: float) -> _Frame:
        ys, xs = [dot.y for dot in dots], [dot.x for dot in dots]
        top = _PAD + 20.0 * len(_legend_rows(kinds, width)) + 22.0
        bottom = height - 50.0
        y_ticks = nice_ticks(min(ys), max(ys), max(int((bottom - top) / 50.0), 2))
        left = _PAD + widest(tick_texts(y_ticks)) + 8.0
        return cls(left, width - _PAD, top, bottom, log_ticks(min(xs), max(xs)), y_ticks)

    def place_x(self, x: float) -> float:
        first, last = log10(self.x_ticks[0]), log10(self.x_ticks[-1])
        return self.left + (log10(x) - first) / (last - first) * (self.right - self.left)

    def place_y(self, y: float) -> float:
        share = (y - self.y_ticks[0]) / (self.y_ticks[-1] - self.y_ticks[0])
        return self.bottom - share * (self.bottom - self.top)


@dataclass(frozen=True)
class _Box:
    """Area of a dot or of a name."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def of_dot(cls, frame: _Frame, dot: Dot) -> _Box:
        x, y = frame.place_x(dot.x), frame.place_y(dot.y)
        return cls(x - _SIZE, y - _SIZE, x + _SIZE, y + _SIZE)

    def overlap(self, other: _Box) -> float:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


def _draw_dot(dot: Dot, kind: int, frame: _Frame, taken: list[_Box], palette: Palette) -> list[str]:
    """Draw a dot and its name, where the name overlaps least with other areas."""
    x, y = frame.place_x(dot.x), frame.place_y(dot.y)
    name = shorten(dot.name, 0.45 * (frame.right - frame.left))
    box = _place_name(x, y, text_width(name), frame, taken)
    taken.append(box)
    centre = (box.top + box.bottom) / 2
    parts = [
        f'<g data-dot="{escape_xml(dot.name)}">',
        draw_tip(f"{dot.name} ({dot.kind}): {dot.y:.4g} at {dot.x:.3g}"),
        _shape(x, y, kind, palette),
        draw_text(box.left, box.bottom - 2.5, name, fill=palette.ink),
    ]
    if abs(centre - y) > 1.5 * TEXT_SIZE:  # the name is far away: draw a line to it
        edge = box.left - 2 if box.left > x else box.right + 2
        line = f"M{x:.2f} {y:.2f}L{edge:.2f} {centre:.2f}"
        parts.insert(2, f'<path data-part="lead" d="{line}" stroke="{palette.axis}"/>')
    return [*parts, "</g>"]


def _place_name(x: float, y: float, width: float, frame: _Frame, taken: list[_Box]) -> _Box:
    """Return the area of a name: beside its dot, above or below it, or farther up or down."""
    height, beside = TEXT_SIZE, _SIZE + 4.0
    right, left, middle = x + beside, x - beside - width, y - height / 2
    corners = [(right, middle), (left, middle)]
    corners += [(x - width / 2, y - height - 7.0), (x - width / 2, y + 7.0)]
    steps = [sign * k * (height + 3.0) for k in range(1, 7) for sign in (-1, 1)]
    corners += [(side, middle + step) for step in steps for side in (right + 10.0, left - 10.0)]
    boxes = [_Box(x0, y0, x0 + width, y0 + height) for x0, y0 in corners]

    def cost(box: _Box) -> float:
        outside = max(frame.left - box.left, 0.0) + max(box.right - frame.right, 0.0)
        outside += max(frame.top - 8.0 - box.top, 0.0) + max(box.bottom - frame.bottom, 0.0)
        return sum(box.overlap(other) for other in taken) + 100.0 * outside

    return min(boxes, key=cost)  # the first of equals is the nearest


def _shape(x: float, y: float, kind: int, palette: Palette) -> str:
    shape = _SHAPES[kind % len(_SHAPES)]
    return f'<path transform="translate({x:.2f} {y:.2f})" d="{shape}" fill="{palette.of(kind)}"/>'


def _legend_rows(kinds: list[str], width: float) -> list[list[tuple[float, int]]]:
    """Return rows of the legend: the position and the index of each kind."""
    rows: list[list[tuple[float, int]]] = [[]]
    x = _PAD
    for i, kind in enumerate(kinds):
        needed = text_width(kind) + 34.0
        if rows[-1] and x + needed > width - _PAD:
            rows.append([])
            x = _PAD
        rows[-1].append((x, i))
        x += needed
    return rows


def _draw_kinds(kinds: list[str], frame: _Frame, palette: Palette) -> list[str]:
    parts = ['<g data-part="kinds">']
    for row, places in enumerate(_legend_rows(kinds, frame.right + _PAD)):
        y = _PAD + 20.0 * row
        for x, i in places:
            parts.append(_shape(x + 6.0, y, i, palette))
            parts.append(draw_text(x + 17.0, y + 4.3, kinds[i], fill=palette.ink))
    return [*parts, "</g>"]


def _draw_axes(
    frame: _Frame, x_label: str, y_label: str, height: float, palette: Palette
) -> list[str]:
    left, right = f"{frame.left:.2f}", f"{frame.right:.2f}"
    parts = [
        draw_text(_PAD, frame.top - 14.0, y_label, fill=palette.faint_ink),
        '<g data-axis="y">',
    ]
    for tick, text in zip(frame.y_ticks, tick_texts(frame.y_ticks), strict=True):
        y = frame.place_y(tick)
        parts.append(f'<path d="M{left} {y:.2f}H{right}" stroke="{palette.grid}"/>')
        style = 'text-anchor="end"'
        parts.append(draw_text(frame.left - 8.0, y + 4.3, text, style, fill=palette.faint_ink))
    parts += ["</g>", '<g data-axis="x">']
    parts.append(f'<path d="M{left} {frame.bottom:.2f}H{right}" stroke="{palette.axis}"/>')
    for tick in frame.x_ticks:
        x = frame.place_x(tick)
        anchor = "end" if tick == frame.x_ticks[-1] else "middle"
        parts.append(f'<path d="M{x:.2f} {frame.bottom:.2f}v5" stroke="{palette.axis}"/>')
        style = f'text-anchor="{anchor}"'
        text = f"{tick:,.10g}"
        parts.append(draw_text(x, frame.bottom + 19.0, text, style, fill=palette.faint_ink))
    middle, style = (frame.left + frame.right) / 2, 'text-anchor="middle"'
    parts += ["</g>", draw_text(middle, height - 12.0, x_label, style, fill=palette.faint_ink)]
    return parts
