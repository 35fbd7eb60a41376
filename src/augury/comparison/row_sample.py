"""A sample of rows with the class shares of all rows."""

from dataclasses import replace

import numpy as np
import pandas as pd

from augury.arrays import Array, IntegerArray
from augury.data import Dataset

# A class keeps so many rows, if it has them: a model needs some to learn it and to be tested on it.
_FEWEST_OF_CLASS = 10


def sample_rows(codes: Array, n_rows: int, seed: int = 0) -> IntegerArray:
    """Return positions of about `n_rows` rows, in ascending order, drawn from each class.

    Parameters
    ----------
    codes : array of shape (n_rows_of_all,)
        Class of each row, as an integer.
    n_rows : int
        Number of rows of the sample. A class has at least ten rows of it, or all that there are.

    Examples
    --------
    >>> codes = np.repeat([0, 1], [9_900, 100])
    >>> np.bincount(codes[sample_rows(codes, 500)]).tolist()
    [495, 10]
    """
    codes = np.asarray(codes)
    random = np.random.default_rng(seed)
    share = min(1.0, n_rows / len(codes))
    parts = []
    for code in np.unique(codes):
        rows = np.flatnonzero(codes == code)
        n_wanted = min(len(rows), max(round(share * len(rows)), _FEWEST_OF_CLASS))
        parts.append(random.permutation(rows)[:n_wanted])
    return np.sort(np.concatenate(parts))


def sample_dataset(dataset: Dataset, n_rows: int) -> Dataset:
    """Return a data set of a sample of the rows; its name says so."""
    codes, _ = pd.factorize(dataset.y)
    rows = sample_rows(codes, n_rows)
    weight = dataset.sample_weight
    return replace(
        dataset,
        name=f"{dataset.name}, {len(rows):,} of {len(dataset.X):,} rows",
        X=dataset.X.iloc[rows],
        y=dataset.y.iloc[rows],
        sample_weight=None if weight is None else weight.iloc[rows],
    )


__all__ = ["sample_dataset", "sample_rows"]
