"""Writer of ARFF, with every declared label: reading the file returns the same frame."""

import math
import os
import re
from pathlib import Path

import pandas as pd

from augury.data.errors import DataError, excerpt, first_repeated

_PLAIN = re.compile(r"[A-Za-z0-9_.+<>=/-]+")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def write_arff(frame: pd.DataFrame, path: str | os.PathLike[str], relation: str) -> None:
    """Write a frame of categories, numbers, booleans and text as ARFF.

    The file is first written under another name, so that another process never reads an
    incomplete file.

    Raises
    ------
    DataError
        If a column has another type; if two columns, or two labels of a column, are equal as
        text; if there is no row or no column; if a column declares no label; or if a text has
        a null character or half of a surrogate pair. `read_table` could not read such a file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> size = pd.Categorical(["small", None], categories=["small", "very large"])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "toy.arff")
    ...     write_arff(pd.DataFrame({"size": size, "weight": [1.5, 2.0]}), path, "toy")
    ...     print(path.read_text())
    @relation toy
    @attribute size {small,'very large'}
    @attribute weight numeric
    @data
    small,1.5
    ?,2.0
    """
    path = Path(path)
    if 0 in frame.shape:
        raise DataError(
            f"write_arff: the frame has {frame.shape[0]} rows, {frame.shape[1]} columns"
        )
    if (repeated := first_repeated(map(str, frame.columns))) is not None:
        raise DataError(f"write_arff: two columns are named {repeated!r}")
    header: list[str] = []
    columns: list[list[str]] = []
    part = "the relation's name"
    try:
        header.append(f"@relation {_quote(relation)}")
        for name, column in frame.items():
            part = f"column {str(name)!r}"
            kind, values = _write_column(column)
            header.append(f"@attribute {_quote(str(name))} {kind}")
            columns.append(values)
    except DataError as error:
        raise DataError(f"write_arff: {part} {error}") from None
    rows = [",".join(row) for row in zip(*columns, strict=True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        partial.write_text("\n".join([*header, "@data", *rows, ""]), encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    if _UNWRITABLE.search(text):
        raise DataError(f"has {excerpt(text)}, with a character that no text file may contain")
    for character, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(character, escape)
    return "'" + text.replace("\r", "\\r") + "'"


def _write_column(column: pd.Series) -> tuple[str, list[str]]:
    """Return the declared type and the values; errors do not name the column."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _write_labels([str(label) for label in dtype.categories], column.cat.codes.tolist())
    missing = column.isna().tolist()
    if pd.api.types.is_bool_dtype(dtype):
        values = ["?" if m else str(v) for v, m in zip(column, missing, strict=True)]
        return "{False,True}", values
    if pd.api.types.is_numeric_dtype(dtype):
        values = [
            "?" if m else _write_number(v) for v, m in zip(column.tolist(), missing, strict=True)
        ]
        return "numeric", values
    if pd.api.types.is_string_dtype(dtype):
        return "string", [
            "?" if m else _write_text(v) for v, m in zip(column, missing, strict=True)
        ]
    raise DataError(f"has type {dtype}, which ARFF does not have")


def _write_labels(labels: list[str], codes: list[int]) -> tuple[str, list[str]]:
    if not labels:
        raise DataError("declares no label")
    if (repeated := first_repeated(labels)) is not None:
        raise DataError(f"has two labels that are both {repeated!r} as text")
    quoted = [_quote(label) for label in labels]
    return "{" + ",".join(quoted) + "}", ["?" if code < 0 else quoted[code] for code in codes]


def _write_number(value: object) -> str:
    if not isinstance(value, int | float):
        raise DataError(f"has {value!r}, which ARFF cannot hold as a number")
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"  # as Java writes it
    # The repr of a Python number is the shortest text that reads back as the same number.
    return repr(value)


def _write_text(value: object) -> str:
    if not isinstance(value, str):
        raise DataError(f"has {value!r} among its texts; make it text, a number or a category")
    return _quote(value)
