"""Any table file → Dataset, by the ending of its name."""

import os
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.arff import read_arff
from augury.data.dataset import Dataset, RawTable, make_dataset
from augury.data.delimited import read_delimited
from augury.data.errors import DataError, first_repeated
from augury.optional import import_extra


def read_table(path: str | os.PathLike[str], target: str | None = None) -> Dataset:
    r"""Read a table from an ARFF, CSV, TSV or Parquet file.

    Parameters
    ----------
    path : str or path-like
        The file: `.arff`, `.csv`, `.tsv`, `.tab` or `.txt`, each also with
        `.gz`; `.parquet` or `.pq`.
    target : str or None
        The column to predict. None takes the column named class (in capitals
        or not), or else the last.

    Returns
    -------
    Dataset
        The columns of the file in their order, the target apart.

    Warns
    -----
    IdentifierWarning
        If nearly every row has its own value in a column of text or
        categories, or a column counts the rows. The column is kept.
    DataWarning
        If a column of numbers has a stray text in it, or nearly every row a
        class of its own.

    Raises
    ------
    DataError
        If the file is not what it claims to be, with file, line and column;
        if the target does not exist, has missing values, or is continuous.

    Notes
    -----
    Types. ARFF: nominal attributes are of dtype category with all declared
    labels in the declared order, numbers float64, strings str, dates
    datetime64; a bare `?` is missing and a quoted one a label; sparse rows
    are filled with 0 or the first label; weights at the end of rows are kept
    as `Dataset.sample_weight`. CSV and TSV: numbers or text as found, see
    `read_delimited`. Parquet: as stored; dictionary columns are categories,
    and a named index is an ordinary column.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "weather.csv")
    ...     _ = path.write_text("outlook,humidity,play\nsunny,85,no\nrainy,?,yes\n")
    ...     weather = read_table(path)
    >>> weather
    Dataset(name='weather', 2 rows x 2 columns, target='play' with 2 classes)
    >>> weather.X["humidity"].tolist()
    [85.0, nan]
    """
    path = Path(path)
    table = read_raw(path)
    return make_dataset(
        table, name=table.relation or _stem(path), source=str(path), target=target, stacklevel=3
    )


def read_raw(path: Path) -> RawTable:
    """Read the file with the reader that its ending asks for."""
    if not path.exists():
        raise FileNotFoundError(
            f"{path}: there is no such file (the current folder is {Path.cwd()})"
        )
    ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
    match ending.lower():
        case ".arff":
            return read_arff(path)
        case ".csv" | ".txt":
            return read_delimited(path)
        case ".tsv" | ".tab":
            return read_delimited(path, "\t")
        case ".parquet" | ".pq":
            return _read_parquet(path)
    raise DataError(
        f"{path}: unknown ending {path.suffix!r}; augury reads .arff, .csv, .tsv, .tab and .txt, "
        f"each also with .gz, and .parquet"
    )


def _stem(path: Path) -> str:
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


def _read_parquet(path: Path) -> RawTable:
    pyarrow: Any = import_extra("pyarrow", extra="parquet", purpose="reading Parquet files")
    parquet: Any = import_extra("pyarrow.parquet", extra="parquet", purpose="reading Parquet files")
    try:
        _check_schema(parquet.ParquetDataset(path).schema, pyarrow, path)
        frame = pd.read_parquet(path, engine="pyarrow")
    except (DataError, MemoryError):
        raise
    except Exception as error:  # what pandas wrote into the file may be damaged in any way
        raise DataError(f"{path}: is not a readable Parquet file ({error})") from error
    named = [str(name) for name in frame.index.names if name is not None]
    _check_distinct([*named, *(str(column) for column in frame.columns)], path)
    if named:
        frame = frame.reset_index()
    frame = frame.reset_index(drop=True)
    frame.columns = [str(column) for column in frame.columns]
    if not len(frame):
        raise DataError(f"{path}: there are no rows")
    return RawTable(frame)


def _check_schema(schema: Any, pyarrow: Any, path: Path) -> None:
    _check_distinct(schema.names, path)
    for field in schema:
        kind = getattr(field.type, "storage_type", field.type)  # of an extension type
        if pyarrow.types.is_nested(kind):
            raise DataError(
                f"{path}: column {field.name!r} has a {field.type} in each row, which is no "
                f"number, text or label; take it apart or leave it out"
            )


def _check_distinct(columns: list[str], path: Path) -> None:
    if (name := first_repeated(columns)) is not None:
        raise DataError(f"{path}: two columns are named {name!r}")
