"""Places of the nodes, edges and frames of a model's graph, in points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from augury.explain.model_graph import (
    HiddenParentGraph,
    ModelGraph,
    NetworkGraph,
    RegressionGraph,
)
from augury.plot.canvas import plain_text, shorten, text_width

# Kind ("class", "column", "source", "hidden", "meta" or "model") and index of a node.
Key = tuple[str, int]

_MARGIN, _GAP, _LINE = 14.0, 10.0, 12.0
_LAYER = 46.0
_WIDEST = 720.0  # of a line of boxes
_WIDEST_LABEL = 140.0
_FRAME = 10.0  # space between boxes and their frame
# With more columns, one arrow to a frame replaces the arrows between the class and each column.
_MAX_ARROWS = 8
# Weights that are written beside a hidden parent, and those that are drawn in a list.
_N_WRITTEN, _N_DRAWN = 3, 2
_SMALLEST_WEIGHT = 0.005  # smaller ones are 0.00 as text
ELLIPSIS = "…"
_BEND, _SWAY = 0.18, 60.0


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
        text = shorten(label, self.font, _WIDEST_LABEL)
        width = max(text_width(text, self.font) + 1.4 * self.font, least)
        return Box(x, y, width, self.height_of_box, text)

    def place_lines(self, kind: str, labels: Sequence[str], top: float) -> float:
        """Place boxes in centred lines, from `top` on; return where they end."""
        boxes = [self.make_box(0.0, 0.0, label) for label in labels]
        lines: list[list[int]] = [[]]
        used = 0.0
        for i, box in enumerate(boxes):
            if lines[-1] and used + box.width > _WIDEST:
                lines.append([])
                used = 0.0
            lines[-1].append(i)
            used += box.width + _GAP
        y = top + self.height_of_box / 2
        for line in lines:
            x = -(sum(boxes[i].width for i in line) + _GAP * (len(line) - 1)) / 2
            for i in line:
                width = boxes[i].width
                self.boxes[kind, i] = self.make_box(x + width / 2, y, labels[i])
                x += width + _GAP
            y += self.height_of_box + _LINE
        return y - _LINE - self.height_of_box / 2

    def add_frame(
        self, name: str, keys: Iterable[Key], *, dashed: bool = False, space: float = _FRAME
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


CLASS: Key = ("class", 0)


def lay_out(graph: ModelGraph, class_name: str) -> Layout:
    """Return the places of the nodes, edges and frames of a graph."""
    n_columns = len(graph.columns)
    layout = Layout(10.0 if n_columns <= 12 else 9.0 if n_columns <= 30 else 8.0)
    layout.boxes[CLASS] = layout.make_box(0.0, 0.0, class_name, least=40.0)
    if isinstance(graph, HiddenParentGraph):
        if n_columns <= _MAX_ARROWS:
            _lay_out_hidden_row(layout, graph)
        else:
            _lay_out_hidden_list(layout, graph)
    elif isinstance(graph, RegressionGraph):
        _lay_out_regression(layout, graph)
    else:
        _lay_out_network(layout, graph)
    return layout.shifted()


def _columns(names: Sequence[str]) -> list[str]:
    """Return labels; names with mathematics, such as $A_1$, are those of a schematic drawing."""
    return [
        name if name.startswith("$") and name.endswith("$") else plain_text(name) for name in names
    ]


def _class_to_columns(layout: Layout, keys: Sequence[Key]) -> None:
    """Add arrows from the class to a line of columns, or one arrow to a frame around columns."""
    shown = [key for key in keys if layout.boxes[key].label != ELLIPSIS]
    if len(shown) <= 2 * _MAX_ARROWS and len({layout.boxes[key].y for key in keys}) == 1:
        layout.links += [Link(CLASS, key, faint=True) for key in shown]
        return
    layout.add_frame("columns", keys)
    layout.frame_links.append(("columns", CLASS, True, "parent of every column"))


def _lay_out_network(layout: Layout, graph: NetworkGraph) -> None:
    structure, labels = graph.structure, _columns(graph.columns)
    keys: list[Key] = [("column", i) for i in range(len(labels))]
    depth = [0] * len(labels)
    for i in structure.order:
        depth[i] = max((depth[j] + 1 for j in structure.parents[i]), default=0)
    top = _LAYER
    for level in range(max(depth, default=0) + 1):
        members = [i for i in range(len(labels)) if depth[i] == level]
        if level == 0:
            alone = Layout(layout.font)
            bottom = alone.place_lines("column", [labels[i] for i in members], top)
            layout.boxes |= {("column", members[k]): box for (_, k), box in alone.boxes.items()}
        else:
            # A chain of single columns sways, so that longer edges pass beside the columns.
            sways = len(members) == 1 and max(map(len, structure.parents)) > 1
            sway = _SWAY * (-1) ** level if sways else 0.0
            bottom = _place_below(layout, members, labels, structure.parents, top, sway)
        top = bottom + _LAYER
    if structure.class_children is None:
        _class_to_columns(layout, keys)
    else:
        layout.links += [Link(CLASS, ("column", i), faint=True) for i in structure.class_children]
    layout.links += [
        Link(("column", j), ("column", i), bend=_BEND if depth[i] > depth[j] + 1 else 0.0)
        for j, i in structure.edges
    ]
    layout.links += [Link(("column", j), CLASS) for j in structure.class_parents]


def _place_below(
    layout: Layout,
    members: Sequence[int],
    labels: Sequence[str],
    parents: Sequence[Sequence[int]],
    top: float,
    sway: float,
) -> float:
    """Place columns near the mean place of their parents; return where they end."""
    wanted = {
        i: sway + sum(layout.boxes["column", j].x for j in parents[i]) / len(parents[i])
        for i in members
    }
    order = sorted(members, key=lambda i: (wanted[i], i))
    widths = {i: layout.make_box(0.0, 0.0, labels[i]).width for i in members}
    total = sum(widths.values()) + _GAP * (len(members) - 1)
    n_lines = int(-(-total // _WIDEST))
    y = top + layout.height_of_box / 2
    for k in range(n_lines):
        # Neighbours take turns, so that each line has columns from all places.
        line = order[k::n_lines]
        places: list[float] = []
        right = float("-inf")
        for i in line:
            x = max(wanted[i], right + _GAP + widths[i] / 2)
            places.append(x)
            right = x + widths[i] / 2
        # Columns that were pushed to the right are moved back by the mean distance.
        back = sum(x - wanted[i] for x, i in zip(places, line, strict=True)) / len(line)
        for x, i in zip(places, line, strict=True):
            layout.boxes["column", i] = layout.make_box(x - back, y, labels[i])
        y += layout.height_of_box + _LINE
    return y - _LINE - layout.height_of_box / 2


def _strongest(weights: Sequence[float], n: int) -> list[int]:
    order = sorted(range(len(weights)), key=lambda j: -weights[j])
    return [j for j in order[:n] if weights[j] >= _SMALLEST_WEIGHT]


def _lay_out_hidden_row(layout: Layout, graph: HiddenParentGraph) -> None:
    """Place columns in a row, and their hidden parents in a row below."""
    labels, n = _columns(graph.columns), len(graph.columns)
    short = [shorten(label, layout.font, _WIDEST_LABEL) for label in labels]
    hidden = [name if graph.weights == () else "hidden" for name in graph.hidden]
    written = [
        [f"{graph.weights[i][j]:.2f} {short[j]}" for j in _strongest(graph.weights[i], _N_WRITTEN)]
        if graph.weights
        else []
        for i in range(n)
    ]
    widths = [
        max(
            [layout.make_box(0, 0, labels[i]).width, layout.make_box(0, 0, hidden[i]).width]
            + [text_width(text, layout.font - 1) for text in written[i]]
        )
        for i in range(n)
    ]
    x = -(sum(widths) + 1.6 * _GAP * (n - 1)) / 2
    low = _LAYER + 2.2 * _LAYER if graph.weights else _LAYER + 1.2 * _LAYER
    for i in range(n):
        centre = x + widths[i] / 2
        layout.boxes["column", i] = layout.make_box(centre, _LAYER, labels[i])
        layout.boxes["hidden", i] = layout.make_box(centre, low, hidden[i])
        left = layout.boxes["hidden", i].edges[0]
        layout.texts += [
            (left, low + layout.height_of_box / 2 + (k + 0.9) * (layout.font + 1), text)
            for k, text in enumerate(written[i])
        ]
        x += widths[i] + 1.6 * _GAP
    for i, label in enumerate(labels):
        if label == ELLIPSIS:
            continue
        layout.links.append(Link(CLASS, ("column", i), faint=True))
        layout.links.append(Link(("hidden", i), ("column", i)))
        if graph.weights:
            layout.links += [
                Link(("column", j), ("hidden", i), weight=weight)
                for j, weight in enumerate(graph.weights[i])
                if weight >= _SMALLEST_WEIGHT
            ]


def _lay_out_hidden_list(layout: Layout, graph: HiddenParentGraph) -> None:
    """Place columns in a list on the left, and columns with hidden parents in a second list."""
    labels, n = _columns(graph.columns), len(graph.columns)
    boxes = [layout.make_box(0.0, 0.0, label) for label in labels]
    widest, step = max(box.width for box in boxes), layout.height_of_box + 4
    height, hidden_x, right_x = layout.height_of_box, widest + 160.0, widest + 205.0
    for i, box in enumerate(boxes):
        y = 1.5 * _LAYER + i * step
        layout.boxes["source", i] = Box(widest / 2, y, widest, height, box.label)
        layout.boxes["hidden", i] = Box(hidden_x, y, 14.0, height * 0.7, "")
        layout.boxes["column", i] = Box(right_x + widest / 2, y, widest, height, box.label)
        written = ", ".join(
            f"{boxes[j].label} {graph.weights[i][j]:.2f}"
            for j in _strongest(graph.weights[i], _N_WRITTEN)
        )
        if written:
            layout.texts.append((right_x + widest + 18.0, y, written))
        layout.links.append(Link(("hidden", i), ("column", i)))
    class_box = layout.boxes[CLASS]
    layout.boxes[CLASS] = layout.make_box(right_x + widest / 2, 0.0, class_box.label, least=40.0)
    layout.add_frame("columns", [("column", i) for i in range(n)])
    layout.frame_links.append(("columns", CLASS, True, "parent of every column"))
    drawn = [
        Link(("source", j), ("hidden", i), weight=row[j])
        for i, row in enumerate(graph.weights)
        for j in _strongest(row, _N_DRAWN)
    ]
    # The widest edges are drawn last, above the others.
    layout.links += sorted(drawn, key=lambda link: link.weight or 0.0)
    n_all = sum(weight > 0 for row in graph.weights for weight in row)
    if n_all > len(drawn):
        layout.notes.append(
            f"{len(drawn)} of {n_all} weights are drawn: the {_N_DRAWN} largest of each column. "
            f"The text has the {_N_WRITTEN} largest."
        )


def _lay_out_regression(layout: Layout, graph: RegressionGraph) -> None:
    labels, meta = _columns(graph.columns), _columns(graph.meta_features)
    top = 1.3 * _LAYER
    columns: list[Key] = [("column", i) for i in range(len(labels))]
    metas: list[Key] = [("meta", k) for k in range(len(meta))]
    if meta:
        bottom = layout.place_lines("meta", meta, top)
        y = bottom + 0.9 * _LAYER
        layout.boxes["model", 0] = layout.make_box(0.0, y, graph.first)
        top = y + layout.height_of_box / 2 + 0.9 * _LAYER
    layout.place_lines("column", labels, top)
    inside = metas + (columns if graph.passes_columns else [])
    inside += [("model", 0)] if meta and graph.passes_columns else []
    # The frame of the columns is inside this one.
    space = 2 * _FRAME if meta and graph.passes_columns else _FRAME
    layout.add_frame("inputs", inside, dashed=True, space=space)
    shown = [key for key in inside if key[0] != "model" and layout.boxes[key].label != ELLIPSIS]
    if meta or len(shown) > _MAX_ARROWS:
        layout.frame_links.append(("inputs", CLASS, False, graph.final))
    else:
        layout.links += [Link(key, CLASS) for key in shown]
    if meta:
        layout.add_frame("columns", columns)
        layout.frame_links.append(("columns", ("model", 0), False, ""))
        layout.links += [
            Link(("model", 0), key) for key in metas if layout.boxes[key].label != ELLIPSIS
        ]


__all__ = ["CLASS", "ELLIPSIS", "Box", "Frame", "Key", "Layout", "Link", "lay_out"]
