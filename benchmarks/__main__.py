"""Run benchmarks by name: `python -m benchmarks naive_bayes startup`.

Without names, all benchmarks of `benchmarks/speed` run. Studies of `benchmarks/studies` run only by
name; those of `WITH_FOLDER` take a folder. `python -m benchmarks compare-trees OLD NEW` compares
the speed of two source trees.
"""

import importlib
import os
import pkgutil
import sys
from types import ModuleType

from benchmarks import compare_trees, speed, studies

# `network_search` takes minutes where the other libraries are installed; cheap benchmarks first.
FIRST = ("startup", "counting", "naive_bayes")
HELPERS = ("density_tables", "hbayes_search", "text_meta_features")
# Studies that take a folder of results after their name.
WITH_FOLDER = ("fair_fight", "hbayes_rules", "split_study")


def names_in(package: ModuleType) -> list[str]:
    """Return the names of the programs in a folder, in the order in which they run."""
    found = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return sorted(set(found) - set(HELPERS), key=lambda name: (name not in FIRST, name))


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["compare-trees"]:
        compare_trees.main(arguments[1:])
        return
    # One thread for the other libraries too; set before they are imported.
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    folders = {name: package for package in (speed, studies) for name in names_in(package)}
    names = arguments[:1] if set(arguments[:1]) & set(WITH_FOLDER) else arguments
    for name in names or names_in(speed):
        if name not in folders:
            sys.exit(f"unknown benchmark {name!r}: choose from {', '.join(folders)}")
        print(f"--- {name}")
        importlib.import_module(f"{folders[name].__name__}.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
