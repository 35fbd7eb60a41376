"""Axes without ticks whose coordinates are typographic points, and widths of text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from augury.optional import import_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@lru_cache(maxsize=4096)
def text_width(text: str, size: float) -> float:
    """Return the width of a text in points.

    >>> 20 < text_width("nomogram", 8.0) < 60 and text_width("", 8.0) == 0.0
    True
    """
    if not text.strip():
        return 0.0
    paths = import_extra("matplotlib.textpath", extra="plot", purpose="a picture")
    return float(paths.TextPath((0, 0), text, size=size).get_extents().x1)


def shorten(text: str, size: float, width: float) -> str:
    """Return the text, or its two ends around an ellipsis if it is wider than `width` points.

    The ends are kept because long names often differ at the end.

    >>> shorten("sepal length in centimetres", 10.0, 70.0)
    'sepal…etres'
    """
    kept = len(text)
    shown = text
    while kept > 2 and text_width(shown, size) > width:
        kept -= 1
        first = text[: (kept + 1) // 2 - 1].rstrip()
        shown = f"{first}…{text[len(text) - kept // 2 :].lstrip()}"
    return shown


def plain_text(text: object) -> str:
    r"""Return a name or label as one line that matplotlib does not read as mathematics.

    >>> plain_text("from $1 to $2")
    'from \\$1 to \\$2'
    """
    return " ".join(str(text).split()).replace("$", r"\$")


def use_points(ax: Axes, width: float, height: float, *, is_new: bool) -> float:
    """Give the axes coordinates from 0 to `width` and, downwards, 0 to `height`.

    Returns
    -------
    float
        Size of a coordinate unit in points. It is 1 for the axes of a new figure of this size.
        Sizes of text are multiplied by it.
    """
    ax.set_axis_off()
    figure = ax.get_figure(root=True)
    assert figure is not None, "the axes are not part of a figure"
    if is_new:
        figure.set_layout_engine("none")
        ax.set_position((0.0, 0.0, 1.0, 1.0))
        scale = 1.0
    else:
        figure.draw_without_rendering()  # a layout engine places the axes
        space = ax.get_window_extent()
        scale = min(space.width / width, space.height / height) * 72 / figure.dpi
    ax.set_xlim(0.0, width)
    ax.set_ylim(height, 0.0)
    ax.set_aspect("equal")
    return scale


__all__ = ["plain_text", "shorten", "text_width", "use_points"]
