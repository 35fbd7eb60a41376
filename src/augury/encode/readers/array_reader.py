"""Reader of NumPy arrays."""

import numpy as np

from augury.arrays import Array, BoolArray, FloatArray
from augury.encode.nominal import (
    Nominal,
    are_numbers,
    nominal_from_booleans,
    nominal_from_objects,
    numbers_from_objects,
    unreadable,
)
from augury.kernels import code_integers


class ArrayReader:
    """Reader of a two-dimensional NumPy array; its columns are named x0, x1, …."""

    def __init__(self, X: Array) -> None:
        self._array = X

    def column_names(self) -> list[str]:
        """Return x0, x1, …."""
        return [f"x{j}" for j in range(self._array.shape[1])]

    def are_nominal(self) -> list[bool]:
        """Return for each column whether it holds labels; objects may be numbers."""
        X = self._readable()
        if X.dtype.kind == "O":
            return [not are_numbers(X[:, j]) for j in range(X.shape[1])]
        return [X.dtype.kind in "bSTU"] * X.shape[1]

    def take_rows(self, rows: BoolArray) -> Array:
        """Return the rows where the mask is true."""
        return self._array[rows]

    def slice_rows(self, rows: slice) -> Array:
        """Return adjacent rows."""
        return self._array[rows]

    def read_nominal(self, columns: list[int], n_threads: int) -> list[Nominal]:
        """Read these columns as labels."""
        X = self._readable()
        if X.dtype.kind in "iu" and X.dtype.newbyteorder("=") != np.uint64:
            return _read_integers(X, columns, n_threads)
        return [_read_labels(X[:, j], f"x{j}") for j in columns]

    def read_numbers(self, columns: list[int]) -> FloatArray:
        """Read these columns as float64; a float64 matrix is not copied."""
        X = self._readable()
        if X.dtype == np.float64 and len(columns) == X.shape[1]:
            return X
        numbers = np.empty((len(X), len(columns)), order="F")
        for k, j in enumerate(columns):
            values = X[:, j]
            numbers[:, k] = (
                values if values.dtype.kind in "biuf" else numbers_from_objects(values, f"x{j}")
            )
        return numbers

    def _readable(self) -> Array:
        if self._array.dtype.kind in "mM":
            raise unreadable("x0", self._array.dtype)
        return self._array


def _read_labels(values: Array, name: str) -> Nominal:
    if values.dtype.kind == "b":
        return nominal_from_booleans(values.view(np.uint8), complete=True)
    if values.dtype.kind in "iuf":
        labels, codes = np.unique(values, return_inverse=True)  # NaN comes last, once
        return Nominal(codes, labels[labels == labels].tolist())
    return nominal_from_objects(values, name)


def _read_integers(X: Array, columns: list[int], n_threads: int) -> list[Nominal]:
    """Code all integer columns in one pass over the matrix."""
    part = X if len(columns) == X.shape[1] else X[:, columns]
    coded = code_integers(part, n_threads=n_threads)
    if coded is None:
        return [_read_labels(part[:, k], "") for k in range(part.shape[1])]
    codes, lo, hi = coded
    return [
        Nominal(codes[:, k], range(int(lo[k]), int(hi[k]) + 1), complete=True)
        for k in range(part.shape[1])
    ]


__all__ = ["ArrayReader"]
