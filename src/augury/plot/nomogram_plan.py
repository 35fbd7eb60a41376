"""Plan of a column of a nomogram: the kind of its scale, its ticks, and the room for texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from augury.explain.nomogram_contents import NomogramColumn
from augury.plot.canvas import plain_text, text_width
from augury.plot.nomogram_scales import (
    MAX_LEVELS,
    Branch,
    PlacedText,
    Tick,
    branches_of,
    number_text,
    number_ticks,
    place_texts,
    round_numbers,
)

# Sizes in typographic points.
SCALE = 460.0  # length of a scale
FONT = 8.5  # size of the texts of ticks
LEVEL = 11.0  # height of a line of texts
CURVE = 64.0  # height of the curve of numbers


@dataclass(slots=True)
class ColumnPlan:
    """How a column is drawn, and the room that it needs.

    Attributes
    ----------
    column : NomogramColumn
    kind : {"labels", "numbers", "two-sided", "curve"}
    ticks : list of Tick
    branches : list of Branch
        Parts of a column of numbers; empty for labels.
    values : list of float
        Numbers of the ticks of a curve.
    x_of : callable
        The horizontal coordinate of log odds.
    placed : list of PlacedText
        Texts of the ticks.
    above, below : float
        Lines of text on both sides of the scale.
    """

    column: NomogramColumn
    kind: str
    ticks: list[Tick]
    branches: list[Branch]
    values: list[float]
    x_of: Callable[[float], float]
    placed: list[PlacedText]
    above: float = 1
    below: float = 1

    @classmethod
    def of(cls, column: NomogramColumn, x_of: Callable[[float], float]) -> ColumnPlan:
        """Choose the kind of the scale, and its ticks."""
        branches = branches_of(column)
        labels = [Tick(plain_text(each.label), each.log_odds) for each in column.labels]
        values: list[float] = []
        if not branches:
            # The ends of the scale are placed first.
            order = sorted(labels, key=lambda tick: tick.log_odds)
            kind, ticks = "labels", [*order[:1], *order[:0:-1][:1], *order[1:-1]]
        elif len(branches) <= 2:
            kind = "numbers" if len(branches) == 1 else "two-sided"
            sides = [True, False] if len(branches) == 2 else [None]
            # "missing" is placed first: it is no number, so others do not stand for it.
            ticks = labels + [
                tick
                for branch, above in zip(branches, sides, strict=True)
                for tick in number_ticks(branch, column, above=above)
            ]
        else:
            kind = "curve"
            low, high = branches[0].values[0], branches[-1].values[-1]
            values = round_numbers(low, high, 4)
            ticks = [Tick(number_text(value, 6), column.log_odds(value)) for value in values]
        return cls(column, kind, ticks, branches, values, x_of, [])

    def place(self, left: float) -> None:
        """Place the texts on a scale that begins at `left`."""
        if self.kind == "curve":
            self.above, self.below = 0.4, 1.0
            return
        self.placed = place_texts(
            [self.x_of(tick.log_odds) for tick in self.ticks],
            [text_width(tick.text, FONT) for tick in self.ticks],
            [tick.above for tick in self.ticks],
            left=left - 8.0,
            right=left + SCALE + 14.0,
            max_levels=MAX_LEVELS if self.kind == "labels" else 1,
        )
        if self.kind != "labels":  # numbers are read between ticks, so fewer ticks suffice
            kept = [each.tick for each in self.placed]
            self.ticks = [self.ticks[k] for k in kept]
            self.placed = [replace(each, tick=k) for k, each in enumerate(self.placed)]
        levels = [each.level for each in self.placed]
        self.above, self.below = max([1, *levels]), max([0.4, *(-level for level in levels)])

    @property
    def height(self) -> float:
        """Height in points."""
        curve = CURVE if self.kind == "curve" else 0.0
        return (self.above + self.below) * LEVEL + curve + 16.0


__all__ = ["CURVE", "FONT", "LEVEL", "SCALE", "ColumnPlan"]
