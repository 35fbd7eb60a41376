"""Decisions of `augury compare` by costs and thresholds, from the folds to the saved model."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from sklearn import metrics

import augury
from augury.cli import main
from augury.cli.terminal.leaderboard import render_leaderboard
from augury.comparison.compared_models import ComparedModels
from augury.comparison.decision import Decision, DecisionRequest, threshold_of_costs
from augury.decide import CostClassifier, ThresholdClassifier
from augury.decide.threshold_tuning import tune_threshold
from augury.evaluate import ThresholdCounts
from augury.evaluate.scored_rows import ScoredRows
from augury.experiments.measured_folds import score_rows
from augury.persist import load_model

MODELS = ["nb", "lr", "majority"]
COSTS = {"no": {"yes": 10}, "yes": {"no": 1}}
OPTIONS: dict[str, Any] = {"models": MODELS, "folds": 5, "repeats": 1, "n_jobs": 1}


@pytest.fixture(scope="module")
def flights() -> pd.DataFrame:
    random = np.random.default_rng(0)
    rows = random.normal(size=(900, 2))
    frame = pd.DataFrame(rows, columns=["cloud", "gust"])
    score = rows @ [1.5, 1.0] - 3.6 + random.logistic(size=len(rows))
    return frame.assign(late=np.where(score > 0, "yes", "no"))


@pytest.fixture(scope="module")
def file(flights: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("late") / "flights.csv"
    flights.to_csv(place, index=False)
    return place


@pytest.fixture(scope="module")
def by_costs(flights: pd.DataFrame) -> ComparedModels:
    return augury.compare(flights, "late", costs=COSTS, **OPTIONS)


@pytest.fixture(scope="module")
def tuned(flights: pd.DataFrame) -> ComparedModels:
    return augury.compare(flights, "late", threshold="auto", **OPTIONS)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def compare(file: Path, out: Path, *options: object) -> Result:
    return run(
        "compare", file, "--models", ",".join(MODELS), "--folds", 5, "--repeats", 1, "--jobs", 1,
        "--out", out, *options,
    )  # fmt: skip


def test_rows(compared: ComparedModels) -> tuple[np.ndarray, np.ndarray]:
    """Return true classes and probabilities of yes of the recommended model."""
    store = compared._store
    [dataset] = store.datasets()
    parts = [rows for _, _, rows in score_rows(store, dataset, "lr", "honest")]
    true = np.concatenate([rows.codes for rows in parts])
    return true, np.concatenate([rows.probabilities[:, 1] for rows in parts])


test_rows.__test__ = False  # type: ignore[attr-defined]


def test_models_are_ordered_by_the_cost_of_their_decisions(by_costs: ComparedModels) -> None:
    verdict = by_costs.verdict
    assert (verdict.measure, verdict.higher_is_better) == ("cost", False)
    assert by_costs.leaderboard["cost"].is_monotonic_increasing
    true, p = test_rows(by_costs)
    decided = p >= 1 / 11
    cost = (10 * (true & ~decided) + (~true.astype(bool) & decided)).mean()
    assert verdict.decision is not None
    assert verdict.decision.cost == pytest.approx(cost)
    assert verdict.find("lr").score == pytest.approx(cost, abs=0.01)  # mean over the folds
    assert verdict.find("lr").accuracy == pytest.approx((decided == true).mean(), abs=1e-9)
    assert verdict.decision.threshold == pytest.approx(1 / 11)
    assert verdict.decision.recall == pytest.approx(metrics.recall_score(true, decided))
    assert verdict.decision.precision == pytest.approx(metrics.precision_score(true, decided))
    assert verdict.baseline is not None
    share = true.mean()
    assert verdict.decision.cheapest_cost == pytest.approx(min(10 * share, 1 - share))
    assert verdict.baseline.score == pytest.approx(verdict.decision.cheapest_cost, abs=1e-3)
    assert verdict.baseline.label == verdict.decision.cheapest
    assert "Its predictions have the least expected cost." in verdict.text


def test_another_measure_has_the_cost_beside_it(flights: pd.DataFrame) -> None:
    found = augury.compare(flights, "late", costs=COSTS, measure="auc", **OPTIONS)
    assert found.verdict.measure == "auc"
    assert found.verdict.decision is not None
    assert found.leaderboard.loc["lr", "cost"] == pytest.approx(found.verdict.decision.cost)
    assert "for each row; always predicting" in found.verdict.text
    text = render_leaderboard(found.verdict)
    assert "cost" in text.splitlines()[0].split()
    assert max(map(len, text.splitlines())) <= 80


def test_a_tuned_threshold_is_the_best_for_the_test_rows(tuned: ComparedModels) -> None:
    verdict = tuned.verdict
    assert verdict.decision is not None
    assert verdict.decision.tuned_for == "F1 of yes"  # average precision orders the models
    true, p = test_rows(tuned)
    best = max(metrics.f1_score(true, p >= t) for t in np.unique(p))
    chosen = p >= verdict.decision.threshold
    assert metrics.f1_score(true, chosen) == pytest.approx(best)
    assert verdict.decision.value == pytest.approx(best)
    assert verdict.decision.value_of_half == pytest.approx(metrics.f1_score(true, p >= 0.5))
    assert verdict.decision.recall == pytest.approx(metrics.recall_score(true, chosen))
    assert verdict.find("lr").threshold == verdict.decision.threshold
    assert verdict.find("majority").threshold is None
    text = render_leaderboard(verdict)
    assert "threshold" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_threshold_of_a_fold_is_tuned_on_the_other_folds() -> None:
    def fold(codes: list[int], p: list[float]) -> ScoredRows:
        both = np.column_stack([1 - np.array(p), p])
        return ScoredRows.of(codes, np.zeros(len(codes), dtype=int), both)

    first, second = fold([0, 0, 1], [0.1, 0.2, 0.3]), fold([0, 1, 1], [0.6, 0.7, 0.9])
    decision = Decision(DecisionRequest(threshold="auto"), ["no", "yes"], [3, 3], "f1:yes")
    [a, b, alone] = decision.decide_folds([(1, 1, first), (1, 2, second), (2, 1, second)])
    # From the second fold the threshold is 0.65, from the first one 0.25.
    assert a[2].predicted.tolist() == [0, 0, 0]
    assert b[2].predicted.tolist() == [1, 1, 1]
    assert alone[2].predicted.tolist() == [1, 1, 1]  # 0.5, without another fold of its run
    counts = ThresholdCounts.collect([False, True, True], [0.6, 0.7, 0.9])
    assert tune_threshold(counts, "f1").threshold == pytest.approx(0.65)


def test_the_best_model_decides_like_the_verdict(
    by_costs: ComparedModels, tuned: ComparedModels, flights: pd.DataFrame
) -> None:
    X = flights.drop(columns="late")
    for compared, kind in ((by_costs, CostClassifier), (tuned, ThresholdClassifier)):
        assert compared.best_ is not None
        assert isinstance(compared.best_["model"], kind)
        assert compared.verdict.decision is not None
        p = compared.best_.predict_proba(X)[:, 1]
        expected = np.where(p >= compared.verdict.decision.threshold, "yes", "no")
        assert compared.best_.predict(X).tolist() == expected.tolist()


def test_the_page_shows_the_threshold_and_its_confusion(
    tuned: ComparedModels, tmp_path: Path
) -> None:
    page = tuned.report(tmp_path / "late.html")
    opened = json.loads(page.with_suffix(".json").read_text())["table"]["opened"]
    decision = tuned.verdict.decision
    assert decision is not None
    true, p = test_rows(tuned)
    table = metrics.confusion_matrix(true, p >= decision.threshold)
    assert opened["confusion"] == table.tolist()
    [curves] = opened["curves"]
    assert curves["threshold"] == decision.threshold
    assert curves["chosen"][1:] == pytest.approx([decision.recall, decision.precision])
    text = page.read_text()
    assert f"at the threshold {decision.threshold:.3g}" in text
    assert "Threshold of yes" in text
    assert f"by the predicted class, at the threshold {decision.threshold:.3g} of yes." in text


def test_the_page_of_costs_has_the_expected_cost(by_costs: ComparedModels, tmp_path: Path) -> None:
    text = by_costs.report(tmp_path / "late.html").read_text()
    assert "Expected cost" in text
    assert "at the threshold 0.0909" in text
    assert "by the predicted class, which has the least expected cost." in text


@pytest.mark.parametrize(
    "options", [("--threshold", "auto"), ("--threshold", "0.2"), ("--costs", json.dumps(COSTS))]
)
def test_saved_predicted_and_fitted_again(
    options: tuple[str, str], file: Path, tmp_path: Path, flights: pd.DataFrame
) -> None:
    out = tmp_path / "out"
    done = compare(file, out, *options, "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)["verdict"]["decision"]
    again = run("fit", file, "--from-compare", out, "-o", tmp_path / "again.augury")
    assert again.exit_code == 0, again.output
    answers = []
    for model in (out / "late.augury", tmp_path / "again.augury"):
        answer = run("predict", model, file, "--json")
        assert answer.exit_code == 0, answer.output
        rows = pd.DataFrame(json.loads(answer.stdout)["predictions"])
        answers.append(rows)
        chosen = np.where(rows["p(yes)"] >= said["threshold"], "yes", "no")
        assert rows["predicted"].tolist() == chosen.tolist()
    pd.testing.assert_frame_equal(*answers)


def test_explain_and_plot_take_the_saved_model(file: Path, tmp_path: Path) -> None:
    model, picture = tmp_path / "m.augury", tmp_path / "nomogram.svg"
    fitted = run("fit", file, "--model", "lr", "--threshold", "0.1", "-o", model)
    assert fitted.exit_code == 0, fitted.output
    answers = pd.DataFrame(json.loads(run("predict", model, file, "--json").stdout)["predictions"])
    row = answers.index[(answers["predicted"] == "yes") & (answers["p(yes)"] < 0.5)][0]
    said = json.loads(run("explain", model, file, "--row", row + 1, "--json").stdout)
    assert (said["predicted"], said["against"]) == ("yes", "no")
    assert said["probability"] == pytest.approx(answers["p(yes)"][row])
    assert said["log_odds"] < 0
    assert run("plot", "nomogram", model, "-o", picture).exit_code == 0


def test_another_decision_needs_no_new_folds(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    compare(file, out)
    plain = json.loads(compare(file, out, "--json").stdout)["verdict"]
    done = compare(file, out, "--costs", json.dumps(COSTS), "--json")
    assert "Run" not in done.stderr
    costs = json.loads(done.stdout)["verdict"]
    assert plain.get("decision") is None
    assert costs["decision"]["costs"] == [[0, 10], [1, 0]]
    assert json.loads(compare(file, out, "--json").stdout)["verdict"] == plain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--threshold", "2"), "--threshold must be auto or a number from 0 to 1, got '2'"),
        (("--threshold", "auto", "--costs", "{}"), "--costs and --threshold exclude each other"),
        (("--costs", '{"no": {"yes": 1}}'), "costs must have a cost for each wrong prediction"),
    ],
)
def test_wrong_options_are_one_line(
    options: tuple[str, ...], message: str, file: Path, tmp_path: Path
) -> None:
    done = compare(file, tmp_path / "out", *options)
    assert done.exit_code != 0
    assert message in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [("--threshold", "auto"), ("--costs", json.dumps(COSTS))])
def test_pieces_have_no_decisions(options: tuple[str, str], file: Path, tmp_path: Path) -> None:
    done = run("compare", file, "--models", "nb", "--stream", "--out", tmp_path / "out", *options)
    assert f"{options[0]} is for a table that is read whole" in " ".join(done.stderr.split())


def test_three_classes_have_costs_but_no_threshold(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris

    iris = load_iris(as_frame=True).frame
    with pytest.raises(ValueError, match="threshold is for two classes, and there are 3"):
        augury.compare(iris, "target", threshold=0.3, **OPTIONS)
    costs = np.array([[0, 1, 1], [1, 0, 9], [1, 1, 0]])
    found = augury.compare(iris, "target", costs=costs, **OPTIONS)
    assert found.verdict.decision is not None
    assert (found.verdict.decision.positive, found.verdict.decision.threshold) == ("", None)
    assert found.best_ is not None
    assert found.best_["model"].costs_.tolist() == costs.tolist()
    assert "Expected cost" in found.report(tmp_path / "iris.html").read_text()


def test_thresholds_of_costs() -> None:
    assert threshold_of_costs(np.array([[0.0, 10.0], [1.0, 0.0]]), 0) == pytest.approx(10 / 11)
    assert threshold_of_costs(np.array([[0.0, 0.0], [1.0, 1.0]]), 1) == np.inf
    assert threshold_of_costs(np.array([[0.0, -1.0], [2.0, 0.0]]), 1) == np.inf
    assert threshold_of_costs(np.array([[1.0, 1.0], [0.0, 0.0]]), 1) == 0.0
    assert np.isnan(threshold_of_costs(np.array([[1.0, 0.0], [0.0, 1.0]]), 1))


class TestFit:
    def test_a_tuned_threshold_is_saved_and_reported(self, file: Path, tmp_path: Path) -> None:
        done = run("fit", file, "--model", "lr", "--threshold", "auto", "-o", tmp_path / "m.augury")
        assert done.exit_code == 0, done.output
        fitted = load_model(tmp_path / "m.augury").model["model"]
        assert isinstance(fitted, ThresholdClassifier)
        assert (fitted.measure, fitted.classes_[fitted.positive_]) == ("f1", "yes")
        assert fitted.value_ > fitted.value_of_half_
        text = f"yes is predicted from a probability of {fitted.threshold_:.3g} on, the best"
        assert text in done.stdout

    def test_a_given_threshold(self, file: Path, tmp_path: Path) -> None:
        done = run(
            "fit", file, "--model", "nb", "--threshold", "0.25", "--json",
            "-o", tmp_path / "m.augury",
        )  # fmt: skip
        assert done.exit_code == 0, done.output
        said = json.loads(done.stdout)
        assert (said["threshold"], said["positive"]) == (0.25, "yes")

    def test_three_classes_are_refused(self, tmp_path: Path) -> None:
        table = pd.DataFrame({"x": range(9), "class": list("abc") * 3})
        table.to_csv(tmp_path / "three.csv", index=False)
        done = run("fit", tmp_path / "three.csv", "--model", "nb", "--threshold", "0.2")
        assert "--threshold is for two classes, and there are 3" in done.stderr
