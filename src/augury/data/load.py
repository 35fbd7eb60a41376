"""Named data sets: loading them, and checking their counts."""

import os
import re
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from augury.data.catalogue import CATALOGUE, SKLEARN_PREFIX, SYNTHETIC_PREFIX, Entry
from augury.data.dataset import Dataset, RawTable, make_dataset
from augury.data.errors import DataError, DataWarning, suggest
from augury.data.formats.arff import read_arff
from augury.data.formats.arff_writer import write_arff
from augury.data.openml import fetch_frame

# AUGURY_DATA may be the folder of the files or a parent of it.
_FOLDERS = (".", "uci36", "data", "data/uci36")
# Files that are not in the catalogue may have a folder of their own.
_EXTRA_FOLDERS = (*_FOLDERS, "extra", "data/extra")
_ENDINGS = (".arff", ".arff.gz")


def load_dataset(name: str, data_dir: str | os.PathLike[str] | None = None) -> Dataset:
    """Load one of the data sets that `list_datasets` lists.

    A UCI set is read from an ARFF file in `data_dir`, or in the folder that the environment
    variable AUGURY_DATA names if `data_dir` is None. If there is no such file, it is read from
    the user's cache (AUGURY_CACHE, or the platform's cache folder). Otherwise it is fetched from
    OpenML and written to the cache. The sets whose names begin with `sklearn:` are part of
    scikit-learn. A name that begins with `synthetic:` generates rows, see
    `augury.data.synthetic.named.load_synthetic`.

    Parameters
    ----------
    name : str
        A name in the catalogue, case does not matter; or a name such as
        `synthetic:waveform?n_samples=5000`.
    data_dir : str, path-like or None
        A folder with ARFF files; its folders `uci36`, `data` and `data/uci36` are searched too.

    Returns
    -------
    Dataset
        Without the identifier columns that the catalogue names; they are
        listed in `Dataset.dropped`.

    Raises
    ------
    DataError
        If the name is unknown, `data_dir` or AUGURY_DATA is not a folder, the set is not found,
        or its numbers of rows, columns, missing values or classes differ from those of the
        published set.

    Examples
    --------
    >>> wine = load_dataset("sklearn:wine")
    >>> wine.X.shape, wine.classes
    ((178, 13), ['class_0', 'class_1', 'class_2'])
    """
    if isinstance(name, str) and name.startswith(SYNTHETIC_PREFIX):
        from augury.data.synthetic.named import load_synthetic  # imports scikit-learn

        return load_synthetic(name)
    entry = _find_entry(name)
    if entry.name.startswith(SKLEARN_PREFIX):
        return _load_from_sklearn(entry)
    file = find_known_file(entry.name, data_dir)
    if file is not None:
        return _verify(read_arff(file), entry, str(file))
    return _load_from_openml(entry, data_dir)


def list_datasets(data_dir: str | os.PathLike[str] | None = None) -> pd.DataFrame:
    """List the named data sets and their sources.

    Returns
    -------
    DataFrame
        `name`, `rows`, `columns` (features), `missing` (cells), `classes`
        (declared), `source` (a file, or OpenML or scikit-learn) and `local`:
        whether it can be loaded without a network.

    Raises
    ------
    DataError
        If `data_dir` or AUGURY_DATA is not a folder.

    Examples
    --------
    >>> sets = list_datasets().set_index("name")
    >>> int(sets.loc["iris", "rows"]), bool(sets.loc["sklearn:iris", "local"])
    (150, True)
    """
    rows: list[dict[str, str | int | bool]] = []
    for entry in CATALOGUE.values():
        source, local = f"OpenML {entry.openml_id}", False
        if entry.name.startswith(SKLEARN_PREFIX):
            source, local = "scikit-learn", True
        elif file := find_known_file(entry.name, data_dir):
            source, local = str(file), True
        rows.append(
            {
                "name": entry.name,
                "rows": entry.n_samples,
                "columns": entry.n_features,
                "missing": entry.n_missing,
                "classes": entry.n_classes,
                "source": source,
                "local": local,
            }
        )
    return pd.DataFrame(rows)


