"""Predictions of sources that are read in pieces."""

import io

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB

from augury.compatibility import TEXT_DTYPE
from augury.data import DataError
from augury.generative import NaiveBayes
from augury.persist import load_model, save_model
from augury.scale.predicting import predict
from augury.scale.predictions.csv_text import csv_text
from augury.scale.sources import open_source
from tests.scale.predictions.written_files import KEEP, N_ROWS, Recorded, leftovers


def expected(model, table: pd.DataFrame, keep=()) -> pd.DataFrame:
    rows = table.drop(columns=["class", "checked"])
    answers = table[list(keep)].copy()
    answers["predicted"] = model.predict(rows)
    for k, label in enumerate(model.classes_):
        answers[f"p({label})"] = model.predict_proba(rows)[:, k]
    return answers


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
    wanted = expected(model, table, KEEP).astype({"sky": TEXT_DTYPE})
    pd.testing.assert_frame_equal(found, wanted, check_dtype=False, rtol=1e-12)
    assert [str(found[name].dtype) for name in ("id", "sky", "predicted")] == [str(TEXT_DTYPE)] * 3
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


def test_formulas_in_names(tmp_path):
    frame = pd.DataFrame({"=cmd()": ["u", "v"] * 5, "-3": 1.5})
    fitted = NaiveBayes().fit(frame, frame["=cmd()"])
    assert predict(fitted, frame, tmp_path / "a.csv").formula == ""
    assert predict(fitted, frame, tmp_path / "a.csv", keep="all").formula == "=cmd()"
    predict(fitted, frame, tmp_path / "a.csv", keep="all", escape_formulas=True)
    names = (tmp_path / "a.csv").read_text().splitlines()[0].split(",")
    assert names[:3] == ["'=cmd()", "-3", "predicted"]
    stream = io.BytesIO()
    predict(fitted, frame, stream, keep="all", escape_formulas=True)
    assert stream.getvalue() == (tmp_path / "a.csv").read_bytes()


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("out", ["a.csv", "a"])
def test_progress(model, files, tmp_path, out):
    progress = Recorded()
    predict(model, files, tmp_path / out, progress=progress)
    assert progress.begun == [("predicting", 18, N_ROWS)]
    assert (progress.n_partitions, progress.n_rows) == (18, N_ROWS)
