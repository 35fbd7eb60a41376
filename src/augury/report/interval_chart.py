"""Chart of means with intervals, one line for each model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augury.report.palette import PAGE, Palette
from augury.report.svg import draw_text, draw_tip, open_svg, shorten, widest
from augury.report.ticks import nice_ticks, tick_texts

_ROW, _TOP, _PAD = 30.0, 12.0, 10.0


@dataclass(frozen=True, slots=True)
class Interval:
    """A name, its mean, half of the width of its interval, and whether it is marked.

    Attributes
    ----------
    margin : float or None
        None without an interval.
    is_marked : bool
        Whether the name is bold.
    tip : str
        Tooltip.
    """

    name: str
    mean: float
    margin: float | None
    is_marked: bool = False
    tip: str = ""


def interval_chart(
    lines: Sequence[Interval],
    *,
    title: str,
    x_label: str,
    limits: tuple[float, float] | None = None,
    width: float = 720.0,
    palette: Palette = PAGE,
) -> str:
    """Draw a dot and an interval for each line, in the given order.

    Parameters
    ----------
    lines : sequence of Interval
        At least one.
    title, x_label : str
    limits : (low, high) or None
        Values that the measure cannot exceed: intervals end there.
    width : float

    Examples
    --------
    >>> drawn = interval_chart(
    ...     [Interval("nb", 90.0, 2.0), Interval("lr", 92.0, None)], title="t", x_label="accuracy"
    ... )
    >>> drawn.count("<circle"), drawn.count("data-interval")
    (2, 1)
    """
    low_end, high_end = limits or (float("-inf"), float("inf"))
    spans = [
        (
            max(each.mean - (each.margin or 0), low_end),
            min(each.mean + (each.margin or 0), high_end),
        )
        for each in lines
    ]
    ticks = nice_ticks(min(a for a, _ in spans), max(b for _, b in spans), 5 if width > 500 else 3)
    texts = tick_texts(ticks)
    names_width = min(widest([each.name for each in lines]) + 8, 0.36 * width)
    left, right = _PAD + names_width + 10, width - _PAD - widest(texts) / 2
    bottom = _TOP + _ROW * len(lines)
    height = bottom + 44.0

    def place(value: float) -> float:
        return left + (value - ticks[0]) / (ticks[-1] - ticks[0]) * (right - left)

    spoken = "; ".join(each.tip or f"{each.name} {each.mean:g}" for each in lines)
    parts = open_svg(width, height, title, spoken)
    for tick, text in zip(ticks, texts, strict=True):
        x = place(tick)
        parts.append(f'<path d="M{x:.1f} {_TOP:g}V{bottom:.1f}" stroke="{palette.grid}"/>')
        parts.append(
            draw_text(x, bottom + 16, text, 'text-anchor="middle"', fill=palette.faint_ink)
        )
    parts.append(
        draw_text(
            (left + right) / 2, height - 8, x_label, 'text-anchor="middle"', fill=palette.faint_ink
        )
    )
    for k, (each, span) in enumerate(zip(lines, spans, strict=True)):
        y = _TOP + _ROW * (k + 0.5)
        colour = palette.of(0 if each.is_marked else 4)
        weight = ' font-weight="700"' if each.is_marked else ""
        name = shorten(each.name, names_width)
        parts.append(draw_text(_PAD, y + 4.3, name, f'data-name="1"{weight}', fill=palette.ink))
        if each.margin is not None:
            bar = f"M{place(span[0]):.1f} {y:.1f}H{place(span[1]):.1f}"
            parts.append(
                f'<path data-interval="1" d="{bar}" stroke="{colour}" stroke-width="5" '
                'stroke-opacity="0.35"/>'
            )
        parts.append(
            f'<circle cx="{place(each.mean):.1f}" cy="{y:.1f}" r="5" fill="{colour}">'
            f"{draw_tip(each.tip or each.name)}</circle>"
        )
    return "\n".join([*parts, "</svg>"])


__all__ = ["Interval", "interval_chart"]
