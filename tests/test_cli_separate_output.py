"""Commands refuse an output that is one of their inputs, before they do any work."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError

TABLE = "sky,wind,play\n" + "sun,1.5,yes\nrain,2.5,no\nfog,3.5,no\nsun,4.5,yes\n" * 6
BIF = """network n {
}
variable play {
  type discrete [ 2 ] { yes, no };
}
probability ( play ) {
  table 0.5, 0.5;
}
"""


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return the bytes of a model of the table."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "mine.csv").write_text(TABLE)
    done = run("fit", folder / "mine.csv", "--model", "nb", "-o", folder / "m.augury")
    assert done.exit_code == 0, done.output
    return (folder / "m.augury").read_bytes()


@pytest.fixture
def folder(tmp_path, monkeypatch, model):
    """Return the current folder, with a table, a model, and two tables in a folder."""
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text(TABLE)
    Path("m.augury").write_bytes(model)
    Path("big").mkdir()
    for name in ("a", "b"):
        Path("big", f"{name}.csv").write_text(TABLE)
    Path("linked.csv").symlink_to("mine.csv")
    os.link("mine.csv", "hard.csv")
    Path("net.bif").write_text(BIF)
    Path("net.augury").symlink_to("net.bif")
    Path("net.xml").symlink_to("m.augury")
    Path("m.svg").symlink_to("m.augury")
    Path("mine.svg").symlink_to("mine.csv")
    Path("costs.json").write_text('{"yes": {"no": 5}, "no": {"yes": 1}}')
    return tmp_path


def contents(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


REFUSED = [
    (["predict", "m.augury", "mine.csv", "-o", "mine.csv"], "--output", "DATA"),
    (["predict", "m.augury", "mine.csv", "-o", "m.augury"], "--output", "MODEL"),
    (["predict", "m.augury", "mine.csv", "-o", "big/../mine.csv"], "--output", "DATA"),
    (["predict", "m.augury", "linked.csv", "-o", "mine.csv"], "--output", "DATA"),
    (["predict", "m.augury", "mine.csv", "-o", "hard.csv"], "--output", "DATA"),
    (["predict", "m.augury", "big", "-o", "big/b.csv"], "--output", "DATA"),
    (["predict", "m.augury", "big", "-o", "big/new.csv"], "--output", "DATA"),
    (["predict", "m.augury", "big/*.csv", "-o", "big/a.csv"], "--output", "DATA"),
    (["predict", "m.augury", "big/*.csv", "-o", "big/new.csv"], "--output", "DATA"),
    (["predict", "m.augury", "big", "-o", "big/"], "--output", "DATA"),
    (
        ["predict", "m.augury", "duckdb:SELECT * FROM 'mine.csv'", "-o", "mine.csv"],
        "--output",
        "DATA",
    ),
    (["fit", "mine.csv", "--model", "nb", "-o", "mine.csv"], "--output", "DATA"),
    (["fit", "big", "--model", "nb", "-o", "big/a.csv"], "--output", "DATA"),
    (["fit", "mine.csv", "--costs", "costs.json", "-o", "costs.json"], "--output", "--costs"),
    (["compare", "mine.csv", "--save", "mine.csv"], "--save", "DATA"),
    (["compare", "mine.csv", "--out", "mine.csv"], "--out", "DATA"),
    (["compare", "big", "--out", "big"], "--out", "DATA"),
    (["compare", "mine.csv", "--costs", "costs.json", "--save", "costs.json"], "--save", "--costs"),
    (["export", "m.augury", "-o", "net.xml"], "--output", "MODEL"),
    (["import", "net.bif", "--target", "play"], "the default of --output", "FILE"),
    (["import", "net.bif", "--target", "play", "-o", "net.bif"], "--output", "FILE"),
    (["plot", "structure", "m.augury", "-o", "m.svg"], "--output", "MODEL"),
    (["plot", "conditional", "m.augury", "--feature", "sky", "-o", "m.svg"], "--output", "MODEL"),
    (["plot", "rounds", "m.augury", "mine.csv", "-o", "mine.svg"], "--output", "DATA"),
    (["plot", "regions", "m.augury", "mine.csv", "-o", "mine.svg"], "--output", "DATA"),
    (["plot", "reliability", "m.augury", "mine.csv", "-o", "mine.svg"], "--output", "DATA"),
    (
        ["plot", "nomogram", "m.augury", "--data", "mine.csv", "-o", "mine.svg"],
        "--output",
        "--data",
    ),
    (
        ["plot", "curve", "mine.csv", "--models", "nb", "--sizes", "5", "-o", "mine.svg"],
        "--output",
        "DATA",
    ),
]


@pytest.mark.parametrize(("arguments", "option", "given"), REFUSED, ids=lambda part: str(part)[:60])
def test_an_output_that_is_an_input_is_refused(arguments, option, given, folder):
    before = contents(folder)
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert f"Error: {option} is " in done.output
    assert given in done.output
    assert "give" in done.output
    assert contents(folder) == before


def test_results_of_a_folder_are_not_replaced_by_its_page_or_a_model(folder):
    done = run("compare", "mine.csv", "--models", "nb", "--quick", "--out", "r", "--no-save")
    assert done.exit_code == 0, done.output
    before = Path("r", "results.sqlite").read_bytes()
    store = "r/results.sqlite"
    for arguments in (
        ("report", "r", "-o", store),
        ("fit", "mine.csv", "--from-compare", "r", "-o", store),
        ("compare", "mine.csv", "--models", "nb", "--quick", "--out", "r", "--save", store),
    ):
        done = run(*arguments)
        assert done.exit_code == 2, done.output
        assert f"is '{store}', which the command reads as" in done.output
    assert Path("r", "results.sqlite").read_bytes() == before


def test_a_file_of_a_named_data_set_is_not_replaced(tmp_path):
    file = tmp_path / "iris.arff"
    file.write_text("@relation iris\n")
    inputs = {"DATA": "Iris"}
    with pytest.raises(UserError, match="reads as DATA"):
        require_separate_output("--output", file, inputs, data_dir=tmp_path)
    require_separate_output("--output", tmp_path / "x.arff", inputs, data_dir=tmp_path)


def test_other_outputs_are_written(folder):
    Path("old.csv").write_text("old\n")
    for output in ("old.csv", "new.csv", "big/_hidden.csv"):
        done = run("predict", "m.augury", "big", "-o", output)
        assert done.exit_code == 0, done.output
    for output in ("big/new.txt", "predictions/"):  # no files of the pattern
        done = run("predict", "m.augury", "big/[ab].csv", "-o", output)
        assert done.exit_code == 0, done.output
