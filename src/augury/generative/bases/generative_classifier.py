"""Base class of the models of p(c, x)."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Hashable
from functools import reduce
from operator import add
from typing import Any, Generic, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, FloatArray
from augury.bases.class_weights import batch_factors, class_factors, weigh_by_class
from augury.bases.partial_scores import PartialScores
from augury.bases.table_classifier import drop_rows_without_weight
from augury.counts import normalize
from augury.encode import (
    CategoricalTable,
    TableEncoder,
    code_known_classes,
    declares_classes,
    encode_target,
    require_two_classes,
    row_blocks,
    slice_rows,
)
from augury.fitted_state import check_floats, require
from augury.foreign import Labels, Table
from augury.generative.bases.encoded_classifier import EncodedClassifier
from augury.generative.bases.statistics import S
from augury.generative.bases.training_rows import ModelRows, TrainingRows
from augury.validation import (
    check_sample_weight,
    check_training_weight,
    share_unit,
    shares_to_rows,
    warn_of_light_weights,
)


class GenerativeClassifier(EncodedClassifier, Generic[S]):
    """Base class of the models of p(c, x) that are estimated from statistics.

    The type parameter `S` is the type of the statistics. A subclass states its parameters in
    `__init__` (`categorical_features`, `missing`, `discretizer` and `n_jobs` among them, unless
    it reads tables in its own way) and writes

    - `_check_parameters`: raise if a parameter is not allowed;
    - `_collect`: rows → statistics of type `S`;
    - `_estimate`: statistics → fitted attributes;
    - `_log_joint`: rows → log p(c, x), of shape (n_samples, n_classes).

    `fit`, `partial_fit`, `collect`, `fit_statistics` and all `predict…` follow from these. A
    model that must know a structure before it can count also writes `_learn_structure`. A
    model that is saved to a file extends `_check_fitted_state`.

    Notes
    -----
    *What `_collect` must do.* The statistics of two sets of rows add up to those of both
    sets, and a weight w counts as w equal rows. `_collect` may read the parameters,
    `classes_`, `encoder_` and what `_learn_structure` has set. It sets no attribute.

    *What `_estimate` may rely on.* It reads the statistics that it is given, the parameters,
    `classes_`, `encoder_` and what `_learn_structure` has set, and nothing else. It sees no
    rows. `statistics_` is still that of the previous call, or not set: the base sets it
    afterwards. So `fit_statistics(statistics_)` leaves the predictions as they are. Every call
    sets all fitted attributes again.

    *When blocks are made.* A table of at most 2^25 cells is one block. A larger one is read in
    blocks of about 2^22 cells, by `fit`, `partial_fit`, `collect` and `predict…` alike.
    `_collect` and `_log_joint` see one block at a time. `_learn_structure` sees all blocks, as
    `TrainingRows`. States, cut points and replacements are learned from all training rows
    before the first block is read.

    *Parameters that are frozen by `fit`.* `partial_fit` and `collect` read new rows with the
    fitted `encoder_`, and count them with the structure that `_learn_structure` has found. A
    later change of `categorical_features`, `missing`, `discretizer`, or of a parameter that
    only `_learn_structure` reads, has no effect until the next `fit`. Other parameters
    (smoothing, priors) take effect in the next call of `_estimate`. A parameter that `_collect`
    reads must not change between `fit` and `partial_fit`: the statistics would not add.

    *What `fit_read` carries over.* A clone that is fitted by `fit_read` to rows that another
    model has read takes `classes_`, `encoder_`, `n_features_in_` and `feature_names_in_` from
    that model. It learns its own structure from the rows. It does not take the constant of
    weights that are shares: `reweighted` rows have weights of their own.

    Examples
    --------
    A model that ignores the columns: p(c, x) = p(c).

    >>> import numpy as np
    >>> from augury.counts import FeatureCounts, laplace_log_probability
    >>> from augury.generative.bases import GenerativeClassifier
    >>> class ClassShares(GenerativeClassifier[FeatureCounts]):
    ...     def __init__(self, alpha=1.0, categorical_features="from_dtype",
    ...                  missing="state", discretizer="mdl", n_jobs=None):
    ...         self.alpha = alpha
    ...         self.categorical_features = categorical_features
    ...         self.missing = missing
    ...         self.discretizer = discretizer
    ...         self.n_jobs = n_jobs
    ...     def _check_parameters(self):
    ...         pass
    ...     def _collect(self, table, y, weight):
    ...         n_classes = len(self.classes_)
    ...         return FeatureCounts.collect(table.codes, table.n_states, y, n_classes, weight)
    ...     def _estimate(self, statistics):
    ...         self.log_prior_ = laplace_log_probability(statistics.class_counts, self.alpha)
    ...     def _log_joint(self, table):
    ...         return np.tile(self.log_prior_, (table.n_samples, 1))
    >>> model = ClassShares().fit([["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"])
    >>> model.predict_proba([["rain"]])
    array([[0.4, 0.6]])
    >>> model.partial_fit([["rain"]], ["no"]).predict_proba([["rain"]])
    array([[0.5, 0.5]])
    """

    classes_: Array

    statistics_: S

    # The constant of weights that were shares in `fit`, see `share_unit`.
    _share_unit: tuple[float, float] | None = None
    # The factors of `class_weight` in `fit`, one for each class; None if all are 1.
    _class_factors: FloatArray | None = None

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the model.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row
            Weights are numbers of rows: a row of weight 3 equals three rows, a row of weight
            0 is ignored. Smoothing and cut points depend on their sum. Weights that sum
            to at most 1 are shares, as scikit-learn's meta-estimators pass them: `fit`
            multiplies them by a constant so that their mean over the rows with a positive
            weight is 1. `partial_fit` and `collect` do not, because batches add.
        """
        return self.fit_read(self.read_training(X, y, sample_weight))

    def read_training(
        self, X: Table, y: Labels, sample_weight: ArrayLike | None = None
    ) -> TrainingRows:
        """Learn how to read, and return the training rows as read; for ensembles.

        The members of an ensemble read the same and differ in the weights of the rows: each
        is fitted by `fit_read` to the rows, `reweighted`.
        """
        self._check_parameters()
        X = self._check_input(X, reset=True)
        classes, codes = self._code_classes(y, X.shape[0])
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        # Kept for later calls, which may have only some of the rows.
        self._share_unit = None if weight is None else share_unit(weight)
        weight = check_training_weight(self._owner, weight, X.shape[0], stacklevel=4)
        self._class_factors = class_factors(self._owner, self.class_weight, classes, codes, weight)
        weight = weigh_by_class(self._owner, self._class_factors, codes, weight)
        return self._read_first(X, codes, classes, weight)

    def fit_read(self, training: ModelRows) -> Self:
        """Fit the model to rows that it, or a clone of it, has read.

        See the class docstring for what a clone takes from the model that has read.
        """
        if training.model is not self:
            self._check_parameters()
            for name in ("classes_", "encoder_", "n_features_in_", "feature_names_in_"):
                if hasattr(training.model, name):
                    setattr(self, name, getattr(training.model, name))
        with self._naming_columns():
            self._learn_structure(training)
            return self._adopt(training.total(self._collect))

    def partial_fit(
        self,
        X: Table,
        y: Labels,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Add rows to the statistics, and estimate again; the first call learns how to encode.

        States and cut points are those of the first call. Declare the categories (pandas
        category dtype) of labels that occur only in later calls. A label that is unknown to
        the first call is left out, with a warning.

        Parameters
        ----------
        X, y : as in `fit`
        classes : all classes
            Required in the first call, unless y is a pandas categorical or a polars Enum.
        sample_weight : weight of each row, a number of rows, whatever the sum

        Notes
        -----
        `class_weight` must be None or a dict: the classes of all rows are not known before the last
        call, so that they cannot be balanced.
        """
        self._require_no_balance()
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

    def _require_no_balance(self) -> None:
        """Raise if the weights of the classes depend on all rows."""
        if isinstance(self.class_weight, str):
            raise ValueError(
                f"{self._owner}: class_weight must be None or a dict in partial_fit, which does "
                f"not know all rows, got {self.class_weight!r}: pass the weight of each class"
            )

    def collect(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> S:
        """Return the statistics of more rows, encoded as the fitted model encodes.

        Statistics of disjoint sets of rows add; `fit_statistics` takes the sum. Weights are
        numbers of rows, whatever their sum; those of `class_weight` are those of `fit`.
        """
        check_is_fitted(self)
        return self._collect_more(X, y, sample_weight)

    def _collect_more(
        self,
        X: Table,
        y: Labels,
        sample_weight: ArrayLike | None,
        unseen: dict[str, list[Hashable]] | None = None,
    ) -> S:
        """Collect, and add the labels that the encoder does not know to `unseen`."""
        X = self._check_input(X, reset=False)
        codes = code_known_classes(self._owner, y, self.classes_, X.shape[0])
        weight = check_sample_weight(self._owner, sample_weight, X.shape[0])
        weight = weigh_by_class(self._owner, self._class_factors, codes, weight)
        parts = []
        for rows in row_blocks(X):
            block = slice_rows(X, rows)
            read = self._read(block)
            # A table that leaves no value out has no unseen label, and is not read again.
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

    def fit_statistics(self, statistics: S) -> Self:
        """Estimate the model from statistics that `collect` has returned, or a sum of them.

        The statistics must come from this fitted model: only then does each number stand for
        the same class and state. The numbers of classes and states are checked.
        """
        check_is_fitted(self, "statistics_")
        with self._naming_columns():
            self._check_statistics(statistics)
            return self._adopt(statistics)

    def _check_statistics(self, statistics: S) -> None:
        own = type(self.statistics_)
        if not isinstance(statistics, own):
            raise TypeError(
                f"{self._owner}: statistics must be {own.__name__}, got {statistics!r:.80}"
            )
        try:
            self.statistics_ + statistics  # raises if the columns differ
        except ValueError as error:
            raise ValueError(
                f"{self._owner}: statistics must be of this model's classes and columns: {error}"
            ) from None

    def _adopt(self, statistics: S) -> Self:
        self._estimate(statistics)
        self.statistics_ = statistics
        return self

    def _fit_first_batch(
        self, X: Table, y: Labels, classes: ArrayLike | None, sample_weight: ArrayLike | None
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
        self._class_factors = batch_factors(self._owner, self.class_weight, known)
        weight = weigh_by_class(self._owner, self._class_factors, codes, weight)
        return self.fit_read(self._read_first(X, codes, known, weight))

    def _read_first(
        self, X: Table, codes: Array, classes: Array, weight: Array | None
    ) -> TrainingRows:
        """Learn how to read, and return the rows whose weight is above zero as read."""
        self._require_size(X.shape[0], X.shape[1], len(classes))
        self.classes_ = classes
        return TrainingRows(self, *drop_rows_without_weight(X, codes, weight))

    def _weight_as_fitted(self, sample_weight: ArrayLike | None, codes: Array) -> Array | None:
        """Return weights of training rows as numbers of rows, converted as in `fit`."""
        weight = check_sample_weight(self._owner, sample_weight, len(codes))
        if weight is not None and self._share_unit is not None:
            weight = shares_to_rows(weight, self._share_unit)
        return weigh_by_class(self._owner, self._class_factors, codes, weight)

    # ---- counting and estimating: a subclass writes these -----------------------------

    def _learn_structure(self, training: ModelRows) -> None:
        """Set what `_collect` needs to know about all training rows; most models need nothing."""

    def _prepare_stream(
        self, learn: Callable[[TableEncoder], TableEncoder], first: Table, classes: Array
    ) -> None:
        """Learn how to read rows that are not in memory; see `_learn_reading_from`."""
        self._check_can_be_streamed()
        self._check_input(first, reset=True)
        self.classes_, self._share_unit, self._class_factors = classes, None, None
        self._learn_reading_from(learn, first)

    def _check_can_be_streamed(self) -> None:
        """Raise if a parameter is not allowed, or the model needs all rows in memory."""
        self._check_parameters()
        if reason := self._why_not_streamed():
            raise ValueError(f"{self._owner}: cannot be fitted to a stream of rows: {reason}")

    def _why_not_streamed(self) -> str:
        """Return why the model needs all rows in memory, or an empty string if it does not."""
        return ""

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    @abstractmethod
    def _collect(self, table: CategoricalTable, y: Array, weight: Array | None) -> S:
        """Return the statistics of these rows; statistics of disjoint sets of rows add."""

    @abstractmethod
    def _estimate(self, statistics: S) -> None:
        """Set the fitted attributes that `_log_joint` needs."""

    @abstractmethod
    def _log_joint(self, table: CategoricalTable) -> Array:
        """Return log p(c, x), of shape (n_samples, n_classes)."""

    # ---- checks of a model that is loaded from a file ---------------------------------

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        unit = self._share_unit
        fits = unit is None or (
            isinstance(unit, tuple)
            and len(unit) == 2
            and all(isinstance(part, float) and np.isfinite(part) and part > 0 for part in unit)
        )
        require(fits, self, "_share_unit", "None or two numbers above 0")
        if self._class_factors is not None:
            check_floats(self, "_class_factors", len(self.classes_), low=0.0)

    # ---- predicting -------------------------------------------------------------------

    def predict_joint_log_proba(self, X: Table) -> Array:
        """Return log p(c, x) for each row and class."""
        check_is_fitted(self)
        X = self._check_input(X, reset=False)
        with self._naming_columns():
            blocks = [self._log_joint(self._read(slice_rows(X, rows))) for rows in row_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def _predict_log_scores(self, X: Table) -> Array:
        return self.predict_joint_log_proba(X)

    def _partial_scores(self, X: Table) -> PartialScores:
        known_part = self._leaving_out(self._read(X))
        return lambda rows, known: self._log_joint(known_part(rows, known))

    def predict_proba_read(self, training: TrainingRows) -> Array:
        """Return p(c | x) of training rows that the model has read; for hybrids."""
        blocks = [normalize(self._log_joint(read)) for read, _, _ in training]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)


# A generative classifier of any kind, where its statistics do not matter.
AnyGenerativeClassifier: TypeAlias = GenerativeClassifier[Any]

__all__ = ["AnyGenerativeClassifier", "GenerativeClassifier"]
