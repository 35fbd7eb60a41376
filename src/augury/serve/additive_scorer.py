"""p(c | x) of single rows of an additive model, from tables of its terms.

`predict_proba` of a row costs a data frame, and pandas takes most of the time. A model whose log
odds are a sum over the columns needs a look-up for each column instead.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import Any

from augury.encode.column_plan import LabelColumn
from augury.encode.table import INFREQUENT, MISSING
from augury.errors import PictureError
from augury.explain.additive_hybrid import terms_of_log_odds_hybrid
from augury.explain.additive_terms import ColumnTerms
from augury.explain.column_pieces import pieces_of
from augury.explain.terms_of_models import additive_terms
from augury.hybrid import AugmentedClassifier
from augury.serve.cells import Cell, CellError
from augury.serve.dates import days_reader
from augury.serve.input_columns import (
    DATE,
    InputColumn,
    decided_model,
)
from augury.serve.learned_labels import label_plans, table_encoder

Scores = tuple[float, ...]
ScoresOf = Callable[[Any], Scores]


@dataclass(frozen=True, slots=True, eq=False)
class ColumnScores:
    """Scores of the values of one column.

    Attributes
    ----------
    name : str
    of_cell : callable
        From a value that is checked to the scores of the classes.
    of_json : callable
        From a value of JSON to the same scores. It raises `CellError`, `KeyError` or `TypeError`
        for a value that is refused, and for a label that no training row has.
    """

    name: str
    of_cell: ScoresOf
    of_json: ScoresOf


class AdditiveScorer:
    """Class probabilities of rows.

    Parameters
    ----------
    intercept : scores of the classes without columns
    columns : sequence of ColumnScores
    is_known : for each class whether the training rows have it
    """

    def __init__(
        self, intercept: Scores, columns: Sequence[ColumnScores], is_known: Sequence[bool]
    ) -> None:
        # The probability of a class that no training row has is 0.
        self._intercept = tuple(
            score if known else -inf for score, known in zip(intercept, is_known, strict=True)
        )
        self._of_cell = [column.of_cell for column in columns]
        self._of_json = [(column.name, column.of_json) for column in columns]

    def probabilities_of(self, cells: Sequence[Cell]) -> list[float]:
        """Return p(c | x) of a row whose values are checked."""
        terms = [scores_of(cell) for scores_of, cell in zip(self._of_cell, cells, strict=True)]
        return self._normalized(terms)

    def probabilities_of_json(self, row: Mapping[str, object]) -> list[float] | None:
        """Return p(c | x) of a row as it came; None if there is something to report."""
        if len(row) != len(self._of_json):
            return None
        try:
            terms = [scores_of(row[name]) for name, scores_of in self._of_json]
        except (CellError, KeyError, TypeError):
            return None
        return self._normalized(terms)

    def _normalized(self, terms: Sequence[Scores]) -> list[float]:
        scores: list[float] = list(map(sum, zip(self._intercept, *terms)))  # noqa: B905
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
        found = [
            _scores_of(own, plans.get(own.name), column)
            for own, column in zip(terms.columns, columns, strict=True)
        ]
    except PictureError:  # not additive, or a kernel density, which has no table
        return None
    return AdditiveScorer(tuple(terms.intercept.tolist()), found, terms.is_known.tolist())


def _scores_of(terms: ColumnTerms, plan: LabelColumn | None, column: InputColumn) -> ColumnScores:
    check = column.check
    if not terms.is_number:
        assert plan is not None
        table, unseen = _scores_of_labels(terms, plan)
        of_json: ScoresOf = table.__getitem__
        if column.types != ("string",):  # 1, 1.0 and True are the same key
            of_json = lambda value: table[check(value)]  # noqa: E731
        return ColumnScores(column.name, lambda label: table.get(label, unseen), of_json)
    of_number = _scores_of_number(terms)
    if column.kind != DATE:
        return ColumnScores(column.name, of_number, lambda value: of_number(check(value)))
    days_of = days_reader(column.format)

    def of_date(text: Any) -> Scores:
        return of_number(None if text is None else days_of(text))

    return ColumnScores(column.name, of_date, lambda value: of_date(check(value)))


def _scores_of_labels(terms: ColumnTerms, plan: LabelColumn) -> tuple[dict[Any, Scores], Scores]:
    """Return the scores of each label and of a missing one, and those of an unseen label."""
    states = list(plan.states)
    rows = [tuple(row) for row in terms.scores.tolist()]
    table: dict[Any, Scores] = dict(zip(states, rows, strict=True))
    table.pop(MISSING, None)
    if INFREQUENT in table:
        table |= dict.fromkeys(plan.infrequent, table.pop(INFREQUENT))
    table[None] = tuple(terms.missing.tolist())
    return table, tuple(terms.unseen.tolist())


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


__all__ = ["AdditiveScorer", "ColumnScores", "additive_scorer"]
