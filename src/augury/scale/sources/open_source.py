"""Open a table of any kind as partitions."""

import os
from pathlib import Path
from typing import Any

from augury.scale.sources.files import PARQUET, find_files
from augury.scale.sources.frames_in_memory import open_frame
from augury.scale.sources.parquet_files import open_parquet
from augury.scale.sources.source import Partition, Source
from augury.validation import is_pandas

_PARTITION_BYTES = 1 << 26


def open_source(
    source: Any,
    *,
    header: bool | None = None,
    folder: Path | None = None,
    partition_bytes: int | None = None,
) -> Source:
    """Open a table as partitions that can be read one after another or side by side."""
    size = partition_bytes or _PARTITION_BYTES
    if is_pandas(source):
        return _named("the data frame", open_frame(source, size))
    paths, kind = find_files(source)
    assert kind == PARQUET
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else str(paths[0])
    return _named(name, open_parquet(paths, size))


def _named(name: str, partitions: list[Partition]) -> Source:
    return Source(name, partitions[0].columns, tuple(partitions))


__all__ = ["open_source"]
