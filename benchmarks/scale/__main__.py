"""Benchmarks of `augury.scale`: `python -m benchmarks.scale NAME FOLDER [ROWS]`.

counts    naive Bayes and HNB from Parquet, beside group-by counts of DuckDB and Polars
hybrid    the hybrid on mixed columns, beside LightGBM (two_round) and XGBoost (external memory)
csv       memory of `augury fit --model nb --stream` on a CSV file of a million rows
dask      HNB-LR on Dask with one worker and with two

FOLDER holds the tables, which are made if they are not there. Each measurement is a new process
of at most two threads; it prints seconds by the clock, processor seconds and the peak of resident
memory.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.scale import big_tables

NAMES = ("counts", "hybrid", "csv", "dask")


def main(arguments: list[str]) -> None:
    if len(arguments) < 2 or arguments[0] not in NAMES:
        sys.exit(__doc__)
    name, folder = arguments[0], Path(arguments[1])
    n_rows = int(arguments[2]) if len(arguments) > 2 else 0
    {"counts": counts, "hybrid": hybrid, "csv": csv, "dask": dask}[name](folder, n_rows)


def measure(work: str, *arguments: object) -> dict[str, float]:
    """Run a function of `measured_works` in a new process, and print what it took."""
    start, used = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.scale.measured_works", work, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    after = os.times()
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    found["process"] = time.perf_counter() - start
    found["processor of process"] = (
        after.children_user + after.children_system - used.children_user - used.children_system
    )
    print(
        f"| {work} {' '.join(map(str, arguments))} | {found['wall']:.2f} | "
        f"{found['processor']:.2f} | {found['resident']:.0f} |",
        flush=True,
    )
    return found


def header() -> None:
    print("| work | seconds | processor seconds | resident MB |\n|---|---|---|---|")


def counts(folder: Path, n_rows: int) -> None:
    header()
    for size in (n_rows // 10 or 5_000_000, n_rows or 50_000_000):
        tables = folder / f"labels-{size}"
        big_tables.write_labels(tables, size)
        for _ in range(2):
            for work in ("naive_bayes", "duckdb_values", "polars_values"):
                measure(work, tables)
        for work in ("hidden_naive_bayes", "duckdb_pairs", "polars_pairs"):
            measure(work, tables)


def hybrid(folder: Path, n_rows: int) -> None:
    header()
    for size in (n_rows // 5 or 2_000_000, n_rows or 10_000_000):
        tables = folder / f"mixed-{size}"
        big_tables.write_mixed(tables, size)
        for work in ("hybrid", "lightgbm_two_round", "xgboost_external"):
            measure(work, tables)


def csv(folder: Path, n_rows: int) -> None:
    from benchmarks.mixed_table import mixed_table

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "large.csv"
    if not path.exists():
        mixed_table(n_rows or 1_000_000).to_csv(path, index=False)
    header()
    measure("fit_csv", path)


def dask(folder: Path, n_rows: int) -> None:
    size = n_rows or 20_000_000
    tables = folder / f"labels-{size}"
    big_tables.write_labels(tables, size)
    header()
    for _ in range(2):
        for n_workers in (1, 2):
            measure("dask_hybrid", tables, n_workers)


if __name__ == "__main__":
    main(sys.argv[1:])
