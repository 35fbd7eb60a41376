"""Rows that are made up of what a model knows, to compare a scorer with its model."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from augury.serve.cells import Cell
from augury.serve.input_columns import DATE, LABELS, InputColumn
from augury.serve.row_reader import Row

_N_ROWS = 64
_UNSEEN = "a label that no training row has"


def trial_rows(columns: Sequence[InputColumn]) -> list[Row]:
    """Return rows with labels and numbers of the training rows, others, and gaps."""
    rng = random.Random(0)  # noqa: S311 - not for secrets
    values = [_values_of(column, rng) for column in columns]
    return [[None if rng.random() < 0.1 else value() for value in values] for _ in range(_N_ROWS)]


def _values_of(column: InputColumn, rng: random.Random) -> Callable[[], Cell]:
    if column.kind == LABELS:
        labels = [*column.labels, *([_UNSEEN] if "string" in column.types else [])]
        return lambda: rng.choice(labels) if labels else None
    low, high = (
        (0.0, 1.0) if column.low is None or column.high is None else (column.low, column.high)
    )
    margin = 0.2 * (high - low)
    if column.kind != DATE:
        return lambda: rng.uniform(low - margin, high + margin)
    return lambda: text_of_day(rng.uniform(low, high))


def text_of_day(days: float) -> str:
    """Return a date in ISO format.

    >>> text_of_day(1.5)
    '1970-01-02'
    """
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=days)).date().isoformat()


__all__ = ["text_of_day", "trial_rows"]
