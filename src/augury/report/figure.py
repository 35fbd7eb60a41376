"""A figure of the page: its drawings, its text and its table."""

from dataclasses import dataclass

from markupsafe import Markup

# Each figure is drawn twice, because text that shrinks with its figure cannot be read on a phone.
WIDE, NARROW = 860.0, 350.0


@dataclass(frozen=True, slots=True)
class FigureTable:
    """A table that the reader can open below a figure; `is_open` shows it at once."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the page.

    Attributes
    ----------
    title : str
        Title; empty if the heading above the figure says it.
    text : str
        Caption. If there is no drawing, it says why, or explains the table.
    wide, narrow : Markup or None
        Drawings for wide and for narrow screens.
    measure : str
        Key of the measure; the page shows only the figures of the chosen measure. Empty for
        figures that are always shown.
    choice : str
        Name by which the reader chooses figures of a section; empty for figures that are always
        shown.
    table : FigureTable or None
        Numbers below the figure.
    """

    title: str
    text: str
    wide: Markup | None = None
    narrow: Markup | None = None
    measure: str = ""
    choice: str = ""
    table: FigureTable | None = None


def as_markup(svg: str) -> Markup:
    """Return a drawing of `augury.report` as markup."""
    return Markup(svg)  # noqa: S704 - drawn here, with every name escaped


__all__ = ["NARROW", "WIDE", "Figure", "FigureTable", "as_markup"]
