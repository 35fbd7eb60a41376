"""Frames, arrays and sparse matrices become columns of counts."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self, TypeAlias

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from augury.arrays import FloatArray, IntegerArray
from augury.encode.checked_csr import checked_csr
from augury.encode.columns import read_numbers, slice_rows
from augury.encode.encoder import TableEncoder
from augury.encode.requested_columns import RequestedColumns
from augury.encode.table import CategoricalTable
from augury.fitted_state import check_floats, check_part, check_texts, check_whole, require
from augury.foreign import Labels, Table

# A NumPy array or a CSR matrix. SciPy has no types, so that a type checker sees Any.
Matrix: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class CountColumns:
    """Rows as columns of numbers, and columns of 0/1 indicators of the states of labels.

    Parameters
    ----------
    numbers : array or CSR matrix; NaN is missing
    indicators : CSR matrix, or None
    """

    numbers: Matrix
    indicators: csr_array | None = None

    def join(self, numbers: Matrix) -> Matrix:
        """Return `numbers`, counts computed from ours, followed by the indicators."""
        if self.indicators is None:
            return numbers
        return hstack([csr_array(numbers), self.indicators], format="csr")


class CountEncoder:
    """Encode any checked table as columns of counts: numbers, and indicators of labels.

    A column of labels becomes one 0/1 column for each of its states; all are 0 for a label that
    `learn` did not see. A boolean column, and a column that marks the missing values of another,
    become one column. A sparse matrix stays sparse, and indicators are always sparse.

    Parameters
    ----------
    categorical_features, missing, n_jobs : see `TableEncoder`

    Attributes
    ----------
    starts : first column of each feature, numbers first, and the number of all columns

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "rain", "sun"], "drops": [0, 7, 1]})
    >>> columns = (encoder := CountEncoder()).learn_and_encode(X)
    >>> encoder.names
    ['drops', 'sky=rain', 'sky=sun']
    >>> columns.join(columns.numbers).toarray()
    array([[0., 0., 1.],
           [7., 1., 0.],
           [1., 0., 1.]])
    """

    starts: list[int]

    def __init__(
        self,
        categorical_features: RequestedColumns = "from_dtype",
        missing: str = "state",
        n_jobs: int | None = None,
    ) -> None:
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self._table_encoder: TableEncoder | None = None  # None: numbers only

    def learn(
        self,
        X: Table,
        y: Labels = None,
        weight: FloatArray | None = None,
        owner: str | None = None,
    ) -> Self:
        """Learn which columns are labels, and their states; `owner` is named in errors."""
        if self._holds_numbers_only(X, owner):
            self._learn_numbers(X, weight)
        else:
            self._table_encoder = self._make_table_encoder().learn(X, y, weight, owner)
            self._learn_labels(self._table_encoder.encode(slice_rows(X, slice(1))))
        return self

    def learn_from(self, learn: Callable[[TableEncoder], TableEncoder], first: Table) -> Self:
        """Learn from a function that fits an encoder of labels; `first` are some rows."""
        self._table_encoder = learn(self._make_table_encoder())
        self._learn_labels(self._table_encoder.encode(slice_rows(first, slice(0, 1))))
        return self

    def learn_and_encode(
        self,
        X: Table,
        y: Labels = None,
        weight: FloatArray | None = None,
        owner: str | None = None,
    ) -> CountColumns:
        """Learn, and return the columns of these rows; X is read once."""
        if self._holds_numbers_only(X, owner):
            self._learn_numbers(X, weight)
            return self.encode(X)
        self._table_encoder = self._make_table_encoder()
        table = self._table_encoder.learn_and_encode(X, y, weight, owner)
        self._learn_labels(table)
        return self._split(table)

    def encode(self, X: Table) -> CountColumns:
        """Return the columns of other rows."""
        if issparse(X):
            return self._read_sparse(X)
        if self._table_encoder is not None:
            return self._split(self._table_encoder.encode(X))
        numbers = _read_all_numbers(X)
        if self._means is not None and np.isnan(numbers).any():
            numbers = np.where(np.isnan(numbers), self._means, numbers)
        return CountColumns(numbers)

    def unseen_labels(self, X: Table) -> dict[str, list[Hashable]]:
        """Return, by column, the labels of these rows that `learn` did not see."""
        if self._table_encoder is None or issparse(X):
            return {}
        return self._table_encoder.unseen_labels(X)

    @property
    def features(self) -> list[str]:
        """Names of the columns of the table: numbers, labels, then marks of missing values."""
        return [*map(self.number_name, range(self._n_numbers)), *self._label_names]

    @property
    def names(self) -> list[str]:
        """Names of the columns of counts: `size` for a number, `sky=sun` for an indicator."""
        return [*map(self.number_name, range(self._n_numbers)), *self._indicator_names]

    def source_columns(self) -> IntegerArray:
        """Return the index of X's column that each of `features` is read from."""
        if self._table_encoder is None:
            return np.arange(self._n_numbers)
        of_codes, of_numbers = self._table_encoder.source_columns()
        return np.concatenate([of_numbers, of_codes])

    @property
    def has_indicators(self) -> bool:
        """Whether a feature may have more or fewer columns than one."""
        return bool(self._label_names)

    def number_name(self, k: int) -> str:
        """Return the name of the k-th column of numbers."""
        return f"x{k}" if self._number_names is None else self._number_names[k]

    # ---- learning ---------------------------------------------------------------------

    def _check_fitted_state(self) -> None:
        """Raise unless each row becomes counts in columns that exist."""
        check_whole(self, "_n_numbers", low=0)
        n_indicators = len(check_texts(self, "_indicator_names"))
        labels = check_texts(self, "_label_names")
        self._check_starts(len(labels), n_indicators)
        if self._table_encoder is None:
            require(not labels and not n_indicators, self, "_label_names", "empty")
            require(self._number_names is None, self, "_number_names", "None")
            if self._means is not None:
                check_floats(self, "_means", self._n_numbers)
            return
        encoder = check_part(self, "_table_encoder", TableEncoder)
        require(encoder.discretizer is None, self, "_table_encoder", "one that keeps numbers")
        require(self._means is None, self, "_means", "None")
        require(self._n_numbers == len(encoder.number_names_), self, "_n_numbers", "its numbers")
        check_texts(self, "_number_names", self._n_numbers)
        check_whole(self, "_n_labels", high=len(labels))
        require(len(labels) == len(encoder.n_states_), self, "_label_names", "its labels")
        for column, n in zip(self._columns_of_codes, encoder.n_states_.tolist(), strict=True):
            fits = (
                type(column) is np.ndarray
                and column.dtype.kind == "i"
                and column.shape == (n + 1,)
                and column.min() >= -1
                and column.max() < n_indicators
            )
            require(fits, self, "_columns_of_codes", "columns of indicators")

    def _check_starts(self, n_labels: int, n_indicators: int) -> None:
        starts, n = self.starts, self._n_numbers
        fits = (
            isinstance(starts, list)
            and all(type(start) is int for start in starts)
            and len(starts) == n + n_labels + 1
            and starts[: n + 1] == list(range(n + 1))
            and starts == sorted(starts)
            and starts[-1] == n + n_indicators
        )
        require(fits, self, "starts", "the first column of each feature")

    @property
    def n_columns(self) -> int:
        """Number of columns of counts: the numbers and the indicators."""
        return int(self._n_numbers) + len(self._indicator_names)

    def _make_table_encoder(self) -> TableEncoder:
        return TableEncoder(
            categorical_features=self.categorical_features,
            missing=self.missing,
            discretizer=None,
            n_jobs=self.n_jobs,
        )

    def _holds_numbers_only(self, X: Table, owner: str | None) -> bool:
        """Return whether the type of X shows that all columns are complete numbers."""
        wanted = self.categorical_features
        by_dtype = wanted is None or (isinstance(wanted, str) and wanted == "from_dtype")
        if issparse(X):
            if not by_dtype:
                raise ValueError(
                    f"{owner or type(self).__name__}: categorical_features must be 'from_dtype' "
                    f"with a sparse matrix, whose columns are numbers, got {wanted!r}"
                )
            return True
        if not by_dtype or not isinstance(X, np.ndarray) or X.dtype.kind not in "iuf":
            return False
        return X.dtype.kind != "f" or self.missing == "ignore" or not np.isnan(X.min())

    def _learn_numbers(self, X: Matrix, weight: FloatArray | None) -> None:
        self._table_encoder = None
        self._number_names: tuple[str, ...] | None = None
        self._n_numbers = X.shape[1]
        self._label_names: list[str] = []
        self._indicator_names: list[str] = []
        self.starts = list(range(self._n_numbers + 1))
        self._means: FloatArray | None = None
        if self.missing == "replace":
            weights = np.ones(X.shape[0]) if weight is None else weight
            self._means = (X.T @ weights) / weights.sum()

    def _learn_labels(self, table: CategoricalTable) -> None:
        assert self._table_encoder is not None
        self._number_names = table.number_names
        self._n_numbers = len(table.number_names)
        self._means = None  # the table encoder replaces missing values
        self._n_labels = int(self._table_encoder.is_nominal_.sum())
        self._label_names = list(table.names)
        self._indicator_names = []
        self.starts = list(range(self._n_numbers + 1))
        self._columns_of_codes: list[IntegerArray] = []
        for j, (name, states) in enumerate(zip(table.names, table.states, strict=True)):
            column_of_code = np.full(len(states) + 1, -1)  # the last is for left-out values
            for code, state in enumerate(states):
                # False means not True, and "present" means not missing: one column is enough.
                if state is False or (j >= self._n_labels and code == 0):
                    continue
                column_of_code[code] = len(self._indicator_names)
                self._indicator_names.append(f"{name}={state}")
            self._columns_of_codes.append(column_of_code)
            self.starts.append(self._n_numbers + len(self._indicator_names))

    # ---- reading ----------------------------------------------------------------------

    def _read_sparse(self, X: Matrix) -> CountColumns:
        if not self.has_indicators:
            return CountColumns(X)
        if self._n_labels:
            raise ValueError(
                f"column {self._label_names[0]!r} held labels in fit and must hold labels now, "
                "got a sparse matrix of numbers"
            )
        return CountColumns(X, csr_array((X.shape[0], len(self._indicator_names))))

    def _split(self, table: CategoricalTable) -> CountColumns:
        if not self.has_indicators:
            return CountColumns(table.numbers)
        columns = np.empty(table.codes.shape, dtype=np.int64)
        for j, column_of_code in enumerate(self._columns_of_codes):
            columns[:, j] = column_of_code[table.codes[:, j]]
        has_indicator = columns >= 0
        indptr = np.concatenate([[0], np.cumsum(has_indicator.sum(axis=1))])
        indices = columns[has_indicator]
        shape = (table.n_samples, len(self._indicator_names))
        indicators = checked_csr(np.ones(len(indices)), indices, indptr, shape)
        return CountColumns(table.numbers, indicators)


def feature_sums(terms: FloatArray, starts: list[int]) -> FloatArray:
    """Sum the second axis of `terms` over the columns of each feature."""
    sums = [terms[:, a:b].sum(axis=1) for a, b in pairwise(starts)]
    return np.stack(sums, axis=1)


def _read_all_numbers(X: Table) -> FloatArray:
    """Read every column as float64; a finite matrix of numbers is converted at once."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "iuf" and X.size:
        numbers: FloatArray = X.astype(np.float64, copy=False)
        if X.dtype.kind != "f" or (np.isfinite(X.min()) and np.isfinite(X.max())):
            return numbers
    return read_numbers(X, np.arange(X.shape[1]))
