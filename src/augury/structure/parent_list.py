"""Drawings of columns with weighted parents, which may form cycles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray
from augury.structure.svg_shapes import (
    BOX_HEIGHT,
    CLASS_FILL,
    COLUMN_FILL,
    GAP,
    MARGIN,
    WIDEST,
    box_width,
    draw_box,
    open_drawing,
    quote,
    shorten,
)

_ROW = BOX_HEIGHT + 12.0
_ARROW = 42.0
_INDENT = 26.0


@dataclass(frozen=True)
class ParentList:
    """A line for each column, or pair of columns, with its parents or its children.

    The class is a parent of every column.

    Parameters
    ----------
    heads : the columns
    members : for each column its parents, with their weights or None
        With `outward`, its children.
    label : description of the drawing
    outward : whether the members are children of the heads

    Examples
    --------
    >>> print(ParentList(("sky", "wind"), ((("wind", 1.0),), (("sky", 0.75),)), "").to_text())
    sky   | class, wind 1.00
    wind  | class, sky 0.75
    >>> print(ParentList(("sky",), ((("wind", None),),), "", outward=True).to_text())
    class, sky  → wind
    """

    heads: tuple[str, ...]
    members: tuple[tuple[tuple[str, float | None], ...], ...]
    label: str
    outward: bool = False

    def to_text(self) -> str:
        """Return a line for each head."""
        if self.outward:
            heads = [f"class, {head}" for head in self.heads]
            lines = [", ".join(map(_named, members)) for members in self.members]
            sign = "→"
        else:
            heads = list(self.heads)
            lines = [", ".join(["class", *map(_named, members)]) for members in self.members]
            sign = "|"
        width = max(map(len, heads), default=0)
        return "\n".join(
            f"{head:<{width}}  {sign} {line}".rstrip()
            for head, line in zip(heads, lines, strict=True)
        )

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz; edges from the class are dashed."""
        names = list(dict.fromkeys([*self.heads, *(n for own in self.members for n, _ in own)]))
        number = {name: k for k, name in enumerate(names)}
        lines = ["digraph parents {", '  class [label="class", shape=doublecircle];']
        lines += [f"  x{k} [label={quote(name)}];" for name, k in number.items()]
        lines += [f"  class -> x{k} [style=dashed, color=gray];" for k in number.values()]
        for head, members in zip(self.heads, self.members, strict=True):
            for name, weight in members:
                start, end = (head, name) if self.outward else (name, head)
                style = "" if weight is None else f' [label="{weight:.2f}"]'
                lines.append(f"  x{number[start]} -> x{number[end]}{style};")
        return "\n".join([*lines, "}"])

    def to_svg(self) -> str:
        """Return an SVG with a line for each head; members that do not fit are counted."""
        left = MARGIN + _INDENT
        column = max((box_width(shorten(head)) for head in self.heads), default=0.0)
        start = left + column + _ARROW
        top, right = MARGIN + BOX_HEIGHT + GAP, start
        parts = []
        for k, (head, members) in enumerate(zip(self.heads, self.members, strict=True)):
            y = top + k * _ROW
            width = box_width(shorten(head))
            parts += [
                (
                    f'<path d="M{MARGIN + 10:.1f} {y + BOX_HEIGHT / 2:.1f}H{left:.1f}" '
                    'stroke="#bbb" stroke-dasharray="4 4"/>'
                ),
                draw_box((left, y, width), [shorten(head)], COLUMN_FILL),
            ]
            if members:
                ends = (left + width, start) if self.outward else (start, left + width)
                parts.append(
                    f'<path d="M{ends[0]:.1f} {y + BOX_HEIGHT / 2:.1f}H{ends[1]:.1f}" '
                    'stroke="#357" marker-end="url(#head)"/>'
                )
            drawn, end = _draw_members(members, start, y)
            parts += drawn
            right = max(right, end)
        bottom = top + max(len(self.heads), 1) * _ROW
        spine = top + (len(self.heads) - 1) * _ROW + BOX_HEIGHT / 2
        class_box = (MARGIN, MARGIN, box_width("class"))
        return "\n".join(
            [
                *open_drawing(max(right, left + column) + MARGIN, bottom + MARGIN, self.label),
                (
                    f'<path d="M{MARGIN + 10:.1f} {MARGIN + BOX_HEIGHT:.1f}V{spine:.1f}" '
                    'stroke="#bbb" stroke-dasharray="4 4"/>'
                ),
                draw_box(class_box, ["class"], CLASS_FILL),
                *parts,
                "</svg>",
            ]
        )


def strongest_members(
    weights: FloatArray, names: Sequence[str], most: int | None = None
) -> tuple[tuple[tuple[str, float | None], ...], ...]:
    """Return for each row of a matrix the columns with positive weights, the largest first.

    >>> strongest_members(np.array([[0.0, 0.2, 0.8]]), ["a", "b", "c"], most=1)
    ((('c', 0.8),),)
    """
    order = np.argsort(-weights, axis=1, kind="stable")[:, :most]
    return tuple(
        tuple((names[j], float(row[j])) for j in own if row[j] > 0)
        for row, own in zip(weights, order, strict=True)
    )


def _named(member: tuple[str, float | None]) -> str:
    name, weight = member
    return name if weight is None else f"{name} {weight:.2f}"


def _draw_members(
    members: tuple[tuple[str, float | None], ...], x: float, y: float
) -> tuple[list[str], float]:
    """Return the boxes of members from x on, and where they end."""
    parts: list[str] = []
    for k, (name, weight) in enumerate(members):
        text = _named((shorten(name), weight))
        more = f"and {len(members) - k} more"
        rest = box_width(more) if k + 1 < len(members) else 0.0
        if k and x + box_width(text) + rest > WIDEST:
            parts.append(f'<text x="{x + 4:.1f}" y="{y + 18.5:.1f}" fill="#567">{more}</text>')
            return parts, x + box_width(more)
        parts.append(draw_box((x, y, box_width(text)), [text], COLUMN_FILL))
        x += box_width(text) + 8
    return parts, x


__all__ = ["ParentList", "strongest_members"]
