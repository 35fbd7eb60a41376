"""`augury check`: exit codes, text, JSON, and tables that are read in pieces."""

import json
import warnings
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.persist import load_model, save_model
from tests.drift.planted import draw_difficult, draw_penguins


def run(*arguments: object) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # commands print them
        return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a training table, a model, and new tables."""
    folder = tmp_path_factory.mktemp("drift")
    draw_penguins(600, 0).to_csv(folder / "train.csv", index=False)
    fresh = draw_penguins(250, 1)
    fresh.to_csv(folder / "fresh.csv", index=False)
    (folder / "parts").mkdir()
    for k in range(5):
        part = fresh.iloc[50 * k : 50 * (k + 1)]
        part.to_parquet(folder / "parts" / f"{k}.parquet", index=False)
    fresh.assign(mass=fresh["mass"] / 1000).to_csv(folder / "drift.csv", index=False)
    done = run("fit", folder / "train.csv", "--model", "lr", "-o", folder / "lr.augury")
    assert done.exit_code == 0, done.output
    return folder


def test_fresh_rows_have_the_exit_code_0(folder: Path) -> None:
    done = run("check", folder / "lr.augury", folder / "fresh.csv")
    assert done.exit_code == 0, done.output
    assert "No drift was found." in done.stdout
    assert "Classes that the model predicts for the new rows: Adelie" in done.stdout
    assert done.stderr == ""


def test_drift_has_the_exit_code_3(folder: Path) -> None:
    done = run("check", folder / "lr.augury", folder / "drift.csv")
    assert done.exit_code == 3, done.output
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    row = next(line for line in lines if line.startswith("mass"))
    assert row.split()[:2] == ["mass", "range"]
    assert any(line.startswith("Column 'mass': of 250 new rows") for line in lines)


def test_json(folder: Path) -> None:
    done = run("check", folder / "lr.augury", folder / "drift.csv", "--json")
    assert done.exit_code == 3
    content = json.loads(done.stdout)
    assert content["is_drift"] is True
    assert (content["n_rows"], content["n_training_rows"]) == (250, 600)
    assert {each["kind"] for each in content["drift"] if each["column"] == "mass"} == {
        "range",
        "distribution",
    }
    assert all(each["p_value"] <= 0.01 for each in content["drift"])
    assert sum(content["predicted_shares"].values()) == pytest.approx(1.0)


def test_ignored_columns_and_other_limits(folder: Path) -> None:
    model, table = folder / "lr.augury", folder / "drift.csv"
    assert run("check", model, table, "--ignore", "mass").exit_code == 0
    done = run("check", model, table, "--ignore", "masss")
    assert done.exit_code == 2
    assert "'masss' cannot be ignored" in done.stderr
    assert run("check", model, table, "--alpha", "2").exit_code == 2


def test_notes_are_drift_if_that_is_asked(folder: Path, tmp_path: Path) -> None:
    table = pd.read_csv(folder / "fresh.csv")
    table.loc[0, "island"] = "Anvers"
    table.to_csv(tmp_path / "new.csv", index=False)
    done = run("check", folder / "lr.augury", tmp_path / "new.csv")
    assert done.exit_code == 0
    assert "Note: Column 'island'" in done.stdout
    assert run("check", folder / "lr.augury", tmp_path / "new.csv", "--strict").exit_code == 3


@pytest.mark.parametrize("table", ["parts", "parts/*.parquet"])
def test_tables_in_pieces(folder: Path, table: str) -> None:
    whole = run("check", folder / "lr.augury", folder / "fresh.csv", "--json")
    pieces = run("check", folder / "lr.augury", folder / table, "--json")
    assert pieces.exit_code == 0, pieces.output
    found, expected = json.loads(pieces.stdout), json.loads(whole.stdout)
    del found["table"], expected["table"]
    assert found == expected


def test_a_model_that_was_fitted_to_pieces(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "nb.augury"
    done = run("fit", folder / "train.csv", "--model", "nb", "--stream", "-o", out)
    assert done.exit_code == 0, done.output
    streamed = load_model(out).reference
    assert streamed == load_model(folder / "lr.augury").reference
    assert run("check", out, folder / "fresh.csv").exit_code == 0
    assert run("check", out, folder / "drift.csv").exit_code == 3


def test_a_model_file_without_statistics(folder: Path, tmp_path: Path) -> None:
    saved = load_model(folder / "lr.augury")
    X = pd.read_csv(folder / "train.csv").drop(columns="species")
    save_model(saved.model, tmp_path / "old.augury", X=X, target="species")
    done = run("check", tmp_path / "old.augury", folder / "fresh.csv")
    assert done.exit_code == 2
    assert "fit the model again with `augury fit`" in done.stderr
    assert "--reference train.csv" in done.stderr
    named = ("--reference", folder / "train.csv")
    for table, code in (("fresh.csv", 0), ("drift.csv", 3)):
        done = run("check", tmp_path / "old.augury", folder / table, *named)
        assert done.exit_code == code, done.output
    done = run("check", tmp_path / "old.augury", folder / "fresh.csv", "--reference", "none.csv")
    assert done.exit_code == 2
    assert "--reference is none.csv: there is no such file" in done.stderr


def test_errors_have_the_exit_code_2(folder: Path, tmp_path: Path) -> None:
    model = folder / "lr.augury"
    assert run("check", model, folder / "none.csv").exit_code == 2
    assert run("check", folder / "none.augury", folder / "fresh.csv").exit_code == 2
    (tmp_path / "empty.csv").write_text("island,mass\n")
    done = run("check", model, tmp_path / "empty.csv")
    assert done.exit_code == 2
    assert "empty.csv" in done.stderr


def test_predictions_that_cannot_be_computed_are_a_remark(folder: Path, tmp_path: Path) -> None:
    table = pd.read_csv(folder / "fresh.csv").drop(columns="mass")
    table.to_csv(tmp_path / "new.csv", index=False)
    done = run("check", folder / "lr.augury", tmp_path / "new.csv")
    assert done.exit_code == 3
    assert "Column 'mass' is missing." in done.stdout
    assert "Note: The model cannot predict the new rows without column 'mass'." in done.stdout


def test_columns_of_very_many_labels(tmp_path: Path) -> None:
    draw_difficult(6000, 0).to_csv(tmp_path / "train.csv", index=False)
    draw_difficult(3000, 1).drop(columns="class").to_csv(tmp_path / "new.csv", index=False)
    out = tmp_path / "nb.augury"
    assert run("fit", tmp_path / "train.csv", "--model", "nb", "-o", out).exit_code == 0
    done = run("check", out, tmp_path / "new.csv")
    assert done.exit_code == 3  # u0 … u599 instead of u0 … u1199
    assert "Column 'many'" in done.stdout
    assert "Unseen labels of" in done.stdout
