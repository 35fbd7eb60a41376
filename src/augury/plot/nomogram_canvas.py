"""Axes of a nomogram: texts, lines and scales with numbers, in typographic points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augury.plot.canvas import text_width
from augury.plot.class_styles import FAINT_INK, INK
from augury.plot.nomogram_plan import FONT, SCALE
from augury.plot.nomogram_scales import number_text, place_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

NAME = 9.5  # size of the names of scales


@dataclass(frozen=True, slots=True)
class NomogramCanvas:
    """The axes of a nomogram.

    Attributes
    ----------
    ax : matplotlib Axes
    unit : float
        Size of a coordinate unit in points, see `use_points`.
    left : float
        Where all scales begin.
    """

    ax: Axes
    unit: float
    left: float

    @property
    def right(self) -> float:
        """Where the longest scales end."""
        return self.left + SCALE

    def write(self, x: float, y: float, text: str, **style: Any) -> Text:
        """Write a text; `style` is that of matplotlib, with sizes in points."""
        size = style.pop("size", FONT)
        options: dict[str, Any] = {"color": FAINT_INK, "va": "center", "zorder": 5, **style}
        return self.ax.text(x, y, text, fontsize=size * self.unit, **options)

    def line(self, x: Sequence[float], y: Sequence[float], **style: Any) -> Line2D:
        """Draw a line or markers; `style` is that of matplotlib."""
        style["linewidth"] = style.get("linewidth", 1.0) * self.unit
        [line] = self.ax.plot(x, y, **style)
        return line

    def draw_axis(
        self,
        y: float,
        name: str,
        values: Sequence[float],
        place: Callable[[float], float],
        *,
        texts: Sequence[str] | None = None,
        bold: bool = False,
    ) -> None:
        """Draw a scale of full length at height y, with its name and the texts that fit."""
        weight = "bold" if bold else "normal"
        self.write(self.left - 12.0, y, name, size=NAME, color=INK, ha="right", fontweight=weight)
        self.line([self.left, self.right], [y, y], color=INK)
        texts = [number_text(value, 6) for value in values] if texts is None else texts
        x = [place(value) for value in values]
        for place_of_tick in x:
            self.line([place_of_tick, place_of_tick], [y, y - 4.0], color=INK)
        placed = place_texts(
            x, [text_width(text, FONT) for text in texts], [True] * len(x),
            left=self.left - 20.0, right=self.right + 20.0, max_levels=1,
        )  # fmt: skip
        for each in placed:
            self.write(each.x, y - 10.0, texts[each.tick], ha="center")


__all__ = ["NAME", "NomogramCanvas"]
