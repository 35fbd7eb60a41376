"""Elements of SVG drawings: escaped text, tooltips, widths of text."""

import re
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
# Font size, and the mean width of a letter as a share of the font size.
TEXT_SIZE, LETTER = 12.5, 0.56
# Minimum vertical distance of names.
LINE_GAP = 17.0


def open_svg(width: float, height: float, title: str, description: str) -> list[str]:
    """Return the start of a drawing, with a title and a description for screen readers."""
    return [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" font-family="{FONT}" '
            f'font-size="{TEXT_SIZE:g}">'
        ),
        f"<title>{escape_xml(title)}</title>",
        f"<desc>{escape_xml(description)}</desc>",
    ]


def draw_text(x: float, y: float, text: str, style: str = "", *, fill: str, tip: str = "") -> str:
    """Return a text element at a position; `tip` is an element inside it."""
    style = f" {style}" if style else ""
    return f'<text x="{x:.2f}" y="{y:.2f}" fill="{fill}"{style}>{escape_xml(text)}{tip}</text>'


def draw_tip(text: str) -> str:
    """Return the tooltip of an element."""
    return f"<title>{escape_xml(text)}</title>"


def escape_xml(text: str) -> str:
    """Return a text that is escaped for XML elements and attributes."""
    # XML cannot contain control characters and unpaired surrogates.
    return escape(re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def text_width(text: str) -> float:
    """Return the approximate width of a text."""
    # Letters of East Asian scripts are as wide as they are high.
    return TEXT_SIZE * sum(LETTER if ord(letter) < 0x1100 else 1.0 for letter in text)


def widest(texts: list[str]) -> float:
    """Return the width of the widest text."""
    return max(map(text_width, texts))


def shorten(text: str, width: float) -> str:
    """Return a text that is cut to this width.

    Examples
    --------
    >>> shorten("naive Bayes", 60.0)
    'naive…'
    """
    if text_width(text) <= width:
        return text
    while text and text_width(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def spread(wanted: list[float], first: float, last: float, gap: float = LINE_GAP) -> list[float]:
    """Move sorted positions apart to the minimum distance, between `first` and `last`.

    Examples
    --------
    >>> spread([0.0, 1.0, 50.0], 0.0, 60.0)
    [0.0, 17.0, 50.0]
    """
    gap = min(gap, (last - first) / max(len(wanted) - 1, 1))
    places = list(wanted)
    for k, _ in enumerate(places):
        places[k] = max(places[k], places[k - 1] + gap if k else first)
    for k in reversed(range(len(places))):
        places[k] = min(places[k], places[k + 1] - gap if k + 1 < len(places) else last)
    return places
