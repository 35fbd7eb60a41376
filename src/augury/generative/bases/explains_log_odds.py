"""Base class of the models that split the log odds of a row into contributions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.foreign import Table
from augury.generative.bases.training_rows import ReadRows
from augury.validation import is_pandas

if TYPE_CHECKING:
    import pandas as pd


class ExplainsLogOdds(ABC):
    """Mixin of the models whose log p(c, x) is a sum over the prior and the features.

    A subclass writes `_log_terms`; `explain` follows. The other base of the subclass is a
    `GenerativeClassifier`.
    """

    classes_: Array
    # Methods of `GenerativeClassifier`.
    _check_input: Callable[..., Table]
    _read: Callable[[Table], ReadRows]

    @abstractmethod
    def _log_terms(self, rows: ReadRows) -> tuple[list[str], Array]:
        """Return names and terms of shape (n_samples, n_terms, n_classes).

        The first term is the prior; the terms of a row and class sum to log p(c, x).
        """

    def explain(
        self, X: Table, positive: Hashable = None, negative: Hashable = None
    ) -> pd.DataFrame:
        """Return the contributions of the prior and of each feature to the log odds of each row.

        The contributions of a row sum to log p(positive | x) - log p(negative | x). Those
        above zero favour the positive class, those below zero the negative class.

        Parameters
        ----------
        X : rows, as in `predict`
        positive, negative : two classes, or None
            If both are None, the second of two classes against the first; with more
            classes, the most probable class of each row against the next. If one is None,
            the other one against the most probable of the remaining classes.

        Returns
        -------
        DataFrame
            One row for each row of X; the columns are `prior` and the names of the features.
        """
        import pandas as pd

        check_is_fitted(self)
        names, terms = self._log_terms(self._read(self._check_input(X, reset=False)))
        total = terms.sum(axis=1)
        if positive is None and negative is None and len(self.classes_) == 2:
            positive, negative = self.classes_[1], self.classes_[0]
        ranked = np.argsort(-total, axis=1, kind="stable")
        rows = np.arange(len(total))
        over = under = ranked[:, 0]
        if positive is not None:
            over = np.full(len(total), self._class_index("positive", positive))
        if negative is not None:
            under = np.full(len(total), self._class_index("negative", negative))
        # If one of the two is None: the most probable class that is not the other.
        if negative is None:
            under = np.where(ranked[:, 0] == over, ranked[:, 1], ranked[:, 0])
        elif positive is None:
            over = np.where(ranked[:, 0] == under, ranked[:, 1], ranked[:, 0])
        odds = terms[rows, :, over] - terms[rows, :, under]
        return pd.DataFrame(odds, columns=names, index=X.index if is_pandas(X) else None)

    def _class_index(self, parameter: str, label: Hashable) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) != 1:
            raise ValueError(
                f"{type(self).__name__}.explain: {parameter} must be one of the classes "
                f"{self.classes_.tolist()}, got {label!r}"
            )
        return int(found[0])


def look_up_terms(codes: Array, log_table: Array, offsets: Array) -> Array:
    """Return the log factors of each row and column, looked up by its code."""
    slots = codes.astype(np.int64) + offsets[:-1]
    terms: Array = log_table[slots]
    return terms
