"""Types of Arrow columns: united over files, and converted to pandas alike in all pieces."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from augury.data.errors import DataError
from augury.data.formats.parquet import check_schema
from augury.optional import import_extra
from augury.scale.sources.source import check_same_columns

# Schemas, types and batches of pyarrow, which ships no types.
Schema = Any
DataType = Any
Batch = Any
T = TypeVar("T")


def import_arrow(module: str = "pyarrow", purpose: str = "reading rows in pieces") -> ModuleType:
    """Import pyarrow or one of its modules, or name the extra that installs it."""
    import_extra("pyarrow", extra="parquet", purpose=purpose)
    return import_extra(module, extra="parquet", purpose=purpose)


@dataclass(frozen=True, eq=False)
class ArrowColumns:
    """The columns of a table, and what pandas makes of them.

    pandas converts integers without missing values to integers, and with missing values to
    float64; booleans become object. This must not depend on the piece, so that the columns with
    missing values in any piece are known in advance.

    Attributes
    ----------
    schema : pyarrow.Schema
        The columns in order. Its pandas metadata name no index.
    with_missing : frozenset of str
        Columns of integers and booleans that have missing values in some piece.
    """

    schema: Schema
    with_missing: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.schema.names)

    def to_frame(self, batch: Batch, columns: Sequence[str]) -> pd.DataFrame:
        """Return a record batch, which has these columns, as a frame."""
        if not columns:
            return pd.DataFrame(index=pd.RangeIndex(batch.num_rows))
        pyarrow = import_arrow()
        fields = [self.schema.field(name) for name in columns]
        arrays = [
            _as_type(batch.column(batch.schema.get_field_index(field.name)), field.type, pyarrow)
            for field in fields
        ]
        schema = pyarrow.schema(
            [field.with_type(array.type) for field, array in zip(fields, arrays, strict=True)],
            metadata=self.schema.metadata,
        )
        table = pyarrow.Table.from_arrays(arrays, schema=schema)
        frame = table.to_pandas(split_blocks=True, use_threads=False)
        frame.columns = list(columns)
        for name in self.with_missing.intersection(columns):
            kind = frame[name].dtype
            if isinstance(kind, np.dtype) and kind.kind in "iub":
                frame[name] = frame[name].astype("object" if kind.kind == "b" else np.float64)
        return frame


def may_lose_type(kind: DataType) -> bool:
    """Return whether missing values change the dtype that pandas gives a column of this type.

    A column without a type has missing values only, and may be one of integers elsewhere.
    """
    types = import_arrow().types
    return bool(types.is_integer(kind) or types.is_boolean(kind) or types.is_null(kind))


def columns_of(schema: Schema, place: object) -> Schema:
    """Return the columns that a file has for users.

    A named index of pandas is the first column, and an index without a name is left out, as
    `read_parquet` does.

    Raises
    ------
    DataError
        If two columns have one name, or a column is nested.
    """
    check_schema(schema, place)
    about = schema.pandas_metadata
    if about is None:
        return schema
    stored = {column["field_name"]: column["name"] for column in about.get("columns", [])}
    index = [each for each in about.get("index_columns", []) if isinstance(each, str)]
    named = [each for each in index if stored.get(each) is not None]
    for each in named:
        if each != stored[each] and str(stored[each]) in schema.names:
            raise DataError(f"{place}: two columns are named {str(stored[each])!r}")
    others = [name for name in schema.names if name not in index]
    about = about | {"index_columns": [], "column_indexes": []}
    fields = [schema.field(name) for name in [*named, *others]]
    metadata = (schema.metadata or {}) | {b"pandas": json.dumps(about).encode()}
    return import_arrow().schema(fields, metadata=metadata)


class UnitedColumns:
    """The columns of the pieces of a table, each of which has a schema of its own.

    The first piece gives the order of the columns. Numbers of several types are united as NumPy
    does, times have the finest unit, and a column that is empty in a piece has the type that it
    has in others.
    """

    def __init__(self) -> None:
        self._first: tuple[Schema, str] | None = None
        self._types: dict[str, tuple[DataType, str]] = {}
        self._with_missing: set[str] = set()

    def add(self, schema: Schema, place: str) -> None:
        """Add the schema of a piece.

        Raises
        ------
        DataError
            If a column is missing, new, or of another type; the message names the column and both
            pieces.
        """
        if self._first is None:
            self._first = schema, place
            self._types = {field.name: (field.type, place) for field in schema}
            return
        first, first_place = self._first
        if schema.equals(first):
            return
        pyarrow = import_arrow()
        check_same_columns(schema.names, place, first.names, first_place)
        for field in schema:
            known, known_place = self._types[field.name]
            united = _unite(known, field.type, pyarrow)
            if united is None:
                raise DataError(
                    f"{place}: column {field.name!r} has type {field.type}, but {known} in "
                    f"{known_place}; write all with one type"
                )
            # The piece that gave the type is named, not one in which the column is empty.
            giver = place if pyarrow.types.is_null(known) else known_place
            self._types[field.name] = united, giver

    def add_missing(self, names: Iterable[str]) -> None:
        """Add columns whose missing values change their dtype."""
        self._with_missing.update(names)

    def note_missing(self, batch: Batch) -> None:
        """Add the columns of a batch whose missing values change their dtype."""
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            if name not in self._with_missing and column.null_count and may_lose_type(column.type):
                self._with_missing.add(name)

    def columns(self) -> ArrowColumns:
        """Return the columns of all pieces."""
        assert self._first is not None
        first = self._first[0]
        fields = [field.with_type(self._types[field.name][0]) for field in first]
        schema = import_arrow().schema(
            [field.with_nullable(True) for field in fields], metadata=first.metadata
        )
        return ArrowColumns(schema, frozenset(self._with_missing))


@contextmanager
def damage_named(message: str) -> Iterator[None]:
    """Turn any error of a damaged piece into a `DataError` that begins with this message."""
    try:
        yield
    except (DataError, MemoryError, ImportError):
        raise
    except Exception as error:  # a damaged file may raise any error
        raise DataError(f"{message} ({error}); is it complete?") from error


def readable(pieces: Iterable[T], place: str) -> Iterator[T]:
    """Yield the pieces; an error while one is read becomes a `DataError` with the place."""
    iterator = iter(pieces)
    while True:
        with damage_named(f"{place}: cannot be read"):
            try:
                piece = next(iterator)
            except StopIteration:
                return
        yield piece


def _unite(known: DataType, other: DataType, pyarrow: ModuleType) -> DataType | None:
    """Return the type that holds the values of both, or None."""
    types = pyarrow.types
    if known.equals(other) or types.is_null(other):
        return known
    if types.is_null(known):
        return other
    if all(types.is_integer(each) or types.is_floating(each) for each in (known, other)):
        both = np.promote_types(known.to_pandas_dtype(), other.to_pandas_dtype())
        return pyarrow.from_numpy_dtype(both)
    if all(map(_is_text, (known, other))):
        return pyarrow.large_string()
    if all(map(types.is_timestamp, (known, other))) and known.tz == other.tz:
        units = ("s", "ms", "us", "ns")
        return pyarrow.timestamp(max(known.unit, other.unit, key=units.index), known.tz)
    if all(map(types.is_dictionary, (known, other))) and known.ordered == other.ordered:
        values = _unite(known.value_type, other.value_type, pyarrow)
        return values and pyarrow.dictionary(pyarrow.int32(), values, known.ordered)
    return None


def _is_text(kind: DataType) -> bool:
    types = import_arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _as_type(array: Any, wanted: DataType, pyarrow: ModuleType) -> Any:
    """Return an array with this type; the codes of a dictionary may have any type."""
    if array.type.equals(wanted):
        return array
    if pyarrow.types.is_dictionary(wanted) and pyarrow.types.is_dictionary(array.type):
        if array.type.value_type.equals(wanted.value_type):
            return array
        if isinstance(array, pyarrow.ChunkedArray):
            array = array.combine_chunks()
        labels = array.dictionary.cast(wanted.value_type)
        return pyarrow.DictionaryArray.from_arrays(array.indices, labels, ordered=wanted.ordered)
    return array.cast(wanted)


__all__ = [
    "ArrowColumns",
    "Batch",
    "DataType",
    "Schema",
    "UnitedColumns",
    "columns_of",
    "damage_named",
    "import_arrow",
    "may_lose_type",
    "readable",
]
