"""Whatever a user calls a table → columns of numbers and columns of labels.

Every kind of input ends in one of two forms, at fit and at predict time alike:
`Nominal` (codes and what each code stands for) or a float64 column in which NaN is
missing. pandas is not imported here: a pandas frame brings its own methods.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from augury.kernels import code_integers, codes_present
from augury.validation import is_frame

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Nominal:
    """A column of labels.

    Parameters
    ----------
    codes : integers; a code outside 0 … len(labels) - 1 is missing
    labels : what each code stands for
    declared : whether labels without a row are states as well
    complete : whether no code can be missing
    """

    codes: Array
    labels: Sequence[Hashable]
    declared: bool = False
    complete: bool = False

    def present(self) -> tuple[Array, bool]:
        """Return for each label whether a row has it, and whether a row has none."""
        return codes_present(self.codes, len(self.labels), complete=self.complete)

    def translate(self, meaning: Array) -> Array:
        """Return for each row the meaning of its label; the last is that of no label."""
        n_labels = len(self.labels)
        identical = np.array_equal(meaning[:n_labels], np.arange(n_labels))
        # They are codes already, unless one outside them must become the last meaning.
        if (
            identical
            and self.codes.dtype.kind == "u"
            and (meaning[n_labels] == n_labels or not self.present()[1])
        ):
            return self.codes
        # Fancy indexing reads -1 as the last entry; other codes outside are n_labels.
        return meaning[self.codes]


def nominal_by_dtype(X: Any) -> Array:
    """Return for each column whether its type makes it one of labels."""
    if not is_frame(X):
        if X.dtype.kind != "O":
            return np.full(X.shape[1], X.dtype.kind in "bSTU")
        return np.array([not _are_numbers(X[:, j]) for j in range(X.shape[1])], dtype=bool)
    frame = nw.from_native(X, eager_only=True)
    _check_names(frame)
    return np.array([_is_nominal(series) for series in frame.iter_columns()], dtype=bool)


def column_names(X: Any) -> list[str]:
    """Return the columns' names, x0, x1, … where the input has none."""
    if is_frame(X):
        return [str(name) for name in _check_names(nw.from_native(X, eager_only=True))]
    return [f"x{j}" for j in range(X.shape[1])]


def take_rows(X: Any, rows: Array) -> Any:
    """Return the rows where the mask is true, as the same kind of table."""
    if not is_frame(X):
        return X[rows]
    return nw.from_native(X, eager_only=True).filter(rows.tolist()).to_native()


def read_nominal(X: Any, columns: Array, *, n_threads: int = 1) -> list[Nominal]:
    """Read the columns of these indices as labels."""
    if not is_frame(X):
        if X.dtype.kind in "iu" and X.dtype != np.uint64 and len(columns):
            return _nominal_from_integers(X, columns, n_threads)
        return [_nominal_from_array(X[:, j], f"x{j}") for j in columns]
    frame = nw.from_native(X, eager_only=True)
    return [_nominal_from_series(frame[:, int(j)]) for j in columns]


def read_numbers(X: Any, columns: Array) -> Array:
    """Read the columns of these indices as float64, in one matrix, without infinities."""
    numbers: Array
    if not is_frame(X):
        if X.dtype == np.float64 and len(columns) == X.shape[1]:
            numbers = X
        else:
            numbers = np.empty((X.shape[0], len(columns)), order="F")
            for k, j in enumerate(columns):
                numbers[:, k] = _numbers_from_array(X[:, j], f"x{j}")
    else:
        frame = nw.from_native(X, eager_only=True)
        numbers = np.empty((len(frame), len(columns)), order="F")
        for k, j in enumerate(columns):
            numbers[:, k] = _numbers_from_series(frame[:, int(j)])
    names = column_names(X)
    for k, j in enumerate(columns):
        if np.isinf(numbers[:, k]).any():
            row = int(np.argmax(np.isinf(numbers[:, k])))
            raise ValueError(
                f"column {names[j]!r} must be finite or missing, got {numbers[row, k]} in row "
                f"{row} (Input X contains infinity): replace it by NaN or a number"
            )
    return numbers


# ---- one column of a frame ----------------------------------------------------------


def _check_names(frame: Any) -> list[str]:
    names: list[str] = frame.columns
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"column names must be unique, got {twice!r} more than once")
    return names


def _is_nominal(series: Any) -> bool:
    dtype = series.dtype
    if dtype.is_numeric():
        return False
    if dtype in (nw.Categorical, nw.Enum, nw.String, nw.Boolean):
        return True
    if dtype in (nw.Object, nw.Unknown):
        return not _are_numbers(series.to_numpy())
    raise _unreadable(series)


