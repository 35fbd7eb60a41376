"""Sources of rows that are read in pieces: files, frames, iterators, queries and Dask."""

from augury.scale.sources.open_source import open_source
from augury.scale.sources.source import Partition, Source

__all__ = ["Partition", "Source", "open_source"]
