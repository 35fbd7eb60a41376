"""`augury run`, killed again and again, and two of it at once."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from augury.bench import StoredResults, StoreError

# Fits of some milliseconds, of which a worker gets many at a time, and slow ones, of which it
# gets few: so there is something left to be killed twenty times.
EXPERIMENT = """
datasets = ["sklearn:iris", "sklearn:wine"]
repeats = 4
folds = 10

[models]
nb = {}
forest = {class = "sklearn.ensemble.RandomForestClassifier", n_estimators = 150}
c45 = {}
"""
N_FOLDS = 2 * 4 * 10 * 3


def start(folder: Path, out: str, jobs: int = 1) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "augury.cli", "run", "experiment.toml", "--out", out]
    return subprocess.Popen(
        [*command, "--jobs", str(jobs)],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(process: "subprocess.Popen[str]") -> str:
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output


def rows(folder: Path) -> list[Any]:
    """Return all that a fold is, but for its seconds."""
    with StoredResults(folder) as stored:
        assert stored.count("claimed") == 0
        predictions = {
            (dataset.name, model, run, fold): (tested.tobytes(), codes.tobytes())
            for dataset in stored.datasets()
            for model in stored.models()
            for run, fold, tested, codes, _ in stored.predictions(dataset.name, model)
        }
        return sorted(
            (row.dataset, row.model, row.protocol, row.run, row.fold, row.n_train, row.n_test,
             row.accuracy, row.log_loss, row.brier,
             *predictions[row.dataset, row.model, row.run, row.fold])
            for row in stored.results()
        )  # fmt: skip


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    folder = tmp_path_factory.mktemp("uninterrupted")
    (folder / "experiment.toml").write_text(EXPERIMENT)
    finish(start(folder, "out"))
    expected = rows(folder / "out")
    assert len(expected) == N_FOLDS
    return expected


def n_done(folder: Path) -> int:
    """Return the completed folds; none as long as there are no tables."""
    try:
        with StoredResults(folder) as stored:
            return stored.count("done")
    except StoreError:
        return 0


def test_killed_at_random_moments_a_run_ends_with_the_same_rows(
    tmp_path: Path, uninterrupted: list[Any]
) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    out = tmp_path / "out"
    draw = random.Random(3)
    kills = 0
    while kills < 20:
        process = start(tmp_path, "out")
        # Most moments lie in the work; waiting by rows, not by seconds, keeps it so on a
        # machine of any speed.
        wanted = n_done(out) + draw.randrange(0, 4) if kills else 0
        while process.poll() is None and (not out.exists() or n_done(out) < wanted):
            time.sleep(0.01)
        time.sleep(draw.random() / 50)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        kills += 1
    assert kills == 20, "the run ended before it had been killed 20 times"
    assert 0 < n_done(out) < N_FOLDS
    finish(start(tmp_path, "out"))
    assert rows(out) == uninterrupted


def test_two_runners_do_every_fold_once(tmp_path: Path, uninterrupted: list[Any]) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    both = [start(tmp_path, "out") for _ in range(2)]
    outputs = [finish(process) for process in both]
    computed = [int(output.split(" folds computed")[0].split()[-1]) for output in outputs]
    assert sum(computed) == N_FOLDS, f"computed {computed}"
    assert rows(tmp_path / "out") == uninterrupted
    with StoredResults(tmp_path / "out") as stored:
        assert set(Counter(map(fold_of, stored.results())).values()) == {1}


def fold_of(row: Any) -> tuple[Any, ...]:
    return row.dataset, row.model, row.protocol, row.run, row.fold


def test_workers_of_a_killed_run_end(tmp_path: Path) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    process = start(tmp_path, "out", jobs=2)
    while process.poll() is None and n_done(tmp_path / "out") < 20:
        time.sleep(0.02)
    workers = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "LokyProcess" in " ".join(child.cmdline())
    ]
    assert len(workers) == 2
    process.send_signal(signal.SIGKILL)
    process.communicate()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []
