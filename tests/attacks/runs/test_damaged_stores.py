"""Issue 11, "Runs": full disks, read-only folders, damaged stores."""

import contextlib
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from tests.attacks.runs.stored_runs import (
    FILE,
    N_FOLDS,
    after_target,
    assert_one_line,
    invoke,
    jobs,
    n_with,
    rows,
    start,
)

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
