"""Files and columns: reading, the command line, TidyColumns and the first save of a process.

The table has 30 columns of numbers and texts, see `benchmarks.mixed_table`. Commands and their
peers run in new processes with one thread; their time includes the imports of both. Modules have
been compiled by the first run, as they are in an installed package.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

from augury import text_codes
from augury.data import read_table
from augury.encode import TidyColumns
from benchmarks.mixed_table import mixed_table
from benchmarks.timing import in_turn, report

N_SMALL, N_LARGE = 100_000, 1_000_000
N_REPEATS = 3

READ_CSV = """
import sys, pyarrow, pyarrow.csv
pyarrow.set_cpu_count(1); pyarrow.set_io_thread_count(1)
pyarrow.csv.read_csv(sys.argv[1])
"""
READ_PARQUET = """
import sys, pyarrow, pyarrow.parquet
pyarrow.set_cpu_count(1); pyarrow.set_io_thread_count(1)
pyarrow.parquet.read_table(sys.argv[1], use_threads=False)
"""
READ_AND_WRITE = """
import sys, pyarrow, pyarrow.csv
pyarrow.set_cpu_count(1); pyarrow.set_io_thread_count(1)
pyarrow.csv.read_csv(sys.argv[1])
pyarrow.csv.write_csv(pyarrow.csv.read_csv(sys.argv[2]), sys.argv[3])
"""
TWO_SAVES = """
import sys, time, pandas as pd
from augury.generative import NaiveBayes
from augury.persist import save_model
X = pd.read_parquet(sys.argv[1]).iloc[:10_000]
y = X.pop("class")
model = NaiveBayes().fit(X, y)
for _ in range(2):
    start = time.process_time()
    save_model(model, sys.argv[2], X=X)
    print(time.process_time() - start)
"""


def run(*command: str | Path) -> tuple[float, float, str]:
    """Return processor seconds and peak megabytes of a new process, and what it printed."""
    # The peak of a child is read from the process that waits for it, which has no other child.
    waiter = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, check=True, text=True)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)\n"
        "print(done.stdout)"
    )
    done = subprocess.run(
        [sys.executable, "-c", waiter, *map(str, command)],
        capture_output=True,
        check=True,
        text=True,
        env=os.environ
        | {
            "OMP_NUM_THREADS": "1",
            "ARROW_IO_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "",
        },
    )
    first, _, printed = done.stdout.partition("\n")
    seconds, megabytes = map(float, first.split())
    return seconds, megabytes, printed


def compare(label: str, command: list[str | Path], peer: list[str | Path], target: str) -> None:
    """Report a command and its peer, repeated in turn."""
    rounds = [(run(*command), run(*peer)) for _ in range(N_REPEATS)]
    ours, theirs = (min(each[k][0] for each in rounds) for k in (0, 1))
    report(f"{label}: pyarrow", theirs, "s")
    report(f"{label}: augury", ours, "s")
    report("  times the time of pyarrow", ours / theirs, "x", target)
    report("  peak memory", min(each[0][1] for each in rounds), "MB", "target: <= 1000")


def compare_columns(X: pd.DataFrame) -> None:
    def tidy() -> None:
        text_codes._known.clear()  # else the codes of the first repetition are used again
        TidyColumns().fit_transform(X)

    works = [lambda: [pd.factorize(X[name]) for name in X], tidy]
    theirs, ours = in_turn(works, N_REPEATS)
    report(f"pandas.factorize of the columns, {N_LARGE:,} x 30", theirs, "s")
    report("TidyColumns, fit and transform", ours, "s", "before: 3.9 s, target: an eighth")
    report("  times the time of pandas.factorize", ours / theirs, "x")


def main() -> None:
    augury = Path(sys.executable).with_name("augury")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, text, columns = folder / "small.csv", folder / "large.csv", folder / "large.parquet"
        mixed_table(N_SMALL).to_csv(small, index=False)
        table = mixed_table(N_LARGE)
        table.to_csv(text, index=False)
        table.to_parquet(columns, index=False)
        X = table.drop(columns="class")
        del table

        theirs, ours = in_turn([lambda: pd.read_csv(small), lambda: read_table(small)], 7)
        report(f"pandas reads a CSV of {N_SMALL:,} x 31", theirs, "s")
        report("read_table, with all its checks", ours, "s")
        report("  times the time of pandas", ours / theirs, "x", "target: <= 1.5")

        compare_columns(X)
        del X

        python = sys.executable
        model, answers = folder / "nb.augury", folder / "answers.csv"
        compare(
            "augury fit --model nb, CSV",
            [augury, "fit", text, "--model", "nb", "-o", model],
            [python, "-c", READ_CSV, text],
            "target: <= 3",
        )
        compare(
            "augury fit --model nb, Parquet",
            [augury, "fit", columns, "--model", "nb", "-o", model],
            [python, "-c", READ_PARQUET, columns],
            "target: <= 4",
        )
        run(augury, "predict", model, text, "-o", answers)
        compare(
            "augury predict, CSV",
            [augury, "predict", model, text, "-o", answers],
            [python, "-c", READ_AND_WRITE, text, answers, folder / "copy.csv"],
            "target: <= 2",
        )
        saves = [run(python, "-c", TWO_SAVES, columns, model)[2].split() for _ in range(N_REPEATS)]
        first, second = (min(float(each[k]) for each in saves) for k in (0, 1))
        report("first save_model of a process", first, "s")
        report("second save_model", second, "s")
        report("  first, times the second", first / second, "x", "target: <= 3")


if __name__ == "__main__":
    main()
