"""Base class of the classifiers that compute log p(c | x) up to a constant."""

from abc import ABC, abstractmethod

import numpy as np

from augury.arrays import Array, IntegerArray
from augury.bases.table_classifier import TableClassifier
from augury.counts import log_normalize, normalize
from augury.encode.columns import slice_rows
from augury.foreign import Table
from augury.memory import require_bytes

# Scores that `predict` keeps at once, and tables of all scores that `predict_proba` makes.
_SCORES_AT_ONCE = 1 << 24
_TABLES_OF_SCORES = 3


class LogScoreClassifier(TableClassifier, ABC):
    """Base class of the classifiers with one score for each row and class.

    The score is log p(c | x) plus a constant of the row, such as log p(c, x). A subclass writes
    `_predict_log_scores`.

    `predict` keeps the scores of at most 2^24 rows × classes at once. `predict_proba` returns all
    of them. It raises before it computes them if they do not fit in memory.
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
        self._require_memory_of_scores(X)
        return log_normalize(self._predict_log_scores(X))

    def predict_proba(self, X: Table) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        self._require_memory_of_scores(X)
        return normalize(self._predict_log_scores(X))

    def predict(self, X: Table) -> Array:
        """Return the most probable class of each row; ties go to the first in `classes_`."""
        n_rows, n_classes = self._shape_of_scores(X)
        if n_rows * n_classes <= _SCORES_AT_ONCE:
            best = self._find_best(self._predict_log_scores(X))
        else:
            best = np.empty(n_rows, dtype=np.intp)
            step = max(1, _SCORES_AT_ONCE // n_classes)
            for start in range(0, n_rows, step):
                rows = slice(start, min(start + step, n_rows))
                best[rows] = self._find_best(self._predict_log_scores(slice_rows(X, rows)))
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        self._require_memory_of_scores(X)
        scores = self._predict_log_scores(X)
        predicted: Array = self.classes_[self._find_best(scores)]
        return predicted, normalize(scores)

    def _require_memory_of_scores(self, X: Table) -> None:
        n_rows, n_classes = self._shape_of_scores(X)
        require_bytes(
            8 * _TABLES_OF_SCORES * n_rows * n_classes,
            f"the scores of {n_rows:,} rows in {n_classes:,} classes",
            owner=self._owner,
            advice="pass fewer rows at once, or call predict",
        )

    def _shape_of_scores(self, X: Table) -> tuple[int, int]:
        """Return the numbers of rows and classes; 0 for a list, and for a model without a fit.

        Neither has been checked yet: `_predict_log_scores` raises if something is wrong.
        """
        shape: tuple[int, ...] = getattr(X, "shape", ())
        return shape[0] if len(shape) == 2 else 0, len(getattr(self, "classes_", ()))
