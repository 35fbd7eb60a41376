"""A table in several files, and a model that predicts its rows."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from augury.models.tidy_model import tidy_model
from augury.scale.predictions import row_predictor, running
from tests.scale.predictions.written_files import N_ROWS


def make_table(n_rows: int = N_ROWS) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    label = rng.choice(["no", "yes"], n_rows)
    return pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(n_rows)],
            "sky": pd.Categorical(rng.choice(["sun", "rain", "fog"], n_rows)),
            "price": [f"${x:,.2f}" for x in rng.gamma(2.0, 900.0, n_rows)],
            "wind": np.where(rng.random(n_rows) < 0.1, np.nan, rng.normal(label == "yes", 1.0)),
            "when": pd.date_range("2024-01-01", periods=n_rows, freq="h"),
            "checked": np.where(np.arange(n_rows) < 1500, None, rng.random(n_rows) < 0.5),
            "class": np.where(rng.random(n_rows) < 0.2, None, label),
        }
    )


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return make_table()


@pytest.fixture(scope="module")
def model(table: pd.DataFrame):
    known = table.dropna(subset="class")
    return tidy_model("nb").fit(known.drop(columns=["class", "checked"]), known["class"])


@pytest.fixture(scope="module")
def files(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of three Parquet files with several row groups."""
    folder = tmp_path_factory.mktemp("files")
    for k in range(3):
        part = table.iloc[k * N_ROWS // 3 : (k + 1) * N_ROWS // 3]
        part.to_parquet(folder / f"{k}.parquet", row_group_size=170, index=False)
    return folder


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let partitions be a row group, and frames some rows."""
    monkeypatch.setattr(running, "PARTITION_BYTES", 1)
    monkeypatch.setattr(row_predictor, "_BLOCK_CELLS", 1)
    monkeypatch.setattr(row_predictor, "_MIN_ROWS", 64)
