"""Commands on tables that are read in pieces: choice, results, errors, progress, signals."""

import gzip
import io
import json
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.feather as feather
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.cli.files import table_in_pieces
from augury.cli.files.table_in_pieces import why_in_pieces
from augury.cli.terminal.row_progress import RowProgress
from augury.persist import load_model

N_ROWS = 600


def run(*arguments: object) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # commands print them
        return CliRunner().invoke(main, [str(each) for each in arguments])


def succeed(*arguments: object) -> Result:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a table as CSV, Parquet, Arrow and in several files, and a model."""
    folder = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(3)
    label = rng.choice(["no", "yes"], N_ROWS)
    table = pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(N_ROWS)],
            "sky": rng.choice(["sun", "rain", "fog"], N_ROWS),
            "wind": rng.normal(label == "yes", 1.0).round(2),
            "price": [f"${x:,.2f}" for x in rng.gamma(2.0, 900.0, N_ROWS)],
            "left": np.where(np.arange(N_ROWS) % 50 == 7, None, label),
        }
    )
    table.to_csv(folder / "mine.csv", index=False)
    (folder / "mine.csv.gz").write_bytes(gzip.compress((folder / "mine.csv").read_bytes()))
    table.to_parquet(folder / "mine.parquet", row_group_size=100, index=False)
    feather.write_feather(table, str(folder / "mine.arrow"))
    (folder / "parts").mkdir()
    for k in range(3):
        part = table.iloc[k * 200 : (k + 1) * 200]
        part.to_parquet(folder / "parts" / f"{k}.parquet", index=False)
    succeed("fit", folder / "mine.csv", "--model", "nb", "-o", folder / "nb.augury")
    return folder


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every table be larger than a quarter of the free memory."""
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 4000)


# ---- choice ----------------------------------------------------------------------------------


def test_small_files_are_read_whole(folder: Path) -> None:
    for name in ("mine.csv", "mine.csv.gz", "mine.parquet"):
        assert why_in_pieces(str(folder / name)) is None
    assert why_in_pieces("sklearn:iris") is None
    assert why_in_pieces("synthetic:waveform?n_samples=50&random_state=1") is None
    assert why_in_pieces("nowhere.csv") is None


@pytest.mark.usefixtures("little_memory")
def test_large_files_are_read_in_pieces(folder: Path, tmp_path: Path) -> None:
    why = why_in_pieces(str(folder / "mine.parquet"))
    assert why is not None
    assert not why.is_needed
    # 600 rows of 5 columns of 8 bytes
    assert why.reason == (
        "its 23.4 KiB in memory are more than a quarter of the 3.9 KiB of free memory"
    )
    (tmp_path / "mine.arff").write_text("@relation r\n")
    assert why_in_pieces(str(tmp_path / "mine.arff")) is None
    (tmp_path / "broken.parquet").write_text("nothing" * 900)
    assert why_in_pieces(str(tmp_path / "broken.parquet")) is None


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("parts", "it is a folder"),
        ("parts/*.parquet", "it is a pattern of file names"),
        ("mine.arrow", "it is an Arrow file"),
    ],
)
def test_tables_that_cannot_be_read_whole(folder: Path, table: str, reason: str) -> None:
    why = why_in_pieces(str(folder / table))
    assert why is not None
    assert (why.reason, why.is_needed) == (reason, True)
    assert why_in_pieces("duckdb:SELECT 1") == table_in_pieces.InPieces("it is a query", True)


def test_name_of_a_data_set_is_not_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("iris", "mine"):
        Path(name).mkdir()
    assert why_in_pieces("iris") is None
    assert why_in_pieces("./iris") is not None
    assert why_in_pieces("mine") is not None


