"""Runs of the experiment of this folder, and what their stores hold."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from augury.cli import main
from augury.errors import StoreError
from augury.evaluate.folds import number_folds, prepare_table
from augury.experiments.experiment import Experiment
from augury.experiments.store.stored_results import StoredResults

N_FOLDS = 2 * 5 * 2


FILE = "results.sqlite"


def after_target(output: str) -> str:
    """Return what a run prints after the line that names its target, if it came that far."""
    return re.sub(r"^sklearn:iris: target .*\n", "", output)


def jobs(place: Path) -> Any:
    return Experiment.read(place / "experiment.toml").jobs()


def rows(folder: Path) -> dict[Any, Any]:
    """Return all that the folds are, but for their seconds, by fold."""
    with StoredResults(folder) as stored:
        assert stored.count("claimed") == 0
        predictions = {
            (model, run, fold): (tested.tobytes(), codes.tobytes())
            for model in stored.models()
            for run, fold, tested, codes, _ in stored.predictions("sklearn:iris", model)
        }
        return {
            (row.model, row.run, row.fold): (
                row.n_train, row.n_test, row.accuracy, row.log_loss, row.brier,
                *predictions[row.model, row.run, row.fold],
            )
            for row in stored.results()
        }  # fmt: skip


def n_with(folder: Path, status: str) -> int:
    try:
        with StoredResults(folder) as stored:
            return stored.count(status)
    except StoreError:  # there are no tables yet
        return 0


def sum_of_fold(place: Path, run: int, fold: int) -> str:
    """Return what the poison model knows the training rows of a fold by."""
    from run_models import sum_of

    [job] = jobs(place)
    table = prepare_table(job.dataset, job.protocol)
    sums = {
        (each.run, each.fold): sum_of(table.X.iloc[each.train])
        for each in number_folds(job.splitter, table)
    }
    assert len(set(sums.values())) == len(sums)
    return sums[run, fold]


def start(place: Path, *arguments: str, **options: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "augury.cli", *arguments]
    return subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(part) for part in arguments])


def assert_one_line(result: Result, *parts: str) -> None:
    assert result.exit_code == 2, result.output
    [line] = result.stderr.splitlines()
    assert line.startswith("Error: ")
    for part in parts:
        assert part in line
