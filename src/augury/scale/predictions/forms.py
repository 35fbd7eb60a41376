"""Forms of files of predictions: CSV, Parquet and Arrow IPC."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Protocol

import pandas as pd

from augury.data.errors import DataError
from augury.optional import import_extra
from augury.scale.predictions.csv_text import csv_text
from augury.scale.predictions.output_files import naming
from augury.scale.predictions.row_predictor import PREDICTED
from augury.scale.predictions.spreadsheet_formulas import (
    find_formula,
    guard_formulas,
    guard_names,
    is_formula,
)

# Bytes of text, or a record batch of pyarrow.
Piece = Any


@dataclass(frozen=True, eq=False)
class Rendered:
    """Rows in the form of a file.

    Attributes
    ----------
    piece : bytes of CSV, or a record batch
    n_bytes : memory of the piece
    formula : the first text that a spreadsheet runs as a formula, in CSV; or ""
    """

    piece: Piece
    n_bytes: int
    formula: str = ""


class Writer(Protocol):
    """A file that is being written."""

    def write(self, piece: Piece) -> None:
        """Add rows."""

    def close(self) -> None:
        """Complete the file."""

    def abandon(self) -> None:
        """Close the file as it is."""


class Form(Protocol):
    """How rows become a file. A form can be pickled."""

    def render(self, rows: pd.DataFrame, place: str) -> Rendered:
        """Return rows as a piece of the file; an error names the place of the rows."""

    def open(self, path: Path, name: Path) -> Writer:
        """Open a file; errors call it `name`."""


@dataclass(frozen=True)
class CsvForm:
    """CSV with a line of names, as `DataFrame.to_csv` writes it.

    Attributes
    ----------
    names : the columns
    escape_formulas : whether text that a spreadsheet runs as a formula gets an apostrophe
    """

    names: tuple[str, ...]
    escape_formulas: bool = False

    def render(self, rows: pd.DataFrame, place: str) -> Rendered:
        """Return lines of CSV."""
        texts = [name for name, column in rows.items() if _may_be_text(column)]
        if self.escape_formulas:
            rows = rows.assign(**{name: guard_formulas(rows[name]) for name in texts})
        formulas = () if self.escape_formulas else (find_formula(rows[name]) for name in texts)
        content = csv_text(rows, header=False).encode()
        of_names = () if self.escape_formulas else filter(is_formula, self.names)
        return Rendered(content, len(content), next(filter(None, chain(of_names, formulas)), ""))

    def open(self, path: Path, name: Path) -> Writer:
        """Open a file."""
        with naming(name):
            return CsvWriter(path.open("wb"), name, self.written_names)

    @property
    def written_names(self) -> tuple[str, ...]:
        """The line of names."""
        return guard_names(self.names) if self.escape_formulas else self.names


class CsvWriter:
    """CSV that is written to an open file."""

    def __init__(self, stream: IO[bytes], name: Path, names: Sequence[str]) -> None:
        self._stream, self._name = stream, name
        # Written with the first lines: an error before leaves a stream as it was.
        self._header = pd.DataFrame(columns=list(names)).to_csv(index=False).encode()

    def write(self, piece: Piece) -> None:
        """Add lines."""
        with naming(self._name):
            self._stream.write(self._header + piece)
        self._header = b""

    def close(self) -> None:
        """Complete the file."""
        with naming(self._name), self._stream:
            self._stream.write(self._header)

    def abandon(self) -> None:
        """Close the file as it is."""
        with suppress(OSError):  # the disk may be full
            self._stream.close()


@dataclass(frozen=True, eq=False)
class ArrowForm:
    """Parquet or Arrow IPC (Feather).

    Attributes
    ----------
    kind : "parquet" or "arrow"
    schema : pyarrow.Schema
        The types of all pieces.
    """

    kind: str
    schema: Any

    def render(self, rows: pd.DataFrame, place: str) -> Rendered:
        """Return a record batch.

        Raises
        ------
        DataError
            If a value of a kept column does not have the type that the first rows have.
        """
        pyarrow = _arrow("pyarrow")
        arrays = []
        for field in self.schema:
            column = _plain(rows[field.name], field.type, pyarrow)
            try:
                arrays.append(pyarrow.array(column, type=field.type, from_pandas=True))
            except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError) as error:
                raise DataError(
                    f"{place}: column {field.name!r} has values that are not {field.type} as in "
                    f"the first rows ({error}); write CSV, or do not keep the column"
                ) from error
        batch = pyarrow.record_batch(arrays, schema=self.schema)
        return Rendered(batch, batch.nbytes)

    def open(self, path: Path, name: Path) -> Writer:
        """Open a file."""
        return _ArrowWriter(path, name, self)


class _ArrowWriter:
    """A Parquet or Arrow IPC file that is being written."""

    def __init__(self, path: Path, name: Path, form: ArrowForm) -> None:
        self._name = name
        with naming(name):
            self._sink = _arrow("pyarrow").OSFile(str(path), "wb")
            try:
                if form.kind == "parquet":
                    self._writer = _arrow("pyarrow.parquet").ParquetWriter(self._sink, form.schema)
                else:
                    self._writer = _arrow("pyarrow.ipc").new_file(self._sink, form.schema)
            except BaseException:
                self._sink.close()
                raise

    def write(self, piece: Piece) -> None:
        """Add a record batch."""
        with naming(self._name):
            self._writer.write_batch(piece)

    def close(self) -> None:
        """Complete the file."""
        with naming(self._name):
            self._writer.close()
            self._sink.close()

    def abandon(self) -> None:
        """Close the file as it is."""
        for each in (self._writer, self._sink):
            with suppress(OSError, ValueError):  # the disk may be full
                each.close()


def arrow_schema(kept: dict[str, Any], names: Sequence[str], classes: Sequence[Any]) -> Any:
    """Return the types of the columns of predictions.

    Parameters
    ----------
    kept : the types of the kept columns
    names : the columns of predictions: the predicted class, and a probability for each class
    classes : the classes of the model; labels of several types are written as text
    """
    pyarrow = _arrow("pyarrow")
    try:
        predicted = pyarrow.array(list(classes)).type
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
        predicted = pyarrow.string()
    fields = [*kept.items(), (names[0], predicted)]
    return pyarrow.schema([*fields, *((name, pyarrow.float64()) for name in names[1:])])


def arrow_types(frame: pd.DataFrame, place: str) -> dict[str, Any]:
    """Return the Arrow types of columns; the labels of a category have their own type.

    The type of a column of objects is None if all of its values are missing.

    Raises
    ------
    DataError
        If the objects of a column have no common type.
    """
    pyarrow = _arrow("pyarrow")
    types: dict[str, Any] = {}
    for name, column in frame.items():
        values = (
            column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
        )
        try:
            kind = pyarrow.array(values, from_pandas=True).type
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
            raise DataError(
                f"{place}: column {name!r} has values of several types ({error}); write CSV, or "
                "do not keep the column"
            ) from error
        types[str(name)] = None if pyarrow.types.is_null(kind) else kind
    return types


def _plain(column: pd.Series, kind: Any, pyarrow: Any) -> pd.Series:
    """Return a column without categories; classes of several types become text."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.astype(object)
    if column.name == PREDICTED and column.dtype == object and pyarrow.types.is_string(kind):
        return column.map(str)
    return column


def _may_be_text(column: pd.Series) -> bool:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        dtype = dtype.categories.dtype
    return bool(pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype))


def _arrow(module: str) -> Any:
    return import_extra(module, extra="parquet", purpose="writing Parquet and Arrow files")


__all__ = [
    "ArrowForm", "CsvForm", "CsvWriter", "Form", "Piece", "Rendered", "Writer", "arrow_schema",
    "arrow_types",
]  # fmt: skip
