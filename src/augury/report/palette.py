"""Colours of drawings in files and on the page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """Colours of a drawing.

    Parameters
    ----------
    ink, faint_ink : str
        Colours of names and titles, and of numbers and labels of axes.
    grid, axis : str
        Colours of grid lines and of axes.
    ground, border : str
        Colours of the background and of the border.
    series : tuple of str
        Colours of lines and dots; they repeat.
    """

    ink: str
    faint_ink: str
    grid: str
    axis: str
    ground: str
    border: str
    series: tuple[str, ...]

    def of(self, i: int) -> str:
        """Return the colour of the i-th line."""
        return self.series[i % len(self.series)]


# Readers with and without colour blindness can distinguish these colours (Okabe and Ito's blue,
# vermilion and green, a dark purple, black). Each has a contrast of at least 3:1 to white.
FILE = Palette(
    ink="#1f2328",
    faint_ink="#57606a",
    grid="#e4e7eb",
    axis="#8c959f",
    ground="#ffffff",
    border="#d0d7de",
    series=("#0072B2", "#D55E00", "#009E73", "#8B1A5C", "#222222"),
)

# The style sheet of the page defines a light and a dark colour for each name.
PAGE = Palette(
    ink="var(--ink)",
    faint_ink="var(--faint-ink)",
    grid="var(--grid)",
    axis="var(--axis)",
    ground="none",
    border="none",
    series=tuple(f"var(--series-{i})" for i in range(1, 6)),
)

__all__ = ["FILE", "PAGE", "Palette"]
