"""The rows whose class a model misses with the highest probability, and their explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from augury.bases.explanation import write_value
from augury.explain.row_explanation import explain_row
from augury.summary.contents.table_summary import ExplainedValue, HardRow
from augury.summary.table.row_predictions import RowPredictions

N_HARDEST = 8
_MAX_VALUES = 8
_PERMUTATIONS = 32


def find_hardest(found: RowPredictions, labels: Sequence[str]) -> list[HardRow]:
    """Return the rows that are predicted wrongly with the highest probability.

    A row is as hard as the sum, over the runs, of the probabilities of wrong predictions; without
    probabilities a wrong prediction counts 1.
    """
    is_wrong = (found.predicted != found.true) & (found.predicted >= 0)
    share = np.ones(len(is_wrong)) if found.confidence is None else found.confidence
    lines = pd.DataFrame(
        {
            "row": found.rows[is_wrong],
            "predicted": found.predicted[is_wrong],
            "true": found.true[is_wrong],
            "p": share[is_wrong],
        }
    )
    if lines.empty:
        return []
    by_class = lines.groupby(["row", "true", "predicted"])["p"].agg(["sum", "mean"]).reset_index()
    worst = by_class.sort_values(["sum", "row"], ascending=[False, True], kind="stable")
    worst = worst.drop_duplicates("row").head(N_HARDEST)
    return [
        HardRow(int(row) + 1, labels[int(true)], labels[int(predicted)], float(mean))
        for row, true, predicted, mean in zip(
            worst["row"], worst["true"], worst["predicted"], worst["mean"], strict=True
        )
    ]


def explain_hardest(
    hardest: Sequence[HardRow], fitted: Any, X: pd.DataFrame, max_seconds: float
) -> tuple[tuple[HardRow, ...], str]:
    """Return the rows with contributions to the log odds of the predicted class.

    Parameters
    ----------
    hardest : sequence of HardRow
    fitted : classifier
        Fitted to all rows.
    X : frame
    max_seconds : float
        No row is explained after this processor time.

    Returns
    -------
    rows : tuple of HardRow
    note : str
        How many rows were explained, if not all.
    """
    names = [str(label) for label in fitted.classes_]
    start, explained = process_time(), []
    for each in hardest:
        if process_time() - start > max_seconds or not {each.true, each.predicted} <= {*names}:
            break
        found = explain_row(
            fitted,
            X.iloc[[each.row - 1]],
            positive=names.index(each.predicted),
            negative=names.index(each.true),
            n_permutations=_PERMUTATIONS,
        )
        prior = next(part for name, _, part in found.contributions if name == "prior")
        parts = [line for line in found.contributions if line[0] != "prior"]
        shown, rest = parts[:_MAX_VALUES], parts[_MAX_VALUES:]
        explained.append(
            replace(
                each,
                log_odds=found.log_odds,
                prior=prior,
                values=tuple(
                    ExplainedValue(name, write_value(value), part) for name, value, part in shown
                ),
                others=sum(part for _, _, part in rest),
                n_others=len(rest),
            )
        )
    n_left = len(hardest) - len(explained)
    note = (
        f"{n_left} of the hardest rows are not explained, because the time is limited."
        if n_left
        else ""
    )
    return (*explained, *hardest[len(explained) :]), note


__all__ = ["N_HARDEST", "explain_hardest", "find_hardest"]
