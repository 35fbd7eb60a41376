"""A table whose columns are read once, and its reader for `augury.encode.columns`.

A model that contains models wraps the rows in a `ReadOnce` and passes it to all of them.
Each column is then read when the first model asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import Array
from augury.encode.nominal import Nominal


@dataclass(frozen=True, eq=False)
class ReadOnce:
    """Rows of a table that remember their columns as read.

    Parameters
    ----------
    names : names of the columns
    shape : numbers of rows and columns
    is_nominal : for each column whether its type makes it one of labels
    load_labels : reads the columns of some indices as labels
    load_numbers : reads the columns of some indices as one float64 matrix
    source : the table itself, for what is no model of augury, such as a splitter

    Examples
    --------
    >>> from augury.encode.columns import read_once, read_numbers
    >>> rows = read_once(pd.DataFrame({"sky": ["sun", "rain"], "wind": [1.0, 2.0]}))
    >>> wider = rows.with_numbers(["p"], np.array([[0.5], [0.25]]))
    >>> wider.names, read_numbers(wider, np.array([1, 2])).tolist()
    (['sky', 'wind', 'p'], [[1.0, 0.5], [2.0, 0.25]])
    """

    names: list[str]
    shape: tuple[int, int]
    is_nominal: Callable[[], list[bool]]
    load_labels: Callable[[list[int], int], list[Nominal]]
    load_numbers: Callable[[list[int]], Array]
    source: Any = None
    labels: dict[int, Nominal] = field(default_factory=dict)
    numbers: dict[tuple[int, ...], Array] = field(default_factory=dict)

    # `augury.validation` recognises the type by this name, since it knows no table.
    reads_columns_once = True

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def header(self) -> pd.DataFrame:
        """A frame with these columns and no rows, for scikit-learn's checks of names."""
        return pd.DataFrame(columns=self.names)

    def take(self, rows: Any) -> ReadOnce:
        """Return some rows (a mask or a slice); they are taken from what has been read."""

        def load_labels(columns: list[int], n_threads: int) -> list[Nominal]:
            whole = read_nominal(self, columns, n_threads)
            return [replace(each, codes=each.codes[rows]) for each in whole]

        n_rows = len(np.arange(self.shape[0])[rows])
        return ReadOnce(
            self.names,
            (n_rows, self.shape[1]),
            self.is_nominal,
            load_labels,
            lambda columns: read_numbers(self, columns)[rows],
        )

    def with_numbers(self, names: Sequence[str], values: Array) -> ReadOnce:
        """Return the table with columns of numbers appended."""
        n_own = self.shape[1]

        def load_numbers(columns: list[int]) -> Array:
            own = [j for j in columns if j < n_own]
            added = [j - n_own for j in columns if j >= n_own]
            return np.hstack([read_numbers(self, own), values[:, added]])

        return ReadOnce(
            [*self.names, *names],
            (self.shape[0], n_own + len(names)),
            lambda: [*self.is_nominal(), *[False] * len(names)],
            lambda columns, n_threads: read_nominal(self, columns, n_threads),
            load_numbers,
        )


def column_names(X: ReadOnce) -> list[str]:
    """Return the columns' names."""
    return X.names


def are_nominal(X: ReadOnce) -> list[bool]:
    """Return for each column whether it is one of labels."""
    return X.is_nominal()


def take_rows(X: ReadOnce, rows: Array) -> ReadOnce:
    """Return the rows where the mask is true."""
    return X.take(rows)


def slice_rows(X: ReadOnce, rows: slice) -> ReadOnce:
    """Return adjacent rows."""
    return X if rows == slice(0, X.shape[0]) else X.take(rows)


def read_nominal(X: ReadOnce, columns: list[int], n_threads: int) -> list[Nominal]:
    """Return these columns as labels; those that have not been read are read together."""
    unread = [j for j in columns if j not in X.labels]
    if unread:
        X.labels.update(zip(unread, X.load_labels(unread, n_threads), strict=True))
    return [X.labels[j] for j in columns]


def read_numbers(X: ReadOnce, columns: list[int]) -> Array:
    """Return these columns as float64."""
    key = tuple(columns)
    if key not in X.numbers:
        X.numbers[key] = X.load_numbers(columns)
    return X.numbers[key]
