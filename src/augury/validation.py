"""Checks of parameters and inputs, with one wording, in one place.

Every message has the form `Owner: name must be …, got …`.
"""

import sys
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

import narwhals as nw
import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

Array = NDArray[Any]


def _fail(owner: str, name: str, allowed: str, value: object) -> ValueError:
    return ValueError(f"{owner}: {name} must be {allowed}, got {value!r}")


def check_number(owner: str, name: str, value: object, *, at_least: float) -> float:
    """Return `value` as a float if it is a finite real number of at least `at_least`."""
    allowed = f"a number >= {at_least:g}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(str(_fail(owner, name, allowed, value)))
    if not np.isfinite(float(value)) or float(value) < at_least:
        raise _fail(owner, name, allowed, value)
    return float(value)


def check_integer(owner: str, name: str, value: object, *, at_least: int) -> int:
    """Return `value` as an int if it is a whole number of at least `at_least`."""
    allowed = f"an integer >= {at_least}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(str(_fail(owner, name, allowed, value)))
    if int(value) < at_least:
        raise _fail(owner, name, allowed, value)
    return int(value)


def check_choice(owner: str, name: str, value: object, choices: Collection[str]) -> str:
    """Return `value` if it is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise _fail(owner, name, "one of " + ", ".join(map(repr, choices)), value)
    return value


def check_sample_weight(
    owner: str, sample_weight: ArrayLike | None, n_samples: int
) -> Array | None:
    """Return weights as float64, or None where every row counts once."""
    if sample_weight is None:
        return None
    weight = np.asarray(sample_weight)
    if weight.dtype.kind not in "buif":
        raise _fail(owner, "sample_weight", "numbers", weight.dtype)
    if weight.ndim == 0:
        weight = np.full(n_samples, weight)
    if weight.shape != (n_samples,):
        raise _fail(
            owner, "sample_weight", f"of shape ({n_samples},), one for each row", weight.shape
        )
    weight = weight.astype(np.float64, copy=False)
    if not np.isfinite(weight).all():
        raise _fail(owner, "sample_weight", "finite", weight[~np.isfinite(weight)][0].item())
    if (weight < 0).any():
        raise _fail(owner, "sample_weight", ">= 0", weight[weight < 0][0].item())
    if not (weight > 0).any():
        raise ValueError(f"{owner}: sample_weight must not be zero for every row")
    return weight


def check_distribution(owner: str, name: str, value: ArrayLike, n: int) -> Array:
    """Return `value` as n probabilities that sum to one."""
    distribution = np.asarray(value, dtype=np.float64)
    if distribution.shape != (n,):
        raise _fail(owner, name, f"{n} probabilities, one for each class", value)
    if (distribution < 0).any() or not np.isclose(distribution.sum(), 1.0):
        raise _fail(owner, name, "non-negative and sum to 1", value)
    return distribution


def check_threads(owner: str, n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` asks for (None: 1; -1: one for each core)."""
    if n_jobs is not None and (not isinstance(n_jobs, Integral) or n_jobs == 0):
        raise _fail(owner, "n_jobs", "None or an integer other than 0", n_jobs)
    return int(effective_n_jobs(n_jobs))


def check_table(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return X as a data frame or a two-dimensional array with the estimator's columns.

    Frames keep their dtypes; nothing is cast, and missing values may stay.
    """
    owner = type(estimator).__name__
    if not is_frame(X):
        X = _check_matrix(owner, X)
    elif X.shape[0] == 0:
        raise ValueError(f"{owner}: X must have rows: Found array with 0 sample(s)")
    # Sets or compares n_features_in_ and feature_names_in_, in scikit-learn's words.
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame that narwhals knows (pandas, polars, pyarrow)."""
    if isinstance(X, np.ndarray):
        return False
    return is_pandas(X) or isinstance(
        nw.from_native(X, eager_only=True, pass_through=True), nw.DataFrame
    )


def is_pandas(X: Any) -> bool:
    """Return whether X is a pandas frame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _check_matrix(owner: str, X: Any) -> Array:
    options = {"dtype": None, "ensure_all_finite": False, "estimator": owner}
    matrix: Array = check_array(X, **options)
    if matrix.dtype.kind in "SU" and not hasattr(X, "dtype"):
        matrix = check_array(X, **(options | {"dtype": object}))  # a list of mixed rows
    return matrix


__all__ = [
    "Array",
    "check_choice",
    "check_distribution",
    "check_integer",
    "check_number",
    "check_sample_weight",
    "check_table",
    "check_threads",
    "is_frame",
    "is_pandas",
]
