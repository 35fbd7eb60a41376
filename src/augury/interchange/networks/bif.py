"""Models to and from BIF, the interchange format of Cozman."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from augury.errors import NetworkFileError
from augury.generative import GivenNetwork
from augury.interchange.networks.bif_parser import BifParser
from augury.interchange.networks.bif_writer import bif_text
from augury.interchange.networks.from_models import describe_model
from augury.interchange.networks.network_files import as_text, read_bytes, with_path
from augury.interchange.networks.to_model import model_of
from augury.whole_file import write_whole


def write_bif(model: Any, path: str | os.PathLike[str], *, target: str = "class") -> None:
    """Write a fitted model that is a network of discrete nodes as a BIF file.

    Parameters
    ----------
    model : a fitted `NaiveBayes` that cuts its numbers, `TreeAugmentedNaiveBayes`,
        `KDependenceBayes`, `BayesianNetworkClassifier` or `GivenNetwork`
        Of a pipeline of `TidyColumns` and such a model, the model is written.
    path : the file; its name ends in .bif
    target : name of the node of the class

    Raises
    ------
    NetworkExportError
        If the model is no such network; the message gives the reason.

    Notes
    -----
    Names that are not made of ASCII letters, digits and `_` are replaced. Properties with names
    `augury_…` keep the names, types of labels, cut points, and the estimates for values that are
    left out. docs/interchange-networks.md describes them.
    """
    write_whole(Path(path), bif_text(describe_model(model, target)))


def read_bif(path: str | os.PathLike[str], target: str | None = None) -> GivenNetwork:
    """Return the network of a BIF file as a fitted classifier.

    Parameters
    ----------
    path : the file, in UTF-8
    target : name of the node that is the class
        None: the class of the model that `write_bif` has written.

    Raises
    ------
    NetworkFileError
        If the file is not BIF, is incomplete or too large, or declares no Bayesian network. The
        message names the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from augury.generative import TreeAugmentedNaiveBayes
    >>> from augury.interchange import read_bif, write_bif
    >>> X = [["h", "h"], ["t", "t"], ["h", "t"], ["t", "h"]]
    >>> model = TreeAugmentedNaiveBayes().fit(X, ["same", "same", "other", "other"])
    >>> with TemporaryDirectory() as folder:
    ...     write_bif(model, Path(folder, "coins.bif"))
    ...     given = read_bif(Path(folder, "coins.bif"))
    >>> given.predict(X).tolist()
    ['same', 'same', 'other', 'other']
    """
    text = as_text(read_bytes(path), str(path))
    try:
        described = BifParser(text).parse().assemble()
    except NetworkFileError as error:
        raise with_path(path, error) from None
    return model_of(described, target, str(path))


__all__ = ["read_bif", "write_bif"]
