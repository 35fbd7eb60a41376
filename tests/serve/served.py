"""Models in files, servers in processes of their own, and clients over sockets."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from augury.data import Dataset
from augury.drift import collect_reference
from augury.models.tidy_model import tidy_model
from augury.persist import SavedModel, load_model, save_model


def make_table(n_rows: int = 300, seed: int = 0, n_classes: int = 3) -> Dataset:
    """Return rows with labels, truth values, numbers, prices, dates, an identifier and gaps."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n_rows) % n_classes)
    noisy = np.where(rng.random(n_rows) < 0.3, rng.integers(0, n_classes, n_rows), codes)
    X = pd.DataFrame(
        {
            "id": [f"P{i:05d}" for i in range(n_rows)],
            "sky": np.array(["sun", "rain", "fog", "snow"], dtype=object)[
                (noisy + rng.integers(0, 2, n_rows)) % 4
            ],
            "wet": noisy + rng.integers(0, 2, n_rows) > 1,
            "wind": rng.normal(10 + 4 * noisy, 3).round(1),
            "grade": pd.Categorical(
                np.array(list("abc"))[(codes + rng.integers(0, 2, n_rows)) % 3]
            ),
            "price": [f"${x:,.2f}" for x in rng.normal(2000 + 500 * codes, 400)],
            "day": [
                f"2024-{1 + m:02d}-{d:02d}"
                for m, d in zip(
                    noisy * 3 + rng.integers(0, 4, n_rows), rng.integers(1, 29, n_rows), strict=True
                )
            ],
            "country": "NO",
        }
    )
    X.loc[rng.random(n_rows) < 0.1, "wind"] = np.nan
    X.loc[rng.random(n_rows) < 0.1, "sky"] = None
    y = pd.Series(np.array(["in", "out", "stay"])[codes], name="place")
    return Dataset(X, y, "days", "place", "/data/days.csv")


def save_fitted(model: Any, dataset: Dataset, path: Path) -> SavedModel:
    """Fit a model, save it as `augury fit` does, and load it."""
    model.fit(dataset.X, dataset.y)
    reference = collect_reference(model, dataset.X, dataset.y, target=dataset.target)
    save_model(model, path, X=dataset.X, target=dataset.target, reference=reference)
    return load_model(path)


def save_named(name: str, path: Path, dataset: Dataset | None = None) -> SavedModel:
    """Fit a model of the catalogue, save and load it."""
    return save_fitted(tidy_model(name), dataset or make_table(), path)


def row_of(X: pd.DataFrame, i: int) -> dict[str, Any]:
    """Return a row as JSON has it."""
    return {
        str(name): None
        if pd.isna(value)
        else value.item()
        if isinstance(value, np.generic)
        else value
        for name, value in X.iloc[i].items()
    }


@dataclass(frozen=True)
class Served:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    host: str
    port: int

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of the answer to one request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def predict(self, content: Any) -> tuple[int, Any]:
        """Return status and JSON of the answer to `POST /predict`."""
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        status, _, answer = self.request("POST", "/predict", body, content_type="application/json")
        return status, json.loads(answer)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Return exit code, output and errors after a signal."""
        self.process.send_signal(number)
        output, errors = self.process.communicate(timeout=30)
        return self.process.returncode, output, errors


@contextmanager
def serving(path: Path, *options: str) -> Iterator[Served]:
    """Serve a model file on a free port."""
    command = [sys.executable, "-m", "augury.cli", "serve", str(path), "--port", "0", *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "default"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if "http://" not in line:
            process.kill()
            raise AssertionError(f"the server did not start: {line}{process.communicate()}")
        address = line.partition("http://")[2].partition("/")[0]
        host, _, port = address.rpartition(":")
        yield Served(process, host, int(port))
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
