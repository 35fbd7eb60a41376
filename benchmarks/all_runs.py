"""All benchmarks of speed, several times, each run in a new process.

`python -m benchmarks all --peers --runs 3` prints every ratio as a row of a Markdown table: the
median over the runs, its range, the target, and the processor and wall-clock seconds of each
benchmark.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from importlib.util import find_spec
from statistics import median

# Modules of the peers, by the names under which pip knows them.
PEERS = {"scikit-bayes": "skbn", "pyagrum": "pyagrum", "pgmpy": "pgmpy", "lightgbm": "lightgbm"}

ONE = """
import json, sys
from importlib import import_module
from benchmarks import timing
import_module("benchmarks.speed." + sys.argv[1]).main()
print("REPORTED " + json.dumps(timing.REPORTED))
"""

Row = tuple[str, float, str, str]


def main(arguments: Sequence[str], names: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks all")
    parser.add_argument("--peers", action="store_true", help="stop if a peer is not installed")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="names, separated by commas")
    options = parser.parse_args(arguments)
    missing = [name for name, module in PEERS.items() if find_spec(module) is None]
    if options.peers and missing:
        sys.exit(f"not installed: {', '.join(missing)}; pip install -r benchmarks/peers.txt")
    chosen = options.only.split(",") if options.only else names
    found: dict[str, dict[str, list[Row]]] = {name: defaultdict(list) for name in chosen}
    costs: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for _ in range(options.runs):
        for name in chosen:
            rows, cost = run_one(name)
            costs[name].append(cost)
            for label, row in numbered(rows):
                found[name][label].append(row)
    print_tables(found, costs)


def numbered(rows: Sequence[Row]) -> list[tuple[str, Row]]:
    """Return the rows with their labels; a label that comes again has a number."""
    seen: dict[str, int] = defaultdict(int)
    labelled = []
    for row in rows:
        label = row[0].strip()
        seen[label] += 1
        labelled.append((label if seen[label] == 1 else f"{label} ({seen[label]})", row))
    return labelled


def run_one(name: str) -> tuple[list[Row], tuple[float, float]]:
    """Return what a benchmark reported, and its processor and wall-clock seconds."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    wall, used = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-c", ONE, name],
        env=threads | os.environ,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    after = os.times()
    cost = (
        after.children_user + after.children_system - used.children_user - used.children_system,
        time.perf_counter() - wall,
    )
    if done.returncode:
        print(f"{name} failed with exit code {done.returncode}", file=sys.stderr)
        return [], cost
    last = done.stdout.rstrip().rpartition("\n")[2]
    return [tuple(row) for row in json.loads(last.removeprefix("REPORTED "))], cost


def print_tables(
    found: dict[str, dict[str, list[Row]]], costs: dict[str, list[tuple[float, float]]]
) -> None:
    for name, labels in found.items():
        processor, wall = (median(each) for each in zip(*costs[name], strict=True))
        print(f"\n### {name}\n\n{processor:.0f} s of processor time, {wall:.0f} s by the clock.\n")
        print("| | median | range | target |\n|---|---|---|---|")
        for label, rows in labels.items():
            values, unit, target = [row[1] for row in rows], rows[0][2], rows[0][3]
            spread = f"{min(values):.3g} to {max(values):.3g}"
            print(f"| {label} | {median(values):.3g} {unit} | {spread} | {target} |")


__all__ = ["main"]
