"""Computation of a nomogram from a fitted additive model."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.explain.additive_export import rows_of
from augury.explain.additive_terms import AdditiveTerms, ColumnTerms, NumberTerm, Value
from augury.explain.nomogram_contents import (
    POINTS,
    Nomogram,
    NomogramColumn,
    NomogramLabel,
    NomogramMark,
    NomogramPiece,
)
from augury.explain.terms_of_models import additive_terms
from augury.foreign import Table
from augury.models.wrapped_models import deciding_model

_OWNER = "Nomogram"
# Straight pieces that stand for a density without a formula.
_N_SAMPLES = 240


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
        `NaiveBayes`, `BernoulliNaiveBayes`, `BlendedNaiveBayes`, the weighted naive Bayes models,
        `LinearDiscriminantAnalysis`, `LogisticRegression`, `AdditiveLogisticRegression`,
        `LiblinearLogisticRegression` of two classes, or an `AugmentedClassifier` whose final
        model is one of these.
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
    >>> round(1 / (1 + np.exp(-nomogram.log_odds_of(100.0))), 3).item()  # as predict_proba
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
    reaches = None if X is None else _ranges(terms.read(rows_of(fitted, X)))
    values = None if row is None else terms.read(rows_of(fitted, row))
    if values is not None and len(values) != 1:
        raise PictureError(f"{_OWNER}: row must be a table of one row, got {len(values)} rows")
    columns, marks = [], []
    for j, column in enumerate(terms.columns):
        reach = None if reaches is None else reaches[j]
        value = None if values is None else values[0][j]
        columns.append(_column(column, over, under, reach, value).measured())
        if values is not None:
            marks.append(_mark(column, value, over, under))
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


def _class_index(terms: AdditiveTerms, parameter: str, label: Hashable, default: int) -> int:
    names = [str(each) for each in terms.classes]
    if label is None:
        if len(names) != 2:
            raise PictureError(
                f"{_OWNER}: positive and negative must be given, as two of the {len(names)} "
                f"classes {', '.join(names[:12])}{', …' if len(names) > 12 else ''}"
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


def _column(
    column: ColumnTerms, over: int, under: int, reach: tuple[float, float] | None, value: Value
) -> NomogramColumn:
    """Return the log odds of a column; the range of numbers contains the value of the row."""
    odds = column.scores[:, over] - column.scores[:, under]
    missing = float(column.missing[over] - column.missing[under])
    unseen = float(column.unseen[over] - column.unseen[under])
    cuts = [] if column.cuts is None else [float(cut) for cut in column.cuts]
    labels = [NomogramLabel(*each) for each in zip(_texts(column), odds.tolist(), strict=True)]
    pieces: list[NomogramPiece] = []
    low = high = None
    is_exact = True
    if column.number is not None:
        ends = [*(reach or column.number.reach), *cuts, *([] if value is None else [value])]
        low, high = min(ends), max(ends)
        pieces = _pieces(column.number, cuts, odds, over, under, (low, high))
        is_exact = column.number.sample is None
        labels = [NomogramLabel("missing", missing)] if column.has_missing_state else []
    return NomogramColumn(
        name=column.name,
        labels=tuple(labels),
        cuts=tuple(cuts),
        pieces=tuple(pieces),
        low=low,
        high=high,
        is_exact=is_exact,
        missing=None if column.has_missing_state else missing,
        unseen=None if column.is_number else unseen,
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
    if reach[0] == reach[1]:
        [scores] = number.scores(np.array(reach[:1]))
        return [NomogramPiece(None, None, reach[0], float(scores[over] - scores[under]), 0.0, 0.0)]
    x = np.linspace(*reach, _N_SAMPLES + 1)
    scores = number.scores(x)
    y = scores[:, over] - scores[:, under]
    slopes = np.diff(y) / np.diff(x)
    edges: list[float | None] = [None, *x[1:-1].tolist(), None]
    return [
        NomogramPiece(edges[k], edges[k + 1], float(x[k]), float(y[k]), float(slopes[k]), 0.0)
        for k in range(_N_SAMPLES)
    ]


__all__ = ["make_nomogram"]
