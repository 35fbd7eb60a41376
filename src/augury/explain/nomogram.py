"""Numbers of a nomogram: what each value of each column adds to the log odds of two classes.

All fields are plain numbers and text. A display draws them, and a page can read them as JSON.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.explain.additive_terms import AdditiveTerms, ColumnTerms, NumberTerm, additive_terms
from augury.foreign import Table
from augury.hybrid.inner_models.tables import as_frame
from augury.models.wrapped_models import deciding_model, find_deciding_part

_OWNER = "Nomogram"
# The widest column has this number of points.
POINTS = 100.0
# Straight pieces that stand for a density without a formula.
_N_SAMPLES = 240


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


def make_nomogram(
    fitted: Any,
    *,
    positive: Hashable = None,
    negative: Hashable = None,
    X: Table = None,
    row: Table = None,
) -> Nomogram:
    """Return the nomogram of a fitted additive model; Pipelines and searches are opened.

    Parameters
    ----------
    fitted : classifier
        `NaiveBayes`, `BernoulliNaiveBayes`, `LinearDiscriminantAnalysis`,
        `LogisticRegression`, `LiblinearLogisticRegression` of two classes, or an
        `AugmentedClassifier` whose final model is one of these.
    positive, negative : classes, default=None
        By default the second of two classes against the first. With more classes both are
        needed.
    X : rows, default=None
        Rows as given to `fit`. The range of numbers that is shown is then that of these rows.
        By default it is 2.5 standard deviations around the means.
    row : table of one row, default=None
        The row whose values are marked.

    Raises
    ------
    PictureError
        If the log odds are not a sum of terms of single columns, or a class is unknown.

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> model = NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"])
    >>> nomogram = make_nomogram(model, row=[["sun"]])
    >>> [(label.label, round(label.log_odds, 3)) for label in nomogram.columns[0].labels]
    [('rain', -0.981), ('sun', 0.811)]
    >>> nomogram.row_points()
    (100.0,)
    >>> round(probability(nomogram.log_odds_of(100.0)), 3)  # as predict_proba
    0.771
    """
    check_is_fitted(fitted)
    terms = additive_terms(deciding_model(fitted))
    over = _class_index(terms, "positive", positive, 1)
    under = _class_index(terms, "negative", negative, 0)
    if over == under:
        raise PictureError(
            f"{_OWNER}: positive and negative must be two classes, got {terms.classes[over]!s} "
            "for both"
        )
    reaches = None if X is None else _ranges(terms.read(_rows_of(fitted, X)))
    values = None if row is None else terms.read(_rows_of(fitted, row))
    if values is not None and len(values) != 1:
        raise PictureError(f"{_OWNER}: row must be a table of one row, got {len(values)} rows")
    columns, marks = [], []
    for j, column in enumerate(terms.columns):
        reach = None if reaches is None else reaches[j]
        made = _column(column, over, under, reach)
        if values is not None:
            marks.append(_mark(column, values[0][j], over, under))
            made = _reaching(made, values[0][j] if column.is_number else None)
        columns.append(made.measured())
    ranges = [column.largest - column.smallest for column in columns]
    order = sorted(range(len(columns)), key=lambda j: -ranges[j])
    intercept = float(terms.intercept[over] - terms.intercept[under])
    return Nomogram(
        positive=str(terms.classes[over]),
        negative=str(terms.classes[under]),
        n_classes=len(terms.classes),
        intercept=intercept,
        columns=tuple(columns[j] for j in order),
        unit=max(ranges, default=0.0) / POINTS or 1.0,
        base=intercept + sum(column.smallest for column in columns),
        row=None if values is None else tuple(marks[j] for j in order),
    )


def _rows_of(fitted: Any, X: Table) -> Any:
    """Return rows as the deciding model reads them."""
    if deciding_model(fitted) is fitted:
        return X
    # Columns of an array get names.
    return find_deciding_part(fitted, as_frame(X)).rows


def _class_index(terms: AdditiveTerms, parameter: str, label: Hashable, default: int) -> int:
    names = [str(each) for each in terms.classes]
    if label is None:
        if len(names) != 2:
            raise PictureError(
                f"{_OWNER}: positive and negative must be two of the {len(names)} classes "
                f"{', '.join(names[:12])}{', …' if len(names) > 12 else ''}"
            )
        return default
    if str(label) not in names:
        raise PictureError(
            f"{_OWNER}: {parameter} must be one of the classes {', '.join(names[:12])}"
            f"{', …' if len(names) > 12 else ''}, got {label!s}"
        )
    found = names.index(str(label))
    if not terms.is_known[found]:
        raise PictureError(f"{_OWNER}: no training row has the class {label!s}")
    return found


def _ranges(rows: list[list[Any]]) -> list[tuple[float, float] | None]:
    """Return the range of the numbers of each column; None for a column without numbers."""
    found: list[tuple[float, float] | None] = []
    for values in zip(*rows, strict=True):
        known = [value for value in values if isinstance(value, float)]
        found.append((min(known), max(known)) if known else None)
    return found


def _mark(column: ColumnTerms, value: Any, over: int, under: int) -> NomogramMark:
    scores = column.scores_of(value)
    if value is None:
        text = "missing"
    elif column.is_number:
        text = f"{value:.6g}"
    else:
        text = column.labels[value] if value < len(column.labels) else "unseen"
    return NomogramMark(text, float(scores[over] - scores[under]))


def _reaching(column: NomogramColumn, value: float | None) -> NomogramColumn:
    """Return the column with a range that contains the value."""
    if value is None or column.low is None or column.high is None:
        return column
    return replace(column, low=min(column.low, value), high=max(column.high, value))


def _column(
    column: ColumnTerms, over: int, under: int, reach: tuple[float, float] | None
) -> NomogramColumn:
    odds = column.scores[:, over] - column.scores[:, under]
    missing = float(column.missing[over] - column.missing[under])
    unseen = float(column.unseen[over] - column.unseen[under])
    cuts = [] if column.cuts is None else [float(cut) for cut in column.cuts]
    is_number, has_state = column.is_number, "missing" in column.labels[len(cuts) + 1 :]
    labels = [NomogramLabel(*each) for each in zip(_texts(column), odds.tolist(), strict=True)]
    pieces: list[NomogramPiece] = []
    low = high = None
    is_exact = True
    if column.number is not None:
        low, high = reach or column.number.reach
        low, high = min([low, *cuts]), max([high, *cuts])
        pieces = _pieces(column.number, cuts, odds, over, under, (low, high))
        is_exact = column.number.sample is None
        labels = [NomogramLabel("missing", missing)] if has_state else []
    elif not is_number:
        has_state = "missing" in column.labels
    return NomogramColumn(
        name=column.name,
        labels=tuple(labels),
        cuts=tuple(cuts),
        pieces=tuple(pieces),
        low=low,
        high=high,
        is_exact=is_exact,
        missing=None if has_state else missing,
        unseen=None if is_number else unseen,
    )


def _texts(column: ColumnTerms) -> list[str]:
    """Return the labels; those of intervals are short."""
    if column.cuts is None:
        return column.labels
    cuts = [f"{cut:.5g}" for cut in column.cuts]
    if not cuts:
        return ["any number", *column.labels[1:]]
    between = [f"{a} – {b}" for a, b in pairwise(cuts)]
    return [f"≤ {cuts[0]}", *between, f"> {cuts[-1]}", *column.labels[len(cuts) + 1 :]]


def _pieces(
    number: NumberTerm,
    cuts: list[float],
    odds: FloatArray,
    over: int,
    under: int,
    reach: tuple[float, float],
) -> list[NomogramPiece]:
    """Return the polynomial of each interval, with what the interval itself adds."""
    edges: list[float | None] = [None, *cuts, None]
    added = odds[: len(cuts) + 1].tolist() if len(odds) else [0.0]
    if number.sample is not None:
        return _sampled_pieces(number, over, under, reach)
    constant, slope, square = (
        number.coefficients[:, over] - number.coefficients[:, under]
    ).tolist()
    return [
        NomogramPiece(edges[k], edges[k + 1], number.origin, constant + own, slope, square)
        for k, own in enumerate(added)
    ]


def _sampled_pieces(
    number: NumberTerm, over: int, under: int, reach: tuple[float, float]
) -> list[NomogramPiece]:
    x = np.linspace(*reach, _N_SAMPLES + 1)
    scores = number.scores(x)
    y = scores[:, over] - scores[:, under]
    slopes = np.diff(y) / np.diff(x)
    edges: list[float | None] = [None, *x[1:-1].tolist(), None]
    return [
        NomogramPiece(edges[k], edges[k + 1], float(x[k]), float(y[k]), float(slopes[k]), 0.0)
        for k in range(_N_SAMPLES)
    ]


__all__ = [
    "POINTS",
    "Nomogram",
    "NomogramColumn",
    "NomogramLabel",
    "NomogramMark",
    "NomogramPiece",
    "make_nomogram",
    "probability",
]
