"""Statistics of the training rows in model files: round trip, and what is refused."""

import json
from hashlib import sha256
from zipfile import ZipFile

import pandas as pd
import pytest

from augury.drift import collect_reference
from augury.generative import NaiveBayes
from augury.persist import ModelFileError, load_model, read_metadata, save_model

X = pd.DataFrame({"sky": ["sun", "sun", None, "rain"] * 5, "wind": [3.0, 5.5, 20.0, None] * 5})
Y = ["out", "out", "in", "in"] * 5


@pytest.fixture
def saved(tmp_path):
    model = NaiveBayes().fit(X, Y)
    reference = collect_reference(model, X, Y, target="place")
    path = tmp_path / "model.augury"
    save_model(model, path, X=X, target="place", reference=reference)
    return path, reference


def rewrite(path, content, *, version=3):
    """Write the file with other statistics, and checksums that are right."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["reference.json"] = content
    sums = {name: sha256(members[name]).hexdigest() for name in members if name != "manifest.json"}
    stated = json.loads(members["manifest.json"]) | {"sha256": sums, "version": version}
    members["manifest.json"] = json.dumps(stated).encode()
    with ZipFile(path, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)


def test_round_trip(saved):
    path, reference = saved
    loaded = load_model(path)
    assert loaded.reference == reference
    assert loaded.model.predict(X).tolist() == Y
    assert read_metadata(path).target == "place"


def test_files_without_statistics_are_those_of_version_2(tmp_path):
    path = tmp_path / "model.augury"
    save_model(NaiveBayes().fit(X, Y), path, X=X)
    with ZipFile(path) as archive:
        assert archive.namelist() == ["manifest.json", "metadata.json", "model.skops"]
        assert json.loads(archive.read("manifest.json"))["version"] == 2
    assert load_model(path).reference is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "reference.json is not JSON"),
        (b"[]", "reference.json is not a JSON object"),
        (b"{}", "reference must have the key"),
        (b"[" * 1000, "nests deeper"),
    ],
)
def test_other_content_is_refused(saved, content, message):
    path, _ = saved
    rewrite(path, content)
    with pytest.raises(ModelFileError, match=message):
        load_model(path)


def test_statistics_of_another_table_are_refused(saved):
    path, reference = saved
    content = reference.to_json()
    content["columns"] = content["columns"][::-1]
    rewrite(path, json.dumps(content).encode())
    with pytest.raises(ModelFileError, match="does not describe the model"):
        load_model(path)
    other = collect_reference(None, X[["wind"]], Y)
    with pytest.raises(ValueError, match="save_model: reference must be that of the training rows"):
        save_model(NaiveBayes().fit(X, Y), path, X=X, reference=other)


def test_a_file_of_version_2_has_no_statistics(saved):
    path, reference = saved
    rewrite(path, json.dumps(reference.to_json()).encode(), version=2)
    with pytest.raises(ModelFileError, match="is damaged"):
        load_model(path)
