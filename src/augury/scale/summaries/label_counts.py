"""Labels of a column with their numbers of rows and weights."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.scale.summaries.hashes import below_level, hash_labels, level_for

_N = TypeVar("_N", int, float)


@dataclass(frozen=True, eq=False)
class LabelSample:
    """Labels of the smallest hashes, each with its exact number of rows.

    Parameters
    ----------
    level : the share of sampled labels is 2^-level
    rows : dict from a sampled label to its number of rows
    max_size : largest number of labels
    """

    level: int
    rows: Mapping[Hashable, int]
    max_size: int

    @classmethod
    def choose(cls, rows: Mapping[Hashable, int], level: int, max_size: int) -> LabelSample:
        """Sample labels, all of whose rows are known."""
        labels = [label for label, n_rows in rows.items() if n_rows]
        hashes = hash_labels(labels)
        level = level_for(hashes, level, max_size)
        kept = np.flatnonzero(below_level(hashes, level)).tolist()
        return cls(level, {labels[k]: rows[labels[k]] for k in kept}, max_size)

    def __add__(self, other: LabelSample) -> LabelSample:
        level = max(self.level, other.level)
        return LabelSample.choose(_sums(self.rows, other.rows), level, self.max_size)

    @property
    def n_labels(self) -> int:
        """The estimated number of labels; its relative error is about 1 / √(sampled labels)."""
        return len(self.rows) << self.level


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Labels in the order of their first rows, with numbers of rows and weights.

    Up to `max_labels` labels are counted exactly. Beyond that the labels of most weight are kept
    by the rule of Misra and Gries: if there are more than `max_labels`, the weight of the first
    label that is not kept is subtracted from all, and labels without weight are left out. Then a
    weight is too small by at most `lost`, which is at most W / (max_labels + 1) of the weight W of
    all rows. The sums of parts depend on the order of the additions in this case only.

    Parameters
    ----------
    rows : dict from a label to its number of rows
    weights : dict from a label to the weight of its rows; None if every row has weight 1
    max_labels : labels that are kept
    max_hashes : labels in the sample
    lost : largest error of a weight
    left_out : weight that the kept labels lack
    sample : sample of all labels; None if all labels are kept

    References
    ----------
    P. Agarwal, G. Cormode, Z. Huang, J. Phillips, Z. Wei, K. Yi: Mergeable summaries. PODS 2012.

    Examples
    --------
    >>> first = LabelCounts({"b": 2}, None, max_labels=2, max_hashes=8)
    >>> (first + LabelCounts({"a": 1, "b": 1}, None, max_labels=2, max_hashes=8)).rows
    {'b': 3, 'a': 1}
    >>> both = first + LabelCounts({"a": 1, "c": 1}, None, max_labels=2, max_hashes=8)
    >>> both.rows, both.lost, both.n_labels
    ({'b': 1}, 1.0, 3)
    """

    rows: Mapping[Hashable, int]
    weights: Mapping[Hashable, float] | None
    max_labels: int
    max_hashes: int
    lost: float = 0.0
    left_out: float = 0.0
    sample: LabelSample | None = None

    @classmethod
    def collect(
        cls,
        codes: IntegerArray,
        labels: list[Hashable],
        weight: FloatArray | None,
        *,
        max_labels: int,
        max_hashes: int,
    ) -> LabelCounts:
        """Count the rows of each label; a code of -1 is a missing value."""
        places = codes.astype(np.intp) + 1
        n_rows = np.bincount(places, minlength=len(labels) + 1)[1:].tolist()
        rows = dict(zip(labels, n_rows, strict=True))
        weights = None
        if weight is not None:
            sums = np.bincount(places, weight, minlength=len(labels) + 1)[1:].tolist()
            weights = dict(zip(labels, sums, strict=True))
        return cls(rows, weights, max_labels, max_hashes)._limited()

    @property
    def is_exact(self) -> bool:
        """Whether all labels are kept."""
        return self.sample is None

    @property
    def n_labels(self) -> int:
        """The number of labels that occur; estimated from the sample if not all are kept."""
        if self.sample is not None:
            return max(self.sample.n_labels, len(self.rows))
        return sum(1 for n_rows in self.rows.values() if n_rows)

    def weight_of(self) -> Mapping[Hashable, float]:
        """Return the weight of each label that is kept."""
        return self.rows if self.weights is None else self.weights

    def __add__(self, other: LabelCounts) -> LabelCounts:
        weights = None
        if self.weights is not None or other.weights is not None:
            weights = _sums(self.weight_of(), other.weight_of())
        sample = None
        if self.sample is not None or other.sample is not None:
            sample = self._sampled() + other._sampled()
        return LabelCounts(
            _sums(self.rows, other.rows),
            weights,
            self.max_labels,
            self.max_hashes,
            self.lost + other.lost,
            self.left_out + other.left_out,
            sample,
        )._limited()

    def _sampled(self) -> LabelSample:
        if self.sample is not None:
            return self.sample
        return LabelSample.choose(self.rows, 0, self.max_hashes)

    def _limited(self) -> LabelCounts:
        """Return at most `max_labels` labels."""
        if len(self.rows) <= self.max_labels:
            return self
        sample = self._sampled()
        weights = self.weight_of()
        of_labels = np.fromiter(weights.values(), dtype=np.float64, count=len(weights))
        place = len(of_labels) - self.max_labels - 1
        first_left_out = float(np.partition(of_labels, place)[place])
        kept = {label: w - first_left_out for label, w in weights.items() if w > first_left_out}
        rows = {label: self.rows[label] for label in kept}
        if self.weights is None:
            rows = {label: int(weight) for label, weight in kept.items()}
        return LabelCounts(
            rows,
            None if self.weights is None else kept,
            self.max_labels,
            self.max_hashes,
            self.lost + first_left_out,
            self.left_out + float(of_labels.sum()) - sum(kept.values()),
            sample,
        )


def _sums(a: Mapping[Hashable, _N], b: Mapping[Hashable, _N]) -> dict[Hashable, _N]:
    sums = dict(a)
    for label, number in b.items():
        sums[label] = sums[label] + number if label in sums else number
    return sums


__all__ = ["LabelCounts", "LabelSample"]
