"""The table of codes that all categorical models read."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from augury.arrays import Array, FloatArray, IntegerArray

if TYPE_CHECKING:
    import pandas as pd


class _Missing:
    """State of missing values in columns in which they are a state of their own."""

    _one: ClassVar[_Missing | None] = None

    def __new__(cls) -> _Missing:
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one  # a model file creates the same object

    def __repr__(self) -> str:
        return "<missing>"

    def __reduce__(self) -> str:
        return "MISSING"  # copies and pickles give the same object


class _Infrequent:
    """State that all infrequent labels of a column share; one object, as for missing values."""

    _one: ClassVar[_Infrequent | None] = None

    def __new__(cls) -> _Infrequent:
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    def __repr__(self) -> str:
        return "<infrequent>"

    def __reduce__(self) -> str:
        return "INFREQUENT"


MISSING = _Missing()
INFREQUENT = _Infrequent()


@dataclass(frozen=True, eq=False)
class CategoricalTable:
    """Integer codes with the declared number of states of each column.

    Parameters
    ----------
    codes : array of shape (n_samples, n_features), unsigned, column by column in memory
        Code `k < n_states[j]` is state k of column j. Code `n_states[j]` means "left
        out": the value is unknown to the model (unseen, or missing and ignored), and
        its factor is left out of the product.
    states : the states of each column, in the order of their codes
        They include declared states that no row has. If infrequent labels share a state, it is
        `INFREQUENT`, after the labels. If missing values are a state of their own, it is
        `MISSING`, the last.
    names : names of the columns
    numbers : array of shape (n_samples, n_numbers)
        Columns that stay numbers; NaN is missing.
    number_names : names of the columns of numbers

    Examples
    --------
    >>> table = CategoricalTable.from_codes([[0, 1], [1, 2]], n_states=[2, 2])
    >>> table.n_states
    array([2, 2])
    >>> table.to_frame()
       x0   x1
    0   0    1
    1   1  NaN
    """

    codes: IntegerArray
    states: tuple[Sequence[Hashable], ...]
    names: tuple[str, ...]
    numbers: FloatArray
    number_names: tuple[str, ...] = ()

    @classmethod
    def from_codes(cls, codes: ArrayLike, n_states: Sequence[int]) -> CategoricalTable:
        """Return a table whose states are named by their codes."""
        given = np.asarray(codes)
        _check_codes(given, n_states)
        return cls(
            codes=np.asfortranarray(given, dtype=code_dtype(max(n_states, default=0))),
            states=tuple(range(n) for n in n_states),
            names=tuple(f"x{j}" for j in range(given.shape[1])),
            numbers=np.empty((len(given), 0)),
        )

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return int(self.codes.shape[0])

    @property
    def n_states(self) -> IntegerArray:
        """Declared number of states of each column."""
        return np.array([len(states) for states in self.states], dtype=np.int64)

    def leaves_out(self) -> bool:
        """Return whether any value is left out."""
        return any((self.codes[:, j] == len(s)).any() for j, s in enumerate(self.states))

    def take(self, rows: Array | slice) -> CategoricalTable:
        """Return the table of some rows (indices, a mask or a slice)."""
        return replace(self, codes=np.asfortranarray(self.codes[rows]), numbers=self.numbers[rows])

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame of category dtype with all states; left-out values are missing."""
        import pandas as pd

        columns: dict[str, FloatArray | pd.Categorical] = {}
        for j, (name, states) in enumerate(zip(self.names, self.states, strict=True)):
            codes = self.codes[:, j].astype(np.int32)
            codes[codes == len(states)] = -1
            columns[name] = pd.Categorical.from_codes(codes, categories=list(states))
        for j, name in enumerate(self.number_names):
            columns[name] = self.numbers[:, j]
        return pd.DataFrame(columns)


def _check_codes(codes: Array, n_states: Sequence[int]) -> None:
    if codes.ndim != 2 or codes.dtype.kind not in "iu":
        raise TypeError(
            "CategoricalTable: codes must be whole numbers in two dimensions, got "
            f"{codes.dtype} in {codes.ndim}"
        )
    if codes.shape[1] != len(n_states):
        raise ValueError(
            f"CategoricalTable: n_states must be {codes.shape[1]} numbers, one for each column of "
            f"codes, got {len(n_states)}"
        )
    for j, n in enumerate(n_states):
        wrong = (codes[:, j] < 0) | (codes[:, j] > n)
        if n < 0 or wrong.any():
            raise ValueError(
                f"CategoricalTable: codes of column {j} must be in 0, …, {n} (the last: left out), "
                f"got {codes[wrong, j][0] if wrong.any() else 'fewer states than none'}"
            )


def join_codes(
    columns: Iterable[IntegerArray], shape: tuple[int, int], n_states: int
) -> IntegerArray:
    """Return columns of codes as a matrix of the dtype for so many states.

    Columns that are those of such a matrix are not copied. Other columns are copied one by one.

    >>> matrix = np.zeros((3, 2), dtype=np.uint8, order="F")
    >>> join_codes(iter([matrix[:, 0], matrix[:, 1]]), (3, 2), 5) is matrix
    True
    """
    codes: IntegerArray = np.empty(shape, dtype=code_dtype(n_states), order="F")
    given: IntegerArray | None = None  # the matrix of all columns so far
    for k, column in enumerate(columns):
        if k == 0 and _is_alike(column.base, codes):
            given = column.base
        if given is not None and not _is_same(column, given[:, k]):
            codes[:, :k] = given[:, :k]
            given = None
        if given is None:
            codes[:, k] = column
    return codes if given is None else given


def _is_alike(base: object, codes: Array) -> bool:
    """Return whether an object is a matrix of the same shape, dtype and order."""
    if not isinstance(base, np.ndarray) or base.shape != codes.shape:
        return False
    return base.dtype == codes.dtype and base.flags.f_contiguous


def _is_same(a: Array, b: Array) -> bool:
    """Return whether two columns of one dtype are the same memory."""
    return a.dtype == b.dtype and a.__array_interface__ == b.__array_interface__


def code_dtype(n_states: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest dtype for the codes 0 … n_states; the last code means "left out"."""
    if n_states <= np.iinfo(np.uint8).max:
        return np.uint8
    return np.uint16 if n_states <= np.iinfo(np.uint16).max else np.uint32
