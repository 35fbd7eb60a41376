"""Base class of the displays."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from augury.optional import import_extra
from augury.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")

# The same picture gives the same file, on any day.
_SETTINGS = {"svg.hashsalt": "augury", "svg.fonttype": "path"}
# Resolution of pictures, and of images within an SVG file.
_DPI = {"svg": 100, "png": 150, "pdf": 150}
_PATH = re.compile(rb' d="[^"]*"')
_DECIMALS = re.compile(rb"-?\d+\.\d+")
_METADATA = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}


class Display:
    """Base class of the displays: numbers that were computed, and the axes that show them.

    A subclass states the numbers in `__init__`, computes them in class methods such as
    `from_estimator`, and draws them in `plot`. `plot` begins with `self._open_axes(ax)` and
    returns self.

    Attributes
    ----------
    ax_ : matplotlib Axes
    figure_ : matplotlib Figure
    """

    ax_: Axes
    figure_: Figure

    def _open_axes(self, ax: Axes | None, *, size: tuple[float, float] = (6.4, 4.8)) -> Axes:
        """Set `ax_` and `figure_`: those of `ax`, or of a new figure of this size in inches."""
        if ax is None:
            pyplot = import_extra("matplotlib.pyplot", extra="plot", purpose="a picture")
            _, ax = pyplot.subplots(figsize=size, layout="constrained")
        figure = ax.get_figure(root=True)
        assert figure is not None, "the axes are not part of a figure"
        self.ax_, self.figure_ = ax, figure
        return ax

    def save(self, file: str | Path) -> Path:
        """Write the figure; the ending of the name decides the format: svg, png or pdf.

        The file is written completely or not at all. The same figure gives the same bytes.
        """
        path = Path(file)
        kind = path.suffix.lower().removeprefix(".")
        if kind not in FORMATS:
            raise ValueError(
                f"{type(self).__name__}.save: file must end in .svg, .png or .pdf, got "
                f"{str(file)!r}"
            )
        write_whole(path, self._render(kind))
        return path

    def to_svg(self) -> str:
        """Return the figure as SVG text. The same figure gives the same text."""
        return self._render("svg").decode()

    def _render(self, kind: str) -> bytes:
        matplotlib = import_extra("matplotlib", extra="plot", purpose="a picture")
        content = BytesIO()
        with matplotlib.rc_context(_SETTINGS):
            # The first layout of a figure differs from all later ones.
            self.figure_.draw_without_rendering()
            self.figure_.savefig(
                content,
                format=kind,
                metadata=_METADATA[kind],
                dpi=_DPI[kind],
                bbox_inches="tight",
            )
        return _shorten_paths(content.getvalue()) if kind == "svg" else content.getvalue()


def _shorten_paths(svg: bytes) -> bytes:
    """Write the coordinates of paths with two decimals, which are hundredths of a point.

    >>> _shorten_paths(b'<path d="M 0.123456 7 L 1.995 2" transform="scale(0.015625)"/>')
    b'<path d="M 0.12 7 L 2 2" transform="scale(0.015625)"/>'
    """

    def shorten(path: re.Match[bytes]) -> bytes:
        return _DECIMALS.sub(lambda number: b"%g" % round(float(number[0]), 2), path[0])

    return _PATH.sub(shorten, svg)


__all__ = ["FORMATS", "Display"]
