"""Tables that several models read."""

import narwhals as nw
import numpy as np
import pandas as pd
from scipy import sparse

from augury.arrays import Array
from augury.bases.table_classifier import TableClassifier
from augury.encode.columns import column_names, read_once
from augury.foreign import Estimator, Table
from augury.generative import GenerativeClassifier
from augury.validation import is_frame, is_pandas, is_read_once

# Models that read any table through `TableEncoder`.
_READERS = (TableClassifier, GenerativeClassifier)


def shared_table(X: Table, *models: Estimator) -> Table:
    """Return a table whose columns are read once for all these models.

    The table stays as it is if a model is not one of augury.
    """
    return read_once(X) if all(isinstance(model, _READERS) for model in models) else X


def shared_frame(X: Table, *models: Estimator) -> Table:
    """Return `shared_table` of a data frame; an array, which has no names, stays as it is."""
    return shared_table(X, *models) if is_frame(X) else X


def take_columns(X: Table, columns: Array) -> Table:
    """Return columns, given by a mask or by indices, as the same kind of table.

    >>> take_columns(np.array([[1, 2, 3]]), np.array([True, False, True]))
    array([[1, 3]])
    """
    if is_read_once(X):
        return X.take_columns(np.arange(X.shape[1])[columns].tolist())
    if is_pandas(X):
        return X.iloc[:, columns]
    if is_frame(X):
        frame = nw.from_native(X, eager_only=True)
        return frame[:, np.arange(frame.shape[1])[columns].tolist()].to_native()
    return X[:, columns]


def with_fitted_names(estimator: Estimator, X: Table) -> Table:
    """Return a checked table with the names that the columns had when the estimator was fitted.

    As in scikit-learn, a model that was fitted to a frame predicts an array, and the other way
    round. The models within it know the names of the fit, or x0, x1, … if there were none.
    """
    if sparse.issparse(X) or is_read_once(X):
        return X
    names = getattr(estimator, "feature_names_in_", None)
    if not is_frame(X):
        return X if names is None else pd.DataFrame(X, columns=names).infer_objects()
    if names is not None:
        return X  # the check has compared them
    renamed = [f"x{j}" for j in range(X.shape[1])]
    if is_pandas(X):
        has_names = all(isinstance(name, str) for name in X.columns)
        return X.set_axis(renamed, axis=1) if has_names else X  # numbers are no names
    frame = nw.from_native(X, eager_only=True)
    return frame.rename(dict(zip(frame.columns, renamed, strict=True))).to_native()


def as_frame(X: Table) -> Table:
    """Return an array as a pandas frame, whose columns keep their types beside others."""
    if is_frame(X) or is_read_once(X) or sparse.issparse(X):
        return X
    return pd.DataFrame(X, columns=column_names(X))
