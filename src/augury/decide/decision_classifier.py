"""Base class of the classifiers that decide from the probabilities of another classifier."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray, IntegerArray
from augury.bases.attribution import Attribution
from augury.bases.explained_classifier import ExplainedClassifier, attribute
from augury.encode import encode_target, require_two_classes
from augury.fitted_state import check_classes, check_columns_in, check_reads, require
from augury.foreign import Classifier, Labels, Table
from augury.generative import NaiveBayes
from augury.instance_weights import weight_parameters, why_unweighted
from augury.validation import check_table, is_estimator


class DecisionClassifier(
    ExplainedClassifier, MetaEstimatorMixin, ClassifierMixin, BaseEstimator, ABC
):
    """Base class of the classifiers that decide from the probabilities of another classifier.

    Probabilities and explanations are those of the wrapped classifier. A subclass writes
    `_check_parameters`, `_learn` (checked rows → fitted attributes of the decision) and `_decide`
    (probabilities → codes of the decided classes).
    """

    # A parameter of every subclass.
    estimator: Classifier | None

    estimator_: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if is_estimator(self._inner):
            read = get_tags(self._inner).input_tags
            for name in ("allow_nan", "string", "categorical", "positive_only"):
                setattr(tags.input_tags, name, getattr(read, name))
        return tags

    @property
    def _inner(self) -> Classifier:
        return NaiveBayes() if self.estimator is None else self.estimator

    @property
    def _owner(self) -> str:
        return type(self).__name__

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the classifier to all rows, and learn how to decide.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
            Any table that the classifier reads.
        y : class of each row
        sample_weight : weight of each row, which the classifier must take
        """
        inner = self._inner
        if not (is_estimator(inner) and hasattr(inner, "predict_proba")):
            raise TypeError(
                f"{self._owner}: estimator must be a classifier with predict_proba, or None, got "
                f"{self.estimator!r}"
            )
        self._check_parameters()
        X = check_table(self, X, reset=True)
        classes, codes = encode_target(self._owner, y, X.shape[0])
        require_two_classes(self._owner, classes)
        names = weight_parameters(inner)
        if sample_weight is not None and not names:
            raise ValueError(
                f"{self._owner}: sample_weight must be None, since {why_unweighted(inner)}"
            )
        self._learn(X, classes, codes, sample_weight)
        weights = {} if sample_weight is None else dict.fromkeys(names, sample_weight)
        self.estimator_ = clone(inner).fit(X, y, **weights)
        self.classes_ = classes
        return self

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    @abstractmethod
    def _learn(
        self, X: Table, classes: Array, codes: IntegerArray, sample_weight: ArrayLike | None
    ) -> None:
        """Set the fitted attributes that `_decide` needs."""

    @abstractmethod
    def _decide(self, probabilities: FloatArray) -> IntegerArray:
        """Return the codes of the decided classes."""

    # ---- predicting -------------------------------------------------------------------

    def predict(self, X: Table) -> Array:
        """Return the decided class of each row."""
        return self.predict_with_proba(X)[0]

    def predict_proba(self, X: Table) -> FloatArray:
        """Return p(c | x) of the wrapped classifier."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict_proba(X))

    def predict_with_proba(self, X: Table) -> tuple[Array, FloatArray]:
        """Return what `predict` and `predict_proba` return."""
        probabilities = self.predict_proba(X)
        return self.classes_[self._decide(probabilities)], probabilities

    # ---- explaining -------------------------------------------------------------------

    def _check_explained(self, X: Table) -> Table:
        if isinstance(self.estimator_, ExplainedClassifier):
            return self.estimator_._check_explained(X)
        return check_table(self, X, reset=False)

    def _attribute(
        self, X: Table, weights: Array, n_permutations: int | None, terms: Array | None = None
    ) -> Attribution:
        return attribute(self.estimator_, X, weights, n_permutations)

    # ---- checks of a model that is loaded from a file ---------------------------------

    def _check_fitted_state(self) -> None:
        self._check_parameters()
        check_classes(self)
        n_columns = check_columns_in(self)
        part = self.estimator_
        fits = type(part) is type(self._inner) and hasattr(part, "predict_proba")
        require(fits, self, "estimator_", "a fitted copy of estimator")
        own = np.asarray(getattr(part, "classes_", ())).tolist()
        require(own == self.classes_.tolist(), self, "estimator_", "a model of these classes")
        check_reads(self, "estimator_", part, n_columns, getattr(self, "feature_names_in_", None))


__all__ = ["DecisionClassifier"]
