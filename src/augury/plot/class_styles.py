"""Colours and markers of classes and of models."""

from __future__ import annotations

# Okabe and Ito's colours, which readers with and without colour blindness can distinguish, and a
# dark purple instead of their light yellow.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#8B1A5C", "#E69F00", "#56B4E9", "#CC79A7", "#222222")
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*", "<", ">", "p")
DASHES = ("-", "--", "-.", ":")

INK = "#1f2328"
FAINT_INK = "#57606a"
GRID = "#e4e7eb"


def color_of(k: int) -> str:
    """Return the colour of the k-th class; colours repeat after eight."""
    return COLORS[k % len(COLORS)]


def marker_of(k: int) -> str:
    """Return the marker of the k-th class; markers repeat after eleven.

    Colour and marker together repeat after 88 classes.
    """
    return MARKERS[k % len(MARKERS)]


def dashes_of(k: int) -> str:
    """Return the dashes of the k-th line; they repeat after four."""
    return DASHES[k % len(DASHES)]


def light(color: str, share: float = 0.2) -> tuple[float, float, float]:
    """Return a mixture of a colour with white: `share` of the colour.

    >>> light("#000000", 0.25)
    (0.75, 0.75, 0.75)
    """
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (1.0 - share * (1.0 - part) for part in parts)
    return red, green, blue


__all__ = ["FAINT_INK", "GRID", "INK", "color_of", "dashes_of", "light", "marker_of"]
