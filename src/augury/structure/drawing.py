"""Layered SVG drawing of a structure."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augury.structure.structure import Structure

_LETTER, _HEIGHT, _GAP, _LAYER, _MARGIN, _WIDEST = 7.5, 28.0, 18.0, 90.0, 20.0, 900.0


def draw_svg(structure: Structure, names: list[str], class_name: str) -> str:
    """Return an SVG: the class on top, every column below its parents.

    If the class is a parent of every column, its edges are drawn only to columns without
    other parents. Each layer is filled from the left, in the order of the mean position of the
    parents. A layer that is too wide continues in the next line.
    """
    boxes = _place(structure, names)
    width = max([x + w for x, _, w in boxes.values()], default=_MARGIN) + _MARGIN
    height = max([y for _, y, _ in boxes.values()], default=0.0) + _HEIGHT + _MARGIN
    class_box = (max(width / 2 - _width(class_name) / 2, 0.0), _MARGIN, _width(class_name))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="13" '
            f'role="img" aria-label="Network of {structure.n_features} columns">'
        ),
        (
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#357"/></marker></defs>'
        ),
    ]
    is_of_all = structure.class_children is None
    for i in range(structure.n_features):
        if structure.has_class(i) and not (is_of_all and structure.parents[i]):
            parts.append(_arrow(class_box, boxes[i], "#bbb", dashed=True))
    parts += [_arrow(boxes[j], boxes[i], "#357") for j, i in structure.edges]
    parts += [_arrow(boxes[j], class_box, "#357", upwards=True) for j in structure.class_parents]
    parts.append(_box(class_box, class_name, "#fdf3d8"))
    parts += [_box(boxes[i], name, "#eef4fb") for i, name in enumerate(names)]
    return "\n".join([*parts, "</svg>"])


Box = tuple[float, float, float]


def _width(name: str) -> float:
    return len(name) * _LETTER + 18.0


def _place(structure: Structure, names: list[str]) -> dict[int, Box]:
    depth = [0] * structure.n_features
    for i in structure.order:
        depth[i] = 1 + max((depth[j] for j in structure.parents[i]), default=0)
    boxes: dict[int, Box] = {}
    y = _MARGIN
    for layer in range(1, max(depth, default=0) + 1):
        members = [i for i in range(structure.n_features) if depth[i] == layer]
        centre = {
            i: sum(boxes[j][0] for j in structure.parents[i]) / max(len(structure.parents[i]), 1)
            for i in members
        }
        x, y = _MARGIN, y + _LAYER
        for i in sorted(members, key=lambda i: (centre[i], i)):
            if x > _MARGIN and x + _width(names[i]) > _WIDEST:
                x, y = _MARGIN, y + _HEIGHT + _GAP
            boxes[i] = (x, y, _width(names[i]))
            x += _width(names[i]) + _GAP
    return boxes


def _arrow(
    start: Box, end: Box, colour: str, *, dashed: bool = False, upwards: bool = False
) -> str:
    x1, y1 = start[0] + start[2] / 2, start[1] + _HEIGHT * (not upwards)
    x2, y2 = end[0] + end[2] / 2, end[1] + _HEIGHT * upwards
    style = 'stroke-dasharray="4 4"' if dashed else 'marker-end="url(#head)"'
    middle = (y1 + y2) / 2
    return (
        f'<path d="M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} '
        f'{x2:.1f} {y2:.1f}" fill="none" stroke="{colour}" {style}/>'
    )


def _box(box: Box, name: str, fill: str) -> str:
    x, y, width = box
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_HEIGHT:.0f}" rx="6" '
        f'fill="{fill}" stroke="#357"/><text x="{x + width / 2:.1f}" y="{y + 18.5:.1f}" '
        f'text-anchor="middle" fill="#123">{escape(name)}</text>'
    )
