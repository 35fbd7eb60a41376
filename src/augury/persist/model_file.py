"""Fitted models in files, without pickle."""

import json
import os
import sys
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from augury import __version__
from augury.data.errors import shorten
from augury.drift.reference import Reference
from augury.persist.container import (
    METADATA,
    REFERENCE,
    Parts,
    parse_json,
    read_parts,
    write_parts,
)
from augury.persist.errors import ModelFileError, ModelVersionWarning
from augury.persist.inspection import ForbiddenError, ForbiddenTypesError, TooLargeError
from augury.persist.metadata import ModelMetadata, describe_model
from augury.persist.paths import as_path
from augury.persist.payload import dump_model, rebuild_model
from augury.persist.probe import TrialError, try_model

MAX_BYTES = 1 << 30


@dataclass(frozen=True)
class SavedModel:
    """A loaded model and its metadata.

    Parameters
    ----------
    model : the fitted model
    metadata : columns, classes, versions and more
    reference : statistics of the training rows, which `augury.drift.check_drift` compares new rows
        with; None if the file has none
    """

    model: Any
    metadata: ModelMetadata
    reference: Reference | None = None


def save_model(
    model: Any,
    path: str | os.PathLike[str],
    *,
    X: Any = None,
    target: str | None = None,
    n_rows: int | None = None,
    reference: Reference | None = None,
    trusted: Collection[str] = (),
    max_bytes: int = MAX_BYTES,
) -> ModelMetadata:
    """Write a fitted model into a file, from which `load_model` returns an equal one.

    The file is written under a temporary name and then renamed: a reader sees the old file or
    the new one, never a part.

    Parameters
    ----------
    model : a fitted classifier of augury or scikit-learn
    path : the file; by convention its name ends in .augury
    X : the table that the model was fitted to
        The table is not saved. The types of its columns and the number of rows are saved, so
        that other tables can be checked before they are predicted.
    target : name of the column that was predicted
    n_rows : number of training rows, if X holds only some of them
    reference : statistics of the training rows, which `augury.drift.collect_reference` computes
        `augury check` compares new rows with them. The reference does not contain the rows; some
        models do (docs/model-files.md).
    trusted : names of further types that the model holds
        They must be passed to `load_model` as well. Trees of scikit-learn need
        "sklearn.tree._tree.Tree": a hostile one can crash the process that uses it.
    max_bytes : memory that loading may take, by default 1 GiB
        A model that takes more is not saved, since `load_model` would refuse it. A larger number
        must be passed to `load_model` as well.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from augury.generative import NaiveBayes
    >>> from augury.persist import load_model, save_model
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"]})
    >>> model = NaiveBayes().fit(X, ["out", "out", "in", "in"])
    >>> with TemporaryDirectory() as folder:
    ...     metadata = save_model(model, Path(folder, "place.augury"), X=X, target="place")
    ...     saved = load_model(Path(folder, "place.augury"))
    >>> saved.model.predict(X).tolist()
    ['out', 'out', 'in', 'in']
    >>> saved.metadata.columns
    (ModelColumn(name='sky', kind='labels', dtype='str'),)
    """
    path = as_path(path)
    check_is_fitted(model)
    metadata = describe_model(model, X, target, n_rows)
    try:
        payload = dump_model(model, trusted, max_bytes)
    except ForbiddenTypesError as error:
        raise ModelFileError(
            f"{path}: {type(model).__name__} was not saved, since load_model would refuse it: it "
            f"holds {error}. If you trust them in files of others, pass trusted={error.names} to "
            "save_model and to load_model"
        ) from error
    except TooLargeError as error:
        raise ModelFileError(
            f"{path}: {type(model).__name__} was not saved, since load_model would refuse it: it "
            f"holds {error}. Pass a larger max_bytes to save_model and to load_model"
        ) from error
    except ForbiddenError as error:
        raise ModelFileError(
            f"{path}: {type(model).__name__} was not saved: it holds {error}"
        ) from error
    if len(payload) > max_bytes // 2:  # see `read_parts`
        raise ModelFileError(
            f"{path}: {type(model).__name__} was not saved, since load_model would refuse it: it "
            f"has {len(payload):,} bytes, more than the limit of {max_bytes // 2:,}. Pass "
            f"max_bytes={3 * len(payload)} to save_model and to load_model"
        )
    described = None
    if reference is not None:
        _check_fits(metadata, reference, "save_model: reference must be that of the training rows")
        described = json.dumps(reference.to_json(), separators=(",", ":")).encode()
    write_parts(path, Parts(metadata.to_json(), payload, described))
    return metadata


