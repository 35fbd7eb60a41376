"""Open a table of any kind as partitions."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import pandas as pd

from augury.data.errors import DataError
from augury.foreign import Table
from augury.scale.sources.arrow_datasets import open_dataset, open_hive_folder
from augury.scale.sources.arrow_files import open_arrow_files
from augury.scale.sources.arrow_types import import_arrow
from augury.scale.sources.dask_frames import is_dask_frame, open_dask
from augury.scale.sources.delimited_files import open_delimited
from augury.scale.sources.duckdb_query import PREFIX, query_duckdb
from augury.scale.sources.files import ARROW, PARQUET, Paths, find_files, is_hive_folder
from augury.scale.sources.frames_in_memory import open_arrow, open_pandas
from augury.scale.sources.parquet_files import open_parquet
from augury.scale.sources.source import Partition, Source
from augury.scale.sources.streamed_frames import open_repeated, spool
from augury.scale.sources.temporary_folder import TemporaryFolder

_PARTITION_BYTES = 1 << 26
_TEXT_BYTES = 1 << 22

# Paths, frames, datasets, iterators or functions; see `open_source`.
TableSource = Any


def open_source(
    source: TableSource,
    *,
    header: bool | None = None,
    folder: Path | None = None,
    partition_bytes: int | None = None,
    max_size: float | None = None,
) -> Source:
    """Open a table as partitions that can be read in any order, each as a stream of frames.

    The frames of all partitions have the columns and dtypes that the whole table would have in
    pandas: `read_table` for CSV, `read_parquet` for Parquet, `to_pandas` for Arrow.

    Parameters
    ----------
    source : path, glob, folder, list of paths, frame, dataset, iterator, function or query
        - a path, or a list of paths, of Parquet files (`.parquet`, `.pq`), Arrow IPC files
          (`.arrow`, `.feather`, `.ipc`) or text (`.csv`, `.tsv`, `.tab`, `.txt`, each also with
          `.gz`); a glob such as `big/*.parquet`; or a folder of such files. Files are read in the
          order of their paths;
        - a `pyarrow.dataset.Dataset`;
        - a Dask DataFrame;
        - a frame of pandas, polars or pyarrow;
        - an iterator of frames, or an object with `__arrow_c_stream__`, such as the readers of
          pyarrow and ADBC. Its rows are written to Arrow files in `folder`, since it can be read
          only once;
        - a function without arguments that returns an iterator of frames. It is called at each
          pass, and must yield the same rows;
        - `duckdb:FILE?query=SELECT …` or `duckdb:SELECT …`, see `query_duckdb`. The rows are
          written to Arrow files in `folder`, since a query may return them in another order;
        - a `Source`, which is returned.
    header : bool or None
        Whether the first line of a CSV or TSV file holds the column names, see `read_table`.
    folder : Path or None
        The folder of temporary files; None chooses the system's. They are removed when the source
        is no longer used.
    partition_bytes : int or None
        The bytes of a partition; None chooses 8 MiB of text and 64 MiB of other sources. Row groups
        of Parquet and record batches of Arrow are never divided between partitions.
    max_size : float or None
        Maximum number of bytes to which a `.gz` file may grow. None allows 100 times its size, or
        32 MiB if that is more.

    Raises
    ------
    DataError
        If a file cannot be read or has other columns than the first, if there are no rows, or if
        files have several formats. The message names the file.
    FileNotFoundError
        If there is no such file.
    TypeError
        If the source is of another kind.

    Notes
    -----
    A column of integers has dtype float64, and a column of booleans dtype object, if any row lacks
    a value, since pandas gives these dtypes to the whole column. Parquet files tell this by their
    statistics. Arrow files and text are read once for it.

    Examples
    --------
    >>> import pandas as pd
    >>> source = open_source(pd.DataFrame({"x": range(5), "class": list("aabba")}))
    >>> source.columns, source.n_rows
    (('x', 'class'), 5)
    >>> [frame.x.tolist() for part in source.partitions for frame in part.frames(["x"], max_rows=3)]
    [[0, 1, 2], [3, 4]]
    """
    if partition_bytes is not None and partition_bytes < 1:
        raise ValueError(
            f"open_source: partition_bytes must be an integer >= 1, got {partition_bytes!r}"
        )
    size = partition_bytes or _PARTITION_BYTES
    if isinstance(source, Source):
        return source
    if isinstance(source, pd.DataFrame):
        return _source("the data frame", open_pandas(source, size))
    if nw.dependencies.is_into_dataframe(source):
        return _source("the data frame", open_arrow(source, size))
    if is_dask_frame(source):
        return _source("the Dask DataFrame", open_dask(source))
    if isinstance(source, str) and source.startswith(PREFIX):
        return _spooled(query_duckdb(source), source, folder, size)
    if _is_paths(source):
        text_size = partition_bytes or _TEXT_BYTES
        return _open_paths(source, header, folder, (size, text_size), max_size)
    return _open_stream(source, folder, size)


def _open_paths(
    source: Paths,
    header: bool | None,
    folder: Path | None,
    sizes: tuple[int, int],
    max_size: float | None,
) -> Source:
    files, kind = find_files(source)
    name = os.fspath(source) if isinstance(source, str | os.PathLike) else str(files[0])
    if not isinstance(source, str | os.PathLike) and len(files) > 1:
        name += f" and {len(files) - 1} more"
    is_folder = isinstance(source, str | os.PathLike) and Path(source).expanduser().is_dir()
    if is_folder and is_hive_folder(Path(name).expanduser()):
        if kind not in (PARQUET, ARROW):
            raise DataError(
                f"{name}: values in the names of folders (such as year=2024) are read for Parquet "
                "and Arrow files only; choose the files by a pattern to read them without"
            )
        return _source(name, open_hive_folder(Path(name).expanduser(), files, sizes[0]))
    if kind == PARQUET:
        return _source(name, open_parquet(files, sizes[0]))
    if kind == ARROW:
        return _source(name, open_arrow_files(files, sizes[0]))
    partitions, temporary = open_delimited(
        files, header=header, folder=folder, partition_bytes=sizes[1], max_size=max_size
    )
    return _source(name, partitions, temporary)


def _open_stream(source: TableSource, folder: Path | None, size: int) -> Source:
    """Open a dataset, a stream of Arrow, an iterator of frames, or a function."""
    if hasattr(source, "get_fragments"):
        partitions = open_dataset(source, size)
        if partitions is not None:
            return _source("the dataset", partitions)
        return _spooled(source.to_batches(), "the dataset", folder, size)
    if hasattr(source, "__arrow_c_stream__"):
        reader = import_arrow().RecordBatchReader.from_stream(source)
        return _spooled(reader, f"the {type(source).__name__}", folder, size)
    if callable(source):
        return _open_function(source)
    if isinstance(source, Iterable):
        return _spooled(source, "the iterator", folder, size)
    raise TypeError(
        "open_source: source must be a path, a glob, a folder, a data frame, a dataset, a Dask "
        "DataFrame, an iterator of data frames or a function that returns one, got "
        f"{type(source).__name__}"
    )


def _open_function(produce: Callable[[], Iterable[Table]]) -> Source:
    partitions = open_repeated(produce)
    return _source(partitions[0].name, partitions)


def _spooled(frames: Iterable[Table], name: str, folder: Path | None, size: int) -> Source:
    temporary = TemporaryFolder(folder)
    return _source(name, spool(frames, temporary.path, size, name), temporary)


def _source(
    name: str, partitions: Sequence[Partition], temporary: TemporaryFolder | None = None
) -> Source:
    return Source(name, partitions[0].columns, tuple(partitions), temporary)


def _is_paths(source: TableSource) -> bool:
    if isinstance(source, str | os.PathLike):
        return True
    return isinstance(source, list | tuple) and all(
        isinstance(each, str | os.PathLike) for each in source
    )


__all__ = ["TableSource", "open_source"]
