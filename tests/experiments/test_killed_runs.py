"""Runs that are killed again and again, and two of them at once."""

import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import augury
from augury.errors import StoreError
from augury.experiments.experiment import Experiment
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import StoredResults

# Fits of some milliseconds, of which a worker gets many at a time, and slow ones, of which it
# gets few: so there is something left to be killed twenty times.
EXPERIMENT = """
datasets = ["sklearn:iris", "sklearn:wine"]
repeats = 4
folds = 5

[models]
nb = {}
forest = {class = "sklearn.ensemble.RandomForestClassifier", n_estimators = 50}
c45 = {}
"""
N_FOLDS = 2 * 4 * 5 * 3
N_KILLS = 20
CURVES = """
datasets = ["sklearn:iris", "sklearn:wine"]
train_sizes = [10, 30, 0.5, 1.0]
repeats = 4

[models]
nb = {}
forest = {class = "sklearn.ensemble.RandomForestClassifier", n_estimators = 50}
"""
N_SAMPLES = 2 * 4 * 4 * 2
N_KILLS_OF_CURVES = 4


@pytest.fixture(scope="module")
def runners() -> Iterator[Any]:
    """Return what starts processes that have augury imported already.

    A server imports it once and forks: twenty new interpreters would take a minute to import.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["augury.experiments.experiment", "augury.experiments.runner", "sklearn"]
    )
    yield context
    from multiprocessing.forkserver import _forkserver

    _forkserver._stop()


def run(folder: Path, heard: Any = None) -> None:
    """Complete a store, fitting in this process."""
    with ResultStore(folder / "out") as store:
        report = run_jobs(Experiment.read(folder / "experiment.toml").jobs(), store)
    if heard is not None:
        heard.put(report.n_done)


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
    run(folder)
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
    tmp_path: Path, uninterrupted: list[Any], runners: Any
) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    kill_again_and_again(tmp_path, runners, N_KILLS)
    assert 0 < n_done(tmp_path / "out") < N_FOLDS
    run(tmp_path)
    assert rows(tmp_path / "out") == uninterrupted


def kill_again_and_again(folder: Path, runners: Any, n_kills: int) -> None:
    out = folder / "out"
    draw = random.Random(3)
    kills = 0
    while kills < n_kills:
        process = runners.Process(target=run, args=(folder,))
        process.start()
        # Most moments lie in the work; waiting by rows, not by seconds, keeps it so on a
        # machine of any speed.
        wanted = n_done(out) + draw.randrange(0, 4) if kills else 0
        while process.is_alive() and (not out.exists() or n_done(out) < wanted):
            time.sleep(0.01)
        time.sleep(draw.random() / 50)
        if not process.is_alive():
            break
        process.kill()
        process.join()
        kills += 1
    assert kills == n_kills, f"the run ended before it had been killed {n_kills} times"


def test_learning_curves_survive_kills_and_two_runners(tmp_path: Path, runners: Any) -> None:
    whole, killed, shared = (tmp_path / name for name in ("whole", "killed", "shared"))
    for folder in (whole, killed, shared):
        folder.mkdir()
        (folder / "experiment.toml").write_text(CURVES)
    run(whole)
    expected = rows(whole / "out")
    assert len(expected) == N_SAMPLES
    kill_again_and_again(killed, runners, N_KILLS_OF_CURVES)
    assert n_done(killed / "out") < N_SAMPLES
    run(killed)
    assert rows(killed / "out") == expected
    assert run_twice_at_once(shared, runners) == N_SAMPLES
    assert rows(shared / "out") == expected


def test_two_runners_do_every_fold_once(
    tmp_path: Path, uninterrupted: list[Any], runners: Any
) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    assert run_twice_at_once(tmp_path, runners) == N_FOLDS
    assert rows(tmp_path / "out") == uninterrupted
    with StoredResults(tmp_path / "out") as stored:
        assert set(Counter(map(fold_of, stored.results())).values()) == {1}


def run_twice_at_once(folder: Path, runners: Any) -> int:
    """Return the number of folds that two runners computed together."""
    heard = runners.SimpleQueue()
    both = [runners.Process(target=run, args=(folder, heard)) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    computed = [heard.get() for process in both if process.exitcode == 0]
    assert len(computed) == 2
    return sum(computed)


def fold_of(row: Any) -> tuple[Any, ...]:
    return row.dataset, row.model, row.protocol, row.run, row.fold


def test_workers_of_a_killed_command_end(tmp_path: Path, uninterrupted: list[Any]) -> None:
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    command = [sys.executable, "-m", "augury.cli", "run", "experiment.toml", "--out", "out"]
    environment = {**os.environ, "PYTHONPATH": str(Path(augury.__file__).parents[1])}
    process = subprocess.Popen([*command, "--jobs", "2"], cwd=tmp_path, env=environment)
    try:
        while process.poll() is None and n_done(tmp_path / "out") < 15:
            time.sleep(0.02)
        workers = psutil.Process(process.pid).children(recursive=True)
    finally:
        process.kill()
        process.wait()
    assert len(workers) == 2
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert alive == []
    assert n_done(tmp_path / "out") < N_FOLDS
    run(tmp_path)
    assert rows(tmp_path / "out") == uninterrupted
