"""Other people's classifiers, given columns they can read."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.table_classifier import TableClassifier
from augury.discriminative.readers.matrix_reader import MatrixReader
from augury.instance_weights import weight_parameters, why_unweighted
from augury.validation import check_table, is_estimator


def _gives_probabilities(model: Any) -> bool:
    return hasattr(model.estimator, "predict_proba")


class PreprocessedClassifier(TableClassifier):
    """Any scikit-learn classifier on any table.

    Labels become indicators, with one for a missing value. Numbers are scaled to mean 0 and
    standard deviation 1; a missing number becomes the mean. The classifier gets the classes that
    have rows as 0, 1, …: some classifiers fail on strings, or if a training fold lacks a class.

    Parameters
    ----------
    estimator : scikit-learn classifier

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    estimator_ : the fitted classifier

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> model = PreprocessedClassifier(DecisionTreeClassifier())
    >>> model.fit([["sun"], ["rain"]], ["out", "in"]).predict([["sun"]]).tolist()
    ['out']
    """

    estimator_: Any

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn how columns are read, and fit the classifier."""
        if not is_estimator(self.estimator):
            raise TypeError(
                f"{self._owner}: estimator must be a scikit-learn classifier, got "
                f"{self.estimator!r}"
            )
        X, codes, weight = self._check_training(X, y, sample_weight)
        names = weight_parameters(self.estimator) if weight is not None else ()
        if weight is not None and not names:
            raise ValueError(
                f"{self._owner}: sample_weight must be None, since {why_unweighted(self.estimator)}"
            )
        self._reader = MatrixReader("onehot", "standardize", sparse=False, discretizer=None)
        matrix = self._reader.learn_and_read(X, codes, weight, self._owner)
        self._present, numbered = np.unique(codes, return_inverse=True)
        self.estimator_ = clone(self.estimator).fit(
            matrix, numbered, **dict.fromkeys(names, weight)
        )
        return self

    def _matrix(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._reader.read(check_table(self, X, reset=False))

    def predict(self, X: Any) -> Array:
        """Return the class that the classifier decides for."""
        matrix = self._matrix(X)
        numbered = np.asarray(self.estimator_.predict(matrix), dtype=np.intp).ravel()
        predicted: Array = self.classes_[self._present[numbered]]
        return predicted

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Return p(c | x) of each class, zero for one without rows."""
        matrix = self._matrix(X)
        proba = np.zeros((matrix.shape[0], len(self.classes_)))
        known = self._present[np.asarray(self.estimator_.classes_, dtype=np.intp)]
        proba[:, known] = self.estimator_.predict_proba(matrix)
        return proba


def is_of_another_library(model: Any) -> bool:
    """Return whether a model has a part of another library, which cannot be saved without pickle.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_of_another_library(PreprocessedClassifier(DecisionTreeClassifier()))
    True
    """
    parts = (model, *model.get_params(deep=True).values())
    return any(isinstance(part, PreprocessedClassifier) for part in parts)


__all__ = ["PreprocessedClassifier", "is_of_another_library"]
