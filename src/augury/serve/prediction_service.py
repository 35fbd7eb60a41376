"""Answers to requests for predictions: JSON in, JSON out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any

import numpy as np

from augury.explain.row_explanation import RowExplanation
from augury.persist import SavedModel
from augury.serve.additive_scorer import AdditiveScorer, additive_scorer
from augury.serve.answer_queue import IsAbandoned
from augury.serve.cells import Cell
from augury.serve.decision_rule import TOLERANCE, DecisionRule, decision_rule
from augury.serve.frame_predictor import FramePredictor
from augury.serve.input_columns import input_columns
from augury.serve.json_body import parse_body
from augury.serve.problems import (
    MAX_LISTED,
    Place,
    Problem,
    RequestError,
    describe_value,
    shorten,
)
from augury.serve.row_arrays import count_rows, split_columns
from augury.serve.row_reader import Row, RowReader
from augury.serve.trial_rows import trial_rows

_FORMS = ("row", "rows", "columns")
# Rows of one request that may be explained: a model that is not additive is asked many times.
MAX_EXPLAINED = 100


@dataclass(frozen=True, slots=True)
class _Request:
    """A checked request.

    Attributes
    ----------
    form : {"row", "rows", "columns"}
    rows : the rows, checked
    explains : whether explanations are wanted
    """

    form: str
    rows: Sequence[Row]
    explains: bool

    def place(self, i: int) -> Place:
        """Return the place of a row in the request."""
        return ("row",) if self.form == "row" else (self.form, i)


class NotFiniteError(ValueError):
    """A model has no finite probabilities or log odds for a row.

    Attributes
    ----------
    row : number of the row
    """

    def __init__(self, row: int) -> None:
        super().__init__(row)
        self.row = row


class AbandonedError(Exception):
    """Nobody waits for the answer any more."""


class PredictionService:
    """Answers requests for predictions of one saved model.

    Parameters
    ----------
    saved : SavedModel
    max_rows : int
        Most rows of a request.
    """

    def __init__(self, saved: SavedModel, *, max_rows: int) -> None:
        self.saved = saved
        self.columns = input_columns(saved)
        self.max_rows = max_rows
        self._reader = RowReader(self.columns)
        self.frames = FramePredictor(saved, self.columns)
        self._rule: DecisionRule | None = decision_rule(saved.model)
        self._scorer: AdditiveScorer | None = None
        if self._rule is not None:
            self._scorer = self._agreeing_scorer()
        classes = saved.model.classes_.tolist()
        self._labels = [dumps(label) for label in classes]
        # A template of the answer: %s is the predicted class, %r is the probability of a class.
        shares = ",".join(f"{dumps(str(label)).replace('%', '%%')}:%r" for label in classes)
        self._template = f'{{"predicted":%s,"probabilities":{{{shares}}}'

    def _agreeing_scorer(self) -> AdditiveScorer | None:
        """Return the scorer of the model if it gives the probabilities of the model."""
        columns = self._reader.read_columns
        scorer = additive_scorer(self.saved.model, columns)
        if scorer is None:
            return None
        rows = trial_rows(columns)
        expected = self.frames.predict(rows)[1]
        found = [scorer.probabilities_of(row) for row in rows]
        difference = np.abs(np.asarray(found) - np.asarray(expected)).max()
        return scorer if difference <= TOLERANCE else None

    @property
    def is_fast(self) -> bool:
        """Whether rows are predicted by look-ups, in microseconds."""
        return self._scorer is not None

    def answer(self, body: bytes, is_abandoned: IsAbandoned = lambda: False) -> bytes:
        """Return the JSON answer to a JSON request.

        Parameters
        ----------
        body : bytes
        is_abandoned : callable
            Returns whether nobody waits for the answer; it is called before each explanation.

        Raises
        ------
        RequestError
            If the body is not JSON, or a value is not what its column needs.
        AbandonedError
            If nobody waits for the answer.
        """
        content = parse_body(body)
        if (answer := self._answer_plain_row(content)) is not None:
            return answer
        request = self._read(content)
        try:
            predictions = self._predict(request.rows)
            if request.explains:
                predictions = self._add_explanations(predictions, request.rows, is_abandoned)
        except NotFiniteError as error:
            message = "the model has no finite answer, because numbers of the row are too large"
            raise _refusal(message, "not_finite", request.place(error.row)) from error
        if request.form == "row":
            return predictions[0].encode()
        return f'{{"predictions":[{",".join(predictions)}]}}'.encode()

    def _answer_plain_row(self, content: Any) -> bytes | None:
        """Return the answer to a row of known labels, the common case; None for any other."""
        if self._scorer is None or self._rule is None:
            return None
        if content.__class__ is not dict or len(content) != 1:
            return None
        row = content.get("row")
        if row.__class__ is not dict:
            return None
        probabilities = self._scorer.probabilities_of_json(row)
        if probabilities is None or (decided := self._rule.decide(probabilities)) is None:
            return None
        return self._write(self._labels[decided], probabilities, {}).encode()

    # ---- reading ----------------------------------------------------------------------

    def _read(self, content: Any) -> _Request:
        if not isinstance(content, dict):
            came = describe_value(content)
            raise _refusal(f'must be an object such as {{"row": {{…}}}}, got {came}', "dict_type")
        explains = content.get("explain", False)
        forms = [name for name in _FORMS if name in content]
        if len(forms) != 1 or len(content) != 1 + ("explain" in content):
            raise _wrong_keys(content)
        if not isinstance(explains, bool):
            message = f"must be true or false, got {describe_value(explains)}"
            raise _refusal(message, "bool_type", ("explain",))
        form = forms[0]
        problems: list[Problem] = []
        if form == "row":
            row = self._reader.read(content["row"], ("row",), problems)
            if row is None:
                raise RequestError(422, problems)
            return _Request(form, [row], explains)
        return _Request(form, self._read_rows(form, content[form], explains), explains)

    def _read_rows(self, form: str, given: Any, explains: bool) -> list[Row]:
        problems: list[Problem] = []
        if form == "columns":
            n_rows = count_rows(given, (form,))
        elif isinstance(given, list):
            n_rows = len(given)
        else:
            message = f"must be an array of rows, got {describe_value(given)}"
            raise _refusal(message, "list_type", (form,))
        most = min(self.max_rows, MAX_EXPLAINED) if explains else self.max_rows
        if not 1 <= n_rows <= most:
            what = ' with "explain"' if explains else ""
            message = f"must have 1 to {most} rows{what}, got {n_rows} rows"
            raise _refusal(message, "too_long" if n_rows else "too_short", (form,))
        rows = []
        for i, each in enumerate(split_columns(given) if form == "columns" else given):
            row = self._reader.read(each, (form, i), problems)
            if row is not None:
                rows.append(row)
            elif len(problems) > MAX_LISTED:
                break
        if problems:
            if form == "columns":
                problems = [_turned(problem) for problem in problems]
            raise RequestError(422, problems)
        return rows

    # ---- predicting -------------------------------------------------------------------

    def _predict(self, rows: Sequence[Row]) -> list[str]:
        """Return the answer to each row as JSON."""
        if self._scorer is None:
            return self._predict_frame(rows)
        return [self._predict_row(row, i) for i, row in enumerate(rows)]

    def _predict_row(self, row: Row, i: int) -> str:
        assert self._scorer is not None
        assert self._rule is not None
        probabilities = self._scorer.probabilities_of(row)
        decided = self._rule.decide(probabilities)
        if decided is None:  # the model itself decides what depends on the last digits
            return self._predict_frame([row], i)[0]
        return self._write(self._labels[decided], probabilities, self._reader.unseen(row))

    def _predict_frame(self, rows: Sequence[Row], first: int = 0) -> list[str]:
        """Return the answer to each row; `first` is the number of the first one."""
        predicted, probabilities = self.frames.predict(rows)
        shares = None
        if probabilities is not None:
            is_finite = np.isfinite(probabilities).all(axis=1)
            if not is_finite.all():
                raise NotFiniteError(first + int(is_finite.argmin()))
            shares = probabilities.tolist()
        return [
            self._write(
                dumps(label), None if shares is None else shares[i], self._reader.unseen(row)
            )
            for i, (row, label) in enumerate(zip(rows, predicted.tolist(), strict=True))
        ]

    def _write(self, label: str, probabilities: list[float] | None, unseen: dict[str, Cell]) -> str:
        if probabilities is None:
            text = f'{{"predicted":{label},"probabilities":null'
        else:
            text = self._template % (label, *probabilities)
            decision = None if self._rule is None else self._rule.describe(probabilities)
            if decision is not None:
                best = self._labels[probabilities.index(max(probabilities))]
                text += f',"most_probable":{best},"decision":{dumps(decision)}'
        if unseen:
            text += f',"unseen":{dumps(unseen)}'
        return text + "}"

    def _add_explanations(
        self, predictions: Sequence[str], rows: Sequence[Row], is_abandoned: IsAbandoned
    ) -> list[str]:
        found = []
        for i, (own, row) in enumerate(zip(predictions, rows, strict=True)):
            if is_abandoned():
                raise AbandonedError
            found.append(f'{own[:-1]},"explanation":{self._explain(row, i)}}}')
        return found

    def _explain(self, row: Row, i: int) -> str:
        explanation = _describe(self.frames.explain(row))
        try:
            return dumps(explanation, allow_nan=False)
        except ValueError as error:
            raise NotFiniteError(i) from error


def _describe(explained: RowExplanation) -> dict[str, Any]:
    """Return an explanation as JSON: the parts sum to the log odds."""
    parts = list(explained.contributions)
    # A column may have the name "prior"; the prior has no value.
    prior = parts.pop(
        next(k for k, (name, value, _) in enumerate(parts) if name == "prior" and value is None)
    )
    return {
        "positive": _plain(explained.predicted),
        "negative": _plain(explained.against),
        "log_odds": explained.log_odds,
        "method": explained.method,
        "standard_error": explained.standard_error,
        "prior": prior[2],
        "contributions": {name: part for name, _, part in parts},
    }


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def _turned(problem: Problem) -> Problem:
    """Return the place of a value in arrays by column: its row is the last index."""
    form, row, *rest = problem.place
    return Problem((form, *rest, row), problem.message, problem.kind)


def _refusal(message: str, kind: str, place: Place = ("body",)) -> RequestError:
    return RequestError.of(422, message, kind, place)


def _wrong_keys(content: dict[str, Any]) -> RequestError:
    forms = [name for name in _FORMS if name in content]
    unknown = [name for name in content if name not in (*_FORMS, "explain")]
    if unknown:
        message = 'must be one of "row", "rows", "columns" and "explain"'
        return _refusal(f"the key {message}", "extra_forbidden", (shorten(unknown[0]),))
    if not forms:
        return _refusal('must have "row", "rows" or "columns"', "missing")
    return _refusal(f"must have one of {' and '.join(forms)}, not both", "extra_forbidden")


__all__ = ["MAX_EXPLAINED", "AbandonedError", "NotFiniteError", "PredictionService"]
