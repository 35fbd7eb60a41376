"""p(c | x) of single rows of an additive model, from tables of its terms.

`predict_proba` of a row costs a data frame, and pandas takes most of the time. A model whose log
odds are a sum over the columns needs a look-up for each column instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from math import exp
from typing import Any

import numpy as np

from augury.encode.column_plan import LabelColumn
from augury.encode.table import INFREQUENT, MISSING
from augury.errors import PictureError
from augury.explain.additive_hybrid import terms_of_log_odds_hybrid
from augury.explain.additive_terms import ColumnTerms
from augury.explain.column_pieces import pieces_of
from augury.explain.terms_of_models import additive_terms
from augury.hybrid import AugmentedClassifier
from augury.serve.cells import Cell, days_reader
from augury.serve.input_columns import (
    DATE,
    InputColumn,
    decided_model,
    label_plans,
    table_encoder,
)

Scores = tuple[float, ...]
ScoresOf = Callable[[Any], Scores]


class AdditiveScorer:
    """Class probabilities of a row whose values are checked.

    Parameters
    ----------
    intercept : scores of the classes without columns
    scores_of : for each column a function from a value to the scores of the classes
    is_known : for each class whether the training rows have it
    """

    def __init__(
        self, intercept: Scores, scores_of: Sequence[ScoresOf], is_known: Sequence[bool]
    ) -> None:
        self._intercept = intercept
        self._scores_of = tuple(scores_of)
        self._unknown = [c for c, known in enumerate(is_known) if not known]

    def probabilities_of(self, cells: Sequence[Cell]) -> list[float]:
        """Return p(c | x) of a row."""
        terms = [scores_of(cell) for scores_of, cell in zip(self._scores_of, cells, strict=True)]
        scores: list[float] = list(map(sum, zip(self._intercept, *terms, strict=True)))
        for c in self._unknown:
            scores[c] = float("-inf")
        highest = max(scores)
        shares = [exp(score - highest) for score in scores]
        total = sum(shares)
        return [share / total for share in shares]


def additive_scorer(model: Any, columns: Sequence[InputColumn]) -> AdditiveScorer | None:
    """Return the scorer of a fitted model, or None if its log odds are not a sum of look-ups.

    Parameters
    ----------
    model : fitted classifier
    columns : the columns that the model reads
    """
    inner = decided_model(model)
    encoder = table_encoder(inner)
    if encoder is None or encoder.feature_names_ != [column.name for column in columns]:
        return None
    try:
        if isinstance(inner, AugmentedClassifier):
            terms = terms_of_log_odds_hybrid(inner)
        else:
            terms = additive_terms(inner)
        plans = label_plans(encoder)
        scores_of = [
            _scores_of(own, plans.get(own.name), column)
            for own, column in zip(terms.columns, columns, strict=True)
        ]
    except PictureError:  # not additive, or a kernel density, which has no table
        return None
    intercept = np.where(terms.is_known, terms.intercept, 0.0)
    return AdditiveScorer(tuple(intercept.tolist()), scores_of, terms.is_known.tolist())


def _scores_of(terms: ColumnTerms, plan: LabelColumn | None, column: InputColumn) -> ScoresOf:
    if terms.is_number:
        of_number = _scores_of_number(terms)
        if column.kind != DATE:
            return of_number
        days_of = days_reader(column.format)
        return lambda text: of_number(None if text is None else days_of(text))
    assert plan is not None
    return _scores_of_label(terms, plan)


def _scores_of_label(terms: ColumnTerms, plan: LabelColumn) -> ScoresOf:
    states = list(plan.states)
    rows = [tuple(row) for row in terms.scores.tolist()]
    table: dict[Any, Scores] = dict(zip(states, rows, strict=True))
    table.pop(MISSING, None)
    if INFREQUENT in table:
        table |= dict.fromkeys(plan.infrequent, table.pop(INFREQUENT))
    table[None] = tuple(terms.missing.tolist())
    get, unseen = table.get, tuple(terms.unseen.tolist())
    return lambda label: get(label, unseen)


def _scores_of_number(terms: ColumnTerms) -> ScoresOf:
    pieces = pieces_of(terms)
    edges, origins = pieces.edges.tolist(), pieces.origins.tolist()
    missing = tuple(terms.missing.tolist())
    if pieces.coefficients.shape[1] == 1:  # intervals
        of_interval = [tuple(row) for row in pieces.coefficients[:, 0].tolist()]

        def look_up(x: float | None) -> Scores:
            return missing if x is None else of_interval[bisect_left(edges, x)]

        return look_up
    # [piece][class][power], the highest power first
    coefficients = pieces.coefficients[:, ::-1].transpose(0, 2, 1).tolist()

    def evaluate(x: float | None) -> Scores:
        if x is None:
            return missing
        piece = bisect_left(edges, x)
        away = x - origins[piece]
        found = []
        for own in coefficients[piece]:
            total = 0.0
            for coefficient in own:
                total = total * away + coefficient
            found.append(total)
        return tuple(found)

    return evaluate


__all__ = ["AdditiveScorer", "additive_scorer"]
