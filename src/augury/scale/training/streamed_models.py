"""Which models can be fitted to rows that are never all in memory."""

from typing import Any

from augury.discriminative import LogisticRegression
from augury.generative.bases.generative_classifier import (
    AnyGenerativeClassifier,
    GenerativeClassifier,
)
from augury.generative.leave_one_out import LeavesOneOut
from augury.hybrid import AugmentedClassifier


def check_streamed(model: Any) -> None:
    """Raise unless a model can be fitted to a stream of rows, before any row is read.

    A generative model can if its statistics add, a `LogisticRegression` can, and an
    `AugmentedClassifier` of these can.

    Examples
    --------
    >>> check_streamed(LogisticRegression(C="cv"))
    Traceback (most recent call last):
    ValueError: LogisticRegression: cannot be fitted to a stream of rows: C='cv' compares folds of \
all rows; set C
    """
    if getattr(model, "class_weight", None) is not None:
        raise _refusal(model, "class_weight multiplies weights of rows; give a column of weights")
    if isinstance(model, AugmentedClassifier):
        _check_hybrid(model)
    elif isinstance(model, GenerativeClassifier):
        _check_generative(model)
    elif type(model) is LogisticRegression:
        model._check_parameters()
        if isinstance(model.C, str):
            raise _refusal(model, "C='cv' compares folds of all rows; set C")
    else:
        raise TypeError(
            "augury.scale.fit: estimator must be a generative model, a LogisticRegression or an "
            f"AugmentedClassifier of these, got {model!r}: {type(model).__name__} needs all rows "
            "in memory"
        )


def _check_generative(model: AnyGenerativeClassifier) -> None:
    for method in ("fit", "fit_read"):
        if getattr(type(model), method) is not getattr(GenerativeClassifier, method):
            raise _refusal(model, f"it has a {method} of its own, which needs all rows in memory")
    model._check_can_be_streamed()


def _refusal(model: Any, reason: str) -> ValueError:
    return ValueError(f"{type(model).__name__}: cannot be fitted to a stream of rows: {reason}")


def _check_hybrid(model: AugmentedClassifier) -> None:
    """Raise unless each row's meta-features follow from the row and the inner model."""
    owner, features = type(model).__name__, model._make_features()
    features.check_parameters(owner)
    inner, last = features._first, model._last
    if not isinstance(inner, GenerativeClassifier):
        raise TypeError(
            f"{owner}: estimator must be a generative model of augury when rows are streamed, got "
            f"{inner!r}"
        )
    if type(last) is not LogisticRegression:
        raise TypeError(
            f"{owner}: final_estimator must be a LogisticRegression or None when rows are "
            f"streamed, got {last!r}"
        )
    if features._cv is not None and not (features._cv == "loo" and isinstance(inner, LeavesOneOut)):
        raise ValueError(
            f"{owner}: cv must be 'loo' or None when rows are streamed, got {model.cv!r} with "
            f"{type(inner).__name__}"
        )
    if features.encoding != "as_is" or features.scaling is not None:
        raise ValueError(
            f"{owner}: encoding must be 'as_is' and scaling None when rows are streamed, got "
            f"{features.encoding!r} and {features.scaling!r}"
        )
    check_streamed(inner)
    check_streamed(last)


__all__ = ["check_streamed"]
