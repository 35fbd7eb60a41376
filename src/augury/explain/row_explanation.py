"""Explanation of the prediction of one row, for any model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.bases.attribution import Attribution
from augury.bases.explained_classifier import ExplainedClassifier, attribute
from augury.bases.partial_scores import floor_scores, input_names, log_scores
from augury.counts import normalize
from augury.models.wrapped_models import find_deciding_part, find_decision


@dataclass(frozen=True, slots=True)
class RowExplanation:
    """The log odds of the predicted class of a row against the next, and their contributions.

    Attributes
    ----------
    predicted, against : labels of the two classes
    probability : of the predicted class; None if the model has no probabilities
    log_odds : of the two; for a model without probabilities the difference of decision values
    method : {"terms", "shapley", "sampled"}
        The contributions sum to the log odds. "terms": the log odds are a sum over the columns.
        "shapley": they are Shapley values over all subsets of the columns. "sampled": they are
        Shapley values of sampled permutations.
    standard_error : the largest standard error of a contribution; 0 unless sampled
    contributions : list of (column, value, contribution)
        The largest first; a positive one is in favor of the predicted class. `prior` is the log
        odds if all columns are left out.
    """

    predicted: Any
    against: Any
    probability: float | None
    log_odds: float
    method: str
    standard_error: float
    contributions: list[tuple[str, Any, float]]


def explain_row(
    model: Any,
    row: pd.DataFrame,
    *,
    positive: int | None = None,
    negative: int | None = None,
    n_permutations: int | None = None,
) -> RowExplanation:
    """Explain the prediction of one row.

    Parameters
    ----------
    model : fitted classifier
        In a Pipeline or a search, the model inside is explained, if it is one of augury or gets
        columns of the row. A model of another library must accept missing values: the value of
        a column that is left out is missing.
    row : frame with one row
    positive, negative : int or None
        Places of two classes in `classes_`; by default those of the predicted class and of the
        most probable other class. `predicted` and `against` of the result are these classes.
    n_permutations : int or None
        See `ExplainedClassifier.explain`.

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
    # If earlier steps create other columns, a model of another library is asked as a whole.
    if not (isinstance(last, ExplainedClassifier) or part.keeps_columns_of(row)):
        last, read = model, row
    scores = floor_scores(log_scores(last, read))
    order = np.argsort(-scores[0], kind="stable").tolist()
    if find_decision(model) is not None:
        decided = np.asarray(last.classes_).tolist().index(model.predict(row)[0])
        order = [decided, *(code for code in order if code != decided)]
    best, second = order[:2]
    if positive is not None and negative is not None:
        best, second = positive, negative
    weights = np.zeros(scores.shape)
    weights[0, [best, second]] = 1.0, -1.0
    found = attribute(last, read, weights, n_permutations)
    names = part.names if read is part.rows else input_names(row)
    return RowExplanation(
        last.classes_[best],
        last.classes_[second],
        float(normalize(scores)[0, best]) if hasattr(last, "predict_proba") else None,
        float(scores[0, best] - scores[0, second]),
        found.method,
        float(np.sqrt(found.variance.max(initial=0.0))),
        _contributions(found, names, row),
    )


def _contributions(
    found: Attribution, names: list[str], row: pd.DataFrame
) -> list[tuple[str, Any, float]]:
    """Return the columns, their values and contributions, and the prior; the largest first."""
    values = {str(name): row.iloc[0, j] for j, name in enumerate(row.columns)}
    lines = [("prior", None, float(found.prior[0]))]
    lines += [
        (name, values.get(name), float(part))
        for name, part in zip(names, found.contributions[0], strict=True)
    ]
    return sorted(lines, key=lambda line: -abs(line[2]))


__all__ = ["RowExplanation", "explain_row"]
