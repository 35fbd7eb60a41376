"""Columns of any table, as labels or as numbers.

A reader class for each kind of table (`augury.encode.readers`) returns a column in one of two
forms: `Nominal` (codes and the label of each code), or float64 numbers in which NaN is missing.
`fit` and `predict` read tables through the functions of this module.
"""

import numpy as np
from scipy.sparse import issparse

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.encode.nominal import Nominal
from augury.encode.readers.array_reader import ArrayReader
from augury.encode.readers.narwhals_reader import NarwhalsReader
from augury.encode.readers.read_once import ColumnsReadAs, ReadOnce
from augury.encode.readers.reader import Reader
from augury.foreign import Table
from augury.validation import is_frame, is_pandas

# A table with at most this many cells is read at once. A larger one is read in small blocks,
# since it is read twice anyway.
_WHOLE_CELLS = 1 << 25
_BLOCK_CELLS = 1 << 22
# With fewer rows, one matrix of numbers is faster than many columns.
_MANY_ROWS = 1 << 14


def _reader_of(X: Table) -> Reader:
    if isinstance(X, ReadOnce):
        return X
    if is_pandas(X):
        from augury.encode.readers.pandas_reader import PandasReader  # pandas is loaded already

        return PandasReader(X)
    return NarwhalsReader(X) if is_frame(X) else ArrayReader(X)


def read_once(X: Table) -> Table:
    """Return the table in a form that reads each column once, for several models.

    A table that is read in blocks is returned as it is: its columns may not fit in memory
    twice.
    """
    if isinstance(X, ReadOnce) or issparse(X) or len(row_blocks(X)) > 1:
        return X
    return ReadOnce(_reader_of(X), X.shape, X)


def read_columns_as(X: Table, columns: list[int], as_labels: list[bool]) -> ReadOnce:
    """Return columns of a table, some of them numbers that are read as labels.

    >>> codes = read_columns_as(np.array([[7, 1], [9, 2]]), [0, 0], [False, True])
    >>> codes.column_names(), codes.are_nominal()
    (['x0', 'x0 as labels'], [False, True])
    """
    return ReadOnce(ColumnsReadAs(_reader_of(X), columns, as_labels), (X.shape[0], len(columns)))


def column_names(X: Table) -> list[str]:
    """Return the names of the columns: x0, x1, … if the table has none."""
    return _reader_of(X).column_names()


def nominal_by_dtype(X: Table) -> BoolArray:
    """Return for each column whether its type makes it a column of labels."""
    return np.array(_reader_of(X).are_nominal(), dtype=bool)


def take_rows(X: Table, rows: BoolArray) -> Table:
    """Return the rows where the mask is true, as the same kind of table."""
    return _reader_of(X).take_rows(rows)


def slice_rows(X: Table, rows: slice) -> Table:
    """Return adjacent rows, as the same kind of table."""
    if rows.start == 0 and rows.stop == X.shape[0]:
        return X
    return _reader_of(X).slice_rows(rows)


def row_blocks(X: Table) -> list[slice]:
    """Split the rows into blocks whose encoded form takes little memory."""
    n_rows, n_columns = X.shape
    # Only the stored entries of a sparse matrix are read.
    cells = X.nnz if issparse(X) else n_rows * n_columns
    # A sparse matrix gets few blocks: the statistics of each are as wide as the matrix.
    few = issparse(X) or cells <= _WHOLE_CELLS
    step = max(1, (_WHOLE_CELLS if few else _BLOCK_CELLS) * n_rows // max(cells, 1))
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


def read_nominal(X: Table, columns: IntegerArray, *, n_threads: int = 1) -> list[Nominal]:
    """Read the columns of these indices as labels."""
    if len(columns) == 0:
        return []
    return _reader_of(X).read_nominal(columns.tolist(), n_threads)


def all_finite(numbers: FloatArray) -> bool:
    """Return whether the sum of all numbers is finite.

    If it is, so are all numbers. Finite numbers of which the sum overflows give False.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(numbers.sum()))


def read_numbers(X: Table, columns: IntegerArray) -> FloatArray:
    """Read the columns of these indices as one float64 matrix; raise if one is infinite."""
    numbers = _reader_of(X).read_numbers(columns.tolist())
    if not all_finite(numbers):
        for k, j in enumerate(columns.tolist()):
            _check_finite(X, j, numbers[:, k])
    return numbers


def read_number_columns(X: Table, columns: IntegerArray) -> list[FloatArray]:
    """Read the columns of these indices as float64 arrays; raise if a number is infinite.

    The arrays are read only: those of a large pandas frame may be the columns of the frame
    itself.
    """
    reader = _reader_of(X)
    source = reader.columns if isinstance(reader, ReadOnce) else reader
    read_column = getattr(source, "read_number_column", None)
    if read_column is None or X.shape[0] < _MANY_ROWS:
        return list(read_numbers(X, columns).T)
    numbers = []
    for j in columns.tolist():
        values = read_column(j)
        if not all_finite(values):
            _check_finite(X, j, values)
        numbers.append(values)
    return numbers


def _check_finite(X: Table, j: int, values: FloatArray) -> None:
    """Raise if a number of column j is infinite."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise ValueError(
            f"column {column_names(X)[j]!r} must be finite or missing, got {values[row]} "
            f"in row {row} (Input X contains infinity): replace it by NaN or a number"
        )


__all__ = [
    "all_finite",
    "column_names",
    "nominal_by_dtype",
    "read_columns_as",
    "read_nominal",
    "read_number_columns",
    "read_numbers",
    "read_once",
    "row_blocks",
    "slice_rows",
    "take_rows",
]
