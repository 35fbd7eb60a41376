"""Issue 11, "Runs": workers and schedulers that die."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import psutil
import pytest
from distributed import LocalCluster

from augury.evaluate import cross_validate
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.workers.pool import WorkerPool
from augury.workers.tasks import WorkersLostError
from tests.attacks.runs.stored_runs import (
    N_FOLDS,
    after_target,
    assert_one_line,
    invoke,
    jobs,
    n_with,
    rows,
    start,
    sum_of_fold,
)

# ---- "A fold whose worker dies (OOM killer, segfault) must become a failed row that says so" ----


def test_a_fold_whose_worker_dies_is_a_failed_row_and_stops_no_other(
    place: Path, attack: Any, undisturbed: dict[Any, Any]
) -> None:
    attack(f"kill {sum_of_fold(place, 1, 3)}")
    process = start(place, "run", "experiment.toml", "--out", "killed", "--jobs", "1")
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 1, errors
    assert after_target(output) == f"{N_FOLDS - 1} folds computed, 0 were in killed before.\n"
    reason = (
        "the worker process died (signal 9, possibly out of memory), also when this was run alone "
        "in a new process"
    )
    assert errors.splitlines() == [
        f"Failed: poison on sklearn:iris, run 1, fold 3: {reason}",
        "1 folds failed; --retry runs them again.",
    ]
    expected = {key: row for key, row in undisturbed.items() if key != ("poison", 1, 3)}
    assert rows(place / "killed") == expected
    attack("")
    with ResultStore(place / "killed") as store:
        assert [failure.traceback for failure in store.failures()] == [reason]
        assert run_jobs(jobs(place), store).n_before == N_FOLDS, "a plain resume leaves it"
        assert run_jobs(jobs(place), store, retry_failed=True).n_done == 1
    assert rows(place / "killed") == undisturbed


def test_a_model_summary_whose_worker_dies_is_kept_as_an_error(
    place: Path, attack: Any, tmp_path: Path
) -> None:
    from run_models import sum_of

    [job] = jobs(place)
    attack(f"kill {sum_of(job.dataset.X)}")
    with ResultStore(tmp_path) as store:
        assert add_model_summaries([job], store, n_jobs=1, isolate=True) == 2
        found = store.model_summaries()
    assert found["sklearn:iris", "nb"].error is None
    poisoned = found["sklearn:iris", "poison"]
    assert str(poisoned.error).startswith("the worker process died (signal 9")
    assert "the worker process died (signal 9" in poisoned.notes[0]


def test_cross_validate_names_the_fold_whose_worker_dies(
    place: Path, attack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    [job] = jobs(place)
    attack(f"kill {sum_of_fold(place, 2, 5)}")
    poison = {"poison": job.models["poison"]}
    # One process instead of two: each takes seconds to start.
    monkeypatch.setattr("augury.workers.run_tasks.choose_workers", lambda *_, **__: WorkerPool(1))
    with pytest.raises(RuntimeError, match="poison on sklearn:iris, run 2, fold 5: the worker pro"):
        cross_validate([job.dataset], poison, job.splitter, n_jobs=2)


# ---- "When a Dask scheduler dies, its connection errors are recorded as failures" -------------


@contextlib.contextmanager
def dask_cluster() -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """Start a scheduler and a worker as processes of their own; yield address and scheduler."""
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}
    options = {"env": environment, "text": True, "stderr": subprocess.PIPE}
    dask_command = [sys.executable, "-m", "dask"]
    scheduler = subprocess.Popen(
        [*dask_command, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"],
        **options,
    )
    assert scheduler.stderr is not None
    lines = iter(scheduler.stderr.readline, "")
    address = next(line.split()[-1] for line in lines if "Scheduler at:" in line)
    worker = subprocess.Popen(
        [*dask_command, "worker", address, "--nthreads", "1", "--no-dashboard"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield address, scheduler
    finally:
        end_all(worker, scheduler)
        scheduler.stderr.close()


def end_all(*processes: "subprocess.Popen[Any]") -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in psutil.Process(process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
        process.kill()
        process.wait()


def test_dask_a_killed_worker_is_a_failed_fold_and_a_killed_scheduler_is_not(
    place: Path,
    attack: Any,
    undisturbed: dict[Any, Any],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with dask_cluster() as (address, scheduler):
        attack(f"kill {sum_of_fold(place, 1, 3)}")
        with ResultStore(tmp_path / "killed") as store:
            report = run_jobs(jobs(place), store, scheduler=address)
            assert (report.n_done, report.n_failed) == (N_FOLDS - 1, 1)
            [failure] = store.failures()
        assert failure.traceback == "the Dask worker process died, also when this was run alone"
        expected = {key: row for key, row in undisturbed.items() if key != ("poison", 1, 3)}
        assert rows(tmp_path / "killed") == expected

        attack("")
        kill = lambda _: scheduler.kill()  # noqa: E731 - as soon as a row is there
        with (
            ResultStore(tmp_path / "lost") as store,
            pytest.raises(
                WorkersLostError, match=r"the Dask scheduler at .* is lost; what is done"
            ),
        ):
            run_jobs(jobs(place), store, scheduler=address, progress=kill)
    assert "Traceback" not in capfd.readouterr().err, "Dask logs one for each attempt to connect"
    assert n_with(tmp_path / "lost", "failed") == n_with(tmp_path / "lost", "claimed") == 0
    assert 0 < n_with(tmp_path / "lost", "done") < N_FOLDS
    with ResultStore(tmp_path / "lost") as store:
        run_jobs(jobs(place), store)
    assert rows(tmp_path / "lost") == undisturbed


def test_dask_without_scheduler_or_workers_is_one_line_and_no_failure(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("run", place / "experiment.toml", "--out", tmp_path / "out", "--scheduler")
    with dask.config.set({"distributed.comm.timeouts.connect": "0.5s"}):
        result = invoke(*command, "tcp://127.0.0.1:9")
    assert_one_line(result, "no Dask scheduler answers at 'tcp://127.0.0.1:9'")
    monkeypatch.setattr("augury.workers.dask_client.PATIENCE", 0.2)
    with LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster:
        result = invoke(*command, cluster.scheduler_address)
    assert_one_line(result, "has no workers for 0.2 s")
    assert n_with(tmp_path / "out", "failed") == 0
