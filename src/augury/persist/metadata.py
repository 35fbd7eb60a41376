"""Metadata of a saved model, readable without loading the model."""

import json
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Self

import narwhals as nw
import pandas as pd
from scipy.sparse import issparse

from augury import __version__
from augury.data.errors import shorten
from augury.encode.columns import column_names, nominal_by_dtype
from augury.foreign import Table
from augury.persist.errors import ModelFileError
from augury.validation import as_matrix, is_frame, is_pandas

# Others, such as dates, are read by earlier steps of a pipeline.
LABELS, NUMBERS, OTHERS = "labels", "numbers", "others"
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas")


@dataclass(frozen=True)
class ModelColumn:
    """A column that the model was fitted to.

    Parameters
    ----------
    name : its name; x0, x1, … where the table had none
    kind : "labels", "numbers" or "others" (dates, say), by its type; None if unknown
    dtype : name of the type in the library of the table; None if unknown
    """

    name: str
    kind: str | None = None
    dtype: str | None = None


@dataclass(frozen=True)
class ModelMetadata:
    """Metadata of a saved model.

    Parameters
    ----------
    model : the class of the model
    parameters : the model as it prints itself, with the parameters that are not defaults
    columns : the columns in the model's order
    named : whether these names are the table's own
    classes : the classes in the order of `predict_proba`
    target : name of the column that held them, or None
    n_rows : number of training rows, or None
    created : when it was saved, in UTC
    versions : of augury, Python and the libraries that made the model
    """

    model: str
    parameters: str
    columns: tuple[ModelColumn, ...]
    named: bool
    classes: tuple[str | int | float | bool, ...]
    target: str | None
    n_rows: int | None
    created: str
    versions: dict[str, str]

    def select_columns(self, frame: Table, source: str = "X", *, check_kinds: bool = True) -> Table:
        """Return the columns of a table that the model needs, in its order.

        The table is a frame of pandas, polars or pyarrow, an array or a list of rows, and so is
        the result; a list becomes an array.

        Other columns, such as the target, are left out. A frame that lacks a column, or has
        labels in a column of numbers, is refused; `source` names it in the message. Without
        `check_kinds` the model itself checks the types, as `TidyColumns` does.

        Examples
        --------
        >>> import pandas as pd
        >>> from augury.persist import ModelColumn, ModelMetadata
        >>> metadata = ModelMetadata(
        ...     "NaiveBayes", "NaiveBayes()", (ModelColumn("sky", "labels", "str"),), True,
        ...     ("in", "out"), "place", 6, "2026-01-01T00:00:00+00:00", {},
        ... )
        >>> metadata.select_columns(pd.DataFrame({"day": [1], "sky": ["sun"]}))
           sky
        0  sun
        >>> metadata.select_columns(pd.DataFrame({"sky": [3.5]}), "days.csv")
        Traceback (most recent call last):
        ...
        augury.persist.errors.ModelFileError: days.csv: column 'sky' has numbers, where the model
        knows labels (its type was str): give it the type that it had when the model was fitted
        """
        frame = _as_table(frame, source, len(self.columns))
        if self.named:
            wanted = [column.name for column in self.columns]
            there = {name: j for j, name in enumerate(column_names(frame))}
            absent = [name for name in wanted if name not in there]
            if absent:
                raise ModelFileError(
                    f"{source}: the model needs columns that are not there: {shorten(absent)}; "
                    f"there are {shorten(list(there))}"
                )
            frame = _take_columns(frame, [there[name] for name in wanted])
        elif frame.shape[1] != len(self.columns):
            raise ModelFileError(
                f"{source}: has {frame.shape[1]} columns, the model was fitted to "
                f"{len(self.columns)} without names"
            )
        if check_kinds:
            self._check_kinds(frame, source)
        return frame

    def check_describes(self, model: Any) -> None:
        """Raise `ValueError` unless columns and classes are those of the model."""
        own = getattr(model, "feature_names_in_", None)
        names = [column.name for column in self.columns]
        if self.named != (own is not None):
            raise ValueError("it says otherwise whether the columns have names")
        if own is not None and names != [str(name) for name in own]:
            raise ValueError(f"its columns are {shorten(names)}, the model's {shorten(list(own))}")
        n_columns = getattr(model, "n_features_in_", len(names))
        if len(names) != n_columns:
            raise ValueError(f"it has {len(names)} columns, the model {n_columns}")
        classes = getattr(model, "classes_", None)
        known = [] if classes is None else classes.tolist()
        if list(self.classes) != known:
            raise ValueError(
                f"its classes are {shorten(list(map(str, self.classes)))}, the model's "
                f"{shorten(list(map(str, known)))}"
            )

    def _check_kinds(self, frame: Table, source: str) -> None:
        for j, (column, kind) in enumerate(zip(self.columns, _kinds(frame), strict=True)):
            # The type of a column without values depends on the reader.
            if column.kind in (None, kind) or _is_empty(frame, j):
                continue
            raise ModelFileError(
                f"{source}: column {column_names(frame)[j]!r} has {kind}, where the model knows "
                f"{column.kind} (its type was {column.dtype}): give it the type that it had when "
                "the model was fitted"
            )

    def to_json(self) -> bytes:
        """Return the metadata as JSON text."""
        return json.dumps(asdict(self), indent=1).encode()

    @classmethod
    def from_json(cls, parsed: dict[str, Any]) -> Self:
        """Return the metadata of a text that `to_json` wrote, or raise `ValueError`."""
        if set(parsed) != set(_FIELDS):
            raise ValueError(f"it must have {', '.join(_FIELDS)}")
        for name, types in _FIELDS.items():
            _require(name, parsed[name], *types)
        for label in parsed["classes"]:
            _require("a class", label, str, int, float, bool)
        for package, number in parsed["versions"].items():
            _require(f"the version of {package}", number, str)
        columns = tuple(_column_from_json(column) for column in parsed["columns"])
        return cls(**(parsed | {"columns": columns, "classes": tuple(parsed["classes"])}))


