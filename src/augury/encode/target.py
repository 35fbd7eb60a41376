"""Class labels become integer codes."""

from numbers import Integral, Real
from types import UnionType
from typing import Any

import narwhals as nw
import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from augury.arrays import Array, IntegerArray
from augury.encode.nominal import distinct_objects, is_missing, object_array
from augury.foreign import Labels
from augury.kernels import code_integers, codes_present, native
from augury.validation import as_series, is_pandas_categorical

_LABELS = (str, Real, np.bool_)


def encode_target(
    owner: str, y: Labels, n_samples: int | None = None
) -> tuple[Array, IntegerArray]:
    """Return the sorted classes and, for each row, the index of its class.

    The classes of a pandas categorical (or a polars Enum) are all its declared categories,
    including those that no row has: published smoothing counts them. The classes of other
    labels are those that occur.

    >>> encode_target("NaiveBayes", ["b", "a", "b"])
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1], dtype=int32))
    """
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    if is_pandas_categorical(y):
        categorical: Any = getattr(y, "array", y)  # a series or an index holds one
        declared = object_array(categorical.categories.tolist())
        classes, codes = _encode_declared(owner, np.asarray(categorical.codes), declared)
    elif (enum := _as_enum(y)) is not None:
        declared = object_array(list(enum.dtype.categories))
        position: dict[Any, int] = {label: k for k, label in enumerate(declared)}
        at = [position.get(label, -1) for label in enum.cast(nw.String).to_list()]
        classes, codes = _encode_declared(owner, np.array(at, dtype=np.int32), declared)
    else:
        classes, codes = _encode_values(owner, y)
    if n_samples is not None and len(codes) != n_samples:
        raise ValueError(
            f"{owner}: y must have one label for each row, got {len(codes)} labels for "
            f"{n_samples} rows: inconsistent numbers of samples"
        )
    return classes, codes


def code_known_classes(owner: str, y: Labels, classes: Array, n_samples: int) -> IntegerArray:
    """Return the index of each row's label in `classes`; raise if a label is not among them."""
    present, codes = encode_target(owner, y, n_samples)
    position = {label: k for k, label in enumerate(classes.tolist())}
    used = np.bincount(codes, minlength=len(present)) > 0
    unknown = [label for label in present[used].tolist() if label not in position]
    if unknown:
        raise ValueError(
            f"{owner}: y must be one of the classes {classes.tolist()}, got {unknown[0]!r}"
        )
    lookup = np.array([position.get(label, -1) for label in present.tolist()], dtype=np.int32)
    return lookup[codes]


def require_two_classes(owner: str, classes: Array) -> None:
    """Raise if there are fewer than two classes."""
    if len(classes) < 2:
        raise ValueError(
            f"{owner}: y must have at least 2 classes, got one class: {classes.tolist()[0]!r}"
        )


def _missing_label(owner: str, row: int) -> ValueError:
    return ValueError(
        f"{owner}: y must not have missing values, got one in row {row} (Input y contains NaN)"
    )


def _bad_label(owner: str, kind: str, row: int) -> TypeError:
    return TypeError(
        f"{owner}: y must be text, whole numbers or booleans, got {kind} in row {row} "
        "(Unknown label type): turn the labels into text"
    )


def declares_classes(y: Labels) -> bool:
    """Return whether the type of y declares its classes."""
    return is_pandas_categorical(y) or _as_enum(y) is not None


def _as_enum(y: Labels) -> Any:
    series = as_series(y)
    return series if series is not None and series.dtype == nw.Enum else None


def _encode_declared(
    owner: str, codes: IntegerArray, declared: Array
) -> tuple[Array, IntegerArray]:
    if (codes < 0).any():
        raise _missing_label(owner, int(np.argmax(codes < 0)))
    try:
        order = np.argsort(declared, kind="stable")
    except TypeError:
        raise _mixed_labels(owner, declared) from None
    return _tidy(declared[order]), _ranks(order)[codes]


def _tidy(labels: Array) -> Array:
    """Return labels as an array of numbers or booleans if all of them are."""
    inferred = np.array(labels.tolist())
    return inferred if inferred.dtype.kind in "biuf" and inferred.ndim == 1 else labels


def _ranks(order: IntegerArray) -> IntegerArray:
    """Return the inverse of a permutation."""
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return ranks


