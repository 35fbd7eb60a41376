"""Data sets: features, a target, and their source."""

import warnings
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.data.errors import DataError, DataWarning, IdentifierWarning, shorten, suggest
from augury.identifiers import why_identifier

# In fewer rows every row may have a class of its own.
_FEW_ROWS = 20

# Treatment of rows without a class: they are left out with a warning, or are an error.
MISSING_TARGET = ("drop", "error")


@dataclass(frozen=True)
class RawTable:
    """The content of a file, before a target is chosen.

    Attributes
    ----------
    frame : DataFrame
        Every column of the file.
    relation : str
        The name in the file, or an empty string.
    lines : array of shape (n_samples,) or None
        The line of each row, counted from 1; None if the format has no lines.
    weights : array of shape (n_samples,) or None
        Weights of the rows; None if the file has none.
    """

    frame: pd.DataFrame
    relation: str = ""
    lines: IntegerArray | None = None
    weights: FloatArray | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Features and target of one data set.

    Attributes
    ----------
    X : DataFrame of shape (n_samples, n_features)
        Declared categories have dtype category with all declared labels.
    y : Series of shape (n_samples,)
        The target, without missing values. If the file declares classes, they are its
        categories, including those that no row has.
    name : str
        The name in the catalogue or in the file.
    target : str
        The name of the column that became `y`.
    source : str
        Source of the data: a file, OpenML or scikit-learn.
    dropped : tuple of str
        Identifier columns that the catalogue leaves out.
    sample_weight : Series of shape (n_samples,) or None
        Weights of the rows; None if the file has none. Only ARFF files can have them.
    n_left_out : int
        Number of rows of the source without a class, which are not in `X` and `y`.
    target_rule : {"given", "class", "last", "catalogue"}
        Why this column is the target: the caller named it, it is named class, it is the last
        one, or the catalogue names it.

    Examples
    --------
    >>> from augury.data import load_dataset
    >>> iris = load_dataset("sklearn:iris")
    >>> iris
    Dataset(name='sklearn:iris', 150 rows x 4 columns, target='target' with 3 classes)
    >>> iris.classes
    ['setosa', 'versicolor', 'virginica']
    """

    X: pd.DataFrame
    y: pd.Series
    name: str
    target: str
    source: str
    dropped: tuple[str, ...] = ()
    sample_weight: pd.Series | None = None
    n_left_out: int = 0
    target_rule: str = "given"

    @property
    def classes(self) -> list[Any]:
        """The declared classes in declared order, or the classes that occur, sorted."""
        if isinstance(self.y.dtype, pd.CategoricalDtype):
            return list(self.y.cat.categories)
        return sorted(self.y.unique().tolist())

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        return (
            f"Dataset(name={self.name!r}, {rows} rows x {columns} columns, "
            f"target={self.target!r} with {len(self.classes)} classes)"
        )


def make_dataset(
    table: RawTable,
    *,
    name: str,
    source: str,
    target: str | None,
    drop: Collection[str] = (),
    missing_target: str = "error",
    identifiers: bool = True,
    stacklevel: int = 3,
) -> Dataset:
    """Choose the target, drop columns, and warn of identifiers unless `identifiers` is false.

    `stacklevel` is that of `warnings.warn`, relative to this function.
    """
    if missing_target not in MISSING_TARGET:
        raise ValueError(
            f"missing_target must be one of {', '.join(map(repr, MISSING_TARGET))}, got "
            f"{missing_target!r}"
        )
    frame = table.frame
    if frame.shape[1] < 2:
        raise DataError(f"{source}: a target and at least one other column are needed, found one")
    is_given = target is not None
    target = choose_target([str(column) for column in frame.columns], target, source)
    unlabelled = frame[target].isna().to_numpy()
    if unlabelled.any():
        _report_unlabelled(unlabelled, table, target, source, missing_target, stacklevel + 1)
        table = _select_rows(table, ~unlabelled)
        frame = table.frame
    y = frame[target]
    _check_target(y, table.lines, source, stacklevel + 1)
    dropped = tuple(str(column) for column in frame.columns if column in drop)
    X = frame.drop(columns=[target, *dropped])
    if X.shape[1] == 0:
        raise DataError(f"{source}: no column is left beside the target {target!r}")
    if identifiers:
        warn_of_identifiers(X, source, stacklevel + 1)
    weight = None
    if table.weights is not None:
        weight = pd.Series(table.weights, index=X.index, name="sample_weight")
    rule = target_rule(target, is_given=is_given)
    return Dataset(X, y, name, target, source, dropped, weight, int(unlabelled.sum()), rule)


def choose_target(columns: list[str], target: str | None, source: str) -> str:
    """Return the given target, or else the column named class, or else the last column."""
    if target is not None:
        if target not in columns:
            near = suggest(target, columns) or ";"
            raise DataError(
                f"{source}: there is no column {target!r} to be the target{near} "
                f"the columns are {shorten(columns)}"
            )
        return target
    named = [column for column in columns if column.lower() == "class"]
    if len(named) > 1:
        raise DataError(
            f"{source}: {shorten(named)} could all be the target", advice="choose one with {target}"
        )
    return named[0] if named else columns[-1]


def target_rule(target: str, *, is_given: bool) -> str:
    """Return why `choose_target` chose a column, as in `Dataset`."""
    if is_given:
        return "given"
    return "class" if target.lower() == "class" else "last"


def _place(row: int, lines: IntegerArray | None) -> str:
    return f"row {row + 1}" if lines is None else f"line {lines[row]}"


def _report_unlabelled(
    unlabelled: BoolArray,
    table: RawTable,
    target: str,
    source: str,
    missing_target: str,
    level: int,
) -> None:
    """Warn of rows without a class, or raise an error."""
    n_rows, first = len(unlabelled), int(np.argmax(unlabelled))
    counted = f"{int(unlabelled.sum())} of {n_rows} rows, first in {_place(first, table.lines)}"
    if unlabelled.all():
        raise DataError(
            f"{source}: the target {target!r} is missing in all {n_rows} rows",
            advice="choose another column with {target}",
        )
    if missing_target == "error":
        raise DataError(
            f"{source}: the target {target!r} is missing in {counted}",
            advice="remove these rows, or choose another column with {target}; without {strict} "
            "such rows are left out",
        )
    warning = DataWarning(
        f"{source}: rows without a class are left out: the target {target!r} is missing in "
        f"{counted}",
        advice="{strict} refuses such a file",
    )
    warnings.warn(warning, stacklevel=level)


def _select_rows(table: RawTable, keep: BoolArray) -> RawTable:
    return RawTable(
        table.frame[keep].reset_index(drop=True),
        table.relation,
        None if table.lines is None else table.lines[keep],
        None if table.weights is None else table.weights[keep],
    )


def require_classes(y: pd.Series, lines: IntegerArray | None, source: str) -> None:
    """Raise a `DataError` if values are dates or numbers that are not classes."""
    if pd.api.types.is_datetime64_any_dtype(y.dtype):
        raise DataError(
            f"{source}: the target {y.name!r} is a date", advice="choose another with {target}"
        )
    if pd.api.types.is_float_dtype(y.dtype):
        values = y.to_numpy(dtype=np.float64)
        broken = np.flatnonzero(values != np.floor(values))
        if broken.size:
            row = int(broken[0])
            raise DataError(
                f"{source}: the target {y.name!r} has numbers that are not classes "
                f"({values[row]:g} in {_place(row, lines)}, {y.nunique()} different values)",
                advice="cut them into classes first, or choose another column with {target}",
            )


def _check_target(y: pd.Series, lines: IntegerArray | None, source: str, stacklevel: int) -> None:
    require_classes(y, lines, source)
    n_classes = y.nunique()
    if len(y) >= _FEW_ROWS and n_classes > len(y) / 2:
        warning = DataWarning(
            f"{source}: the target {y.name!r} has {n_classes} classes in {len(y)} rows",
            advice="if that is wrong, choose another column with {target}",
        )
        warnings.warn(warning, stacklevel=stacklevel)


def warn_of_identifiers(X: pd.DataFrame, source: str, stacklevel: int) -> None:
    """Warn of each column that identifies the rows instead of describing them."""
    for name, column in X.items():
        if column.dtype.kind in "mM":  # TidyColumns reads dates as numbers of days
            continue
        if reason := why_identifier(column):
            warning = IdentifierWarning(
                f"{source}: column {name!r} looks like an identifier ({reason}), from which "
                "nothing can be learned; it is kept",
                advice="if it is one, leave the column out",
            )
            warnings.warn(warning, stacklevel=stacklevel)