_FIELDS: dict[str, tuple[type | None, ...]] = {
    "model": (str,),
    "parameters": (str,),
    "columns": (list,),
    "named": (bool,),
    "classes": (list,),
    "target": (str, None),
    "n_rows": (int, None),
    "created": (str,),
    "versions": (dict,),
}


def _require(name: str, value: Any, *types: type | None) -> None:
    if (None if value is None else type(value)) not in types:
        raise ValueError(f"{name} is {value!r:.40}")


def _column_from_json(parsed: Any) -> ModelColumn:
    _require("a column", parsed, dict)
    if set(parsed) != {"name", "kind", "dtype"}:
        raise ValueError("a column must have name, kind, dtype")
    _require("the name of a column", parsed["name"], str)
    _require("the type of a column", parsed["dtype"], str, None)
    if parsed["kind"] not in (LABELS, NUMBERS, OTHERS, None):
        raise ValueError(f"the kind of a column is {parsed['kind']!r:.40}")
    return ModelColumn(**parsed)


def describe_model(
    model: Any, X: Any, target: str | None, n_rows: int | None = None
) -> ModelMetadata:
    """Return the metadata of a fitted model and of the table `X` that it was fitted to.

    `n_rows` is the number of training rows, if `X` holds only some of them.
    """
    if X is not None:
        X = _as_table(X, "save_model", getattr(model, "n_features_in_", None))
    if n_rows is None and X is not None:
        n_rows = int(X.shape[0])
    classes = getattr(model, "classes_", None)
    own = getattr(model, "feature_names_in_", None)
    columns = _columns_of_model(model) if X is None else _columns_of_table(X)
    if X is not None:
        names = _columns_of_model(model) if own is not None else columns
        if len(columns) != getattr(model, "n_features_in_", len(columns)) or (
            [c.name for c in columns] != [c.name for c in names]
        ):
            raise ValueError(
                f"save_model: X must be the table that {type(model).__name__} was fitted to, got "
                f"one with other columns: {shorten([c.name for c in columns])}"
            )
    return ModelMetadata(
        model=type(model).__name__,
        parameters=" ".join(repr(model).split()),
        columns=columns,
        named=own is not None,
        classes=() if classes is None else tuple(classes.tolist()),
        target=target,
        n_rows=n_rows,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions={"augury": __version__, "python": platform.python_version()}
        | {package: version(package) for package in PACKAGES},
    )


def _columns_of_model(model: Any) -> tuple[ModelColumn, ...]:
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        names = [f"x{j}" for j in range(getattr(model, "n_features_in_", 0))]
    return tuple(ModelColumn(str(name)) for name in names)


def _as_table(X: Table, owner: str, n_columns: int | None) -> Table:
    """Return a table as it is, and lists and word indices as matrices, as `fit` reads them."""
    return X if is_frame(X) else as_matrix(owner, X, n_columns, accept_sparse=True)


def _take_columns(X: Table, columns: list[int]) -> Table:
    """Return columns of a table, as the same kind of table."""
    if is_pandas(X):
        return X.iloc[:, columns]
    return (
        nw.from_native(X, eager_only=True)[:, columns].to_native() if is_frame(X) else X[:, columns]
    )


def _is_empty(X: Table, j: int) -> bool:
    """Return whether a column has no value."""
    if is_frame(X) and not is_pandas(X):
        return bool(nw.from_native(X, eager_only=True)[:, j].is_null().all())
    column = X.iloc[:, j] if is_pandas(X) else X[:, [j]]
    return not issparse(column) and bool(pd.isna(column).all())


def _columns_of_table(X: Any) -> tuple[ModelColumn, ...]:
    if is_pandas(X):
        dtypes = [str(dtype) for dtype in X.dtypes]
    elif is_frame(X):
        schema = nw.from_native(X, eager_only=True).schema
        dtypes = [str(dtype) for dtype in schema.values()]
    else:
        dtypes = [str(X.dtype)] * X.shape[1]
    return tuple(map(ModelColumn, column_names(X), _kinds(X), dtypes))


def _kinds(X: Any) -> list[str]:
    try:
        return [LABELS if nominal else NUMBERS for nominal in nominal_by_dtype(X)]
    except TypeError:  # a column that no model reads; the other columns still have a kind
        if not is_frame(X) or X.shape[1] == 1:
            return [OTHERS] * X.shape[1]
        frame = nw.from_native(X, eager_only=True)
        return [_kinds(frame[:, [j]].to_native())[0] for j in range(X.shape[1])]
