"""The classes of the rows of a table, as a saved model knows them."""

from typing import TYPE_CHECKING

from augury.cli.files.model_and_rows import open_model_and_rows
from augury.cli.terminal.errors import UserError

if TYPE_CHECKING:
    import pandas as pd

    from augury.arrays import Array
    from augury.persist import SavedModel


def open_model_and_classes(
    model_file: str, table: str, header: bool | None, max_size: float | None
) -> "tuple[SavedModel, pd.DataFrame, Array | None]":
    """Return the model, the rows that have a class, and the index of the class of each row.

    If the table lacks the target, all rows are returned, and None for the classes.

    Raises
    ------
    UserError
        If no row has a class, or one has a class that the model does not know.
    """
    import numpy as np
    import pandas as pd
    from pandas.api.types import is_numeric_dtype

    saved, frame, rows = open_model_and_rows(model_file, table, header, max_size)
    target = saved.metadata.target
    if target is None or target not in frame.columns:
        return saved, rows, None
    known = frame[target].notna().to_numpy()
    if not known.any():
        raise UserError(f"{table}: no row has a value of the target {target!r}")
    classes = pd.Series(saved.model.classes_)
    labels = frame[target][known]
    # A file may have 1.0 where the model knows 1, and text where it knows numbers.
    if not (is_numeric_dtype(classes) and is_numeric_dtype(labels)):
        classes, labels = classes.astype(str), labels.astype(str)
    position = {label: k for k, label in enumerate(classes)}
    for label in labels:
        if label not in position:
            raise UserError(
                f"{table}: the model does not know the class {label!r} of {target!r}; it knows "
                f"{', '.join(map(str, classes))}"
            )
    return saved, rows[known], np.array([position[label] for label in labels])


__all__ = ["open_model_and_classes"]
