"""Pieces of polynomials that are the scores of a number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.explain.additive_terms import ColumnTerms, NumberTerm

# Places of an interval in which a cubic polynomial is sampled, and the matrix that returns its
# coefficients.
_SAMPLED = np.array([0.0, 1 / 3, 2 / 3, 1.0])
_INTERPOLATION = np.linalg.inv(np.vander(_SAMPLED, increasing=True))


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Scores of a number x, a polynomial in x - origin in each piece.

    Attributes
    ----------
    edges : array of shape (n_pieces - 1,), ascending
    origins : array of shape (n_pieces,)
    coefficients : array of shape (n_pieces, 1 + degree, n_classes)
    """

    edges: FloatArray
    origins: FloatArray
    coefficients: FloatArray

    @classmethod
    def empty(cls) -> Pieces:
        """Return no pieces, for a column of labels."""
        return cls(np.empty(0), np.empty(0), np.empty((0, 0, 0)))


def pieces_of(column: ColumnTerms) -> Pieces:
    """Return the scores of a column of numbers: of its intervals, and of the number itself.

    Raises
    ------
    PictureError
        If the scores of a number have no such form: logarithms of kernel densities.

    Examples
    --------
    >>> term = NumberTerm(1.0, np.array([[0.5], [2.0], [0.0]]), (0.0, 2.0))
    >>> zero = np.zeros(1)
    >>> cut = np.array([3.0])
    >>> column = ColumnTerms("x", ["a", "b"], np.array([[10.0], [20.0]]), cut, term, zero, zero)
    >>> pieces = pieces_of(column)
    >>> pieces.edges, pieces.coefficients[:, :, 0].tolist()  # in powers of x - 1
    (array([3.]), [[10.5, 2.0, 0.0], [20.5, 2.0, 0.0]])
    """
    cuts = np.empty(0) if column.cuts is None else column.cuts
    if column.number is None:
        intervals = column.scores[: len(cuts) + 1]
        return Pieces(cuts, np.zeros(len(cuts) + 1), intervals[:, None, :])
    if column.number.sample is None:
        own = _polynomial(column.number, cuts)
    elif column.number.knots is None:
        raise PictureError(
            f"the scores of column {column.name!r} are logarithms of a kernel density, which has "
            'no compact form; take continuous="gaussian" or "discretize"'
        )
    else:
        own = _cubic(column.number, cuts)
    if column.cuts is not None and len(column.scores):
        ends = np.append(own.edges, np.inf)
        own.coefficients[:, 0] += column.scores[np.searchsorted(cuts, ends, side="left")]
    return own


def _polynomial(number: NumberTerm, cuts: FloatArray) -> Pieces:
    n = len(cuts) + 1
    return Pieces(cuts, np.full(n, number.origin), np.repeat(number.coefficients[None], n, axis=0))


def _cubic(number: NumberTerm, cuts: FloatArray) -> Pieces:
    """Return the cubic polynomials between knots, from four numbers of each piece."""
    assert number.knots is not None
    edges = np.unique(np.concatenate([cuts, number.knots]))
    if not len(edges):  # a straight line
        edges = np.array(number.reach[:1])
    width = float(np.ptp(edges)) or 1.0
    starts = np.concatenate([[edges[0] - width], edges])
    widths = np.concatenate([[width], np.diff(edges), [width]])
    samples = number.scores((starts[:, None] + widths[:, None] * _SAMPLED).ravel())
    in_units = _INTERPOLATION @ samples.reshape(len(starts), 4, -1)
    powers = widths[:, None, None] ** -np.arange(4)[None, :, None]
    return Pieces(edges, starts, np.asarray(in_units * powers))


__all__ = ["Pieces", "pieces_of"]
