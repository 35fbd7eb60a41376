"""Whatever a user calls a table → columns of labels and columns of numbers.

Every kind of input ends in one of two forms, at fit and at predict time alike:
`Nominal` (codes and what each code stands for) or a float64 column in which NaN is
missing. There is one reader for each kind of input, and all have the same functions.
"""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
from scipy.sparse import issparse

from augury.arrays import Array
from augury.encode.nominal import Nominal
from augury.encode.readers import read_array, read_narwhals
from augury.validation import is_frame, is_pandas, is_read_once


def _reader(X: Any) -> ModuleType:
    if is_read_once(X):
        from augury.encode.readers import read_once  # needs pandas, which other tables do not

        return read_once
    if is_pandas(X):
        from augury.encode.readers import read_pandas  # pandas is there, or X would not be

        return read_pandas
    return read_narwhals if is_frame(X) else read_array


def column_names(X: Any) -> list[str]:
    """Return the columns' names, x0, x1, … where the input has none."""
    return [str(name) for name in _reader(X).column_names(X)]


def nominal_by_dtype(X: Any) -> Array:
    """Return for each column whether its type makes it one of labels."""
    return np.array(_reader(X).are_nominal(X), dtype=bool)


def read_once(X: Any) -> Any:
    """Return the table such that each of its columns is read once, for several models.

    A table that is read in blocks stays as it is: its columns do not fit in memory twice.
    """
    from augury.encode.readers.read_once import ReadOnce

    if is_read_once(X) or issparse(X) or len(row_blocks(X)) > 1:
        return X
    reader = _reader(X)
    return ReadOnce(
        column_names(X),
        X.shape,
        cache(lambda: reader.are_nominal(X)),
        lambda columns, n_threads: reader.read_nominal(X, columns, n_threads),
        lambda columns: reader.read_numbers(X, columns),
        source=X,
    )


def take_rows(X: Any, rows: Array) -> Any:
    """Return the rows where the mask is true, as the same kind of table."""
    return _reader(X).take_rows(X, rows)


def slice_rows(X: Any, rows: slice) -> Any:
    """Return adjacent rows, as the same kind of table."""
    return _reader(X).slice_rows(X, rows)


# So many cells are encoded at once; of more, few at a time, since they are read twice anyway.
_WHOLE_CELLS = 1 << 25
_BLOCK_CELLS = 1 << 22


def row_blocks(X: Any) -> list[slice]:
    """Split the rows so that what is made of a block takes little memory."""
    n_rows, n_columns = X.shape
    # Of a sparse matrix only what is stored is read.
    cells = X.nnz if issparse(X) else n_rows * n_columns
    # Few blocks of a sparse one: the statistics of each are as wide as the matrix.
    few = issparse(X) or cells <= _WHOLE_CELLS
    step = max(1, (_WHOLE_CELLS if few else _BLOCK_CELLS) * n_rows // max(cells, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def read_nominal(X: Any, columns: Array, *, n_threads: int = 1) -> list[Nominal]:
    """Read the columns of these indices as labels."""
    if len(columns) == 0:
        return []
    read: list[Nominal] = _reader(X).read_nominal(X, columns.tolist(), n_threads)
    return read


def all_finite(numbers: Array) -> bool:
    """Return whether it is certain, at the price of one sum, that all are finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(numbers.sum()))


def read_numbers(X: Any, columns: Array) -> Array:
    """Read the columns of these indices as float64, in one matrix, without infinities."""
    numbers: Array = _reader(X).read_numbers(X, columns.tolist())
    if all_finite(numbers):
        return numbers
    for k, j in enumerate(columns.tolist()):
        infinite = np.isinf(numbers[:, k])
        if infinite.any():
            row = int(np.argmax(infinite))
            raise ValueError(
                f"column {column_names(X)[j]!r} must be finite or missing, got {numbers[row, k]} "
                f"in row {row} (Input X contains infinity): replace it by NaN or a number"
            )
    return numbers
