"""Base class of the classifiers that read tables."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags

from augury.arrays import Array
from augury.bases.class_weights import (
    ClassWeight,
    as_pairs,
    check_class_weight,
    class_factors,
    weigh_by_class,
)
from augury.bases.explained_classifier import ExplainedClassifier
from augury.encode.columns import take_rows
from augury.encode.target import encode_target, require_two_classes
from augury.fitted_state import check_classes, check_columns_in
from augury.foreign import Labels, Table
from augury.validation import check_table, check_training_weight

# Predictions of so many rows belong to the cost of a model.
ROWS_TO_PREDICT = 1_000
# Names of the parameters of each class. An ensemble clones its members often, and scikit-learn
# inspects the signature of the class whenever one is cloned.
_PARAMETER_NAMES: dict[type, tuple[str, ...]] = {}


class TableClassifier(ExplainedClassifier, ClassifierMixin, BaseEstimator):
    """Base class of the classifiers of mixed tables with labels, numbers and missing values.

    It has the scikit-learn tags, the checks of the training input, the check of the attributes of
    a model that is loaded from a file, and `explain`. A subclass writes `_fit_rows`, or a `fit` of
    its own.

    A subclass that takes `class_weight` sets it in `__init__`; the base multiplies the weights of
    the rows by it before they reach the subclass.
    """

    # For models of earlier versions and of other packages, which do not set it.
    class_weight: ClassWeight = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; those of the models in them too if `deep`."""
        names = _PARAMETER_NAMES.get(type(self))
        if names is None or deep:
            params: dict[str, Any] = super().get_params(deep)
            if not deep:
                _PARAMETER_NAMES[type(self)] = tuple(params)
            return params
        return {name: getattr(self, name) for name in names}

    # A file holds class weights as pairs: the keys of its dicts are text or whole numbers.

    def __getstate__(self) -> Any:
        state = super().__getstate__()
        if isinstance(self.class_weight, Mapping):
            state = {**state, "class_weight": as_pairs(self.class_weight)}
        return state

    def __setstate__(self, state: Any) -> None:
        if isinstance(state.get("class_weight"), list):
            state = {**state, "class_weight": dict(state["class_weight"])}
        super().__setstate__(state)

    def fit(self, X: Table, y: Labels, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the model to the rows of a table.

        Parameters
        ----------
        X : data frame (pandas, polars, pyarrow) or array of shape (n_samples, n_features)
            Labels, numbers or both; values may be missing.
        y : class of each row
            The declared categories of a pandas categorical (or a polars Enum) are classes
            even if no row has them.
        sample_weight : weight of each row
            A weight is a number of rows: weight 2 is equal to two rows, weight 0 to none.
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._check_parameters()
        X, codes, weight = self._check_training(X, y, sample_weight)
        self._fit_rows(X, codes, weight)
        return self

    def _fit_rows(self, X: Table, codes: Array, weight: Array | None) -> None:
        """Fit the model to checked rows; `classes_` is set, and `codes` are its indices.

        The method is not abstract: a subclass may write `fit` instead.
        """
        raise NotImplementedError(f"{self._owner} writes neither _fit_rows nor fit")

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _check_fitted_state(self) -> None:
        """Raise unless the attributes are as `fit` leaves them; subclasses check their own."""
        self._check_parameters()
        check_class_weight(self._owner, self.class_weight)
        check_classes(self)
        check_columns_in(self)

    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    def _require_size(
        self, n_rows: int, n_columns: int, n_classes: int, *, n_predicted: int = ROWS_TO_PREDICT
    ) -> None:
        """Raise `RefusedTableError` if a table of this size takes too much time or memory.

        It is called before the table is read. A model whose cost depends on the states of the
        columns raises later, before it counts. `n_predicted` is the number of rows of which
        predictions must not take too long.
        """

    def _check_explained(self, X: Table) -> Table:
        """Return rows to be explained as a table with the model's columns, or raise."""
        accept_sparse = bool(get_tags(self).input_tags.sparse)
        return check_table(self, X, reset=False, accept_sparse=accept_sparse)

    def _check_training(
        self,
        X: Table,
        y: Labels,
        sample_weight: ArrayLike | None,
        *,
        keep_rows: bool = False,
        weigh_classes: bool = True,
        accept_sparse: bool = False,
    ) -> tuple[Table, Array, Array | None]:
        """Return checked rows, the codes of their classes and weights; set `classes_`.

        Rows of weight zero are dropped, unless `keep_rows`. Without `weigh_classes` the weights are
        not multiplied by those of the classes.
        """
        X = check_table(self, X, reset=True, accept_sparse=accept_sparse)
        classes, codes = self._code_classes(y, X.shape[0])
        self._require_size(X.shape[0], X.shape[1], len(classes))
        weight = check_training_weight(self._owner, sample_weight, X.shape[0], stacklevel=4)
        if weigh_classes:
            weight = self._weigh_classes(classes, codes, weight)
        if not keep_rows:
            X, codes, weight = drop_rows_without_weight(X, codes, weight)
        self.classes_ = classes
        return X, codes, weight

    def _weigh_classes(self, classes: Array, codes: Array, weight: Array | None) -> Array | None:
        """Return the weights of rows, multiplied by those of their classes; None if all are 1."""
        factors = class_factors(self._owner, self.class_weight, classes, codes, weight)
        return weigh_by_class(self._owner, factors, codes, weight)

    def _code_classes(self, y: Labels, n_samples: int) -> tuple[Array, Array]:
        """Return the sorted classes, at least two, and the code of the class of each row."""
        classes, codes = encode_target(self._owner, y, n_samples)
        require_two_classes(self._owner, classes)
        return classes, codes


def drop_rows_without_weight(
    X: Table, codes: Array, weight: Array | None
) -> tuple[Table, Array, Array | None]:
    """Return the rows whose weight is above zero; all of them, not copied, if every one is."""
    if weight is None or weight.all():
        return X, codes, weight
    rows = np.asarray(weight > 0)
    return take_rows(X, rows), codes[rows], weight[rows]
