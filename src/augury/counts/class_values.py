"""Values of each column and class with their weights: the statistics of kernel densities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.fitted_state import LARGEST_COUNT, check_floats, check_integers, require

# Largest number of values that are kept of a column in a class; more are merged into bins.
MAX_VALUES = 1 << 15
# The level of values that are not merged.
UNMERGED = -2000
_HIGHEST_LEVEL = 1024
# Cells of the first histogram of many rows.
_CELLS_BITS = 18


@dataclass(frozen=True, eq=False)
class Values:
    """Sorted values of one column in one class, merged into bins if there are too many.

    A bin of level k holds the values from m 2^k to (m + 1) 2^k, for a whole number m. It keeps
    their weight, mean and scatter Σ w (x - mean)². The level is the lowest one with at most
    `MAX_VALUES` bins. Bins of two levels nest, so that the level and the bins of a sum do not
    depend on how the rows are divided.

    Attributes
    ----------
    value, weight, scatter : arrays of shape (n_values,)
    level : int
        `UNMERGED` if each entry is one distinct value.
    """

    value: Array
    weight: Array
    scatter: Array
    level: int

    @classmethod
    def collect(cls, numbers: Array, weight: Array | None) -> Values:
        """Return the values of an array without missing numbers.

        >>> found = Values.collect(np.array([2.0, 1.0, 2.0]), None)
        >>> found.value, found.weight
        (array([1., 2.]), array([1., 2.]))
        """
        if weight is not None and not (weight > 0).all():
            numbers, weight = numbers[weight > 0], weight[weight > 0]
        # Moments that are not finite are reported by the model.
        if len(numbers) > MAX_VALUES and np.isfinite(numbers).all():
            merged = _histogram(numbers, weight)
            if merged is not None:
                return _merge(merged)
        if weight is None:
            value, weight = np.sort(numbers), np.ones(len(numbers))
        else:
            order = np.argsort(numbers, kind="stable")
            value, weight = numbers[order], weight[order]
        return _merge(cls(value, weight, np.zeros(len(value)), UNMERGED))

    @classmethod
    def union(cls, parts: list[Values]) -> Values:
        """Return the values of several sets of rows together."""
        level = max(part.level for part in parts)
        value = np.concatenate([part.value for part in parts])
        weight = np.concatenate([part.weight for part in parts])
        scatter = np.concatenate([part.scatter for part in parts])
        order = np.argsort(value, kind="stable")
        return _merge(cls(value[order], weight[order], scatter[order], level))

    @property
    def total(self) -> float:
        """Weight of all values."""
        return float(self.weight.sum())

    @property
    def range(self) -> float:
        """Distance from the least value to the largest; of bins, of their means."""
        return float(self.value[-1] - self.value[0]) if len(self.value) else 0.0

    def quartile_distance(self) -> float:
        """Return the distance of the quartiles, the smallest values with a quarter of the weight.

        A quartile of merged values is the mean of its bin.

        >>> Values.collect(np.array([1.0, 2.0, 3.0, 9.0]), None).quartile_distance()
        2.0
        """
        if not len(self.value):
            return 0.0
        below = np.cumsum(self.weight)
        # The tolerance makes a weight of 2 equal to two rows whatever the order of the sum.
        at = np.searchsorted(below, np.array([0.25, 0.75]) * below[-1] * (1 - 1e-12))
        first, third = self.value[np.minimum(at, len(self.value) - 1)]
        return float(third - first)

    def entry_of(self, numbers: Array) -> Array:
        """Return the index of the entry that holds each number; -1 where there is none."""
        if not len(self.value):
            return np.full(len(numbers), -1)
        own, wanted = self.value, numbers
        if self.level != UNMERGED:
            own, wanted = _bins(own, self.level), _bins(numbers, self.level)
        at = np.minimum(np.searchsorted(own, wanted), len(own) - 1)
        return np.where(own[at] == wanted, at, -1)


@dataclass(frozen=True, eq=False)
class ClassValues:
    """Values of each column in each class, with their weights; missing values are left out.

    Up to 32,768 distinct values of a column in a class are kept as they are. More are merged into
    bins, see `Values`. The statistics of two sets of rows add.

    Parameters
    ----------
    starts : array of shape (n_columns * n_classes + 1,)
        Index of the first entry of each column and class.
    levels : array of shape (n_columns, n_classes)
    value, weight, scatter : arrays of shape (n_entries,)

    Examples
    --------
    >>> x = np.array([[1.0], [3.0], [np.nan], [3.0]])
    >>> values = ClassValues.collect(x, np.array([0, 0, 0, 1]), n_classes=2)
    >>> (values + values).of(0, 0).weight
    array([2., 2.])
    """

    starts: Array
    levels: Array
    value: Array
    weight: Array
    scatter: Array

    @classmethod
    def collect(
        cls, numbers: Array, y: Array, n_classes: int, weight: Array | None = None
    ) -> ClassValues:
        """Collect the values of the rows of `numbers` with classes y."""
        # After an overflow the moments of the column are not finite; models check them.
        with np.errstate(over="ignore", invalid="ignore"):
            return cls._collect(numbers, y, n_classes, weight)

    @classmethod
    def _collect(
        cls, numbers: Array, y: Array, n_classes: int, weight: Array | None
    ) -> ClassValues:
        rows_of = [np.flatnonzero(y == k) for k in range(n_classes)]
        parts = []
        for j in range(numbers.shape[1]):
            column = np.ascontiguousarray(numbers[:, j])
            gaps = bool(np.isnan(column).any())
            for rows in rows_of:
                own, heavy = column[rows], None if weight is None else weight[rows]
                if gaps:
                    there = ~np.isnan(own)
                    own, heavy = own[there], None if heavy is None else heavy[there]
                parts.append(Values.collect(own, heavy))
        return cls._of_parts(parts, n_classes)

    @classmethod
    def _of_parts(cls, parts: list[Values], n_classes: int) -> ClassValues:
        sizes = [len(part.value) for part in parts]
        return cls(
            starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            levels=np.array([part.level for part in parts], np.int64).reshape(-1, n_classes),
            value=np.concatenate([np.empty(0), *(part.value for part in parts)]),
            weight=np.concatenate([np.empty(0), *(part.weight for part in parts)]),
            scatter=np.concatenate([np.empty(0), *(part.scatter for part in parts)]),
        )

    def of(self, j: int, k: int) -> Values:
        """Return the values of column j in class k."""
        at = j * self.levels.shape[1] + k
        own = slice(self.starts[at], self.starts[at + 1])
        return Values(self.value[own], self.weight[own], self.scatter[own], int(self.levels[j, k]))

    def pooled(self, j: int) -> Values:
        """Return the values of column j in all classes together."""
        return Values.union([self.of(j, k) for k in range(self.levels.shape[1])])

    def __add__(self, other: ClassValues) -> ClassValues:
        if not isinstance(other, ClassValues):
            return NotImplemented
        if self.levels.shape != other.levels.shape:
            raise ValueError(
                "values add only if they have the same columns and classes, got shapes "
                f"{self.levels.shape} and {other.levels.shape}"
            )
        parts = [
            Values.union([self.of(j, k), other.of(j, k)]) for j, k in np.ndindex(self.levels.shape)
        ]
        return self._of_parts(parts, self.levels.shape[1])

    def _check_fitted_state(self) -> None:
        levels = check_integers(self, "levels", None, None, low=UNMERGED, high=_HIGHEST_LEVEL)
        starts = check_integers(self, "starts", levels.size + 1)
        fits = starts[0] == 0 and (np.diff(starts) >= 0).all() and (np.diff(starts) <= MAX_VALUES)
        require(np.all(fits), self, "starts", f"ascending, by at most {MAX_VALUES}")
        n = int(starts[-1])
        value = check_floats(self, "value", n)
        smallest = float(np.finfo(np.float64).smallest_subnormal)
        for at in np.flatnonzero(levels.ravel() != UNMERGED):
            with np.errstate(over="ignore"):
                bins = _bins(value[starts[at] : starts[at + 1]], int(levels.flat[at]))
            fits = (np.abs(bins) < 2.0**60).all() and (np.diff(bins) > 0).all()
            require(fits, self, "value", "one in each bin")
        check_floats(self, "weight", n, low=smallest, high=LARGEST_COUNT)
        check_floats(self, "scatter", n, low=0)
        inner = np.ones(max(n - 1, 0), dtype=bool)
        inner[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < n)] - 1] = False
        require((np.diff(value)[inner] > 0).all(), self, "value", "ascending in each class")


# ---- bins ---------------------------------------------------------------------------------


def _bins(value: Array, level: int) -> Array:
    """Return the numbers m of the bins of a level."""
    return np.asarray(np.floor(np.ldexp(value, -level)))


def _merge(entries: Values) -> Values:
    """Merge sorted entries that are equal or in the same bin, at the lowest level possible."""
    level, value = entries.level, entries.value
    if not len(value):
        return Values(value, entries.weight, entries.scatter, level)
    keys = value if level == UNMERGED else _bins(value, level)
    first = _first_of_each(keys)
    if len(first) > MAX_VALUES:
        level, keys = _lowest_level(value, level)
        first = _first_of_each(keys)
    if len(first) == len(value):
        return Values(value, entries.weight, entries.scatter, level)
    weight = np.add.reduceat(entries.weight, first)
    if level == UNMERGED:
        return Values(value[first], weight, np.zeros(len(first)), level)
    size = np.diff(np.append(first, len(value)))
    # Deviations from a value of the bin: digits do not cancel.
    away = value - np.repeat(value[first], size)
    mean_away = np.add.reduceat(entries.weight * away, first) / weight
    rest = away - np.repeat(mean_away, size)
    scatter = np.add.reduceat(entries.scatter + entries.weight * rest**2, first)
    # A mean that rounding moves out of its bin would later be found in another.
    low = np.ldexp(keys[first], level)
    high = np.nextafter(np.ldexp(keys[first] + 1.0, level), low)
    mean = np.clip(value[first] + mean_away, low, high)
    return Values(mean, weight, scatter, level)


def _first_of_each(keys: Array) -> Array:
    """Return the index of the first of each run of equal keys."""
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))


def _lowest_level(value: Array, at_least: int) -> tuple[int, Array]:
    """Return the lowest level with at most `MAX_VALUES` bins, and the bins of the values."""
    # With bins of this size the whole range has few enough of them.
    level = _level_of(value[0], value[-1], MAX_VALUES // 2)
    keys = _bins(value, level)
    while level > at_least:
        finer = _bins(value, level - 1)
        if 1 + np.count_nonzero(finer[1:] != finer[:-1]) > MAX_VALUES:
            break
        level, keys = level - 1, finer
    return level, keys


def _level_of(low: float, high: float, n_bins: int) -> int:
    """Return a level at which the numbers from low to high are in at most n_bins + 1 bins."""
    exponent = int(np.frexp(high / n_bins - low / n_bins)[1])
    return max(exponent, -1000)


def _histogram(numbers: Array, weight: Array | None) -> Values | None:
    """Return many numbers in fine bins, or None if these may be fewer than `MAX_VALUES`."""
    low, high = float(numbers.min()), float(numbers.max())
    level = _level_of(low, high, 1 << _CELLS_BITS)
    scaled = np.ldexp(numbers, -level)
    start = np.floor(np.ldexp(low, -level))
    if not np.isfinite(start) or abs(start) > 2.0**52:
        return None
    scaled -= start
    cell = scaled.astype(np.int32)
    scaled -= cell
    count = np.bincount(cell, weight)
    used = np.flatnonzero(count)
    if len(used) <= MAX_VALUES:
        return None
    first = np.bincount(cell, scaled if weight is None else scaled * weight)[used]
    scaled *= scaled
    second = np.bincount(cell, scaled if weight is None else scaled * weight)[used]
    own = count[used].astype(np.float64)
    mean = first / own
    scatter = np.ldexp(np.maximum(second - first * mean, 0.0), 2 * level)
    bins = start + used
    value = np.clip(
        np.ldexp(bins + mean, level),
        np.ldexp(bins, level),
        np.nextafter(np.ldexp(bins + 1.0, level), -np.inf),
    )
    return Values(value, own, scatter, level)
