"""Predictions of sources that are read in pieces."""

import errno
import io
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from augury.data import DataError
from augury.generative import NaiveBayes
from augury.models.tidy_model import tidy_model
from augury.persist import load_model, save_model
from augury.scale.predicting import predict
from augury.scale.predictions import forms, row_predictor, running
from augury.scale.predictions.csv_text import csv_text
from augury.scale.rows.pieces_in_order import PiecesInOrder
from augury.scale.sources import open_source

N_ROWS = 3000


def make_table(n_rows: int = N_ROWS) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    label = rng.choice(["no", "yes"], n_rows)
    return pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(n_rows)],
            "sky": pd.Categorical(rng.choice(["sun", "rain", "fog"], n_rows)),
            "price": [f"${x:,.2f}" for x in rng.gamma(2.0, 900.0, n_rows)],
            "wind": np.where(rng.random(n_rows) < 0.1, np.nan, rng.normal(label == "yes", 1.0)),
            "when": pd.date_range("2024-01-01", periods=n_rows, freq="h"),
            "checked": np.where(np.arange(n_rows) < 1500, None, rng.random(n_rows) < 0.5),
            "class": np.where(rng.random(n_rows) < 0.2, None, label),
        }
    )


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return make_table()


@pytest.fixture(scope="module")
def model(table: pd.DataFrame):
    known = table.dropna(subset="class")
    return tidy_model("nb").fit(known.drop(columns=["class", "checked"]), known["class"])


@pytest.fixture(scope="module")
def files(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of three Parquet files with several row groups."""
    folder = tmp_path_factory.mktemp("files")
    for k in range(3):
        part = table.iloc[k * N_ROWS // 3 : (k + 1) * N_ROWS // 3]
        part.to_parquet(folder / f"{k}.parquet", row_group_size=170, index=False)
    return folder


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let partitions be a row group, and frames some rows."""
    monkeypatch.setattr(running, "PARTITION_BYTES", 1)
    monkeypatch.setattr(row_predictor, "_BLOCK_CELLS", 1)
    monkeypatch.setattr(row_predictor, "_MIN_ROWS", 64)


def expected(model, table: pd.DataFrame, keep=()) -> pd.DataFrame:
    rows = table.drop(columns=["class", "checked"])
    answers = table[list(keep)].copy()
    answers["predicted"] = model.predict(rows)
    for k, label in enumerate(model.classes_):
        answers[f"p({label})"] = model.predict_proba(rows)[:, k]
    return answers


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if "temporary" in path.name]


