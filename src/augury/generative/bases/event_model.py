"""Base class of the event models for texts and counts."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse

from augury.arrays import Array, BoolArray, IntegerArray
from augury.counts.event_counts import (
    CountMatrix,
    EventCounts,
    fill_missing,
    missing_values,
)
from augury.counts.smoothing import floored_log
from augury.encode import TableEncoder
from augury.encode.count_encoder import CountEncoder, feature_sums
from augury.fitted_state import LARGEST_COUNT, check_floats, check_logs, check_part, require
from augury.foreign import Labels, Table
from augury.generative.bases.explains_log_odds import ExplainsLogOdds
from augury.generative.bases.generative_classifier import GenerativeClassifier
from augury.memory import require_bytes
from augury.validation import (
    check_choice,
    check_distribution,
    check_number,
    check_table,
    is_word_indices,
)

# Bound of the logarithms of probabilities and rates; floored_log keeps them above -745.
_LARGEST_WEIGHT = 1e4


class EventModel(ExplainsLogOdds, GenerativeClassifier[EventCounts]):
    """Base class of the models whose log p(c, x) is linear in the counts.

    log p(c, x) = log p(c) + Σ_j (z_jc + x_j w_jc) - Σ_j h(x_j), where z is the term of a
    count of zero, and h does not depend on the class. The sum over all z is computed once.
    The time for a row therefore depends on its nonzero counts only, and a sparse matrix stays
    sparse.

    A subclass writes `_estimate_terms` (statistics → z and w). It overrides `_to_counts` to
    convert numbers to counts, and `_log_carrier` if it has an h. Rows are read as a matrix of
    counts, dense or CSR; `augury.encode.WordIndices` become CSR.
    """

    alpha: float
    priors: ArrayLike | None
    encoder_: Any  # a CountEncoder; that of the other models is a TableEncoder

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags

    # ---- terms: a subclass writes these -----------------------------------------------

    @abstractmethod
    def _estimate_terms(self, statistics: EventCounts) -> tuple[Array | None, Array]:
        """Return z (None: all zero) and w, of shape (n_columns, n_classes)."""

    def _to_counts(self, numbers: CountMatrix) -> CountMatrix:
        """Return the counts of numbers (dense or CSR, NaN: missing), or raise."""
        values = numbers.data if issparse(numbers) else numbers
        # fmin ignores NaN.
        if values.size and np.fmin.reduce(values, axis=None) < 0:
            raise self._bad_value(numbers, values < 0, "counts >= 0", "Negative values in data")
        return numbers

    def _log_carrier(self, counts: Array) -> tuple[Array, Array] | None:
        """Return a mask of the counts whose h is not 0, and these h; None if every h is 0."""
        return None

    # ---- reading ----------------------------------------------------------------------

    def _check_parameters(self) -> None:
        check_number(self._owner, "alpha", self.alpha, at_least=0)
        check_choice(self._owner, "missing", self.missing, ("state", "replace", "ignore"))
        self._n_threads()

    def _check_input(self, X: Table, *, reset: bool) -> Table:
        X = check_table(self, X, reset=reset, accept_sparse=True)
        if not issparse(X):
            # Boolean values are counts of 0 and 1 here, not labels.
            return X.view(np.uint8) if isinstance(X, np.ndarray) and X.dtype.kind == "b" else X
        if X.dtype.kind == "b":
            X = X.astype(np.uint8)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        # The minimum and the maximum are NaN if one of the values is.
        if X.nnz and X.dtype.kind == "f" and not np.isfinite([X.data.min(), X.data.max()]).all():
            raise ValueError(self._describe_not_finite(X))
        return X

    def _collect_more(
        self,
        X: Table,
        y: Labels,
        sample_weight: ArrayLike | None,
        unseen: dict[str, list[Hashable]] | None = None,
    ) -> EventCounts:
        # `unseen` is given by `partial_fit`, which warns of unseen labels in the same way.
        if unseen is not None and is_word_indices(X):
            n_unseen = X.count_from(self.n_features_in_)
            if n_unseen:
                warnings.warn(
                    f"{self._owner}: {n_unseen} words have indices above the vocabulary of the "
                    f"first call to partial_fit ({self.n_features_in_} words), they are left out. "
                    "Give WordIndices of the first call n_words",
                    stacklevel=3,
                )
        return super()._collect_more(X, y, sample_weight, unseen)

    def _describe_not_finite(self, X: CountMatrix) -> str:
        k = int(np.argmax(~np.isfinite(X.data)))
        return (
            f"{self._owner}: column 'x{X.indices[k]}' of a sparse matrix must be finite, got "
            f"{X.data[k]} (Input X contains {'NaN' if np.isnan(X.data[k]) else 'infinity'}): "
            "what is not stored is 0; a dense array may have missing values"
        )

    def _bad_value(self, numbers: CountMatrix, wrong: Array, allowed: str, hint: str) -> ValueError:
        """Return the error for the first wrong value; it names the column."""
        first = int(np.argmax(wrong))
        if issparse(numbers):
            column, value = int(numbers.indices[first]), numbers.data[first]
        else:
            column, value = first % numbers.shape[1], numbers.reshape(-1)[first]
        return ValueError(
            f"{self._owner}: column {self.encoder_.number_name(column)!r} must be {allowed}, got "
            f"{value} ({hint})"
        )

    def _new_encoder(self) -> CountEncoder:
        return CountEncoder(self.categorical_features, self.missing, self.n_jobs)

    def _read_training(self, X: Table, y: Array, weight: Array | None) -> CountMatrix:
        self.encoder_ = self._new_encoder()
        columns = self.encoder_.learn_and_encode(X, y, weight, self._owner)
        return columns.join(self._to_counts(columns.numbers))

    def _learn_reading(self, X: Table, y: Array, weight: Array | None) -> None:
        self.encoder_ = self._new_encoder().learn(X, y, weight, self._owner)

    def _learn_reading_from(
        self, learn: Callable[[TableEncoder], TableEncoder], first: Table
    ) -> None:
        self.encoder_ = self._new_encoder().learn_from(learn, first)

    def _read(self, X: Table) -> CountMatrix:
        columns = self.encoder_.encode(X)
        return columns.join(self._to_counts(columns.numbers))

    # ---- estimating and predicting ----------------------------------------------------

    def _collect(self, matrix: CountMatrix, y: Array, weight: Array | None) -> EventCounts:
        return EventCounts.collect(matrix, y, len(self.classes_), weight)

    def _estimate(self, statistics: EventCounts) -> None:
        if self.priors is None:
            priors = statistics.class_counts / statistics.class_counts.sum()
        else:
            priors = check_distribution(self._owner, "priors", self.priors, len(self.classes_))
        self.log_prior_: Array = floored_log(priors)
        self._log_zero, self._log_weights = self._estimate_terms(statistics)
        zeros = 0.0 if self._log_zero is None else self._log_zero.sum(axis=0)
        self._log_empty_row = self.log_prior_ + zeros

    def _check_encoder(self) -> TableEncoder | None:
        encoder = check_part(self, "encoder_", CountEncoder)
        encoder._check_fitted_state()
        table_encoder: TableEncoder | None = encoder._table_encoder
        if table_encoder is None:
            fits = encoder.n_columns == self.n_features_in_
            require(fits, self, "encoder_", "one of its columns")
        return table_encoder

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        shape = self.encoder_.n_columns, len(self.classes_)
        statistics = check_part(self, "statistics_", EventCounts)
        require(statistics.sums.shape == shape[::-1], self, "statistics_", "of its columns")
        check_logs(self, "log_prior_", shape[1])
        check_floats(self, "_log_weights", *shape, low=-_LARGEST_WEIGHT, high=_LARGEST_WEIGHT)
        largest = LARGEST_COUNT  # the bound of Poisson rates
        check_floats(self, "_log_empty_row", shape[1], low=-largest, high=largest)
        if self._log_zero is not None:
            check_floats(self, "_log_zero", *shape, low=-largest, high=largest)

    def _log_joint(self, matrix: CountMatrix) -> Array:
        joint: Array = matrix @ self._log_weights
        # The product of a row with a missing value is NaN.
        rows = np.flatnonzero(np.isnan(joint[:, 0]))
        if len(rows):
            part = matrix[rows]
            missing = missing_values(part)
            joint[rows] = fill_missing(part, missing) @ self._log_weights
            if self._log_zero is not None:
                joint[rows] -= missing @ self._log_zero
        joint += self._log_empty_row
        return self._subtract_carrier(joint, matrix)

    def _subtract_carrier(self, joint: Array, matrix: CountMatrix) -> Array:
        carrier = self._log_carrier(matrix.data if issparse(matrix) else matrix)
        if carrier is not None:
            where, h = carrier
            if issparse(matrix):
                rows = np.searchsorted(matrix.indptr, np.flatnonzero(where), side="right") - 1
            else:
                rows = np.repeat(np.arange(len(joint)), np.count_nonzero(where, axis=1))
            joint -= np.bincount(rows, h, len(joint))[:, None]
        return joint

    def _log_terms(self, matrix: CountMatrix) -> tuple[list[str], Array]:
        require_bytes(
            3 * 8 * matrix.shape[0] * matrix.shape[1] * len(self.classes_),
            f"the log factors of {matrix.shape[0]:,} rows and {matrix.shape[1]:,} columns",
            owner=f"{self._owner}.explain",
            advice="explain fewer rows at a time",
        )
        counts = matrix.toarray() if issparse(matrix) else matrix
        terms = counts[:, :, None] * self._log_weights
        if self._log_zero is not None:
            terms += self._log_zero
        terms[np.isnan(counts)] = 0.0
        carrier = self._log_carrier(counts)
        if carrier is not None:
            where, h = carrier
            terms[where] -= h[:, None]
        if self.encoder_.has_indicators:
            terms = feature_sums(terms, self.encoder_.starts)
        prior = np.broadcast_to(self.log_prior_, (len(counts), 1, len(self.classes_)))
        return ["prior", *self.encoder_.features], np.concatenate([prior, terms], axis=1)

    def _source_columns(self, names: list[str]) -> IntegerArray:
        columns: IntegerArray = self.encoder_.source_columns()
        return columns

    def _leaving_out(self, matrix: CountMatrix) -> Callable[[IntegerArray, BoolArray], Array]:
        """Return a function from rows and masks to counts; a column that is left out is NaN."""
        require_bytes(
            8 * matrix.shape[0] * matrix.shape[1],
            f"the counts of {matrix.shape[0]:,} rows and {matrix.shape[1]:,} columns",
            owner=f"{self._owner}.explain",
            advice="explain fewer rows at a time",
        )
        counts = matrix.toarray() if issparse(matrix) else matrix
        column_of = np.repeat(self.encoder_.source_columns(), np.diff(self.encoder_.starts))
        return lambda rows, known: np.where(known[:, column_of], counts[rows], np.nan)
