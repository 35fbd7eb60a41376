"""Issue 11, "Runs": dying workers and schedulers, signals, full disks, damaged stores."""

import contextlib
import os
import re
import resource
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import psutil
import pytest
from click.testing import CliRunner, Result
from distributed import LocalCluster

import augury
from augury.cli import main
from augury.errors import StoreError
from augury.evaluate import cross_validate
from augury.evaluate.folds import number_folds, prepare_table
from augury.experiments.experiment import Experiment
from augury.experiments.model_summaries import add_model_summaries
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import StoredResults
from augury.workers.pool import WorkerPool
from augury.workers.tasks import WorkersLostError

HERE = Path(__file__).parent
EXPERIMENT = """
datasets = ["sklearn:iris"]
folds = 5
repeats = 2

[models]
nb = {}
poison = {class = "run_models.Poison", preprocess = false}
"""
N_FOLDS = 2 * 5 * 2
FILE = "results.sqlite"


@pytest.fixture(scope="module", autouse=True)
def importable() -> Iterator[None]:
    """Let this process and those that it starts import `run_models`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        source = str(Path(augury.__file__).parents[1])
        patch.setenv("PYTHONPATH", os.pathsep.join([source, str(HERE)]))
        yield


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with an experiment, and with the file that says what its model does."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "experiment.toml").write_text(EXPERIMENT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUGURY_TEST_ATTACK", str(folder / "attack"))
        yield folder


@pytest.fixture
def attack(place: Path) -> Iterator[Any]:
    """Return what tells the model what to do."""
    yield (place / "attack").write_text
    (place / "attack").write_text("")


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


@pytest.fixture(scope="module")
def archive(place: Path) -> Path:
    """Return a complete store, of a run that nothing disturbed."""
    (place / "attack").write_text("")
    with ResultStore(place / "undisturbed") as store:
        assert run_jobs(jobs(place), store).n_done == N_FOLDS
        add_model_summaries(jobs(place), store)
    return place / "undisturbed"


@pytest.fixture(scope="module")
def undisturbed(archive: Path) -> dict[Any, Any]:
    return rows(archive)


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


# ---- "SIGINT and SIGTERM: stop within 3 s, release claims, leave no process behind" -----------


@pytest.mark.parametrize(("name", "n_jobs"), [("SIGINT", "1"), ("SIGTERM", "2")])
def test_a_signal_stops_a_run_and_the_printed_command_continues_it(
    place: Path,
    attack: Any,
    undisturbed: dict[Any, Any],
    name: str,
    n_jobs: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attack("sleep 600")
    number = signal.Signals[name]
    out = f"stopped by {name}"  # a name that a shell would split
    process = start(place, "run", "experiment.toml", "--out", out, "--jobs", n_jobs)
    # The folds of nb are done; at least one that sleeps is claimed.
    while n_with(place / out, "done") < N_FOLDS // 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    workers = psutil.Process(process.pid).children(recursive=True)
    assert len(workers) == int(n_jobs)
    sent = time.monotonic()
    process.send_signal(number)
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)  # who is impatient sees no traceback
    output, errors = process.communicate(timeout=60)
    assert time.monotonic() - sent < 30, "promised are 3 s; the test machine may be slow"
    assert (process.returncode, after_target(output)) == (128 + number, "")
    first, second = errors.splitlines()
    assert first == f"Stopped by {name}. {N_FOLDS // 2} folds are done and kept in {out}."
    assert psutil.wait_procs(workers, timeout=10)[1] == []
    assert n_with(place / out, "claimed") == 0
    attack("")
    command = shlex.split(second.removeprefix("To continue, run: "))
    assert command[-6:] == ["run", "experiment.toml", "--out", out, "--jobs", n_jobs]
    if name == "SIGTERM":
        monkeypatch.chdir(place)
        assert invoke(*command[command.index("run") :]).exit_code == 0
        assert rows(place / out) == undisturbed


@pytest.mark.parametrize("name", ["SIGHUP", "SIGKILL"])
def test_a_run_that_ends_while_its_workers_start_leaves_none(place: Path, name: str) -> None:
    process = start(place, "run", "experiment.toml", "--out", f"early {name}", "--jobs", "2")
    parent = psutil.Process(process.pid)
    while not (workers := parent.children(recursive=True)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.001)
    process.send_signal(signal.Signals[name])
    _, errors = process.communicate(timeout=60)
    assert process.returncode in (128 + signal.SIGHUP, -signal.SIGKILL), errors
    assert "Traceback" not in errors
    assert psutil.wait_procs(workers, timeout=30)[1] == []


# ---- "Full disk, read-only folder, a damaged row, `ulimit -f`" --------------------------------


def test_a_full_disk_is_one_line_and_a_resume_completes_the_run(
    place: Path, undisturbed: dict[Any, Any], tmp_path: Path
) -> None:
    limit = 200_000  # bytes of a file: enough for the tables and some folds
    process = start(
        place, "run", "experiment.toml", "--out", str(tmp_path), "--jobs", "1",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    output, errors = process.communicate(timeout=300)
    assert (process.returncode, after_target(output)) == (2, ""), errors
    [line] = errors.splitlines()
    assert line.startswith(f"Error: {tmp_path / FILE} cannot be read or written: ")
    assert 0 < n_with(tmp_path, "done") < N_FOLDS
    with ResultStore(tmp_path) as store:
        run_jobs(jobs(place), store)
    assert rows(tmp_path) == undisturbed


@contextlib.contextmanager
def file_size_limit(n_bytes: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_report(archive: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert invoke("report", archive, "-o", page).exit_code == 0
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with file_size_limit(4096):
        result = invoke("report", archive, "-o", page, "--title", "another")
    assert_one_line(result, str(tmp_path))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("n_bytes", [0, 10_000])
def test_no_room_for_a_store_is_one_line(place: Path, tmp_path: Path, n_bytes: int) -> None:
    with file_size_limit(n_bytes):
        result = invoke("run", place / "experiment.toml", "--out", tmp_path / "out")
    assert_one_line(result, str(tmp_path / "out"))


@contextlib.contextmanager
def without_root() -> Iterator[None]:
    """Be a user whom the permissions of files concern."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


