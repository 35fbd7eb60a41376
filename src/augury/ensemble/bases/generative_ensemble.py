"""What ensembles of generative models have in common: rows that are read once."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.counts import log_normalize, normalize
from augury.encode import TableEncoder, encode_target, require_two_classes, row_blocks, slice_rows
from augury.fitted_state import check_classes, check_columns_in, check_parts, check_reads, require
from augury.foreign import Table
from augury.generative.bases.generative_classifier import GenerativeClassifier, TrainingRows
from augury.memory import columns_named
from augury.validation import check_table, check_threads, check_training_weight

# More draws than this do not fit the integers of every platform's generator.
MOST_DRAWS = 2**31 - 1


class GenerativeEnsemble(ClassifierMixin, BaseEstimator, ABC):
    """Base of the ensembles of models of p(c, x).

    Classes, states and cut points are learned once, from the training rows and their
    weights; members differ in what they estimate of them. So rows are read once, in
    `fit` and in `predict…` alike, whatever the number of members.

    An ensemble writes `_check_parameters`, `_default_estimator`, `_fit_members` (rows →
    `estimators_`) and `_log_scores` (rows → what the members say together).
    """

    # Parameters of every ensemble; each subclass states them in its own __init__.
    estimator: GenerativeClassifier | None
    n_jobs: int | None

    estimators_: list[GenerativeClassifier]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        estimator = self.estimator
        if not isinstance(estimator, GenerativeClassifier):  # None; or wrong, as `fit` will say
            estimator = self._default_estimator()
        tags.input_tags = get_tags(estimator).input_tags
        return tags

    # ---- what an ensemble must write --------------------------------------------------

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise if a parameter other than `estimator` and `n_jobs` is not allowed."""

    @abstractmethod
    def _default_estimator(self) -> GenerativeClassifier:
        """Return what `estimator=None` stands for."""

    @abstractmethod
    def _fit_members(self, template: GenerativeClassifier, training: TrainingRows) -> None:
        """Set `estimators_`: clones of the template, each fitted by `fit_read`."""

    @abstractmethod
    def _log_scores(self, read: Any) -> Array:
        """Return log p(c | x) of the rows up to a constant, of shape (n_samples, n_classes)."""

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the members.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing. A sparse matrix where the
            members take one.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row
            Weights are numbers of rows: a whole number stands for so many equal rows,
            zero for none. Weights that sum to at most 1 are shares and are multiplied by a
            constant so that their mean over the rows with a positive weight is 1.
        """
        self._check_parameters()
        template = self._make_template()
        training = self._read_training(template, X, y, sample_weight)
        with columns_named(self._owner, getattr(template.encoder_, "table_names_", [])):
            self._fit_members(template, training)
        return self

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _make_template(self) -> GenerativeClassifier:
        if self.estimator is None:
            template = self._default_estimator()
        elif isinstance(self.estimator, GenerativeClassifier):
            template = clone(self.estimator)
        else:
            raise TypeError(
                f"{self._owner}: estimator must be a classifier of augury.generative, such as "
                f"NaiveBayes(), or None, got {self.estimator!r}"
            )
        check_threads(self._owner, self.n_jobs)
        return template if self.n_jobs is None else template.set_params(n_jobs=self.n_jobs)

    def _read_training(
        self,
        template: GenerativeClassifier,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
    ) -> TrainingRows:
        """Return the rows as the template reads them.

        Does what its `read_training` does, but what is wrong with the rows is said in the
        name of the ensemble, which is what its user knows.
        """
        template._check_parameters()
        X = self._check_input(template, X, reset=True)
        classes, codes = encode_target(self._owner, y, X.shape[0])
        require_two_classes(self._owner, classes)
        weight = check_training_weight(self._owner, sample_weight, X.shape[0], stacklevel=4)
        self.classes_ = classes
        return template._read_first(X, codes, classes, weight)

    def _check_fitted_state(self) -> None:
        """Raise unless each member takes what the first one reads."""
        self._check_parameters()
        n_classes, n_columns = check_classes(self), check_columns_in(self)
        members = check_parts(self, "estimators_", GenerativeClassifier)
        require(members, self, "estimators_", "one or more")
        template = self._make_template()
        known = _columns_read(members[0])
        names = getattr(self, "feature_names_in_", None)
        for member in members:
            require(type(member) is type(template), self, "estimators_", "as the parameters say")
            require(len(member.classes_) == n_classes, self, "estimators_", "of its classes")
            check_reads(self, "estimators_", member, n_columns, names)
            require(_columns_read(member) == known, self, "estimators_", "of the same columns")

    def _check_input(self, reader: GenerativeClassifier, X: Any, *, reset: bool) -> Any:
        X = check_table(self, X, reset=reset, accept_sparse=get_tags(reader).input_tags.sparse)
        return reader._check_input(X, reset=reset)

    # ---- predicting -------------------------------------------------------------------

    def _read_blocks(self, X: Any) -> Iterator[Any]:
        """Yield the rows as all members read them, so many at a time as fit into memory."""
        reader = self.estimators_[0]
        X = self._check_input(reader, X, reset=False)
        for rows in row_blocks(X):
            yield reader._read(slice_rows(X, rows))

    def _predict_log_scores(self, X: Any) -> Array:
        check_is_fitted(self, "estimators_")
        blocks = [self._log_scores(read) for read in self._read_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def predict_log_proba(self, X: Any) -> Array:
        """Return log p(c | x) for each row and class."""
        return log_normalize(self._predict_log_scores(X))

    def predict_proba(self, X: Any) -> Array:
        """Return p(c | x) for each row and class, in the order of `classes_`."""
        return normalize(self._predict_log_scores(X))

    def predict(self, X: Any) -> Array:
        """Return the class of each row that the members favour; ties go to the first."""
        best = np.argmax(self._predict_log_scores(X), axis=1)
        predicted: Array = self.classes_[best]
        return predicted

    def predict_with_proba(self, X: Table) -> tuple[Array, Array]:
        """Return what `predict` and `predict_proba` return, computed once."""
        scores = self._predict_log_scores(X)
        predicted: Array = self.classes_[np.argmax(scores, axis=1)]
        return predicted, normalize(scores)


def _columns_read(member: GenerativeClassifier) -> tuple[Any, ...]:
    """Return what two members have in common if the one takes what the other reads."""
    encoder: Any = member.encoder_
    if isinstance(encoder, TableEncoder):
        return tuple(encoder.n_states_.tolist()), len(encoder.number_names_)
    return (encoder.n_columns,)
