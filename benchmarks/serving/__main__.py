"""Load of `augury serve` and of a bare echo application: `python -m benchmarks.serving`.

The servers run on one core and the client on the other. All of them are measured in turn, and
the median of the rounds is printed. The echo application gets the same requests as the model
beside it. Penguins is a real table of 7 columns; mixed is a table of 27 columns.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import psutil

from augury.drift import collect_reference
from augury.models.tidy_model import tidy_model
from augury.persist import save_model
from benchmarks.mixed_table import mixed_table
from benchmarks.serving.load_client import Load, run_load

ROUNDS, CONNECTIONS = 5, 8
N_ROWS = 200  # different rows of the requests


@dataclass(frozen=True)
class Running:
    """A server on a core of its own."""

    process: subprocess.Popen[str]
    port: int

    def seconds(self) -> float:
        """Return the processor time of the server."""
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)


@contextmanager
def running(core: int, *command: str) -> Iterator[Running]:
    """Start a server that prints its address, on one core."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().partition("http://")[2].partition("/")[0]
        yield Running(process, int(address.rpartition(":")[2]))
    finally:
        process.terminate()
        process.wait()


def penguins() -> tuple[pd.DataFrame, pd.Series]:
    from palmerpenguins import load_penguins

    frame = load_penguins().astype({"species": object, "island": object, "sex": object})
    return frame.drop(columns="species"), frame["species"]


def mixed() -> tuple[pd.DataFrame, pd.Series]:
    frame = mixed_table(2000).drop(columns=["postal", "text10", "text9"])
    return frame.drop(columns="class"), frame["class"]


def as_json(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as requests have them; missing values are null."""
    rows = X.astype(object).where(X.notna(), None).to_dict(orient="records")
    return [
        {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in row.items()
        }
        for row in rows
    ]


def bodies(rows: Sequence[dict[str, Any]], n_batch: int) -> list[bytes]:
    """Return requests of one row, or of batches."""
    if n_batch == 1:
        return [json.dumps({"row": row}).encode() for row in rows]
    batch = [rows[k % len(rows)] for k in range(n_batch)]
    return [json.dumps({"rows": batch}).encode()]


def measure(servers: dict[str, tuple[Running, list[bytes], int]]) -> None:
    """Print a row of a Markdown table for each server."""
    loads: dict[str, list[tuple[Load, float]]] = {name: [] for name in servers}
    for _ in range(ROUNDS):
        for name, (server, requests, n_requests) in servers.items():
            before = server.seconds()
            load = run_load(server.port, requests, n_requests, CONNECTIONS)
            loads[name].append((load, (server.seconds() - before) / n_requests))
    print("| request | requests/s | p50, ms | p99, ms | processor time, µs |")
    print("|---|---|---|---|---|")
    for name, found in loads.items():
        rate, p50, p99 = (
            median(getattr(load, each) for load, _ in found) for each in ("rate", "median", "p99")
        )
        used = median(seconds for _, seconds in found)
        print(f"| {name} | {rate:,.0f} | {1e3 * p50:.2f} | {1e3 * p99:.2f} | {1e6 * used:,.0f} |")


def main() -> None:
    """Fit, save and serve the models, and print a table for each data set."""
    cores = sorted(os.sched_getaffinity(0))
    with TemporaryDirectory() as folder:
        for table, (X, y) in (("penguins", penguins()), ("mixed", mixed())):
            rows = as_json(X.sample(N_ROWS, random_state=0))
            with ExitStack() as stack:
                echo = stack.enter_context(running(cores[-1], "benchmarks.serving.echo_server"))
                one = bodies(rows, 1)
                servers = {f"{table}: echo of one row": (echo, one, 16_000)}
                for name, n_one in (("nb", 16_000), ("augury", 400)):
                    model = tidy_model(name).fit(X, y)
                    path = Path(folder, f"{table}-{name}.augury")
                    reference = collect_reference(model, X, y, target="class")
                    save_model(model, path, X=X, target="class", reference=reference)
                    command = ("augury.cli", "serve", str(path), "--port", "0")
                    server = stack.enter_context(running(cores[-1], *command))
                    servers[f"{table}: {name}, one row"] = (server, one, n_one)
                    servers[f"{table}: {name}, 100 rows"] = (server, bodies(rows, 100), 160)
                    servers[f"{table}: {name}, 1,000 rows"] = (server, bodies(rows, 1000), 40)
                os.sched_setaffinity(0, {cores[0]})
                measure(servers)
                os.sched_setaffinity(0, set(cores))


if __name__ == "__main__":
    main()
