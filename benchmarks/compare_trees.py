"""Compare the speed of two source trees: `python -m benchmarks compare-trees OLD NEW`.

Each tree has one child process, with PYTHONPATH=TREE/src and one thread. The trees take turns: in
each round both do the same work, one directly after the other, so that other load on the machine
concerns both. The least processor time of all rounds counts. The result is a Markdown table; a
ratio above 1 means that NEW is faster. Both trees need their compiled extension
(`python setup.py build_ext --inplace`).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

MODELS = {
    "NB": "NaiveBayes",
    "HNB": "HiddenNaiveBayes",
    "AODE": "AveragedOneDependence",
    "TAN": "TreeAugmentedNaiveBayes",
    "LR": "LogisticRegression",
    "default hybrid": "AugmentedClassifier",
    "C4.5": "C45Tree",
    "hill climbing": "BayesianNetworkClassifier",
}
ENCODER = "TableEncoder"
HELP = "augury --help"


class Tree:
    """A source tree and the process that measures it."""

    def __init__(self, folder: Path) -> None:
        self.source = folder.resolve() / "src"
        self.environment = os.environ | {
            "PYTHONPATH": str(self.source),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("tree_worker.py"))],
            env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        origin = self.ask("origin - 0").get("origin", "")
        if not Path(origin).is_relative_to(self.source):
            sys.exit(f"{self.source}: augury cannot be imported from there (found: {origin!r})")

    def ask(self, work: str) -> dict[str, Any]:
        """Return the answer of the child process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(work + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"{self.source}: the process died at {work!r}")
        return json.loads(line)

    def seconds(self, work: str) -> float | str:
        """Return the processor seconds of a work, or the error."""
        if work == HELP:
            return self.seconds_of_help()
        answer = self.ask(work)
        return answer.get("seconds", answer.get("error"))

    def seconds_of_help(self) -> float:
        """Return the processor seconds of `augury --help` in a new process."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "augury.cli", "--help"]
        subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def close(self) -> None:
        """End the child process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def works(rows: list[int]) -> dict[str, str]:
    """Return what is measured: the label in the table, and the line for the child process."""
    found = {}
    for n_rows in rows:
        for label, name in MODELS.items():
            found[f"{label}, fit, {n_rows:,} rows"] = f"{name} fit {n_rows}"
            found[f"{label}, predict, {n_rows:,} rows"] = f"{name} predict_proba {n_rows}"
        found[f"{ENCODER}, fit, {n_rows:,} rows"] = f"{ENCODER} fit {n_rows}"
        found[f"{ENCODER}, transform, {n_rows:,} rows"] = f"{ENCODER} transform {n_rows}"
    return found | {HELP: HELP}


def measure(trees: list[Tree], work: str, rounds: int) -> list[float | str]:
    """Return the least processor seconds of each tree, or the error."""
    best: list[float | str] = [float("inf")] * len(trees)
    for turn in range(rounds):
        # The order alternates, since the second of two may find warmer caches.
        for k in range(len(trees))[:: 1 if turn % 2 == 0 else -1]:
            now, least = trees[k].seconds(work), best[k]
            if isinstance(least, str):
                continue
            best[k] = now if isinstance(now, str) else min(least, now)
    return best


def row(label: str, old: float | str, new: float | str) -> str:
    """Return one row of the table."""
    if isinstance(old, str) or isinstance(new, str):
        shown = [each if isinstance(each, str) else f"{1000 * each:,.2f}" for each in (old, new)]
        return f"| {label} | {shown[0]} | {shown[1]} | – |"
    return f"| {label} | {1000 * old:,.2f} | {1000 * new:,.2f} | {old / new:.2f} |"


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks compare-trees", description=__doc__.splitlines()[0]
    )
    parser.add_argument("old", type=Path, help="source tree before the change")
    parser.add_argument("new", type=Path, help="source tree after the change")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each tree (default: 5)")
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[1_000, 100_000], metavar="N",
        help="sizes of the table (default: 1000 100000)",
    )  # fmt: skip
    parser.add_argument("--only", default="", help="only works whose label contains this text")
    given = parser.parse_args(arguments)
    trees = [Tree(given.old), Tree(given.new)]
    print("| work | old, ms | new, ms | old : new |")
    print("|---|---:|---:|---:|")
    for label, work in works(given.rows).items():
        if given.only in label:
            print(row(label, *measure(trees, work, given.rounds)), flush=True)
    for tree in trees:
        tree.close()