def _encode_values(owner: str, y: Labels) -> tuple[Array, IntegerArray]:
    if getattr(getattr(y, "dtype", None), "name", "") in ("str", "string") and len(y):
        codes, distinct = y.factorize()  # pandas' text, without conversion to Python objects
        if (codes < 0).any():
            raise _missing_label(owner, int(np.argmax(codes < 0)))
        return _sort_classes(object_array(distinct.tolist()), codes)
    labels: Array = column_or_1d(_as_array(owner, y), warn=True)
    if len(labels) == 0:
        raise ValueError(f"{owner}: y must have at least one label, got an empty y")
    if labels.dtype.kind in "iu" and labels.dtype != np.uint64:
        return _encode_integers(labels)
    if labels.dtype.kind == "f":
        if np.isinf(labels).any():
            raise ValueError(
                f"{owner}: y must be finite class labels, got infinity in row "
                f"{int(np.argmax(np.isinf(labels)))} (Input y contains infinity or a value too "
                f"large for {labels.dtype!r})"
            )
        if np.isnan(labels).any():
            raise _missing_label(owner, int(np.argmax(np.isnan(labels))))
    if labels.dtype.kind in "mM":
        raise _bad_label(owner, str(labels.dtype), 0)
    if labels.dtype.kind in "OSTU":
        return _encode_objects(owner, labels)
    _require_classes(owner, labels)
    return _encode_distinct(labels)


def _encode_distinct(labels: Array) -> tuple[Array, IntegerArray]:
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def _require_classes(owner: str, labels: Array) -> None:
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(f"{owner}: y must be class labels: {error}") from None


def _as_array(owner: str, y: Labels) -> Array:
    series = as_series(y)
    if series is not None:  # polars, pyarrow: text and missing values become Python objects
        if series.dtype.is_numeric() and series.null_count() == 0:
            return native(np.asarray(series.to_numpy()))
        return object_array(series.to_list())
    if hasattr(y, "to_numpy"):
        return native(y.to_numpy())
    try:
        labels = np.asarray(y)
    except ValueError:
        raise ValueError(
            f"{owner}: y must be one label for each row, got rows of several"
        ) from None
    # NumPy converts all labels of a list to text if one is text.
    is_converted = isinstance(y, list | tuple) and labels.ndim == 1 and labels.dtype.kind == "U"
    if is_converted and not all(isinstance(label, str) for label in y):
        return object_array(list(y))
    return native(labels)


def _encode_integers(labels: IntegerArray) -> tuple[Array, IntegerArray]:
    coded = code_integers(labels.reshape(-1, 1))
    if coded is None:
        return _encode_distinct(labels)
    codes, lo, hi = coded
    width = int(hi[0] - lo[0]) + 1
    present = np.flatnonzero(codes_present(codes[:, 0], width, complete=True)[0])
    classes = (present + lo[0]).astype(labels.dtype)
    if len(present) == width:
        return classes, codes[:, 0].astype(np.int32)
    rank = np.zeros(int(present[-1]) + 1, dtype=np.int32)
    rank[present] = np.arange(len(present), dtype=np.int32)
    return classes, rank[codes[:, 0]]


def _encode_objects(owner: str, labels: Array) -> tuple[Array, IntegerArray]:
    try:
        codes, seen = distinct_objects(labels)
    except TypeError:  # a label has no hash
        codes, seen = np.full(len(labels), -1), []
    if (codes < 0).any() or not all(isinstance(label, _LABELS) for label in seen):
        raise _first_bad_label(owner, labels)
    distinct = object_array(seen)
    if len({_kind(label) for label in seen}) > 1:
        raise _mixed_labels(owner, distinct)
    classes, codes = _sort_classes(distinct, codes)
    if isinstance(classes[0], str):
        return classes.astype(labels.dtype), codes
    classes = _tidy(classes)
    if classes.dtype.kind == "f":
        _require_classes(owner, classes)
    return classes, codes


def _sort_classes(classes: Array, codes: IntegerArray) -> tuple[Array, IntegerArray]:
    order = np.argsort(classes, kind="stable")
    return classes[order], _ranks(order)[codes]


def _first_bad_label(owner: str, labels: Array) -> Exception:
    """Return the error for the first label that is missing or of a wrong type."""
    for row, label in enumerate(labels.tolist()):
        if is_missing(label):
            return _missing_label(owner, row)
        if not isinstance(label, _LABELS):
            return _bad_label(owner, type(label).__name__, row)
    raise AssertionError("every label is of a known type")


def _kind(label: object) -> str:
    kinds: list[tuple[str, type | UnionType]] = [
        ("str", str),
        ("bool", bool | np.bool_),
        ("int", Integral),
        ("float", Real),
    ]
    return next((k for k, types in kinds if isinstance(label, types)), type(label).__name__)


def _mixed_labels(owner: str, labels: Array) -> TypeError:
    kinds = sorted({_kind(label) for label in labels.tolist()})
    return TypeError(f"{owner}: y must be labels of one type, got a mix of {kinds}")
