"""Sources are recognised, and wrong ones refused with their names."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from source_frames import joined

from augury.data import DataError
from augury.optional import MissingExtraError
from augury.scale.sources import open_source


@pytest.fixture
def folder(tmp_path):
    for name in ("b", "a"):
        pd.DataFrame({"x": [name]}).to_parquet(tmp_path / f"{name}.parquet")
    return tmp_path


def test_paths_globs_folders_and_lists(folder, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "_SUCCESS").touch()
    (folder / ".hidden.csv").touch()
    expected = ["a", "b"]
    for source in (
        folder,
        str(folder),
        "*.parquet",
        "./[ab].parquet",
        ["a.parquet", Path("b.parquet")],
    ):
        assert joined(open_source(source))["x"].tolist() == expected
    assert joined(open_source(["b.parquet", "a.parquet"]))["x"].tolist() == ["b", "a"]
    (folder / "a.parquet").rename(folder / "[ab].parquet")
    assert joined(open_source("[ab].parquet"))["x"].tolist() == ["a"]
    assert open_source(["b.parquet"]).name == "b.parquet"


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("c.parquet", FileNotFoundError, r"c\.parquet: there is no such file"),
        ("a.parqet", FileNotFoundError, r"did you mean 'a\.parquet'"),
        ("none/*.parquet", DataError, r"none/\*\.parquet: no file matches this pattern"),
        ("empty", DataError, "empty: the folder has no files"),
        ([], DataError, "the list of paths is empty"),
        (["a.parquet", "*.parquet"], DataError, r"a\.parquet: the file is named twice"),
        ("notes.md", DataError, r"notes\.md: unknown ending '\.md'"),
        ("x.arff", DataError, r"x\.arff: .*read_table"),
        ("x.parquet.gz", DataError, "unknown ending"),
        (["a.parquet", "x.csv"], DataError, r"a\.parquet is a Parquet file and x\.csv is a CSV"),
        (
            "mixed",
            DataError,
            r"mixed/.* is a .* file and mixed/.* is a .* file: choose files of one",
        ),
        (
            "strange",
            DataError,
            r"x\.json: unknown ending.*choose the files of the folder by a patt",
        ),
        (7, TypeError, "source must be a path, a glob, a folder, .* got int"),
        (None, TypeError, "got NoneType"),
    ],
)
def test_wrong_sources_are_named(folder, monkeypatch, source, error, message):
    monkeypatch.chdir(folder)
    (folder / "empty").mkdir()
    for name in ("mixed/x.csv", "mixed/y.parquet", "strange/x.json", "notes.md", "x.arff", "x.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("a,b\n1,2\n")
    (folder / "x.parquet.gz").touch()
    with pytest.raises(error, match=message):
        open_source(source)


def test_csv_in_folders_named_for_values_is_refused(tmp_path):
    (tmp_path / "year=2024").mkdir()
    (tmp_path / "year=2024" / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="values in the names of folders"):
        open_source(tmp_path)
    assert joined(open_source(str(tmp_path / "*" / "*.csv")))["a"].tolist() == [1]


def test_wrong_numbers_are_refused(folder):
    with pytest.raises(ValueError, match="partition_bytes must be an integer >= 1, got 0"):
        open_source(folder, partition_bytes=0)
    with pytest.raises(ValueError, match="max_rows must be an integer >= 1, got 0"):
        open_source(folder).partitions[0].frames(max_rows=0)


@pytest.mark.parametrize(
    ("source", "module", "extra"),
    [
        ("*.parquet", "pyarrow", "parquet"),
        (iter([pd.DataFrame({"a": [1]})]), "pyarrow", "parquet"),
        ("duckdb:SELECT 1", "duckdb", "duckdb"),
    ],
)
def test_missing_extra_is_named(folder, monkeypatch, source, module, extra):
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf'pip install "augury\[{extra}\]"'):
        open_source(source)


def test_csv_needs_no_extra(tmp_path):
    """A new process without pyarrow reads text."""
    (tmp_path / "a.csv").write_text("a,b\n1,x\n")
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from augury.scale.sources import open_source\n"
        f"[part] = open_source({str(tmp_path / 'a.csv')!r}).partitions\n"
        "print(next(part.frames()).to_csv(index=False), end='')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "a,b\n1,x\n"
