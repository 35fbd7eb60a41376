"""Places of the nodes, edges and frames of a model's graph, in points."""

from __future__ import annotations

from collections.abc import Sequence

from augury.explain.model_graph import (
    HiddenParentGraph,
    ModelGraph,
    NetworkGraph,
    RegressionGraph,
)
from augury.plot.canvas import plain_text, shorten, text_width
from augury.plot.layout import (
    FRAME,
    GAP,
    LINE,
    WIDEST_LABEL,
    WIDEST_LINE,
    Box,
    Key,
    Layout,
    Link,
)

_LAYER = 46.0
# With more columns, one arrow to a frame replaces the arrows between the class and each column.
_MAX_ARROWS = 8
# Weights that are written beside a hidden parent, and those that are drawn in a list.
_N_WRITTEN, _N_DRAWN = 3, 2
_SMALLEST_WEIGHT = 0.005  # smaller ones are 0.00 as text
ELLIPSIS = "…"
_BEND, _SWAY = 0.18, 60.0

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
    total = sum(widths.values()) + GAP * (len(members) - 1)
    n_lines = int(-(-total // WIDEST_LINE))
    y = top + layout.height_of_box / 2
    for k in range(n_lines):
        # Neighbours take turns, so that each line has columns from all places.
        line = order[k::n_lines]
        places: list[float] = []
        right = float("-inf")
        for i in line:
            x = max(wanted[i], right + GAP + widths[i] / 2)
            places.append(x)
            right = x + widths[i] / 2
        # Columns that were pushed to the right are moved back by the mean distance.
        back = sum(x - wanted[i] for x, i in zip(places, line, strict=True)) / len(line)
        for x, i in zip(places, line, strict=True):
            layout.boxes["column", i] = layout.make_box(x - back, y, labels[i])
        y += layout.height_of_box + LINE
    return y - LINE - layout.height_of_box / 2


def _strongest(weights: Sequence[float], n: int) -> list[int]:
    order = sorted(range(len(weights)), key=lambda j: -weights[j])
    return [j for j in order[:n] if weights[j] >= _SMALLEST_WEIGHT]


def _lay_out_hidden_row(layout: Layout, graph: HiddenParentGraph) -> None:
    """Place columns in a row, and their hidden parents in a row below."""
    labels, n = _columns(graph.columns), len(graph.columns)
    short = [shorten(label, layout.font, WIDEST_LABEL) for label in labels]
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
    x = -(sum(widths) + 1.6 * GAP * (n - 1)) / 2
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
        x += widths[i] + 1.6 * GAP
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
    space = 2 * FRAME if meta and graph.passes_columns else FRAME
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


__all__ = ["CLASS", "ELLIPSIS", "lay_out"]
