"""Frames → ARFF, with every declared label, so that reading gives back the frame."""

import os
import re
from pathlib import Path
from typing import Any

import pandas as pd

_PLAIN = re.compile(r"[A-Za-z0-9_.+<>=/-]+")


def write_arff(frame: pd.DataFrame, path: str | os.PathLike[str], relation: str) -> None:
    """Write a frame of categories, numbers, booleans and text as ARFF.

    The file appears whole or not at all: it is written under another name
    first, so that a second process never reads half of it.

    Raises
    ------
    TypeError
        If a column is of another type.

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
    header = [f"@relation {_quote(relation)}"]
    columns: list[list[str]] = []
    for name, column in frame.items():
        kind, values = _write_column(column)
        header.append(f"@attribute {_quote(str(name))} {kind}")
        columns.append(values)
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
    for character, escape in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(character, escape)
    return "'" + text.replace("\r", "\\r") + "'"


def _write_column(column: Any) -> tuple[str, list[str]]:
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        labels = [_quote(str(label)) for label in dtype.categories]
        codes = column.cat.codes.tolist()
        return "{" + ",".join(labels) + "}", ["?" if c < 0 else labels[c] for c in codes]
    missing = column.isna().tolist()
    if pd.api.types.is_bool_dtype(dtype):
        values = ["?" if m else str(v) for v, m in zip(column, missing, strict=True)]
        return "{False,True}", values
    if pd.api.types.is_numeric_dtype(dtype):
        # repr of a Python number is the shortest text that reads back as the same number
        values = ["?" if m else repr(v) for v, m in zip(column.tolist(), missing, strict=True)]
        return "numeric", values
    if pd.api.types.is_string_dtype(dtype):
        return "string", ["?" if m else _quote(v) for v, m in zip(column, missing, strict=True)]
    raise TypeError(f"write_arff: column {column.name!r} has type {dtype}, which ARFF has not")
