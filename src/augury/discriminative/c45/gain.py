"""Information gain and gain ratio of splits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.discriminative.c45.rows import SMALL, TreeRows
from augury.kernels import count_class_values

# Maximum number of sorted values in memory.
_MAX_CELLS = 1 << 19


@dataclass(frozen=True, eq=False)
class Gains:
    """Gains of splits on some columns.

    Parameters
    ----------
    gain : information of the branch about the class, in bits for each row
    ratio : gain, divided by the information in the branch itself
    usable : whether the split leaves enough rows in two branches
    below, above : for numbers, the values on both sides of the best cut
    """

    gain: Array
    ratio: Array
    usable: Array
    below: Array
    above: Array


def times_log(x: Array) -> Array:
    """Return x log2 x, and zero for x close to zero.

    >>> times_log(np.array([0.0, 1e-9, 1.0, 4.0]))
    array([0., 0., 0., 8.])
    """
    product: Array = x * np.log2(np.maximum(x, SMALL))
    product[x < SMALL] = 0.0
    return product


def state_gains(
    rows: TreeRows, index: Array, weight: Array | None, minimum: float, n_threads: int
) -> Gains:
    """Return the gains of splits with a branch for each state, for all columns of codes.

    n_b is the weight of the rows with a known value in branch b, n_bc that of class c, n their
    sum, and W the weight of all rows. gain = (n / W) (H(C) - H(C | B)), where the entropies H are
    those of the rows with a known value. The information of the branch itself counts "missing"
    as a branch (Quinlan 1993, ch. 2, 3).
    """
    codes = rows.codes.take(index, axis=1).T
    table = count_class_values(
        codes, rows.y[index], weight, rows.offsets, rows.n_classes, n_threads=n_threads
    )
    starts, unknown = rows.offsets[:-1], rows.offsets[1:] - 1
    whole = float(len(index) if weight is None else weight.sum())
    table[unknown] = 0.0
    bags = table.sum(axis=1)
    total = np.add.reduceat(bags, starts)
    bag_terms = times_log(bags)
    before = times_log(total) - times_log(np.add.reduceat(table, starts)).sum(axis=1)
    after = np.add.reduceat(bag_terms - times_log(table).sum(axis=1), starts)
    gain = _gain(before - after, total, whole)
    ratio = _ratio(gain, np.add.reduceat(bag_terms, starts), total, whole)
    usable = np.add.reduceat((bags > minimum - SMALL).astype(np.intp), starts) >= 2
    nowhere = np.full(len(gain), np.nan)
    return Gains(gain, ratio, usable, nowhere, nowhere)


def _gain(bits: Array, total: Array, whole: Array | float) -> Array:
    """Return the gain for each row; `total` of the `whole` rows have a known value."""
    bits = total / whole * bits
    bits[np.abs(bits) < SMALL] = 0.0
    gain: Array = bits / np.maximum(total, SMALL)
    return gain


def _ratio(gain: Array, bag_terms: Array, total: Array, whole: float) -> Array:
    """Return the gain ratio, from Σ n_b log2 n_b over the branches."""
    own = times_log(np.array([whole]))[0] - times_log(whole - total) - bag_terms
    trivial = np.abs(own) < SMALL
    ratio: Array = np.where(trivial, 0.0, gain * whole / np.where(trivial, 1.0, own))
    return ratio


def threshold_gains(rows: TreeRows, index: Array, weight: Array | None, minimum: float) -> Gains:
    """Return the gain of the best threshold of each column of numbers.

    The choice of a threshold costs log2(number of thresholds) / W bits (Quinlan 1996). Each
    side must have a tenth of the mean weight of a class, at least `minimum` and at most 25.
    """
    n_columns = len(rows.numbers)
    step = max(1, _MAX_CELLS // max(1, len(index)))
    gain, ratio, below, above = np.zeros((4, n_columns))
    for start in range(0, n_columns, step):
        cuts = _Cuts(rows, slice(start, start + step), index, weight, minimum)
        j = start + np.flatnonzero(cuts.n_cuts)
        if len(j):
            gain[j], ratio[j], below[j], above[j] = cuts.best()
    return Gains(gain, ratio, gain >= SMALL, below, above)


class _Cuts:
    """All cut points of some columns of numbers, and their gains."""

    def __init__(
        self, rows: TreeRows, columns: slice, index: Array, weight: Array | None, minimum: float
    ) -> None:
        values = rows.numbers[columns].take(index, axis=1)
        order = np.argsort(values, axis=1)
        self.values = np.take_along_axis(values, order, axis=1)
        row_weight = (np.ones(len(index)) if weight is None else weight)[order]
        row_weight[np.isnan(self.values)] = 0.0  # sorted to the end
        self.whole = float(len(index) if weight is None else weight.sum())
        left = np.cumsum(row_weight, axis=1)
        self.total = left[:, -1]
        # For minimum > 25 C4.5 and J48 require less than the minimum, which is not intended.
        least = np.clip(0.1 * self.total / rows.n_classes, minimum, max(25.0, minimum))[:, None]
        left, right = left[:, :-1], self.total[:, None] - left[:, :-1]
        is_cut = self.values[:, :-1] + rows.min_difference[columns, None] < self.values[:, 1:]
        is_cut &= (left > least - SMALL) & (right > least - SMALL)
        self.n_cuts = is_cut.sum(axis=1)
        self.ends = np.cumsum(self.n_cuts)
        self.column, self.place = np.nonzero(is_cut)
        if len(self.place):
            self.left, self.right = left[is_cut], right[is_cut]
            self._find_gains(rows, is_cut, rows.y[index][order], row_weight)

    def _find_gains(self, rows: TreeRows, is_cut: Array, y: Array, weight: Array) -> None:
        # Rows between two cuts are counted together, since there are fewer cuts than rows.
        n_segments = self.n_cuts + 1
        first = np.cumsum(n_segments) - n_segments
        segment = np.repeat(first[:, None], y.shape[1], axis=1)
        segment[:, 1:] += np.cumsum(is_cut, axis=1)
        cell = segment * rows.n_classes + y
        counts = np.bincount(cell.ravel(), weight.ravel(), n_segments.sum() * rows.n_classes)
        running = np.cumsum(counts.reshape(-1, rows.n_classes), axis=0)
        base = np.concatenate([np.zeros((1, rows.n_classes)), running])[first]
        per_class = running[first + n_segments - 1] - base
        at_cut = np.arange(len(self.place)) + self.column  # each column has one more segment
        left = running[at_cut] - base[self.column]
        right = per_class[self.column] - left
        before = times_log(self.total) - times_log(per_class).sum(axis=1)
        after = times_log(self.left) - times_log(left).sum(axis=1)
        after += times_log(self.right) - times_log(right).sum(axis=1)
        self.gain = _gain(before[self.column] - after, self.total[self.column], self.whole)

    def best(self) -> tuple[Array, Array, Array, Array]:
        """Return gain, ratio and adjacent values of the best cut of each column with cuts."""
        columns = np.flatnonzero(self.n_cuts)
        at = np.array([self._best_of(k) for k in columns.tolist()])
        gain, n_cuts = self.gain[at], self.n_cuts[columns]
        gain = np.where(gain > SMALL, gain, 0.0) - np.log2(n_cuts) / self.whole
        terms = times_log(self.left[at]) + times_log(self.right[at])
        ratio = _ratio(gain, terms, self.total[columns], self.whole)
        place = self.place[at]
        return gain, ratio, self.values[columns, place], self.values[columns, place + 1]

    def _best_of(self, k: int) -> int:
        """Return the first cut of a column that is better by more than SMALL than all before."""
        stop = int(self.ends[k])
        start = stop - int(self.n_cuts[k])
        gain = self.gain[start:stop]
        best, at = 0.0, 0
        records = np.flatnonzero(gain >= np.maximum.accumulate(gain))  # no other can be the best
        for place, value in zip(records.tolist(), gain[records].tolist(), strict=True):
            if value - best > SMALL:
                best, at = value, place
        return start + at
