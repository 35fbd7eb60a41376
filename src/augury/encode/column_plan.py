"""Plans of columns: what `TableEncoder` has learned about the codes of each column."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import overload

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.nominal import Nominal
from augury.encode.table import INFREQUENT, MISSING, code_dtype
from augury.fitted_state import check_float_array, check_whole, require
from augury.kernels import find_intervals


@dataclass(frozen=True, eq=False)
class RawColumns:
    """Rows of a table as read: columns of labels, and columns of numbers.

    `matrix` has all numbers, if it is needed; `numbers` are then its columns.
    """

    nominal: list[Nominal]
    numbers: list[FloatArray]
    matrix: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """Plan of a column of labels: each becomes the code of its state, or is left out if unseen.

    The labels in `infrequent` share the state `INFREQUENT`.
    """

    name: str
    source: int
    states: Sequence[Hashable]
    missing_code: int
    infrequent: Sequence[Hashable] = ()  # plans in model files of 0.1 lack it

    def encode(self, columns: RawColumns) -> IntegerArray:
        """Return the codes of some rows."""
        nominal = columns.nominal[self.source]
        position = {state: k for k, state in enumerate(self.states)}
        if self.infrequent:
            position |= dict.fromkeys(self.infrequent, position[INFREQUENT])
        of_others = self._code_of_others()
        code_of_label = [position.get(label, of_others) for label in nominal.labels]
        dtype = code_dtype(len(self.states))
        return nominal.translate(np.array([*code_of_label, self.missing_code], dtype=dtype))

    def _code_of_others(self) -> int:
        """Return the code of labels that are neither states nor known to be infrequent."""
        return len(self.states)  # left out

    def _check_fitted_state(self) -> None:
        _check_states(self)
        check_whole(self, "source")
        check_whole(self, "missing_code", high=len(self.states))
        _check_labels(self, "infrequent", self.infrequent)
        self._check_shared_state()
        together = {*self.states, *self.infrequent}
        fits = len(together) == len(self.states) + len(self.infrequent)
        require(fits, self, "infrequent", "no states")

    def _check_shared_state(self) -> None:
        is_shared = INFREQUENT in self.states
        require(is_shared == bool(self.infrequent), self, "infrequent", "labels of a shared state")

    def unseen(self, columns: RawColumns) -> list[Hashable]:
        """Return the labels of some rows that are not states."""
        nominal = columns.nominal[self.source]
        states = {*self.states, *self.infrequent}
        present, _ = nominal.present()
        return [
            label
            for label, there in zip(nominal.labels, present, strict=True)
            if there and label not in states
        ]


class OpenLabelColumn(LabelColumn):
    """Plan of a column with more labels than were kept: all that have no state share `INFREQUENT`.

    The labels that share the state are not listed, and an unseen label cannot be told from them.
    """

    def _code_of_others(self) -> int:
        return list(self.states).index(INFREQUENT)

    def _check_shared_state(self) -> None:
        fits = INFREQUENT in self.states and not self.infrequent
        require(fits, self, "states", "with a state of infrequent labels, which are not listed")

    def unseen(self, columns: RawColumns) -> list[Hashable]:
        """Return nothing: every label has a state."""
        return []


class IntervalNames(Sequence[Hashable]):
    """States of a column of intervals, whose names are made when they are asked for.

    Parameters
    ----------
    cuts : cut points between the intervals
    others : states after the intervals, such as `MISSING`

    Examples
    --------
    >>> names = IntervalNames(np.array([0.5]), (MISSING,))
    >>> len(names), names
    (3, ['(-inf, 0.5]', '(0.5, inf)', <missing>])
    """

    __slots__ = ("cuts", "others")

    def __init__(self, cuts: FloatArray, others: tuple[Hashable, ...]) -> None:
        self.cuts, self.others = cuts, others

    def __len__(self) -> int:
        return len(self.cuts) + 1 + len(self.others)

    def __iter__(self) -> Iterator[Hashable]:
        return iter([*interval_names(self.cuts), *self.others])

    @overload
    def __getitem__(self, index: int) -> Hashable: ...

    @overload
    def __getitem__(self, index: slice) -> list[Hashable]: ...

    def __getitem__(self, index: int | slice) -> Hashable | list[Hashable]:
        return list(self)[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list | tuple | IntervalNames) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


@dataclass(frozen=True, eq=False)
class IntervalColumn:
    """Plan of a column of numbers that become the codes of their intervals."""

    name: str
    source: int
    cuts: FloatArray
    states: Sequence[Hashable]
    missing_code: int

    def encode(self, columns: RawColumns) -> IntegerArray:
        """Return the codes of some rows."""
        values = columns.numbers[self.source]
        codes = find_intervals(values, self.cuts)
        codes[np.isnan(values)] = self.missing_code
        return codes

    def merged(self, kept: IntegerArray) -> IntervalColumn:
        """Return the plan with some of the cut points, given by their ascending indices.

        >>> cuts = np.array([1.0, 2.0, 3.0])
        >>> column = IntervalColumn("x", 0, cuts, [*interval_names(cuts), MISSING], 4)
        >>> column.merged(np.array([1])).states, column.merged(np.array([1])).missing_code
        (['(-inf, 2.0]', '(2.0, inf)', <missing>], 2)
        """
        missing_code = self.missing_code
        if missing_code <= len(self.cuts):  # an interval
            missing_code = int(np.searchsorted(kept, missing_code))
        else:
            missing_code += len(kept) - len(self.cuts)
        cuts = self.cuts[kept]
        states = IntervalNames(cuts, tuple(self.states[len(self.cuts) + 1 :]))
        return IntervalColumn(self.name, self.source, cuts, states, missing_code)

    def _check_fitted_state(self) -> None:
        _check_states(self)
        check_whole(self, "source")
        check_whole(self, "missing_code", high=len(self.states))
        cuts = check_float_array(self, "cuts", self.cuts, None)
        require((np.diff(cuts) >= 0).all(), self, "cuts", "sorted")
        fits = len(self.states) - len(cuts) in (1, 2)  # the last may be MISSING
        require(fits, self, "states", "one for each interval")


@dataclass(frozen=True, eq=False)
class GapColumn:
    """Plan of a column that marks the missing values of a column that stays numbers."""

    name: str
    source: int
    states: Sequence[Hashable] = ("present", MISSING)

    def encode(self, columns: RawColumns) -> IntegerArray:
        """Return the codes of some rows."""
        return np.isnan(columns.numbers[self.source]).astype(np.uint8)

    def _check_fitted_state(self) -> None:
        _check_states(self)
        check_whole(self, "source")
        require(len(self.states) == 2, self, "states", "two: present and missing")


ColumnPlan = LabelColumn | IntervalColumn | GapColumn


def lowest_integers(columns: Sequence[ColumnPlan], n_features: int) -> IntegerArray | None:
    """Return the smallest label of each column if its labels are adjacent integers.

    The code of such a label is its distance from the smallest one. None if any column has other
    labels.
    """
    lowest = []
    for column in columns:
        states = list(column.states)
        if not isinstance(column, LabelColumn) or not states or type(states[0]) is not int:
            return None
        if any(type(state) is not int for state in states):
            return None
        if states != list(range(states[0], states[0] + len(states))):
            return None
        lowest.append(states[0])
    if len(lowest) != n_features or max(map(abs, lowest), default=0) >= 1 << 62:
        return None
    return np.array(lowest, dtype=np.int64)


def _check_states(column: ColumnPlan) -> None:
    """Raise unless a plan has a name, and states that are distinct labels."""
    require(isinstance(column.name, str), column, "name", "text")
    fits = isinstance(column.states, list | tuple | IntervalNames)
    require(fits, column, "states", "a list of labels")
    labels = [s for s in column.states if s is not MISSING and s is not INFREQUENT]
    _check_labels(column, "states", labels)
    n_distinct = len(set(column.states))
    require(n_distinct == len(column.states), column, "states", "distinct labels")


def _check_labels(column: ColumnPlan, name: str, labels: Sequence[Hashable]) -> None:
    fits = isinstance(labels, list | tuple) and all(
        isinstance(label, str | bytes | Real | Decimal | np.bool_) for label in labels
    )
    require(fits, column, name, "a list of labels")


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return the name, followed by a number if it is taken.

    >>> free_name("size is missing", ["size", "size is missing"])
    'size is missing 2'
    """
    return next(
        candidate
        for candidate in (name, *(f"{name} {k}" for k in range(2, len(taken) + 3)))
        if candidate not in taken
    )


def interval_names(cuts: FloatArray) -> list[str]:
    """Return the names of the intervals between cut points.

    >>> interval_names(np.array([0.5]))
    ['(-inf, 0.5]', '(0.5, inf)']
    """
    edges = ["-inf", *(repr(cut) for cut in cuts.tolist()), "inf"]
    closing = ["]"] * len(cuts) + [")"]
    return [
        f"({low}, {high}{bracket}"
        for low, high, bracket in zip(edges[:-1], edges[1:], closing, strict=True)
    ]
