"""Transformer that appends class probabilities of a model as columns."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from augury import generative
from augury.arrays import Array
from augury.discriminative.readers.matrix_reader import ENCODINGS, MatrixReader
from augury.encode import encode_target, require_two_classes
from augury.encode.columns import column_names
from augury.fitted_state import (
    check_classes,
    check_codes_of_classes,
    check_part,
    check_texts,
    require,
)
from augury.foreign import Classifier, Labels, Matrix, Table
from augury.generative import NaiveBayes
from augury.hybrid.inner_models.tables import shared_frame, with_fitted_names
from augury.hybrid.meta_features.class_probabilities import (
    Folds,
    fit_and_predict,
    predict_declared_proba,
)
from augury.hybrid.meta_features.meta_feature_columns import (
    OUTPUTS,
    SCALINGS,
    Scaler,
    meta_feature_columns,
    meta_feature_names,
)
from augury.validation import (
    check_choice,
    check_integer,
    check_table,
    check_training_weight,
    is_estimator,
    is_frame,
    is_pandas,
    is_read_once,
)

# Folds of cv="auto" for models without leave-one-out probabilities.
FOLDS_OF_AUTO = 5


class GenerativeFeatures(TransformerMixin, BaseEstimator):
    """Feature augmentation: class probabilities of a model as columns beside the original ones.

    `estimator` is fitted to the rows. Its p(c | x) of all classes, or their log odds, are
    appended as meta-features. It may be any classifier with `predict_proba`, generative or not.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or None
        None is `NaiveBayes()`.
    output : {"log_odds", "proba"}
        What is appended. The log odds of two classes are one column, that of the second class.
    encoding : {"as_is", "ordinal", "onehot", "onehot+numeric", "none"}
        How the original columns are passed on: "as_is"; as a matrix of numbers (see
        `MatrixReader`); or not at all, with "none".
    scaling : {"range", "standardize"} or None
        How the meta-features are scaled, as learned from the training rows: to the range from
        0 to 1, or to mean 0 and variance 1. None does not scale them.
    cv : "auto", "loo", int, splitter, iterable of (train, test) or None
        Which rows the meta-features of a training row are estimated from in `fit_transform`.
        None takes all rows (resubstitution). Folds, as scikit-learn understands `cv`, take the
        rows of the other folds. "loo" takes all rows but the row itself, by
        `leave_one_out_proba` of models that count, at the cost of one fit. "auto" is "loo"
        where the estimator has it, and 5 folds otherwise.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    estimator_ : the model fitted to all rows, whose probabilities `transform` appends
    augmented_names_ : list of the names of the appended columns
    n_features_in_, feature_names_in_ : as scikit-learn has them

    Notes
    -----
    With `cv`, the meta-features of training rows differ between `fit_transform` and `fit`
    followed by `transform`, on purpose, as in scikit-learn's `TargetEncoder`: class
    probabilities of rows that a model was fitted to are more extreme than those of new rows.

    Leave-one-out estimates can leak the class. Where the final model can compute the first
    model's probabilities from the columns (a regression on labels can compute the log odds of
    naive Bayes), the difference between the two reveals the class of the row. On 20 data sets
    log odds as numbers with a penalty did not leak; probabilities, and meta-features cut into
    intervals, did: docs/results/augmentation.md.

    `transform` returns the kind of table that it gets: a data frame of the same library, an
    array or a sparse matrix.

    Examples
    --------
    >>> from augury.hybrid import GenerativeFeatures
    >>> X, y = [["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"]
    >>> features = GenerativeFeatures(encoding="none").fit(X, y)
    >>> features.get_feature_names_out().tolist()
    ['log_odds(yes)']
    >>> features.transform([["rain"]]).round(3)  # 3/5 · 1/4 to 2/5 · 2/3: log 9/16
    array([[-0.575]])
    >>> alone = GenerativeFeatures(encoding="none", output="proba", cv="loo")
    >>> alone.fit_transform(X, y)[2]  # "no" without its only row: 1/4 · 1/2 to 3/4 · 1/4
    array([0.4, 0.6])
    """

    classes_: Array

    estimator_: Any
    _reader: MatrixReader | None

    def __init__(
        self,
        estimator: Classifier | None = None,
        output: str = "log_odds",
        encoding: str = "as_is",
        scaling: str | None = None,
        cv: Folds = None,
    ) -> None:
        self.estimator = estimator
        self.output = output
        self.encoding = encoding
        self.scaling = scaling
        self.cv = cv

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if is_estimator(self._first):
            read = get_tags(self._first).input_tags
            for name in ("allow_nan", "string", "categorical", "sparse"):
                setattr(tags.input_tags, name, getattr(read, name))
        tags.target_tags.required = True
        return tags

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the model, and learn the scaling of its meta-features.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_samples, n_features)
            Any table that the estimator reads.
        y : class of each row
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._fit(X, y, sample_weight)
        return self

    def fit_transform(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Table:
        """Fit, and return the training rows with meta-features estimated as `cv` states."""
        return self.join(*self._fit(X, y, sample_weight))

    def transform(self, X: Table) -> Table:
        """Return rows with their meta-features."""
        check_is_fitted(self)
        X = check_table(self, X, reset=False, accept_sparse=self._accepts_sparse)
        named = self._shared(with_fitted_names(self, X))
        stays_array = isinstance(X, np.ndarray) and self._reader is None
        return self.join(X if stays_array else named, self.compute(named))

    def _shared(self, X: Table) -> Table:
        """Return a table whose columns are read once, where both the model and a reader get it."""
        return shared_frame(X, self._first) if self.encoding in ENCODINGS else X

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Return the names of the columns that `transform` returns."""
        check_is_fitted(self)
        if self.encoding == "none":
            passed = []
        elif self._reader is not None:
            passed = self._reader.names
        else:
            passed = self._names_in(input_features)
        return np.array([*passed, *self.augmented_names_], dtype=object)

    def _names_in(self, given: ArrayLike | None) -> list[str]:
        own = getattr(self, "feature_names_in_", None)
        if given is None:
            return [f"x{j}" for j in range(self.n_features_in_)] if own is None else list(own)
        names = [str(name) for name in np.asarray(given, dtype=object)]
        if own is not None and names != list(own):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            raise ValueError(
                "input_features should have length equal to number of features "
                f"({self.n_features_in_}), got {len(names)}"
            )
        return names

    def _fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None) -> tuple[Table, Array]:
        owner = type(self).__name__
        self.check_parameters(owner)
        X = check_table(self, X, reset=True, accept_sparse=self._accepts_sparse)
        classes, codes = encode_target(owner, y, X.shape[0])
        require_two_classes(owner, classes)
        weight = check_training_weight(owner, sample_weight, X.shape[0])
        X = self._shared(X)
        return X, self.learn(X, codes, classes, weight, owner)

    @property
    def _first(self) -> Classifier:
        return NaiveBayes() if self.estimator is None else self.estimator

    @property
    def _cv(self) -> Folds:
        if isinstance(self.cv, str) and self.cv == "auto":
            return "loo" if hasattr(self._first, "leave_one_out_proba") else FOLDS_OF_AUTO
        return self.cv

    @property
    def _accepts_sparse(self) -> bool:
        return is_estimator(self._first) and bool(get_tags(self._first).input_tags.sparse)

    # ---- for classifiers that have checked the rows; `owner` is named in errors ---------

    def check_parameters(self, owner: str) -> None:
        """Raise if a parameter is not allowed; `owner` is named in errors."""
        check_choice(owner, "output", self.output, OUTPUTS)
        check_choice(owner, "encoding", self.encoding, ("as_is", *ENCODINGS, "none"))
        if self.scaling is not None:
            check_choice(owner, "scaling", self.scaling, SCALINGS)
        if not (is_estimator(self._first) and hasattr(self._first, "predict_proba")):
            raise TypeError(
                f"{owner}: estimator must be a classifier with predict_proba, or None, got "
                f"{self.estimator!r}"
            )
        if isinstance(self.cv, Integral):
            check_integer(owner, "cv", self.cv, at_least=2)
        elif isinstance(self.cv, str):
            check_choice(owner, "cv", self.cv, ("auto", "loo"))
            if self.cv == "loo" and not hasattr(self._first, "leave_one_out_proba"):
                raise TypeError(
                    f"{owner}: cv='loo' needs an estimator with leave_one_out_proba "
                    f"({', '.join(_models_that_leave_one_out())}), got {self._first!r}: "
                    f"{type(self._first).__name__} cannot leave a row out of its counts; take "
                    "folds instead, for example cv=5"
                )

    def learn(
        self,
        X: Table,
        codes: Array,
        classes: Array,
        weight: Array | None,
        owner: str,
        *,
        sparse_indicators: bool = True,
    ) -> Array:
        """Fit the model to checked rows; return their meta-features for `join`."""
        if sparse.issparse(X) and self.encoding in ENCODINGS:
            raise ValueError(
                f"{owner}: encoding must be 'as_is' or 'none' for a sparse X, got {self.encoding!r}"
            )
        X = shared_frame(X, self._first)
        fitted, proba = fit_and_predict(
            self._first, X, codes, len(classes), weight, self._cv, owner
        )
        columns = meta_feature_columns(proba, self.output)
        names = [] if sparse.issparse(X) else column_names(X)
        self.adopt(fitted, classes, names, Scaler(self.scaling, columns, weight))
        if self.encoding in ENCODINGS:
            reader = MatrixReader(self.encoding, sparse=sparse_indicators)
            self._reader = reader.learn(X, codes, weight, owner)
        return self._scaler.scale(columns)

    def adopt(self, fitted: Any, classes: Array, names: Sequence[str], scaler: Scaler) -> None:
        """Set the fitted model, whose classes are codes, and the scaling of its meta-features.

        `names` are those of the original columns.
        """
        self.classes_, self.estimator_, self._scaler = classes, fitted, scaler
        self.augmented_names_: list[str] = meta_feature_names(classes, self.output, set(names))
        self._reader = None

    def _check_fitted_state(self) -> None:
        self.check_parameters(type(self).__name__)
        n_classes = check_classes(self)
        part = self.estimator_
        fits = type(part) is type(self._first) and hasattr(part, "predict_proba")
        require(fits, self, "estimator_", "a fitted copy of estimator")
        check_codes_of_classes(self, "estimator_", part, n_classes)
        names = check_texts(self, "augmented_names_")
        expected = 1 if n_classes == 2 and self.output == "log_odds" else n_classes
        fits = len(names) == expected and len(set(names)) == expected
        require(fits, self, "augmented_names_", f"{expected} distinct names")
        scaler = check_part(self, "_scaler", Scaler)
        require(len(scaler._shift) == expected, self, "_scaler", "of its columns")
        require(
            isinstance(self._reader, MatrixReader) == (self.encoding in ENCODINGS),
            self,
            "_reader",
            "a MatrixReader if encoding says so",
        )

    def join_training(self, X: Table, y: Array, weight: Array | None) -> Table:
        """Return training rows with meta-features that leave out the row, if `cv` says so.

        The estimator is a generative model of codes, and y are its classes.
        """
        read = self.estimator_._read(X)
        leaves_out = self._cv == "loo"
        predict = (
            self.estimator_.leave_one_out_read if leaves_out else self.estimator_.predict_proba_read
        )
        return self.join(X, self.columns_of(predict([(read, y, weight)])))

    def compute(self, X: Table) -> Array:
        """Return the meta-features of checked rows."""
        X = shared_frame(X, self._first)
        return self.columns_of(predict_declared_proba(self.estimator_, X, len(self.classes_)))

    def columns_of(self, proba: Array) -> Array:
        """Return the meta-features of rows whose class probabilities are known."""
        return self._scaler.scale(meta_feature_columns(proba, self.output))

    @property
    def scaled_unit(self) -> Array:
        """Number of log odds, or probability, that one unit of each meta-feature is."""
        return self._scaler._width

    def join(self, X: Table, meta_features: Array) -> Table:
        """Return the original columns, encoded as `encoding` states, and the meta-features."""
        if sparse.issparse(X):
            alone = self.encoding == "none"
            return meta_features if alone else _join_sparse(X, meta_features)
        if self._reader is not None:
            return self.join_matrix(self._reader.read(X), meta_features)
        if is_read_once(X):
            if self.encoding == "none":
                return pd.DataFrame(meta_features, columns=self.augmented_names_)
            return X.with_numbers(self.augmented_names_, meta_features)
        if is_frame(X):
            return self._join_frame(X, meta_features)
        return meta_features if self.encoding == "none" else np.column_stack([X, meta_features])

    def join_matrix(self, matrix: Matrix, meta_features: Array) -> Matrix:
        """Return a matrix, such as that of the encoded columns, followed by the meta-features."""
        if sparse.issparse(matrix):
            return _join_sparse(matrix, meta_features)
        return np.column_stack([matrix, meta_features])

    def _join_frame(self, X: Table, meta_features: Array) -> Table:
        if is_pandas(X):
            appended = pd.DataFrame(meta_features, columns=self.augmented_names_, index=X.index)
            if self.encoding == "none":
                return appended
            return pd.concat([X.set_axis(column_names(X), axis=1), appended], axis=1)
        frame = nw.from_native(X, eager_only=True)
        backend = frame.implementation
        series = [
            nw.new_series(name, np.ascontiguousarray(column), backend=backend)
            for name, column in zip(self.augmented_names_, meta_features.T, strict=True)
        ]
        joined = frame.with_columns(*series)
        if self.encoding == "none":
            joined = joined.select(self.augmented_names_)
        return joined.to_native()


def _join_sparse(matrix: Matrix, meta_features: Array) -> Matrix:
    return sparse.hstack([matrix, sparse.csr_array(meta_features)], format="csr")


def _models_that_leave_one_out() -> list[str]:
    return [
        name
        for name in generative.__all__
        if hasattr(getattr(generative, name), "leave_one_out_proba")
    ]
