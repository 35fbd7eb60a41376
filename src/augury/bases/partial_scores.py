"""Scores of rows of which only some columns are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from augury.arrays import Array, BoolArray, FloatArray, IntegerArray
from augury.counts import log_normalize
from augury.counts.smoothing import SMALLEST
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.columns import column_names
from augury.foreign import Table
from augury.validation import is_pandas, is_read_once

# Scores log p(c | known columns) up to a constant of the row, of shape (k, n_classes). The
# arguments are the indices of k rows, and for each of them a mask of the known columns, of shape
# (k, n_columns). A row may occur several times.
PartialScores = Callable[[IntegerArray, BoolArray], Array]

# Cells (rows times columns) that are scored at once.
_CELLS_AT_ONCE = 1 << 21
_LOG_SMALLEST = float(np.log(SMALLEST))


def value_coalitions(
    partial: PartialScores, rows: IntegerArray, known: BoolArray, weights: Array
) -> FloatArray:
    """Return Σ_c w_c score_c of rows for each coalition, which is a set of known columns.

    Parameters
    ----------
    partial : function of rows and masks
    rows : array of shape (n_rows,), indices of rows
    known : array of shape (n_coalitions, n_columns)
    weights : array of shape (n_rows, n_classes), which sum to 0 in each row

    Returns
    -------
    array of shape (n_coalitions, n_rows)
        Finite: a probability of zero counts as the smallest normal number.
    """
    n_coalitions, n_columns = known.shape
    step = max(1, _CELLS_AT_ONCE // max(1, len(rows) * n_columns))
    values = np.empty((n_coalitions, len(rows)))
    for start in range(0, n_coalitions, step):
        some = known[start : start + step]
        scores = partial(np.tile(rows, len(some)), np.repeat(some, len(rows), axis=0))
        scores = floor_scores(scores).reshape(len(some), len(rows), -1)
        values[start : start + step] = np.einsum("mnc,nc->mn", scores, weights)
    return values


def floor_scores(scores: Array) -> Array:
    """Return finite scores: a class of probability zero gets the smallest normal number.

    >>> floor_scores(np.array([[0.0, -np.inf]])).round()
    array([[   0., -708.]])
    """
    if not np.isneginf(scores).any():
        return scores
    log_proba = log_normalize(scores)
    return np.where(np.isneginf(log_proba), _LOG_SMALLEST, log_proba)


def additive_terms(partial: PartialScores, n_rows: int, n_columns: int) -> Array:
    """Return the terms of scores that are sums over the columns.

    The term of a column is the score of the row minus its score without the column. The first
    term is the score without any column. The terms of a class of probability zero are -inf and
    0.

    Returns
    -------
    array of shape (n_rows, 1 + n_columns, n_classes)
    """
    rows = np.arange(n_rows)
    none = np.zeros((1, n_columns), dtype=bool)
    step = max(1, _CELLS_AT_ONCE // max(1, n_rows * n_columns))
    first = partial(rows, np.repeat(none, n_rows, axis=0))
    whole = partial(rows, np.repeat(~none, n_rows, axis=0))
    finite = np.isfinite(first)
    terms = np.zeros((n_rows, 1 + n_columns, first.shape[1]))
    terms[:, 0] = first
    for start in range(0, n_columns, step):
        columns = np.arange(start, min(start + step, n_columns))
        known = ~np.eye(n_columns, dtype=bool)[columns]
        scores = partial(np.tile(rows, len(columns)), np.repeat(known, n_rows, axis=0))
        without = scores.reshape(len(columns), n_rows, -1)
        part = np.subtract(whole, without, out=np.zeros_like(without), where=finite[None])
        terms[:, 1 + columns] = part.transpose(1, 0, 2)
    return terms


def by_coalition(score: Callable[[IntegerArray, BoolArray], Array]) -> PartialScores:
    """Return partial scores by a function that scores rows with the same known columns.

    Parameters
    ----------
    score : function of indices of rows and one mask of shape (n_columns,)
    """

    def score_all(rows: IntegerArray, known: BoolArray) -> Array:
        # Equal masks are adjacent where coalitions are scored one after the other.
        changes = np.flatnonzero((known[1:] != known[:-1]).any(axis=1)) + 1
        starts, ends = [0, *changes], [*changes, len(rows)]
        return np.concatenate(
            [score(rows[a:b], known[a]) for a, b in zip(starts, ends, strict=True)]
        )

    return score_all


class LeftOutCodes:
    """Rows of a `CategoricalTable` with some of the table's columns left out.

    The code of a column that is left out is that of an unseen label; a number is NaN.

    Parameters
    ----------
    table : the rows, all of them known
    encoder : the encoder that has read them
    """

    def __init__(self, table: CategoricalTable, encoder: TableEncoder) -> None:
        self._table = table
        self._of_codes, self._of_numbers = encoder.source_columns()

    def __call__(self, rows: IntegerArray, known: BoolArray) -> CategoricalTable:
        """Return the rows of these indices, each with its known columns only."""
        table = self._table
        # Column by column in memory, as models read them.
        codes = np.empty((len(rows), table.codes.shape[1]), dtype=table.codes.dtype, order="F")
        for k, (j, states) in enumerate(zip(self._of_codes, table.states, strict=True)):
            codes[:, k] = np.where(known[:, j], table.codes[rows, k], len(states))
        numbers = np.where(known[:, self._of_numbers], table.numbers[rows], np.nan)
        return replace(table, codes=codes, numbers=numbers)


def log_scores(model: Any, X: Table) -> Array:
    """Return log p(c | x) up to a constant of each row; decision values without probabilities."""
    own = getattr(model, "_explained_scores", None)
    return predicted_scores(model, X) if own is None else np.asarray(own(X))


def predicted_scores(model: Any, X: Table) -> Array:
    """Return log p(c | x), or decision values, by the public methods of a classifier."""
    if hasattr(model, "predict_log_proba"):
        with np.errstate(divide="ignore"):
            return np.asarray(model.predict_log_proba(X))
    if hasattr(model, "predict_proba"):
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(model.predict_proba(X)))
    values = np.asarray(model.decision_function(X))
    return values if values.ndim == 2 else np.column_stack([np.zeros_like(values), values])


def partial_scores(model: Any, X: Table) -> PartialScores:
    """Return the partial scores of any classifier.

    The models of augury leave columns out in their own way. For other models the value of a
    column that is left out is missing.
    """
    own = getattr(model, "_partial_scores", None)
    if own is not None:
        scores: PartialScores = own(X)
        return scores
    return missing_value_scores(lambda rows: log_scores(model, rows), X)


def missing_value_scores(score: Callable[[Table], Array], X: Table) -> PartialScores:
    """Return partial scores by a model's scores of rows with missing values.

    Parameters
    ----------
    score : function from a table of the same kind as X to scores
    X : pandas, polars or pyarrow frame, array or CSR matrix
    """
    if issparse(X):
        # What is not stored is 0, and so is a count that is left out.
        return lambda rows, known: score(csr_array(X[rows].multiply(known)))
    if isinstance(X, np.ndarray):
        return lambda rows, known: score(take_array(X, rows, known))
    frame = as_pandas(X)
    return lambda rows, known: score(take_frame(frame, rows, known))


def as_pandas(X: Table) -> Any:
    """Return a data frame, or the source of a `ReadOnce`, as a pandas frame that can be indexed.

    pandas takes no rows of numbers of another byte order, and Arrow has no integers of 128 bits.
    """
    if is_read_once(X):
        if not isinstance(X.source, np.ndarray):
            return as_pandas(X.source)
        import pandas as pd

        return as_pandas(pd.DataFrame(X.source, columns=X.column_names()))
    if is_pandas(X):
        return _in_native_order(X)
    import narwhals as nw
    import narwhals.selectors as ncs

    frame = nw.from_native(X, eager_only=True)
    wide = ncs.by_dtype(nw.Int128, nw.UInt128)
    return frame.with_columns(wide.cast(nw.Float64)).to_pandas()


def _in_native_order(X: Any) -> Any:
    swapped = [
        j for j, kind in enumerate(X.dtypes) if isinstance(kind, np.dtype) and not kind.isnative
    ]
    if not swapped:
        return X
    import pandas as pd

    columns = [
        X.iloc[:, j].astype(kind.newbyteorder("=")) if j in swapped else X.iloc[:, j]
        for j, kind in enumerate(X.dtypes)
    ]
    return pd.concat(columns, axis=1).set_axis(X.columns, axis=1)


def take_array(X: Array, rows: IntegerArray, known: BoolArray) -> Array:
    """Return rows of an array, the unknown values missing.

    >>> take_array(np.array([[1, 2]]), np.array([0]), np.array([[True, False]]))
    array([[ 1., nan]])
    """
    taken = X[rows]
    if taken.dtype.kind in "iu":
        taken = taken.astype(np.float64)
    if taken.dtype.kind == "f":
        return np.where(known, taken, np.nan)
    values: Array = taken.astype(object)
    values[~known] = None
    return values


def take_frame(X: Any, rows: IntegerArray, known: BoolArray) -> Any:
    """Return rows of a pandas frame, the unknown values missing.

    The integers and booleans of NumPy have no missing value; their type changes.
    """
    import pandas as pd

    columns = {}
    for j, name in enumerate(X.columns):
        column = X.iloc[:, j].take(rows)
        if known[:, j].all():
            columns[name] = column
            continue
        kind = column.dtype.kind if isinstance(column.dtype, np.dtype) else ""
        if kind in ("i", "u"):
            column = column.astype(np.float64)
        elif kind == "b":
            column = column.astype(object)
        there = known[:, j]
        columns[name] = column.where(there, None) if column.dtype == object else column.where(there)
    frame = pd.DataFrame(columns)
    frame.columns = X.columns
    return frame


def input_names(X: Table) -> list[str]:
    """Return the names of the columns of a checked table or sparse matrix."""
    if issparse(X):
        return [f"x{j}" for j in range(X.shape[1])]
    return column_names(X)


__all__ = [
    "LeftOutCodes",
    "PartialScores",
    "additive_terms",
    "by_coalition",
    "floor_scores",
    "input_names",
    "log_scores",
    "missing_value_scores",
    "partial_scores",
    "predicted_scores",
    "value_coalitions",
]
