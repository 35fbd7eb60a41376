"""A summary contains what evaluate computes from the rows, also for incomplete stores."""

import json
import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import confusion_matrix

from augury.data import load_dataset
from augury.errors import StoreError
from augury.evaluate import (
    FoldResult,
    GrowingSamples,
    WekaFolds,
    cross_validate,
    friedman_test,
    summarize_curve,
    wilcoxon_matrix,
    win_tie_loss,
)
from augury.evaluate.folds import FoldOutcome
from augury.experiments.job import Job
from augury.experiments.runner import run_jobs
from augury.experiments.store.result_store import ResultStore
from augury.experiments.store.stored_results import Failure, StoredResults
from augury.generative import NaiveBayes
from augury.summary import (
    Summary,
    SummaryError,
    read_summary,
    summarize_store,
    write_summary,
)
from augury.summary.contents import FORMAT, ErrorParts, ExperimentOverview

LABELS = np.array([0, 1, 0, 1])


def add_dataset(store: ResultStore, name: str, splitter: dict | None = None) -> None:
    details = {
        "n_rows": 4, "n_columns": 2, "n_numeric": 1, "n_missing": 0, "target": "class",
        "classes": ["no", "yes"], "source": f"/home/somebody/{name}.arff", "dropped": [],
    }  # fmt: skip
    splitter = splitter or {"class": "augury.evaluate.WekaFolds", "n_splits": 2}
    store.add_dataset(name, f"sum-{name}", splitter, details, LABELS)


def add_fold(
    store: ResultStore,
    dataset: str,
    model: str,
    key: tuple[int, int],
    accuracy: float,
    *,
    log_loss: float = 0.5,
    protocol: str = "honest",
    rows: Iterable[int] = (0, 1),
    predicted: Iterable[int] = (0, 1),
    confidence: Iterable[float] = (0.75, 0.75),
    n_train: int = 2,
    fit_seconds: float = 0.01,
    message: str = "",
) -> None:
    store.claim(dataset, model, protocol, [key])
    rows = np.array(rows)
    result = FoldResult(
        dataset, model, protocol, *key, n_train, len(rows), accuracy, log_loss, log_loss / 2,
        fit_seconds, 0.002,
    )  # fmt: skip
    said = None if math.isnan(log_loss) else np.array(confidence)
    store.add_outcome(FoldOutcome(result, np.array(predicted), said), rows, message)


def fill(store: ResultStore, n_datasets: int = 6, models: Iterable[str] = "abc") -> None:
    """Add 2 × 2 folds of each; b is better than a by about 5 points, c by chance."""
    random = np.random.default_rng(0)
    for model in models:
        store.add_model(model, {"class": "augury.generative.NaiveBayes", "alpha": 1.0})
    for d in range(n_datasets):
        add_dataset(store, f"set{d}")
        base = random.uniform(0.5, 0.8, size=4)
        for model in models:
            gain = 0.05 * (model == "b") + random.normal(0, 0.02 if model == "c" else 0.004, 4)
            for k, key in enumerate([(1, 1), (1, 2), (2, 1), (2, 2)]):
                add_fold(
                    store, f"set{d}", model, key, float(base[k] + gain[k]),
                    log_loss=math.nan if model == "c" else float(1 - base[k] - gain[k]),
                    rows=[0, 1] if key[1] == 1 else [2, 3],
                )  # fmt: skip


def check_is_json(summary: Summary) -> None:
    content = json.loads(json.dumps(summary.to_json(), allow_nan=False))
    assert Summary.from_json(content) == summary
    assert content["format"] == FORMAT


def test_cells_and_marks_are_those_of_evaluate() -> None:
    with ResultStore(None) as store:
        fill(store)
        summary, rows = summarize_store(store), store.results()
    check_is_json(summary)
    values = [100 * r.accuracy for r in rows if (r.dataset, r.model) == ("set3", "b")]
    cell = summary.comparisons.cells["accuracy"][3][1]
    assert cell.mean == pytest.approx(np.mean(values))
    assert cell.std == pytest.approx(np.std(values, ddof=1))
    assert cell.n == 4
    words = {"+": "better", "-": "worse", "=": ""}
    for index, reference in enumerate("abc"):
        for outcome in win_tie_loss(rows, reference):
            column = "abc".index(outcome.model)
            marks = [of_set[column] for of_set in summary.comparisons.marks["accuracy"][index]]
            assert [words[mark] for mark in marks] == list(outcome.marks.values())
            assert summary.comparisons.win_tie_loss["accuracy"][index][column] == (
                outcome.wins, outcome.ties, outcome.losses,
            )  # fmt: skip
    assert summary.comparisons.win_tie_loss["accuracy"][0][1][0] > 0, "else nothing was tested"
    assert summary.comparisons.win_tie_loss["accuracy"][0][0] is None


