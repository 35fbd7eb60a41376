"""Compact form of a fitted additive model, for a page that computes p(c | x) itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from augury.arrays import FloatArray
from augury.encode import INFREQUENT
from augury.errors import PictureError
from augury.explain.additive_contents import AdditiveColumn, AdditiveModel, CellValue
from augury.explain.additive_hybrid import terms_of_log_odds_hybrid
from augury.explain.additive_terms import AdditiveTerms, ColumnTerms
from augury.explain.column_pieces import Pieces, pieces_of
from augury.explain.terms_of_models import ADDITIVE_KINDS, additive_terms
from augury.foreign import Table
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.hybrid.inner_models.tables import as_frame
from augury.models.wrapped_models import deciding_model, final_estimator, find_deciding_part

_INFREQUENT = "infrequent labels"
# Scores of a form: 20 characters each in JSON.
_MAX_NUMBERS = 100_000
# Rows by which the form is compared with the model, and the largest difference of p(c | x).
_CHECKED_ROWS, _TOLERANCE = 64, 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class ExportedModel:
    """The compact form of a fitted model, and a way to read rows for it.

    Attributes
    ----------
    form : AdditiveModel
    """

    form: AdditiveModel
    _fitted: Any
    _terms: AdditiveTerms

    def read(self, X: Table) -> list[list[CellValue]]:
        """Return the value of each column of the form, for rows as given to `fit`."""
        rows = rows_of(self._fitted, X)
        values: list[list[CellValue]] = [
            [_cell(*each) for each in zip(self._terms.columns, row, strict=True)]
            for row in self._terms.read(rows)
        ]
        frame = as_frame(rows)
        if isinstance(frame, pd.DataFrame):
            # A missing label has the code of a state; the reader wants to see that it is missing.
            places = {str(name): j for j, name in enumerate(frame.columns)}
            for k, column in enumerate(self._terms.columns):
                if column.is_number or column.name not in places:
                    continue
                is_missing = frame.iloc[:, places[column.name]].isna().to_numpy()
                for i in np.flatnonzero(is_missing).tolist():
                    values[i][k] = None
        return values


def _cell(column: ColumnTerms, value: CellValue) -> CellValue:
    """Return a value as the form counts states: without that of missing values."""
    if value is None or column.is_number or not column.has_missing_state:
        return value
    n_labels = len(column.labels) - 1
    return None if value == n_labels else min(value, n_labels)


def export_additive(fitted: Any, X: Table) -> ExportedModel:
    """Return the compact form of a fitted additive model; Pipelines and searches are opened.

    Parameters
    ----------
    fitted : classifier
        A model that `augury.explain.nomogram.make_nomogram` takes, other than naive Bayes with
        kernel densities. In an `AugmentedClassifier` with log odds of a naive Bayes of labels and
        intervals and a final `LogisticRegression`, the log odds become terms of the columns.
    X : rows as given to `fit`
        Their numbers give the ranges that a page shows. The probabilities of the first 64 rows
        are compared with those of the model.

    Raises
    ------
    PictureError
        If p(c | x) is not a function of sums over the columns, or the form does not give the
        probabilities of the model.

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain"]})
    >>> model = NaiveBayes().fit(X, ["out", "out", "in"])
    >>> exported = export_additive(model, X)
    >>> exported.read(pd.DataFrame({"sky": ["sun", "fog", None]}))  # fog is unseen
    [[1], [2], [None]]
    >>> [round(p, 3) for p in exported.form.probabilities_of([1])]  # as predict_proba
    [0.229, 0.771]
    """
    check_is_fitted(fitted)
    model = deciding_model(fitted)
    terms = (
        terms_of_log_odds_hybrid(model)
        if isinstance(model, AugmentedClassifier)
        else additive_terms(model)
    )
    _check_size(terms)
    form = AdditiveModel(
        tuple(map(str, terms.classes)),
        tuple(map(bool, terms.is_known)),
        _floats(np.where(terms.is_known, terms.intercept, 0.0)),
        tuple(map(_column, terms.columns)),
    )
    exported = ExportedModel(form, fitted, terms)
    first = X.iloc[:_CHECKED_ROWS] if isinstance(X, pd.DataFrame) else X[:_CHECKED_ROWS]
    _check_probabilities(exported, first)
    return replace(exported, form=_with_ranges(form, exported.read(X)))


def may_be_additive(estimator: Any) -> bool:
    """Return whether a model, fitted or not, is of a kind that `export_additive` takes.

    >>> from augury.generative import HiddenNaiveBayes, NaiveBayes
    >>> may_be_additive(NaiveBayes()), may_be_additive(HiddenNaiveBayes())
    (True, False)
    """
    model = final_estimator(estimator)
    if isinstance(model, AugmentedClassifier):
        inner = NaiveBayes() if model.estimator is None else model.estimator
        return type(inner) in ADDITIVE_KINDS
    return type(model) in ADDITIVE_KINDS


def rows_of(fitted: Any, X: Table) -> Any:
    """Return rows as the deciding model reads them."""
    if deciding_model(fitted) is fitted:
        return X
    return find_deciding_part(fitted, as_frame(X)).rows  # columns of an array get names


def _check_size(terms: AdditiveTerms) -> None:
    """Raise if the form has more numbers than a page should contain."""
    n_numbers = sum(column.scores.size for column in terms.columns)
    if n_numbers > _MAX_NUMBERS:
        raise PictureError(
            f"the compact form would have {n_numbers:,} numbers, and a page at most "
            f"{_MAX_NUMBERS:,}; merge rare labels"
        )


def _floats(values: FloatArray) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _rows(values: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(map(_floats, values))


def _column(column: ColumnTerms) -> AdditiveColumn:
    """Return the scores of a column; a state of missing values is none of its labels."""
    pieces = pieces_of(column) if column.is_number else Pieces.empty()
    n_labels = 0 if column.is_number else len(column.labels) - int(column.has_missing_state)
    return AdditiveColumn(
        name=column.name,
        labels=tuple(
            _INFREQUENT if label == str(INFREQUENT) else label for label in column.labels[:n_labels]
        ),
        scores=_rows(column.scores[:n_labels]),
        edges=_floats(pieces.edges),
        origins=_floats(pieces.origins),
        coefficients=tuple(map(_rows, pieces.coefficients)),
        missing=_floats(column.missing),
        unseen=_floats(column.unseen),
    )


def _with_ranges(form: AdditiveModel, rows: Sequence[Sequence[CellValue]]) -> AdditiveModel:
    """Return the form with the range of the numbers of each column."""
    columns = []
    for k, column in enumerate(form.columns):
        known = [float(v) for row in rows if column.is_number and (v := row[k]) is not None]
        if known:
            column = replace(column, low=min(known), high=max(known))
        columns.append(column)
    return replace(form, columns=tuple(columns))


def _check_probabilities(exported: ExportedModel, X: Table) -> None:
    """Raise unless the form gives the probabilities of the model."""
    found = np.array([exported.form.probabilities_of(row) for row in exported.read(X)])
    model = deciding_model(exported._fitted)
    expected = np.zeros_like(found)
    places = {str(label): k for k, label in enumerate(exported.form.classes)}
    predicted = np.asarray(model.predict_proba(rows_of(exported._fitted, X)))
    for label, column in zip(model.classes_, predicted.T, strict=True):
        if str(label) in places:
            expected[:, places[str(label)]] = column
    difference = float(np.abs(found - expected).max(initial=0.0))
    if not difference <= _TOLERANCE:
        raise PictureError(
            f"the compact form of {type(model).__name__} differs by {difference:.2g} from its "
            "probabilities"
        )


__all__ = ["ExportedModel", "export_additive", "may_be_additive", "rows_of"]
