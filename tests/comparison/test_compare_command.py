"""`augury compare` and `fit --from-compare`: one verdict everywhere, and a saved model."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from augury.cli import main
from augury.cli.terminal.comparison_progress import ComparisonProgress
from augury.cli.terminal.leaderboard import render_leaderboard
from augury.comparison.default_models import SENSIBLE_MODELS
from augury.comparison.listener import ModelScore
from augury.json_fields import from_json
from augury.persist import load_model
from augury.summary.contents import Verdict

ARGUMENTS = ("--models", "c45,lr,nb,forest,majority", "--folds", "4", "--repeats", "1")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def succeed(*arguments: object) -> Result:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done


def write(folder: Path, bunch: Any, target: str) -> Path:
    frame = bunch.frame.rename(columns={"target": target})
    frame[target] = pd.Series(bunch.target_names[bunch.target], dtype=object)
    file = folder / f"{target}.csv"
    frame.to_csv(file, index=False)
    return file


LOADERS = {"cultivar": load_wine, "species": load_iris, "diagnosis": load_breast_cancer}


@pytest.mark.parametrize("target", list(LOADERS))
def test_terminal_page_and_json_name_the_same_winner_in_the_same_order(
    tmp_path: Path, target: str
) -> None:
    table = write(tmp_path, LOADERS[target](as_frame=True), target)
    given = ("compare", table, "--target", target, "--out", tmp_path / "out", *ARGUMENTS)
    said = json.loads(succeed(*given, "--json").stdout)
    verdict = from_json(Verdict, said["verdict"], "verdict")
    order = [each.model for each in verdict.leaderboard]
    assert verdict.recommended in ("c45", "lr", "nb")
    assert [each["model"] for each in said["models"]] == order
    page = json.loads((tmp_path / "out" / "report.json").read_text())
    assert from_json(Verdict, page["verdict"], "verdict") == verdict
    assert [each["name"] for each in page["models"]] == order
    text = succeed(*given).stdout
    assert verdict.text in " ".join(text.split())
    lines = text.splitlines()
    start = next(k for k, line in enumerate(lines) if line.split()[:1] == ["model"]) + 2
    table_rows = [line.replace("*", " ").split()[0] for line in lines[start : start + len(order)]]
    assert table_rows == order
    [marked] = [line for line in lines[start:] if line.startswith("*  ")]
    assert marked.split()[1] == verdict.recommended
    assert max(map(len, text.splitlines())) <= 100
    # `augury report` reads the verdict of the folder.
    succeed("report", tmp_path / "out", "-o", tmp_path / "again.html")
    again = json.loads((tmp_path / "again.json").read_text())
    assert from_json(Verdict, again["verdict"], "verdict") == verdict


@pytest.fixture(scope="module")
def iris(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("iris"), load_iris(as_frame=True), "species")


def compare(table: Path, out: Path, *options: object) -> Result:
    return run(
        "compare", table, "--out", out, "--models", "nb,majority", "--folds", 3, "--repeats", 1,
        "--jobs", 1, *options,
    )  # fmt: skip


class TestSaving:
    def test_the_recommended_model_is_fitted_and_saved(self, iris: Path, tmp_path: Path) -> None:
        out = tmp_path / "out"
        done = compare(iris, out)
        assert done.exit_code == 0, done.output
        assert f"Fitted to all 150 rows and saved as {out / 'species.augury'}." in " ".join(
            done.stdout.split()
        )
        answers = tmp_path / "answers.csv"
        succeed("predict", out / "species.augury", iris, "-o", answers)
        assert len(pd.read_csv(answers)) == 150
        again = succeed(
            "fit", iris, "--from-compare", out, "-o", tmp_path / "again.augury", "--json"
        )
        said = json.loads(again.stdout)
        assert (said["model"], said["target"]) == ("nb", "species")
        rows = pd.read_csv(iris).drop(columns="species")
        models = [load_model(file).model for file in (out / "species.augury", Path(said["file"]))]
        assert models[0].predict_proba(rows).tolist() == models[1].predict_proba(rows).tolist()

    def test_another_file_or_none(self, iris: Path, tmp_path: Path) -> None:
        file = tmp_path / "mine.augury"
        assert compare(iris, tmp_path / "a", "--save", file).exit_code == 0
        assert file.is_file()
        done = compare(iris, tmp_path / "b", "--no-save")
        assert "saved as" not in done.stdout
        assert list((tmp_path / "b").glob("*.augury")) == []

    def test_a_model_that_cannot_be_fitted_to_all_rows_is_a_note(
        self, iris: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise ValueError("too many rows")

        monkeypatch.setattr("augury.comparison.run.fit_recommended", refuse)
        done = compare(iris, tmp_path / "out")
        assert done.exit_code == 0, done.output
        note = "nb cannot be fitted to all rows: too many rows"
        assert f"Note: {note}" in done.stdout
        page = json.loads((tmp_path / "out" / "report.json").read_text())
        assert page["verdict"]["notes"] == [note]

    def test_a_target_with_other_characters_is_a_file_name(self, tmp_path: Path) -> None:
        table = tmp_path / "t.csv"
        pd.read_csv(io.StringIO("a,in/out?\n" + "1,x\n2,y\n" * 20)).to_csv(table, index=False)
        assert compare(table, tmp_path / "out").exit_code == 0
        assert (tmp_path / "out" / "in-out.augury").is_file()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--save", "no/such/m.augury"], "--save is 'no/such/m.augury', where no file can be"),
            (["--save", "m.augury", "--no-save"], "--save and --no-save exclude each other"),
            (["--measure", "goodness"], "--measure: "),
            (["--measure", "recall:rose"], "--measure: "),
            (["--folds", "1"], "1 is not in the range x>=2"),
            (["--time-limit", "0"], "0.0 is not in the range x>0"),
            (["--stream", "--time-limit", "9"], "--time-limit is for a table that is read whole"),
        ],
    )
    def test_wrong_options_are_one_line(
        self, iris: Path, tmp_path: Path, options: list[str], message: str
    ) -> None:
        done = run("compare", iris, "--out", tmp_path / "out", "--models", "nb", *options)
        assert done.exit_code == 2, done.output
        assert message in " ".join(done.stderr.split())
        assert not (tmp_path / "out").exists()

    def test_from_compare_needs_a_verdict(self, iris: Path, tmp_path: Path) -> None:
        assert "has no results" in run("fit", iris, "--from-compare", tmp_path).stderr
        options = ("--folds", 2, "--repeats", 1, "--jobs", 1)
        succeed("run", "--datasets", iris, "--models", "nb", "--out", tmp_path / "r", *options)
        done = run("fit", iris, "--from-compare", tmp_path / "r")
        assert "has no verdict: run `augury compare` to the end" in done.stderr
        both = run("fit", iris, "--from-compare", tmp_path / "r", "--model", "nb")
        assert "--model and --from-compare exclude each other" in both.stderr
        given = ("--models", "majority", "--out", tmp_path / "m", *options)
        succeed("compare", iris, *given)
        assert "recommends no model" in run("fit", iris, "--from-compare", tmp_path / "m").stderr


def test_the_default_model_of_fit_is_the_flagship(iris: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.augury"
    assert "augury fitted to 150 rows" in succeed("fit", iris, "-o", file).stdout
    streamed = succeed("fit", iris, "--stream", "-o", file)
    assert "hybrid fitted to 150 rows" in streamed.stdout
    assert "the model is hybrid, because augury needs all rows in memory" in streamed.stderr


def test_the_flagship_is_the_first_of_the_default_models() -> None:
    assert SENSIBLE_MODELS[0] == "augury"
    assert {"random-trees", "forest", "majority"} <= set(SENSIBLE_MODELS)


def test_progress_is_written_when_piped(iris: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable, "-m", "augury.cli", "compare", iris, "--out", tmp_path / "out",
            "--models", "nb,majority", "--folds", "3", "--repeats", "1", "--json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )  # fmt: skip
    lines = done.stderr.splitlines()
    assert {line.split()[0] for line in lines if "accuracy" in line} == {"majority", "nb"}
    assert "\x1b" not in done.stderr
    assert json.loads(done.stdout)["verdict"]["recommended"] == "nb"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_terminal_shows_a_line_that_is_redrawn() -> None:
    stream, clock = _Terminal(), _Clock()
    progress = ComparisonProgress(1, ["nb", "augury"], 2, stream, clock)
    progress.expect(4)
    progress.begin("nb", 1, None)
    progress.begin("augury", 1, 70.0)  # waits for the worker
    clock.now += 1.0
    progress.refresh()
    assert stream.getvalue().endswith("\r\x1b[K0 of 4 folds, 1 s; nb for 1 s")
    progress.end("nb", has_failed=False)
    progress.show(ModelScore("nb", 2, "average precision of yes 0.318", 0.25))
    line = "nb      average precision of yes 0.318  log loss 0.250  (1 s)\n"
    assert stream.getvalue().endswith(line)
    clock.now += 8.0
    progress.refresh()
    shown = "\r\x1b[K1 of 4 folds, 9 s; augury for 8 s of about 1 min 10 s"
    assert stream.getvalue().endswith(shown)
    progress.announce(2, ["nb", "augury"])
    assert "Run 2: the 2 models that are still tied\n" in stream.getvalue()


def test_a_long_fold_is_reported_every_ten_seconds_when_piped() -> None:
    stream, clock = io.StringIO(), _Clock()
    progress = ComparisonProgress(2, ["nb", "augury"], 2, stream, clock)
    progress.expect(4)
    progress.begin("augury", 1, 40.0)
    for _ in range(50):
        clock.now += 0.5
        progress.refresh()
    assert stream.getvalue().splitlines() == [
        "0 of 4 folds, 10 s; augury for 10 s of about 40 s",
        "0 of 4 folds, 20 s; augury for 20 s of about 40 s",
    ]
    progress.work_on("the page of the report")
    clock.now += 10.0
    progress.refresh()
    assert stream.getvalue().endswith("35 s; the page of the report for 10 s\n")


def test_the_leaderboard_of_a_long_measure_fits_80_columns(iris: Path, tmp_path: Path) -> None:
    done = compare(iris, tmp_path / "out", "--measure", "average_precision:versicolor", "--json")
    verdict = from_json(Verdict, json.loads(done.stdout)["verdict"], "verdict")
    text = render_leaderboard(verdict)
    assert "score: average precision of versicolor" in text
    assert max(map(len, text.splitlines())) <= 80
    given = ("--measure", "average_precision:versicolor", "--no-save")
    shown = compare(iris, tmp_path / "out", *given)
    assert max(map(len, shown.stdout.splitlines()[:-1])) <= 80  # the last line has a path


def test_long_reasons_and_classes_are_wrapped(tmp_path: Path) -> None:
    rows = pd.DataFrame({"a_column_with_a_rather_long_name_for_a_table": ["x", "X", "y", "z"] * 10})
    rows["kind"] = [f"class number {k % 8}" for k in range(40)]
    rows.to_csv(tmp_path / "long.csv", index=False)
    done = compare(tmp_path / "long.csv", tmp_path / "out", "--no-save")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Target: kind (the last column; ")
    assert lines[2].endswith("class number 7")
    assert "differ only in case" in " ".join(done.stdout.split())
    assert max(map(len, lines[:-1])) <= 84  # a reason has at least 30 characters


@pytest.mark.parametrize("command", ["compare", "run"])
def test_fewer_rows_than_folds_is_one_line(tmp_path: Path, command: str) -> None:
    table = tmp_path / "few.csv"
    table.write_text("size,kind\n1,a\n2,b\n3,a\n")
    given = {"compare": [table, "--models", "nb"], "run": ["--datasets", table, "--models", "nb"]}
    done = run(command, *given[command], "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert "10 folds need at least as many rows with a class, found 3" in done.stderr
    assert "choose at most 3 folds" in done.stderr


@pytest.mark.parametrize(
    ("target", "file"), [("是否流失", "是否流失"), ("../x/文" + "文" * 200, "x-" + "文" * 55)]
)
def test_the_model_is_named_for_the_target(tmp_path: Path, target: str, file: str) -> None:
    table = tmp_path / "named.csv"
    rows = "".join(f"{i % 4},{'ab'[i % 2]}\n" for i in range(20))
    table.write_text(f"size,{target}\n{rows}", encoding="utf-8")
    given = ("--models", "nb", "--folds", 2, "--repeats", 1, "--out", tmp_path / "out")
    succeed("compare", table, *given)
    assert (tmp_path / "out" / f"{file}.augury").is_file()
