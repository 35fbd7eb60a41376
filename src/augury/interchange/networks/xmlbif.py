"""Models to and from XMLBIF 0.3, the format of WEKA."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from augury.errors import NetworkFileError
from augury.generative import GivenNetwork
from augury.interchange.networks.from_models import describe_model
from augury.interchange.networks.network_files import read_bytes, with_path
from augury.interchange.networks.to_model import model_of
from augury.interchange.networks.xmlbif_parser import XmlbifParser
from augury.interchange.networks.xmlbif_writer import xmlbif_text
from augury.whole_file import write_whole


def write_xmlbif(model: Any, path: str | os.PathLike[str], *, target: str = "class") -> None:
    """Write a fitted model that is a network of discrete nodes as an XMLBIF file.

    Parameters, errors and properties are those of `write_bif`. Names stay as they are, unless
    XML does not keep them: control characters, and white space at the ends or in a row.
    """
    write_whole(Path(path), xmlbif_text(describe_model(model, target)))


def read_xmlbif(path: str | os.PathLike[str], target: str | None = None) -> GivenNetwork:
    """Return the network of an XMLBIF file as a fitted classifier.

    Parameters
    ----------
    path : the file
    target : name of the node that is the class
        None: the class of the model that `write_xmlbif` has written.

    Raises
    ------
    NetworkFileError
        If the file is not XMLBIF, is incomplete or too large, declares entities or a document
        type in another file, or declares no Bayesian network. The message names the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from augury.generative import NaiveBayes
    >>> from augury.interchange import read_xmlbif, write_xmlbif
    >>> model = NaiveBayes().fit([["sun"], ["sun"], ["rain"]], ["yes", "yes", "no"])
    >>> with TemporaryDirectory() as folder:
    ...     write_xmlbif(model, Path(folder, "sky.xml"))
    ...     given = read_xmlbif(Path(folder, "sky.xml"))
    >>> given.predict_proba([["sun"]]).round(3)
    array([[0.229, 0.771]])
    """
    try:
        described = XmlbifParser(read_bytes(path)).parse().assemble()
    except NetworkFileError as error:
        raise with_path(path, error) from None
    return model_of(described, target, str(path))


__all__ = ["read_xmlbif", "write_xmlbif"]
