"""Run benchmarks by name: `python -m benchmarks naive_bayes startup`.

Without names, all benchmarks of `benchmarks/speed` run. Studies of `benchmarks/studies` run only by
name; those of `WITH_ARGUMENTS` take a folder, names of models, or options. `python -m benchmarks
compare-trees OLD NEW` compares the speed of two source trees. `python -m benchmarks --help` lists
the names.

`python -m benchmarks all --peers [--runs N]` runs all benchmarks of speed N times, with the peers
of `peers.txt`, and prints a table of the ratios with their range over the runs.
"""

import ast
import importlib
import os
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

from benchmarks import all_runs, compare_trees, speed, studies

# `network_search` takes minutes where the other libraries are installed; cheap benchmarks first.
FIRST = ("startup", "counting", "naive_bayes")
HELPERS = (
    "density_tables",
    "flagship_autogluon",
    "flagship_folds",
    "flagship_opponents",
    "flagship_tables",
    "hbayes_search",
    "text_meta_features",
)
# Studies that take a folder of results after their name, and those that take names or options.
WITH_FOLDER = (
    "fair_fight",
    "flagship_ablation",
    "flagship_new_tables",
    "flagship_small_data",
    "flagship_study",
    "hbayes_rules",
    "split_study",
)
WITH_ARGUMENTS = (*WITH_FOLDER, "breakdown", "table_shapes")


def names_in(package: ModuleType) -> list[str]:
    """Return the names of the programs in a folder, in the order in which they run."""
    found = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return sorted(set(found) - set(HELPERS), key=lambda name: (name not in FIRST, name))


def describe() -> str:
    """Return the names of all programs, each with the first line of its documentation."""
    lines = [
        "usage: python -m benchmarks [NAME ...]",
        "       python -m benchmarks compare-trees OLD NEW",
        "       python -m benchmarks all --peers [--runs N]",
    ]
    for title, package in (
        ("Benchmarks of speed; without a name all of them run:", speed),
        ("Studies, which run by name:", studies),
    ):
        lines += ["", title]
        for name in names_in(package):
            file = Path(package.__path__[0]) / f"{name}.py"
            text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            shown = f"{name} DIR" if name in WITH_FOLDER else name
            lines += [f"  {shown}", f"      {text.splitlines()[0] if text else ''}".rstrip()]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    if {"-h", "--help"} & set(arguments[:1]):
        print(describe())
        return
    if arguments[:1] == ["compare-trees"]:
        compare_trees.main(arguments[1:])
        return
    if arguments[:1] == ["all"]:
        all_runs.main(arguments[1:], names_in(speed))
        return
    # One thread for the other libraries too; set before they are imported.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    folders = {name: package for package in (speed, studies) for name in names_in(package)}
    names = arguments[:1] if set(arguments[:1]) & set(WITH_ARGUMENTS) else arguments
    for name in names or names_in(speed):
        if name not in folders:
            sys.exit(f"unknown benchmark {name!r}: choose from {', '.join(folders)}")
        print(f"--- {name}")
        importlib.import_module(f"{folders[name].__name__}.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
