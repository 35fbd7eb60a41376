"""Checks of parameters and inputs.

Every message has the form `Owner: name must be …, got …`.
"""

import sys
import warnings
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

import narwhals as nw
import numpy as np
from joblib import cpu_count
from numpy.typing import ArrayLike
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from augury.arrays import Array, FloatArray
from augury.foreign import Estimator, Labels, Table

# float64 holds every integer up to this one.
_MAX_ROWS = 2.0**53
# A smaller share of the largest weight is lost by rounding when both are added.
_NEGLIGIBLE = 2.0**-53
# The sum of shares may exceed 1 by this much: shares may be float32, and AdaBoost raises each to
# the smallest step of float64.
_SHARE_ROUNDING = 1e-6
# Modules that fit the models inside other models.
_MODEL_FOLDERS = tuple(
    f"augury.{name}." for name in ("bases", "decide", "ensemble", "generative", "hybrid")
)


def _fail(owner: str, name: str, allowed: str, value: object) -> ValueError:
    return ValueError(f"{owner}: {name} must be {allowed}, got {value!r}")


def check_number(
    owner: str,
    name: str,
    value: object,
    *,
    at_least: float = -np.inf,
    above: float = -np.inf,
    at_most: float = np.inf,
) -> float:
    """Return `value` as a float if it is a finite real number within the bounds."""
    allowed = f"a number > {above:g}" if above > at_least else f"a number >= {at_least:g}"
    if np.isfinite(at_most):
        allowed += f" and <= {at_most:g}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(str(_fail(owner, name, allowed, value)))
    if not np.isfinite(float(value)) or float(value) < at_least or float(value) <= above:
        raise _fail(owner, name, allowed, value)
    if float(value) > at_most:
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


def check_flag(owner: str, name: str, value: object) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(str(_fail(owner, name, "True or False", value)))
    return bool(value)


def check_sample_weight(
    owner: str, sample_weight: ArrayLike | None, n_samples: int
) -> FloatArray | None:
    """Return weights as float64; None means that every row counts once."""
    if sample_weight is None:
        return None
    series = as_series(sample_weight)
    weight = np.asarray(sample_weight if series is None else series.to_numpy())
    if weight.dtype.kind not in "buif":
        raise _fail(owner, "sample_weight", "numbers", weight.dtype)
    if weight.ndim == 0:
        weight = np.full(n_samples, weight)
    if weight.shape != (n_samples,):
        raise _fail(
            owner, "sample_weight", f"of shape ({n_samples},), one for each row", weight.shape
        )
    weight = np.require(weight, np.float64, ["C", "A"])  # as the kernels require
    if not np.isfinite(weight).all():
        raise _fail(owner, "sample_weight", "finite", weight[~np.isfinite(weight)][0].item())
    if (weight < 0).any():
        raise _fail(owner, "sample_weight", ">= 0", weight[weight < 0][0].item())
    if not (weight > 0).any():
        raise ValueError(f"{owner}: sample_weight must not be zero for every row")
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    if not total <= _MAX_ROWS:
        raise ValueError(
            f"{owner}: sample_weight must sum to at most 2**53 = {_MAX_ROWS:.3g}, got a sum of "
            f"{total:.3g}. Weights are numbers of rows, and larger numbers of rows do not add "
            "exactly: divide the weights by a constant"
        )
    return _without_negligible(owner, weight)


def _without_negligible(owner: str, weight: FloatArray) -> FloatArray:
    """Return weights in which those that are lost beside the largest are zero."""
    negligible = (weight > 0) & (weight < _NEGLIGIBLE * weight.max())
    if not negligible.any():
        return weight
    warnings.warn(
        f"{owner}: sample_weight must be at least 2**-53 times the largest to count, got "
        f"{np.count_nonzero(negligible)} smaller weights, such as {weight[negligible][0]:.3g} "
        f"beside {weight.max():.3g}: they are set to zero",
        stacklevel=5,
    )
    return np.where(negligible, 0.0, weight)


def check_training_weight(
    owner: str, sample_weight: ArrayLike | None, n_samples: int, *, stacklevel: int | None = None
) -> FloatArray | None:
    """Return the weights of `fit` as numbers of rows; None means that every row counts once.

    Weights that sum to more than 1 are numbers of rows. Weights that sum to at most 1 are
    shares: scikit-learn's meta-estimators normalise weights in this way. Shares are multiplied
    by a constant, so that their mean over the rows with a positive weight is 1; equal shares become
    None. One row of weight 1 is the same by both rules.

    The rule applies to all rows of a model at once. The statistics of batches (`partial_fit`,
    `collect`) are added, and a constant for each batch would change the relation between
    batches. The weights of batches are therefore always numbers of rows, see
    `check_sample_weight`.

    With a `stacklevel`, a warning is issued if weights sum to more than 1 and less than two rows.

    >>> check_training_weight("Model", [0.125, 0.125, 0.0, 0.25], 4)
    array([0.75, 0.75, 0.  , 1.5 ])
    >>> check_training_weight("Model", [1.0, 1.0, 0.0, 2.0], 4)
    array([1., 1., 0., 2.])
    """
    weight = check_sample_weight(owner, sample_weight, n_samples)
    if weight is None:
        return None
    unit = share_unit(weight)
    if unit is not None:
        weight = shares_to_rows(weight, unit)
    elif stacklevel is not None:
        warn_of_light_weights(owner, weight, stacklevel=stacklevel + 1)
    # Products with a weight of 1 are rounded in another order on some machines.
    return None if (weight == 1.0).all() else weight


