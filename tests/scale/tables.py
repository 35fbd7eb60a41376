"""Tables for the tests of `augury.scale`, cut into partitions of any sizes."""

import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from augury.scale import Source
from augury.scale.sources.frames_in_memory import PandasPartition

TARGET, WEIGHT = "kind", "n"


def mixed_table(n_rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return columns of all types, with missing values; no number is a sum of fractions.

    `place` has a label and `kind` a class that only the last rows have. `grade` declares a label
    that no row has. The weights are multiples of 1/4, so that sums of them are exact.
    """
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    late = np.arange(n_rows) >= n_rows - 20
    y[late] = np.where(rng.random(20) < 0.5, 3, y[late])
    known = lambda share: rng.random(n_rows) < share  # noqa: E731 - used for several columns
    place = np.where(late, "elsewhere", np.array(["here", "there"])[(y + rng.integers(0, 2)) % 2])
    colours = np.array(["red", "blue", "green"])
    colour = pd.Series(colours[(y + rng.integers(0, 2, n_rows)) % 3]).astype("str")
    return pd.DataFrame(
        {
            "size": rng.integers(0, 6, n_rows) + y,
            "width": pd.Series(rng.normal(y, 1.5).round(1)).where(known(0.9)),
            "height": rng.normal(-y, 2.0),
            "colour": colour.where(known(0.9)),
            "place": place,
            "is_new": rng.random(n_rows) < 0.3 + 0.2 * (y == 1),
            "is_sold": pd.Series(rng.random(n_rows) < 0.5, dtype=object).where(known(0.8), None),
            "grade": pd.Categorical.from_codes(
                np.where(known(0.9), rng.integers(0, 3, n_rows), -1), list("ABCD")
            ),
            WEIGHT: rng.integers(0, 9, n_rows) / 4,
            TARGET: np.array(["apple", "pear", "plum", "quince"])[y],
        }
    )  # fmt: skip


def count_table(n_rows: int = 400, seed: int = 0) -> pd.DataFrame:
    """Return columns of small counts, for the event models."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    counts = rng.poisson(1 + (y[:, None] + np.arange(4)) % 3)
    table = pd.DataFrame(counts, columns=list("abcd"))
    return table.assign(**{WEIGHT: rng.integers(0, 9, n_rows) / 4, TARGET: y})


def in_parts(frame: pd.DataFrame, sizes: Sequence[int]) -> Source:
    """Return partitions with these numbers of rows; the last one has the rows that are left."""
    ends = np.minimum(np.cumsum([0, *sizes]), len(frame)).tolist()
    parts = [frame[start:stop] for start, stop in pairwise([*ends, len(frame)])]
    return in_partitions([part_of(each, number) for number, each in enumerate(parts)])


def part_of(frame: pd.DataFrame, number: int) -> PandasPartition:
    return PandasPartition(name=f"part {number}", columns=tuple(frame.columns), frame=frame)


def in_partitions(partitions: Sequence[PandasPartition]) -> Source:
    return Source("the test", partitions[0].columns, tuple(partitions))


@dataclass(frozen=True, kw_only=True, eq=False)
class FaultyPartition(PandasPartition):
    """A partition that raises an error after its first rows."""

    error: Exception

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        yield from super()._frames(columns, max_rows)
        raise self.error


@dataclass(frozen=True, kw_only=True, eq=False)
class DeadlyPartition(PandasPartition):
    """A partition that ends the process that reads it."""

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        os.kill(os.getpid(), signal.SIGKILL)
        yield from super()._frames(columns, max_rows)


@dataclass(frozen=True, kw_only=True, eq=False)
class WaitingPartition(PandasPartition):
    """A partition that says which process reads it, and waits until a file appears."""

    folder: Path

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        (self.folder / f"reader-{os.getpid()}").touch()
        while not (self.folder / "go").exists():
            time.sleep(0.02)
        yield from super()._frames(columns, max_rows)
