"""Open a data set by the path of a file or by a name that `augury datasets` lists."""

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from augury.data import (
    DataError,
    Dataset,
    DataWarning,
    IdentifierWarning,
    StrayTextWarning,
    load_dataset,
)
from augury.data.dataset import make_dataset, warn_of_identifiers
from augury.data.table import absent, is_path, read_raw
from augury.encode import TidyColumns


class OpeningOptions(TypedDict, total=False):
    """Options of `open_table`."""

    data_dir: Path | None
    folder: Path | None
    strict: bool
    header: bool | None
    max_size: float | None


def open_table(
    source: str,
    target: str | None = None,
    data_dir: Path | None = None,
    *,
    folder: Path | None = None,
    strict: bool = False,
    header: bool | None = None,
    max_size: float | None = None,
    identifiers: bool = True,
) -> Dataset:
    """Return the data set of a file, or of a name that `augury datasets` lists.

    Parameters
    ----------
    source : str
        A path if there is such a file, or if the text has a path separator or the suffix of a
        table file; otherwise a name.
    target : str or None
        The column of a file to predict.
    data_dir : Path or None
        Folder in which named data sets are searched first.
    folder : Path or None
        Folder that paths are relative to; by default the current folder.
    strict : bool
        Whether rows without a class are an error; by default they are left out.
    header, max_size
        See `augury.data.read_table`.
    identifiers : bool
        Whether a column of a file that identifies the rows causes a warning.

    Raises
    ------
    augury.data.DataError
        If there is neither such a file nor such a name, or if the file cannot be read.
    """
    path = Path(source).expanduser()
    path = path if folder is None else folder / path
    if path.is_file() or (path.exists() and is_path(source)):
        table = read_raw(path, header=header, max_size=max_size)
        return make_dataset(
            table,
            name=path.name.partition(".")[0] or path.name,
            source=str(path),
            target=target,
            missing_target="error" if strict else "drop",
            identifiers=identifiers,
        )
    if is_path(source):
        raise DataError(absent(path))
    try:
        dataset = load_dataset(source, data_dir)
    except DataError:
        if path.is_dir():
            raise DataError(f"{path}: is a folder, not a file") from None
        raise
    if target not in (None, dataset.target):
        raise DataError(
            f"the data set {source!r} has the target {dataset.target!r}, not {target!r}",
            advice="{target} is for files",
        )
    return dataset


def open_tidy_table(
    source: str, target: str | None = None, **options: Unpack[OpeningOptions]
) -> Dataset:
    """Return the data set of `open_table` for models behind `TidyColumns`.

    There are no warnings of identifiers and stray text, since `TidyColumns` decides about them
    and its decisions are printed.

    Raises
    ------
    augury.data.DataError
        Also if there is only one class.
    """
    dataset = _open_without_warnings(source, target, options)
    if dataset.y.nunique() < 2:
        raise DataError(
            f"{dataset.source}: the target {dataset.target!r} has one class in all rows, "
            f"{dataset.y.iloc[0]!r}",
            advice="choose another column with {target}",
        )
    return dataset


def open_table_with_numbers(
    source: str, target: str | None = None, **options: Unpack[OpeningOptions]
) -> Dataset:
    """Return the data set of `open_table`, with text such as $1,234.50 read as numbers.

    This function is for models without `TidyColumns`, which does the same inside each fold.

    Warns
    -----
    augury.data.DataWarning
        For each column of numbers written as text, and for each identifier.
    """
    dataset = _open_without_warnings(source, target, options)
    if dataset.target_rule == "catalogue":
        return dataset
    tidy = TidyColumns(drop_identifiers=False, drop_constants=False, read_dates=False)
    columns = tidy.fit_transform(dataset.X)
    X = dataset.X.copy()
    for decision, how in zip(tidy.decisions_, tidy.formats_, strict=True):
        is_read = decision.treatment == "numbers" and how != ""
        if is_read:
            X[decision.name] = columns[decision.name]
        if is_read or "; " in decision.reason:  # the reason has a note
            message = f"{dataset.source}: column {decision.name!r} is read as {decision.treatment}"
            warnings.warn(DataWarning(f"{message}: {decision.reason}"), stacklevel=2)
    warn_of_identifiers(X, dataset.source, 3)
    return replace(dataset, X=X)


def _open_without_warnings(source: str, target: str | None, options: OpeningOptions) -> Dataset:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentifierWarning)  # of a named data set
        warnings.simplefilter("ignore", StrayTextWarning)
        return open_table(source, target, identifiers=False, **options)


__all__ = ["OpeningOptions", "open_table", "open_table_with_numbers", "open_tidy_table"]
