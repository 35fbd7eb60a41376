"""Measure the augury of one source tree; the child process of `compare_trees`.

The process reads one work a line, such as `NaiveBayes fit 1000`, and answers each with one line of
JSON: the processor seconds, or the error. Models have their default parameters, so that a rename
of a parameter does not matter. This file imports nothing of the package `benchmarks`.
"""

import importlib
import json
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

# Where a class is looked for, in this order; trees differ.
MODULES = ("generative", "discriminative", "hybrid", "encode", "ensemble")
# A short work is repeated for so many processor seconds; the shortest repetition counts.
SECONDS_OF_A_TURN = 0.2


@cache
def table(n_rows: int) -> tuple[pd.DataFrame, pd.Series]:
    """Return twelve columns of labels and four of numbers, some missing, and three classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, n_rows)
    columns: dict[str, Any] = {}
    before = y
    for j in range(12):
        # Each column depends on the class and on the column before it.
        drawn = rng.integers(0, 5, n_rows)
        codes = np.where(rng.random(n_rows) < 0.5, (before + y + j) % 5, drawn)
        labels = np.array([f"label {k}" for k in range(5)], dtype=object)[codes]
        labels[rng.random(n_rows) < 0.02] = None
        columns[f"text{j}"], before = labels, codes
    for j in range(4):
        numbers = rng.normal(size=n_rows) + 0.7 * (y == j % 3)
        numbers[rng.random(n_rows) < 0.02] = np.nan
        columns[f"number{j}"] = numbers
    return pd.DataFrame(columns), pd.Series(np.array(["a", "b", "c"])[y], name="class")


@cache
def class_named(name: str) -> type:
    """Return a class of this tree."""
    for folder in MODULES:
        module = importlib.import_module(f"augury.{folder}")
        if hasattr(module, name):
            return getattr(module, name)
    raise LookupError(f"no class {name}")


@cache
def fitted(name: str, n_rows: int) -> Any:
    return class_named(name)().fit(*table(n_rows))


def work_named(name: str, action: str, n_rows: int) -> Callable[[], Any]:
    """Return the call that is measured; what it needs is computed here."""
    X, y = table(n_rows)
    if action == "fit":
        make = class_named(name)
        return lambda: make().fit(X, y)
    model = fitted(name, n_rows)
    return lambda: getattr(model, action)(X)


def best_of_a_turn(work: Callable[[], Any]) -> float:
    """Return the least processor seconds of the repetitions of one turn."""
    best, total = float("inf"), 0.0
    while total < SECONDS_OF_A_TURN:
        start = time.process_time()
        work()
        seconds = time.process_time() - start
        best, total = min(best, seconds), total + seconds
    return best


def main() -> None:
    warnings.simplefilter("ignore")
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        name, action, n_rows = line.split()
        answer: dict[str, Any]
        try:
            if name == "origin":
                answer = {"origin": importlib.import_module("augury").__file__}
            else:
                answer = {"seconds": best_of_a_turn(work_named(name, action, int(n_rows)))}
        except Exception as error:  # noqa: BLE001 - the parent names the tree and goes on
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