def test_of_losses_less_is_better() -> None:
    with ResultStore(None) as store:
        fill(store)
        summary = summarize_store(store)
    for d in range(6):
        of_accuracy, of_loss = (
            summary.comparisons.marks[m][0][d] for m in ("accuracy", "log_loss")
        )
        assert of_loss[:2] == of_accuracy[:2], "the loss is 1 less the accuracy"
        assert of_loss[2] == "."
    assert summary.comparisons.averages["log_loss"][2] is None
    assert [m.has_probabilities for m in summary.models] == [True, True, False]
    assert any(
        "Models without class probabilities" in text and "c." in text for text in summary.warnings
    )


def test_tests_over_data_sets_are_those_of_evaluate_and_scipy() -> None:
    with ResultStore(None) as store:
        fill(store)
        summary = summarize_store(store, reference="b")
    columns = {
        model: [row[m].mean for row in summary.comparisons.cells["accuracy"]]
        for m, model in enumerate("abc")
    }
    matrix, friedman = wilcoxon_matrix(columns), friedman_test(columns)
    found = summary.comparisons.wilcoxon["accuracy"]
    assert found.p[0][1] == matrix.tests["a", "b"].p
    assert found.p[0][1] == pytest.approx(stats.wilcoxon(columns["a"], columns["b"]).pvalue)
    assert (found.better[0][1], found.better[1][0]) == ("column", "row")
    assert found.rank_sums[1][0] == (21.0, 0.0)
    assert found.p[1][1] is None
    found = summary.comparisons.friedman["accuracy"]
    assert found.chi2 == pytest.approx(stats.friedmanchisquare(*columns.values()).statistic)
    assert found.mean_ranks == tuple(friedman.mean_ranks)
    assert [line.model for line in found.holm] == ["a", "c"]
    assert summary.comparisons.averages["accuracy"][1].rank == friedman.rank_of("b")
    best = summary.comparisons.leaderboard[0]
    assert best.model == "b"
    assert best.accuracy == pytest.approx(np.mean(columns["b"]))
    assert best.fit_ms == pytest.approx(10.0)
    assert best.fit_ratio_to_reference == pytest.approx(1.0)


@pytest.mark.parametrize(("n_datasets", "models"), [(0, "ab"), (1, "a"), (1, "abc"), (2, "ca")])
def test_few_models_and_data_sets_have_no_tests_over_data_sets(
    n_datasets: int, models: str
) -> None:
    with ResultStore(None) as store:
        fill(store, n_datasets, models)
        summary = summarize_store(store)
    check_is_json(summary)
    assert summary.comparisons.wilcoxon["accuracy"] is None
    assert summary.comparisons.friedman["accuracy"] is None
    assert len(summary.comparisons.cells["accuracy"]) == n_datasets
    assert len(summary.comparisons.leaderboard) == len(models)


def test_an_empty_store_says_so() -> None:
    with ResultStore(None) as store:
        summary = summarize_store(store)
    check_is_json(summary)
    assert summary.warnings == ("There are no completed folds.",)
    assert summary.experiment.reference is None


def test_a_store_of_failures_shows_them() -> None:
    with ResultStore(None) as store:
        store.add_model("a", {"class": "augury.generative.NaiveBayes"})
        add_dataset(store, "tiny")
        store.claim("tiny", "a", "honest", [(1, 1)])
        store.add_failure(Failure("tiny", "a", "honest", 1, 1, "ValueError: no"))
        summary = summarize_store(store)
    check_is_json(summary)
    assert [failure.error for failure in summary.failures] == ["ValueError: no"]
    assert summary.comparisons.cells["accuracy"] == ((None,),)
    assert summary.comparisons.leaderboard[0].n_failed == 1
    assert "There are no completed folds." in summary.warnings


