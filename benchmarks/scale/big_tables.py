"""Large Parquet files for the benchmarks of `augury.scale`, made in pieces.

`python -m benchmarks.scale.big_tables labels 50_000_000 FOLDER` writes 20 columns of integer labels
and a class; `mixed` writes 10 numbers, 10 columns of text labels and a class. A file has a million
rows. The same arguments give the same rows.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

N_COLUMNS = 20
N_CLASSES = 3
ROWS_PER_FILE = 1_000_000
ROWS_PER_GROUP = 250_000
CITIES = [f"city {k}" for k in range(40)]


def write_labels(folder: Path, n_rows: int) -> None:
    """Write columns of the integers 0 … 4, each dependent on the class and on its neighbour."""

    def make(rng: np.random.Generator, n: int) -> pa.Table:
        y = rng.integers(0, N_CLASSES, n, dtype=np.int8)
        columns, before = {}, y
        for j in range(N_COLUMNS):
            values = rng.integers(0, 5, n, dtype=np.int8)
            follows = rng.random(n) < 0.3
            values[follows] = (before[follows] + j) % 5
            columns[f"x{j}"] = before = values
        return pa.table({**columns, "class": y})

    _write(folder, n_rows, make)


def write_mixed(folder: Path, n_rows: int) -> None:
    """Write numbers whose mean depends on the class, and text labels; some values are missing."""

    def make(rng: np.random.Generator, n: int) -> pa.Table:
        y = rng.integers(0, 2, n, dtype=np.int8)
        columns = {}
        for j in range(N_COLUMNS // 2):
            numbers = rng.normal(0.15 * (j % 4) * y, 1.0).round(4)
            columns[f"n{j}"] = pa.array(numbers, mask=rng.random(n) < 0.02)
        for j in range(N_COLUMNS // 2):
            n_labels = (3, 5, 12, 40)[j % 4]
            codes = rng.integers(0, n_labels, n, dtype=np.int32)
            follows = rng.random(n) < 0.1
            codes[follows] = (y[follows] + j) % n_labels
            labels = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(CITIES[:n_labels]))
            columns[f"t{j}"] = labels.cast(pa.string())
        columns["class"] = pa.DictionaryArray.from_arrays(
            pa.array(y.astype(np.int32)), pa.array(["no", "yes"])
        ).cast(pa.string())
        return pa.table(columns)

    _write(folder, n_rows, make)


def _write(folder: Path, n_rows: int, make: Callable[[np.random.Generator, int], pa.Table]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, n_rows, ROWS_PER_FILE)):
        path = folder / f"part-{number:04d}.parquet"
        if not path.exists():
            n = min(ROWS_PER_FILE, n_rows - start)
            table = make(np.random.default_rng(number), n)
            pq.write_table(table, path, row_group_size=ROWS_PER_GROUP, compression="snappy")


if __name__ == "__main__":
    kind, size, place = sys.argv[1:]
    (write_labels if kind == "labels" else write_mixed)(Path(place), int(size))
