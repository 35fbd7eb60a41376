"""The additive model that the page of a table computes, and rows for it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import FloatArray
from augury.errors import PictureError
from augury.explain.additive_contents import CellValue
from augury.explain.additive_export import export_additive, may_be_additive
from augury.summary.contents.table_summary import HardRow, WhatIf, WhatIfRow
from augury.summary.contents.verdict import Verdict

# Rows from which ranges and typical values are taken.
_MAX_ROWS = 5_000


def make_what_if(
    verdict: Verdict,
    estimators: Mapping[str, Any],
    fit: Callable[[str], Any],
    X: pd.DataFrame,
    treatments: Mapping[str, str],
    hardest: Sequence[HardRow],
) -> tuple[WhatIf | None, str]:
    """Return the best additive model of the leaderboard in its compact form.

    Parameters
    ----------
    verdict : Verdict
    estimators : mapping from model to estimator
    fit : callable
        `fit(name)` returns the model fitted to all rows.
    X : frame
        The rows.
    treatments : mapping from column to treatment
    hardest : sequence of HardRow
        Rows that the reader may choose.

    Returns
    -------
    found : WhatIf or None
        None if no model of the leaderboard is additive.
    note : str
        Why a model that might be additive is not taken; empty if there is none.
    """
    order = [each.model for each in verdict.leaderboard if each.model in estimators]
    if verdict.recommended in order:
        order = [str(verdict.recommended), *(each for each in order if each != verdict.recommended)]
    notes = []
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:_MAX_ROWS])
    for name in order:
        if not may_be_additive(estimators[name]):
            continue
        try:
            exported = export_additive(fit(name), X.iloc[rows])
        except PictureError as error:
            notes.append(f"The page does not compute {name}: {error}.")
            continue
        chosen = X.iloc[[each.row - 1 for each in hardest]]
        read = exported.read(chosen) if len(chosen) else []
        titles = [f"row {each.row}: {each.true}, predicted as {each.predicted}" for each in hardest]
        return WhatIf(
            model=name,
            reason=_reason(verdict, name),
            form=exported.form,
            treatments=tuple(
                treatments.get(column.name, "numbers" if column.is_number else "labels")
                for column in exported.form.columns
            ),
            typical=_typical(exported.read(X.iloc[rows])),
            rows=tuple(
                WhatIfRow(title, tuple(values)) for title, values in zip(titles, read, strict=True)
            ),
        ), " ".join(notes)
    return None, " ".join(notes)


def _reason(verdict: Verdict, name: str) -> str:
    if name == verdict.recommended or verdict.recommended is None:
        return ""
    return (
        f"The log odds of {verdict.recommended} are not a sum over the columns, so this part shows "
        f"{name}, the best model of the leaderboard whose log odds are. Its probabilities differ "
        f"from those of {verdict.recommended}."
    )


def _typical(rows: Sequence[Sequence[CellValue]]) -> tuple[CellValue, ...]:
    """Return the most frequent state or the rounded median of each column."""
    found: list[CellValue] = []
    for values in zip(*rows, strict=True):
        known = [value for value in values if value is not None]
        if not known:
            found.append(None)
        elif isinstance(known[0], float):
            found.append(_round_median(np.array(known, dtype=np.float64)))
        else:
            found.append(Counter(known).most_common(1)[0][0])
    return tuple(found)


def _round_median(numbers: FloatArray) -> float:
    """Return the median to about a thousandth of the range, so that a field has room for it.

    >>> _round_median(np.array([0.0, 1.23456, 4.0]))
    1.235
    """
    median, width = float(np.median(numbers)), float(np.ptp(numbers))
    return round(median, 3 - math.floor(math.log10(width))) if width > 0 else median


__all__ = ["make_what_if"]
