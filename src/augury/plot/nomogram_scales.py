"""Scales of a nomogram: which values get a tick, and where their texts fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10

import numpy as np

from augury.explain.nomogram_contents import NomogramColumn

# Levels of texts on one side of a scale.
MAX_LEVELS = 3
_SPACE = 4.0  # between two texts, in points
# Places at which a column of numbers is evaluated to find where it rises and falls.
_N_PLACES = 400


@dataclass(frozen=True, slots=True)
class Tick:
    """A tick of a scale.

    Attributes
    ----------
    text : str
    log_odds : float
        Where it is on the scale.
    above : bool or None
        The side of its text; None if either side will do.
    """

    text: str
    log_odds: float
    above: bool | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """Numbers of a column along which the log odds only rise, or only fall."""

    values: tuple[float, ...]
    log_odds: tuple[float, ...]


def branches_of(column: NomogramColumn) -> list[Branch]:
    """Divide the numbers of a column where the log odds turn or jump in the other direction."""
    if column.low is None or column.high is None or not column.pieces:
        return []
    places = set(np.linspace(column.low, column.high, _N_PLACES).tolist())
    for piece in column.pieces:
        turn = piece.turning_point()
        places |= {x for x in (turn, piece.high) if x is not None}
        if piece.high is not None:  # the numbers just above a cut point may jump
            places.add(float(np.nextafter(piece.high, np.inf)))
    values = sorted(x for x in places if column.low <= x <= column.high)
    odds = [column.log_odds(x) for x in values]
    smallest = 1e-9 * (max(odds) - min(odds))
    branches: list[Branch] = []
    start, direction = 0, 0.0
    for k, (a, b) in enumerate(pairwise(odds)):
        step = 0.0 if abs(b - a) <= smallest else float(np.sign(b - a))
        if step and direction and step != direction:
            branches.append(Branch(tuple(values[start : k + 1]), tuple(odds[start : k + 1])))
            start, direction = k, step
        direction = direction or step
    branches.append(Branch(tuple(values[start:]), tuple(odds[start:])))
    return branches


def round_numbers(low: float, high: float, n: int) -> list[float]:
    """Return about n round numbers from low to high.

    >>> round_numbers(0.0, 10.0, 5)
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    >>> round_numbers(4.3, 7.9, 4)
    [5.0, 6.0, 7.0]
    """
    if not high > low or not isfinite(high - low):
        return [low]
    rough = (high - low) / n
    power = 10.0 ** floor(log10(rough))
    step = min((m * power for m in (1, 2, 2.5, 5, 10)), key=lambda each: abs(each - rough))
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def number_ticks(branch: Branch, column: NomogramColumn, *, above: bool | None) -> list[Tick]:
    """Return ticks at both ends of a branch, at both sides of cut points, and at round numbers.

    `above` is the side of their texts. If it is None, only the round numbers are above the
    scale; the others may be on either side. The first ticks are the most important ones.
    """
    low, high = branch.values[0], branch.values[-1]
    inner = [x for x in round_numbers(low, high, 8) if low < x < high]
    assert column.low is not None
    assert column.high is not None
    range_ = column.high - column.low
    digits = max(0, 2 - floor(log10(range_))) if range_ > 0 else 3
    ends = dict.fromkeys((low, high))
    ticks = [Tick(number_text(x, digits), column.log_odds(x), above) for x in ends]
    for cut in column.cuts:
        if low < cut < high:
            text, beyond = f"{cut:.5g}".replace("-", "−"), float(np.nextafter(cut, np.inf))
            ticks.append(Tick(f"≤ {text}", column.log_odds(cut), above))
            ticks.append(Tick(f"> {text}", column.log_odds(beyond), above))
    # A round number may be a cut point.
    inner = [x for x in inner if x not in column.cuts]
    side = above is not False
    return ticks + [Tick(number_text(x, digits + 3), column.log_odds(x), side) for x in inner]


def number_text(x: float, digits: int) -> str:
    """Return a number with at most this number of decimals, and a minus sign.

    >>> number_text(-0.5000001, 3), number_text(12000.0, 0), number_text(3.2e9, 0)
    ('−0.5', '12000', '3.2e+09')
    """
    if abs(x) >= 1e7 or (x != 0 and abs(x) < 1e-4):
        text = f"{x:.3g}"
    else:
        text = f"{x:.{min(digits, 6)}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", "−")


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text beside a scale: level 1, 2, … above it, or -1, -2, … below it."""

    tick: int
    x: float
    level: int


def place_texts(
    places: Sequence[float],
    widths: Sequence[float],
    sides: Sequence[bool | None],
    *,
    left: float,
    right: float,
    max_levels: int = MAX_LEVELS,
) -> list[PlacedText]:
    """Place texts without overlaps; a text that fits nowhere is left out.

    The first texts are placed first. A text is centred at its tick, unless it would leave the
    scale, whose ends are `left` and `right`.

    >>> place_texts([10, 12, 50], [20, 20, 20], [None, None, None], left=0, right=60)
    [PlacedText(tick=0, x=10, level=1), PlacedText(tick=1, x=12, level=-1), \
PlacedText(tick=2, x=50, level=1)]
    """
    taken: dict[int, list[tuple[float, float]]] = {}
    placed = []
    for k, (place, width, side) in enumerate(zip(places, widths, sides, strict=True)):
        x = min(max(place, left + width / 2), max(right - width / 2, left + width / 2))
        levels = [
            level * sign
            for level in range(1, max_levels + 1)
            for sign in (1, -1)
            if side is None or side == (sign > 0)
        ]
        for level in levels:
            ends = (x - width / 2 - _SPACE, x + width / 2 + _SPACE)
            if all(ends[1] <= a + _SPACE or ends[0] >= b - _SPACE for a, b in taken.get(level, [])):
                taken.setdefault(level, []).append(ends)
                placed.append(PlacedText(k, x, level))
                break
    return placed


__all__ = [
    "MAX_LEVELS",
    "Branch",
    "PlacedText",
    "Tick",
    "branches_of",
    "number_text",
    "number_ticks",
    "place_texts",
    "round_numbers",
]
