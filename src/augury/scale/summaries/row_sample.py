"""A sample of rows, chosen by a hash of their number: the numbers that they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray
from augury.scale.summaries.hashes import HashArray, below_level, level_for


@dataclass(frozen=True, eq=False)
class RowSample:
    """The numbers of sampled rows, in the order of the rows.

    Which rows are sampled depends on their keys and numbers, and not on how they are divided into
    blocks.

    Parameters
    ----------
    level : the share of sampled rows is 2^-level
    hashes : hash of each sampled row
    columns : dict from the name of a column of numbers to its values in the sampled rows
    max_size : largest number of rows
    """

    level: int
    hashes: HashArray
    columns: Mapping[str, FloatArray]
    max_size: int

    @classmethod
    def choose(
        cls, hashes: HashArray, columns: Mapping[str, FloatArray], level: int, max_size: int
    ) -> RowSample:
        """Sample some rows; `columns` hold the numbers of all of them."""
        level = level_for(hashes, level, max_size)
        rows = np.flatnonzero(below_level(hashes, level))
        taken = {name: np.asarray(values[rows], np.float64) for name, values in columns.items()}
        return cls(level, hashes[rows], taken, max_size)

    def __add__(self, other: RowSample) -> RowSample:
        level = max(self.level, other.level)
        hashes = np.concatenate([self.hashes, other.hashes])
        # A column without a value in some blocks may lack there.
        columns = {
            name: np.concatenate([self._numbers(name), other._numbers(name)])
            for name in {**self.columns, **other.columns}
        }
        if level == self.level == other.level and len(hashes) <= self.max_size:
            return RowSample(level, hashes, columns, self.max_size)
        return RowSample.choose(hashes, columns, level, self.max_size)

    def _numbers(self, name: str) -> FloatArray:
        return self.columns[name] if name in self.columns else np.full(len(self.hashes), np.nan)

    def select(self, names: frozenset[str]) -> RowSample:
        """Return the sample of some columns."""
        kept = {name: values for name, values in self.columns.items() if name in names}
        return RowSample(self.level, self.hashes, kept, self.max_size)

    def joined(self, other: RowSample) -> RowSample:
        """Return the columns of both; the other sample holds the same rows."""
        if self.level != other.level or not np.array_equal(self.hashes, other.hashes):
            raise ValueError(
                "a second survey must read the same rows as the first: the sampled rows differ"
            )
        return RowSample(self.level, self.hashes, {**self.columns, **other.columns}, self.max_size)


__all__ = ["RowSample"]