@pytest.fixture
def public() -> Iterator[Path]:
    """Return a folder that every user can reach; pytest's own are private."""
    folder = Path(tempfile.mkdtemp(prefix="augury-test-"))
    folder.chmod(0o755)
    yield folder
    for each in [folder, *folder.rglob("*")]:
        each.chmod(0o755)
    shutil.rmtree(folder)


def freeze(folder: Path) -> None:
    for each in folder.rglob("*"):
        each.chmod(0o555 if each.is_dir() else 0o444)
    folder.chmod(0o555)


@pytest.mark.parametrize("with_log", [False, True], ids=["closed", "with write-ahead log"])
def test_report_works_on_a_read_only_archived_store(
    archive: Path, public: Path, with_log: bool
) -> None:
    store, out = public / "store", public / "out"
    store.mkdir()
    out.mkdir()
    out.chmod(0o777)
    shutil.copy(archive / FILE, store)
    if with_log:
        # As somebody copies a store of a run under way: without the file of shared memory.
        with ResultStore(store) as growing:
            growing.set_meta("title", "Only in the log")
            shutil.copy(store / f"{FILE}-wal", public / "wal")
        shutil.rmtree(store / "runners")
        shutil.copy(archive / FILE, store)
        shutil.copy(public / "wal", store / f"{FILE}-wal")
    freeze(store)
    before = sorted(store.iterdir())
    assert invoke("report", archive, "-o", public / "warm.html").exit_code == 0  # imports all
    with without_root():
        assert not os.access(store, os.W_OK, effective_ids=True)
        result = invoke("report", store, "-o", out / "page.html")
    assert result.exit_code == 0, result.output
    page = (out / "page.html").read_text()
    assert ("Only in the log" if with_log else "2 models on 1 data set") in page
    assert sorted(store.iterdir()) == before


def test_a_read_only_folder_is_one_line(place: Path, archive: Path, public: Path) -> None:
    store = public / "store"
    shutil.copytree(archive, store)
    freeze(store)
    shutil.copy(place / "experiment.toml", public)
    assert invoke("report", archive, "-o", public / "warm.html").exit_code == 0
    with without_root():
        run = invoke("run", public / "experiment.toml", "--out", store)
        page = invoke("report", store, "-o", store / "page.html")
    assert_one_line(run, f"no results can be written to {store}", "Permission denied")
    assert_one_line(page, str(store), "Permission denied")


DAMAGES = {
    "a text for a number": "UPDATE fold SET accuracy = 'much' WHERE model = 'nb' AND run = 2",
    "no count": "UPDATE fold SET n_test = NULL WHERE model = 'nb' AND run = 2",
    "bytes that are no text": "UPDATE fold SET protocol = CAST(x'ff' AS TEXT) WHERE run = 2",
    "no blob": "UPDATE fold SET predicted = 7 WHERE run = 2",
    "an empty blob": "UPDATE fold SET predicted = x'' WHERE run = 2",
    "a broken blob": "UPDATE fold SET predicted = x'620102' WHERE run = 2",
    "half a confidence": "UPDATE fold SET confidence = x'789c030000000001' WHERE run = 2",
    "rows of nowhere": "UPDATE test_rows SET rows = x'62789c33313000' WHERE run = 2",
    "another fold's rows": "UPDATE test_rows SET rows = (SELECT labels FROM dataset)",
    "a failure without text": "UPDATE fold SET status = 'failed', message = NULL WHERE run = 2",
    "broken JSON": "UPDATE dataset SET details = '{'",
    "a list": "UPDATE model SET description = '[1]'",
    "labels of another type": "UPDATE dataset SET labels = 'text'",
    "a broken model summary": "UPDATE portrait SET content = 'null'",
    "a broken environment": "UPDATE environment SET content = ''",
    "a broken setting": "UPDATE meta SET value = '{' WHERE key = 'schema'",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_row_is_named_in_one_line(
    place: Path, archive: Path, tmp_path: Path, damage: str
) -> None:
    shutil.copy(archive / FILE, tmp_path)
    statement = DAMAGES[damage]
    with contextlib.closing(sqlite3.connect(tmp_path / FILE)) as connection, connection:
        assert connection.execute(statement).rowcount > 0
    table = statement.split()[1]
    table = "fold" if table == "test_rows" else table
    expected = f"{tmp_path / FILE} has a damaged row in its table {table} ("
    result = invoke("report", tmp_path, "-o", tmp_path / "page.html")
    assert_one_line(result, expected)
    if " fold SET n_test" in statement or "accuracy" in statement:
        result = invoke("run", place / "experiment.toml", "--out", tmp_path)
        assert_one_line(result, expected, "model 'nb', protocol 'honest', run 2, fold 1")


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_file_is_one_line_or_a_report(archive: Path, tmp_path: Path, seed: int) -> None:
    content = bytearray((archive / FILE).read_bytes())
    start = len(content) * seed // 12
    content[start : start + 512] = bytes((37 * seed + i * i) % 256 for i in range(512))
    (tmp_path / FILE).write_bytes(content)
    result = invoke("report", tmp_path, "-o", tmp_path / "page.html")
    if result.exit_code != 0:
        assert_one_line(result, str(tmp_path / FILE))
