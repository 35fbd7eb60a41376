"""Tables for tests of ONNX models, and predictions of them by onnxruntime."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pandas as pd

from augury.encode import TableEncoder
from augury.interchange import to_onnx


@dataclass(frozen=True)
class Rows:
    """Training rows with their classes, and rows to predict."""

    X: pd.DataFrame
    y: np.ndarray
    new: pd.DataFrame


def mixed_rows(seed: int, classes: list[Any], n_rows: int = 240) -> Rows:
    """Return a table of all kinds of columns, with gaps; the new rows have unseen labels."""
    random = np.random.default_rng(seed)
    y = random.integers(len(classes), size=n_rows)
    shifted = np.where(random.random(n_rows) < 0.6, y, random.integers(len(classes), size=n_rows))
    X = pd.DataFrame(
        {
            "colour": random.choice(["red", "green", "blü", "a b"], n_rows),
            "size": random.normal(size=n_rows) + y,
            "grade": pd.Categorical(
                np.array(["low", "mid", "high"])[shifted % 3], ["low", "mid", "high", "never"]
            ),
            "count": random.poisson(2 + 2 * shifted).astype(np.int64),
            "flag": random.random(n_rows) < 0.2 + 0.3 * (y > 0),
            "amount": random.exponential(1 + y, n_rows).round(1),
        }
    )
    X.loc[random.random(n_rows) < 0.15, "colour"] = None
    X.loc[random.random(n_rows) < 0.15, "size"] = np.nan
    return Rows(X, np.array(classes)[y], _new_rows(X, y, random))


def _new_rows(X: pd.DataFrame, y: np.ndarray, random: np.random.Generator) -> pd.DataFrame:
    """Return rows of the table, with gaps everywhere, unseen labels, and numbers at cut points."""
    new = X.sample(60, random_state=int(random.integers(1 << 30))).reset_index(drop=True)
    cuts = TableEncoder(discretizer="frequency").fit(X, y).cut_points_
    for name in new.columns:
        column = new[name].copy()
        if column.dtype == bool:
            column = column.astype("boolean")
        elif name in cuts and len(cuts[name]):
            column = column.astype(np.float64)
            column[20:40] = random.choice(cuts[name], 20)
        elif isinstance(column.dtype, pd.CategoricalDtype):
            column = column.cat.add_categories(["unseen"])
            column[3] = "unseen"
        elif not pd.api.types.is_numeric_dtype(column.dtype):
            column[4:6] = "unseen"
        else:
            column = column.astype(np.float64)
        column[random.random(len(column)) < 0.1] = None
        column[0] = None  # the first row has no value
        new[name] = column
    return new


def one_column(seed: int, name: str) -> Rows:
    """Return one column of the mixed table, in three classes."""
    rows = mixed_rows(seed, ["a", "b", "c"])
    return Rows(rows.X[[name]], rows.y, rows.new[[name]])


def wide_rows(seed: int, n_columns: int = 50) -> Rows:
    """Return numbers and labels in many columns, of two classes."""
    random = np.random.default_rng(seed)
    n_rows = 150
    y = random.integers(2, size=n_rows)
    columns: dict[str, Any] = {}
    for j in range(n_columns):
        columns[f"number {j}"] = random.normal(size=n_rows) + 0.3 * (j % 3) * y
        columns[f"label {j}"] = random.choice(["p", "q", "r"], n_rows)
    X = pd.DataFrame(columns)
    return Rows(X, y, _new_rows(X, y, random))


TABLES = {
    "binary texts": lambda seed: mixed_rows(seed, ["no", "yes"]),
    "three integers": lambda seed: mixed_rows(seed, [-1, 4, 7]),
    "truth values": lambda seed: mixed_rows(seed, [False, True]),
    "labels only": lambda seed: one_column(seed, "colour"),
    "numbers only": lambda seed: one_column(seed, "size"),
    "wide": wide_rows,
}


def as_feeds(written: onnx.ModelProto, rows: pd.DataFrame, gap: str = "") -> dict[str, np.ndarray]:
    """Return the columns of a frame as inputs of a model, by the documented conventions."""
    feeds = {}
    for described in written.graph.input:
        column = rows[described.name]
        if described.type.tensor_type.elem_type == onnx.TensorProto.DOUBLE:
            values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            values = np.array([gap if pd.isna(v) else str(v) for v in column], dtype=object)
        feeds[described.name] = values[:, None]
    return feeds


def run_onnx(written: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> tuple[Any, Any]:
    """Return labels and probabilities by onnxruntime."""
    onnx.checker.check_model(written, full_check=True)
    session = onnxruntime.InferenceSession(
        written.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    label, probabilities = session.run(None, feeds)
    return label, probabilities


def assert_equal_predictions(model: Any, rows: pd.DataFrame, gap: str = "") -> onnx.ModelProto:
    """Export a model, and compare its predictions with those of onnxruntime."""
    written = to_onnx(model, gap=gap)
    label, probabilities = run_onnx(written, as_feeds(written, rows, gap))
    expected = model.predict_proba(rows)
    assert probabilities.dtype == np.float64
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-6)
    best = np.sort(expected, axis=1)
    clear = best[:, -1] - best[:, -2] > 1e-6  # ties are not compared
    assert clear.mean() > 0.5
    assert label[clear].tolist() == model.predict(rows)[clear].tolist()
    return written
