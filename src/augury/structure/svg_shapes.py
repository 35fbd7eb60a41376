"""Boxes and arrows of the SVG drawings of structures."""

from html import escape

# Left edge, upper edge and width of a box.
Box = tuple[float, float, float]

BOX_HEIGHT = 28.0
GAP = 18.0
MARGIN = 20.0
WIDEST = 900.0
CLASS_FILL, COLUMN_FILL, MODEL_FILL = "#fdf3d8", "#eef4fb", "#e9f5ea"
_LETTER = 7.5


def box_width(text: str) -> float:
    """Return the width of a box with this text."""
    return len(text) * _LETTER + 18.0


def open_drawing(width: float, height: float, label: str) -> list[str]:
    """Return the first elements of a drawing, with the head of arrows."""
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="13" '
            f'role="img" aria-label="{escape(label)}">'
        ),
        (
            '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#357"/></marker></defs>'
        ),
    ]


def draw_box(box: Box, lines: list[str], fill: str) -> str:
    """Return a box with lines of text."""
    x, y, width = box
    height = box_height(len(lines))
    texts = "".join(
        f'<text x="{x + width / 2:.1f}" y="{y + 18.5 + 18 * k:.1f}" '
        f'text-anchor="middle" fill="#123">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.0f}" rx="6" '
        f'fill="{fill}" stroke="#357"/>{texts}'
    )


def box_height(n_lines: int) -> float:
    """Return the height of a box with this number of lines."""
    return BOX_HEIGHT + 18 * (max(n_lines, 1) - 1)


def draw_curve(
    x1: float, y1: float, x2: float, y2: float, colour: str = "#357", *, dashed: bool = False
) -> str:
    """Return a vertical curve; it ends in an arrow, unless it is dashed."""
    style = 'stroke-dasharray="4 4"' if dashed else 'marker-end="url(#head)"'
    middle = (y1 + y2) / 2
    return (
        f'<path d="M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} '
        f'{x2:.1f} {y2:.1f}" fill="none" stroke="{colour}" {style}/>'
    )


def shorten(text: str, longest: int = 32) -> str:
    """Return the text, or its beginning and an ellipsis.

    >>> shorten("petal length", 6)
    'petal…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def quote(text: str) -> str:
    """Return text in quotation marks, in the language of Graphviz."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