# ---- fit -------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["nb", "hnb", "lr", "hybrid"])
def test_fit_in_pieces_equals_the_fit_to_the_whole_table(
    folder: Path, tmp_path: Path, model: str
) -> None:
    rows = pd.read_csv(folder / "mine.csv").drop(columns="left")
    whole, pieces = tmp_path / "whole.augury", tmp_path / "pieces.augury"
    first = succeed("fit", folder / "mine.csv", "--model", model, "-o", whole)
    done = succeed("fit", folder / "parts", "--model", model, "-o", pieces)
    assert f"Reading {folder / 'parts'} in pieces: it is a folder" in done.stderr
    assert "the target 'left' is missing in 12 of 600 rows; --strict" in done.stderr
    sentence = "All labels and cut points are exact, as in a fit to the whole table\n"
    assert sentence in done.stdout
    # Target, decisions and number of rows.
    assert done.stdout.replace(sentence, "").splitlines()[:-1] == first.stdout.splitlines()[:-1]
    saved, other = load_model(pieces), load_model(whole)
    assert (saved.metadata.target, saved.metadata.n_rows) == ("left", 588)
    assert saved.metadata.columns == other.metadata.columns
    np.testing.assert_allclose(
        saved.model.predict_proba(rows), other.model.predict_proba(rows), rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("name", ["mine.csv", "mine.csv.gz", "mine.parquet", "mine.arrow"])
def test_stream_option_and_json(folder: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "nb.augury"
    done = succeed("fit", folder / name, "--model", "nb", "--stream", "-o", out, "--json")
    content = json.loads(done.stdout)
    assert content["rows"] == 588
    assert content["rows_left_out"] == 12
    assert content["target_rule"] == "last"
    assert content["bounded_cuts"] == {}
    assert content["grouped_labels"] == []
    assert [column["name"] for column in content["columns"]] == ["id", "sky", "wind", "price"]
    rows = pd.read_csv(folder / "mine.csv").drop(columns="left")
    np.testing.assert_allclose(
        load_model(out).model.predict_proba(rows),
        load_model(folder / "nb.augury").model.predict_proba(rows),
        rtol=1e-12,
    )


@pytest.mark.usefixtures("little_memory")
def test_large_table_is_streamed_if_the_model_can_be(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.augury"
    done = succeed("fit", folder / "mine.csv", "--model", "nb", "-o", out)
    assert f"Reading {folder / 'mine.csv'} in pieces: its " in done.stderr
    assert "in memory are more than a quarter of the 3.9 KiB of free memory" in done.stderr
    done = succeed("fit", folder / "mine.csv", "--model", "c45", "-o", out)
    assert "is read whole, although its" in done.stderr
    assert "c45 cannot be fitted to pieces" in done.stderr
    assert "Reading" not in done.stderr


def test_default_file_and_query(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("duckdb", reason="the extra duckdb is not installed")
    monkeypatch.chdir(tmp_path)
    query = f"duckdb:SELECT * FROM '{folder}/parts/*.parquet' ORDER BY id"
    succeed("fit", query, "--model", "nb")
    assert load_model("table.augury").metadata.n_rows == 588


def test_default_file_of_a_pattern(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        "Written: parts.augury"
        in succeed("fit", f"{folder}/parts/*.parquet", "--model", "nb").stdout
    )


def one_line(done: Result, *parts: str) -> None:
    assert done.exit_code == 2, done.output
    line = done.stderr.splitlines()[-1]
    assert line.startswith("Error: ")
    for part in parts:
        assert part in line, line
    assert "Traceback" not in done.stderr


def test_errors_of_fit(folder: Path, tmp_path: Path) -> None:
    parts = folder / "parts"
    one_line(run("fit", parts, "--target", "lfet"), "there is no column 'lfet'", "'left'?")
    one_line(run("fit", parts, "--model", "c45"), "c45 cannot be fitted to", "all rows in memory")
    one_line(run("fit", parts, "--strict"), "has no value in the target 'left'", ".parquet")
    one_line(run("fit", parts, "--target", "wind"), "numbers that are not classes", "--target")
    one_line(run("fit", f"{parts}/*.csv"), "no file matches this pattern")
    (tmp_path / "empty").mkdir()
    one_line(run("fit", tmp_path / "empty"), "the folder has no files")
    one_line(
        run("fit", "sklearn:iris", "--stream"),
        "--stream is for files, and 'sklearn:iris' is the name of a data set",
    )
    one_line(run("fit", "nowhere.csv", "--stream"), "nowhere.csv: there is no such file")
    one_line(run("fit", "nowhere.arrow"), "DATA is nowhere.arrow: there is no such file")
    one_line(
        run("fit", parts, "--set", "alpha=-1", "--model", "nb"), "--set alpha=-1", "alpha must be"
    )
    one_line(run("fit", parts, "-o", tmp_path / "no" / "m.augury"), "where no file can be written")
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    table = pd.read_parquet(parts / "0.parquet")
    table.to_parquet(mixed / "0.parquet", index=False)
    table.rename(columns={"wind": "Wind"}).to_parquet(mixed / "1.parquet", index=False)
    one_line(run("fit", mixed), "1.parquet: there is no column 'wind'")


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "tcp://no.such.host.invalid:8786", "nonsense"]
)
def test_unknown_scheduler(
    folder: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask itself would try for 30 seconds."""

    def connect(address: str, **_: object) -> None:
        assert address == "nonsense"
        raise ValueError("missing port number in address 'nonsense'")

    monkeypatch.setattr("distributed.Client", connect)
    message = f"no Dask scheduler answers at {address!r}"
    for command in (
        ("fit", folder / "parts", "--model", "nb", "-o", tmp_path / "m.augury"),
        ("predict", folder / "nb.augury", folder / "parts", "-o", tmp_path / "o.csv"),
    ):
        one_line(run(*command, "--scheduler", address), message)
    assert list(tmp_path.iterdir()) == []


def test_fit_and_predict_on_a_cluster(folder: Path, tmp_path: Path) -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        dashboard_address="127.0.0.1:0",
        protocol="tcp",
    ) as cluster:
        address = ("--scheduler", cluster.scheduler_address)
        out = tmp_path / "nb.augury"
        done = succeed("fit", folder / "mine.parquet", "--model", "nb", "-o", out, *address)
        assert "in pieces: --scheduler is given" in done.stderr
        succeed("predict", out, folder / "parts", "-o", f"{tmp_path}/dask/", *address)
    succeed("predict", folder / "nb.augury", folder / "parts", "-o", tmp_path / "local.parquet")
    found, local = (pd.read_parquet(tmp_path / name) for name in ("dask", "local.parquet"))
    assert len(list((tmp_path / "dask").iterdir())) == 3
    pd.testing.assert_frame_equal(found, local, rtol=1e-12)


# ---- predict ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keep", [(), ("--keep", "id"), ("--keep", "left, wind"), ("--keep", "all")]
)
def test_csv_of_pieces_has_the_bytes_of_the_whole(
    folder: Path, tmp_path: Path, keep: tuple[str, ...]
) -> None:
    model = folder / "nb.augury"
    first = succeed("predict", model, folder / "mine.csv", "-o", tmp_path / "whole.csv", *keep)
    assert "Reading" not in first.stderr
    for name in ("parts", "parts/*.parquet", "mine.arrow"):
        done = succeed("predict", model, folder / name, "-o", tmp_path / "pieces.csv", *keep)
        assert "in pieces" in done.stderr
        assert (tmp_path / "pieces.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
        assert done.stdout.splitlines()[1] == first.stdout.splitlines()[1]
        assert done.stdout.splitlines()[1].endswith("in 588 rows; 12 rows have no class")


def test_forms_of_output(folder: Path, tmp_path: Path) -> None:
    model, table = folder / "nb.augury", folder / "mine.csv"
    succeed("predict", model, table, "-o", tmp_path / "a.csv", "--keep", "id")
    wanted = pd.read_csv(tmp_path / "a.csv")
    (tmp_path / "empty").mkdir()
    for out in ("a.parquet", "a.arrow", "new/", "empty"):
        done = succeed("predict", model, table, "-o", f"{tmp_path}/{out}", "--keep", "id")
        assert "in pieces: --output is" in done.stderr
        path = tmp_path / out
        found = feather.read_feather(path) if out == "a.arrow" else pd.read_parquet(path)
        pd.testing.assert_frame_equal(found, wanted, rtol=1e-12)
    succeed("predict", model, table, "-o", tmp_path / "a.txt", "--keep", "id")
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "a.csv").read_bytes()


@pytest.mark.usefixtures("little_memory")
def test_large_table_to_standard_output(folder: Path, tmp_path: Path) -> None:
    done = succeed("predict", folder / "nb.augury", folder / "mine.csv", "--keep", "id")
    assert "in pieces: its " in done.stderr
    assert "predicted correctly in 588 rows" in done.stderr
    found = pd.read_csv(io.StringIO(done.stdout))
    assert list(found) == ["id", "predicted", "p(no)", "p(yes)"]
    assert len(found) == N_ROWS
    content = json.loads(
        succeed("predict", folder / "nb.augury", folder / "parts", "--json").stdout
    )
    assert [row["predicted"] for row in content["predictions"]] == found["predicted"].tolist()


def test_errors_of_predict(folder: Path, tmp_path: Path) -> None:
    model, parts = folder / "nb.augury", folder / "parts"
    out = ("-o", tmp_path / "o.csv")
    one_line(run("predict", model, parts, *out, "--keep", "idd"), "no column 'idd'", "'id'?")
    one_line(run("predict", model, f"{parts}/*.csv", *out), "no file matches this pattern")
    one_line(run("predict", model, "nowhere.csv", *out), "DATA is nowhere.csv: there is no such")
    one_line(
        run("predict", model, parts, "-o", tmp_path / "o.parquet", "--escape-formulas"),
        "--escape-formulas is for CSV",
    )
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    one_line(
        run("predict", model, parts, "-o", tmp_path / "full"),
        "--output is",
        "which cannot be written: is a folder with files",
    )
    one_line(
        run("predict", model, parts, "-o", tmp_path / "no" / "o.csv"),
        "--output is",
        "which cannot be written: there is no such folder",
    )
    lacking = pd.read_parquet(parts / "0.parquet").drop(columns="wind")
    lacking.to_parquet(tmp_path / "lacking.parquet")
    one_line(
        run("predict", model, tmp_path / "lacking.parquet", "-o", tmp_path / "o.parquet"),
        "lacking.parquet: the model needs columns that are not there: 'wind'",
    )
    (tmp_path / "arff.arff").write_text("@relation r\n@attribute a numeric\n@data\n1\n")
    one_line(run("predict", model, tmp_path / "arff.arff", "--scheduler", "x"), "ARFF")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"full", "lacking.parquet", "arff.arff"}


def test_device_gets_the_predictions_at_once(folder: Path) -> None:
    done = succeed("predict", folder / "nb.augury", folder / "parts", "-o", "/dev/null")
    assert "600 rows predicted. Written: /dev/null" in done.stdout
    one_line(
        run("predict", folder / "nb.augury", folder / "parts", "-o", "/dev/full"),
        "--output is '/dev/full', which cannot be written: No space left on device",
    )


def test_formula_of_a_kept_column_is_noted(folder: Path, tmp_path: Path) -> None:
    table = pd.read_csv(folder / "mine.csv").assign(id="=cmd()")
    table.to_csv(tmp_path / "new.csv", index=False)
    asked = ("predict", folder / "nb.augury", tmp_path / "new.csv", "--keep", "id", "-o")
    done = succeed(*asked, tmp_path / "o.csv")
    assert "Note: '=cmd()' begins like a formula" in done.stderr
    done = succeed(*asked, tmp_path / "o.csv", "--escape-formulas")
    assert "Note" not in done.stderr
    assert (tmp_path / "o.csv").read_text().splitlines()[1].startswith("'=cmd(),")


def test_one_warning_of_unread_values_for_all_pieces(folder: Path, tmp_path: Path) -> None:
    table = pd.read_parquet(folder / "mine.parquet").assign(price="about 7 or so")
    (tmp_path / "new").mkdir()
    for n_rows in (100, 200, 300):  # the warnings of the files have different numbers
        table[:n_rows].to_parquet(tmp_path / "new" / f"{n_rows}.parquet", index=False)
    out = ("-o", tmp_path / "o.parquet")
    done = succeed("predict", folder / "nb.augury", tmp_path / "new", *out)
    assert done.stderr.count("column 'price' holds numbers, but ") == 1


def test_terminated_run_removes_its_temporary_file(folder: Path, tmp_path: Path) -> None:
    """The model waits in the middle of the predictions until the signal comes."""
    program = f"""
import os, signal, time
from augury.cli import main
from augury.scale.predictions import running
advance = running._PiecesOfPartition.__call__
def wait(self, numbered):
    yield from advance(self, numbered)
    os.kill(os.getpid(), signal.SIGTERM)
running._PiecesOfPartition.__call__ = wait
main(["predict", {str(folder / "nb.augury")!r}, {str(folder / "parts")!r}, "-o", "o.csv"])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 128 + signal.SIGTERM, done.stderr
    assert list(tmp_path.iterdir()) == []


# ---- progress --------------------------------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("is_terminal", [False, True])
def test_progress_line(is_terminal: bool) -> None:
    clock, stream = Clock(), io.StringIO()
    progress = RowProgress(stream, is_terminal=is_terminal, clock=clock)
    progress.begin("pass 1", 4, 40_000)
    clock.now += 0.1
    progress.advance(1, 10_000)
    assert stream.getvalue() == ""
    clock.now += 9.9
    progress.advance(0, 10_000)
    line = "pass 1: 20,000 of 40,000 rows, 2,000 rows/s, 10 s left"
    assert stream.getvalue() == (f"\r{line}" if is_terminal else f"{line}\n")
    stream.truncate(0)
    stream.seek(0)
    progress.begin("pass 2", 4, None)
    clock.now += 12
    progress.advance(1, None)
    line = "pass 2: 1 of 4 parts, 36 s left"
    assert stream.getvalue().strip() == line
    progress.finish()
    assert stream.getvalue().endswith(f"\r{' ' * len(line)}\r") == is_terminal


def test_progress_of_many_rows() -> None:
    clock = Clock()
    progress = RowProgress(io.StringIO(), is_terminal=True, clock=clock)
    progress.begin("predicting", 10, 50_000_000)
    progress.advance(1, 300_000)
    assert progress.line(0.5) == (
        "predicting: 0.3 of 50.0 million rows, 600,000 rows/s, 1 min 23 s left"
    )
    progress.begin("predicting", 10, None)
    progress.advance(5, 2_000_000)
    assert progress.line(2.0) == "predicting: 2.0 million rows, 1,000,000 rows/s, 2 s left"


def test_no_progress_for_a_short_run(folder: Path, tmp_path: Path) -> None:
    done = succeed("predict", folder / "nb.augury", folder / "parts", "-o", tmp_path / "o.csv")
    assert done.stderr == f"Reading {folder / 'parts'} in pieces: it is a folder\n"
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]
