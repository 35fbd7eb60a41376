"""Terms of the columns of a table that a TableEncoder reads, and the values of its rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from augury.arrays import FloatArray
from augury.encode import TableEncoder
from augury.encode.column_plan import GapColumn, IntervalColumn, LabelColumn, OpenLabelColumn
from augury.encode.table import INFREQUENT, MISSING
from augury.explain.additive_terms import ColumnTerms, NumberTerm, Value
from augury.foreign import Table
from augury.validation import check_table


def encoded_columns(
    encoder: TableEncoder,
    state_scores: Sequence[FloatArray],
    left_out: Sequence[FloatArray],
    numbers: Sequence[NumberTerm],
    number_missing: Sequence[FloatArray],
) -> list[ColumnTerms]:
    """Return the terms of each column of the user's table.

    Parameters
    ----------
    encoder : TableEncoder
    state_scores, left_out : sequences of arrays
        Scores of the states of each column of the encoded table, and of a code that is left out.
    numbers, number_missing : sequences
        Terms of each number that is kept, and the scores if it is missing.
    """
    plans = {plan.name: k for k, plan in enumerate(encoder._columns)}
    sources = np.flatnonzero(~encoder.is_nominal_).tolist()
    gaps = {
        plan.source: k for k, plan in enumerate(encoder._columns) if isinstance(plan, GapColumn)
    }
    columns = []
    n_classes = (state_scores[0] if state_scores else number_missing[0]).shape[-1]
    for j, name in enumerate(encoder.feature_names_):
        zero = np.zeros(n_classes)
        labels: list[str] = []
        scores, cuts, number, missing, unseen = np.zeros((0, n_classes)), None, None, zero, zero
        has_state = False
        plan = encoder._columns[plans[name]] if name in plans else None
        if isinstance(plan, LabelColumn | IntervalColumn):
            k = plans[name]
            scores, unseen = state_scores[k], left_out[k]
            code = plan.missing_code
            missing = unseen if code == len(plan.states) else scores[code]
            has_state = MISSING in plan.states
            if isinstance(plan, OpenLabelColumn):  # a label without a state is infrequent
                unseen = scores[list(plan.states).index(INFREQUENT)]
            labels = ["missing" if state is MISSING else str(state) for state in plan.states]
            if isinstance(plan, IntervalColumn):
                cuts = np.asarray(plan.cuts, dtype=np.float64)
        if name in encoder.number_names_ and not encoder.is_nominal_[j]:
            k = encoder.number_names_.index(name)
            number = numbers[k]
            gap = gaps.get(sources.index(j))
            if gap is not None:
                number = _shifted(number, state_scores[gap][0])
                missing, has_state = state_scores[gap][1], True
            missing = missing + number_missing[k]
        if name in encoder.replacements_ and not encoder.is_nominal_[j]:
            column = ColumnTerms(name, labels, scores, cuts, number, zero, unseen)
            missing = column.scores_of(encoder.replacements_[name])
        columns.append(ColumnTerms(name, labels, scores, cuts, number, missing, unseen, has_state))
    return columns


def _shifted(term: NumberTerm, constant: FloatArray) -> NumberTerm:
    coefficients = term.coefficients.copy()
    coefficients[0] += constant
    sample = term.sample
    if sample is not None:
        return replace(term, coefficients=coefficients, sample=lambda x: sample(x) + constant)
    return replace(term, coefficients=coefficients)


def encoded_rows(model: Any, encoder: TableEncoder) -> Callable[[Table], list[list[Value]]]:
    """Return a function that reads the value of each column of each row of a table."""
    places = {plan.name: k for k, plan in enumerate(encoder._columns)}
    number_at = {j: k for k, j in enumerate(np.flatnonzero(~encoder.is_nominal_).tolist())}

    def read(X: Table) -> list[list[Value]]:
        X = check_table(model, X, reset=False)
        codes, numbers = encoder.encode(X).codes, encoder._read_numbers(X)
        rows: list[list[Value]] = []
        for i in range(len(codes)):
            row: list[Value] = []
            for j, name in enumerate(encoder.feature_names_):
                if encoder.is_nominal_[j]:
                    row.append(int(codes[i, places[name]]))
                else:
                    x = float(numbers[i, number_at[j]])
                    row.append(None if np.isnan(x) else x)
            rows.append(row)
        return rows

    return read


__all__ = ["encoded_columns", "encoded_rows"]
