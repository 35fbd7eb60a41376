"""Drawings of a decision tree, for Graphviz or in SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from augury.discriminative.c45.node import TreeNode

_LETTER, _HEIGHT, _LINE, _GAP, _MARGIN = 7.0, 24.0, 32.0, 34.0, 16.0


@dataclass(frozen=True)
class DrawnTree:
    """A tree with the names of the classes, ready to be drawn."""

    root: TreeNode
    class_names: Sequence[str]

    def to_text(self) -> str:
        """Return the tree as J48 prints it."""
        return self.root.to_text(self.class_names)

    def to_dot(self) -> str:
        """Return the tree in Graphviz's language."""
        return to_dot(self.root, self.class_names)

    def to_svg(self) -> str:
        """Return the tree as SVG."""
        return to_svg(self.root, self.class_names)


def to_dot(root: TreeNode, class_names: Sequence[str]) -> str:
    """Return the tree in Graphviz's language; leaves are boxes."""
    nodes = list(root.walk())
    number = {id(node): k for k, node in enumerate(nodes)}
    lines = ["digraph tree {"]
    for k, node in enumerate(nodes):
        shape = ", shape=box, style=filled" if node.is_leaf else ""
        lines.append(f"  n{k} [label={_quote(_node_text(node, class_names))}{shape}];")
        for condition, branch in zip(node.conditions, node.branches, strict=True):
            label = _quote(_branch_text(node, condition))
            lines.append(f"  n{k} -> n{number[id(branch)]} [label={label}];")
    return "\n".join([*lines, "}"])


def to_svg(root: TreeNode, class_names: Sequence[str]) -> str:
    """Return the tree as SVG, with the root at the left and one line for each leaf."""
    depth = _depths(root)
    y = _heights(root)
    texts = {id(node): _node_text(node, class_names) for node in root.walk()}
    left, width = _columns(root, depth, texts)
    right = max(left[depth[key]] + _width(text) for key, text in texts.items())
    bottom = max(y.values()) + _HEIGHT + _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + _MARGIN:.0f} {bottom:.0f}" '
        f'width="{right + _MARGIN:.0f}" height="{bottom:.0f}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="Decision tree of {len(y)} nodes">'
    )
    parts = [head]
    for node in root.walk():
        here = depth[id(node)]
        x, middle = left[here], y[id(node)] + _HEIGHT / 2
        for condition, branch in zip(node.conditions, node.branches, strict=True):
            end_y = y[id(branch)] + _HEIGHT / 2
            parts.append(
                _edge(x + _width(texts[id(node)]), middle, left[here] + width[here], end_y)
                + _label(left[here + 1] - 6, end_y, _branch_text(node, condition))
                + f'<path d="M{left[here] + width[here]:.1f} {end_y:.1f}H{left[here + 1]:.1f}" '
                'stroke="#bbb"/>'
            )
        parts.append(_box(x, y[id(node)], texts[id(node)], leaf=node.is_leaf))
    return "\n".join([*parts, "</svg>"])


def _node_text(node: TreeNode, class_names: Sequence[str]) -> str:
    return node.leaf_text(class_names) if node.column is None else node.column.name


def _branch_text(node: TreeNode, condition: str) -> str:
    name = "" if node.column is None else node.column.name
    return condition.removeprefix(f"{name} ")


def _width(text: str) -> float:
    return len(text) * _LETTER + 14.0


def _depths(root: TreeNode) -> dict[int, int]:
    depth = {id(root): 0}
    for node in root.walk():
        depth.update({id(branch): depth[id(node)] + 1 for branch in node.branches})
    return depth


def _heights(root: TreeNode) -> dict[int, float]:
    """Return the height of each node; inner nodes are in the middle of their branches."""
    nodes = list(root.walk())
    y: dict[int, float] = {}
    leaves = [node for node in nodes if node.is_leaf]
    y.update({id(leaf): _MARGIN + k * _LINE for k, leaf in enumerate(leaves)})
    for node in reversed(nodes):
        if not node.is_leaf:
            y[id(node)] = (y[id(node.branches[0])] + y[id(node.branches[-1])]) / 2
    return y


def _columns(
    root: TreeNode, depth: dict[int, int], texts: dict[int, str]
) -> tuple[list[float], list[float]]:
    """Return the left end of the nodes of each depth, and the distance to the edge labels."""
    n_depths = max(depth.values()) + 1
    nodes, labels = [0.0] * n_depths, [0.0] * n_depths
    for node in root.walk():
        here = depth[id(node)]
        nodes[here] = max(nodes[here], _width(texts[id(node)]))
        for condition in node.conditions:
            labels[here] = max(labels[here], _width(_branch_text(node, condition)))
    left = [_MARGIN]
    for here in range(n_depths - 1):
        left.append(left[-1] + nodes[here] + _GAP + labels[here])
    return left, [width + _GAP for width in nodes]


def _edge(x1: float, y1: float, x2: float, y2: float) -> str:
    middle = x2 - _GAP / 2
    return (
        f'<path d="M{x1:.1f} {y1:.1f}H{x2 - _GAP:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} '
        f'{y2:.1f} {x2:.1f} {y2:.1f}" fill="none" stroke="#bbb"/>'
    )


def _label(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y - 4:.1f}" text-anchor="end" fill="#567" '
        f'font-size="11">{escape(text)}</text>'
    )


def _box(x: float, y: float, text: str, *, leaf: bool) -> str:
    fill, radius = ("#fdf3d8", 2) if leaf else ("#eef4fb", 8)
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{_width(text):.1f}" height="{_HEIGHT:.0f}" '
        f'rx="{radius}" fill="{fill}" stroke="#357"/><text x="{x + _width(text) / 2:.1f}" '
        f'y="{y + 16:.1f}" text-anchor="middle" fill="#123">{escape(text)}</text>'
    )


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
