"""Data sets of OpenML, with their declared labels."""

import tempfile
import warnings
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import FloatArray


def fetch_frame(data_id: int) -> pd.DataFrame:
    """Download all columns of one OpenML data set, nominal ones as categories.

    Raises
    ------
    OSError
        If OpenML cannot be reached.

    Notes
    -----
    `fetch_openml(as_frame=True)` keeps only the labels that occur, sorted. With
    `as_frame=False` and no target column, it returns codes and all declared labels in
    their order. Only the parser "liac-arff" distinguishes the label '?' from a missing
    value. OpenML does not deliver columns that it marks as row identifiers or as ignored.
    """
    from sklearn.datasets import fetch_openml  # slow to import

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # OpenML warns of inactive sets such as anneal, but the counts of the catalogue are
        # checked anyway. A network error also raises an exception, which says more.
        for message in ("Version .* is inactive", "OpenML r", "A network error occurred"):
            warnings.filterwarnings("ignore", message, UserWarning)
        bunch: Any = fetch_openml(
            data_id=data_id,
            data_home=folder,
            as_frame=False,
            parser="liac-arff",
            target_column=None,
            n_retries=2,
        )
    columns: dict[str, FloatArray | pd.Categorical] = {}
    for name, values in zip(bunch.feature_names, bunch.data.T, strict=True):
        labels = bunch.categories.get(name)
        if labels is None:
            columns[name] = np.asarray(values, dtype=np.float64)
        else:
            codes = np.where(np.isnan(values), -1, values).astype(np.int64)
            columns[name] = pd.Categorical.from_codes(codes, pd.Index(labels, dtype="str"))
    return pd.DataFrame(columns)
