"""What classifiers have in common that read any table."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin

from augury.arrays import Array
from augury.encode.columns import take_rows
from augury.encode.target import encode_target, require_two_classes
from augury.fitted_state import check_classes, check_columns_in
from augury.validation import (
    check_table,
    check_training_weight,
)


class TableClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers of mixed tables: labels, numbers and gaps are welcome."""

    classes_: Array

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    @property
    def _owner(self) -> str:
        return type(self).__name__

    def _check_fitted_state(self) -> None:
        """Raise unless the attributes are as `fit` leaves them; classifiers add their own."""
        self._check_parameters()
        check_classes(self)
        check_columns_in(self)

    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    def _check_training(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        *,
        keep_rows: bool = False,
        accept_sparse: bool = False,
    ) -> tuple[Any, Array, Array | None]:
        """Return rows, codes of their classes and weights, checked; sets `classes_`.

        Rows of weight zero are left out, unless `keep_rows`.
        """
        X = check_table(self, X, reset=True, accept_sparse=accept_sparse)
        classes, codes = encode_target(self._owner, y, X.shape[0])
        require_two_classes(self._owner, classes)
        weight = check_training_weight(self._owner, sample_weight, X.shape[0], stacklevel=4)
        if weight is not None and not weight.all() and not keep_rows:
            rows = np.asarray(weight > 0)
            X, codes, weight = take_rows(X, rows), codes[rows], weight[rows]
        self.classes_ = classes
        return X, codes, weight
