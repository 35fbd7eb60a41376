"""A sample of rows, chosen by a hash of their number; samples of blocks of rows add."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.scale.summaries.hashes import HashArray, below_level, hash_rows, level_for


@dataclass(frozen=True, eq=False)
class FrameSample:
    """Sampled rows, in their order.

    Which rows are sampled depends on their numbers, and not on how they are divided into blocks.

    Attributes
    ----------
    level : the share of sampled rows is 2^-level
    hashes : hash of each sampled row
    frame : the sampled rows
    max_rows : largest number of rows
    """

    level: int
    hashes: HashArray
    frame: pd.DataFrame
    max_rows: int

    @classmethod
    def choose(
        cls, frame: pd.DataFrame, partition: int, first_row: int, max_rows: int
    ) -> FrameSample:
        """Sample adjacent rows of a partition."""
        return cls._thin(0, hash_rows(partition, first_row, len(frame)), frame, max_rows)

    @classmethod
    def _thin(
        cls, level: int, hashes: HashArray, frame: pd.DataFrame, max_rows: int
    ) -> FrameSample:
        level = level_for(hashes, level, max_rows)
        if level:
            rows = np.flatnonzero(below_level(hashes, level))
            hashes, frame = hashes[rows], frame.iloc[rows]
        return cls(level, hashes, frame.reset_index(drop=True), max_rows)

    def __add__(self, other: FrameSample) -> FrameSample:
        level = max(self.level, other.level)
        hashes = np.concatenate([self.hashes, other.hashes])
        frames = [each.frame for each in (self, other) if len(each.frame)]
        frame = pd.concat(frames, ignore_index=True) if frames else self.frame
        return self._thin(level, hashes, frame, self.max_rows)


__all__ = ["FrameSample"]
