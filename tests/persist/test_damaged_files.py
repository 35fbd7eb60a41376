"""Files that were cut, changed or never were models say so; a good file is never lost."""

import json
import os
from random import Random
from zipfile import ZipFile

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import augury
from augury.generative import NaiveBayes
from augury.persist import (
    ModelFileError,
    ModelVersionWarning,
    load_model,
    read_metadata,
    save_model,
)


def refused(path, message):
    for load in (load_model, read_metadata):
        with pytest.raises(ModelFileError, match=message) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}: ")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        load_model(tmp_path / "none.augury")


@pytest.mark.parametrize("content", [b"P", b"PK\x03\x04", b"a,b\n1,2\n", b"{}", bytes(1000)])
def test_what_is_no_archive(forge, content):
    forge.path.write_bytes(content)
    refused(forge.path, "is not a model file of augury|is damaged or cut off")


def test_an_empty_file(forge):
    forge.path.write_bytes(b"")
    refused(forge.path, "is empty")


def test_another_archive(forge):
    refused(forge.write_members({"schema.json": b"{}"}), "it has no manifest.json")


def test_an_archive_of_many_members(forge):
    refused(forge.write_members({str(k): b"" for k in range(2000)}), "is an archive of many")


def test_a_cut_file(forge):
    content = forge.path.read_bytes()
    for length in {*range(0, len(content), 37), *range(len(content) - 60, len(content))}:
        forge.path.write_bytes(content[:length])
        with pytest.raises(ModelFileError, match=r"cut off|is not a model file|is empty"):
            load_model(forge.path)


def test_bytes_behind_the_end(forge):
    with forge.path.open("ab") as file:
        file.write(b"more")
    refused(forge.path, "is damaged or cut off: its end is not there")


def test_a_changed_member(forge):
    with ZipFile(forge.path) as archive:
        size = archive.getinfo("model.skops").file_size
    for name in ("model.skops", "metadata.json"):
        members = forge.members
        changed = members[name].replace(b"sky", b"sea")
        assert changed != members[name]
        assert len(changed) <= max(size, len(members[name]))
        original = forge.path.read_bytes()
        forge.write_members(members | {name: changed})
        with pytest.raises(ModelFileError, match=f"damaged .* {name} is not what its checksum"):
            load_model(forge.path)
        forge.path.write_bytes(original)


def test_a_later_version(forge):
    path = forge.write(manifest={"version": 4}, others={"what-comes-later": b""})
    refused(path, "has version 4 of the model format, this augury reads up to 3: update augury")


@pytest.mark.parametrize(
    "manifest",
    [
        {"version": 0},
        {"version": "1"},
        {"version": True},
        {"format": "another model"},
        {"sha256": {}},
        {"sha256": None},
        {"sha256": {"metadata.json": 1, "model.skops": 2}},
    ],
    ids=repr,
)
def test_a_strange_manifest(forge, manifest):
    refused(forge.write(manifest=manifest), "damaged|is not a model file")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b"[" * 50_000, b"1" * 5000])
def test_a_manifest_that_is_none(forge, content):
    refused(forge.write_members(forge.members | {"manifest.json": content}), "damaged")


@pytest.mark.parametrize("name", ["../../evil.py", "/etc/evil", "extra.json", "model.skops/x"])
def test_a_member_too_many(forge, name):
    refused(forge.write(others={name: b"x"}), "must have the members .* and no others; look at")


def test_a_member_too_few(forge):
    members = forge.members
    del members["model.skops"]
    refused(forge.write_members(members), "must have the members .* look at 'model.skops'")


