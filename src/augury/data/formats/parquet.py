"""Reader of Parquet, which checks the size of the columns before it reads them."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd

from augury.compatibility import conversion_options
from augury.data.dataset import RawTable
from augury.data.errors import DataError, first_repeated
from augury.data.formats.parquet_texts import ParquetTexts, read_texts, text_columns
from augury.data.formats.text import check_size
from augury.optional import import_extra

_CELL_BYTES = 8  # of a number, or of the pointer to a text
_BATCH_ROWS = 1 << 16


def read_parquet(path: Path, max_size: float | None = None) -> RawTable:
    """Read a Parquet file, or a folder of Parquet files.

    A run of equal values is stored once, so that a file of some kilobytes may hold billions of
    rows. The number of bytes of the columns is therefore computed first, and compared with
    `max_size` (by default 1 GiB).
    """
    pyarrow = import_extra("pyarrow", extra="parquet", purpose="reading Parquet files")
    parquet = import_extra("pyarrow.parquet", extra="parquet", purpose="reading Parquet files")
    try:
        schema = _read_schema(path, parquet)
        check_schema(schema, path)
        texts = text_columns(schema, pyarrow)
        total = _check_growth(path, max_size, texts, pyarrow, parquet)
        frame = _read_frame(path, schema.names, read_texts(path, texts, total, max_size))
    except (DataError, MemoryError):
        raise
    except Exception as error:  # a damaged file may raise any error
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


def _read_schema(path: Path, parquet: ModuleType) -> Any:
    """Return the schema of a file or of a folder of files.

    Some versions of pyarrow cannot open the dataset of a file with two
    columns of one name.
    """
    return parquet.read_schema(path) if path.is_file() else parquet.ParquetDataset(path).schema


def _read_frame(path: Path, names: list[str], texts: ParquetTexts) -> pd.DataFrame:
    """Return the columns of these names, with those texts that were read before."""
    # Each column has its own memory, and pyarrow's copy is released on the way.
    spare = conversion_options(split_blocks=True, self_destruct=True)
    others = [name for name in names if name not in texts] if texts else None
    frame = pd.read_parquet(path, engine="pyarrow", columns=others, **spare)
    if not texts:
        return frame
    columns = {
        name: texts[name] if name in texts else frame[name]
        for name in names
        if name in texts or name in frame.columns  # not an index
    }
    return pd.DataFrame(columns, index=frame.index, copy=False)


def _check_growth(
    path: Path,
    max_size: float | None,
    texts: list[str],
    pyarrow: ModuleType,
    parquet: ModuleType,
) -> float:
    """Raise if the columns take more than `max_size`, and return the number of their bytes.

    Of the columns in `texts`, only the pointers are counted.
    """
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    total = 0.0
    for file in files:
        with parquet.ParquetFile(file) as opened:
            about = opened.metadata
            n_columns = max(about.num_columns, 1)
            total += float(about.num_rows) * n_columns * _CELL_BYTES
            check_size(path, total, max_size, f"{about.num_rows} rows of {n_columns} columns")
            others = [name for name in _of_bytes(opened.schema_arrow, pyarrow) if name not in texts]
        if not others:
            continue
        # As dictionaries, texts take no more memory than space in the file.
        with parquet.ParquetFile(file, read_dictionary=others) as opened:
            for batch in opened.iter_batches(_BATCH_ROWS, columns=others):
                total += sum(_text_bytes(column, pyarrow) for column in batch.columns)
                check_size(path, total, max_size, "the text in its columns")
    return total


def _of_bytes(schema: Any, pyarrow: ModuleType) -> list[str]:
    """Return the names of the columns of texts and of other bytes."""
    is_text = (pyarrow.types.is_string, pyarrow.types.is_large_string, pyarrow.types.is_binary)
    return [field.name for field in schema if any(check(field.type) for check in is_text)]


def _text_bytes(column: Any, pyarrow: ModuleType) -> int:
    from pyarrow import compute

    if pyarrow.types.is_dictionary(column.type):
        lengths = compute.binary_length(column.dictionary).take(column.indices)
    else:
        lengths = compute.binary_length(column)
    return compute.sum(lengths).as_py() or 0


def check_schema(schema: Any, path: object) -> None:
    """Raise a `DataError` if two columns have one name, or a column is nested."""
    pyarrow = import_extra("pyarrow", extra="parquet", purpose="reading Parquet files")
    _check_distinct(schema.names, path)
    for field in schema:
        kind = getattr(field.type, "storage_type", field.type)  # an extension type has one
        if pyarrow.types.is_nested(kind):
            raise DataError(
                f"{path}: column {field.name!r} has a {field.type} in each row, not a "
                f"number, text or label; split it into columns or leave it out"
            )


def _check_distinct(columns: list[str], path: object) -> None:
    if (name := first_repeated(columns)) is not None:
        raise DataError(f"{path}: two columns are named {name!r}")
