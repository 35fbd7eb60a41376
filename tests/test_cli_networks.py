"""`augury export` to network files, and `augury import`."""

import pandas as pd
import pytest
from click.testing import CliRunner

from augury.cli import main

ROWS = pd.DataFrame(
    {
        "sky": ["sun", "rain", None, "sun", "fog, thin", "rain"] * 8,
        "wind": [1.5, 2.5, 0.5, None, 4.5, 3.5] * 8,
        "play": ["yes", "no", "yes", "yes", "no", "no"] * 8,
    }
)


def run(*arguments, expected=0):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == expected, result.output
    return result.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table and two models of it."""
    folder = tmp_path_factory.mktemp("networks")
    ROWS.to_csv(folder / "mine.csv", index=False)
    for name in ("tan", "hnb"):
        run("fit", folder / "mine.csv", "--model", name, "-o", folder / f"{name}.augury")
    return folder


@pytest.mark.parametrize("ending", ["bif", "xml", "xmlbif"])
def test_an_exported_model_predicts_the_same_after_import(ending, folder, tmp_path):
    network, again = tmp_path / f"net.{ending}", tmp_path / "again.augury"
    assert "net." in run("export", folder / "tan.augury", "-o", network)
    shown = run("import", network, "-o", again)
    assert "3 nodes, 3 arcs" in shown
    assert "target   play: no, yes" in shown
    for model, name in ((folder / "tan.augury", "a"), (again, "b")):
        run("predict", model, folder / "mine.csv", "-o", tmp_path / name)
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_the_default_file_of_the_model(folder, tmp_path):
    run("export", folder / "tan.augury", "-o", tmp_path / "net.bif")
    run("import", tmp_path / "net.bif", "--target", "sky")
    assert (tmp_path / "net.augury").exists()


def test_errors_are_one_line(folder, tmp_path):
    shown = run("export", folder / "hnb.augury", "-o", tmp_path / "net.bif", expected=2)
    assert "HiddenNaiveBayes cannot be written as a network: each column depends on all" in shown
    shown = run("export", folder / "tan.augury", "-o", tmp_path / "net.txt", expected=2)
    assert "--output must end in" in shown
    shown = run("import", folder / "mine.csv", expected=2)
    assert "FILE must end in .bif" in shown
    (tmp_path / "bad.bif").write_text("network n {\n}\nvariable x {\n")
    shown = run("import", tmp_path / "bad.bif", expected=2)
    assert "bad.bif, line 4: expected type, property or }, got the end of the file" in shown
    (tmp_path / "bad.xml").write_text("<BIF>")
    assert "line 1: is not XML" in run("import", tmp_path / "bad.xml", expected=2)
    shown = run("import", tmp_path / "none.bif", expected=2)
    assert "none.bif" in shown
    assert "Traceback" not in shown
