"""Time and memory of every model on tables of extreme shapes, or the reason of its refusal.

Each model of `augury models` is fitted to each table with its default parameters, in a process of
its own with a limit of processor time and of memory. It predicts the class probabilities (svm: the
classes) of up to 1,000 of the rows. The columns depend on the class, so that numbers have cut
points and searches find edges.

`python -m benchmarks table_shapes` prints the tables of docs/results/table-shapes.md.
`python -m benchmarks.studies.table_shapes --help` lists options that choose shapes and models.
"""

import argparse
import json
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from augury.models import build_model, known_models

TIME_LIMIT = 600  # seconds of processor time of one model on one table
MEMORY_LIMIT = 8  # GiB of address space of a child process
N_PREDICTED = 1_000
MIB = 1 << 20

Table = tuple[pd.DataFrame, np.ndarray]


def classes_of(n_rows: int, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Return classes of about equal shares, each of which has at least one row."""
    return rng.permutation(np.arange(n_rows) % n_classes)


def numbers(y: np.ndarray, n_columns: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return normal columns whose means depend on the class, more if classes are many."""
    n_classes = int(y.max()) + 1
    effect = 1.0 if n_classes < 100 else 3.0
    return {
        f"number{j}": rng.normal(size=len(y)) + effect * rng.normal(size=n_classes)[y]
        for j in range(n_columns)
    }


def labels(
    y: np.ndarray, n_columns: int, n_labels: int, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Return columns of text; half of the rows have a label that depends on the class."""
    n_classes, columns = int(y.max()) + 1, {}
    for j in range(n_columns):
        own = rng.integers(0, n_labels, n_classes)[y]
        other = rng.integers(0, n_labels, len(y))
        code = np.where(rng.random(len(y)) < 0.5, own, other)
        names = np.array([f"label{k}" for k in range(n_labels)], dtype=object)
        columns[f"text{j}"] = names[code]
    return columns


def mixed(n_rows: int, n_numbers: int, n_texts: int, n_labels: int, n_classes: int) -> Table:
    """Return a table of numbers and of text, and a target of text."""
    rng = np.random.default_rng(n_rows + n_numbers + n_texts)
    y = classes_of(n_rows, n_classes, rng)
    X = pd.DataFrame({**numbers(y, n_numbers, rng), **labels(y, n_texts, n_labels, rng)})
    return X, np.array([f"class{k}" for k in range(n_classes)], dtype=object)[y]


SHAPES: dict[str, Callable[[], Table]] = {
    "2,000 rows, 300 columns (half text), 10 classes": lambda: mixed(2_000, 150, 150, 5, 10),
    "1,000 rows, 10,000 numbers, 2 classes": lambda: mixed(1_000, 10_000, 0, 0, 2),
    "1,000 rows, 10,000 columns of 5 labels, 2 classes": lambda: mixed(1_000, 0, 10_000, 5, 2),
    "300 rows, 20,000 numbers, 3 classes": lambda: mixed(300, 20_000, 0, 0, 3),
    "4,000 rows, 2,000 columns (half text), 200 classes": lambda: mixed(
        4_000, 1_000, 1_000, 5, 200
    ),
    "20,000 rows, 10 columns (half text), 5,000 classes": lambda: mixed(20_000, 5, 5, 10, 5_000),
    "50,000 rows, 3 numbers, 5,000 classes": lambda: mixed(50_000, 3, 0, 0, 5_000),
    "9,000 rows, 20 columns (half text), 3,000 classes": lambda: mixed(9_000, 10, 10, 10, 3_000),
    "200,000 rows, 2 columns of 100,000 labels, 1 number, 3 classes": lambda: mixed(
        200_000, 1, 2, 100_000, 3
    ),
}


def status(field: str) -> float:
    """Return a size of this process in MiB: VmRSS is the present one, VmHWM the largest."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    found = next(line for line in lines if line.startswith(f"{field}:"))
    return int(found.split()[1]) * 1024 / MIB


def measure(name: str, shape: str) -> dict[str, float | str]:
    """Return seconds of processor time and the peak memory, or the message of the error."""
    X, y = SHAPES[shape]()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT << 30, MEMORY_LIMIT << 30))
    warnings.simplefilter("ignore")
    model = build_model(name)
    before, start = status("VmRSS"), time.process_time()
    try:
        model.fit(X, y)
        fitted = time.process_time()
        predict = getattr(model, "predict_proba", model.predict)
        predict(X.iloc[:N_PREDICTED])
    except (ValueError, MemoryError) as error:
        seconds = time.process_time() - start
        peak = status("VmHWM") - before
        kind = type(error).__name__
        return {"refused": f"{kind}: {error}", "seconds": seconds, "memory": peak}
    done = time.process_time()
    return {
        "fit": fitted - start,
        "predict": done - fitted,
        "memory": status("VmHWM") - before,
    }


def measure_in_child(name: str, shape: str, limit: int) -> str:
    """Return the cells of a row of the table."""
    command = [sys.executable, "-m", "benchmarks.studies.table_shapes", "--child", name, shape]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
    )
    if done.returncode == -signal.SIGXCPU:
        return f"| > {limit} | | | |"
    if done.returncode:
        error = (done.stderr.strip().splitlines() or [f"ended with {done.returncode}"])[-1]
        return f"| | | | error: {error} |"
    found = json.loads(done.stdout.splitlines()[-1])
    if "refused" in found:
        text = found["refused"].replace("|", "\\|")
        return f"| {found['seconds']:.1f} | | {found['memory']:.0f} | {text} |"
    return f"| {found['fit']:.1f} | {found['predict']:.1f} | {found['memory']:.0f} | |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", default=None, help="names of `augury models`")
    parser.add_argument("--shapes", nargs="+", type=int, default=range(len(SHAPES)))
    parser.add_argument("--limit", type=int, default=TIME_LIMIT, help="seconds of one child")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    # Behind the name of the study, unless this file runs by itself.
    chosen = parser.parse_args(sys.argv[2:] if arguments is None else arguments)
    if chosen.child:
        print(json.dumps(measure(*chosen.child)))
        return
    for at in chosen.shapes:
        shape = list(SHAPES)[at]
        print(f"\n### {shape}\n\n| model | fit, s | predict, s | memory, MiB | refusal |")
        print("|---|---|---|---|---|", flush=True)
        for name in chosen.models or known_models():
            print(f"| {name} {measure_in_child(name, shape, chosen.limit)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
