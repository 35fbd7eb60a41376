"""Plain-text tables with aligned columns."""

from collections.abc import Collection, Sequence
from unicodedata import combining, east_asian_width


def align_columns(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, left: Collection[int] = (0,)
) -> str:
    """Return a plain-text table.

    The columns whose indices are in `left` are aligned to the left, the others to the right.

    Examples
    --------
    >>> print(align_columns(["set", "rows"], [["iris", "150"], ["labor", "57"]]))
    set    rows
    -----  ----
    iris    150
    labor    57
    """
    widths = [max(map(text_cells, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True)):
            space = " " * (width - text_cells(cell))
            padded.append(cell + space if number in left else space + cell)
        return "  ".join(padded).rstrip()

    rule = ["-" * width for width in widths]
    return "\n".join(line(cells) for cells in (header, rule, *rows))


def text_cells(text: str) -> int:
    """Return the number of cells that a text takes in a terminal.

    Chinese, Japanese and Korean characters take two cells, accents that follow a letter none.

    >>> text_cells("weight"), text_cells("体重")
    (6, 4)
    """
    return sum(
        0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in text
    )


def count_text(number: int, one: str, many: str = "") -> str:
    """Return a number and its noun; the plural is that with an "s" unless it is given.

    >>> count_text(1, "row"), count_text(2, "row"), count_text(0, "class", "classes")
    ('1 row', '2 rows', '0 classes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"


def shorten_text(text: str, width: int) -> str:
    """Return a text as one line, or its two ends around an ellipsis if it is wider than `width`.

    >>> shorten_text("sepal length in centimetres", 12)
    'sepal…metres'
    """
    text = " ".join(text.split())
    shown, kept = text, len(text)
    while kept > 2 and text_cells(shown) > width:
        kept -= 1
        shown = f"{text[: (kept - 1) // 2].rstrip()}…{text[len(text) - kept // 2 :].lstrip()}"
    return shown


__all__ = ["align_columns", "count_text", "shorten_text", "text_cells"]
