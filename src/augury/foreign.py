"""Types of what other libraries give us: tables, labels, estimators and splitters.

pandas, polars, pyarrow and scikit-learn ship no types that we could name. `Table` and `Labels`
are therefore `Any` to a type checker; their names say what a function accepts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

# A data frame (pandas, polars, pyarrow), a NumPy array, a list of rows, or a table that
# `augury.encode` has wrapped.
Table: TypeAlias = Any
# The class of each row: an array, a list, or a column of a data frame.
Labels: TypeAlias = Any
# A NumPy matrix, or a sparse matrix of SciPy, which has no types.
Matrix: TypeAlias = Any
# What JSON can hold.
Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None


class Estimator(Protocol):
    """Any scikit-learn estimator."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters."""
        ...

    def set_params(self, **params: Any) -> Any:
        """Set parameters; return the estimator."""
        ...


class Classifier(Estimator, Protocol):
    """Any scikit-learn classifier; `predict_proba` and `classes_` may be absent."""

    def fit(self, X: Table, y: Labels) -> Any:
        """Fit the classifier; return it."""
        ...

    def predict(self, X: Table) -> Any:
        """Return the predicted class of each row."""
        ...


class Splitter(Protocol):
    """Any scikit-learn splitter; one with `n_repeats` numbers its runs."""

    def split(self, X: Table, y: Labels = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        """Yield the indices of training and test rows of each fold."""
        ...

    def get_n_splits(self, X: Table = None, y: Labels = None, groups: Any = None) -> int:
        """Return the number of folds over all runs."""
        ...


__all__ = ["Classifier", "Estimator", "Json", "Labels", "Matrix", "Splitter", "Table"]
