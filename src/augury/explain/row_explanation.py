"""Explanation of the prediction of one row, for any model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.counts import floored_log
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.models.wrapped_models import find_deciding_part


@dataclass(frozen=True, slots=True)
class RowExplanation:
    """The log odds of the most probable class of a row against the next, and their contributions.

    Attributes
    ----------
    predicted, against : labels of the two classes
    probability : of the predicted class
    log_odds : of the two
    method : {"terms", "without"}
        "terms": the log odds are the sum of the contributions. "without": a contribution is the
        decrease of the log odds if the value of the column is missing; they need not add up.
    contributions : list of (column, value, contribution)
        The largest first; a positive one is in favor of the predicted class.
    """

    predicted: Any
    against: Any
    probability: float
    log_odds: float
    method: str
    contributions: list[tuple[str, Any, float]]


def explain_row(model: Any, row: pd.DataFrame) -> RowExplanation:
    """Explain the prediction of one row.

    Parameters
    ----------
    model : fitted classifier with `predict_proba`
        In a Pipeline or a search, the model inside is explained, if it can be.
    row : frame with one row

    Examples
    --------
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"]})
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> explained = explain_row(model, X.iloc[:1])
    >>> str(explained.predicted), round(explained.log_odds, 3), explained.contributions[0][:2]
    ('out', 1.099, ('sky', 'sun'))
    """
    part = find_deciding_part(model, row)
    last, read = part.estimator, part.rows
    log_proba = floored_log(last.predict_proba(read))[0]
    best, second = np.argsort(-log_proba, kind="stable")[:2]
    log_odds = float(log_proba[best] - log_proba[second])
    labels = last.classes_
    if isinstance(last, ExplainsLogOdds):
        terms = last.explain(read, labels[best], labels[second]).iloc[0]
        if not isinstance(read, pd.DataFrame):  # an array's columns are x0, x1, …
            terms = terms.rename({f"x{j}": name for j, name in enumerate(part.names)})
        parts = {str(name): float(term) for name, term in terms.items()}
        method = "terms"
    else:
        method, parts = "without", {}
        # If earlier steps create other columns, the columns of the row itself are left out.
        asked, known = (last, read) if part.keeps_columns_of(row) else (model, row)
        for name in known.columns:
            blank = known.copy()
            blank[name] = _unknown(known[name])
            without = floored_log(asked.predict_proba(blank))[0]
            parts[str(name)] = log_odds - float(without[best] - without[second])
    contributions = [
        (name, row.iloc[0].get(name) if name in row.columns else None, part)
        for name, part in sorted(parts.items(), key=lambda item: -abs(item[1]))
    ]
    return RowExplanation(
        labels[best],
        labels[second],
        float(np.exp(log_proba[best])),
        log_odds,
        method,
        contributions,
    )


def _unknown(value: pd.Series) -> pd.Series:
    """Return the column of one row with a missing value.

    The integers and booleans of NumPy have no missing value; their type changes.

    >>> _unknown(pd.Series([3], name="n")).tolist(), _unknown(pd.Series([True])).tolist()
    ([nan], [None])
    """
    kind = value.dtype.kind if isinstance(value.dtype, np.dtype) else ""
    if kind == "b":
        return pd.Series([None], index=value.index, dtype=object)
    return pd.Series(
        [None], index=value.index, dtype=np.float64 if kind in ("i", "u") else value.dtype
    )


__all__ = ["RowExplanation", "explain_row"]
