"""Predictions by the workers of a Dask cluster."""

import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from augury.data import DataError
from augury.generative import NaiveBayes
from augury.scale.predicting import predict
from augury.scale.sources import open_source
from tests.scale.predictions.written_files import KEEP, N_ROWS, Recorded, leftovers


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", processes=False
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a.parquet", "a"])
def test_dask_equals_threads(model, files, tmp_path, client, out):
    progress = Recorded()
    (tmp_path / "dask").mkdir()
    (tmp_path / "threads").mkdir()
    asked = {"keep": KEEP, "target": "class"}
    done = predict(model, files, tmp_path / "dask" / out, **asked, client=client, progress=progress)
    local = predict(model, files, tmp_path / "threads" / out, **asked)
    assert (done.n_rows, done.accuracy) == (local.n_rows, local.accuracy)
    assert (progress.n_partitions, progress.n_rows) == (18, N_ROWS)
    for one, other in zip(done.files, local.files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert leftovers(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
def test_error_on_dask_names_the_partition(model, files, tmp_path, client):
    frames = [pd.read_parquet(file) for file in sorted(files.iterdir())]
    frames[1]["when"] = "never"
    source = open_source(pd.concat(frames), partition_bytes=60_000)
    plain = NaiveBayes().fit(frames[0][["when", "sky"]].astype({"when": "int64"}), frames[0]["sky"])
    with pytest.raises(DataError, match=r"the data frame, rows .*: the rows cannot be predicted"):
        predict(plain, source, tmp_path / "a", client=client)
    assert list(tmp_path.iterdir()) == []


class KillsItsWorker:
    """Ends the process that predicts, the first time that it sees the row with a number."""

    classes_ = np.array(["a", "b"])
    feature_names_in_ = np.array(["x"])

    def __init__(self, row: int, mark: Path) -> None:
        self.row, self.mark = row, mark

    def predict(self, X):
        if self.row in X["x"].to_numpy() and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.where(X["x"] % 2 == 0, "a", "b")


@pytest.mark.parametrize(("out", "n_workers"), [("a.csv", 2), ("a", 2), ("a.csv", 1)])
def test_killed_dask_worker(tmp_path, out, n_workers):
    """The partition is predicted again; the file that the worker had begun is removed.

    With one worker, the model that it had received is lost with it.
    """
    from distributed import Client, LocalCluster

    frame = pd.DataFrame({"x": np.arange(4000)})
    killer = KillsItsWorker(2500, tmp_path / "mark")
    source = open_source(frame, partition_bytes=8 * 1000)
    with (
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        done = predict(killer, source, tmp_path / out, keep="x", client=client)
    assert killer.mark.exists()
    assert done.n_rows == 4000
    read = pd.read_csv if out == "a.csv" else pd.read_parquet
    found = read(tmp_path / out)
    assert found["x"].tolist() == frame["x"].tolist()
    assert found["predicted"].tolist() == ["a", "b"] * 2000
    assert sorted(path.name for path in tmp_path.iterdir()) == [out, "mark"]
    if out == "a":
        names = sorted(path.name for path in (tmp_path / out).iterdir())
        assert names == [f"part-0000{k}.parquet" for k in range(4)]
