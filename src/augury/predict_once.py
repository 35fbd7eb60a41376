"""Predicted classes and class probabilities of rows, computed once.

scikit-learn's interface has two methods, `predict` and `predict_proba`. Whoever needs both asks
a model twice, and the model reads the rows twice. The predicted class cannot be derived from the
probabilities: a model of log p(c, x) decides by the logarithms, and several classes may round to
the same probability; other classifiers decide by something else, such as a margin or a threshold.

augury's classifiers therefore have a third method, `predict_with_proba`, which returns both from
one matrix. `predict_once` calls it where it can, also behind the steps of a Pipeline.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol, TypeGuard

import numpy as np
from sklearn.pipeline import Pipeline

from augury.arrays import Array
from augury.foreign import Table


class PredictsWithProba(Protocol):
    """A fitted classifier that computes both predictions from one matrix."""

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Predictions of a fitted classifier.

    Attributes
    ----------
    predicted : array of shape (n_rows,)
        The predicted class of each row.
    probabilities : array of shape (n_rows, n_classes) or None
        p(c | x), in the order of the model's `classes_`; None if the model has none.
    seconds : float
        Wall-clock time until `predicted` was known. For a model with `predict_with_proba` it
        includes the time of the probabilities.
    """

    predicted: Array
    probabilities: Array | None
    seconds: float


def predict_once(fitted: Any, X: Table) -> Predictions:
    """Return the predicted classes and the class probabilities of rows.

    Parameters
    ----------
    fitted : scikit-learn classifier
        The steps of a Pipeline transform the rows once. A classifier without
        `predict_with_proba`, which is any classifier of another library, is called twice: by
        `predict` and by `predict_proba`. So is one that overrides `predict` or `predict_proba`
        of the class that has `predict_with_proba`.
    X : rows

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> found = predict_once(GaussianNB().fit([[0.0], [1.0]], ["a", "b"]), [[0.0]])
    >>> found.predicted, found.probabilities
    (array(['a'], dtype='<U1'), array([[1., 0.]]))
    """
    start = perf_counter()
    while type(fitted) is Pipeline:
        *before, (_, last) = fitted.steps
        for _, step in before:
            if step is not None and step != "passthrough":
                X = step.transform(X)
        fitted = last
    if has_predict_with_proba(fitted):
        predicted, probabilities = fitted.predict_with_proba(X)
        return Predictions(np.asarray(predicted), probabilities, perf_counter() - start)
    predicted = np.asarray(fitted.predict(X))
    seconds = perf_counter() - start
    if not hasattr(fitted, "predict_proba"):
        return Predictions(predicted, None, seconds)
    return Predictions(predicted, np.asarray(fitted.predict_proba(X)), seconds)


def has_predict_with_proba(fitted: Any) -> TypeGuard[PredictsWithProba]:
    """Return whether a model has `predict_with_proba`, and no subclass changed what it predicts.

    >>> class Model:
    ...     predict = predict_proba = predict_with_proba = lambda self, X: None
    >>> class Contrary(Model):
    ...     predict = lambda self, X: None
    >>> has_predict_with_proba(Model()), has_predict_with_proba(Contrary())
    (True, False)
    """
    if not hasattr(fitted, "predict_with_proba"):
        return False
    names = ("predict_with_proba", "predict", "predict_proba")
    own, *others = (_place_of(type(fitted), name) for name in names)
    return own <= min(others)


def _place_of(kind: type, method: str) -> int:
    """Return the place of the class that defines a method, in the order of lookup."""
    order = kind.__mro__
    found = (place for place, each in enumerate(order) if method in vars(each))
    return next(found, len(order))


__all__ = ["Predictions", "PredictsWithProba", "has_predict_with_proba", "predict_once"]
