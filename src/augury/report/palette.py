"""Colours of drawings: fixed ones for files, those of the page for the page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """What a drawing is coloured with.

    Parameters
    ----------
    ink, faint_ink : str
        Of names and titles; of numbers and labels of axes.
    grid, axis : str
        Of lines that help to read; of axes.
    ground, border : str
        Behind the drawing and around it.
    series : tuple of str
        Of lines and dots, in turns.
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


# Told apart with normal and with colour-blind eyes (Okabe and Ito's blue, vermilion and
# green, a dark purple, black), each with a contrast of at least 3:1 to white.
FILE = Palette(
    ink="#1f2328",
    faint_ink="#57606a",
    grid="#e4e7eb",
    axis="#8c959f",
    ground="#ffffff",
    border="#d0d7de",
    series=("#0072B2", "#D55E00", "#009E73", "#8B1A5C", "#222222"),
)

# The page's style sheet gives each a light and a dark colour.
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
