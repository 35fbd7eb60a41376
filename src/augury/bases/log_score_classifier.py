"""Base class of the classifiers that compute log p(c | x) up to a constant."""

from abc import ABC, abstractmethod

import numpy as np

from augury.arrays import Array, IntegerArray
from augury.bases.table_classifier import TableClassifier
from augury.counts import log_normalize, normalize
from augury.foreign import Table


class LogScoreClassifier(TableClassifier, ABC):
    """Base class of the classifiers with one score for each row and class.

    The score is log p(c | x) plus a constant of the row, such as log p(c, x). A subclass writes
    `_predict_log_scores`.
    """

    @abstractmethod
    def _predict_log_scores(self, X: Table) -> Array:
        """Return the scores of the rows, of shape (n_samples, n_classes)."""

    def _find_best(self, scores: Array) -> IntegerArray:
        """Return the first class with the largest score of each row."""
        best: IntegerArray = np.argmax(scores, axis=1)
        return best

    def _explained_scores(self, X: Table) -> Array:
        return self._predict_log_scores(X)

    def predict_log_proba(self, X: Table) -> Array:
        """Return log p(c | x) for each row and class."""
        return log_normalize(self._predict_log_scores(X))

    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        return normalize(self._predict_log_scores(X))

    def predict(self, X: Table) -> Array:
        """Return the most probable class of each row; ties go to the first in `classes_`."""
        best = self._find_best(self._predict_log_scores(X))
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        scores = self._predict_log_scores(X)
        predicted: Array = self.classes_[self._find_best(scores)]
        return predicted, normalize(scores)
