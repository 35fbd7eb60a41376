"""Statistics of a column of numbers: range, mean, and the distinct numbers while they are few."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from augury.arrays import Array, FloatArray, IntegerArray
from augury.kernels import code_integers, count_class_values, slot_offsets
from augury.scale.summaries.exact_sum import ExactSum
from augury.scale.summaries.hashes import HashArray, below_level, hash_numbers, level_for

# The smallest integer, and the number of rows of each integer from it to the largest.
Counted = tuple[int, IntegerArray]

# Above this number float64 does not hold every integer.
_MAX_EXACT_INTEGER = 1 << 53
# Integers of a range up to this size are counted by their distance from the smallest.
_FEW_INTEGERS, _MANY_INTEGERS = 1 << 12, 1 << 18
_HEAD = 1000
# Numbers are divided by this power of two where their products with weights exceed 1.8e308.
_SHIFT = 512


@dataclass(frozen=True, eq=False)
class OnceEach:
    """Evidence that no integer occurs twice: a sample of distinct integers by hash.

    If a share s of the distinct integers occurs more than once, a sample of n of them has none
    of these with probability (1 - s)^n, which is below 1e-6 for s >= 14 / n. An integer that
    occurs twice in one block of rows may be found even if it is not sampled.

    Parameters
    ----------
    level : the share of sampled integers is 2^-level
    hashes : sorted hashes of the sampled integers
    max_size : largest number of integers
    """

    level: int
    hashes: HashArray
    max_size: int

    @classmethod
    def find(cls, hashes: HashArray, level: int, max_size: int) -> OnceEach | None:
        """Return a sample, or None if an integer in it occurs twice."""
        # A larger sample first: a frequent integer raises the level until it is left out.
        level = level_for(hashes, level, 8 * max_size)
        sample = np.sort(hashes[below_level(hashes, level)])
        if (sample[1:] == sample[:-1]).any():
            return None
        level = level_for(sample, level, max_size)
        return cls(level, sample[below_level(sample, level)], max_size)

    def __add__(self, other: OnceEach) -> OnceEach | None:
        level = max(self.level, other.level)
        return OnceEach.find(np.concatenate([self.hashes, other.hashes]), level, self.max_size)


@dataclass(frozen=True, eq=False)
class NumberSurvey:
    """Statistics of the known numbers of a column; they add.

    Parameters
    ----------
    n_known : number of rows with a number
    low, high : smallest and largest number; NaN if there is none
    are_integers : whether all numbers are integers
    total : sum of number times weight
    weight : sum of the weights of the rows with a number
    values : the distinct numbers, sorted; None if there are more than `max_values`
    once : evidence that every integer occurs at most once; None if an integer occurs twice, if
        other numbers occur, or if `values` tell
    max_values, max_hashes : limits, see `SurveySettings`
    """

    n_known: int
    low: float
    high: float
    are_integers: bool
    total: ExactSum
    weight: ExactSum
    values: FloatArray | None
    once: OnceEach | None
    max_values: int
    max_hashes: int

    @classmethod
    def collect(
        cls,
        numbers: Array,
        weight: FloatArray | None,
        *,
        max_values: int,
        max_hashes: int,
        keep_values: bool = True,
    ) -> NumberSurvey:
        """Summarise integers, or floats in which NaN is missing.

        Without `keep_values` the distinct numbers are known to be too many.
        """
        if numbers.dtype.kind == "f":
            numbers = np.asarray(numbers, dtype=np.float64)
            known = ~np.isnan(numbers)
            if not known.all():
                numbers = numbers[known]
                weight = None if weight is None else weight[known]
        if not len(numbers):
            nothing, none = ExactSum(), np.empty(0)
            return cls(
                0, np.nan, np.nan, True, nothing, nothing, none, None, max_values, max_hashes
            )
        limits = (max_values, max_hashes)
        low, high = numbers.min(), numbers.max()
        are_integers = numbers.dtype.kind != "f" or _are_integers(numbers)
        about = (len(numbers), float(low), float(high), are_integers)
        if are_integers and _are_countable(int(low), int(high), len(numbers)):
            places = _places(numbers, low)
            counts = np.bincount(places)
            total, of_rows = _integer_sums(numbers, low, counts, weight)
            distinct = np.flatnonzero(counts) + np.float64(low)
            values = distinct if len(distinct) <= max_values else None
            once = None
            if values is None and counts.max() == 1:
                once = OnceEach.find(hash_numbers(distinct), 0, max_hashes)
            return cls(*about, total, of_rows, values, once, *limits)
        numbers = np.asarray(numbers, dtype=np.float64)
        values = _distinct(numbers, max_values) if keep_values else None
        once = _once_each(numbers, max_hashes) if are_integers and values is None else None
        total, of_rows = _float_sums(numbers, weight)
        return cls(*about, total, of_rows, values, once, *limits)

    @classmethod
    def of_counted(
        cls, low: int, counts: IntegerArray, *, max_values: int, max_hashes: int
    ) -> NumberSurvey:
        """Summarise rows without weights that `count_integers` has counted."""
        n_rows, high = int(counts.sum()), low + len(counts) - 1
        total = ExactSum.of_integer(low * n_rows + int(counts @ np.arange(len(counts))))
        distinct = np.flatnonzero(counts) + np.float64(low)
        values = distinct if len(distinct) <= max_values else None
        once = None
        if values is None and counts.max() == 1:
            once = OnceEach.find(hash_numbers(distinct), 0, max_hashes)
        about = (n_rows, float(low), float(high), True, total, ExactSum.of_integer(n_rows))
        return cls(*about, values, once, max_values, max_hashes)

    @classmethod
    def of_texts(
        cls,
        values: FloatArray,
        n_rows: IntegerArray,
        weight: FloatArray,
        *,
        max_values: int,
        max_hashes: int,
    ) -> NumberSurvey:
        """Summarise the numbers of different texts with the rows and weights of each text."""
        survey = cls.collect(values, weight, max_values=max_values, max_hashes=max_hashes)
        return replace(survey, n_known=int(n_rows.sum()))

    @property
    def mean(self) -> float:
        """The weighted mean, rounded once; 0 if no number is known."""
        return self.total.divided_by(self.weight) if self.weight.units else 0.0

    @property
    def is_finite(self) -> bool:
        """Whether no number is infinite."""
        return not (np.isinf(self.low) or np.isinf(self.high))

    @property
    def occur_once(self) -> bool:
        """Whether no integer occurs twice, as far as is known."""
        if self.values is not None:
            return len(self.values) == self.n_known
        return self.once is not None

    @property
    def n_distinct(self) -> int:
        """The number of distinct numbers; at least this many if not all are kept."""
        return self.max_values + 1 if self.values is None else len(self.values)

    def __add__(self, other: NumberSurvey) -> NumberSurvey:
        if not self.n_known or not other.n_known:
            return other if not self.n_known else self
        values = None
        if self.values is not None and other.values is not None:
            values = _united(self.values, other.values)
            if len(values) > self.max_values:
                values = None
        are_integers = self.are_integers and other.are_integers
        once = None
        if values is None and are_integers:
            one, two = self._evidence(), other._evidence()
            once = None if one is None or two is None else one + two
        return NumberSurvey(
            self.n_known + other.n_known,
            min(self.low, other.low),
            max(self.high, other.high),
            are_integers,
            self.total + other.total,
            self.weight + other.weight,
            values,
            once,
            self.max_values,
            self.max_hashes,
        )

    def _evidence(self) -> OnceEach | None:
        if self.values is None or len(self.values) < self.n_known:
            return self.once
        return OnceEach.find(hash_numbers(self.values), 0, self.max_hashes)


def count_integers(numbers: Array) -> Counted | None:
    """Return the smallest integer, and the number of rows of each integer from it to the largest.

    None if the numbers are not integers of a range below 65,535.

    >>> count_integers(np.array([7, 5, 7], dtype=np.int8))
    (5, array([1, 0, 2]))
    """
    if numbers.dtype.kind not in "iu" or numbers.dtype == np.uint64 or not len(numbers):
        return None
    found = code_integers(numbers[:, None])
    if found is None:
        return None
    codes, (low,), (high,) = found
    offsets = slot_offsets(np.array([int(high) - int(low) + 1]))
    one_class = np.zeros(len(numbers), dtype=np.int32)
    counts = count_class_values(codes, one_class, None, offsets, 1)[:-1, 0].astype(np.int64)
    first = int(np.argmax(counts > 0))  # codes of small numbers begin at 0
    return int(low) + first, counts[first:]


def _are_countable(low: int, high: int, n_rows: int) -> bool:
    """Return whether integers of this range are counted by their distance from the smallest."""
    largest_span = min(max(_FEW_INTEGERS, 2 * n_rows), _MANY_INTEGERS)
    return high - low < largest_span and max(-low, high) <= _MAX_EXACT_INTEGER


def _are_integers(numbers: FloatArray) -> bool:
    head = numbers[:_HEAD]  # it often tells without a look at the other rows
    if not np.array_equal(head, np.floor(head)):
        return False
    return bool(np.isfinite(numbers).all() and np.array_equal(numbers, np.floor(numbers)))


def _places(numbers: Array, low: np.generic) -> IntegerArray:
    """Return the distance of each integer from the smallest."""
    if numbers.dtype.kind == "f" or numbers.dtype.itemsize == 8:
        distances: IntegerArray = (numbers - low).astype(np.intp, copy=False)
        return distances
    return numbers.astype(np.intp) - int(low)  # a narrow type may not hold the distance


def _integer_sums(
    numbers: Array, low: np.generic, counts: IntegerArray, weight: FloatArray | None
) -> tuple[ExactSum, ExactSum]:
    if weight is not None:
        return _float_sums(np.asarray(numbers, dtype=np.float64), weight)
    above_low = int(np.dot(counts, np.arange(len(counts))))
    n_rows = len(numbers)
    return ExactSum.of_integer(int(low) * n_rows + above_low), ExactSum.of_integer(n_rows)


def _float_sums(numbers: FloatArray, weight: FloatArray | None) -> tuple[ExactSum, ExactSum]:
    if not np.isfinite(numbers).all():  # no mean is needed: a model accepts no such column
        return ExactSum(), ExactSum()
    if weight is None:
        return ExactSum.of(numbers), ExactSum.of_integer(len(numbers))
    with np.errstate(over="ignore"):
        products = numbers * weight
    if np.isfinite(products).all():
        return ExactSum.of(products), ExactSum.of(weight)
    smaller = ExactSum.of(np.ldexp(numbers, -_SHIFT) * weight)
    return ExactSum(smaller.units << _SHIFT), ExactSum.of(weight)


def _distinct(numbers: FloatArray, max_values: int) -> FloatArray | None:
    """Return the sorted distinct numbers, or None if they are too many."""
    few = max_values + max_values // 4
    differ = len(numbers) > few and len(np.unique(numbers[:_HEAD])) == _HEAD
    if differ and len(pd.unique(numbers[:few])) > max_values:
        return None  # without a look at the other rows
    distinct = pd.unique(numbers)
    return np.sort(distinct) + 0.0 if len(distinct) <= max_values else None  # -0.0 is 0.0


def _once_each(numbers: FloatArray, max_hashes: int) -> OnceEach | None:
    head = numbers[:_HEAD]
    if len(np.unique(head)) < len(head):
        return None
    return OnceEach.find(hash_numbers(numbers), 0, max_hashes)


def _united(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the sorted union of sorted numbers."""
    if len(a) < len(b):
        a, b = b, a
    places = np.searchsorted(a, b)
    places[places == len(a)] = 0
    new = b[a[places] != b] if len(a) else b
    return np.sort(np.concatenate([a, new])) if len(new) else a


__all__ = ["NumberSurvey", "OnceEach"]
