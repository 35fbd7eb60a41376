"""Base class of the ensembles of generative models."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.bases.log_score_classifier import LogScoreClassifier
from augury.bases.partial_scores import PartialScores
from augury.encode import TableEncoder, row_blocks, slice_rows
from augury.encode.count_encoder import CountEncoder
from augury.fitted_state import check_parts, check_reads, require
from augury.foreign import Labels, Table
from augury.generative.bases.generative_classifier import (
    AnyGenerativeClassifier,
    GenerativeClassifier,
)
from augury.generative.bases.training_rows import ReadRows, TrainingRows
from augury.memory import columns_named
from augury.time_limit import require_time
from augury.validation import check_table, check_threads, check_training_weight

# More draws do not fit the integers of the random generator on every platform.
MAX_DRAWS = 2**31 - 1
# Steps of the score of a row in a class besides those of its values; a step takes a nanosecond.
_STEPS_OF_SCORE = 10


class GenerativeEnsemble(LogScoreClassifier):
    """Base class of the ensembles of models of p(c, x).

    Classes, states and cut points are learned once, from the training rows and their
    weights, and are the same for all members. Rows are therefore read once, in `fit` and in
    `predict…`, whatever the number of members. A subclass whose members have states of their own
    overrides `_reader` and `_check_columns_read`, and translates what was read for each member.

    A subclass writes `_check_parameters`, `_default_estimator`, `_fit_members` (rows →
    `estimators_`) and `_log_scores` (rows → combined scores of the members).
    """

    # Parameters of every ensemble; each subclass states them in its own __init__.
    estimator: AnyGenerativeClassifier | None
    n_jobs: int | None
    n_estimators: int

    # Share of the training rows that a member scores in `fit`.
    _share_scored = 1.0

    estimators_: list[AnyGenerativeClassifier]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        estimator = self.estimator
        if not isinstance(estimator, GenerativeClassifier):  # None, or wrong: `fit` raises
            estimator = self._default_estimator()
        tags.input_tags = get_tags(estimator).input_tags
        return tags

    # ---- a subclass writes these ------------------------------------------------------

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise if a parameter other than `estimator` and `n_jobs` is not allowed."""

    @abstractmethod
    def _default_estimator(self) -> AnyGenerativeClassifier:
        """Return the member for `estimator=None`."""

    @abstractmethod
    def _fit_members(self, template: AnyGenerativeClassifier, training: TrainingRows) -> None:
        """Set `estimators_`: clones of the template, each fitted by `fit_read`."""

    @abstractmethod
    def _log_scores(self, read: ReadRows) -> Array:
        """Return log p(c | x) of the rows up to a constant, of shape (n_samples, n_classes)."""

    # ---- fitting ----------------------------------------------------------------------

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the members.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing. A sparse matrix if the members
            accept one.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row
            Weights are numbers of rows: a row of weight 3 equals three rows, a row of weight
            0 is ignored. Weights that sum to at most 1 are shares and are multiplied by a
            constant so that their mean over the rows with a positive weight is 1.
        """
        self._check_parameters()
        template = self._make_template()
        training = self._read_training(template, X, y, sample_weight)
        with columns_named(self._owner, getattr(template.encoder_, "table_names_", [])):
            self._fit_members(template, training)
        return self

    def _make_template(self) -> AnyGenerativeClassifier:
        template: AnyGenerativeClassifier
        if self.estimator is None:
            template = self._default_estimator()
        elif isinstance(self.estimator, GenerativeClassifier):
            template = clone(self.estimator)
        else:
            raise TypeError(
                f"{self._owner}: estimator must be a classifier of augury.generative, such as "
                f"NaiveBayes(), or None, got {self.estimator!r}"
            )
        if template.class_weight is not None:
            raise ValueError(
                f"{self._owner}: class_weight of estimator must be None, got "
                f"{template.class_weight!r}: set class_weight of {self._owner}"
            )
        check_threads(self._owner, self.n_jobs)
        if self.n_jobs is not None:
            template.set_params(n_jobs=self.n_jobs)
        return template

    def _read_training(
        self,
        template: AnyGenerativeClassifier,
        X: Table,
        y: Labels,
        sample_weight: ArrayLike | None,
    ) -> TrainingRows:
        """Return the rows as the template reads them.

        Unlike `read_training` of the template, errors name the ensemble.
        """
        template._check_parameters()
        X = self._check_input(template, X, reset=True)
        classes, codes = self._code_classes(y, X.shape[0])
        with columns_named(self._owner, []):
            self._require_members(template, X.shape[0], X.shape[1], len(classes))
        n_entries = X.nnz if sparse.issparse(X) else X.shape[0] * X.shape[1]
        self._require_scores(X.shape[0], n_entries, len(classes))
        weight = check_training_weight(self._owner, sample_weight, X.shape[0], stacklevel=4)
        weight = self._weigh_classes(classes, codes, weight)
        self.classes_ = classes
        return template._read_first(X, codes, classes, weight)

    def _require_members(
        self, template: AnyGenerativeClassifier, n_rows: int, n_columns: int, n_classes: int
    ) -> None:
        """Raise if a table of this size takes the members too much time or memory."""
        template._require_size(n_rows, n_columns, n_classes)

    def _require_scores(self, n_rows: int, n_entries: int, n_classes: int) -> None:
        """Raise if it takes too long to score the training rows by all members.

        A row of d columns takes d + 10 steps for each member and class.
        """
        n_steps = n_classes * (n_entries + _STEPS_OF_SCORE * n_rows)
        require_time(
            int(self._share_scored * self.n_estimators * n_steps),
            1.0,
            f"the scores of {n_rows:,} rows in {n_classes:,} classes by {self.n_estimators:,} "
            "members",
            n_rows=n_rows,
            owner=self._owner,
            advice="merge rare classes, take fewer members, or take NaiveBayes",
        )

    def _check_fitted_state(self) -> None:
        """Raise unless all members are of the template's class and read the same columns."""
        super()._check_fitted_state()
        n_classes, n_columns = len(self.classes_), self.n_features_in_
        members = check_parts(self, "estimators_", GenerativeClassifier)
        require(members, self, "estimators_", "one or more")
        template = self._make_template()
        names = getattr(self, "feature_names_in_", None)
        for member in members:
            fits = type(member) in self._kinds_of_members(template)
            require(fits, self, "estimators_", "as the parameters say")
            require(len(member.classes_) == n_classes, self, "estimators_", "of its classes")
            check_reads(self, "estimators_", member, n_columns, names)
        self._check_columns_read(members)

    def _kinds_of_members(self, template: AnyGenerativeClassifier) -> tuple[type, ...]:
        """Return the classes that members may have."""
        return (type(template),)

    def _check_columns_read(self, members: Sequence[AnyGenerativeClassifier]) -> None:
        """Raise unless all members can score rows that the reader has read."""
        known = _columns_read(members[0])
        fits = all(_columns_read(member) == known for member in members)
        require(fits, self, "estimators_", "of the same columns")

    def _check_input(self, reader: AnyGenerativeClassifier, X: Table, *, reset: bool) -> Table:
        X = check_table(self, X, reset=reset, accept_sparse=get_tags(reader).input_tags.sparse)
        return reader._check_input(X, reset=reset)

    # ---- predicting -------------------------------------------------------------------

    def _reader(self) -> AnyGenerativeClassifier:
        """Return the model that reads rows for all members."""
        return self.estimators_[0]

    def _read_blocks(self, X: Table) -> Iterator[ReadRows]:
        """Yield the rows as all members read them, in blocks that fit into memory."""
        reader = self._reader()
        X = self._check_input(reader, X, reset=False)
        for rows in row_blocks(X):
            yield reader._read(slice_rows(X, rows))

    def _predict_log_scores(self, X: Table) -> Array:
        check_is_fitted(self, "estimators_")
        blocks = [self._log_scores(read) for read in self._read_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    # ---- explaining -------------------------------------------------------------------

    def _check_explained(self, X: Table) -> Table:
        return self._check_input(self._reader(), X, reset=False)

    def _partial_scores(self, X: Table) -> PartialScores:
        reader = self._reader()
        known_part = reader._leaving_out(reader._read(X))
        return lambda rows, known: self._log_scores(known_part(rows, known))


def _columns_read(member: AnyGenerativeClassifier) -> tuple[tuple[int, ...], int]:
    """Return the states and the number of numeric columns; equal if members read the same."""
    encoder: TableEncoder | CountEncoder = member.encoder_
    if isinstance(encoder, TableEncoder):
        return tuple(encoder.n_states_.tolist()), len(encoder.number_names_)
    return (), encoder.n_columns