def test_a_member_twice(forge):
    members = forge.members
    with ZipFile(forge.path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("model.skops", members["model.skops"])
    refused(forge.path, "must have the members .* and no others")


METADATA_CHANGES = [
    {"model": 1},
    {"columns": {}},
    {"columns": [1]},
    {"columns": [{"name": "a"}]},
    {"columns": [{"name": 1, "kind": None, "dtype": None}]},
    {"columns": [{"name": "a", "kind": "what", "dtype": None}]},
    {"columns": [{"name": "a", "kind": [], "dtype": None}]},
    {"columns": [{"name": "a", "kind": None, "dtype": 2}]},
    {"classes": [[]]},
    {"classes": None},
    {"n_rows": 1.5},
    {"n_rows": True},
    {"versions": {"augury": 1}},
    {"named": 1},
    {"more": 1},
]


@pytest.mark.parametrize("change", METADATA_CHANGES, ids=repr)
def test_strange_metadata(forge, change):
    metadata = json.loads(forge.members["metadata.json"]) | change
    path = forge.write(metadata=json.dumps(metadata).encode())
    refused(path, r"metadata\.json is not as augury writes it: ")


# ---- chance ---------------------------------------------------------------------------


def test_any_byte_may_be_another(forge, loads_the_same):
    """A changed byte is told, or changes nothing: some bytes of an archive mean nothing."""
    content, random = forge.path.read_bytes(), Random(0)
    n_refused = 0
    for _ in range(400):
        damaged = bytearray(content)
        damaged[random.randrange(len(content))] ^= random.randrange(1, 256)
        forge.path.write_bytes(damaged)
        try:
            assert loads_the_same()
        except ModelFileError:
            n_refused += 1
    assert n_refused > 300


def test_any_byte_of_the_model_may_be_another_with_the_right_checksum(forge):
    """Nothing but the one error is raised, however the description is changed."""
    payload, random = forge.members["model.skops"], Random(1)
    for _ in range(300):
        damaged = bytearray(payload)
        for _ in range(random.randrange(1, 4)):
            damaged[random.randrange(len(payload))] = random.randrange(256)
        forge.write(payload=bytes(damaged))
        loads_or_is_refused(forge.path)


def test_any_part_of_the_description_may_be_another(forge):
    """Nodes in the place of other nodes make a strange model, or the one error."""
    random, description = Random(2), json.dumps(forge.schema)
    n_loaded = 0
    for _ in range(300):
        schema = json.loads(description)
        places = list(containers(schema))
        for _ in range(random.randrange(1, 3)):
            place, other = random.choice(places), random.choice(places)
            key = random.choice(list(place) if isinstance(place, dict) else range(len(place)))
            place[key] = random.choice([*values(other), None, 1, "x", [], {}, -1.5])
        try:
            forge.write_model(json.dumps(schema))
        except (ValueError, RecursionError):
            continue  # a node in itself cannot be written
        n_loaded += loads_or_is_refused(forge.path)
    assert 10 < n_loaded < 290


def loads_or_is_refused(path):
    try:
        load_model(path)
    except ModelFileError:
        return False
    return True


def containers(value):
    if isinstance(value, dict | list) and value:
        yield value
        for part in values(value):
            yield from containers(part)


def values(container):
    return list(container.values()) if isinstance(container, dict) else container


# ---- saving ---------------------------------------------------------------------------


def test_a_disk_that_is_full(forge, monkeypatch, loads_the_same):
    def no_space(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="no space left"):
        save_model(NaiveBayes().fit([[1.0], [2.0]], [0, 1]), forge.path)
    assert [file.name for file in forge.path.parent.iterdir()] == [forge.path.name]
    assert loads_the_same()


def test_a_link_stays_a_link(forge, loads_the_same, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(forge.path)
    forge.path.write_bytes(b"old")
    save_model(forge.model, link)
    assert link.is_symlink()
    assert loads_the_same()


def test_others_may_read_it_as_any_file(forge, tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    assert forge.path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_model_that_is_not_fitted(tmp_path):
    with pytest.raises(NotFittedError):
        save_model(NaiveBayes(), tmp_path / "m.augury")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: 1, "not trusted: .*<lambda>"),
        ((k for k in range(3)), "cannot be saved .*generator"),
        (os.system, "not trusted: posix.system|not trusted: nt.system"),
        ({1: "a", "1": "b"}, "keys that are the same as text"),
        ({True: "a"}, "a dict whose keys are neither text nor numbers"),
        ({("a", "b"): 1}, "cannot be saved"),
    ],
    ids=["lambda", "generator", "function", "same keys", "flags as keys", "tuples as keys"],
)
def test_a_model_that_holds_what_no_file_can(tmp_path, value, message):
    model = NaiveBayes().fit([[1.0], [2.0]], [0, 1])
    model.extra_ = value
    with pytest.raises(ModelFileError, match=f"NaiveBayes was not saved.*{message}"):
        save_model(model, tmp_path / "m.augury")
    assert not list(tmp_path.iterdir())


def test_many_equal_numbers_are_no_bomb(tmp_path):
    model = NaiveBayes().fit([[1.0], [2.0]], [0, 1])
    model.extra_ = np.zeros((1 << 24) // 8 + 1)
    save_model(model, tmp_path / "m.augury")
    assert (tmp_path / "m.augury").stat().st_size > 1 << 24
    assert not load_model(tmp_path / "m.augury").model.extra_.any()


def test_another_version_of_augury_is_told(forge, monkeypatch):
    monkeypatch.setattr("augury.persist.model_file.__version__", "9.3.1")
    said = rf"was saved by augury {augury.__version__}, this is 9\.3\.1: predictions may differ"
    with pytest.warns(ModelVersionWarning, match=said):
        load_model(forge.path)
