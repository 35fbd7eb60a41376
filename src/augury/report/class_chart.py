"""Charts of the values of a column in each class: bars of labels, steps of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from augury.report.palette import PAGE, Palette
from augury.report.svg import draw_text, draw_tip, open_svg, shorten
from augury.report.ticks import nice_ticks, tick_texts

_PAD, _BAR, _GAP = 8.0, 9.0, 10.0
# Classes that have a colour of their own.
MAX_CLASSES = 5


def label_bars(
    labels: Sequence[str],
    shares: Sequence[Sequence[float]],
    classes: Sequence[str],
    *,
    title: str,
    width: float = 340.0,
    palette: Palette = PAGE,
) -> str:
    """Draw the share of each label in each class as bars; `shares` is [class][label].

    Examples
    --------
    >>> drawn = label_bars(["sun", "rain"], [[0.2, 0.8], [1.0, 0.0]], ["in", "out"], title="sky")
    >>> drawn.count("<rect")
    4
    """
    q = len(classes)
    step = _BAR * q + _GAP + 15.0
    height = _PAD + step * len(labels) + 4
    largest = max((share for row in shares for share in row), default=0.0) or 1.0
    spoken = "; ".join(
        f"{label}: " + ", ".join(f"{c} {100 * shares[k][j]:.0f} %" for k, c in enumerate(classes))
        for j, label in enumerate(labels)
    )
    parts = open_svg(width, height, title, spoken)
    room = width - 2 * _PAD - 44
    for j, label in enumerate(labels):
        y = _PAD + step * j
        parts.append(draw_text(_PAD, y + 10, shorten(label, width - 20), fill=palette.ink))
        for k, name in enumerate(classes):
            share = shares[k][j]
            top = y + 15 + _BAR * k
            tip = draw_tip(f"{label}: {100 * share:.1f} % of {name}")
            parts.append(
                f'<rect x="{_PAD:g}" y="{top:.1f}" width="{max(room * share / largest, 1):.1f}" '
                f'height="{_BAR - 2:g}" rx="1.5" fill="{palette.of(k)}">{tip}</rect>'
            )
            text = f"{100 * share:.0f} %"
            parts.append(
                draw_text(
                    _PAD + max(room * share / largest, 1) + 4,
                    top + 7.4,
                    text,
                    'font-size="9.5"',
                    fill=palette.faint_ink,
                )
            )
    return "\n".join([*parts, "</svg>"])


def number_steps(
    edges: Sequence[float],
    shares: Sequence[Sequence[float]],
    classes: Sequence[str],
    *,
    title: str,
    x_texts: Sequence[tuple[float, str]] = (),
    width: float = 340.0,
    height: float = 190.0,
    palette: Palette = PAGE,
) -> str:
    """Draw the share of each bin in each class, by its width, as a line of steps.

    Parameters
    ----------
    edges : edges of the bins
    shares : [class][bin]
    classes : names
    title : str
    x_texts : sequence of (number, text)
        Ticks; by default round numbers.

    Examples
    --------
    >>> drawn = number_steps([0, 1, 2], [[0.2, 0.8], [0.5, 0.5]], ["in", "out"], title="x")
    >>> drawn.count("data-class")
    2
    """
    left, right, top, bottom = _PAD, width - _PAD, _PAD, height - 24.0
    low, high = edges[0], edges[-1]
    widths = [b - a for a, b in pairwise(edges)]
    heights = [[s / w for s, w in zip(row, widths, strict=True)] for row in shares]
    largest = max((value for row in heights for value in row), default=0.0) or 1.0

    def place(x: float) -> float:
        return left + (x - low) / (high - low) * (right - left)

    if not x_texts:
        ticks = [tick for tick in nice_ticks(low, high, 4) if low <= tick <= high]
        x_texts = list(zip(ticks, tick_texts(ticks), strict=True)) if len(ticks) > 1 else []
    middles = [(a + b) / 2 for a, b in pairwise(edges)]
    spoken = "; ".join(
        f"{name}: most frequent near {middles[max(range(len(row)), key=row.__getitem__)]:.4g}"
        for name, row in zip(classes, heights, strict=True)
    )
    parts = open_svg(width, height, title, spoken)
    parts.append(f'<path d="M{left:g} {bottom:g}H{right:g}" stroke="{palette.axis}"/>')
    for tick, text in x_texts:
        x = place(tick)
        anchor = "start" if x < left + 12 else "end" if x > right - 12 else "middle"
        parts.append(f'<path d="M{x:.1f} {bottom:g}v4" stroke="{palette.axis}"/>')
        parts.append(
            draw_text(x, bottom + 17, text, f'text-anchor="{anchor}"', fill=palette.faint_ink)
        )
    for k, (name, row) in enumerate(zip(classes, heights, strict=True)):
        corners = [(left, bottom)]
        for a, b, value in zip(edges[:-1], edges[1:], row, strict=True):
            y = bottom - value / largest * (bottom - top)
            corners += [(place(a), y), (place(b), y)]
        corners.append((right, bottom))
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
        parts.append(
            f'<path data-class="{k}" d="{path}" fill="{palette.of(k)}" fill-opacity="0.1" '
            f'stroke="{palette.of(k)}" stroke-width="1.7">{draw_tip(name)}</path>'
        )
    return "\n".join([*parts, "</svg>"])


__all__ = ["MAX_CLASSES", "label_bars", "number_steps"]
