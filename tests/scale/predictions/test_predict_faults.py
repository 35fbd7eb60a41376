"""Predictions that fail or are stopped leave no half-written file."""

import errno
import io
import os
import signal
import subprocess
import sys
import textwrap

import pytest

from augury.data import DataError
from augury.generative import NaiveBayes
from augury.persist import save_model
from augury.scale.predicting import predict
from augury.scale.predictions import forms
from augury.scale.sources import open_source
from tests.scale.predictions.written_files import N_ROWS, leftovers


def test_errors_before_anything_is_read(model, table, files, tmp_path):
    out = tmp_path / "out.csv"
    with pytest.raises(DataError, match="columns that are not there: 'sky'; did you mean 'Sky'"):
        predict(model, table.rename(columns={"sky": "Sky"}), out)
    with pytest.raises(DataError, match="there is no column 'nr'"):
        predict(model, files, out, keep=["nr"])
    with pytest.raises(DataError, match="'predicted' cannot be kept: the predictions have"):
        predict(model, table.assign(predicted=1), out, keep="all")
    with pytest.raises(DataError, match="names the column 'id' twice"):
        predict(model, files, out, keep=["id", "id"])
    with pytest.raises(ValueError, match=r"form must be None or one of 'csv'.* got 'xml'"):
        predict(model, files, out, form="xml")
    with pytest.raises(ValueError, match="form must be 'csv' or None if out is a stream"):
        predict(model, files, io.BytesIO(), form="parquet")
    with pytest.raises(ValueError, match="escape_formulas must be False unless CSV"):
        predict(model, files, tmp_path / "a.parquet", escape_formulas=True)
    with pytest.raises(FileNotFoundError, match="there is no such folder") as caught:
        predict(model, files, tmp_path / "none" / "out.csv")
    assert caught.value.filename == str(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_existing_output(model, files, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other").write_text("mine")
    (tmp_path / "empty").mkdir()
    (tmp_path / "note").write_text("mine")
    kinds = {"folder.csv": "not a regular file", "full": "folder with files", "note": "a file"}
    for name, kind in kinds.items():
        with pytest.raises(FileExistsError, match=f"{kind}.*not replaced"):
            predict(model, files, tmp_path / name)
    assert (tmp_path / "full" / "other").read_text() == "mine"
    predict(model, files, tmp_path / "empty")
    assert (tmp_path / "empty" / "part-00000.parquet").exists()
    target = tmp_path / "target.csv"
    target.write_text("old")
    (tmp_path / "link.csv").symlink_to(target)
    predict(model, files, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert target.read_text().startswith("predicted,")
    assert leftovers(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a.parquet", "a.arrow", "a"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_partition_that_cannot_be_read(model, files, tmp_path, out, n_jobs):
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in files.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    source = open_source(folder, partition_bytes=1)
    broken = folder / "1.parquet"
    state = broken.stat()
    content = bytearray(broken.read_bytes())
    content[200:20_000] = b"\xff" * 19_800
    broken.write_bytes(content)
    os.utime(broken, ns=(state.st_atime_ns, state.st_mtime_ns))
    (tmp_path / "a.csv").write_text("old")
    with pytest.raises(DataError, match=r"1\.parquet, row group \d+: cannot be read"):
        predict(model, source, tmp_path / out, n_jobs=n_jobs)
    assert (tmp_path / "a.csv").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "copy"]


@pytest.mark.usefixtures("small_pieces")
def test_rows_that_cannot_be_predicted(files, table, tmp_path, monkeypatch):
    known = table.dropna(subset="class")
    plain = NaiveBayes().fit(known[["wind"]], known["class"])
    calls = []

    def fail(rows):
        calls.append(len(rows))
        if len(calls) == 20:
            raise error
        return plain.predict(rows)

    plain_class = type("Model", (), {"predict": staticmethod(fail), "classes_": plain.classes_})
    plain_class.feature_names_in_ = plain.feature_names_in_
    error = ValueError("a state is unknown")
    with pytest.raises(DataError, match=r"row group \d: the rows cannot be predicted: a state is"):
        predict(plain_class(), files, tmp_path / "a.csv", n_jobs=1)
    calls.clear()
    error = ZeroDivisionError("x")
    with pytest.raises(ZeroDivisionError) as caught:
        predict(plain_class(), files, tmp_path / "a", n_jobs=2)
    assert ".parquet, row group" in caught.value.__notes__[0]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a.parquet", "a.arrow", "a"])
def test_full_disk(model, files, tmp_path, out):
    """A limit on the size of files stands for a full disk."""
    save_model(model, tmp_path / "nb.augury")
    program = f"""
        import resource
        from augury.persist import load_model
        from augury.scale import predict
        from augury.scale.predictions import running
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        running.PARTITION_BYTES = 1
        model = load_model({str(tmp_path / "nb.augury")!r}).model
        try:
            predict(model, {str(files)!r}, {str(tmp_path / out)!r}, keep="all", n_jobs=2)
        except OSError as error:
            print(error.errno, error.filename)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    number, _, name = done.stdout.strip().partition(" ")
    assert int(number) == errno.EFBIG, done.stderr
    assert name.startswith(str(tmp_path / out))
    assert done.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["nb.augury"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_error_when_the_file_is_completed(model, files, tmp_path, ending, monkeypatch):
    kind = forms.CsvWriter if ending == "csv" else forms._ArrowWriter

    def close(self):
        raise OSError(errno.ENOSPC, "No space left on device", "a.temporary")

    monkeypatch.setattr(kind, "close", close)
    with pytest.raises(OSError, match="No space left"):
        predict(model, files, tmp_path / f"a.{ending}")
    assert list(tmp_path.iterdir()) == []


def test_interrupted_run_leaves_nothing(model, files, tmp_path):
    class Interrupted:
        def begin(self, task, n_partitions, n_rows):
            assert (task, n_rows) == ("predicting", N_ROWS)

        def advance(self, n_partitions, n_rows):
            raise KeyboardInterrupt

    for out in ("a.csv", "a"):
        with pytest.raises(KeyboardInterrupt):
            predict(model, files, tmp_path / out, progress=Interrupted(), n_jobs=2)
    assert list(tmp_path.iterdir()) == []


def test_killed_run_leaves_a_temporary_name_only(model, files, tmp_path):
    save_model(model, tmp_path / "nb.augury")
    program = f"""
        import os, signal
        from augury.persist import load_model
        from augury.scale.predicting import predict
        class Killing:
            def begin(self, *_): pass
            def advance(self, *_): os.kill(os.getpid(), signal.SIGKILL)
        model = load_model({str(tmp_path / "nb.augury")!r}).model
        predict(model, {str(files)!r}, {str(tmp_path / "a.csv")!r}, progress=Killing())
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert done.returncode == -signal.SIGKILL
    left = {path.name for path in tmp_path.iterdir()} - {"nb.augury"}
    assert len(left) == 1
    assert left.pop().endswith(".temporary")