def find_known_file(name: str, data_dir: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the file from which `load_dataset` reads a data set of the catalogue, or None."""
    known = {each.lower(): each for each in CATALOGUE}.get(name.lower())
    if known is None:
        return None
    return _find_file(known, data_dir) or _find_in(cache_dir(), known)


def find_file(name: str, data_dir: str | os.PathLike[str] | None = None) -> Path | None:
    """Return an ARFF file that is not in the catalogue from the user's folder, or None.

    Parameters
    ----------
    name : str
        Name of the file without `.arff` or `.arff.gz`.
    data_dir : str, path-like or None
        The folder, by default AUGURY_DATA. Its folders `uci36`, `extra`, `data`, `data/uci36`
        and `data/extra` are searched too.

    Raises
    ------
    DataError
        If `data_dir` or AUGURY_DATA is not a folder.
    """
    return _find_file(name, data_dir, _EXTRA_FOLDERS)


def _find_entry(name: str) -> Entry:
    if not isinstance(name, str):
        raise TypeError(f"load_dataset: name must be a string, got {name!r}")
    lowered = {known.lower(): known for known in CATALOGUE}
    if found := lowered.get(name.lower()):
        return CATALOGUE[found]
    twin = SKLEARN_PREFIX + name.lower()
    near = f"; did you mean {twin!r}?" if twin in CATALOGUE else suggest(name, CATALOGUE)
    raise DataError(
        f"there is no data set named {name!r}{near}",
        advice="{list_datasets} lists them; {read_table} reads a file",
    )


def _data_dir(data_dir: str | os.PathLike[str] | None) -> Path | None:
    if data_dir is not None:
        origin, chosen = "the data folder", os.fspath(data_dir)
    elif value := os.environ.get("AUGURY_DATA"):
        origin, chosen = "the environment variable AUGURY_DATA", value
    else:
        return None
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        # Data from another place are not the data that the user asked for.
        raise DataError(f"{origin} is {chosen!r}, which is not a folder")
    return folder


def cache_dir() -> Path:
    """Return the folder of the data sets that were fetched from OpenML."""
    if chosen := os.environ.get("AUGURY_CACHE"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "augury"


def _find_file(
    name: str, data_dir: str | os.PathLike[str] | None, folders: tuple[str, ...] = _FOLDERS
) -> Path | None:
    root = _data_dir(data_dir)
    if root is None:
        return None
    places = (_find_in(root / folder, name) for folder in folders)
    return next((place for place in places if place), None)


def _find_in(folder: Path, name: str) -> Path | None:
    files = (folder / (name + ending) for ending in _ENDINGS)
    return next((file for file in files if file.is_file()), None)


def _load_from_openml(entry: Entry, data_dir: str | os.PathLike[str] | None) -> Dataset:
    source = f"OpenML {entry.openml_id}"
    try:
        frame = fetch_frame(entry.openml_id)
    except (OSError, ValueError) as error:  # ValueError: OpenML does not have this set
        advice = (
            "choose a folder that has the file with {data_dir} or the environment variable "
            "AUGURY_DATA, or try again with a network connection"
        )
        raise DataError(_not_found(entry, data_dir, error), advice=advice) from error
    dataset = _verify(RawTable(frame, entry.name), entry, source)
    file = cache_dir() / f"{entry.name}.arff"
    try:
        write_arff(frame, file, entry.name)
    except OSError as error:
        warnings.warn(
            f"{entry.name} was fetched from OpenML, but cannot be kept in {file} ({error}); set "
            f"AUGURY_CACHE to a folder that can be written",
            DataWarning,
            stacklevel=3,
        )
    return dataset


def _not_found(entry: Entry, data_dir: str | os.PathLike[str] | None, error: Exception) -> str:
    root = _data_dir(data_dir)
    if root is None:
        looked = "AUGURY_DATA is not set"
    else:
        origin = "AUGURY_DATA" if data_dir is None else "the chosen folder"
        looked = f"{root} ({origin}; also in its {', '.join(_FOLDERS[1:])})"
    twin = SKLEARN_PREFIX + entry.name
    also = f"; or load {twin!r}, which needs no network" if twin in CATALOGUE else ""
    return (
        f"data set {entry.name!r} was not found. Looked for {entry.name}.arff and .arff.gz in: "
        f"{looked}; {cache_dir()} (cache); OpenML {entry.openml_id}, from which it cannot be "
        f"fetched ({error}){also}"
    )


def _plain(name: str) -> str:
    # OpenML writes Hospital_Number for WEKA's `Hospital Number`.
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _verify(table: RawTable, entry: Entry, source: str) -> Dataset:
    """Return the data set after a comparison of its counts with those of the catalogue."""
    names = {_plain(str(column)): str(column) for column in table.frame.columns}
    dataset = make_dataset(
        table,
        name=entry.name,
        source=source,
        target=names.get(_plain(entry.target), entry.target),
        drop=[names[_plain(i)] for i in entry.identifiers if _plain(i) in names],
        stacklevel=4,
    )
    found = {
        "rows": len(dataset.X),
        "features": dataset.X.shape[1],
        "missing cells": int(dataset.X.isna().sum().sum()),
        "classes": len(dataset.classes),
    }
    expected = (entry.n_samples, entry.n_features, entry.n_missing, entry.n_classes)
    wrong = [
        f"{n} {what} instead of {m}"
        for (what, n), m in zip(found.items(), expected, strict=True)
        if n != m
    ]
    if wrong:
        raise DataError(
            f"{source}: this is not the published {entry.name}: it has {', '.join(wrong)}",
            advice="replace or remove it; to use it as it is, {read_table} reads any file",
        )
    return replace(dataset, target_rule="catalogue")


def _load_from_sklearn(entry: Entry) -> Dataset:
    from sklearn import datasets  # slow to import

    kind = entry.name.removeprefix(SKLEARN_PREFIX)
    bunch: Any = getattr(datasets, f"load_{kind}")(as_frame=True)
    labels = pd.Index([str(label) for label in bunch.target_names], dtype="str")
    classes = pd.Categorical.from_codes(bunch.target, categories=labels)
    frame = bunch.data.assign(**{entry.target: classes})
    return _verify(RawTable(frame, entry.name), entry, f"scikit-learn, load_{kind}")
