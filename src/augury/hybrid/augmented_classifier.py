"""One model's opinion as features of another."""

from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.discriminative import LogisticRegression
from augury.encode.columns import column_names, read_once
from augury.encode.table_classifier import TableClassifier
from augury.fitted_state import check_codes_of_classes, check_part, check_reads, require
from augury.foreign import Table
from augury.generative import GenerativeClassifier
from augury.hybrid.generative_features import GenerativeFeatures
from augury.hybrid.meta_features.class_probabilities import (
    OriginalColumnCuts,
    fit_to_codes,
    proba_of_declared,
)
from augury.hybrid.meta_features.published_hybrids import PUBLISHED, published_parts
from augury.predict_once import has_predict_with_proba
from augury.registration import register_model
from augury.validation import check_table, is_estimator, is_frame, is_read_once

# Models that read any table through `TableEncoder`.
READERS = (TableClassifier, GenerativeClassifier)


def _decides_by_probabilities(model: Any) -> bool:
    return hasattr(model._last, "predict_proba")


def _decides_once(model: Any) -> bool:
    return has_predict_with_proba(model._last)


@register_model(
    "hybrid",
    "Logistic regression on one-hot columns plus HNB log odds (best honest accuracy)",
    parameters={"estimator": {"class": "hnb"}},
)
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
        None is a `LogisticRegression` of the columns, cut and as numbers, and of the opinions
        as numbers, which are not cut.
    output, encoding, scaling, cv : see `GenerativeFeatures`
        What is appended, how the original columns pass, what becomes of the appended ones,
        and who is asked about the training rows. Columns "as_is" pass as a frame, which
        augury's models read as they read any.

    Attributes
    ----------
    classes_ : the sorted classes, declared ones without rows included
    features_ : the fitted `GenerativeFeatures`
    estimator_, final_estimator_ : the fitted models
    augmented_names_ : list of the names of the appended columns

    Notes
    -----
    `AugmentedClassifier.as_published("nb-lr")` is the NB-LR of Zhang, Jiang and Zhang (2022),
    which gives LIBLINEAR the integer index of each label as a number. The defaults are others:
    the best of docs/results/augmentation.md, in which no preprocessing sees a test row. There
    `AugmentedClassifier(HiddenNaiveBayes())` had the least log loss; its fit takes d² instead
    of d steps for a row of d columns.

    References
    ----------
    W. Zhang, L. Jiang, H. Zhang (2022): A feature augmentation-based method for constructing
    generative-discriminative hybrid models (in Chinese). Scientia Sinica Informationis 52.

    Examples
    --------
    >>> from augury.hybrid import AugmentedClassifier
    >>> X = [["sun", "dry"], ["sun", "wet"], ["rain", "wet"], ["rain", "dry"]]
    >>> y = ["out", "out", "in", "in"]
    >>> model = AugmentedClassifier(encoding="none").fit(X, y)
    >>> model.augmented_names_
    ['log_odds(out)']
    >>> model.predict(X).tolist()
    ['out', 'out', 'in', 'in']
    """

    def __init__(
        self,
        estimator: Any = None,
        final_estimator: Any = None,
        output: str = "log_odds",
        encoding: str = "as_is",
        scaling: str | None = None,
        cv: Any = "auto",
    ) -> None:
        self.estimator = estimator
        self.final_estimator = final_estimator
        self.output = output
        self.encoding = encoding
        self.scaling = scaling
        self.cv = cv

    @classmethod
    def as_published(cls, name: str) -> Self:
        """Return a hybrid of Zhang, Jiang and Zhang (2022) as it was computed.

        Columns must be cut into intervals beforehand, or be labels: numbers pass to the final
        model as numbers.

        Parameters
        ----------
        name : {"nb-lr", "hnb-lr", "lr-lr", "nb-nb", "lr-nb"}

        Examples
        --------
        >>> AugmentedClassifier.as_published("nb-nb").final_estimator
        NaiveBayes(continuous='interval', missing='replace')
        """
        return cls(**published_parts(f"{cls.__name__}.as_published", name))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._accepts_sparse
        return tags

    @property
    def _last(self) -> Any:
        return LogisticRegression() if self.final_estimator is None else self.final_estimator

    @property
    def _accepts_sparse(self) -> bool:
        """Whether both models read a sparse matrix, or the first, if the last has opinions only."""
        last = self.encoding == "none" or (
            is_estimator(self._last) and get_tags(self._last).input_tags.sparse
        )
        return bool(last and self._make_features()._accepts_sparse)

    def _make_features(self) -> GenerativeFeatures:
        return GenerativeFeatures(self.estimator, self.output, self.encoding, self.scaling, self.cv)

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the first model, ask it, and fit the second.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing, if the models bear it. A sparse
            matrix, if the models read one.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row, a number of rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        features = self._make_features()
        features.check_parameters(self._owner)
        if not (is_estimator(self._last) and hasattr(self._last, "predict")):
            raise TypeError(
                f"{self._owner}: final_estimator must be a classifier with predict, or None, got "
                f"{self.final_estimator!r}"
            )
        # Folds given as rows count all of them.
        X, codes, weight = self._check_training(
            X, y, sample_weight, keep_rows=True, accept_sparse=self._accepts_sparse
        )
        X = self._shared(X)
        opinions = features.learn(X, codes, self.classes_, weight, self._owner)
        self.features_ = features
        last = self._last
        if self.final_estimator is None:
            last.set_params(discretizer=OriginalColumnCuts(len(features.augmented_names_)))
        self.final_estimator_ = fit_to_codes(
            last,
            features.join(as_frame(X), opinions),
            codes,
            len(self.classes_),
            weight,
            self._owner,
        )
        return self

    def _check_fitted_state(self) -> None:
        super()._check_fitted_state()
        n_classes, n_columns = len(self.classes_), self.n_features_in_
        features = check_part(self, "features_", GenerativeFeatures)
        parameters = ("output", "encoding", "scaling")
        fits = all(getattr(features, name) == getattr(self, name) for name in parameters)
        fits = fits and type(features._first) is type(self._make_features()._first)
        require(fits, self, "features_", "made with its parameters")
        require(len(features.classes_) == n_classes, self, "features_", "of its classes")
        names = getattr(self, "feature_names_in_", None)
        check_reads(self, "features_", features.estimator_, n_columns, names)
        passed = n_columns if self.encoding == "as_is" else 0
        if features._reader is not None:
            check_reads(self, "features_", features._reader.encoder, n_columns, names)
            passed = len(features._reader.names)
        last = self.final_estimator_
        fits = type(last) is type(self._last) and hasattr(last, "classes_")
        require(fits, self, "final_estimator_", "a fitted copy of final_estimator")
        check_codes_of_classes(self, "final_estimator_", last, n_classes)
        n_last = passed + len(features.augmented_names_)
        known = getattr(last, "feature_names_in_", features.augmented_names_)
        check_reads(self, "final_estimator_", last, n_last)
        fits = list(known)[-len(features.augmented_names_) :] == features.augmented_names_
        require(fits, self, "final_estimator_", "a model of these columns")
        if self.encoding == "as_is" and names is not None and len(known) == n_last:
            require(list(known)[:passed] == list(names), self, "final_estimator_", "of its names")

    @property
    def estimator_(self) -> Any:
        """The first model, fitted to all rows."""
        return self.features_.estimator_

    @property
    def augmented_names_(self) -> list[str]:
        """The names of the appended columns."""
        return self.features_.augmented_names_

    # ---- predicting -------------------------------------------------------------------

    def _augmented(self, X: Any) -> Any:
        check_is_fitted(self)
        X = self._shared(check_table(self, X, reset=False, accept_sparse=self._accepts_sparse))
        return self.features_.join(as_frame(X), self.features_.ask(X))

    def _shared(self, X: Any) -> Any:
        """Return the rows such that both models read each column once, if they are augury's."""
        both = (self._make_features()._first, self._last)
        return read_once(X) if all(isinstance(model, READERS) for model in both) else X

    @available_if(_decides_by_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        augmented = self._augmented(X)
        return proba_of_declared(self.final_estimator_, augmented, len(self.classes_))

    def predict(self, X: Any) -> Array:
        """Return the class of each row that the final model decides for."""
        augmented = self._augmented(X)
        best = np.asarray(self.final_estimator_.predict(augmented), dtype=np.intp)
        predicted: Array = self.classes_[best]
        return predicted

    @available_if(_decides_once)  # type: ignore[untyped-decorator]
    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        augmented = self._augmented(X)
        codes, known = self.final_estimator_.predict_with_proba(augmented)
        predicted: Array = self.classes_[np.asarray(codes, dtype=np.intp)]
        proba = np.zeros((augmented.shape[0], len(self.classes_)))
        proba[:, np.asarray(self.final_estimator_.classes_, dtype=np.intp)] = known
        return predicted, proba


for _name in PUBLISHED:
    register_model(
        _name,
        f"{_name.upper()} of Zhang, Jiang and Zhang, exactly as published in 2022",
        factory="as_published",
        parameters={"name": _name},
    )(AugmentedClassifier)


def as_frame(X: Any) -> Any:
    """Return an array as a pandas frame, so that its columns keep their kinds beside numbers."""
    if is_frame(X) or is_read_once(X) or sparse.issparse(X):
        return X
    return pd.DataFrame(X, columns=column_names(X))
