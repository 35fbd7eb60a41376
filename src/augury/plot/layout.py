"""Boxes, edges and frames of a drawing, placed in points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from augury.plot.canvas import shorten, text_width

# Kind ("class", "column", "source", "hidden", "meta" or "model") and index of a node.
Key = tuple[str, int]

GAP = 10.0  # between two boxes of a line
LINE = 12.0  # between two lines of boxes
WIDEST_LINE = 720.0
WIDEST_LABEL = 140.0
FRAME = 10.0  # space between boxes and their frame
_MARGIN = 14.0


@dataclass(frozen=True, slots=True)
class Box:
    """A node: the centre and the size of its box, and its label."""

    x: float
    y: float
    width: float
    height: float
    label: str

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        w, h = self.width / 2, self.height / 2
        return self.x - w, self.y - h, self.x + w, self.y + h


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two nodes.

    Attributes
    ----------
    source, target : keys of the nodes
    weight : float from 0 to 1 or None
        Shown as the width of the edge.
    faint : whether the edge is drawn in a lighter colour
    bend : float
        Curvature; an edge that passes a layer of nodes is bent around them.
    """

    source: Key
    target: Key
    weight: float | None = None
    faint: bool = False
    bend: float = 0.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame around nodes; dashed if nothing is assumed about what is inside."""

    left: float
    top: float
    right: float
    bottom: float
    dashed: bool = False


@dataclass(slots=True)
class Layout:
    """A drawing of a graph, in points; y grows downwards.

    Attributes
    ----------
    font : size of the labels
    boxes : dict from key to Box
    links : list of Link
    frames : dict from name to Frame
    frame_links : list of (name of a frame, key, whether the arrow ends at the frame, text)
    texts : list of (x, y, text), to the right of x
    notes : list of sentences about what is not drawn
    """

    font: float
    boxes: dict[Key, Box] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=dict)
    frame_links: list[tuple[str, Key, bool, str]] = field(default_factory=list)
    texts: list[tuple[float, float, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def height_of_box(self) -> float:
        """Height of a box."""
        return self.font * 1.9

    def size(self) -> tuple[float, float]:
        """Return width and height with margins."""
        rights = [box.edges[2] for box in self.boxes.values()]
        rights += [frame.right for frame in self.frames.values()]
        rights += [x + text_width(text, self.font - 1) for x, _, text in self.texts]
        rights += [
            self.boxes[key].x + 6 + text_width(text, self.font - 1)
            for _, key, _, text in self.frame_links
        ]
        rights += [_MARGIN + text_width(note, self.font - 1) for note in self.notes]
        bottoms = [box.edges[3] for box in self.boxes.values()]
        bottoms += [frame.bottom for frame in self.frames.values()]
        bottoms += [y + self.font / 2 for _, y, _ in self.texts]
        notes = (self.font + 4) * len(self.notes)
        return max(rights) + _MARGIN, max(bottoms) + _MARGIN + notes

    def make_box(self, x: float, y: float, label: str, *, least: float = 0.0) -> Box:
        """Return a box with its centre at (x, y)."""
        text = shorten(label, self.font, WIDEST_LABEL)
        width = max(text_width(text, self.font) + 1.4 * self.font, least)
        return Box(x, y, width, self.height_of_box, text)

    def place_lines(self, kind: str, labels: Sequence[str], top: float) -> float:
        """Place boxes in centred lines, from `top` on; return where they end."""
        boxes = [self.make_box(0.0, 0.0, label) for label in labels]
        lines: list[list[int]] = [[]]
        used = 0.0
        for i, box in enumerate(boxes):
            if lines[-1] and used + box.width > WIDEST_LINE:
                lines.append([])
                used = 0.0
            lines[-1].append(i)
            used += box.width + GAP
        y = top + self.height_of_box / 2
        for line in lines:
            x = -(sum(boxes[i].width for i in line) + GAP * (len(line) - 1)) / 2
            for i in line:
                width = boxes[i].width
                self.boxes[kind, i] = self.make_box(x + width / 2, y, labels[i])
                x += width + GAP
            y += self.height_of_box + LINE
        return y - LINE - self.height_of_box / 2

    def add_frame(
        self, name: str, keys: Iterable[Key], *, dashed: bool = False, space: float = FRAME
    ) -> None:
        """Add a frame around nodes."""
        edges = [self.boxes[key].edges for key in keys]
        self.frames[name] = Frame(
            min(edge[0] for edge in edges) - space,
            min(edge[1] for edge in edges) - space,
            max(edge[2] for edge in edges) + space,
            max(edge[3] for edge in edges) + space,
            dashed,
        )

    def shifted(self) -> Layout:
        """Return the drawing with all coordinates at least the margin."""
        lefts = [box.edges[0] for box in self.boxes.values()]
        lefts += [frame.left for frame in self.frames.values()]
        tops = [box.edges[1] for box in self.boxes.values()]
        tops += [frame.top for frame in self.frames.values()]
        dx, dy = _MARGIN - min(lefts), _MARGIN - min(tops)
        return Layout(
            self.font,
            {
                key: Box(box.x + dx, box.y + dy, box.width, box.height, box.label)
                for key, box in self.boxes.items()
            },
            self.links,
            {
                name: Frame(f.left + dx, f.top + dy, f.right + dx, f.bottom + dy, f.dashed)
                for name, f in self.frames.items()
            },
            self.frame_links,
            [(x + dx, y + dy, text) for x, y, text in self.texts],
            self.notes,
        )


__all__ = [
    "FRAME",
    "GAP",
    "LINE",
    "WIDEST_LABEL",
    "WIDEST_LINE",
    "Box",
    "Frame",
    "Key",
    "Layout",
    "Link",
]
