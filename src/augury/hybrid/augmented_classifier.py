"""One model's opinion as features of another."""

from numbers import Integral
from typing import Any, Self

import narwhals as nw
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from augury import generative
from augury.discriminative import LogisticRegression
from augury.discriminative.reading import COLUMNS, ColumnReader
from augury.encode import take_rows
from augury.encode.table_classifier import TableClassifier
from augury.generative import NaiveBayes
from augury.hybrid.opinions import OUTPUTS, SCALINGS, Scaler, opinion_columns, opinion_names
from augury.validation import (
    check_choice,
    check_integer,
    check_table,
    is_estimator,
    is_frame,
    is_pandas,
)

Array = NDArray[Any]


class AugmentedClassifier(TableClassifier):
    """Augmented classifier (NB-LR and its like): one model's opinion is a feature of another.

    `estimator` is fitted to the rows; what it believes of each row, p(c | x) of all classes
    or their log odds, is appended to the row's columns; `final_estimator` is fitted to that
    and decides.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or None
        None is `NaiveBayes()`.
    final_estimator : classifier or None
        None is `LogisticRegression()`.
    output : {"proba", "log_odds"}
        What is appended.
    columns : {"as_is", "ordinal", "onehot", "onehot+numeric", "none"}
        How the original columns pass: "as_is" as columns of a frame, which augury's models
        read as they read any; or as numbers, for models that know nothing else (see
        `ColumnReader`); or not at all.
    scaling : {"range", "standardize"} or None
        What becomes of the appended columns, learned from the training rows: from 0 to 1,
        mean 0 and variance 1, or nothing.
    cv : "loo", int, splitter, iterable of (train, test) or None
        How training rows get their opinions: None asks the model that was fitted to them
        (resubstitution, as published); with folds, as many as given or as scikit-learn
        understands them, a model that was fitted to the other rows; "loo" the model without
        that one row, by the `leave_one_out_proba` of models that count, at the price of one fit.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    estimator_, final_estimator_ : the fitted models
    augmented_names_ : list of the names of the appended columns

    Notes
    -----
    NB-LR of Zhang, Jiang and Zhang (2022) is `AugmentedClassifier(NaiveBayes(),
    LiblinearLogisticRegression.as_published().set_params(discretizer=None), scaling="range")` on
    discretised columns; HNB-LR and LR-LR replace the first model.

    References
    ----------
    W. Zhang, L. Jiang, H. Zhang (2022): A feature augmentation-based method for constructing
    generative-discriminative hybrid models (in Chinese). Scientia Sinica Informationis 52.

    Examples
    --------
    >>> from augury.hybrid import AugmentedClassifier
    >>> X = [["sun", "dry"], ["sun", "wet"], ["rain", "wet"], ["rain", "dry"]]
    >>> y = ["out", "out", "in", "in"]
    >>> model = AugmentedClassifier(columns="none").fit(X, y)
    >>> model.augmented_names_
    ['p(in)', 'p(out)']
    >>> model.predict(X).tolist()
    ['out', 'out', 'in', 'in']
    """

    def __init__(
        self,
        estimator: Any = None,
        final_estimator: Any = None,
        output: str = "proba",
        columns: str = "as_is",
        scaling: str | None = None,
        cv: Any = None,
    ) -> None:
        self.estimator = estimator
        self.final_estimator = final_estimator
        self.output = output
        self.columns = columns
        self.scaling = scaling
        self.cv = cv

    def _check_parameters(self) -> None:
        check_choice(self._owner, "output", self.output, OUTPUTS)
        check_choice(self._owner, "columns", self.columns, ("as_is", *COLUMNS, "none"))
        if self.scaling is not None:
            check_choice(self._owner, "scaling", self.scaling, SCALINGS)
        if isinstance(self.cv, str):
            check_choice(self._owner, "cv", self.cv, ("loo",))
            first = NaiveBayes() if self.estimator is None else self.estimator
            if is_estimator(first) and not hasattr(first, "leave_one_out_proba"):
                raise TypeError(
                    f"{self._owner}: cv='loo' needs an estimator with leave_one_out_proba "
                    f"({', '.join(_models_that_leave_one_out())}), got {first!r}"
                )
        if isinstance(self.cv, Integral):
            check_integer(self._owner, "cv", self.cv, at_least=2)
        for name, wants in (("estimator", "predict_proba"), ("final_estimator", "predict")):
            model = getattr(self, name)
            if model is not None and not (is_estimator(model) and hasattr(model, wants)):
                raise TypeError(
                    f"{self._owner}: {name} must be a classifier with {wants}, or None, got "
                    f"{model!r}"
                )

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the first model, ask it, and fit the second.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing, if the models bear it.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row, a number of rows
        """
        self._check_parameters()
        # Folds given as rows count all of them.
        X, codes, weight = self._check_training(X, y, sample_weight, keep_rows=True)
        first = NaiveBayes() if self.estimator is None else self.estimator
        self.estimator_ = self._fit_model(first, X, codes, weight)
        opinions = opinion_columns(self._training_proba(first, X, codes, weight), self.output)
        self._scaler = Scaler(self.scaling, opinions, weight)
        self.augmented_names_ = opinion_names(self.classes_, self.output, set(_names(X)))
        self._reader = None
        if self.columns in COLUMNS:
            self._reader = ColumnReader(self.columns).learn(X, codes, weight, self._owner)
        last = LogisticRegression() if self.final_estimator is None else self.final_estimator
        augmented = self._augment(X, self._scaler.scale(opinions))
        self.final_estimator_ = self._fit_model(last, augmented, codes, weight)
        return self

    def _fit_model(self, model: Any, X: Any, codes: Array, weight: Array | None) -> Any:
        """Fit a clone to classes 0, 1, …; declared to models that read a categorical."""
        y = pd.Categorical.from_codes(codes, categories=np.arange(len(self.classes_)))
        options = {}
        if weight is not None:
            if not has_fit_parameter(model, "sample_weight"):
                raise ValueError(
                    f"{self._owner}: sample_weight must be None where a model takes none, "
                    f"{type(model).__name__} does not"
                )
            options = {"sample_weight": weight}
        return clone(model).fit(X, y, **options)

    def _training_proba(self, model: Any, X: Any, codes: Array, weight: Array | None) -> Array:
        if self.cv is None:
            return self._proba(self.estimator_, X)
        if isinstance(self.cv, str):
            y = pd.Categorical.from_codes(codes, categories=np.arange(len(self.classes_)))
            return np.asarray(self.estimator_.leave_one_out_proba(X, y, weight))
        proba = np.full((len(codes), len(self.classes_)), np.nan)
        for others, asked in check_cv(self.cv, codes, classifier=True).split(X, codes):
            train, test = _mask(others, len(codes)), _mask(asked, len(codes))
            heavy = None if weight is None else weight[train]
            fitted = self._fit_model(model, take_rows(X, train), codes[train], heavy)
            proba[test] = self._proba(fitted, take_rows(X, test))
        missed = np.isnan(proba[:, 0])
        if missed.any():
            raise ValueError(
                f"{self._owner}: cv must have every row in a test fold, row {missed.argmax()} is "
                "in none"
            )
        return proba

    def _proba(self, fitted: Any, X: Any) -> Array:
        """Return p(c | x) with a column for each declared class."""
        proba = np.zeros((X.shape[0], len(self.classes_)))
        proba[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
        return proba

    def _augment(self, X: Any, opinions: Array) -> Any:
        if self._reader is not None:
            matrix = self._reader.read(X)
            if sparse.issparse(matrix):
                return sparse.hstack([matrix, sparse.csr_array(opinions)], format="csr")
            return np.column_stack([matrix, opinions])
        appended = pd.DataFrame(opinions, columns=self.augmented_names_)
        if self.columns == "none":
            return appended
        frame = _as_pandas(X)
        return pd.concat([frame, appended.set_axis(frame.index, axis=0)], axis=1)

    # ---- predicting -------------------------------------------------------------------

    def _augmented(self, X: Any) -> Any:
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        opinions = opinion_columns(self._proba(self.estimator_, X), self.output)
        return self._augment(X, self._scaler.scale(opinions))

    def predict_proba(self, X: Any) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        augmented = self._augmented(X)
        return self._proba(self.final_estimator_, augmented)

    def predict(self, X: Any) -> Array:
        """Return the class of each row that the final model decides for."""
        augmented = self._augmented(X)
        best = np.asarray(self.final_estimator_.predict(augmented), dtype=np.intp)
        predicted: Array = self.classes_[best]
        return predicted


def _models_that_leave_one_out() -> list[str]:
    return [
        name
        for name in generative.__all__
        if hasattr(getattr(generative, name), "leave_one_out_proba")
    ]


def _mask(rows: Array, n_rows: int) -> Array:
    mask = np.zeros(n_rows, dtype=bool)
    mask[rows] = True
    return mask


def _names(X: Any) -> list[str]:
    return [str(name) for name in _as_pandas(X).columns]


def _as_pandas(X: Any) -> pd.DataFrame:
    if is_pandas(X):
        return X.set_axis([str(name) for name in X.columns], axis=1)
    if is_frame(X):
        return nw.from_native(X, eager_only=True).to_pandas()
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