def _unreadable(series: Any) -> TypeError:
    return TypeError(
        f"column {series.name!r} must be numbers, text, booleans or categories, got dtype "
        f"{series.dtype}: convert it (a date to a number or a category, say) or drop it"
    )


def _nominal_from_series(series: Any) -> Nominal:
    native = nw.to_native(series)
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas
        return Nominal(native.cat.codes.to_numpy(), native.cat.categories.tolist(), declared=True)
    if series.dtype == nw.Boolean:
        return _boolean(series.to_list())
    if hasattr(native, "factorize"):  # pandas
        if series.dtype in (nw.Object, nw.Unknown):
            return _nominal_from_objects(native.to_numpy(), series.name)
        codes, labels = native.factorize(use_na_sentinel=True)
        return Nominal(np.asarray(codes), labels.tolist())
    if series.dtype == nw.Enum:
        labels = list(series.dtype.categories)
        position = {label: k for k, label in enumerate(labels)}
        values = series.cast(nw.String).to_list()
        codes = np.array([position.get(value, -1) for value in values], dtype=np.int32)
        return Nominal(codes, labels, declared=True)
    if series.dtype == nw.Categorical:
        # Not declared: polars shares one pool of categories among all columns.
        series = series.cast(nw.String)
    return _nominal_from_objects(_object_array(series.to_list()), series.name)


def _numbers_from_series(series: Any) -> Array:
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        native = nw.to_native(series)
        if hasattr(native, "factorize"):  # pandas
            return np.asarray(native.to_numpy(dtype=np.float64, na_value=np.nan))
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype in (nw.Object, nw.Unknown):
        return _numbers_from_array(series.to_numpy(), series.name)
    raise TypeError(
        f"column {series.name!r} held numbers in fit and must hold numbers now, got dtype "
        f"{series.dtype}"
    )


# ---- one column of an array ---------------------------------------------------------


def is_missing(value: Any) -> bool:
    """Return whether a Python value stands for a missing one: None, NaN, NaT, pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _are_numbers(values: Array) -> bool:
    """Return whether an object column has numbers only (an entirely missing one has)."""
    return all(
        (isinstance(v, Real | Decimal) and not isinstance(v, bool | np.bool_)) or is_missing(v)
        for v in values.tolist()
    )


def _numbers_from_array(values: Array, name: str) -> Array:
    if values.dtype.kind in "biuf":
        return np.asarray(values, dtype=np.float64)
    try:
        return np.array([np.nan if is_missing(v) else v for v in values.tolist()], dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"column {name!r} held numbers in fit and must hold numbers now, got "
            f"{next(v for v in values.tolist() if not isinstance(v, Real))!r}"
        ) from None


def _nominal_from_array(values: Array, name: str) -> Nominal:
    if values.dtype.kind == "b":
        return _boolean(values.tolist())
    if values.dtype.kind == "f":
        labels, codes = np.unique(values, return_inverse=True)  # NaN comes last, once
        return Nominal(codes, labels[~np.isnan(labels)].tolist())
    return _nominal_from_objects(values, name)


def _nominal_from_objects(values: Array, name: str) -> Nominal:
    seen: dict[Hashable, int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    for row, value in enumerate(values.tolist()):
        if is_missing(value):
            codes[row] = -1
            continue
        if not isinstance(value, str | bytes | Real) or not isinstance(value, Hashable):
            raise TypeError(
                f"column {name!r}: argument must be a string or a number, got "
                f"{type(value).__name__} in row {row}"
            )
        codes[row] = seen.setdefault(value, len(seen))
    return Nominal(codes, list(seen))


def _boolean(values: list[bool | None]) -> Nominal:
    codes = np.array([-1 if is_missing(v) else int(v) for v in values], dtype=np.int8)  # type: ignore[arg-type]
    return Nominal(codes, [False, True], declared=True)


def _nominal_from_integers(X: Array, columns: Array, n_threads: int) -> list[Nominal]:
    """Code all integer columns in one pass over the matrix."""
    part = X if len(columns) == X.shape[1] else X[:, columns]
    coded = code_integers(part, n_threads=n_threads)
    if coded is None:
        return [_nominal_from_wide_integers(part[:, k]) for k in range(part.shape[1])]
    codes, lo, hi = coded
    return [
        Nominal(codes[:, k], range(int(lo[k]), int(hi[k]) + 1), complete=True)
        for k in range(part.shape[1])
    ]


def _nominal_from_wide_integers(values: Array) -> Nominal:
    labels, codes = np.unique(values, return_inverse=True)
    return Nominal(codes, labels.tolist())


def _object_array(values: list[Any]) -> Array:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
