"""Drawings of models that consist of other models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from augury.structure.svg_shapes import (
    CLASS_FILL,
    COLUMN_FILL,
    GAP,
    MARGIN,
    MODEL_FILL,
    box_height,
    box_width,
    draw_box,
    draw_curve,
    open_drawing,
    quote,
    shorten,
)

_FILLS = {"columns": COLUMN_FILL, "meta-features": COLUMN_FILL, "model": MODEL_FILL,
          "class": CLASS_FILL}  # fmt: skip
_BETWEEN = 46.0
_LONGEST_LINE = 40
_MOST_LINES = 4


@dataclass(frozen=True)
class FlowNode:
    """Columns, meta-features, a model or the class.

    Parameters
    ----------
    kind : {"columns", "meta-features", "model", "class"}
    names : the names of the columns, or the name of the model
    inputs : the nodes whose output it gets
    """

    kind: str
    names: tuple[str, ...]
    inputs: tuple[FlowNode, ...] = ()

    @property
    def depth(self) -> int:
        """Length of the longest way from a node without inputs."""
        return 1 + max((node.depth for node in self.inputs), default=-1)


@dataclass(frozen=True)
class ModelFlow:
    """Which columns each model gets, and which model decides.

    Parameters
    ----------
    nodes : the nodes, each after its inputs
    label : description of the drawing

    Examples
    --------
    >>> columns = FlowNode("columns", ("sky", "wind"))
    >>> model = FlowNode("model", ("NaiveBayes",), (columns,))
    >>> flow = ModelFlow((columns, model, FlowNode("class", ("class",), (model,))), "One model")
    >>> print(flow.to_text())
    NaiveBayes  | sky, wind
    class       | NaiveBayes
    """

    nodes: tuple[FlowNode, ...]
    label: str
    _number: dict[int, int] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._number.update({id(node): k for k, node in enumerate(self.nodes)})

    def to_text(self) -> str:
        """Return a line for each node with inputs."""
        lines = [
            (", ".join(node.names), ", ".join(n for given in node.inputs for n in given.names))
            for node in self.nodes
            if node.inputs
        ]
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:<{width}}  | {inputs}" for name, inputs in lines)

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz; models are boxes."""
        lines = ["digraph models {"]
        for k, node in enumerate(self.nodes):
            shape = {"model": "box", "class": "doublecircle"}.get(node.kind, "note")
            label = quote("\n".join(_wrap(node.names)))
            lines.append(f"  n{k} [label={label}, shape={shape}];")
            lines += [f"  n{self._number[id(given)]} -> n{k};" for given in node.inputs]
        return "\n".join([*lines, "}"])

    def to_svg(self) -> str:
        """Return an SVG; every node is below its inputs."""
        lines = [_wrap(node.names) for node in self.nodes]
        widths = [max(map(box_width, own)) for own in lines]
        layers: dict[int, list[int]] = {}
        for k, node in enumerate(self.nodes):
            layers.setdefault(node.depth, []).append(k)
        total = max(sum(widths[k] + GAP for k in layer) - GAP for layer in layers.values())
        boxes: dict[int, tuple[float, float, float]] = {}
        y = MARGIN
        for depth in sorted(layers):
            layer = layers[depth]
            x = MARGIN + (total - sum(widths[k] + GAP for k in layer) + GAP) / 2
            for k in layer:
                boxes[k] = (x, y, widths[k])
                x += widths[k] + GAP
            y += max(box_height(len(lines[k])) for k in layer) + _BETWEEN
        parts = open_drawing(total + 2 * MARGIN + self._detour, y - _BETWEEN + MARGIN, self.label)
        for k, node in enumerate(self.nodes):
            parts += [self._edge(boxes, lines, self._number[id(g)], k, total) for g in node.inputs]
        parts += [
            draw_box(boxes[k], lines[k], _FILLS[node.kind]) for k, node in enumerate(self.nodes)
        ]
        return "\n".join([*parts, "</svg>"])

    @property
    def _detour(self) -> float:
        """Width at the right of all boxes, for edges that pass by a layer."""
        passes = any(node.depth - g.depth > 1 for node in self.nodes for g in node.inputs)
        return 40.0 if passes else 0.0

    def _edge(
        self,
        boxes: dict[int, tuple[float, float, float]],
        lines: Sequence[Sequence[str]],
        start: int,
        end: int,
        total: float,
    ) -> str:
        (x1, y1, w1), (x2, y2, w2) = boxes[start], boxes[end]
        bottom = y1 + box_height(len(lines[start]))
        if self.nodes[end].depth - self.nodes[start].depth == 1:
            return draw_curve(x1 + w1 / 2, bottom, x2 + w2 / 2, y2)
        # At the right of the boxes between them.
        side = MARGIN + total + 24.0
        from_y, to_y = (y1 + bottom) / 2, y2 + box_height(len(lines[end])) / 2
        return (
            f'<path d="M{x1 + w1:.1f} {from_y:.1f}H{side - 8:.1f}Q{side:.1f} {from_y:.1f} '
            f"{side:.1f} {from_y + 8:.1f}V{to_y - 8:.1f}Q{side:.1f} {to_y:.1f} "
            f'{side - 8:.1f} {to_y:.1f}H{x2 + w2:.1f}" fill="none" stroke="#357" '
            'marker-end="url(#head)"/>'
        )


def _wrap(names: Sequence[str]) -> list[str]:
    """Return names in lines; names that do not fit in the last line are counted.

    >>> _wrap(["sky", "wind"])
    ['sky, wind']
    >>> _wrap([f"column {k}" for k in range(30)])[-1]
    'and 15 more'
    """
    if not names:
        return ["no columns"]
    lines = [""]
    for k, name in enumerate(map(shorten, names)):
        longer = f"{lines[-1]}, {name}" if lines[-1] else name
        if len(longer) <= _LONGEST_LINE:
            lines[-1] = longer
            continue
        if len(lines) == _MOST_LINES:
            return [*lines, f"and {len(names) - k} more"]
        lines[-1] += ","
        lines.append(name)
    return lines


__all__ = ["FlowNode", "ModelFlow"]