def share_unit(weight: FloatArray) -> tuple[float, float] | None:
    """Return the unit for `shares_to_rows` if weights are shares, otherwise None."""
    if weight.sum() > 1.0 + _SHARE_ROUNDING:
        return None
    largest = float(weight.max())
    # Division by the largest first, since the reciprocal of the smallest numbers is infinite.
    return largest, np.count_nonzero(weight) / float((weight / largest).sum())


def shares_to_rows(weight: FloatArray, unit: tuple[float, float]) -> FloatArray:
    """Return shares, or some of the shares for which `unit` was computed, as numbers of rows."""
    largest, rows = unit
    return np.asarray(weight / largest * rows)


def warn_of_light_weights(owner: str, weight: FloatArray | None, *, stacklevel: int) -> None:
    """Warn if weights, which are numbers of rows, sum to less than two rows.

    A model that another model fits says nothing: the outer one has warned of the weights.
    """
    if weight is None or weight.sum() >= min(2, np.count_nonzero(weight)):
        return
    if not _is_in_model(stacklevel):
        warnings.warn(
            f"{owner}: sample_weight sums to {weight.sum():.3g}, less than two rows. Weights are "
            "numbers of rows: multiply them by a constant",
            stacklevel=stacklevel,
        )


def _is_in_model(stacklevel: int) -> bool:
    """Return whether the caller of `warn_of_light_weights` at this level is a module of models."""
    try:
        caller = sys._getframe(stacklevel).f_globals.get("__name__", "")
    except ValueError:  # there are fewer callers
        return False
    return str(caller).startswith(_MODEL_FOLDERS)


def check_distribution(owner: str, name: str, value: ArrayLike, n: int) -> FloatArray:
    """Return `value` as n probabilities that sum to one."""
    allowed = f"{n} probabilities, one for each class"
    try:
        distribution = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise _fail(owner, name, allowed, value) from None
    if distribution.shape != (n,):
        raise _fail(owner, name, allowed, value)
    if (distribution < 0).any() or not np.isclose(distribution.sum(), 1.0):
        raise _fail(owner, name, "non-negative and sum to 1", value)
    return distribution


