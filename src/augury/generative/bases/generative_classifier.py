"""What every model of p(c, x) has in common."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager
from copy import copy
from functools import reduce
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts import FeatureCounts, log_normalize, normalize
from augury.encode import (
    CategoricalTable,
    TableEncoder,
    code_known_classes,
    declares_classes,
    encode_target,
    require_two_classes,
    row_blocks,
    slice_rows,
    take_rows,
)
from augury.fitted_state import check_classes, check_columns_in, check_part, require
from augury.foreign import Table
from augury.memory import columns_named
from augury.validation import (
    check_sample_weight,
    check_table,
    check_threads,
    check_training_weight,
    share_unit,
    shares_to_rows,
    warn_of_light_weights,
)


class TrainingRows:
    """The training rows as the model reads them, in blocks; may be gone through again.

    What is collected adds, so blocks are as good as the whole, and the memory beyond
    the input does not grow with the rows. Few rows are one block and are read once.
    """

    def __init__(self, model: "GenerativeClassifier", X: Any, y: Array, weight: Array | None):
        self.model, self.X, self.y, self.weight = model, X, y, weight
        self.blocks = row_blocks(X)
        self.read_once = None
        if len(self.blocks) == 1:
            self.read_once = model._read_training(X, y, weight)
        else:
            model._learn_reading(X, y, weight)

    def reweighted(self, weight: Array) -> "TrainingRows":
        """Return the same rows with other weights; they are not read anew.

        Where the rows are in memory, those of weight zero are left out.
        """
        other = copy(self)
        other.weight = weight
        if self.read_once is not None:
            other.X = None  # has been read: not to be sent to another process
            if not weight.all():
                rows = np.flatnonzero(weight)
                other.y, other.weight = self.y[rows], weight[rows]
                other.read_once = take_read(self.read_once, rows)
        return other

    def __iter__(self) -> Iterator[tuple[Any, Array, Array | None]]:
        if self.read_once is not None:
            yield self.read_once, self.y, self.weight
            return
        for rows in self.blocks:
            weight = None if self.weight is None else self.weight[rows]
            yield self.model._read(slice_rows(self.X, rows)), self.y[rows], weight


def take_read(read: Any, rows: Array) -> Any:
    """Return some rows of what a model has read: a `CategoricalTable` or a matrix."""
    return read.take(rows) if isinstance(read, CategoricalTable) else read[rows]


class GenerativeClassifier(ClassifierMixin, BaseEstimator, ABC):
    """Base of the models of p(c, x): collect statistics, estimate, and look up.

    A model writes `_collect` (rows → statistics that add), `_estimate` (statistics →
    parameters) and `_log_joint` (rows → log p(c, x)); `fit` and all `predict…` follow.
    One whose structure must be known before it can count also writes
    `_learn_structure`. Rows are a `CategoricalTable`, unless a model reads otherwise.
    """

    # Parameters of every model; each subclass states them in its own __init__.
    categorical_features: Any
    missing: str
    discretizer: Any
    n_jobs: int | None

    # The constant of weights that were shares in `fit`, see `share_unit`.
    _share_unit: tuple[float, float] | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the model.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row
            Weights are numbers of rows: a whole number stands for so many equal rows,
            zero for none. Smoothing and cut points depend on their sum. Weights that sum
            to at most 1 are shares, as scikit-learn's meta-estimators pass them: `fit`
            multiplies them by a constant so that their mean over the rows with a positive
            weight is 1. `partial_fit` and `collect` do not, because batches add.
        """
        return self.fit_read(self.read_training(X, y, sample_weight))

    def read_training(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> TrainingRows:
        """Learn how to read, and return the training rows as read; for ensembles.

        Members of an ensemble differ in weights, not in what they read: each is
        estimated by `fit_read` of the rows, `reweighted`.
        """
        self._check_parameters()
        X = self._check_input(X, reset=True)
        classes, codes = encode_target(self._owner, y, X.shape[0])
        require_two_classes(self._owner, classes)
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        # Kept for later calls that may have some of the rows only.
        self._share_unit = None if weight is None else share_unit(weight)
        weight = check_training_weight(self._owner, weight, X.shape[0], stacklevel=4)
        return self._read_first(X, codes, classes, weight)

    def fit_read(self, training: TrainingRows) -> Self:
        """Estimate the model from rows that it, or a clone of it, has read."""
        if training.model is not self:
            self._check_parameters()
            for name in ("classes_", "encoder_", "n_features_in_", "feature_names_in_"):
                if hasattr(training.model, name):
                    setattr(self, name, getattr(training.model, name))
        with self._naming_columns():
            self._learn_structure(training)
            return self._adopt(reduce(add, (self._collect(*block) for block in training)))

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add rows to what the model has seen; the first call learns how to encode.

        States and cut points are those of the first call: declare categories (pandas
        category dtype) that come only later. A label that the first call did not know
        is left out, with a warning.

        Parameters
        ----------
        X, y : as in `fit`
        sample_weight : weight of each row, a number of rows, whatever the sum
        classes : all classes
            Needed in the first call, unless y is a pandas categorical or a polars Enum.
        """
        if not hasattr(self, "statistics_"):
            return self._fit_first_batch(X, y, classes, sample_weight)
        if classes is not None and not np.array_equal(np.sort(np.asarray(classes)), self.classes_):
            raise ValueError(
                f"{self._owner}: classes must be those of the first call to partial_fit, "
                f"{self.classes_.tolist()}, got {np.asarray(classes).tolist()}"
            )
        self._check_parameters()
        unseen: dict[str, list[Hashable]] = {}
        more = self._collect_more(X, y, sample_weight, unseen)
        for name, labels in unseen.items():
            warnings.warn(
                f"{self._owner}: column {name!r} has labels that the first call to partial_fit did "
                f"not know, they are left out: {labels[:5]}. Declare all labels as pandas "
                "categories",
                stacklevel=2,
            )
        with self._naming_columns():
            return self._adopt(self.statistics_ + more)

    def collect(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Any:
        """Return the statistics of more rows, encoded as the fitted model encodes.

        Statistics of parts add to those of the whole; `fit_statistics` takes the sum. Weights
        are numbers of rows, whatever their sum.
        """
        check_is_fitted(self)
        return self._collect_more(X, y, sample_weight)

    def _collect_more(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        unseen: dict[str, list[Hashable]] | None = None,
    ) -> Any:
        """Collect, and note the labels in `unseen` that the encoder does not know."""
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        parts = []
        for rows in row_blocks(X):
            block = slice_rows(X, rows)
            read = self._read(block)
            # A table that leaves nothing out has no such label, and is not read again.
            if unseen is not None and not (
                isinstance(read, CategoricalTable) and not read.leaves_out()
            ):
                for name, labels in self.encoder_.unseen_labels(block).items():
                    unseen.setdefault(name, []).extend(labels)
            with self._naming_columns():
                part = self._collect(read, codes[rows], None if weight is None else weight[rows])
            parts.append(part)
        with self._naming_columns():
            return reduce(add, parts)

    def fit_statistics(self, statistics: Any) -> Self:
        """Estimate the model from statistics that `collect` has returned, or a sum of them.

        They must be of this model: only then does each number stand for the same class
        and state. That they have as many classes and states is checked.
        """
        check_is_fitted(self, "statistics_")
        with self._naming_columns():
            self._check_statistics(statistics)
            return self._adopt(statistics)

    def _check_statistics(self, statistics: Any) -> None:
        own = type(self.statistics_)
        if not isinstance(statistics, own):
            raise TypeError(
                f"{self._owner}: statistics must be {own.__name__}, got {statistics!r:.80}"
            )
        try:
            self.statistics_ + statistics  # what describes the same columns adds
        except ValueError as error:
            raise ValueError(
                f"{self._owner}: statistics must be of this model's classes and columns: {error}"
            ) from None

    def _adopt(self, statistics: Any) -> Self:
        self._estimate(statistics)
        self.statistics_ = statistics
        return self

    def _fit_first_batch(
        self, X: Any, y: ArrayLike, classes: ArrayLike | None, sample_weight: ArrayLike | None
    ) -> Self:
        if classes is None and not declares_classes(y):
            raise ValueError(
                f"{self._owner}: classes must be passed on the first call to partial_fit, "
                "or y be a pandas categorical or a polars Enum"
            )
        self._check_parameters()
        X = self._check_input(X, reset=True)
        known, _ = encode_target(self._owner, y if classes is None else classes)
        require_two_classes(self._owner, known)
        codes = code_known_classes(self._owner, y, known, X.shape[0])
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        warn_of_light_weights(self._owner, weight, stacklevel=4)
        self._share_unit = None
        return self.fit_read(self._read_first(X, codes, known, weight))

    def _read_first(
        self, X: Any, codes: Array, classes: Array, weight: Array | None
    ) -> TrainingRows:
        """Learn how to read, and return the rows that have weight as read."""
        if weight is not None and not weight.all():
            rows = weight > 0
            X, codes, weight = take_rows(X, rows), codes[rows], weight[rows]
        self.classes_ = classes
        return TrainingRows(self, X, codes, weight)

    def _weight_as_fitted(self, sample_weight: ArrayLike | None, n_samples: int) -> Array | None:
        """Return weights of rows that `fit` has seen as the numbers of rows it made of them."""
        weight = check_sample_weight(self._owner, sample_weight, n_samples)
        if weight is None or self._share_unit is None:
            return weight
        return shares_to_rows(weight, self._share_unit)

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _naming_columns(self) -> AbstractContextManager[None]:
        """Return what names the model and its columns where a table is too large."""
        return columns_named(self._owner, getattr(self.encoder_, "table_names_", []))

    def _n_threads(self) -> int:
        return check_threads(self._owner, self.n_jobs)

    def _make_encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=self.discretizer,
            n_jobs=self.n_jobs,
        )

    # ---- what a model may write otherwise ---------------------------------------------

    def _check_input(self, X: Any, *, reset: bool) -> Any:
        """Return X as a table with the model's columns, or raise."""
        return check_table(self, X, reset=reset)

    def _read_training(self, X: Any, y: Array, weight: Array | None) -> Any:
        """Learn how to read, and return the training rows as read."""
        self.encoder_ = self._make_encoder()
        return self.encoder_.learn_and_encode(X, y, weight, self._owner)

    def _learn_reading(self, X: Any, y: Array, weight: Array | None) -> None:
        """Learn how to read, without keeping what was read."""
        self.encoder_ = self._make_encoder().learn(X, y, weight, self._owner)

    def _read(self, X: Any) -> Any:
        """Return rows as `_collect` and `_log_joint` take them."""
        return self.encoder_.encode(X)

    def _learn_structure(self, training: TrainingRows) -> None:
        """Find what must be known before `_collect`: nothing, for most models."""

    # ---- what a model must write ------------------------------------------------------

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    @abstractmethod
    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> Any:
        """Return the statistics of these rows; they add."""

    @abstractmethod
    def _estimate(self, statistics: Any) -> None:
        """Set the fitted parameters."""

    @abstractmethod
    def _log_joint(self, table: CategoricalTable) -> Array:
        """Return log p(c, x), of shape (n_samples, n_classes)."""

    # ---- what is checked when a model is loaded from a file -----------------------------

    def _check_fitted_state(self) -> None:
        """Raise unless the attributes are as `fit` leaves them; models add their own."""
        self._check_parameters()
        check_classes(self)
        n_columns = check_columns_in(self)
        encoder = self._check_encoder()
        if encoder is not None:
            require(encoder.n_features_in_ == n_columns, self, "encoder_", "of its columns")
        unit = self._share_unit
        fits = unit is None or (
            isinstance(unit, tuple)
            and len(unit) == 2
            and all(isinstance(part, float) and np.isfinite(part) and part > 0 for part in unit)
        )
        require(fits, self, "_share_unit", "None or two numbers above 0")

    def _check_encoder(self) -> TableEncoder | None:
        """Raise unless `encoder_` reads rows as the model takes them; return what reads labels."""
        encoder: TableEncoder = check_part(self, "encoder_", TableEncoder)
        return encoder

    def _check_feature_counts(self, counts: FeatureCounts) -> None:
        """Raise unless counts are of the model's classes and of the columns that it reads."""
        fits = (
            isinstance(counts, FeatureCounts)
            and np.array_equal(counts.n_states, self.encoder_.n_states_)
            and len(counts.class_counts) == len(self.classes_)
        )
        require(fits, self, "statistics_", "counts of its classes and columns")
        counts._check_fitted_state()

    # ---- predicting -------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Return log p(c, x) for each row and class."""
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        with self._naming_columns():
            blocks = [self._log_joint(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def predict_log_proba(self, X: Any) -> Array:
        """Return log p(c | x) for each row and class."""
        return log_normalize(self.predict_joint_log_proba(X))

    def predict_proba(self, X: Any) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        return normalize(self.predict_joint_log_proba(X))

    def predict_proba_read(self, training: TrainingRows) -> Array:
        """Return p(c | x) of rows that the model has read; for hybrids."""
        blocks = [normalize(self._log_joint(read)) for read, _, _ in training]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def predict(self, X: Any) -> Array:
        """Return the most probable class of each row; ties go to the first in `classes_`."""
        best = np.argmax(self.predict_joint_log_proba(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        joint = self.predict_joint_log_proba(X)
        predicted: Array = self.classes_[np.argmax(joint, axis=1)]
        return predicted, normalize(joint)
