"""Class labels → integer codes."""

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from augury.kernels import code_integers, codes_present

Array = NDArray[Any]


def encode_target(
    owner: str, y: ArrayLike | None, n_samples: int | None = None
) -> tuple[Array, Array]:
    """Return the sorted classes and, for each row, the index of its class.

    A pandas categorical keeps all its declared categories as classes, also those
    without a row: published smoothing counts them. Everything else has the classes
    that are present.

    >>> encode_target("NaiveBayes", ["b", "a", "b"])
    (array(['a', 'b'], dtype='<U1'), array([1, 0, 1], dtype=int32))
    """
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None")
    if hasattr(y, "cat") or hasattr(y, "categories"):
        classes, codes = _encode_categorical(owner, y)
    else:
        classes, codes = _encode_values(owner, y)
    if n_samples is not None and len(codes) != n_samples:
        raise ValueError(
            f"{owner}: y must have one label for each row, got {len(codes)} labels for "
            f"{n_samples} rows: inconsistent numbers of samples"
        )
    return classes, codes


def code_known_classes(owner: str, y: ArrayLike, classes: Array, n_samples: int) -> Array:
    """Return the index of each row's label in `classes`, all of which were given before."""
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
    """Raise unless there is something to tell apart."""
    if len(classes) < 2:
        raise ValueError(
            f"{owner}: y must have at least 2 classes, got one class: {classes.tolist()[0]!r}"
        )


def _missing_label(owner: str, row: int) -> ValueError:
    return ValueError(
        f"{owner}: y must not have missing values, got one in row {row} (Input y contains NaN)"
    )


def _encode_categorical(owner: str, y: Any) -> tuple[Array, Array]:
    categorical = y.array if hasattr(y, "array") else y
    codes = np.asarray(categorical.codes)
    if (codes < 0).any():
        raise _missing_label(owner, int(np.argmax(codes < 0)))
    declared = np.asarray(categorical.categories)
    order = np.argsort(declared, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return declared[order], rank[codes]


def _encode_values(owner: str, y: ArrayLike) -> tuple[Array, Array]:
    labels: Array = column_or_1d(_as_array(y), warn=True)
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
    if labels.dtype.kind in "OTU":
        return _encode_objects(owner, labels)
    check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.int32)


def _as_array(y: ArrayLike) -> Array:
    return y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)


def _encode_integers(labels: Array) -> tuple[Array, Array]:
    coded = code_integers(labels.reshape(-1, 1))
    if coded is None:
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes.astype(np.int32)
    codes, lo, hi = coded
    width = int(hi[0] - lo[0]) + 1
    present = np.flatnonzero(codes_present(codes[:, 0], width, complete=True)[0])
    classes = (present + lo[0]).astype(labels.dtype)
    if len(present) == width:
        return classes, codes[:, 0].astype(np.int32)
    rank = np.zeros(int(present[-1]) + 1, dtype=np.int32)
    rank[present] = np.arange(len(present), dtype=np.int32)
    return classes, rank[codes[:, 0]]


def _encode_objects(owner: str, labels: Array) -> tuple[Array, Array]:
    seen: dict[Hashable, int] = {}
    codes = np.empty(len(labels), dtype=np.int32)
    for row, label in enumerate(labels.tolist()):
        # NaN, NaT and pandas' NA are the values that do not equal themselves.
        if label is None or type(label).__name__ == "NAType" or label != label:
            raise _missing_label(owner, row)
        codes[row] = seen.setdefault(label, len(seen))
    kinds = {type(label).__name__ for label in seen}
    if len(kinds) > 1:
        raise TypeError(f"{owner}: y must be labels of one type, got a mix of {sorted(kinds)}")
    distinct = np.array(list(seen)) if labels.dtype.kind != "O" else _object_array(list(seen))
    check_classification_targets(distinct)
    order = np.argsort(distinct, kind="stable")
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return distinct[order].astype(labels.dtype), rank[codes]


def _object_array(values: list[Any]) -> Array:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
