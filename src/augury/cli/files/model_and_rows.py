"""A saved model, and the rows of a table as the model wants them."""

import warnings
from typing import TYPE_CHECKING

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    import pandas as pd

    from augury.persist import SavedModel


def open_model(model_file: str) -> "SavedModel":
    """Return a saved model."""
    from augury.persist import load_model

    _require_file("MODEL", model_file)
    return load_model(expand_home(model_file))


def open_model_and_rows(
    model_file: str, table: str, header: bool | None, max_size: float | None
) -> "tuple[SavedModel, pd.DataFrame, pd.DataFrame]":
    """Return the model, the table as it is in the file, and the columns that the model reads."""
    from augury.data import StrayTextWarning
    from augury.data.table import read_raw
    from augury.encode import TidyColumns

    _require_file("MODEL", model_file)
    _require_file("DATA", table)
    saved = open_model(model_file)
    # `TidyColumns` reads new rows as it read the training rows.
    is_tidy = isinstance(getattr(saved.model, "named_steps", {}).get("columns"), TidyColumns)
    with warnings.catch_warnings():
        if is_tidy:
            warnings.simplefilter("ignore", StrayTextWarning)
        frame = read_raw(expand_home(table), header=header, max_size=max_size).frame
    return saved, frame, saved.metadata.select_columns(frame, table, check_kinds=not is_tidy)


def _require_file(argument: str, file: str) -> None:
    from augury.data.table import absent

    path = expand_home(file)
    if not path.exists():
        raise UserError(f"{argument} is {absent(path)}")
    if not path.is_file():
        raise UserError(f"{argument} is {file!r}, which is not a file")


__all__ = ["open_model", "open_model_and_rows"]
