"""Critical-difference diagram: mean ranks of models on one axis (Demšar, 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augury.report.palette import FILE, Palette
from augury.report.svg import draw_text, draw_tip, escape_xml, open_svg, shorten, text_width, widest

_PAD, _ROW, _BAR_GAP, _RULER_Y, _AXIS_Y = 10.0, 20.0, 9.0, 28.0, 60.0
# In a narrower diagram two columns of names leave no room for the axis between them.
_MIN_WIDTH_OF_TWO_COLUMNS = 560.0


def critical_difference_diagram(
    mean_ranks: dict[str, float],
    critical_difference: float,
    groups: Sequence[Sequence[str]],
    *,
    title: str,
    width: float = 760.0,
    palette: Palette = FILE,
) -> str:
    """Draw mean ranks, with bars that join models that do not differ.

    Parameters
    ----------
    mean_ranks : dict of str to float
        Mean rank of each model; at least two models, ranks from 1 on.
    critical_difference : float
        Smallest significant difference of two mean ranks; drawn as a ruler.
    groups : sequence of sequence of str
        Models that do not differ; groups of one model are not drawn.
    title : str
        Title of the drawing.
    width : float
        Width in pixels; the number of models determines the height. In a narrow drawing the
        models are in one column.
    palette : Palette
        Colours.

    Returns
    -------
    str
        An SVG element.

    Examples
    --------
    >>> svg = critical_difference_diagram(
    ...     {"nb": 2.5, "hnb": 1.2, "tan": 2.3}, 0.9, [["nb", "tan"]], title="Ranks"
    ... )
    >>> svg.count("data-model="), svg.count("data-group=")
    (3, 1)
    """
    if len(mean_ranks) < 2:
        raise ValueError(
            "critical_difference_diagram: mean_ranks must have at least two models, "
            f"got {len(mean_ranks)}"
        )
    order = sorted(mean_ranks, key=lambda name: mean_ranks[name])
    bars = [group for group in groups if len(group) > 1]
    is_wide = width >= _MIN_WIDTH_OF_TWO_COLUMNS
    names_width = min(
        widest([f"{name}  00.00" for name in order]), (0.3 if is_wide else 0.42) * width
    )
    right = width - names_width - 2 * _PAD if is_wide else width - _PAD - 8.0 * len(bars) - 6.0
    axis = _Axis(names_width + 2 * _PAD, right, len(order))
    draw = _draw_beside if is_wide else _draw_below
    body, height = draw(mean_ranks, order, bars, axis, palette)
    texts = ", ".join(f"{name} {mean_ranks[name]:.2f}" for name in order)
    joined = "; ".join(", ".join(group) for group in bars) or "none"
    description = f"Mean ranks, the best first: {texts}. Not distinguished: {joined}."
    return "\n".join(
        [
            *open_svg(width, height, title, description),
            *_draw_ruler(critical_difference, axis, palette),
            *_draw_axis(axis, palette),
            *body,
            "</svg>",
        ]
    )


@dataclass(frozen=True)
class _Axis:
    """Ranks from 1 to the number of models."""

    left: float
    right: float
    last: int

    def place(self, rank: float) -> float:
        return self.left + (rank - 1) / (self.last - 1) * (self.right - self.left)


_Drawn = tuple[list[str], float]  # elements and height


def _draw_beside(
    ranks: dict[str, float],
    order: list[str],
    bars: list[Sequence[str]],
    axis: _Axis,
    palette: Palette,
) -> _Drawn:
    """Draw the better half of the models on the left and the others on the right of the axis."""
    top = _AXIS_Y + 14.0 + _BAR_GAP * len(bars) + 14.0
    n_left = (len(order) + 1) // 2
    parts = []
    for k, name in enumerate(order):
        on_left = k < n_left
        x, y = axis.place(ranks[name]), top + _ROW * (k if on_left else len(order) - 1 - k)
        edge, anchor, away = (axis.left, "end", -1) if on_left else (axis.right, "start", 1)
        room = axis.left - 2 * _PAD - text_width("  00.00")
        shown, number = shorten(name, room), f"{ranks[name]:.2f}"
        text = f"{shown}  {number}" if on_left else f"{number}  {shown}"
        style = f'text-anchor="{anchor}" xml:space="preserve"'
        parts += [
            f'<g data-model="{escape_xml(name)}">{draw_tip(f"{name}: mean rank {number}")}',
            (
                f'<path d="M{x:.2f} {_AXIS_Y:g}V{y:.2f}H{edge:.2f}" fill="none" '
                f'stroke="{palette.axis}"/>'
            ),
            f'<circle cx="{x:.2f}" cy="{_AXIS_Y:g}" r="3.6" fill="{palette.ink}"/>',
            draw_text(edge + 6.0 * away, y + 4.3, text, style, fill=palette.ink),
            "</g>",
        ]
    for k, group in enumerate(bars):
        places = [axis.place(ranks[name]) for name in group]
        y = _AXIS_Y + 14.0 + _BAR_GAP * k
        parts.append(
            _bar(k, group, f"M{min(places) - 3:.2f} {y:.2f}H{max(places) + 3:.2f}", palette)
        )
    return parts, top + _ROW * (n_left - 1) + 16.0


def _draw_below(
    ranks: dict[str, float],
    order: list[str],
    bars: list[Sequence[str]],
    axis: _Axis,
    palette: Palette,
) -> _Drawn:
    """Draw the models in one column; vertical bars on the right join the groups."""
    top = _AXIS_Y + 20.0
    rows = {name: top + _ROW * k for k, name in enumerate(order)}
    room = axis.left - 2 * _PAD - text_width("  00.00")
    parts = []
    for name, y in rows.items():
        number = f"{ranks[name]:.2f}"
        parts += [
            f'<g data-model="{escape_xml(name)}">{draw_tip(f"{name}: mean rank {number}")}',
            f'<path d="M{axis.left:.2f} {y:.2f}H{axis.right:.2f}" stroke="{palette.grid}"/>',
            (
                f'<circle cx="{axis.place(ranks[name]):.2f}" cy="{y:.2f}" r="4.2" '
                f'fill="{palette.ink}"/>'
            ),
            draw_text(_PAD, y + 4.3, shorten(name, room), fill=palette.ink),
            draw_text(
                axis.left - 8.0, y + 4.3, number, 'text-anchor="end"', fill=palette.faint_ink
            ),
            "</g>",
        ]
    for k, group in enumerate(bars):
        places = [rows[name] for name in group]
        x = axis.right + 8.0 + 8.0 * k
        parts.append(
            _bar(k, group, f"M{x:.2f} {min(places) - 4:.2f}V{max(places) + 4:.2f}", palette)
        )
    return parts, top + _ROW * (len(order) - 1) + 16.0


def _bar(k: int, group: Sequence[str], path: str, palette: Palette) -> str:
    tip = draw_tip(f"Not distinguished: {', '.join(group)}")
    return (
        f'<path data-group="{k}" d="{path}" stroke="{palette.of(0)}" stroke-width="4.5" '
        f'stroke-linecap="round">{tip}</path>'
    )


def _draw_ruler(length: float, axis: _Axis, palette: Palette) -> list[str]:
    start, end, y = axis.place(1.0), min(axis.place(1.0 + length), axis.right), _RULER_Y
    text = f"critical difference {length:.2f}"
    return [
        (
            f'<path d="M{start:.2f} {y - 4:g}v8M{start:.2f} {y:g}H{end:.2f}M{end:.2f} {y - 4:g}v8" '
            f'fill="none" stroke="{palette.ink}" stroke-width="1.5"/>'
        ),
        draw_text(start, y - 10.0, text, fill=palette.ink),
    ]


def _draw_axis(axis: _Axis, palette: Palette) -> list[str]:
    parts = [f'<path d="M{axis.left:.2f} {_AXIS_Y:g}H{axis.right:.2f}" stroke="{palette.axis}"/>']
    every = next(
        step for step in (1, 2, 5, 10, 20, 50, axis.last) if axis.place(1 + step) - axis.left >= 22
    )
    for rank in range(1, axis.last + 1):
        x = axis.place(rank)
        parts.append(f'<path d="M{x:.2f} {_AXIS_Y:g}v-5" stroke="{palette.axis}"/>')
        if (rank - 1) % every == 0:
            style = 'text-anchor="middle"'
            parts.append(draw_text(x, _AXIS_Y - 9.0, str(rank), style, fill=palette.faint_ink))
    return parts
