"""A saved model, and the rows of a table as the model wants them."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from augury.cli.files.table_in_pieces import InPieces, open_in_pieces
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    import pandas as pd

    from augury.persist import SavedModel
    from augury.scale import Source


def open_model(model_file: str) -> "SavedModel":
    """Return a saved model."""
    from augury.persist import load_model

    require_file("MODEL", model_file)
    return load_model(expand_home(model_file))


def open_model_and_rows(
    model_file: str, table: str, header: bool | None, max_size: float | None
) -> "tuple[SavedModel, pd.DataFrame, pd.DataFrame]":
    """Return the model, the table as it is in the file, and the columns that the model reads."""
    from augury.scale.predictions.row_predictor import is_tidy

    require_file("MODEL", model_file)
    require_file("DATA", table)
    saved = open_model(model_file)
    frame = read_frame(saved, table, header, max_size)
    rows = saved.metadata.select_columns(frame, table, check_kinds=not is_tidy(saved.model))
    return saved, frame, rows


def read_frame(
    saved: "SavedModel", table: str, header: bool | None, max_size: float | None
) -> "pd.DataFrame":
    """Return all columns of a table file, whose rows a model will read."""
    from augury.data.table import read_raw

    with without_stray_text_warnings(saved):
        return read_raw(expand_home(table), header=header, max_size=max_size).frame


def open_rows(
    saved: "SavedModel",
    table: str,
    pieces: InPieces | None,
    header: bool | None,
    max_size: float | None,
    *,
    argument: str = "DATA",
) -> "Source":
    """Open rows that a model will read, in pieces or as one; errors name the argument."""
    from augury.scale import open_source
    from augury.scale.predictions.running import PARTITION_BYTES

    if pieces is not None:
        echo(pieces.describe(table), err=True)
        with without_stray_text_warnings(saved):
            return open_in_pieces(table, header, max_size, PARTITION_BYTES)
    require_file(argument, table)
    frame = read_frame(saved, table, header, max_size)
    whole = open_source(frame, partition_bytes=1 << 62)
    named = tuple(replace(part, name=table) for part in whole.partitions)
    return replace(whole, name=table, partitions=named)


@contextmanager
def without_stray_text_warnings(saved: "SavedModel") -> Iterator[None]:
    """Ignore warnings of text in columns of numbers, if the model decides about such text."""
    from augury.data import StrayTextWarning
    from augury.scale.predictions.row_predictor import is_tidy

    with warnings.catch_warnings():
        if is_tidy(saved.model):
            warnings.simplefilter("ignore", StrayTextWarning)
        yield


def require_file(argument: str, file: str) -> None:
    """Raise an error that names an argument of the command unless it is a file."""
    from augury.data.table import absent

    path = expand_home(file)
    if not path.exists():
        raise UserError(f"{argument} is {absent(path)}")
    if not path.is_file():
        raise UserError(f"{argument} is {file!r}, which is not a file")


__all__ = [
    "open_model",
    "open_model_and_rows",
    "open_rows",
    "read_frame",
    "require_file",
    "without_stray_text_warnings",
]
