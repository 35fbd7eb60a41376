"""`augury fit --costs`, `--class-weight`, and the measures that `augury predict` prints."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from sklearn import metrics

from augury.cli import main
from augury.decide import CostClassifier
from augury.discriminative import LogisticRegression
from augury.persist import load_model

COSTS = {"0": {"1": 10}, "1": {"0": 1}}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place, random = tmp_path_factory.mktemp("costs"), np.random.default_rng(0)
    rows = random.normal(size=(900, 2))
    frame = pd.DataFrame(rows, columns=["cloud", "gust"])
    score = rows @ [1.5, 1.0] - 3.3 + random.logistic(size=len(rows))
    frame["cancelled"] = (score > 0).astype(int)
    frame[:600].to_csv(place / "train.csv", index=False)
    frame[600:].to_csv(place / "new.csv", index=False)
    return place


def fit(folder: Path, *options: object) -> Result:
    return run("fit", folder / "train.csv", "--model", "lr", *options)


def test_costs_decide_and_are_reported(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.augury"
    done = fit(folder, "--costs", json.dumps(COSTS), "-o", model)
    assert done.exit_code == 0, done.output
    fitted = load_model(model).model["model"]
    assert isinstance(fitted, CostClassifier)
    assert fitted.costs_.tolist() == [[0, 10], [1, 0]]
    assert f"Mean cost of held-out rows: {fitted.mean_cost_:.4g}" in done.stdout
    assert f"cheapest class costs {fitted.constant_cost_:.4g}" in done.stdout

    said = json.loads(run("predict", model, folder / "new.csv", "--json").stdout)
    new = pd.read_csv(folder / "new.csv")
    p = np.array([row["p(1)"] for row in said["predictions"]])
    decided = np.array([row["predicted"] for row in said["predictions"]])
    np.testing.assert_array_equal(decided, (p > 1 / 11).astype(int))
    true = new["cancelled"].to_numpy()
    cost = 10 * ((true == 1) & (decided == 0)) + ((true == 0) & (decided == 1))
    assert said["mean_cost"] == pytest.approx(cost.mean())
    assert said["baseline_cost"] == pytest.approx(min(10 * true.mean(), 1 - true.mean()))
    assert said["measures"]["balanced_accuracy"] == pytest.approx(
        metrics.balanced_accuracy_score(true, decided)
    )
    assert said["measures"]["auc"] == pytest.approx(metrics.roc_auc_score(true, p), abs=1e-4)
    assert said["measures"]["average_precision"] == pytest.approx(
        metrics.average_precision_score(true, p), abs=1e-3
    )
    assert said["baseline"]["average_precision"] == pytest.approx(true.mean())
    assert said["measures"]["log_loss"] == pytest.approx(metrics.log_loss(true, p))
    assert said["baseline"]["accuracy"] == pytest.approx(1 - true.mean())
    assert said["classes"]["1"]["recall"] == pytest.approx(metrics.recall_score(true, decided))
    assert said["classes"]["1"]["rows"] == int(true.sum())


def test_the_text_of_predict(folder: Path, tmp_path: Path) -> None:
    model, out = tmp_path / "m.augury", tmp_path / "out.csv"
    fit(folder, "--costs", json.dumps(COSTS), "-o", model)
    text = run("predict", model, folder / "new.csv", "-o", out).stdout
    for title in (
        "Accuracy (%)",
        "Balanced accuracy (%)",
        "AUC",
        "Average precision",
        "Log loss (nats)",
        "Mean cost",
    ):
        assert title in text
    assert (
        "Baseline: always 0; for measures of probabilities the shares of the classes; for" in text
    )
    to_screen = run("predict", model, folder / "new.csv")
    assert "Mean cost" in to_screen.stderr
    assert "Mean cost" not in to_screen.stdout
    unlabelled = tmp_path / "unlabelled.csv"
    pd.read_csv(folder / "new.csv").drop(columns="cancelled").to_csv(unlabelled, index=False)
    assert "Accuracy" not in run("predict", model, unlabelled, "-o", out).output


@pytest.mark.parametrize("content", [json.dumps(COSTS), ",0,1\n0,0,10\n1,1,0\n"])
def test_costs_are_read_from_a_file(folder: Path, tmp_path: Path, content: str) -> None:
    file, model = tmp_path / "costs.txt", tmp_path / "m.augury"
    file.write_text(content)
    done = fit(folder, "--costs", file, "-o", model)
    assert done.exit_code == 0, done.output
    assert load_model(model).model["model"].costs_.tolist() == [[0, 10], [1, 0]]


@pytest.mark.parametrize(
    ("option", "weights"),
    [("balanced", "balanced"), ('{"1": 4}', {1: 4}), ('{"0": 0.5}', {0: 0.5})],
)
def test_class_weights_are_those_of_the_model(
    folder: Path, tmp_path: Path, option: str, weights: object
) -> None:
    model = tmp_path / "m.augury"
    done = fit(folder, "--class-weight", option, "-o", model)
    assert done.exit_code == 0, done.output
    train = pd.read_csv(folder / "train.csv")
    X = train[["cloud", "gust"]]
    expected = LogisticRegression(class_weight=weights).fit(X, train["cancelled"])
    loaded = load_model(model).model
    assert loaded["model"].class_weight == weights
    np.testing.assert_allclose(loaded.predict_proba(X), expected.predict_proba(X))


def test_class_weights_and_costs_together(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.augury"
    done = fit(
        folder, "--class-weight", '{"1": 4}', "--costs", json.dumps(COSTS), "-o", model, "--json"
    )
    said = json.loads(done.stdout)
    assert said["mean_cost"] < said["baseline_cost"]
    assert load_model(model).model["model"].estimator_.class_weight == {1: 4}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--costs", "none.csv"], "--costs is 'none.csv', which is neither JSON nor a file"),
        (["--costs", "{"], "--costs: '{' is not JSON"),
        (["--costs", '{"0": {"2": 1}}'], "costs must be of the classes [0, 1], got '2'"),
        (["--costs", '{"0": {"1": 1}}'], "got none for predicted 1, true 0"),
        (["--class-weight", "even"], "--class-weight: 'even' is not JSON"),
        (["--class-weight", "[1]"], "--class-weight must be a JSON object, got '[1]'"),
        (["--class-weight", '{"1": "x"}'], "--class-weight must have a number for each class"),
        (["--class-weight", '{"2": 1}'], "--class-weight must be of the classes 0, 1, got '2'"),
        (["--class-weight", '{"1": -1}'], "class_weight must be None"),
        (["--class-weight", "balanced", "--stream"], "class_weight multiplies weights of rows"),
    ],
)
def test_bad_options_are_refused(folder: Path, options: list[str], message: str) -> None:
    done = fit(folder, *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_damaged_tables_of_costs_are_refused(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "costs.csv"
    for content, message in [
        (",0,1\n", "has no rows"),
        (",0,1\n0,1\n", "line 2 has 1 costs, the first line has 2 classes"),
        (",0,1\n0,x,1\n", "line 2: could not convert string to float"),
    ]:
        file.write_text(content)
        done = fit(folder, "--costs", file)
        assert done.exit_code == 2
        assert message in done.stderr


def test_columns_of_a_latin_table_with_odd_names_are_kept(tmp_path: Path) -> None:
    names = ["Kundennr.", "Größe (cm)", 'Ort, "alt"', "=cmd", "gekündigt?"]
    random = np.random.default_rng(0)
    size = random.normal(170, 10, 60).round(2)
    table = pd.DataFrame(
        {
            "Kundennr.": [f"K{i:03}" for i in range(60)],
            "Größe (cm)": [f"{value:.2f}".replace(".", ",") for value in size],
            'Ort, "alt"': random.choice(["Köln", "O'Neill; Söhne"], 60),
            "=cmd": random.choice(["a", "b"], 60),
            "gekündigt?": np.where(size > 170, "ja", "nein"),
        }
    )
    file, model = tmp_path / "odd.csv", tmp_path / "odd.augury"
    table.to_csv(file, index=False, sep=";", encoding="latin-1")
    assert run("fit", file, "--model", "nb", "--target", "gekündigt?", "-o", model).exit_code == 0
    answers = []
    for out in (tmp_path / "all.csv", tmp_path / "all.parquet"):
        done = run("predict", model, file, "-o", out, "--keep", "all")
        assert done.exit_code == 0, done.output
        read = pd.read_csv if out.suffix == ".csv" else pd.read_parquet
        answers.append(read(out))
    for frame in answers:
        assert frame.columns.tolist() == [*names, "predicted", "p(ja)", "p(nein)"]
        for name in ("Kundennr.", 'Ort, "alt"', "=cmd", "gekündigt?"):
            assert frame[name].tolist() == table[name].tolist(), name
        np.testing.assert_allclose(frame["Größe (cm)"], size)
    np.testing.assert_allclose(answers[0]["p(ja)"], answers[1]["p(ja)"])
    for text, kept in (
        ('Ort, "alt"', ['Ort, "alt"']),
        ('Kundennr., "Ort, ""alt"""', ["Kundennr.", 'Ort, "alt"']),
    ):
        out = tmp_path / "some.csv"
        assert run("predict", model, file, "-o", out, "--keep", text).exit_code == 0
        assert pd.read_csv(out).columns[: len(kept)].tolist() == kept


def test_a_class_that_no_threshold_predicts(tmp_path: Path) -> None:
    random, table = np.random.default_rng(0), tmp_path / "noise.csv"
    rare = np.where(random.random(400) < 0.1, "yes", "no")
    pd.DataFrame({"noise": random.normal(size=400), "late": rare}).to_csv(table, index=False)
    given = ("fit", table, "--model", "nb", "--threshold", "auto", "-o", tmp_path / "m.augury")
    printed = run(*given).output
    assert "yes is never predicted, which is best for the accuracy of held-out rows" in printed
    assert "inf" not in printed
    assert json.loads(run(*given, "--json").stdout)["threshold"] is None


@pytest.mark.parametrize(
    ("costs", "message"),
    [('{"0": ' * 9000, "is nested too deeply"), (f'{{"0": {{"1": {"9" * 9000}}}}}', "is not JSON")],
    ids=["nested", "digits"],
)
def test_crafted_costs_are_refused(folder: Path, costs: str, message: str) -> None:
    done = fit(folder, "--costs", costs)
    assert done.exit_code == 2
    assert message in done.stderr
