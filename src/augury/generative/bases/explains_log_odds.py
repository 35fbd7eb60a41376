"""Why a model says so: the log odds of a row, feature by feature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array
from augury.validation import is_pandas

if TYPE_CHECKING:
    import pandas as pd


class ExplainsLogOdds(ABC):
    """For models whose log p(c, x) is a sum over the prior and the features.

    A model writes `_log_terms`.
    """

    classes_: Array
    _check_input: Callable[..., Any]  # these two are the base's
    _read: Callable[[Any], Any]

    @abstractmethod
    def _log_terms(self, rows: Any) -> tuple[list[str], Array]:
        """Return names and terms of shape (n_samples, n_terms, n_classes).

        The first term is the prior; the terms of a row and class sum to log p(c, x).
        """

    def explain(self, X: Any, positive: Any = None, negative: Any = None) -> pd.DataFrame:
        """Return what the prior and each feature add to the log odds of each row.

        The columns of a row sum to log p(positive | x) - log p(negative | x): above zero
        they speak for the one class, below for the other.

        Parameters
        ----------
        X : rows, as in `predict`
        positive, negative : two classes, or None
            Neither: of two classes the second against the first; of more, for each row
            its most probable class against the next. One of them: against the most
            probable of the others.

        Returns
        -------
        DataFrame
            A row for each row of X; columns `prior` and the features' names.
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
        # Where one of the two is open: the best class that is not the other.
        if negative is None:
            under = np.where(ranked[:, 0] == over, ranked[:, 1], ranked[:, 0])
        elif positive is None:
            over = np.where(ranked[:, 0] == under, ranked[:, 1], ranked[:, 0])
        odds = terms[rows, :, over] - terms[rows, :, under]
        return pd.DataFrame(odds, columns=names, index=X.index if is_pandas(X) else None)

    def _class_index(self, parameter: str, label: Any) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) != 1:
            raise ValueError(
                f"{type(self).__name__}.explain: {parameter} must be one of the classes "
                f"{self.classes_.tolist()}, got {label!r}"
            )
        return int(found[0])


def look_up_terms(codes: Array, log_table: Array, offsets: Array) -> Array:
    """Return for each row and column the log factors that its code names."""
    slots = codes.astype(np.int64) + offsets[:-1]
    terms: Array = log_table[slots]
    return terms
