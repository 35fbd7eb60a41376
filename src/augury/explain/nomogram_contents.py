"""Types of a nomogram: what each value of each column adds to the log odds of two classes.

All fields are plain numbers and text. A display draws them, and a page can read them as JSON.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp

# The widest column has this number of points.
POINTS = 100.0


@dataclass(frozen=True, slots=True)
class NomogramLabel:
    """A label of a column, and what it adds to the log odds."""

    label: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class NomogramPiece:
    """Log odds of the numbers above `low`, up to `high`: a polynomial in x - origin.

    Attributes
    ----------
    low, high : float or None
        None: unbounded.
    origin, constant, slope, square : float
        constant + slope · (x - origin) + square · (x - origin)²
    """

    low: float | None
    high: float | None
    origin: float
    constant: float
    slope: float
    square: float

    def log_odds(self, x: float) -> float:
        """Return what the number x adds to the log odds."""
        away = x - self.origin
        return self.constant + (self.slope + self.square * away) * away

    def contains(self, x: float) -> bool:
        """Return whether the piece is that of the number x."""
        return (self.low is None or x > self.low) and (self.high is None or x <= self.high)

    def turning_point(self) -> float | None:
        """Return where the polynomial has its extremum, or None if it is straight."""
        return None if self.square == 0 else self.origin - self.slope / (2 * self.square)


@dataclass(frozen=True, slots=True)
class NomogramColumn:
    """What the values of one column add to the log odds.

    Attributes
    ----------
    name : str
        Name of the column.
    labels : tuple of NomogramLabel
        Labels of a column of labels, or intervals of numbers. A state for missing values has
        the label "missing".
    cuts : tuple of float
        Cut points between the intervals, if the labels are intervals.
    pieces : tuple of NomogramPiece
        Log odds of numbers that stay numbers, from the smallest number to the largest.
    low, high : float or None
        Range of the numbers that is shown. Numbers outside have log odds too.
    is_exact : bool
        Whether the pieces equal the log odds of the model. False for a density without a
        formula, of which straight pieces are an approximation.
    missing, unseen : float or None
        What a missing value without a label of its own, or an unseen label, adds to the log
        odds. `unseen` is None for numbers.
    smallest, largest : float
        Smallest and largest log odds of the values that are shown.
    """

    name: str
    labels: tuple[NomogramLabel, ...]
    cuts: tuple[float, ...]
    pieces: tuple[NomogramPiece, ...]
    low: float | None
    high: float | None
    is_exact: bool
    missing: float | None
    unseen: float | None
    smallest: float = 0.0
    largest: float = 0.0

    def log_odds(self, x: float) -> float:
        """Return what the number x adds to the log odds."""
        if self.pieces:
            piece = next((piece for piece in self.pieces if piece.contains(x)), self.pieces[-1])
            return piece.log_odds(x)
        return self.labels[sum(cut < x for cut in self.cuts)].log_odds

    def measured(self) -> NomogramColumn:
        """Return the column with its smallest and largest log odds."""
        found = [label.log_odds for label in self.labels]
        found += [value for value in (self.missing, self.unseen) if value is not None]
        if self.low is not None and self.high is not None:
            for piece in self.pieces:
                low = self.low if piece.low is None else max(self.low, piece.low)
                high = self.high if piece.high is None else min(self.high, piece.high)
                if low > high:
                    continue
                turn = piece.turning_point()
                turns = [turn] if turn is not None and low < turn < high else []
                found += [piece.log_odds(x) for x in (low, high, *turns)]
        return replace(self, smallest=min(found), largest=max(found))


@dataclass(frozen=True, slots=True)
class NomogramMark:
    """The value of a row in a column, and what it adds to the log odds."""

    value: str
    log_odds: float


@dataclass(frozen=True, slots=True)
class Nomogram:
    """Log odds of two classes as a sum over columns, and the points that stand for them.

    A value that adds f to the log odds has (f - f_min) / unit points, where f_min is the
    smallest f of its column. The column with the largest range has 100 points. The log odds of
    a row are `base` + `unit` · (sum of its points).

    Attributes
    ----------
    positive, negative : str
        The classes. Values with more points favour the positive class.
    n_classes : int
        Number of classes of the model. With more than two, probabilities are those of the
        positive class among these two classes.
    intercept : float
        The part of the log odds that no column changes.
    columns : tuple of NomogramColumn
        The column with the largest range first.
    unit : float
        Log odds of one point.
    base : float
        Log odds of a row without points.
    row : tuple of NomogramMark or None
        The values of one row, in the order of the columns.
    """

    positive: str
    negative: str
    n_classes: int
    intercept: float
    columns: tuple[NomogramColumn, ...]
    unit: float
    base: float
    row: tuple[NomogramMark, ...] | None = None

    def points(self, column: NomogramColumn, log_odds: float) -> float:
        """Return the points of a value that adds `log_odds`."""
        return (log_odds - column.smallest) / self.unit

    @property
    def largest_total(self) -> float:
        """Largest sum of points."""
        return sum(self.points(column, column.largest) for column in self.columns)

    def log_odds_of(self, total: float) -> float:
        """Return the log odds of a sum of points."""
        return self.base + self.unit * total

    def total_of(self, log_odds: float) -> float:
        """Return the sum of points that has these log odds."""
        return (log_odds - self.base) / self.unit

    def row_points(self) -> tuple[float, ...]:
        """Return the points of the row in each column."""
        marks = self.row or ()
        return tuple(
            self.points(column, mark.log_odds)
            for column, mark in zip(self.columns, marks, strict=True)
        )


def probability(log_odds: float) -> float:
    """Return 1 / (1 + exp(-log odds)).

    >>> probability(0.0), round(probability(-800.0), 9)
    (0.5, 0.0)
    """
    return 1 / (1 + exp(-log_odds)) if log_odds >= 0 else 1 - 1 / (1 + exp(max(log_odds, -700)))


__all__ = [
    "POINTS",
    "Nomogram",
    "NomogramColumn",
    "NomogramLabel",
    "NomogramMark",
    "NomogramPiece",
    "probability",
]
