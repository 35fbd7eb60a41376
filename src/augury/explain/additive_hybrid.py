"""Terms of a regression on columns and on log odds of an additive model, by column."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from augury.arrays import FloatArray
from augury.discriminative import LogisticRegression
from augury.errors import PictureError
from augury.explain.additive_terms import AdditiveTerms, ColumnTerms, NumberTerm
from augury.explain.terms_of_models import additive_terms
from augury.hybrid import AugmentedClassifier

# Log odds of the first model beyond this number are cut off when they become meta-features.
_LARGEST_LOG_ODDS = 700.0


def terms_of_log_odds_hybrid(model: AugmentedClassifier) -> AdditiveTerms:
    """Return the terms of an `AugmentedClassifier`, of the original columns only.

    The final regression is linear in the log odds of the first model, which are a sum over the
    columns: a column has its own term in the regression, and its term in the first model times the
    coefficients of the log odds.

    Raises
    ------
    PictureError
        If a model of the hybrid has another form, or the log odds of the first model may be so
        large that they are cut off.
    """
    features, last = model.features_, model.final_estimator_
    fits = (
        features.output == "log_odds"
        and features.encoding in ("as_is", "none")
        and type(last) is LogisticRegression
    )
    if not fits:
        raise _refusal(model, "the final model must be a LogisticRegression on columns as they are")
    first, final = additive_terms(features.estimator_), additive_terms(last)
    n_meta = len(features.augmented_names_)
    own, meta = final.columns[:-n_meta], final.columns[-n_meta:]
    if any(len(_cuts(column)) or column.number is None for column in meta):
        raise _refusal(model, "the final model cuts the log odds into intervals")
    if len(first.classes) != len(model.classes_) or not first.is_known.all():
        raise _refusal(model, "the first model does not have all classes")
    _check_log_odds(model, first)
    mix, constant = _mix_of_scores(model, meta, len(first.classes))
    columns = [_mixed(column, mix) for column in first.columns]
    if own:
        columns = [_sum(model, a, b) for a, b in zip(own, columns, strict=True)]
    return AdditiveTerms(
        model.classes_[np.asarray(final.classes, dtype=np.intp)],
        final.is_known,
        final.intercept + constant + first.intercept @ mix,
        columns,
        first.read,
    )


def _mix_of_scores(
    model: AugmentedClassifier, meta: list[ColumnTerms], n_classes: int
) -> tuple[FloatArray, FloatArray]:
    """Return M and k: scores s of the first model add s M + k to the scores of the final model."""
    contrast = np.eye(n_classes) - 1 / n_classes
    if n_classes == 2:
        contrast = np.array([[-1.0], [1.0]])
    scaler = model.features_._scaler
    terms = [column.number for column in meta if column.number is not None]
    slopes = np.stack([term.coefficients[1] for term in terms])
    shifts = scaler._shift / scaler._width + np.array([term.origin for term in terms])
    # A column without cut points has one interval.
    constants = [term.coefficients[0] for term in terms]
    constants += [column.scores[0] for column in meta if len(column.scores)]
    constant = np.sum(constants, axis=0) - shifts @ slopes
    return (contrast / scaler._width) @ slopes, constant


def _check_log_odds(model: AugmentedClassifier, first: AdditiveTerms) -> None:
    """Raise if values exist for which the log odds of the first model are cut off."""
    ranges = [float(np.ptp(first.intercept))]
    for column in first.columns:
        if column.number is not None:
            raise _refusal(
                model, f"the first model has unlimited log odds of the numbers in {column.name!r}"
            )
        scores = np.vstack([column.scores, column.missing, column.unseen])
        ranges.append(float(np.ptp(scores, axis=1).max()))
    if sum(ranges) >= _LARGEST_LOG_ODDS:
        raise _refusal(model, f"log odds of the first model may be above {_LARGEST_LOG_ODDS:g}")


def _mixed(column: ColumnTerms, mix: FloatArray) -> ColumnTerms:
    return replace(
        column,
        scores=column.scores @ mix,
        missing=column.missing @ mix,
        unseen=column.unseen @ mix,
    )


def _sum(model: AugmentedClassifier, one: ColumnTerms, other: ColumnTerms) -> ColumnTerms:
    """Return the sum of two terms of a column, with the cut points of both."""
    missing, unseen = one.missing + other.missing, one.unseen + other.unseen
    if one.is_number != other.is_number or (not one.is_number and one.labels != other.labels):
        raise _refusal(model, f"its models read column {one.name!r} in different ways")
    if not one.is_number:
        return replace(one, scores=one.scores + other.scores, missing=missing, unseen=unseen)
    cuts = np.unique(np.concatenate([_cuts(one), _cuts(other)]))
    ends = np.append(cuts, np.inf)
    scores = _at_intervals(one, ends) + _at_intervals(other, ends)
    # Neither a state of missing values nor unseen labels are among the intervals.
    labels = ["number"] * len(scores)
    number: NumberTerm | None = one.number
    return ColumnTerms(one.name, labels, scores, cuts, number, missing, unseen)


def _cuts(column: ColumnTerms) -> FloatArray:
    return np.empty(0) if column.cuts is None else column.cuts


def _at_intervals(column: ColumnTerms, ends: FloatArray) -> FloatArray:
    """Return the scores of the intervals that end at these numbers."""
    if column.cuts is None or not len(column.scores):
        return np.zeros((len(ends), len(column.missing)))
    return column.scores[np.searchsorted(column.cuts, ends, side="left")]


def _refusal(model: AugmentedClassifier, reason: str) -> PictureError:
    return PictureError(
        f"the log odds of this {type(model).__name__} are not a sum over its columns: {reason}"
    )


__all__ = ["terms_of_log_odds_hybrid"]
