"""Base class of the models that read tables with a `TableEncoder`."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from augury.arrays import Array, BoolArray, IntegerArray
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import LeftOutCodes
from augury.counts import FeatureCounts
from augury.encode import TableEncoder
from augury.encode.discretizers.learned_cuts import Discretizer
from augury.encode.requested_columns import RequestedColumns
from augury.fitted_state import check_part, require
from augury.foreign import Table
from augury.generative.bases.training_rows import ReadRows
from augury.kernels.row_threads import over_rows
from augury.memory import columns_named
from augury.validation import check_table, check_threads


class EncodedClassifier(LogScoreClassifier):
    """Base class of the models that encode a table before they use it.

    `encoder_` is learned from the training rows, and reads all later rows in the same way. A
    subclass overrides `_make_encoder` for other parameters of the encoder, or the methods under
    "reading" for another encoder.
    """

    encoder_: TableEncoder

    # Parameters of every model; each subclass states them in its own __init__.
    categorical_features: RequestedColumns
    missing: str
    discretizer: Discretizer
    n_jobs: int | None

    def _naming_columns(self) -> AbstractContextManager[None]:
        """Return a context in which an error about memory names the model and its columns."""
        return columns_named(self._owner, getattr(self.encoder_, "table_names_", []))

    def _n_threads(self) -> int:
        return check_threads(self._owner, self.n_jobs)

    def _find_best(self, scores: Array) -> IntegerArray:
        best = np.empty(len(scores), dtype=np.intp)
        over_rows(
            lambda start, stop: np.argmax(scores[start:stop], axis=1, out=best[start:stop]),
            scores.shape,
            self._n_threads(),
        )
        return best

    def _make_encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )

    # ---- reading ----------------------------------------------------------------------

    def _check_input(self, X: Table, *, reset: bool) -> Table:
        """Return X as a table with the model's columns, or raise."""
        return check_table(self, X, reset=reset)

    def _read_training(self, X: Table, y: Array, weight: Array | None) -> ReadRows:
        """Learn how to read, and return the training rows as read."""
        self.encoder_ = self._make_encoder()
        return self.encoder_.learn_and_encode(X, y, weight, self._owner)

    def _learn_reading(self, X: Table, y: Array, weight: Array | None) -> None:
        """Learn how to read, without keeping what was read."""
        self.encoder_ = self._make_encoder().learn(X, y, weight, self._owner)

    def _learn_reading_from(
        self, learn: Callable[[TableEncoder], TableEncoder], first: Table
    ) -> None:
        """Learn how to read from a function that fits an encoder to rows that are not in memory.

        `first` are the first rows.
        """
        self.encoder_ = learn(self._make_encoder())

    def _read(self, X: Table) -> ReadRows:
        """Return rows as `_collect` and `_log_joint` take them."""
        return self.encoder_.encode(X)

    def _check_explained(self, X: Table) -> Table:
        return self._check_input(X, reset=False)

    def _leaving_out(self, read: ReadRows) -> Callable[[IntegerArray, BoolArray], ReadRows]:
        """Return a function from rows and masks of known columns to rows as read."""
        return LeftOutCodes(read, self.encoder_)

    # ---- checks of a model that is loaded from a file ---------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        encoder = self._check_encoder()
        if encoder is not None:
            fits = encoder.n_features_in_ == self.n_features_in_
            require(fits, self, "encoder_", "of its columns")

    def _check_encoder(self) -> TableEncoder | None:
        """Raise unless `encoder_` is one that the model can use; return its encoder of labels."""
        encoder: TableEncoder = check_part(self, "encoder_", TableEncoder)
        return encoder

    def _check_feature_counts(self, counts: FeatureCounts) -> None:
        """Raise unless the counts are of the model's classes and encoded columns."""
        fits = (
            isinstance(counts, FeatureCounts)
            and np.array_equal(counts.n_states, self.encoder_.n_states_)
            and len(counts.class_counts) == len(self.classes_)
        )
        require(fits, self, "statistics_", "counts of its classes and columns")
        counts._check_fitted_state()
