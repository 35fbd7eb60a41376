"""The command `augury export`, names and labels of all kinds, and errors."""

import json
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from augury import __version__
from augury.cli import main
from augury.encode import TidyColumns
from augury.generative import NaiveBayes
from augury.interchange import OnnxExportError, to_onnx
from augury.interchange.onnx.registry import convertible_models
from augury.optional import MissingExtraError
from augury.persist import load_model, save_model
from tests.interchange.onnx_rows import as_feeds, assert_equal_predictions, mixed_rows, run_onnx


def run(*arguments):
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture
def table(tmp_path):
    rows = mixed_rows(5, ["no", "yes"])
    rows.X.assign(answer=rows.y, since="2020-01-0" + (rows.X["count"] % 9 + 1).astype(str)).to_csv(
        tmp_path / "rows.csv", index=False
    )
    return tmp_path / "rows.csv"


def test_a_saved_model_is_exported_by_the_command(table, tmp_path):
    saved, output = tmp_path / "model.augury", tmp_path / "model.onnx"
    assert run("fit", table, "--target", "answer", "--model", "nb", "-o", saved).exit_code == 0
    result = run("export", saved, "-o", output)
    assert result.exit_code == 0, result.output
    assert "inputs   colour, size, grade, count, flag, amount, since" in result.output
    written, loaded = onnx.load(output), load_model(saved)
    rows = pd.read_csv(table)
    # A date is the number of days since 1970.
    days = (pd.to_datetime(rows["since"]) - pd.Timestamp("1970-01-01")).dt.days
    label, probabilities = run_onnx(written, as_feeds(written, rows.assign(since=days)))
    expected = loaded.model.predict_proba(loaded.metadata.select_columns(rows))
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-6)
    assert label.tolist() == np.array(["no", "yes"])[expected.argmax(axis=1)].tolist()


def test_the_metadata_describe_the_model(table, tmp_path):
    saved, output = tmp_path / "model.augury", tmp_path / "model.onnx"
    run("fit", table, "--target", "answer", "--model", "nb", "-o", saved)
    run("export", saved, "-o", output)
    written = onnx.load(output)
    facts = {each.key: each.value for each in written.metadata_props}
    assert (written.producer_name, written.producer_version) == ("augury", __version__)
    assert facts["target"] == "answer"
    assert json.loads(facts["classes"]) == ["no", "yes"]
    meanings = {each["name"]: each["meaning"] for each in json.loads(facts["columns"])}
    assert meanings["colour"].startswith("label")
    assert meanings["size"].startswith("number")
    assert "days since 1970" in meanings["since"]
    assert "NaN" in facts["gap"]


def test_a_file_that_is_no_model_is_refused(tmp_path):
    broken = tmp_path / "broken.augury"
    broken.write_bytes(b"not a model")
    result = run("export", broken, "-o", tmp_path / "model.onnx")
    assert result.exit_code == 2
    assert "broken.augury" in result.output
    assert not (tmp_path / "model.onnx").exists()


def test_a_hostile_model_file_is_refused_by_the_loader(tmp_path):
    rows = mixed_rows(5, ["no", "yes"])
    path = tmp_path / "model.augury"
    save_model(NaiveBayes().fit(rows.X, rows.y), path, X=rows.X)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    changed = {
        name: content.replace(b'"NaiveBayes"', b'"Popen"').replace(
            b"augury.generative", b"subprocess"
        )
        for name, content in members.items()
    }
    assert changed != members
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in changed.items():
            archive.writestr(name, content)
    result = run("export", path, "-o", tmp_path / "model.onnx")
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not (tmp_path / "model.onnx").exists()


def test_the_ending_of_the_output_is_the_format(table, tmp_path):
    saved = tmp_path / "model.augury"
    run("fit", table, "--target", "answer", "--model", "nb", "-o", saved)
    result = run("export", saved, "-o", tmp_path / "model.pmml")
    assert result.exit_code == 2
    assert ".onnx" in result.output


def test_the_command_names_a_model_that_cannot_be_exported(table, tmp_path):
    saved, output = tmp_path / "model.augury", tmp_path / "model.onnx"
    run("fit", table, "--target", "answer", "--model", "c45", "-o", saved)
    result = run("export", saved, "-o", output)
    assert result.exit_code == 2
    assert re.search(r"HybridClassifier.* got C45Tree", result.output)
    assert not output.exists()


def test_a_model_that_cannot_be_exported_is_named():
    X, y = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}), ["a", "a", "b", "b"]
    with pytest.raises(OnnxExportError, match=r"NaiveBayes.* got DummyClassifier"):
        to_onnx(DummyClassifier().fit(X, y))
    with pytest.raises(OnnxExportError, match=r"step 'standardscaler'.*got StandardScaler"):
        to_onnx(make_pipeline(StandardScaler(), NaiveBayes()).fit(X, y))
    with pytest.raises(OnnxExportError, match="continuous='interval'"):
        to_onnx(NaiveBayes(continuous="interval").fit(X, y))


def test_the_page_lists_the_models_that_can_be_exported():
    page = (Path(__file__).parents[2] / "docs" / "interchange-onnx.md").read_text(encoding="utf-8")
    table = page.split("<!-- models: begin -->")[1].split("<!-- models: end -->")[0]
    first_cells = [line.split("|")[1] for line in table.strip().splitlines()[2:]]
    listed = re.findall(r"`(\w+)`", " ".join(first_cells))
    assert sorted(listed) == convertible_models()


