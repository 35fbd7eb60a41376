"""Division of a table into regions: groups of columns of counts, or columns of text."""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer

from augury.arrays import Array
from augury.encode.columns import column_names
from augury.encode.nominal import is_missing
from augury.fitted_state import check_texts, require
from augury.foreign import Matrix, Table
from augury.hybrid.inner_models.tables import take_columns
from augury.validation import is_frame


class RegionReader:
    """Splits checked tables into regions.

    Parameters
    ----------
    regions : mapping from names to columns, sequence of columns, or None
        The columns of counts of each region: a slice, or names, indices or booleans.
        None makes all columns one region.
    vectorizer : transformer, mapping from columns to transformers, or None
        Transformer of a column of text to counts. Every column (or every column that the
        mapping names) is then a region.

    Attributes
    ----------
    names : list of the regions' names
    vectorizers : mapping from names to fitted transformers; empty for counts

    Examples
    --------
    >>> reader = RegionReader({"title": [0], "body": slice(1, None)}, None)
    >>> reader.learn_and_split(np.array([[1, 2, 3]]), "Owner")
    [array([[1]]), array([[2, 3]])]
    >>> reader.split(np.array([[4, 5, 6]]))
    [array([[4]]), array([[5, 6]])]
    """

    def __init__(self, regions: Any, vectorizer: Any) -> None:
        self._regions, self._vectorizer = regions, vectorizer
        self.names: list[str] = []
        self.vectorizers: dict[str, Any] = {}

    def learn_and_split(self, X: Table, owner: str) -> list[Matrix]:
        """Learn the columns, or the words, of each region, and return the regions of X.

        `owner` is named in errors.
        """
        self._owner = owner
        if self._vectorizer is None:
            selections = _selections(owner, self._regions)
            self._columns = {
                name: _positions(owner, name, wanted, X) for name, wanted in selections.items()
            }
            self.names = list(self._columns)
            return self.split(X)
        if self._regions is not None:
            raise ValueError(
                f"{owner}: regions must be None with a vectorizer, whose regions are the columns "
                f"of text, got {self._regions!r}"
            )
        if issparse(X):
            raise TypeError(f"{owner}: X must have columns of text for a vectorizer, got numbers")
        names = column_names(X)
        wanted = self._vectorizer
        chosen = wanted if isinstance(wanted, Mapping) else dict.fromkeys(names, wanted)
        for name in chosen:
            if name not in names:
                raise ValueError(
                    f"{owner}: vectorizer must name columns of X, got {name!r}, not in {names}"
                )
        self.names = list(chosen)
        self._columns = {name: np.array([names.index(name)]) for name in chosen}
        self.vectorizers = {name: clone(transformer) for name, transformer in chosen.items()}
        return [
            _fit_transform(transformer, self._texts(X, name))
            for name, transformer in self.vectorizers.items()
        ]

    def _check_fitted_state(self) -> None:
        names = check_texts(self, "names")
        fits = names and isinstance(self._columns, dict) and list(self._columns) == names
        require(fits, self, "_columns", "the columns of each region")
        for columns in self._columns.values():
            fits = type(columns) is np.ndarray and columns.ndim == 1 and columns.dtype.kind == "i"
            require(fits and len(columns), self, "_columns", "whole numbers")
        fits = isinstance(self.vectorizers, dict) and list(self.vectorizers) in ([], names)
        require(fits, self, "vectorizers", "one for each region")
        for vectorizer in self.vectorizers.values():
            require(hasattr(vectorizer, "transform"), self, "vectorizers", "transformers")

    def split(self, X: Table) -> list[Matrix]:
        """Return the tables of counts of the regions."""
        if self.vectorizers:
            return [
                vectorizer.transform(self._texts(X, name))
                for name, vectorizer in self.vectorizers.items()
            ]
        return [take_columns(X, columns) for columns in self._columns.values()]

    def _texts(self, X: Table, name: str) -> list[str]:
        """Return the texts of a column; a missing text is an empty text."""
        column = take_columns(X, self._columns[name])
        if is_frame(column):
            values = nw.from_native(column, eager_only=True).get_column(name).to_list()
        else:
            values = column[:, 0].tolist()
        texts = ["" if is_missing(value) else value for value in values]
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                raise TypeError(
                    f"{self._owner}: column {name!r} must be text for a vectorizer, got {text!r} "
                    f"in row {row}"
                )
        return texts


def _fit_transform(transformer: Any, texts: list[str]) -> Matrix:
    """Fit a transformer, and return what `transform` returns for the same texts."""
    if type(transformer) is not CountVectorizer:
        return transformer.fit(texts).transform(texts)
    # Its fit counts the words too: they are counted once. Only the order within rows differs.
    counts = transformer.fit_transform(texts)
    counts.sort_indices()
    return counts


def _selections(owner: str, regions: Any) -> dict[str, Any]:
    if regions is None:
        return {"all": slice(None)}
    if isinstance(regions, Mapping):
        selections = {str(name): wanted for name, wanted in regions.items()}
    elif isinstance(regions, Sequence) and not isinstance(regions, str):
        selections = {f"region{k}": wanted for k, wanted in enumerate(regions)}
    else:
        raise TypeError(
            f"{owner}: regions must be a mapping from names to columns, a list of columns for each "
            f"region, or None, got {regions!r}"
        )
    if not selections:
        raise ValueError(f"{owner}: regions must name at least one region, got {regions!r}")
    return selections


def _positions(owner: str, region: str, wanted: Any, X: Table) -> Array:
    """Return the indices of the columns of a region."""
    n_columns = X.shape[1]
    if isinstance(wanted, str):
        wanted = [wanted]
    if not isinstance(wanted, slice):
        wanted = list(wanted)
        if any(isinstance(item, str) for item in wanted):
            place = {name: j for j, name in enumerate(column_names(X))}
            wanted = [place.get(item, n_columns) for item in wanted]  # n_columns: unknown
        wanted = np.array(wanted) if wanted else np.array([], dtype=np.intp)
    try:
        positions: Array = np.arange(n_columns)[wanted]
    except (IndexError, TypeError):
        raise ValueError(
            f"{owner}: regions[{region!r}] must be a slice, names, indices or booleans of the "
            f"{n_columns} columns of X, got {wanted!r}"
        ) from None
    if positions.ndim != 1 or len(positions) == 0:
        raise ValueError(f"{owner}: regions[{region!r}] must have columns, got {wanted!r}")
    return positions
