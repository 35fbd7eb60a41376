"""A `TableEncoder` that is learned from a survey of the rows."""

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.encode import TableEncoder
from augury.encode.column_summaries import LabelSummary, NumberSummary
from augury.encode.nominal import unreadable
from augury.encode.requested_columns import requested_columns
from augury.scale.summaries.column_survey import (
    EMPTY,
    NUMBERS,
    TIMESTAMPS,
    ColumnSurvey,
)
from augury.scale.summaries.table_survey import TableSurvey

_LABELS = (str, bytes, Real, Decimal, np.bool_)


def columns_as_labels(encoder: TableEncoder, names: list[str], owner: str) -> frozenset[str]:
    """Return the names of the columns that `categorical_features` of an encoder names."""
    mask = requested_columns(owner, encoder.categorical_features, names)
    return frozenset(name for name, wanted in zip(names, mask, strict=True) if wanted)


def learn_encoder(
    encoder: TableEncoder,
    survey: TableSurvey,
    cuts: Mapping[str, FloatArray],
    extra: Mapping[str, NumberSummary] | None = None,
    owner: str | None = None,
) -> TableEncoder:
    """Learn an encoder from a survey; it equals `encoder.learn(X, y, weight)` of all rows.

    Parameters
    ----------
    encoder : parameters
    survey : survey of all columns, in their order
        The columns that `columns_as_labels` names were surveyed as labels.
    cuts : cut points of each column of numbers, unless the encoder keeps numbers only
    extra : columns of numbers that follow those of the survey, such as meta-features
    owner : class that is named in errors
    """
    names = list(survey.columns)
    as_labels = columns_as_labels(encoder, names, owner or type(encoder).__name__)
    columns: list[LabelSummary | NumberSummary] = []
    for name, column in survey.columns.items():
        if column.kind == TIMESTAMPS:
            raise unreadable(name, "datetime64")
        if column.kind not in (EMPTY, NUMBERS) or name in as_labels:
            columns.append(summarize_labels(column))
        else:
            cut = None if encoder.discretizer is None else cuts[name]
            columns.append(_summarize_numbers(column, cut))
    extra = extra or {}
    header = pd.DataFrame(columns=[*names, *extra])
    return encoder.learn_summaries(header, [*columns, *extra.values()], owner)


def summarize_labels(column: ColumnSurvey) -> LabelSummary:
    """Return the labels of a column, with the weights of their rows."""
    if column.labels is None:
        if column.kind == EMPTY:
            return LabelSummary({}, column.has_missing, declared=False)
        raise ValueError(f"column {column.name!r} must be surveyed as labels: name it in as_labels")
    weights: dict[Any, float] = dict.fromkeys(column.declared or (), 0.0)
    for label, weight in column.labels.weight_of().items():
        if weight > 0:
            weights[label] = float(weight)
    other = next((label for label in weights if not isinstance(label, _LABELS)), None)
    if other is not None:
        raise TypeError(
            f"column {column.name!r} must be text, numbers or booleans, got "
            f"{type(other).__name__}: convert it (a date to a number, a tuple to text, say) or "
            "drop it"
        )
    if column.has_floats:  # integers of some blocks are floats in the whole column
        weights = {float(label): weight for label, weight in weights.items()}
    labels, declared = column.labels, column.declared is not None
    if labels.is_exact:
        return LabelSummary(weights, column.has_missing, declared)
    n_others = max(labels.n_labels - len(weights), 1)
    return LabelSummary(weights, column.has_missing, False, n_others, labels.left_out)


def _summarize_numbers(column: ColumnSurvey, cuts: FloatArray | None) -> NumberSummary:
    numbers = column.numbers
    assert numbers is not None
    if not numbers.is_finite:
        infinite = numbers.low if np.isinf(numbers.low) else numbers.high
        raise ValueError(
            f"column {column.name!r} must be finite or missing, got {infinite} (Input X contains "
            "infinity): replace it by NaN or a number"
        )
    return NumberSummary(column.has_missing, numbers.mean, cuts)


__all__ = ["columns_as_labels", "learn_encoder", "summarize_labels"]
