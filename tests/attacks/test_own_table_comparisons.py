"""`augury compare` and `fit` on a table of one's own: interrupted, failing, seeded, weighted."""

import json
import os
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.comparison.job import comparison_job, describe_comparison
from augury.experiments.runner import FailedFoldsError
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import Failure, StoredResults
from augury.explain.model_summary import EXPLAINED
from augury.persist import load_model
from augury.summary import summarize_store
from augury.tables.open_table import open_tidy_table

pytestmark = pytest.mark.usefixtures("without_worker_processes")

FAILING = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Always(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise ArithmeticError("it never works")
    def predict(self, X):
        return X[:, 0]

class Once(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        if X.max() < 5:
            raise ArithmeticError("the row that stands out is missing")
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return np.full(len(X), self.classes_[0])
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture(autouse=True)
def one_run_of_ten_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augury.comparison.budget._MAX_RUNS", 1)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a file of 40 rows: an identifier, labels, numbers and a date."""
    rng = np.random.default_rng(0)
    sky = np.array(["sun", "rain"])[np.arange(40) % 2]
    frame = pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(40)],
            "sky": sky,
            "wind": rng.choice(["weak", "strong"], 40),
            "heat": np.where(sky == "sun", 20.0, 10.0) + rng.normal(0, 4, 40).round(1),
            "day": pd.date_range("2024-01-01", periods=40).strftime("%Y-%m-%d"),
            "class": np.where(rng.random(40) < 0.9, np.where(sky == "sun", "out", "in"), "in"),
        }
    )
    file = tmp_path / "weather.csv"
    frame.to_csv(file, index=False)
    return file


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Make the module `failing_models` importable."""
    (tmp_path / "failing_models.py").write_text(FAILING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)  # worker processes
    yield
    sys.modules.pop("failing_models", None)


def compare(table: Path, models: str, *options: str) -> Result:
    out = table.parent / "out"
    return run(
        "compare", str(table), "--models", models, "--out", str(out), "--jobs", "1", *options
    )


def summary_of(table: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((table.parent / "out" / "report.json").read_text())
    return content


def interrupt(table: Path, models: str, model: str) -> None:
    """Leave a folder as a comparison does that is killed when a model has three folds."""
    assert compare(table, models).exit_code == 0
    with closing(sqlite3.connect(table.parent / "out" / "results.sqlite")) as connection:
        connection.execute("DELETE FROM fold WHERE model = ? AND fold > 3", (model,))
        connection.execute("DELETE FROM portrait WHERE model = ?", (model,))
        connection.commit()


# "`compare` interrupted in the middle of a model and run again with other `--models` ends in a
# traceback (`win_tie_loss … must have the same folds`), and shows models that were not asked for."
def test_interrupted_compare_run_again_with_other_models_shows_what_was_asked(table: Path) -> None:
    interrupt(table, "nb,tan", "tan")
    done = compare(table, "nb,lr", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert {row["model"] for row in said["models"]} == {"nb", "lr"}
    assert said["reference"] == "nb"
    assert said["notes"] == []
    text = compare(table, "lr,nb")
    assert text.exit_code == 0
    assert "tan" not in text.stdout
    summary = summary_of(table)
    order = [each["model"] for each in said["verdict"]["leaderboard"]]
    assert [model["name"] for model in summary["models"]] == order
    assert {row["model"] for row in summary["leaderboard"]} == {"nb", "lr"}
    assert summary["title"] == "2 models on 1 data set"
    [note] = [each for each in summary["warnings"] if "did not ask for" in each]
    assert note.endswith("They are not shown: tan.")
    page = table.parent / "again.html"
    shown = run("report", str(table.parent / "out"), "-o", str(page))
    assert shown.exit_code == 0, shown.output
    again = json.loads(page.with_suffix(".json").read_text())
    assert [model["name"] for model in again["models"]] == order


def test_an_interrupted_model_is_compared_on_the_folds_that_both_have(table: Path) -> None:
    interrupt(table, "nb,tan", "tan")
    with StoredResults(table.parent / "out") as stored:
        results = stored.results()
        summary = summarize_store(stored)
    from augury.summary.model_scores import incomplete_models, model_table

    text = model_table(results, "nb")
    assert (
        "Note: tan has 3 of 10 folds of weather: its averages are over these, and it is compared "
        "with nb on the 3 that both have."
    ) in text
    assert len(incomplete_models(results, "tan")) == 1
    assert re.search(r"tan +\d.*(1/0/0|0/1/0|0/0/1)", text)
    assert summary.comparisons.marks["accuracy"][0][0][1] in "+-="
    assert any("tan on weather (3 of 10 folds)" in each for each in summary.warnings)


def test_another_table_in_the_same_folder_is_not_shown(table: Path, tmp_path: Path) -> None:
    assert compare(table, "nb").exit_code == 0
    other = tmp_path / "other.csv"
    other.write_text("sky,class\n" + "sun,a\nrain,b\n" * 15)
    done = compare(other, "majority", "--json")
    assert done.exit_code == 0, done.output
    assert [row["n_datasets"] for row in json.loads(done.stdout)["models"]] == [1]
    summary = summary_of(table)
    assert [each["name"] for each in summary["datasets"]] == ["other"]
    [note] = [each for each in summary["warnings"] if "did not ask for" in each]
    assert "nb, weather" in note


def test_a_refused_comparison_leaves_the_folder_as_it_was(table: Path) -> None:
    assert compare(table, "nb,lr").exit_code == 0
    pd.read_csv(table).iloc[:-1].to_csv(table, index=False)
    refused = compare(table, "majority")
    assert refused.exit_code == 2
    assert "other data" in refused.stderr
    with StoredResults(table.parent / "out") as stored:
        assert stored.meta("experiment")["models"] == ["nb", "lr"]


# "It ends in a traceback as well when the reference model fails on every fold."
@pytest.mark.usefixtures("failing")
def test_a_reference_that_fails_on_every_fold_gives_way_to_the_next_model(table: Path) -> None:
    done = compare(table, "failing_models.Always,lr,majority")
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit), "no traceback"
    note = "failing_models.Always has no completed folds: the models are compared with lr instead."
    gap = "failing_models.Always has 0 of 10 folds"
    assert f"Note: {gap}" in done.stdout
    assert "Use `lr` for class" in done.stdout
    assert "Failed: failing_models.Always, 10 folds: ArithmeticError: it never works" in done.stderr
    summary = summary_of(table)
    assert summary["experiment"]["reference"] == "lr"
    said = json.loads(compare(table, "failing_models.Always,lr,majority", "--json").stdout)
    assert said["reference"] == "lr"
    assert [each.partition(";")[0] for each in said["notes"]] == [gap]
    assert said["failed"] == 10
    asked = run(
        "report", str(table.parent / "out"), "-o", str(table.parent / "p.html"),
        "--reference", "failing_models.Always",
    )  # fmt: skip
    assert asked.exit_code == 0, asked.output
    assert note in asked.stderr


@pytest.mark.usefixtures("failing")
def test_no_model_at_all_is_a_message_and_exit_code_1(table: Path) -> None:
    done = compare(table, "failing_models.Always")
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit), "no traceback"
    assert "No model completed a fold: there is nothing to compare." in done.stderr
    assert "10 folds: ArithmeticError: it never works" in done.stderr
    assert "There are no completed folds." in (table.parent / "out" / "report.html").read_text()
    said = json.loads(compare(table, "failing_models.Always", "--json").stdout)
    assert (said["models"], said["reference"], said["failed"]) == ([], None, 10)


@pytest.mark.usefixtures("failing")
def test_a_model_that_fails_on_some_folds_is_compared_on_the_others(table: Path) -> None:
    outlier = np.where(np.arange(40) == 7, 1000.0, 0.0)
    pd.read_csv(table).assign(outlier=outlier)[["outlier", "sky", "class"]].to_csv(
        table, index=False
    )
    done = compare(table, "nb,failing_models.Once")
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit), "no traceback"
    assert "failing_models.Once has 9 of 10 folds" in done.stdout
    assert "compared on the folds that both have" in " ".join(done.stdout.split())
    assert "Failed: failing_models.Once, 1 fold: ArithmeticError: the row that" in done.stderr
    first = compare(table, "failing_models.Once,lr")
    assert "failing_models.Once has 9 of 10 folds" in first.stdout


@pytest.mark.usefixtures("failing")
def test_run_tells_failures_of_the_models_asked_for_only(table: Path) -> None:
    pd.read_csv(table).drop(columns=["id", "day"]).to_csv(table, index=False)
    options = ["--datasets", str(table), "--folds", "2", "--repeats", "1", "--jobs", "1"]
    out = ["--out", str(table.parent / "run")]
    assert run("run", "--models", "failing_models.Always", *options, *out).exit_code == 1
    done = run("run", "--models", "nb", *options, *out)
    assert done.exit_code == 0, done.output


def test_reproduce_minds_neither_failures_of_others_nor_a_fold_that_is_elsewhere(
    tmp_path: Path, shared_data: Path
) -> None:
    command = ["reproduce", "hybrid-2022", "--datasets", "iris", "--repeats", "1", "--jobs", "1"]
    command += ["--out", str(tmp_path), "--data", str(shared_data / "data" / "uci36")]
    key = ("iris", "LR", "published", 1, 1)
    with ResultStore(tmp_path) as store:
        store.claim(*key[:3], [key[3:]])
        store.add_failure(Failure(*key, "ArithmeticError: it never works"))
    done = run(*command, "--models", "NB")
    assert done.exit_code in (0, 1), done.output
    assert "NB" in done.stdout
    with ResultStore(tmp_path) as other:
        other.claim("iris", "HNB", "published", [(1, 2), (1, 3)])
        done = run(*command, "--models", "HNB")
    assert done.exit_code == 2, done.output
    assert "another process computes 2 folds" in done.stderr


def test_reproduce_tells_failed_folds_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        note = "(NB on iris, run 1, fold 1)"
        text = f"Traceback (most recent call last):\nArithmeticError: it never works\n{note}\n"
        raise FailedFoldsError([Failure("iris", "NB", "published", 1, 1, text)])

    monkeypatch.setattr("augury.reproduce.reproduction.reproduce", fail)
    done = run("reproduce", "hybrid-2022", "--models", "NB", "--datasets", "iris")
    assert done.exit_code == 1
    assert done.stderr == (
        "Error: 1 folds failed; the first, NB on iris, run 1, fold 1: ArithmeticError: it never "
        "works\n"
    )


# "`compare` says seed 0 but sets none; seed every model that takes `random_state`."
def test_every_model_of_a_comparison_has_the_seed_that_is_said(table: Path) -> None:
    names = ["majority", "nb", "forest", "boosted-trees", "boosted-nb", "bagged-networks"]
    names += ["sklearn.tree.ExtraTreeClassifier"]
    job = comparison_job(open_tidy_table(str(table)), names)
    seed = describe_comparison(job)["seed"]
    seeded = []
    for name, model in job.models.items():
        for key, value in model.get_params(deep=True).items():
            if key.rpartition("__")[2] == "random_state":
                assert value == seed, f"{name}: {key}"
                seeded.append(name)
    assert set(names) - set(seeded) == {"nb"}


def test_two_comparisons_and_two_fits_give_the_same_numbers(table: Path) -> None:
    path = "sklearn.tree.ExtraTreeClassifier"
    rows = []
    for folder in ("one", "two"):
        out = str(table.parent / folder)
        done = run("compare", str(table), "--models", path, "--out", out, "--jobs", "1", "--json")
        assert done.exit_code == 0, done.output
        with StoredResults(table.parent / folder) as stored:
            rows.append([row.accuracy for row in stored.results()])
    assert rows[0] == rows[1]
    answers = []
    for name in ("one.augury", "two.augury"):
        file = table.parent / name
        options = ["--set", "method=resample", "--set", "n_estimators=3"]
        done = run("fit", str(table), "--model", "boosted-nb", *options, "-o", str(file))
        assert done.exit_code == 0, done.output
        rows_read = pd.read_csv(table).drop(columns="class")
        answers.append(load_model(file).model.predict_proba(rows_read))
    np.testing.assert_array_equal(answers[0], answers[1])


# "`compare`'s page knows no families, trees, networks or feature terms because models sit in a
# Pipeline"
def test_the_page_of_compare_has_families_trees_networks_and_terms(table: Path) -> None:
    done = compare(table, "nb,tan,c45,lr,hybrid,boosted-nb,sklearn.tree.DecisionTreeClassifier")
    assert done.exit_code == 0, done.output
    summary = summary_of(table)
    families = {model["name"]: model["family"] for model in summary["models"]}
    assert families == {
        "nb": "generative",
        "tan": "generative",
        "c45": "discriminative",
        "lr": "discriminative",
        "hybrid": "hybrid",
        "boosted-nb": "ensemble",
        "sklearn.tree.DecisionTreeClassifier": "other",
    }
    learned = summary["model_summaries"][0]
    for name in ("c45", "tan"):
        assert learned[name]["svg"].startswith("<svg")
        assert "sky" in learned[name]["svg"]
    assert re.search(r"sky = rain: in \(", learned["c45"]["text"]), "leaves name the classes"
    for name in ("nb", "tan"):
        assert learned[name]["influence_unit"] == EXPLAINED
        first = learned[name]["influence"][0]
        assert first["feature"] == "sky"
        assert first["value"] > 1
        assert first["moved"] > 10
        assert re.match(r"largest for (sun|rain): \d", first["detail"])
    for name, content in learned.items():
        assert content["notes"] == [], name
        shown = {line["feature"] for line in content["influence"]}
        assert shown == {"sky", "wind", "heat", "day"}, f"{name}: no identifier, and no more"
    page = (table.parent / "out" / "report.html").read_text(encoding="utf-8")
    rows = dict(
        re.findall(
            r'<th scope="row" class="name">([\w.-]+)</th><td class="text">(\w+)</td><td', page
        )
    )
    assert rows == families
    assert re.search(r"<code>TidyColumns\([^)]*\) → C45Tree\(", page)
    assert re.search(r"<code>TidyColumns\([^)]*\) → PreprocessedClassifier\(\) → DecisionTr", page)


def test_a_foreign_model_inside_a_hybrid_is_refused_before_it_is_fitted(table: Path) -> None:
    done = run(
        "fit", str(table), "--model", "hybrid", "-o", str(table.parent / "m.augury"),
        "--set", 'final_estimator={class="sklearn.tree.DecisionTreeClassifier"}',
    )  # fmt: skip
    assert done.exit_code == 2, done.output
    assert "cannot be saved without pickle" in done.stderr


ARFF = "@relation w\n@attribute sky {sun,rain}\n@attribute class {in,out}\n@data\n"


# "Weights reach every model that takes them (also in `fit`)"
def test_weights_reach_a_model_that_is_fitted_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "w.arff"
    file.write_text(ARFF + "sun,out\n" * 12 + "sun,in,{4}\n" * 9 + "rain,in\n" * 9 + "rain,out\n")
    model = tmp_path / "m.augury"
    done = run("fit", str(file), "--model", "nb", "-o", str(model))
    assert done.exit_code == 0, done.output
    proba = load_model(model).model.predict_proba(pd.DataFrame({"sky": ["sun"]}))
    # Weights are numbers of rows: of 58 rows 45 are in, 36 of these and 12 of 13 out have sun.
    inside, outside = (46 / 60) * (37 / 47), (14 / 60) * (13 / 15)
    assert proba[0, 0] == pytest.approx(inside / (inside + outside))


@pytest.mark.filterwarnings("default::augury.instance_weights.UnweightedFitWarning")
def test_compare_says_which_models_take_no_weights(tmp_path: Path) -> None:
    file = tmp_path / "w.arff"
    file.write_text(ARFF + "sun,out\n" * 12 + "sun,in,{4}\n" * 9 + "rain,in\n" * 9 + "rain,out\n")
    near = "sklearn.neighbors.KNeighborsClassifier"
    done = compare(file, f"nb,{near}", "--json")
    assert done.exit_code == 0, done.output
    assert (
        f"Warning: w: fitted without the instance weights of the data set, yet scored with them: "
        f"{near} (KNeighborsClassifier takes no sample_weight)\n"
    ) in done.stderr
    told = [each for each in summary_of(file)["warnings"] if "instance weights" in each]
    reason = "KNeighborsClassifier takes no sample_weight"
    assert told == [f"{near} on w: fitted without the instance weights: {reason}"]
