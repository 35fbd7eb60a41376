"""Base class of the discretisers."""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from augury.arrays import FloatArray, IntegerArray
from augury.encode.target import encode_target
from augury.fitted_state import check_columns_in, check_float_array, check_parts, require
from augury.foreign import Labels, Table
from augury.kernels import find_intervals
from augury.kernels.row_threads import map_threads
from augury.validation import check_threads, check_training_weight


def midpoints(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the means of a and b, also if a + b overflows.

    >>> midpoints(np.array([1.0, 1.2e308]), np.array([2.0, 1.7e308]))
    array([1.50e+000, 1.45e+308])
    """
    with np.errstate(over="ignore"):
        total = a + b
    return np.where(np.isfinite(total), total / 2, a / 2 + b / 2)


class CutPointDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator, ABC):
    """Base class of the discretisers; a subclass writes `_find_cuts` of one column.

    `transform` replaces a number by the index of its interval; a missing value (NaN)
    stays missing. Rows of weight zero have no effect.
    """

    cut_points_: list[FloatArray]

    _needs_y = False
    # Whether cut points are means of two adjacent distinct values that are chosen by the order of
    # the values and their weights alone.
    _cuts_by_order = False

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self._needs_y
        return tags

    def fit(self, X: Table, y: Labels = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the cut points of each column.

        Parameters
        ----------
        X : numbers of shape (n_samples, n_features); NaN is missing
        y : class of each row; needed by supervised discretisers only
        sample_weight : weight of each row; an integer weight w equals w equal rows
            Weights that sum to at most 1 are shares and are scaled to a mean of 1.
        """
        self._check_parameters()
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.cut_points_ = self.learn_cuts(list(X.T), y, sample_weight)
        return self

    def learn_cuts(
        self, columns: list[FloatArray], y: Labels = None, sample_weight: ArrayLike | None = None
    ) -> list[FloatArray]:
        """Return the cut points of columns of finite numbers and NaN; see `fit`."""
        owner, n_samples = type(self).__name__, len(columns[0])
        self._check_parameters()
        n_threads = check_threads(owner, getattr(self, "n_jobs", None))
        codes, n_classes = None, 0
        if self._needs_y:
            classes, codes = encode_target(owner, y, n_samples)
            n_classes = len(classes)
        weight = check_training_weight(owner, sample_weight, n_samples)

        def cuts_of(column: FloatArray) -> FloatArray:
            return self._cuts_of_column(column, codes, n_classes, weight)

        return map_threads(cuts_of, columns, n_threads)

    def transform(self, X: Table) -> FloatArray:
        """Replace each number by the index of its interval; NaN stays NaN."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        intervals = np.empty(X.shape)
        for j, cuts in enumerate(self.cut_points_):
            intervals[:, j] = find_intervals(X[:, j], cuts)
        intervals[np.isnan(X)] = np.nan
        return intervals

    def _check_fitted_state(self) -> None:
        self._check_parameters()
        n_columns = check_columns_in(self)
        for cuts in check_parts(self, "cut_points_", np.ndarray, n_columns):
            check_float_array(self, "cut_points_", cuts, None)
            require((np.diff(cuts) >= 0).all(), self, "cut_points_", "sorted")

    def _check_parameters(self) -> None:
        """Raise if a parameter is not allowed."""

    def _cuts_of_column(
        self,
        column: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        """Return the sorted cut points of one column in any order; NaN is missing."""
        if y is None and weight is None:
            values = column[~np.isnan(column)]
            values.sort()
            return self._find_cuts(values, None, n_classes, None)
        rows = ~np.isnan(column) if weight is None else ~np.isnan(column) & (weight > 0)
        order = np.argsort(column[rows])
        return self._find_cuts(
            column[rows][order],
            None if y is None else y[rows][order],
            n_classes,
            None if weight is None else weight[rows][order],
        )

    @abstractmethod
    def _find_cuts(
        self,
        values: FloatArray,
        y: IntegerArray | None,
        n_classes: int,
        weight: FloatArray | None,
    ) -> FloatArray:
        """Return the sorted cut points of one sorted column without missing values."""
