"""Base class of the models that estimate class probabilities without the row itself."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts import normalize
from augury.encode import CategoricalTable, code_known_classes, row_blocks, slice_rows
from augury.foreign import Labels, Table
from augury.generative.bases.generative_classifier import GenerativeClassifier
from augury.generative.bases.statistics import S
from augury.generative.bases.training_rows import ReadRows, TrainingRows


class LeavesOneOut(GenerativeClassifier[S]):
    """Base class of the models that can subtract a row from their statistics.

    A subclass writes `_log_joint_without`: log p(c, x) of training rows, each by the model
    fitted without that row. `leave_one_out_proba` follows, and hybrids use it for their
    meta-features (`cv="loo"`). The functions of `augury.generative.leave_one_out` subtract
    rows from counts and moments.
    """

    def leave_one_out_proba(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> Array:
        """Return p(c | x) of training rows, each by the model fitted without that row.

        Only counts and moments leave the row out. Cut points, states, replacements of missing
        values, the structure and the weights of columns are those of all rows. Naive Bayes
        takes about twice the time of `predict_proba`.

        Parameters
        ----------
        X, y, sample_weight : as in `fit`, all rows or some of them
            Weights are numbers of rows, and one row is left out: two of a row of weight 3
            remain, and a row of weight 0.4 is left out completely.

        Examples
        --------
        Without its own row, "no" has the prior 1/4 and p(rain | no) = 1/2 by Laplace's rule;
        "yes" has 3/4 and p(rain | yes) = 1/4.

        >>> from augury.generative import NaiveBayes
        >>> X, y = [["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"]
        >>> NaiveBayes().fit(X, y).leave_one_out_proba(X, y)[2]
        array([0.4, 0.6])
        """
        return self._proba_without(self._read_again(X, y, sample_weight))

    def leave_one_out_read(self, training: TrainingRows) -> Array:
        """Return `leave_one_out_proba` of training rows that the model has read; for hybrids."""
        return self._proba_without(training)

    def _read_again(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None
    ) -> Iterator[tuple[ReadRows, Array, Array | None]]:
        """Yield training rows as read, with the codes of their classes and their weights."""
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = self._weight_as_fitted(sample_weight, codes)
        for rows in row_blocks(X):
            read = self._read(slice_rows(X, rows))
            yield read, codes[rows], None if weight is None else weight[rows]

    def _proba_without(self, blocks: Iterable[tuple[ReadRows, Array, Array | None]]) -> Array:
        parts = [normalize(joint) for joint in self._joints_without(blocks)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _joints_without(
        self, blocks: Iterable[tuple[ReadRows, Array, Array | None]]
    ) -> Iterator[Array]:
        """Yield `_log_joint_without` of each block; raise if a row was not counted."""
        n_before = 0
        for read, y, weight in blocks:
            joint = self._log_joint_without(read, y, weight_left_out(weight, len(y)))
            self._require_counted(joint, n_before)
            n_before += len(y)
            yield joint

    def _require_counted(self, joint: Array, n_before: int = 0) -> None:
        """Raise if a row is NaN: it is not among the rows of the statistics."""
        not_counted = np.isnan(joint).any(axis=1)
        if not_counted.any():
            raise ValueError(
                f"{self._owner}: X, y and sample_weight must be rows that the model was fitted to, "
                f"got another in row {n_before + int(np.argmax(not_counted))}"
            )

    @abstractmethod
    def _log_joint_without(self, table: CategoricalTable, y: Array, weight: Array) -> Array:
        """Return log p(c, x) of each row by the model without this weight of the row.

        The shape is (n_samples, n_classes); a row that the model has not counted is NaN.
        """


def weight_left_out(weight: Array | None, n_rows: int) -> Array:
    """Return the weight that is left out of each row: one row, or all of it if it weighs less.

    So a row of weight 3 has the same result as each of three equal rows.
    """
    return np.ones(n_rows) if weight is None else np.minimum(weight, 1.0)


__all__ = ["LeavesOneOut", "weight_left_out"]