def load_model(
    path: str | os.PathLike[str], *, trusted: Collection[str] = (), max_bytes: int = MAX_BYTES
) -> SavedModel:
    """Return the model that `save_model` has written.

    No code in the file is run: there is no pickle, and only objects of augury's models, of
    registered models of other packages (see `trusted_types`), of some of scikit-learn's
    estimators and of NumPy's arrays are created. Each object is checked, and the model predicts
    a few rows before it is returned. These checks do not show that a model predicts well.

    Parameters
    ----------
    path : the file
    trusted : names of further types that may be created
    max_bytes : memory that loading may take, by default 1 GiB
        It is estimated from the file before an object is created. The bytes of the file and
        all objects count; an array counts once for every reference to it.

    Raises
    ------
    ModelFileError
        If the file is not a model file, is damaged, has a later version, or contains
        something that no model has.
    """
    path = as_path(path)
    parts = read_parts(path, max_bytes=max_bytes)
    metadata = _parse_metadata(path, parts.metadata)
    try:
        model = rebuild_model(parts.model, trusted, max_bytes)
    except TooLargeError as error:
        raise ModelFileError(
            f"{path}: was not loaded: it holds {error}. If you know where it is from, pass a "
            "larger max_bytes to load_model"
        ) from error
    except ForbiddenError as error:
        raise ModelFileError(
            f"{path}: was not loaded: it holds {error}. Do not use it unless you know who wrote it"
        ) from error
    if type(model).__name__ != metadata.model:
        raise ModelFileError(
            f"{path}: holds a {type(model).__name__}, and says that it is a {metadata.model:.80}"
        )
    try:
        metadata.check_describes(model)
    except Exception as error:  # attributes of other libraries can cause any error
        raise ModelFileError(f"{path}: {METADATA} does not describe the model: {error}") from error
    try:
        try_model(model, metadata)
    except TrialError as error:
        raise ModelFileError(
            f"{path}: holds a {type(model).__name__} that is not as fit leaves it: {error}. Fit "
            "the model again"
        ) from error
    _warn_of_version(path, metadata)
    reference = None if parts.reference is None else _parse_reference(path, parts, metadata)
    return SavedModel(model, metadata, reference)


def read_metadata(path: str | os.PathLike[str]) -> ModelMetadata:
    """Return the metadata of a model file; the model is not loaded."""
    path = as_path(path)
    # The model is not decompressed.
    parts = read_parts(path, max_bytes=sys.maxsize, with_model=False)
    return _parse_metadata(path, parts.metadata)


def _parse_metadata(path: Path, content: bytes) -> ModelMetadata:
    try:
        return ModelMetadata.from_json(parse_json(path, METADATA, content))
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(f"{path}: {METADATA} is not as augury writes it: {error}") from error


def _parse_reference(path: Path, parts: Parts, metadata: ModelMetadata) -> Reference:
    assert parts.reference is not None
    try:
        reference = Reference.from_json(parse_json(path, REFERENCE, parts.reference))
        _check_fits(metadata, reference, "it does not describe the model")
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(f"{path}: {REFERENCE} is not as augury writes it: {error}") from error
    return reference


def _check_fits(metadata: ModelMetadata, reference: Reference, message: str) -> None:
    """Raise `ValueError` unless the columns are those of the model, and the counts fit."""
    reference.check_counts()
    names = [column.name for column in reference.columns]
    own = [column.name for column in metadata.columns]
    if names != own:
        raise ValueError(f"{message}: its columns are {shorten(names)}, the model's {shorten(own)}")


def _warn_of_version(path: Path, metadata: ModelMetadata) -> None:
    saved = metadata.versions.get("augury", "an unknown version")
    if saved.split(".")[:2] != __version__.split(".")[:2]:
        warnings.warn(
            f"{path}: was saved by augury {saved}, this is {__version__}: predictions may differ. "
            "Fit the model again to be sure",
            ModelVersionWarning,
            stacklevel=3,
        )
