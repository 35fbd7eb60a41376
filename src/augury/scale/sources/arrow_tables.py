"""Frames of pandas, polars and pyarrow as pyarrow tables."""

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pandas as pd

from augury.data.errors import DataError
from augury.data.formats.parquet import check_schema
from augury.foreign import Table
from augury.scale.sources.arrow_types import Batch, DataType, import_arrow


def to_table(frame: Table, place: str) -> Any:
    """Return a frame of pandas, polars or pyarrow, or a stream of Arrow, as a pyarrow table.

    The index of a pandas frame is left out. Dates of polars become times, as polars' own
    `to_pandas` gives them.

    Raises
    ------
    DataError
        If a column has values of several types, is nested, or has the name of another.
    TypeError
        If it is no frame.
    """
    pyarrow = import_arrow()
    try:
        if isinstance(frame, pd.DataFrame):
            named = frame.set_axis([str(name) for name in frame.columns], axis="columns")
            table = pyarrow.Table.from_pandas(named, preserve_index=False)
        elif isinstance(frame, pyarrow.RecordBatch):
            table = pyarrow.Table.from_batches([frame])
        elif hasattr(frame, "__arrow_c_stream__"):
            table = pyarrow.table(frame)
        else:
            raise TypeError(
                f"{place}: expected a data frame of pandas, polars or pyarrow, got "
                f"{type(frame).__name__}"
            )
    except (
        pyarrow.ArrowInvalid,
        pyarrow.ArrowTypeError,
        pyarrow.ArrowNotImplementedError,
    ) as error:
        raise DataError(f"{place}: cannot be converted to Arrow ({error})") from error
    is_polars = type(frame).__module__.startswith("polars")
    wanted = [_stored_type(field.type, is_polars, pyarrow) for field in table.schema]
    for j, (field, kind) in enumerate(zip(table.schema, wanted, strict=True)):
        if not field.type.equals(kind):
            table = table.set_column(j, field.with_type(kind), table.column(j).cast(kind))
    check_schema(table.schema, place)
    return table


def slices(table: Any, max_rows: int) -> Iterator[Batch]:
    """Yield the rows of a table or record batch in record batches of at most `max_rows` rows."""
    if hasattr(table, "to_batches"):
        yield from table.to_batches(max_rows)
        return
    for start in range(0, table.num_rows, max_rows):
        yield table.slice(start, max_rows)


def _stored_type(kind: DataType, is_polars: bool, pyarrow: ModuleType) -> DataType:
    """Return the type in which a column is kept: one for all layouts of text and of codes."""
    types = pyarrow.types
    if types.is_string_view(kind):
        return pyarrow.large_string()
    if types.is_dictionary(kind):
        values = _stored_type(kind.value_type, is_polars, pyarrow)
        return pyarrow.dictionary(pyarrow.int32(), values, kind.ordered)
    if is_polars and types.is_date(kind):
        return pyarrow.timestamp("ms")
    return kind


__all__ = ["slices", "to_table"]