def check_threads(owner: str, n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` requests (None: 1; -1: one for each core).

    The cores are those that this process may use. Unlike joblib's `effective_n_jobs`, the
    number is the same in a worker process, which may start threads but no processes.
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, Integral) or n_jobs == 0:
        raise _fail(owner, "n_jobs", "None or an integer other than 0", n_jobs)
    wanted = int(n_jobs)
    return wanted if wanted > 0 else max(1, int(cpu_count()) + 1 + wanted)


def check_table(
    estimator: Estimator, X: Table, *, reset: bool, accept_sparse: bool = False
) -> Table:
    """Return X as a data frame or a two-dimensional array with the estimator's columns.

    Frames keep their dtypes and missing values. Sparse matrices and `WordIndices`, if accepted,
    become CSR.
    """
    owner = type(estimator).__name__
    if is_read_once(X):
        pass  # its rows have been checked before
    elif is_frame(X):
        _check_frame(owner, X)
    else:
        n_columns = None if reset else getattr(estimator, "n_features_in_", None)
        X = as_matrix(owner, X, n_columns, accept_sparse=accept_sparse)
    _check_columns(estimator, X, reset=reset)
    return X


def as_matrix(owner: str, X: Table, n_columns: int | None, *, accept_sparse: bool) -> Array:
    """Return a table that is no frame as an array or a sparse matrix; see `check_table`."""
    if is_word_indices(X):
        if not accept_sparse:
            raise TypeError(
                f"{owner}: X must be a table, got WordIndices; only models that read sparse "
                "matrices, such as MultinomialNaiveBayes, take word indices"
            )
        X = X.to_counts(owner, n_columns)
    return _check_matrix(owner, X, accept_sparse=accept_sparse)


def remember_columns(estimator: Estimator, X: Table) -> None:
    """Set `n_features_in_` and `feature_names_in_` from a table that has been checked."""
    _check_columns(estimator, X, reset=True)


def _check_columns(estimator: Estimator, X: Table, *, reset: bool) -> None:
    """Set or compare `n_features_in_` and `feature_names_in_`, as scikit-learn does."""
    if not reset and _has_columns_of(estimator, X):
        return
    if is_read_once(X) and reset:  # what scikit-learn's check sets, in less time
        names = np.array(X.column_names(), dtype=object)
        vars(estimator).update(n_features_in_=X.shape[1], feature_names_in_=names)
        return
    columns = X.header if is_read_once(X) else X
    validate_data(estimator, columns, reset=reset, skip_check_array=True)


def _has_columns_of(estimator: Estimator, X: Table) -> bool:
    """Return whether X has the columns of a fitted estimator, by a quick comparison.

    scikit-learn's own check gives the same answer, but takes longer than a prediction of a row.
    If the answer is False, scikit-learn's check decides, and words the error.
    """
    if is_read_once(X):  # the model that contains this one has compared the names
        return bool(X.shape[1] == getattr(estimator, "n_features_in_", None))
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        return type(X) is np.ndarray and X.shape[1] == getattr(estimator, "n_features_in_", None)
    given = X.columns.tolist() if is_pandas(X) else None
    return bool(given == names.tolist())


def is_read_once(X: Table) -> bool:
    """Return whether X is a `ReadOnce` table, whose rows have been checked before."""
    return getattr(type(X), "reads_columns_once", False) is True


def is_word_indices(X: Table) -> bool:
    """Return whether X is an `augury.encode.WordIndices`."""
    return getattr(type(X), "counts_words", False) is True


def _check_frame(owner: str, X: Table) -> None:
    n_rows, n_columns = X.shape
    if n_rows == 0:
        raise ValueError(f"{owner}: X must have rows: Found array with 0 sample(s)")
    if n_columns == 0:
        raise ValueError(f"{owner}: X must have columns: Found array with 0 feature(s)")
    # The attribute `columns` of a pyarrow table holds the columns themselves.
    names = [str(name) for name in getattr(X, "column_names", X.columns)]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"{owner}: X must have columns with different names, got {twice!r} more than once"
        )


def is_frame(X: Table) -> bool:
    """Return whether X is a data frame that narwhals supports (pandas, polars, pyarrow)."""
    if isinstance(X, np.ndarray):
        return False
    return is_pandas(X) or bool(nw.dependencies.is_into_dataframe(X))


def is_estimator(thing: object) -> bool:
    """Return whether an object, not a class, can be cloned and fitted."""
    return not isinstance(thing, type) and hasattr(thing, "get_params") and hasattr(thing, "fit")


def is_pandas_categorical(y: Labels) -> bool:
    """Return whether y is a pandas categorical (series, index or array)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(getattr(y, "dtype", None), pandas.CategoricalDtype)


def as_series(y: Labels) -> nw.Series[Any] | None:
    """Return a polars or pyarrow column as a narwhals series, otherwise None."""
    if isinstance(y, np.ndarray):
        return None
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(y, pyarrow.Array):
        y = pyarrow.chunked_array([y])
    series = nw.from_native(y, series_only=True, pass_through=True)
    known = isinstance(series, nw.Series) and not series.implementation.is_pandas_like()
    return series if known else None


def is_pandas(X: Table) -> bool:
    """Return whether X is a pandas frame, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _check_matrix(owner: str, X: Table, *, accept_sparse: bool) -> Array:
    options = {
        "dtype": None,
        "ensure_all_finite": False,
        "estimator": owner,
        "accept_sparse": "csr" if accept_sparse else False,
    }
    if hasattr(X, "to_frame") and not hasattr(X, "__array__"):  # a CategoricalTable
        raise TypeError(
            f"{owner}: X must be a data frame or an array, got {type(X).__name__}: pass the "
            "original table, or its to_frame()"
        )
    if type(X) is np.ndarray and X.ndim == 2 and X.dtype.kind in "biuf" and X.size:
        return X  # what check_array returns, in a fraction of its time
    matrix: Array = check_array(X, **options)
    if matrix.dtype.kind in "SU" and not hasattr(X, "dtype"):
        matrix = check_array(X, **(options | {"dtype": object}))  # a list of mixed rows
    return matrix


__all__ = [
    "Array",
    "as_series",
    "check_choice",
    "check_distribution",
    "check_flag",
    "check_integer",
    "check_number",
    "check_sample_weight",
    "check_table",
    "check_threads",
    "check_training_weight",
    "is_estimator",
    "is_frame",
    "is_pandas",
    "is_pandas_categorical",
    "is_read_once",
    "is_word_indices",
    "remember_columns",
    "share_unit",
    "shares_to_rows",
    "warn_of_light_weights",
]
