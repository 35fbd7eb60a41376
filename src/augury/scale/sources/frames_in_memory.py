"""Frames that are in memory, read in slices."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from augury.data.errors import DataError, first_repeated
from augury.scale.sources.source import Partition, cut_rows


@dataclass(frozen=True, kw_only=True, eq=False)
class FramePartition(Partition):
    """Consecutive rows of a pandas frame."""

    frame: pd.DataFrame

    def _frames(self, columns: list[str], max_rows: int) -> Iterator[pd.DataFrame]:
        yield from cut_rows(self.frame[columns], max_rows)


def open_frame(frame: pd.DataFrame, partition_bytes: int) -> list[Partition]:
    """Return slices of a pandas frame of about `partition_bytes` each; its index is left out."""
    names = [str(name) for name in frame.columns]
    if (name := first_repeated(names)) is not None:
        raise DataError(f"the data frame: two columns are named {name!r}")
    if not len(frame) or not names:
        raise DataError("the data frame: there are no rows" if names else "there are no columns")
    frame = frame.set_axis(names, axis="columns")
    n_bytes = int(frame.memory_usage(index=False).sum())
    step = max(1, len(frame) * partition_bytes // max(n_bytes, 1))
    return [
        FramePartition(
            name=f"the data frame, rows {start} to {min(start + step, len(frame)) - 1}",
            columns=tuple(names),
            n_rows=min(step, len(frame) - start),
            n_bytes=n_bytes * min(step, len(frame) - start) // len(frame),
            frame=frame.iloc[start : start + step],
        )
        for start in range(0, len(frame), step)
    ]


__all__ = ["FramePartition", "open_frame"]