KEEP = ("when", "id", "sky", "checked")


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("keep", [(), KEEP])
def test_csv_is_that_of_all_rows_at_once(model, table, files, tmp_path, n_jobs, keep):
    out = tmp_path / "answers.csv"
    done = predict(model, files, out, keep=keep, target="class", n_jobs=n_jobs)
    assert out.read_bytes() == csv_text(expected(model, table, keep)).encode()
    known = table["class"].notna().to_numpy()
    right = (expected(model, table)["predicted"][known] == table["class"][known]).mean()
    assert (done.n_rows, done.n_labelled, done.files) == (N_ROWS, known.sum(), (out,))
    assert done.accuracy == pytest.approx(right, abs=1e-15)
    assert leftovers(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("ending", [".parquet", ".pq", ".arrow", ".feather"])
def test_one_file_of_arrow(model, table, files, tmp_path, ending):
    out = tmp_path / f"answers{ending}"
    predict(model, str(files / "*.parquet"), out, keep=KEEP, n_jobs=3)
    found = pd.read_parquet(out) if ending in (".parquet", ".pq") else pd.read_feather(out)
    wanted = expected(model, table, KEEP).astype({"sky": "str"})
    pd.testing.assert_frame_equal(found, wanted, check_dtype=False, rtol=1e-12)
    assert [str(found[name].dtype) for name in ("id", "sky", "predicted")] == ["str"] * 3
    assert found["when"].dtype.kind == "M"
    assert leftovers(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
def test_folder_has_a_file_for_each_partition(model, table, files, tmp_path):
    source = open_source(files, partition_bytes=1)
    done = predict(model, source, tmp_path / "answers", keep="all", n_jobs=2)
    assert len(source.partitions) == len(done.files) == 18
    assert done.files[7] == tmp_path / "answers" / "part-00007.parquet"
    assert sorted((tmp_path / "answers").iterdir()) == list(done.files)
    for part, file in zip(source.partitions, done.files, strict=True):
        assert pq.ParquetFile(file).metadata.num_rows == part.n_rows
    found = pd.read_parquet(tmp_path / "answers")
    wanted = expected(model, table, list(table))
    assert found["id"].tolist() == wanted["id"].tolist()
    np.testing.assert_allclose(found["p(yes)"], wanted["p(yes)"], rtol=1e-12)
    assert found["checked"].tolist() == table["checked"].tolist()
    assert leftovers(tmp_path) == []


def test_stream_and_no_probabilities(model, table, files):
    stream = io.BytesIO()
    done = predict(model, files, stream, probabilities=False)
    lines = stream.getvalue().decode().splitlines()
    assert lines == ["predicted", *expected(model, table)["predicted"]]
    assert (done.files, done.accuracy) == ((), None)


def test_saved_model_knows_target_and_types(table, files, tmp_path):
    known = table.dropna(subset="class")
    plain = NaiveBayes().fit(known[["wind", "sky"]], known["class"])
    save_model(plain, tmp_path / "nb.augury", X=known[["wind", "sky"]], target="class")
    saved = load_model(tmp_path / "nb.augury")
    done = predict(saved, files, tmp_path / "out.csv")
    assert done.accuracy == predict(plain, files, tmp_path / "o.csv", target="class").accuracy
    assert done.accuracy > 0.5
    wrong = table.assign(wind="strong")
    with pytest.raises(DataError, match="rows 0 to 2999: column 'wind' has labels, where the mod"):
        predict(saved, wrong, tmp_path / "wrong.csv")
    assert not (tmp_path / "wrong.csv").exists()


def test_models_of_other_libraries(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"b": rng.normal(size=50), "c": rng.normal(size=50)})
    y = (frame["b"] > 0).astype(int)
    margins = RidgeClassifier().fit(frame[["c", "b"]], y)  # no probabilities, other order
    predict(margins, frame.assign(more="x"), tmp_path / "a.parquet")
    found = pd.read_parquet(tmp_path / "a.parquet")
    assert list(found) == ["predicted"]
    assert found["predicted"].tolist() == margins.predict(frame[["c", "b"]]).tolist()
    unnamed = GaussianNB().fit(frame.to_numpy(), y)
    done = predict(unnamed, frame.assign(y=y), tmp_path / "b.csv", target="y", keep="y")
    found = pd.read_csv(tmp_path / "b.csv")
    assert list(found) == ["y", "predicted", "p(0)", "p(1)"]
    assert done.accuracy == unnamed.score(frame.to_numpy(), y)
    with pytest.raises(DataError, match="has 3 columns, the model was fitted to 2 without names"):
        predict(unnamed, frame.assign(y=y), tmp_path / "b.csv")


def test_classes_of_several_types_are_text_in_parquet(tmp_path):
    class Mixed(NaiveBayes):
        def predict(self, X):
            return np.array([1, "a"] * 25, dtype=object)[: len(X)]

    frame = pd.DataFrame({"b": list("uv") * 25})
    fitted = Mixed().fit(frame, frame["b"])
    fitted.classes_ = np.array([1, "a"], dtype=object)
    predict(fitted, frame, tmp_path / "a.parquet", probabilities=False)
    assert pd.read_parquet(tmp_path / "a.parquet")["predicted"].tolist() == ["1", "a"] * 25


# ---- errors ----------------------------------------------------------------------------------


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


def test_kept_objects_of_several_types(tmp_path):
    frame = pd.DataFrame({"b": list("uv") * 25, "c": [1, *["x"] * 49]}, dtype=object)
    fitted = NaiveBayes().fit(frame[["b"]], frame["b"])
    with pytest.raises(DataError, match=r"'c' has values of several types .*write CSV, or do not"):
        predict(fitted, frame, tmp_path / "a.parquet", keep="c")
    predict(fitted, frame, tmp_path / "a.csv", keep="c")
    assert pd.read_csv(tmp_path / "a.csv")["c"].tolist() == ["1", *["x"] * 49]
    later = [pd.DataFrame({"b": ["u"], "c": pd.Series([x], dtype=object)}) for x in (True, "no")]
    source = open_source(pd.concat(later), partition_bytes=1)
    with pytest.raises(DataError, match="rows 1 to 1: column 'c' has values that are not bool"):
        predict(fitted, source, tmp_path / "b.parquet", keep=["c"])
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_formulas(tmp_path):
    frame = pd.DataFrame({"b": ["=1+1", "v"] * 5, "c": ["@x", "-3"] * 5})
    fitted = NaiveBayes().fit(frame[["b"]], frame["b"])
    assert predict(fitted, frame, tmp_path / "a.csv").formula == "=1+1"
    assert predict(fitted, frame[1:2], tmp_path / "a.csv").formula == ""
    assert predict(fitted, frame[:1], tmp_path / "a.csv", keep="c").formula == "@x"
    done = predict(fitted, frame, tmp_path / "a.csv", keep="all", escape_formulas=True)
    assert done.formula == ""
    line = (tmp_path / "a.csv").read_text().splitlines()[1]
    assert line.startswith("'=1+1,'@x,'=1+1,")


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


class Recorded:
    def __init__(self):
        self.begun, self.n_partitions, self.n_rows = [], 0, 0

    def begin(self, *about):
        self.begun.append(about)

    def advance(self, n_partitions, n_rows):
        assert n_partitions >= 0
        self.n_partitions += n_partitions
        self.n_rows += n_rows


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a"])
def test_progress(model, files, tmp_path, out):
    progress = Recorded()
    predict(model, files, tmp_path / out, progress=progress)
    assert progress.begun == [("predicting", 18, N_ROWS)]
    assert (progress.n_partitions, progress.n_rows) == (18, N_ROWS)


# ---- threads ---------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(0, 6), max_size=12),
    n_threads=st.integers(1, 5),
    limit=st.integers(1, 10),
    failing=st.integers(0, 20),
)
@settings(max_examples=80)
def test_pieces_are_in_order_up_to_the_first_error(sizes, n_threads, limit, failing):
    def work(numbered):
        number, n_pieces = numbered
        for k in range(n_pieces):
            yield number, k
        if number == failing:
            raise ArithmeticError(str(number))

    wanted = [(number, (number, k)) for number, n in enumerate(sizes) for k in range(n)]
    pieces = PiecesInOrder(list(enumerate(sizes)), work, lambda _: 3, n_threads, limit)
    found = []
    try:
        if failing < len(sizes):
            wanted = [(number, piece) for number, piece in wanted if number <= failing]
            with pytest.raises(ArithmeticError, match=f"^{failing}$"):
                found.extend(iter_into(pieces, found))
        else:
            found.extend(iter_into(pieces, found))
    finally:
        pieces.close()
    assert found == wanted
    assert not any(thread.is_alive() for thread in pieces._threads)


