"""Layered SVG drawing of a structure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from augury.structure.svg_shapes import (
    BOX_HEIGHT,
    CLASS_FILL,
    COLUMN_FILL,
    GAP,
    MARGIN,
    WIDEST,
    Box,
    box_width,
    draw_box,
    draw_curve,
    open_drawing,
)

if TYPE_CHECKING:
    from augury.structure.structure import Structure

_LAYER = 90.0


@dataclass(frozen=True)
class NamedStructure:
    """A structure with the names of its columns, ready to be drawn."""

    structure: Structure
    names: list[str]

    def to_text(self) -> str:
        """Return a line for each column with its parents."""
        return self.structure.to_text(self.names)

    def to_dot(self) -> str:
        """Return the network in the language of Graphviz."""
        return self.structure.to_dot(self.names)

    def to_svg(self) -> str:
        """Return an SVG; parents are above their children."""
        return self.structure.to_svg(self.names)


def draw_svg(structure: Structure, names: list[str], class_name: str) -> str:
    """Return an SVG: the class on top, every column below its parents.

    If the class is a parent of every column, its edges are drawn only to columns without
    other parents. Each layer is filled from the left, in the order of the mean position of the
    parents. A layer that is too wide continues in the next line.
    """
    boxes = _place(structure, names)
    width = max([x + w for x, _, w in boxes.values()], default=MARGIN) + MARGIN
    height = max([y for _, y, _ in boxes.values()], default=0.0) + BOX_HEIGHT + MARGIN
    class_box = (max(width / 2 - box_width(class_name) / 2, 0.0), MARGIN, box_width(class_name))
    parts = open_drawing(width, height, f"Network of {structure.n_features} columns")
    is_of_all = structure.class_children is None
    for i in range(structure.n_features):
        if structure.has_class(i) and not (is_of_all and structure.parents[i]):
            parts.append(_arrow(class_box, boxes[i], "#bbb", dashed=True))
    parts += [_arrow(boxes[j], boxes[i], "#357") for j, i in structure.edges]
    parts += [_arrow(boxes[j], class_box, "#357", upwards=True) for j in structure.class_parents]
    parts.append(draw_box(class_box, [class_name], CLASS_FILL))
    parts += [draw_box(boxes[i], [name], COLUMN_FILL) for i, name in enumerate(names)]
    return "\n".join([*parts, "</svg>"])


def _place(structure: Structure, names: list[str]) -> dict[int, Box]:
    depth = [0] * structure.n_features
    for i in structure.order:
        depth[i] = 1 + max((depth[j] for j in structure.parents[i]), default=0)
    boxes: dict[int, Box] = {}
    y = MARGIN
    for layer in range(1, max(depth, default=0) + 1):
        members = [i for i in range(structure.n_features) if depth[i] == layer]
        centre = {
            i: sum(boxes[j][0] for j in structure.parents[i]) / max(len(structure.parents[i]), 1)
            for i in members
        }
        x, y = MARGIN, y + _LAYER
        for i in sorted(members, key=lambda i: (centre[i], i)):
            if x > MARGIN and x + box_width(names[i]) > WIDEST:
                x, y = MARGIN, y + BOX_HEIGHT + GAP
            boxes[i] = (x, y, box_width(names[i]))
            x += box_width(names[i]) + GAP
    return boxes


def _arrow(
    start: Box, end: Box, colour: str, *, dashed: bool = False, upwards: bool = False
) -> str:
    x1, y1 = start[0] + start[2] / 2, start[1] + BOX_HEIGHT * (not upwards)
    x2, y2 = end[0] + end[2] / 2, end[1] + BOX_HEIGHT * upwards
    return draw_curve(x1, y1, x2, y2, colour, dashed=dashed)
