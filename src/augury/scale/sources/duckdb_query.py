"""Rows of a DuckDB query, as Arrow record batches."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augury.data.errors import DataError
from augury.data.table import absent
from augury.optional import import_extra
from augury.scale.sources.source import MAX_ROWS

PREFIX = "duckdb:"
_MARK = "?query="


def query_duckdb(text: str) -> Iterator[Any]:
    """Yield the record batches of a query.

    Parameters
    ----------
    text : str
        `duckdb:FILE?query=SELECT …` queries a database file, which is opened for reading only.
        `duckdb:SELECT …` needs no database; the query may read files: `FROM 'sales/*.parquet'`.

    Raises
    ------
    DataError
        If the database cannot be opened, or the query fails.
    """
    duckdb = import_extra("duckdb", extra="duckdb", purpose="a DuckDB query")
    file, query = _parse(text)
    try:
        connection = duckdb.connect(str(file or ":memory:"), read_only=file is not None)
    except duckdb.Error as error:
        raise DataError(f"{file}: is not a readable DuckDB database ({error})") from error
    with connection:
        try:
            result = connection.sql(query)
            if result is None:
                raise DataError(f"{PREFIX}{file or ''}: the query returns no table")
            # Version 2 has a new name.
            read = getattr(result, "to_arrow_reader", None) or result.fetch_arrow_reader
            yield from read(MAX_ROWS)
        except duckdb.Error as error:
            raise DataError(f"{PREFIX}{file or ''}: the query fails ({error})") from error


def _parse(text: str) -> tuple[Path | None, str]:
    """Return the database file, if any, and the query."""
    rest = text.removeprefix(PREFIX).strip()
    name, mark, query = rest.partition(_MARK)
    if not mark:
        file, query = None, rest
    else:
        file, query = Path(name).expanduser(), query.strip()
        if not file.is_file():
            raise FileNotFoundError(absent(file))
    if not query or (file is None and Path(query).is_file()):
        raise DataError(
            f"{text}: there is no query; write duckdb:FILE?query=SELECT … or duckdb:SELECT …"
        )
    return file, query


__all__ = ["PREFIX", "query_duckdb"]
