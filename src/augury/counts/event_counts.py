"""Sums of counts by class: the statistics of the Bernoulli, multinomial and Poisson models."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csc_array, csr_array, issparse

from augury.arrays import Array
from augury.fitted_state import LARGEST_COUNT, check_floats
from augury.memory import require_bytes

# A dense array or a SciPy CSR matrix of counts; NaN is missing. SciPy ships no types.
CountMatrix: TypeAlias = Any

# Up to this number of classes, a product with dense class indicators is faster; with more
# classes, one addition for each stored value is.
_FEW_CLASSES = 4
# Cells of a dense matrix that are summed at once, so that the indicators stay small.
_CELLS = 1 << 20
# Minimum number of stored values of a sparse matrix that are added at once.
_STORED = 1 << 21


@dataclass(frozen=True, eq=False)
class EventCounts:
    """Weight of the rows, and sum of the counts of each column, in each class.

    They are additive over rows and linear in the weight. Only the stored values of a sparse
    matrix are read; it is never made dense.

    Parameters
    ----------
    class_counts : array of shape (n_classes,)
        Weight of the rows of each class.
    sums : array of shape (n_classes, n_columns)
        Σ w x over the rows of a class, without missing values.
    missing : array of shape (n_classes, n_columns), or None
        Weight of the rows in which the value is missing; None if no value is.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, np.nan], [0.0, 5.0]])
    >>> counts = EventCounts.collect(X, np.array([0, 0, 1]), n_classes=2)
    >>> counts.sums
    array([[3., 0.],
           [0., 5.]])
    >>> counts.known
    array([[2., 1.],
           [1., 1.]])
    >>> (counts + counts).class_counts
    array([4., 2.])
    """

    class_counts: Array
    sums: Array
    missing: Array | None = None

    @classmethod
    def collect(
        cls, matrix: CountMatrix, y: Array, n_classes: int, weight: Array | None = None
    ) -> EventCounts:
        """Sum the rows of a dense or sparse matrix (NaN: missing) with classes y."""
        y = np.asarray(y, dtype=np.int32)
        # The sums, the log probabilities of all events, and one temporary table.
        require_bytes(
            3 * 8 * n_classes * matrix.shape[1],
            f"the sums of {matrix.shape[1]:,} columns in {n_classes:,} classes",
            advice="take fewer columns, for example a smaller vocabulary",
        )
        if issparse(matrix):
            matrix = matrix.tocsr()
        missing = _missing_or_none(matrix)
        if missing is not None:
            matrix = fill_missing(matrix, missing)
        return cls(
            class_counts=np.bincount(y, weight, n_classes).astype(np.float64),
            sums=_class_sums(matrix, y, n_classes, weight),
            missing=None if missing is None else _class_sums(missing, y, n_classes, weight),
        )

    def __add__(self, other: EventCounts) -> EventCounts:
        if not isinstance(other, EventCounts):
            return NotImplemented
        if self.sums.shape != other.sums.shape:
            raise ValueError(
                "counts add only if they have the same classes and columns, got shapes "
                f"{self.sums.shape} and {other.sums.shape}"
            )
        parts = [part.missing for part in (self, other) if part.missing is not None]
        return EventCounts(
            class_counts=self.class_counts + other.class_counts,
            sums=self.sums + other.sums,
            missing=np.add.reduce(parts) if parts else None,
        )

    def _check_fitted_state(self) -> None:
        n_classes = len(check_floats(self, "class_counts", None, low=0, high=LARGEST_COUNT))
        shape = check_floats(self, "sums", n_classes, None, low=0).shape
        if self.missing is not None:
            check_floats(self, "missing", *shape, low=0)

    @property
    def known(self) -> Array:
        """Weight of the rows of each class in which the column is not missing."""
        rows = self.class_counts[:, None]
        if self.missing is None:
            return np.broadcast_to(rows, self.sums.shape)
        known: Array = np.maximum(rows - self.missing, 0.0)
        return known


def missing_values(matrix: CountMatrix) -> CountMatrix:
    """Return a matrix that is 1 where the given one is NaN and 0 elsewhere.

    The result of a sparse matrix stores the same cells.
    """
    if issparse(matrix):
        return with_values(matrix, np.isnan(matrix.data).astype(np.float64))
    return np.isnan(matrix)


def fill_missing(matrix: CountMatrix, missing: CountMatrix) -> CountMatrix:
    """Return a matrix with 0 where `missing`, see `missing_values`, is 1."""
    if issparse(matrix):
        return with_values(matrix, np.where(missing.data, 0.0, matrix.data))
    return np.where(missing, 0.0, matrix)


def with_values(matrix: CountMatrix, values: Array) -> CountMatrix:
    """Return a CSR matrix with other values in the same cells."""
    return csr_array((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def _missing_or_none(matrix: CountMatrix) -> CountMatrix | None:
    """Return `missing_values`, or None if no value is missing."""
    values = matrix.data if issparse(matrix) else matrix
    # The minimum is NaN if one of the values is.
    if values.dtype.kind != "f" or values.size == 0 or not np.isnan(values.min()):
        return None
    return missing_values(matrix)


def _class_sums(matrix: CountMatrix, y: Array, n_classes: int, weight: Array | None) -> Array:
    """Return Σ w x of each class and column, of shape (n_classes, n_columns)."""
    if issparse(matrix):
        return _sparse_class_sums(matrix, y, n_classes, weight)
    n_rows, n_columns = matrix.shape
    sums = np.zeros((n_classes, n_columns))
    step = max(1, _CELLS // max(n_columns, 1))
    for start in range(0, n_rows, step):
        rows = slice(start, start + step)
        weights = np.ones(len(y[rows])) if weight is None else weight[rows]
        indicators = csc_array(
            (weights, y[rows], np.arange(len(weights) + 1)), shape=(n_classes, len(weights))
        )
        # SciPy adds whole rows and would copy a matrix in column order.
        if not matrix.flags.c_contiguous:
            indicators = indicators.toarray()
        sums += indicators @ matrix[rows]
    return sums


def _sparse_class_sums(
    matrix: CountMatrix, y: Array, n_classes: int, weight: Array | None
) -> Array:
    n_rows, n_columns = matrix.shape
    if n_classes <= _FEW_CLASSES:
        indicators = np.zeros((n_rows, n_classes))
        indicators[np.arange(n_rows), y] = 1.0 if weight is None else weight
        return np.ascontiguousarray((matrix.T @ indicators).T)
    sums = np.zeros(n_classes * n_columns)
    # A chunk is about as large as the sums themselves.
    chunk = max(_STORED, sums.size)
    ends = np.searchsorted(matrix.indptr, np.arange(chunk, matrix.nnz + chunk, chunk))
    for start, end in pairwise([0, *np.minimum(ends, n_rows).tolist()]):
        stored = slice(matrix.indptr[start], matrix.indptr[end])
        per_row = np.diff(matrix.indptr[start : end + 1])
        cells = np.repeat(y[start:end].astype(np.int64) * n_columns, per_row)
        cells += matrix.indices[stored]
        values = matrix.data[stored]
        if weight is not None:
            values = values * np.repeat(weight[start:end], per_row)
        sums += np.bincount(cells, values, sums.size)
    return sums.reshape(n_classes, n_columns)
