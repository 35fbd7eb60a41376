"""Sizes of model files and of ONNX models, and the time of predictions by onnxruntime.

`python -m benchmarks onnx_sizes` prints the table of docs/interchange-onnx.md. Each model of the
catalogue is fitted to all rows of credit-g after `TidyColumns`. The time is processor time of one
thread for the 1,000 rows, the best of five, relative to `predict_proba`; the two take turns. It
takes about a minute.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
import onnxruntime
import pandas as pd

from augury.data import load_dataset
from augury.interchange import to_onnx
from augury.models.tidy_model import tidy_model
from augury.persist import save_model
from augury.text_table import align_columns
from benchmarks.timing import in_turn

MODELS = (
    "nb", "gaussian-nb", "kernel-nb", "cfw-nb", "hnb", "aode", "tan", "kdb", "bn", "lda", "qda",
    "rda", "lr", "nb-lr", "hnb-lr", "hybrid", "wanbia-c", "blended-nb", "kernel", "random-trees",
    "tree-boosting", "random-cuts", "augury",
)  # fmt: skip


def main() -> None:
    data = load_dataset("credit-g")
    rows = [measure(name, data.X, data.y) for name in MODELS]
    print(align_columns(["model", ".augury", ".onnx", "difference", "time"], rows))


def measure(name: str, X: pd.DataFrame, y: pd.Series) -> list[str]:
    """Return the sizes of both files, the largest difference, and the ratio of the times."""
    model = tidy_model(name).fit(X, y)
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.augury")
        save_model(model, path, X=X)
        n_bytes = path.stat().st_size
    written = to_onnx(model)
    content = written.SerializeToString()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options)
    feeds = {
        each.name: as_input(
            X[each.name], each.type.tensor_type.elem_type == onnx.TensorProto.STRING
        )
        for each in written.graph.input
    }
    expected = model.predict_proba(X)
    _, probabilities = session.run(None, feeds)
    difference = float(np.abs(probabilities - expected).max())
    works = (lambda: model.predict_proba(X), lambda: session.run(None, feeds))
    ours, theirs = in_turn(works)
    return [
        name,
        f"{n_bytes / 1000:,.0f} kB",
        f"{len(content) / 1000:,.0f} kB",
        f"{difference:.0e}",
        f"{theirs / ours:.2f}",
    ]


def as_input(column: pd.Series, is_text: bool) -> np.ndarray:
    if is_text:
        return column.astype(object).where(column.notna(), "").to_numpy(dtype=object)[:, None]
    return column.to_numpy(dtype=np.float64)[:, None]