def iter_into(pieces, found):
    for piece in pieces:
        found.append(piece)
    return []


def test_threads_wait_for_room():
    """Without a reader, each of the begun partitions has few pieces."""
    made = []

    def work(number):
        for k in range(1000):
            made.append((number, k))
            yield k

    pieces = PiecesInOrder([0, 1, 2, 3, 4], work, lambda _: 1, n_threads=2, waiting_bytes=10)
    reading = iter(pieces)
    for _ in range(500):
        next(reading)
    pieces.close()
    assert {number for number, _ in made} == {0, 1}
    assert len(made) <= 500 + 2 * (10 + 2)


# ---- Dask ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", processes=False
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a.parquet", "a"])
def test_dask_equals_threads(model, files, tmp_path, client, out):
    progress = Recorded()
    (tmp_path / "dask").mkdir()
    (tmp_path / "threads").mkdir()
    asked = {"keep": KEEP, "target": "class"}
    done = predict(model, files, tmp_path / "dask" / out, **asked, client=client, progress=progress)
    local = predict(model, files, tmp_path / "threads" / out, **asked)
    assert (done.n_rows, done.accuracy) == (local.n_rows, local.accuracy)
    assert (progress.n_partitions, progress.n_rows) == (18, N_ROWS)
    for one, other in zip(done.files, local.files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert leftovers(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
def test_error_on_dask_names_the_partition(model, files, tmp_path, client):
    frames = [pd.read_parquet(file) for file in sorted(files.iterdir())]
    frames[1]["when"] = "never"
    source = open_source(pd.concat(frames), partition_bytes=60_000)
    plain = NaiveBayes().fit(frames[0][["when", "sky"]].astype({"when": "int64"}), frames[0]["sky"])
    with pytest.raises(DataError, match=r"the data frame, rows .*: the rows cannot be predicted"):
        predict(plain, source, tmp_path / "a", client=client)
    assert list(tmp_path.iterdir()) == []


class KillsItsWorker:
    """Ends the process that predicts, the first time that it sees the row with a number."""

    classes_ = np.array(["a", "b"])
    feature_names_in_ = np.array(["x"])

    def __init__(self, row: int, mark: Path) -> None:
        self.row, self.mark = row, mark

    def predict(self, X):
        if self.row in X["x"].to_numpy() and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.where(X["x"] % 2 == 0, "a", "b")


@pytest.mark.parametrize("out", ["a.csv", "a"])
def test_killed_dask_worker(tmp_path, out):
    """The partition is predicted again; the file that the worker had begun is removed."""
    from distributed import Client, LocalCluster

    frame = pd.DataFrame({"x": np.arange(4000)})
    killer = KillsItsWorker(2500, tmp_path / "mark")
    source = open_source(frame, partition_bytes=8 * 1000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        done = predict(killer, source, tmp_path / out, keep="x", client=client)
    assert killer.mark.exists()
    assert done.n_rows == 4000
    read = pd.read_csv if out == "a.csv" else pd.read_parquet
    found = read(tmp_path / out)
    assert found["x"].tolist() == frame["x"].tolist()
    assert found["predicted"].tolist() == ["a", "b"] * 2000
    assert sorted(path.name for path in tmp_path.iterdir()) == [out, "mark"]
    if out == "a":
        names = sorted(path.name for path in (tmp_path / out).iterdir())
        assert names == [f"part-0000{k}.parquet" for k in range(4)]