def test_incomplete_cells_are_reported_and_not_averaged() -> None:
    with ResultStore(None) as store:
        fill(store)
        store.add_model("d", {"class": "sklearn.dummy.DummyClassifier"})
        for key in [(1, 1), (1, 2), (2, 2)]:
            add_fold(store, "set0", "d", key, 0.5)
        store.claim("set1", "d", "honest", [(1, 1)])
        error = "Traceback\nArithmeticError: it broke\n(d on set1, run 1, fold 1)"
        store.add_failure(Failure("set1", "d", "honest", 1, 1, error))
        add_dataset(store, "set6")
        add_fold(store, "set6", "a", (1, 1), 0.5)
        add_fold(store, "set6", "b", (1, 1), 0.5)
        summary = summarize_store(store)
    check_is_json(summary)
    assert summary.comparisons.shared == tuple(f"set{d}" for d in range(6))
    assert summary.comparisons.marks["accuracy"][0][0][3] in "+-=", "three folds are shared"
    assert summary.comparisons.marks["accuracy"][0][1][3] == "."
    assert summary.comparisons.marks["accuracy"][0][6] == "....", "one fold is not tested"
    assert summary.comparisons.cells["accuracy"][0][3].n == 3
    assert summary.comparisons.cells["accuracy"][6][0].std is None
    assert summary.comparisons.averages["accuracy"][3] is None
    last = summary.comparisons.leaderboard[-1]
    assert (last.model, last.accuracy, last.n_failed) == ("d", None, 1)
    assert summary.failures[0].error == "ArithmeticError: it broke"
    reported = "\n".join(summary.warnings)
    for part in (
        "d on set0 (3 of 4 folds)",
        "1 fold of d failed",
        "in no test over data sets: d.",
    ):
        assert part in reported
    assert summary.models[3].family == "other"


def test_one_protocol_is_shown() -> None:
    with ResultStore(None) as store:
        fill(store, 1, "ab")
        for key in [(1, 1), (1, 2)]:
            add_fold(store, "set0", "a", key, 0.25, protocol="published")
        shown, other = summarize_store(store), summarize_store(store, protocol="published")
        with pytest.raises(StoreError, match="has no folds of the protocol 'nested'"):
            summarize_store(store, protocol="nested")
        with pytest.raises(StoreError, match="has no model 'z'; it has a, b"):
            summarize_store(store, reference="z")
    assert shown.experiment.protocol == "honest"
    assert shown.comparisons.cells["accuracy"][0][0].n == 4
    assert any("2 folds of another protocol" in text for text in shown.warnings)
    assert other.comparisons.cells["accuracy"][0][0].mean == 25.0
    assert any("optimistic" in text for text in other.warnings)


def test_warnings_of_models_that_differ_in_numbers_are_reported_once() -> None:
    with ResultStore(None) as store:
        fill(store, 1, "a")
        for fold, text in enumerate(["stopped after 10 steps", "stopped after 2.5e-3 steps"]):
            add_fold(store, "set0", "a", (3, fold + 1), 0.5, message=text)
        warnings = summarize_store(store).warnings
    assert [text for text in warnings if "stopped" in text] == ["a on set0: stopped after 10 steps"]


def test_settings_of_the_experiment_precede_counted_ones(tmp_path: Path) -> None:
    with ResultStore(tmp_path) as store:
        fill(store, 1)
        store.set_meta("experiment", {"protocol": "honest", "seed": 7, "reference": "c"})
        store.set_meta("title", "A test")
    with StoredResults(tmp_path) as stored:
        summary = summarize_store(stored)
    assert summary.title == "A test"
    assert summary.experiment == ExperimentOverview(
        protocol="honest", folds=2, repeats=2, seed=7, reference="c"
    )
    [dataset] = summary.datasets
    assert dataset.source == "set0.arff", "the folder is private"
    assert dataset.class_counts == (2, 2)
    write_summary(summary, tmp_path / "summary.json")
    assert read_summary(tmp_path / "summary.json") == summary
    with pytest.raises(StoreError, match="cannot be written"):
        write_summary(summary, tmp_path / "no" / "summary.json")


# Two runs of two folds; -1 is a prediction that is not a class.
FOLDS = {
    (1, 1): ([0, 1], [0, 1], [0.9, 0.9]),
    (1, 2): ([2, 3], [1, 1], [0.6, 0.6]),
    (2, 1): ([0, 3], [0, -1], [0.9, 0.6]),
    (2, 2): ([1, 2], [0, 1], [0.9, 0.6]),
}


def store_of(folds: dict) -> ResultStore:
    store = ResultStore(None)
    store.add_model("a", {"class": "augury.generative.NaiveBayes"})
    add_dataset(store, "tiny")
    for key, (rows, predicted, confidence) in folds.items():
        right = float(np.mean(LABELS[rows] == predicted))
        add_fold(
            store, "tiny", "a", key, right, rows=rows, predicted=predicted, confidence=confidence
        )
    return store


