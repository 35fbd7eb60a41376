"""Measures the memory of fits, one for each line of standard input; run as a process of its own.

A line is JSON: the import path of a class, its parameters as Python text, and the size of the
training table. The answer is JSON as well: the bytes that `fit` takes above the table, the bytes
that the model keeps, and the letters of the formulas.

The bytes of `fit` are the growth of the resident memory to its peak, so that they include what C
code allocates. The caller sets MALLOC_MMAP_THRESHOLD_, so that freed arrays leave the process.
"""

import ctypes
import gc
import importlib
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from augury.encode import TableEncoder, columns
from augury.generative import HiddenNaiveBayes

CELLS = columns._WHOLE_CELLS, columns._BLOCK_CELLS


def make_table(n, d, m, v, q, seed=0):
    """Return d columns of v labels, m of numbers and q classes; neighbours depend on each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, q, n)
    made, before = {}, y
    for j in range(d):
        kind = rng.random(n)
        codes = np.where(kind < 0.4, before, np.where(kind < 0.6, y, rng.integers(0, v, n))) % v
        made[f"a{j}"] = pd.Categorical.from_codes(codes, [f"label {k}" for k in range(v)])
        before = codes
    for j in range(m):
        made[f"x{j}"] = rng.normal(size=n) + y * (0.2 + 0.1 * (j % 5))
    return pd.DataFrame(made), y


def make_counts(n, d, q, per_row, seed=0):
    """Return a sparse matrix with `per_row` of d columns of counts in each row, and q classes."""
    rng = np.random.default_rng(seed)
    starts = np.arange(0, n * per_row + 1, per_row)
    indices = (rng.integers(0, d, n)[:, None] + np.arange(per_row)) % d
    indices.sort(axis=1)
    matrix = csr_array((np.ones(n * per_row), indices.ravel(), starts), shape=(n, d))
    return matrix, rng.integers(0, q, n)


def resident(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def release():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)


def peak_of_fit(model, X, y):
    """Fit the model, and return the growth of the resident memory to its peak."""
    release()
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    before = resident("VmRSS")
    model.fit(X, y)
    return resident("VmHWM") - before


def bytes_of(model):
    """Return the bytes of the arrays, texts and containers that a model holds."""
    seen, todo, total = set(), [model], 0
    while todo:
        value = todo.pop()
        if id(value) in seen or isinstance(value, type):
            continue
        seen.add(id(value))
        if isinstance(value, np.ndarray):
            if isinstance(value.base, np.ndarray):
                todo.append(value.base)
                continue
            total += value.nbytes
            todo += value.ravel().tolist() if value.dtype == object else []
            continue
        total += sys.getsizeof(value)
        if isinstance(value, dict):
            todo += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            todo += value
        elif hasattr(value, "__dict__") or hasattr(type(value), "__slots__"):
            slots = [s for kind in type(value).__mro__ for s in getattr(kind, "__slots__", ())]
            todo += vars(value).values() if hasattr(value, "__dict__") else []
            todo += [getattr(value, s) for s in slots if hasattr(value, s)]
    return total


def letters_of(model, X, y, size):
    """Return the values of the letters that `augury.memory` explains."""
    letters = {"n": size["n"], "d": size["d"], "q": size["q"]}
    if "per_row" in size:
        return letters | {"e": X.nnz}
    states = dict(zip(X.columns, TableEncoder().fit(X, y).n_states_.tolist(), strict=True))
    members = getattr(model, "estimators_", [model])
    statistics = [getattr(member, "statistics_", None) for member in members]
    tables = [table for of_one in statistics for table in getattr(of_one, "tables", ())]
    return letters | {
        "m": size["m"],
        "v": size["v"],
        "s": sum(states.values()),
        "p": size["m"] + size["d"] * (size["v"] - 1),
        "b": sum(states[name] for name in getattr(model, "discriminative_columns_", ())),
        "c": sum(int(np.prod(table.shape[:-1])) for table in tables),
        "t": len(members),
        "k": getattr(model, "n_nodes_", 0),
    }


def main():
    warnings.simplefilter("ignore")  # of convergence
    for line in sys.stdin:
        asked = json.loads(line)
        module, _, name = asked["model"].rpartition(".")
        parameters = eval(f"dict({asked['parameters']})", {"HiddenNaiveBayes": HiddenNaiveBayes})
        make = getattr(importlib.import_module(module), name)
        size = asked["size"]
        columns._WHOLE_CELLS, columns._BLOCK_CELLS = asked.get("cells", CELLS)
        make_rows = make_counts if "per_row" in size else make_table
        few = size | {"n": 200}
        make(**parameters).fit(*make_rows(**few))  # imports and caches of the first fit
        X, y = make_rows(**size)
        model = make(**parameters)
        answer = {"fit": peak_of_fit(model, X, y), "kept": bytes_of(model)}
        answer["letters"] = letters_of(model, X, y, size)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        del model, X, y
        release()


if __name__ == "__main__":
    main()
