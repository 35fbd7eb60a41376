"""Paths that are no model files: folders, pipes, sockets, devices."""

import os
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.generative import (
    NaiveBayes,
)
from augury.persist import ModelFileError, load_model, read_metadata, save_model
from tests.attacks.opened_model_file import X, Y


@pytest.fixture(params=["folder", "pipe", "socket", "device", "full device"])
def no_file(request, tmp_path):
    path = tmp_path / "place"
    if request.param == "folder":
        path.mkdir()
    elif request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            yield path
        return
    else:
        path = Path("/dev/zero" if request.param == "full device" else "/dev/null")
    yield path


@pytest.mark.parametrize("load", [load_model, read_metadata])
def test_a_path_that_is_no_file(no_file, load):
    words = "is (a folder|a named pipe|a socket|a device), not a model file"
    with pytest.raises(ModelFileError, match=words):
        load(no_file)


@pytest.mark.parametrize("load", [load_model, read_metadata])
def test_a_path_that_is_none(load, tmp_path):
    for path in ("", "a\0b", "x" * 5000):
        with pytest.raises(ModelFileError, match=r"empty path|null character|cannot be opened"):
            load(path)
    for path in (None, 7, b"model.augury", ["model.augury"]):
        with pytest.raises(TypeError):
            load(path)
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(ModelFileError, match="cannot be opened"):
        load(link)


# Only in a folder of its own: a fault here would replace what it is tried on.
@pytest.mark.parametrize("no_file", ["folder", "pipe", "socket"], indirect=True)
def test_nothing_is_saved_in_the_place_of_what_is_no_file(no_file, tmp_path):
    assert no_file.parent == tmp_path
    kind = no_file.stat().st_mode
    with pytest.raises(ModelFileError, match="pass the path of a file to save the model in"):
        save_model(NaiveBayes().fit(X, Y), no_file)
    assert no_file.stat().st_mode == kind


def test_the_command_line_says_it_in_one_line(no_file, tmp_path):
    table = tmp_path / "rows.csv"
    X.to_csv(table, index=False)
    for command in ("predict", "explain"):
        ended = CliRunner().invoke(main, [command, str(no_file), str(table)])
        assert ended.exit_code == 2
        assert len(ended.stderr.strip().splitlines()) == 1
