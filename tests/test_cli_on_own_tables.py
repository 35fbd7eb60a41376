"""A messy table of one's own, from the command line: fit, predict, explain, compare."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main

MODELS = "majority,nb,lr"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def messy(n: int, seed: int, unknown: float = 0.0) -> pd.DataFrame:
    """Return mixed types, gaps, a date, two identifiers, a constant, a rare class."""
    rng = np.random.default_rng(seed)
    city = rng.choice(["Oslo", "Bergen", "Ås"], n, p=[0.6, 0.3, 0.1]).astype(object)
    plan = rng.choice(["basic", "plus", "pro"], n).astype(object)
    days = rng.integers(0, 700, n)
    odds = -3.0 + 4.0 * (plan == "basic") - days / 300
    left = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    city[rng.random(n) < unknown] = "Bodø"
    plan[rng.random(n) < 0.07] = None
    income = np.exp(rng.normal(10, 0.5, n)).round(2)
    income[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "customer": [f"C-{i + 1000 * seed:06d}" for i in range(n)],
            "row": np.arange(1, n + 1),
            "city": city,
            "income": income,
            "joined": (pd.Timestamp("2022-01-01") + pd.to_timedelta(days, "D")).strftime(
                "%Y-%m-%d"
            ),
            "plan": plan,
            "country": "NO",
            "note": np.nan,
            "left": left,
        }
    )


TREATMENT = {
    "customer": "dropped",
    "row": "dropped",
    "city": "labels",
    "income": "numbers",
    "joined": "date",
    "plan": "labels",
    "country": "dropped",
    "note": "dropped",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own")
    messy(240, 1).to_csv(place / "train.csv", index=False)
    messy(80, 2, unknown=0.03).to_csv(place / "new.csv", index=False)
    done = run("fit", str(place / "train.csv"), "--model", "nb", "-o", str(place / "nb.augury"))
    assert done.exit_code == 0, done.output
    return place


def test_fit_says_what_becomes_of_each_column(folder: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.augury")
    done = run("fit", str(folder / "train.csv"), "--model", "tan", "-o", model, "--json")
    said = json.loads(done.stdout)
    assert {each["name"]: each["treatment"] for each in said["columns"]} == TREATMENT
    assert said["target"] == "left"
    assert done.stderr == "", "identifiers are left out, so nothing is to be warned of"


def test_predictions_are_those_of_the_model_in_memory(folder: Path, tmp_path: Path) -> None:
    from augury.models.tidy_model import tidy_model

    out = tmp_path / "out.csv"
    done = run("predict", str(folder / "nb.augury"), str(folder / "new.csv"), "-o", str(out))
    assert done.exit_code == 0, done.output
    assert "80 rows predicted" in done.stdout
    train, new = pd.read_csv(folder / "train.csv"), pd.read_csv(folder / "new.csv")
    model = tidy_model("nb").fit(train.drop(columns="left"), train["left"])
    answers = pd.read_csv(out)
    np.testing.assert_allclose(
        answers[["p(no)", "p(yes)"]], model.predict_proba(new.drop(columns="left")), rtol=1e-12
    )
    right = (answers["predicted"] == new["left"]).mean()
    assert f"{100 * right:.2f} % of left predicted correctly" in done.stdout


def test_a_row_is_explained(folder: Path) -> None:
    arguments = ["explain", str(folder / "nb.augury"), str(folder / "new.csv"), "--row", "3"]
    said = json.loads(run(*arguments, "--json").stdout)
    assert said["method"] == "terms"
    total = sum(each["contribution"] for each in said["contributions"])
    assert total == pytest.approx(said["log_odds"])
    text = run(*arguments).stdout
    assert text.startswith(f"Row 3: {said['predicted']} with probability")
    assert "joined" in text


@pytest.mark.parametrize(
    ("name", "method", "sentence"),
    [
        ("lr", "terms", "Exact: terms of a sum over the columns. Their sum is the log odds."),
        ("hnb", "shapley", "Exact: Shapley values over all subsets of the columns."),
        ("svm", "terms", "Their sum is the difference of decision values."),
        ("knn", "shapley", "Their sum is the log odds."),
    ],
)
def test_every_model_is_explained_by_the_columns_of_the_table(
    folder: Path, tmp_path: Path, name: str, method: str, sentence: str
) -> None:
    model = str(tmp_path / f"{name}.augury")
    run("fit", str(folder / "train.csv"), "--model", name, "-o", model)
    said = json.loads(run("explain", model, str(folder / "new.csv"), "--json").stdout)
    assert said["method"] == method
    assert (said["probability"] is None) == (name == "svm")
    assert {each["column"] for each in said["contributions"]} == {
        "prior",
        *(name for name, treatment in TREATMENT.items() if treatment != "dropped"),
    }
    total = sum(each["contribution"] for each in said["contributions"])
    assert total == pytest.approx(said["log_odds"], abs=1e-9)
    assert sentence in run("explain", model, str(folder / "new.csv")).stdout


def test_compare_ends_with_a_report(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "results"
    done = run(
        "compare", str(folder / "train.csv"), "--models", MODELS, "--out", str(out),
        "--jobs", "1", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert {each["name"]: each["treatment"] for each in said["columns"]} == TREATMENT
    losses = {row["model"]: row["log_loss"] for row in said["models"]}
    assert losses["nb"] < losses["majority"]
    page = Path(said["report"]).read_text(encoding="utf-8")
    assert "</html>" in page
    again = run("compare", str(folder / "train.csv"), "--models", MODELS, "--out", str(out))
    assert again.exit_code == 0, "nothing is left to compute"
    assert f"Report: {out / 'report.html'}" in again.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "TRAIN", "--model", "nbb"], "no model named 'nbb'; did you mean nb"),
        (["fit", "TRAIN", "--set", "alpha"], "--set must be NAME=VALUE, such as alpha=0.5"),
        (
            ["fit", "TRAIN", "--set", "beta=1"],
            "augury has no parameter 'beta'; its parameters are effort",
        ),
        (["fit", "TRAIN", "--model", "nb", "--set", "alpha=-1"], "alpha must be"),
        (["fit", "TRAIN", "--target", "income", "--strict"], "the target 'income' is missing in"),
        (["predict", "nowhere.augury", "TRAIN"], "MODEL is nowhere.augury: there is no such file"),
        (["fit", "TRAIN", "--set", f"alpha={'[' * 20_000}"], "--set alpha: '[[["),
        (["fit", "TRAIN", "--set", f"alpha={'9' * 5_000}"], "--set alpha: '999"),
        (["fit", "nowhere.csv"], "nowhere.csv: there is no such file"),
        (["fit", "TRAIN", "--model", "forest"], "cannot be saved without pickle"),
        (["predict", "MODEL", "nowhere.csv"], "DATA is nowhere.csv: there is no such file"),
        (["predict", "TRAIN", "TRAIN"], "is not a model file"),
        (["explain", "MODEL", "NEW", "--row", "99"], "--row is 99, but"),
        (["compare", "TRAIN", "--target", "nothing"], "there is no column 'nothing'"),
    ],
)
def test_what_the_user_can_mend_is_one_line(
    folder: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    files = {
        "TRAIN": folder / "train.csv",
        "NEW": folder / "new.csv",
        "MODEL": folder / "nb.augury",
    }
    named = [str(files.get(argument, argument)) for argument in arguments]
    if arguments[0] == "fit":
        named += ["-o", str(tmp_path / "m.augury")]
    done = run(*named)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "m.augury").exists()


def test_a_table_without_a_column_of_the_model_is_refused(folder: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.csv"
    pd.read_csv(folder / "new.csv").drop(columns="plan").to_csv(short, index=False)
    done = run("predict", str(folder / "nb.augury"), str(short))
    assert done.exit_code == 2
    assert "the model needs columns that are not there: 'plan'" in done.stderr


def test_where_no_model_can_be_written_is_said_before_it_is_fitted(folder: Path) -> None:
    for output in (folder / "nowhere" / "m.augury", folder):
        done = run("fit", str(folder / "train.csv"), "--model", "nb", "-o", str(output))
        assert done.exit_code == 2, done.output
        assert done.stderr == f"Error: --output is {str(output)!r}, where no file can be written\n"


def test_classes_are_numbers_however_a_file_writes_them(tmp_path: Path) -> None:
    """`1` and `1.0` were different labels, and no prediction was right."""
    table = pd.DataFrame({"sky": ["sun", "rain"] * 15, "class": [1, 0] * 15})
    table.to_csv(tmp_path / "whole.csv", index=False)
    table.astype({"class": float}).to_csv(tmp_path / "decimal.csv", index=False)
    model = str(tmp_path / "m.augury")
    assert run("fit", str(tmp_path / "whole.csv"), "--model", "nb", "-o", model).exit_code == 0
    for name in ("whole.csv", "decimal.csv"):
        done = run("predict", model, str(tmp_path / name), "--json")
        assert json.loads(done.stdout)["accuracy"] == 1.0


def test_a_failed_fold_says_why(tmp_path: Path) -> None:
    """The last line of a traceback may be the note which fold it was."""
    table = pd.DataFrame({"sky": ["sun", "rain"] * 15, "class": ["a"] * 30})
    table.to_csv(tmp_path / "one.csv", index=False)
    options = ["--folds", "2", "--repeats", "1", "--models", "nb", "--jobs", "1"]
    done = run(
        "run", "--out", str(tmp_path / "r"), "--datasets", str(tmp_path / "one.csv"), *options
    )
    assert done.exit_code == 1
    assert "fold 1: ValueError: NaiveBayes: y must have at least 2 classes" in done.stderr


def test_an_explanation_of_long_names_fits_into_80_columns(tmp_path: Path) -> None:
    table, model = tmp_path / "long.csv", str(tmp_path / "nb.augury")
    names = [f"{'a long name of a column ' * 3}{k}" for k in range(3)]
    labels = [f"{'many words ' * 6}{k}" for k in range(2)]
    rows = [",".join([labels[k % 2], labels[k // 2 % 2], f"{k}.5", "yn"[k % 2]]) for k in range(20)]
    table.write_text("\n".join([",".join([*names, "class"]), *rows]))
    run("fit", str(table), "--model", "nb", "-o", model)
    text = run("explain", model, str(table)).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "a column 0 " in text
