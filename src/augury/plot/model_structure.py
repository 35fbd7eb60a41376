"""Structure of a fitted model: its class, its columns, and what depends on what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from augury.explain.model_graph import ModelGraph, graph_model
from augury.optional import import_extra
from augury.plot.canvas import plain_text, use_points
from augury.plot.class_styles import FAINT_INK, INK, color_of, light
from augury.plot.display import Display
from augury.plot.layout import Box, Frame, Key, Layout, Link
from augury.plot.structure_layout import CLASS, ELLIPSIS, lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import FancyArrowPatch, Patch
    from matplotlib.text import Text

_COLORS = {
    "class": light(color_of(4), 0.35),
    "column": light(color_of(0), 0.15),
    "source": light(color_of(0), 0.15),
    "hidden": light("#57606a", 0.2),
    "meta": light(color_of(2), 0.25),
    "model": (1.0, 1.0, 1.0),
}
_WIDEST_EDGE, _FULL_WIDTH = 4.5, 0.3


class StructureDisplay(Display):
    """Structure of a model: naive Bayes, hidden naive Bayes, networks, regressions, hybrids.

    An arrow goes from a parent to its child. The class is a parent of the columns in a
    generative model. In a discriminative model the class depends on the columns, and a dashed
    frame around them means that nothing is assumed about them. Hidden naive Bayes has a hidden
    parent for each column; the width of an edge from another column to it is proportional to its
    weight W_ij, and the largest weights are written beside it. A hybrid has the meta-features
    that its first model computes from the columns.

    With many columns one arrow to a frame replaces the arrows between the class and each
    column, and small weights are left out; a line below the drawing says so.

    Parameters
    ----------
    graph : NetworkGraph, HiddenParentGraph or RegressionGraph
        See `augury.explain.model_graph`.
    class_name : str
        Label of the class.

    Attributes
    ----------
    layout_ : Layout
        Places in points, see `augury.plot.layout`.
    nodes_ : dict from (kind, index) to matplotlib Text
        Kinds are class, column, hidden, meta, model, and source for the first of two lists.
    edges_ : dict from (source, target) to matplotlib FancyArrowPatch
    frames_ : dict from name to matplotlib Patch
        "columns" and "inputs".
    frame_edges_ : dict from (name of a frame, node) to matplotlib FancyArrowPatch
    notes_ : list of matplotlib Text
        What is left out.
    ax_, figure_ : see `Display`

    Examples
    --------
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "rain"], "wind": ["weak", "strong"]})
    >>> display = StructureDisplay.from_estimator(NaiveBayes().fit(X, ["out", "in"]))
    >>> [text.get_text() for text in display.nodes_.values()]
    ['class', 'sky', 'wind']
    >>> list(display.edges_)
    [(('class', 0), ('column', 0)), (('class', 0), ('column', 1))]
    """

    layout_: Layout
    nodes_: dict[Key, Text]
    edges_: dict[tuple[Key, Key], FancyArrowPatch]
    frames_: dict[str, Patch]
    frame_edges_: dict[tuple[str, Key], FancyArrowPatch]
    notes_: list[Text]

    def __init__(self, graph: ModelGraph, *, class_name: str = "class") -> None:
        self.graph = graph
        self.class_name = class_name

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, class_name: str = "class", ax: Axes | None = None
    ) -> Self:
        """Draw the structure of a fitted model; Pipelines and searches are opened.

        Parameters
        ----------
        estimator : fitted classifier
            A naive Bayes, a hidden naive Bayes, a network, a linear discriminative model or an
            `AugmentedClassifier`.
        class_name : str, default="class"
            Label of the class.
        ax : matplotlib Axes, default=None
            By default new axes, as large as the drawing needs.

        Raises
        ------
        PictureError
            If the model has no such structure.
        """
        return cls(graph_model(estimator), class_name=plain_text(class_name)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the structure; see `from_estimator`."""
        self.layout_ = layout = lay_out(self.graph, self.class_name)
        width, height = layout.size()
        is_new = ax is None
        ax = self._open_axes(ax, size=(width / 72, height / 72))
        scale = use_points(ax, width, height, is_new=is_new)
        self._patches = import_extra("matplotlib.patches", extra="plot", purpose="a picture")
        self.frames_ = {
            name: self._draw_frame(ax, frame, scale) for name, frame in layout.frames.items()
        }
        boxes = {key: self._draw_box(ax, key, box, scale) for key, box in layout.boxes.items()}
        self.nodes_ = {
            key: ax.text(
                box.x,
                box.y,
                box.label,
                fontsize=layout.font * scale,
                color=INK,
                ha="center",
                va="center",
                zorder=4,
            )
            for key, box in layout.boxes.items()
        }
        weights = [link.weight for link in layout.links if link.weight is not None]
        # Weights that are all small are thin edges.
        self._largest_weight = max([_FULL_WIDTH, *weights])
        self.edges_ = {
            (link.source, link.target): self._draw_link(ax, link, boxes, scale)
            for link in layout.links
        }
        self.frame_edges_ = {
            (name, key): self._draw_frame_link(ax, name, key, inwards, text, scale)
            for name, key, inwards, text in layout.frame_links
        }
        small = (layout.font - 1) * scale
        for x, y, text in layout.texts:
            ax.text(x, y, text, fontsize=small, color=FAINT_INK, va="center", zorder=4)
        self.notes_ = [
            ax.text(
                14.0, height - 8.0 - (layout.font + 4) * k, note, fontsize=small, color=FAINT_INK
            )
            for k, note in enumerate(reversed(layout.notes))
        ]
        return self

    def _draw_frame(self, ax: Axes, frame: Frame, scale: float) -> Patch:
        return ax.add_patch(
            self._patches.FancyBboxPatch(
                (frame.left, frame.top),
                frame.right - frame.left,
                frame.bottom - frame.top,
                boxstyle="round,pad=0,rounding_size=6",
                facecolor="none",
                edgecolor=FAINT_INK if frame.dashed else "#b6bec7",
                linestyle=(0, (5, 3)) if frame.dashed else "-",
                linewidth=1.1 * scale,
                zorder=1,
            )
        )

    def _draw_box(self, ax: Axes, key: Key, box: Box, scale: float) -> Patch:
        left, top, _, _ = box.edges
        style = "round,pad=0,rounding_size=5" if key[0] != "model" else "square,pad=0"
        patch = self._patches.FancyBboxPatch(
            (left, top),
            box.width,
            box.height,
            boxstyle=style,
            facecolor=_COLORS[key[0]],
            edgecolor=FAINT_INK,
            linewidth=(1.6 if key == CLASS else 0.9) * scale,
            zorder=3,
            visible=box.label != ELLIPSIS,
        )
        return ax.add_patch(patch)

    def _draw_link(
        self, ax: Axes, link: Link, boxes: dict[Key, Patch], scale: float
    ) -> FancyArrowPatch:
        a, b = self.layout_.boxes[link.source], self.layout_.boxes[link.target]
        ends = {"posA": (a.x, a.y), "posB": (b.x, b.y)}
        clip: dict[str, Any] = {"patchA": boxes[link.source], "patchB": boxes[link.target]}
        style: dict[str, Any] = {
            "arrowstyle": "-|>",
            "linewidth": scale,
            "color": "#9aa4af" if link.faint else INK,
        }
        if link.weight is not None:
            share = link.weight / self._largest_weight
            style = {
                "arrowstyle": "-",
                "linewidth": max(0.3, _WIDEST_EDGE * share) * scale,
                "color": color_of(0),
                "alpha": 0.3 + 0.7 * share,
            }
        if link.source[0] == "source":  # two lists side by side
            ends, clip = {"posA": (a.edges[2], a.y), "posB": (b.edges[0], b.y)}, {}
        arrow: FancyArrowPatch = self._patches.FancyArrowPatch(
            **ends,
            **clip,
            **style,
            mutation_scale=9 * scale,
            connectionstyle=f"arc3,rad={link.bend}",
            shrinkA=1,
            shrinkB=1,
            zorder=2,
        )
        ax.add_patch(arrow)
        return arrow

    def _draw_frame_link(
        self, ax: Axes, name: str, key: Key, inwards: bool, text: str, scale: float
    ) -> FancyArrowPatch:
        """Draw an arrow between a frame and a node above it."""
        frame, box = self.layout_.frames[name], self.layout_.boxes[key]
        ends = [(box.x, box.edges[3]), (box.x, frame.top)]
        if not inwards:
            ends.reverse()
        if text:
            middle = (box.edges[3] + frame.top) / 2
            ax.text(
                box.x + 6,
                middle,
                text,
                fontsize=(self.layout_.font - 1) * scale,
                color=FAINT_INK,
                va="center",
                zorder=4,
            )
        arrow: FancyArrowPatch = self._patches.FancyArrowPatch(
            *ends,
            arrowstyle="-|>",
            mutation_scale=11 * scale,
            linewidth=1.6 * scale,
            color=INK,
            shrinkA=1,
            shrinkB=1,
            zorder=2,
        )
        ax.add_patch(arrow)
        return arrow


__all__ = ["StructureDisplay"]