def test_counts_by_hand() -> None:
    with store_of(FOLDS) as store:
        summary = summarize_store(store)
    # Class 0: row 0 is right twice, row 2 is wrong twice. Class 1: row 1 is right, then predicted
    # as 0; row 3 is right, then no class.
    assert summary.predictions.confusion == ((((1.0, 1.0, 0.0), (0.5, 1.0, 0.5)),),)
    [reliability] = summary.predictions.reliability
    low, high = reliability.bins
    assert (low.n, high.n) == (4, 4)
    assert (low.accuracy, high.accuracy) == (0.25, 0.75)
    assert low.low < low.confidence <= low.high
    assert high.confidence == pytest.approx(0.9, abs=1e-4)
    assert reliability.ece == pytest.approx((0.35 + 0.15) / 2, abs=1e-4)
    assert summary.predictions.reliability_by_dataset == ((reliability,),)
    # Row 0 is never wrong, rows 1 and 3 are wrong once, row 2 is always wrong.
    found = summary.predictions.bias_variance
    assert (found.runs, found.method) == (2, "webb")
    assert found.datasets[0][0] == ErrorParts(error=0.5, bias=0.375, variance=0.125)
    assert found.averages[0] == found.datasets[0][0]
    squares = found.kohavi_wolpert.datasets[0][0]
    assert squares.bias + squares.variance == pytest.approx(0.5)
    assert squares.variance == pytest.approx(0.5 * (0.5 + 0.5) / 4)


def test_incomplete_runs_are_left_out() -> None:
    with store_of({key: FOLDS[key] for key in [(1, 1), (1, 2), (2, 1)]}) as store:
        summary = summarize_store(store)
    assert summary.predictions.bias_variance is None
    assert summary.predictions.confusion == ((((1.0, 1.0), (0.0, 2.0)),),)
    with store_of({(1, 1): FOLDS[1, 1]}) as store:
        summary = summarize_store(store)
    assert summary.predictions.confusion == ((None,),)
    assert summary.predictions.reliability[0].bins[0].n == 2
    assert any("only one run" in text for text in summary.warnings)


def test_confusions_are_those_of_scikit_learn() -> None:
    iris = load_dataset("sklearn:iris")
    with ResultStore(None) as store:
        run_jobs([Job(iris, {"nb": NaiveBayes()}, WekaFolds(5, 1), "honest")], store)
        summary = summarize_store(store)
        parts = store.predictions("sklearn:iris", "nb", "honest")
        assert store.predictions("sklearn:iris", "nb", "published") == []
    rows, predicted = (np.concatenate([part[k] for part in parts]) for k in (2, 3))
    expected = confusion_matrix(iris.y.to_numpy()[rows], np.array(iris.classes)[predicted])
    assert summary.predictions.confusion[0][0] == tuple(map(tuple, expected.tolist()))


def test_curves_and_the_tables_beside_them() -> None:
    iris = load_dataset("sklearn:iris")
    splitter = GrowingSamples([10, 30, 1.0], n_repeats=3)
    models = {"nb": NaiveBayes(), "smooth": NaiveBayes(alpha=20.0)}
    with ResultStore(None) as store:
        run_jobs([Job(iris, models, splitter, "honest")], store)
        summary = summarize_store(store)
    assert [curve.measure for curve in summary.learning_curves] == [
        "accuracy", "log_loss", "brier",
    ]  # fmt: skip
    curve = summary.learning_curves[0]
    points = summarize_curve(cross_validate([iris], models, splitter))
    assert curve.sizes == (10, 30, 105)
    for m, name in enumerate(models):
        assert curve.curves[m].model == name
        of_model = [point.summary for point in points if point.summary.model == name]
        assert curve.curves[m].mean == pytest.approx([s.accuracy_mean for s in of_model])
        assert curve.curves[m].std == pytest.approx([s.accuracy_std for s in of_model])
        cell = summary.comparisons.cells["accuracy"][0][m]
        assert (cell.n, cell.mean) == (3, pytest.approx(of_model[-1].accuracy_mean))
    assert np.sum(summary.predictions.confusion[0][0]) == pytest.approx(45)
    assert summary.predictions.bias_variance is None
    assert summary.datasets[0].table_size == 105
    assert any(text.endswith("completed: sklearn:iris 105 rows.") for text in summary.warnings)


def test_files_of_another_format_are_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "summary.json"
    file.write_text('{"format": 1, "title": "old"}', encoding="utf-8")
    with pytest.raises(SummaryError, match=r"summary\.json: summary must have format 2, got 1; wr"):
        read_summary(file)
    file.write_text("no JSON", encoding="utf-8")
    with pytest.raises(SummaryError, match=r"summary\.json: "):
        read_summary(file)


def test_an_absent_key_and_a_value_of_another_type_are_named() -> None:
    with ResultStore(None) as store:
        fill(store, 1, "a")
        content = summarize_store(store).to_json()
    with pytest.raises(SummaryError, match=r"^summary must have the key 'cells', which is absent$"):
        Summary.from_json({key: value for key, value in content.items() if key != "cells"})
    with pytest.raises(SummaryError, match=r"^summary\.title must be text, got 7$"):
        Summary.from_json(content | {"title": 7})
    assert Summary.from_json(content | {"from a later version": 1}) == Summary.from_json(content)
