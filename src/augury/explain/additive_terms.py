"""Types of the terms of additive models: what a value of a column adds to each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial

from augury.arrays import Array, FloatArray
from augury.foreign import Table

Value = int | float | None  # the state of a column of labels, a number, or a missing number


@dataclass(frozen=True, slots=True, eq=False)
class NumberTerm:
    """Scores of a number x: polynomials in x - origin, one for each class.

    Attributes
    ----------
    origin : float
    coefficients : array of shape (3, n_classes)
        Of 1, x - origin and (x - origin)².
    reach : tuple of two floats
        Range of x that is worth showing.
    sample : callable or None
        `sample(x)` returns the scores of numbers, of shape (n, n_classes), where they are no
        polynomial.
    knots : array or None
        If `sample` is a cubic polynomial between each two of these numbers, and straight beyond
        them. None: it has no such form.
    """

    origin: float
    coefficients: FloatArray
    reach: tuple[float, float]
    sample: Callable[[FloatArray], FloatArray] | None = None
    knots: FloatArray | None = None

    def scores(self, x: FloatArray) -> FloatArray:
        """Return the scores of numbers, of shape (n, n_classes)."""
        if self.sample is not None:
            return self.sample(x)
        return np.asarray(polynomial.polyval(x - self.origin, self.coefficients).T, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTerms:
    """Scores of the values of a column.

    Attributes
    ----------
    name : str
    labels : list of str
        States; for numbers the intervals between `cuts`.
    scores : array of shape (n_states, n_classes)
    cuts : array or None
        Cut points of a number that is cut into intervals.
    number : NumberTerm or None
        The term of a number that stays a number, added to that of its interval.
    missing, unseen : array of shape (n_classes,)
        Scores of a missing value, and of a label that is no state.
    has_missing_state : bool
        Whether missing values are a state of their own; among labels it is the last.
    """

    name: str
    labels: list[str]
    scores: FloatArray
    cuts: FloatArray | None
    number: NumberTerm | None
    missing: FloatArray
    unseen: FloatArray
    has_missing_state: bool = False

    @property
    def is_number(self) -> bool:
        """Whether the values of the column are numbers."""
        return self.number is not None or self.cuts is not None

    def scores_of(self, value: Value) -> FloatArray:
        """Return the scores of one value, for each class."""
        if value is None:
            return self.missing
        if not self.is_number:
            return self.unseen if value == len(self.labels) else self.scores[int(value)]
        total = np.zeros_like(self.missing)
        if self.cuts is not None:
            total = total + self.scores[int(np.searchsorted(self.cuts, value, side="left"))]
        if self.number is not None:
            total = total + self.number.scores(np.array([float(value)]))[0]
        return total


@dataclass(frozen=True, slots=True, eq=False)
class AdditiveTerms:
    """A model whose score of a class is a sum over the columns.

    The difference of the scores of two classes is the log odds of these classes.

    Attributes
    ----------
    classes : array of labels
    is_known : array of booleans
        Whether the training rows have the class; the others have no finite score.
    intercept : array of shape (n_classes,)
    columns : list of ColumnTerms
    read : callable
        `read(X)` returns for each row of a table the value of each column.
    """

    classes: Array
    is_known: Array
    intercept: FloatArray
    columns: list[ColumnTerms]
    read: Callable[[Table], list[list[Value]]]


__all__ = ["AdditiveTerms", "ColumnTerms", "NumberTerm", "Value"]
