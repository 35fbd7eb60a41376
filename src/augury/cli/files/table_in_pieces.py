"""Tables that commands read in pieces: files that are large, several files, and queries."""

import glob
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    from augury.scale import Source

_DUCKDB = "duckdb:"
_STREAMED_ENDINGS = (".parquet", ".pq", ".csv", ".tsv", ".tab", ".txt")
_ONLY_STREAMED_ENDINGS = (".arrow", ".arrows", ".feather", ".ipc")
# A table is read whole while it takes at most this share of the free memory.
_SHARE, _SHARE_IN_WORDS = 0.25, "a quarter"
# Bytes in memory of a byte of text, and bytes of text in a byte of a .gz file.
_TEXT_GROWTH = 2
_PACKED_GROWTH = 5
_CELL_BYTES = 8


@dataclass(frozen=True)
class InPieces:
    """Why a table is read in pieces.

    Attributes
    ----------
    reason : the end of a sentence
    is_needed : whether the table cannot be read whole: several files, a query, Arrow
    """

    reason: str
    is_needed: bool

    def describe(self, table: str) -> str:
        """Return the line that a command prints."""
        return f"Reading {table} in pieces: {self.reason}"


def why_in_pieces(table: str, option: str | None = None) -> InPieces | None:
    """Return why DATA is read in pieces, or None if it is read whole.

    Parameters
    ----------
    table : DATA of a command: a file, a pattern, a folder, a query, or the name of a data set
    option : the option that asks for it, such as --stream; or None

    Raises
    ------
    UserError
        If an option asks for it, and DATA is the name of a data set.
    """
    from augury.data.table import is_path

    if table.startswith(_DUCKDB):
        return InPieces("it is a query", True)
    path = expand_home(table)
    if path.is_dir() and not _is_name(table):
        return InPieces("it is a folder", True)
    if not path.exists() and _is_pattern(table):
        return InPieces("it is a pattern of file names", True)
    ending = _ending(path)
    if ending in _ONLY_STREAMED_ENDINGS:
        return InPieces("it is an Arrow file", True)
    if option is not None and path.is_file():
        return InPieces(f"{option} is given", True)
    if option is not None and not is_path(table):
        raise UserError(f"{option} is for files, and {table!r} is the name of a data set")
    if path.is_file() and is_streamable(table):
        return _why_large(path)
    return None


def open_in_pieces(
    table: str, header: bool | None, max_size: float | None, partition_bytes: int | None = None
) -> "Source":
    """Open DATA in partitions; the error of a file that does not exist names DATA."""
    from augury.scale import open_source

    try:
        return open_source(table, header=header, max_size=max_size, partition_bytes=partition_bytes)
    except FileNotFoundError as error:
        if error.filename is not None:
            raise
        raise UserError(f"DATA is {error}") from error


def is_streamable(table: str) -> bool:
    """Return whether DATA has a format that is read in pieces; ARFF is not."""
    return _ending(Path(table)) in _STREAMED_ENDINGS + _ONLY_STREAMED_ENDINGS


def name_of_table(table: str) -> str:
    """Return a name for files that belong to DATA.

    >>> name_of_table("big/sales.2024.parquet"), name_of_table("big/*.csv"), name_of_table("*.csv")
    ('sales', 'big', 'table')
    >>> name_of_table("duckdb:shop.db?query=SELECT 1"), name_of_table("duckdb:SELECT 1")
    ('shop', 'table')
    """
    if table.startswith(_DUCKDB):
        file, mark, _ = table.removeprefix(_DUCKDB).partition("?query=")
        table = file if mark else ""
    parts = [part for part in Path(table).parts if not glob.has_magic(part)]
    name = Path(*parts).name if parts else ""
    return name.partition(".")[0] or name or "table"


def _why_large(path: Path) -> InPieces | None:
    from augury.memory import available_bytes, in_words

    available = available_bytes()
    size = _bytes_in_memory(path)
    if available is None or size is None or size <= _SHARE * available:
        return None
    return InPieces(
        f"its {in_words(size)} in memory are more than {_SHARE_IN_WORDS} of the "
        f"{in_words(available)} of free memory",
        False,
    )


def _bytes_in_memory(path: Path) -> int | None:
    """Estimate the memory of a table; None if the file cannot be read, which is an error later."""
    if _ending(path) in (".parquet", ".pq"):
        return _parquet_bytes(path)
    size = path.stat().st_size * _TEXT_GROWTH
    return size * _PACKED_GROWTH if path.suffix.lower() == ".gz" else size


def _parquet_bytes(path: Path) -> int | None:
    from augury.optional import import_extra

    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="reading Parquet files")
    try:
        about = parquet.read_metadata(path)
    except Exception:  # noqa: BLE001 - a damaged file may raise any error; its reader reports it
        return None
    return int(about.num_rows * about.num_columns * _CELL_BYTES)


def _ending(path: Path) -> str:
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix == ".gz" else suffix


def _is_pattern(table: str) -> bool:
    """Return whether DATA is a pattern; `synthetic:waveform?n_samples=50` is a name."""
    from augury.data.table import is_path

    return glob.has_magic(table) and (is_path(table) or is_streamable(table))


def _is_name(table: str) -> bool:
    """Return whether DATA is the name of a data set, although there is a folder of this name."""
    from augury.data import list_datasets
    from augury.data.table import is_path

    return not is_path(table) and table in set(list_datasets()["name"])


__all__ = ["InPieces", "is_streamable", "name_of_table", "open_in_pieces", "why_in_pieces"]