def test_without_onnx_the_error_names_the_extra(monkeypatch):
    model = NaiveBayes().fit([["a"], ["b"]] * 4, [0, 1] * 4)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtraError, match=r"augury\[onnx\]"):
        to_onnx(model)


def test_names_of_columns_may_hold_any_characters():
    names = ['a "quoted" name', "line\nbreak", "nul\0inside", "größe", "label", "probabilities",
             "constant 0", "LabelEncoder 0", " ", "日本"]  # fmt: skip
    random = np.random.default_rng(0)
    y = random.integers(2, size=80)
    X = pd.DataFrame({name: random.choice(["u", "v"], 80) for name in names[:5]})
    for name in names[5:]:
        X[name] = random.normal(size=80) + y
    written = assert_equal_predictions(NaiveBayes(continuous="gaussian").fit(X, y), X)
    assert [each.name for each in written.graph.input] == names
    assert [each.name for each in written.graph.output] == ["label_", "probabilities_"]


def test_a_name_that_no_input_can_have_is_refused():
    X = pd.DataFrame({"a": ["u", "v"] * 4, "": ["v", "v", "u", "u"] * 2})
    with pytest.raises(OnnxExportError, match="column 1 has an empty name"):
        to_onnx(NaiveBayes().fit(X, [0, 1] * 4))
    X = pd.DataFrame([["u"], ["v"]] * 4, columns=pd.Index(["\ud800"], dtype=object))
    with pytest.raises(OnnxExportError, match="no valid Unicode"):
        to_onnx(NaiveBayes().fit(X, [0, 1] * 4))


def test_two_columns_of_one_name_are_refused_by_fit():
    X = pd.DataFrame([["u", "v"], ["v", "u"]] * 4, columns=["a", "a"])
    with pytest.raises(ValueError, match="'a' more than once"):
        NaiveBayes().fit(X, [0, 1] * 4)


def test_labels_may_hold_any_characters():
    labels = ["", " ", "nul\0", "nul", "'", '"', "\n", "é", "e\u0301", "NaN", "None"]
    X = pd.DataFrame({"text": labels * 8})
    y = np.arange(len(X)) % 3
    model = NaiveBayes().fit(X, y)
    with pytest.raises(OnnxExportError, match=r"column 'text' has the label '', .*--gap"):
        to_onnx(model)
    rows = pd.concat([X, pd.DataFrame({"text": [None, "other"]})], ignore_index=True)
    assert_equal_predictions(model, rows, gap="<gap>")


def test_labels_that_are_numbers_are_inputs_of_numbers():
    X = pd.DataFrame({"code": [1, 2, 5, 2] * 6, "share": [0.5, 0.25, np.nan, 0.1] * 6})
    model = NaiveBayes(categorical_features="all").fit(X, [0, 1, 0, 1] * 6)
    new = pd.DataFrame({"code": [1.0, 3.0, 5.0, np.nan], "share": [0.25, np.nan, 0.3, 0.1]})
    written = assert_equal_predictions(model, new)
    kinds = {each.type.tensor_type.elem_type for each in written.graph.input}
    assert kinds == {onnx.TensorProto.DOUBLE}


def test_labels_of_mixed_types_are_refused():
    X = pd.DataFrame({"code": [1, "a"] * 6})
    with pytest.raises(OnnxExportError, match="column 'code' has the label 1 of type int"):
        to_onnx(NaiveBayes().fit(X, [0, 1] * 6))


def test_columns_without_names_are_numbered():
    X = np.random.default_rng(0).normal(size=(60, 2))
    written = to_onnx(NaiveBayes().fit(X, (X[:, 0] > 0).astype(int)))
    assert [each.name for each in written.graph.input] == ["x0", "x1"]


def test_dropped_columns_are_no_inputs():
    X = pd.DataFrame({"id": [f"c{i}" for i in range(40)], "x": [1.0, 2.0] * 20})
    model = make_pipeline(TidyColumns(), NaiveBayes()).fit(X, [0, 1] * 20)
    assert [each.name for each in to_onnx(model).graph.input] == ["x"]


@pytest.mark.parametrize(
    "classes",
    [["b", "ä"], [3, -2, 0], [False, True], [1.0, 2.0]],
    ids=lambda c: type(c[0]).__name__,
)
def test_the_label_has_the_type_of_the_classes(classes):
    X = pd.DataFrame({"x": np.arange(60.0)})
    y = np.array(classes)[np.arange(60) * len(classes) // 60]
    model = NaiveBayes(continuous="gaussian").fit(X, y)
    written = to_onnx(model)
    label, _ = run_onnx(written, as_feeds(written, X))
    assert label.tolist() == model.predict(X).tolist()
    assert type(label.tolist()[0]) is type(classes[0])


def test_an_exported_model_reads_any_number_of_rows():
    rows = mixed_rows(3, [0, 1])
    model = NaiveBayes(continuous="kernel").fit(rows.X, rows.y)
    written = to_onnx(model)
    for n in (0, 1, 60):
        label, probabilities = run_onnx(written, as_feeds(written, rows.new[:n]))
        assert label.shape == (n,)
        assert probabilities.shape == (n, 2)
