"""Comparisons of learning curves, and the one training size that tables use."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import sem

from augury.data import load_dataset
from augury.evaluate import FoldResult, GrowingSamples
from augury.experiments import Job, ResultStore, run_jobs
from augury.experiments.store.stored_results import StoredDataset
from augury.generative import LinearDiscriminantAnalysis, NaiveBayes
from augury.summary import Summary, summarize_store
from augury.summary.contents import CurveComparison, LearningCurves
from augury.summary.curve_tables import curve_tables
from augury.summary.fold_scores import collect_scores
from augury.summary.learning_curves import describe_curves

SPLITTER = {"class": "augury.evaluate.GrowingSamples", "random_state": 0, "test_share": 0.3}
DATASET = StoredDataset("made", "0", SPLITTER, {"classes": ["a", "b"]}, np.zeros(100, dtype=int))

Accuracies = Mapping[int, Sequence[float | None]]  # training rows to percents of the runs


def rows_of(model: str, accuracies: Accuracies) -> list[FoldResult]:
    """Return the folds of a model; None is a run that is not completed."""
    unknown = float("nan")
    return [
        FoldResult("made", model, "honest", run, n, n, 30, a / 100, 1 - a / 100, unknown, 0.1, 0.1)
        for n, percents in accuracies.items()
        for run, a in enumerate(percents, start=1)
        if a is not None
    ]


def compare(first: Accuracies, second: Accuracies) -> list[LearningCurves]:
    rows = rows_of("nb", first) + rows_of("lr", second)
    return list(describe_curves(rows, [DATASET], ["nb", "lr"], "nb"))


NB: Accuracies = {10: [70, 72, 74], 20: [75, 75, 78], 40: [80, 81, 80], 80: [80, 82, 81]}


class TestComparison:
    def test_numbers_of_paired_runs(self) -> None:
        lr: Accuracies = {10: [60, 65, 61], 20: [76, 74, 75], 40: [83, 83, 85], 80: [88, 86, 90]}
        accuracy, log_loss = compare(NB, lr)
        assert (accuracy.measure, log_loss.measure) == ("accuracy", "log_loss")
        [found] = accuracy.comparisons
        pairs = {size: np.subtract(lr[size], NB[size]) for size in NB}
        assert found.difference == pytest.approx([d.mean() for d in pairs.values()])
        assert found.error == pytest.approx([sem(d) for d in pairs.values()])
        assert (found.outcome, found.since) == ("better", 40)
        assert found.words(accuracy.sizes) == "better from 40 rows"
        [loss] = log_loss.comparisons
        assert (loss.outcome, loss.since) == ("better", 40), "a lower loss is better"
        assert loss.difference == pytest.approx([-d.mean() / 100 for d in pairs.values()])

    @pytest.mark.parametrize(
        ("shift", "words"),
        [
            ((1, 1, 1, 1), "better at all sizes"),
            ((-1, -1, -1, -1), "worse at all sizes"),
            ((1, -1, -1, -1), "worse from 20 rows"),
            ((1, -1, 0, 1), "better from 80 rows"),
            ((1, 1, 1, 0), "equal from 80 rows"),
            ((0, 0, 0, 0), "equal at all sizes"),
            ((0, 0, 1, 1), "better from 40 rows"),
        ],
    )
    def test_outcomes(self, shift: Sequence[int], words: str) -> None:
        moved = {
            size: [None if a is None else a + by for a in runs]
            for (size, runs), by in zip(NB.items(), shift, strict=True)
        }
        curves = compare(NB, moved)[0]
        assert curves.comparisons[0].words(curves.sizes) == words

    def test_only_runs_that_both_have(self) -> None:
        lr: Accuracies = {10: [None, 80, 80], 20: [None, None, 90], 40: [None] * 3, 80: [90] * 3}
        [accuracy, _] = compare(NB, lr)
        [found] = accuracy.comparisons
        assert found.difference == pytest.approx((7.0, 12.0, None, 9.0))
        assert found.error[1:3] == (None, None)
        assert accuracy.curves[1].n == (2, 1, 0, 3)
        assert found.words(accuracy.sizes) == "better at all sizes"

    def test_without_the_reference_nothing_is_compared(self) -> None:
        [accuracy, _] = describe_curves(rows_of("lr", NB), [DATASET], ["nb", "lr"], "nb")
        assert (accuracy.reference, accuracy.comparisons) == (None, ())
        assert "compared with" not in next(curve_tables([accuracy]))

    def test_unknown(self) -> None:
        nothing = CurveComparison("lr", (None,), (None,))
        assert nothing.words((10,)) == "unknown"


class TestTableSize:
    def size(self, *models: Accuracies) -> int:
        rows = [row for m, runs in enumerate(models) for row in rows_of(f"m{m}", runs)]
        names = [f"m{m}" for m in range(len(models))]
        scores = collect_scores(rows, [DATASET], names)
        [size] = scores.table_sizes.values()
        for cell in scores.cells.values():
            assert set(cell.columns["n_train"]) == {size}
        return size

    def test_the_largest_that_all_have(self) -> None:
        assert self.size(NB, NB) == 80
        assert self.size(NB, {10: [1, 2, 3], 20: [1, 2, 3]}) == 20
        assert self.size(NB, {**NB, 80: [80, None, 81]}) == 40
        assert self.size(NB, {**NB, 80: [None] * 3, 40: [None] * 3}) == 20

    def test_a_run_that_is_interrupted(self) -> None:
        assert self.size(NB, {size: runs[:1] for size, runs in NB.items()}) == 80
        assert self.size({10: [70, 71]}, {40: [80, 81]}) == 40, "no size is common"


def test_a_summary_in_json_is_the_same_summary() -> None:
    iris = load_dataset("sklearn:iris")
    models = {"nb": NaiveBayes(), "lda": LinearDiscriminantAnalysis()}
    with ResultStore(None) as store:
        store.set_meta("experiment", {"train_sizes": [10, 300, 1.0], "test_share": 0.3})
        run_jobs([Job(iris, models, GrowingSamples([10, 105], 2), "honest")], store)
        summary = summarize_store(store)
    assert summary.experiment.train_sizes == (10, 300, 1.0)
    assert summary.learning_curves[0].reference == "nb"
    note = "sklearn:iris has 105 rows for training; these training sizes are left out: 300."
    assert note in summary.warnings
    assert not any("bias and variance" in text for text in summary.warnings)
    assert Summary.from_json(summary.to_json()) == summary
    without = {
        key: [{k: v for k, v in each.items() if k != "comparisons"} for each in value]
        for key, value in summary.to_json().items()
        if key == "learning_curves"
    }
    older = Summary.from_json(summary.to_json() | without)
    assert older.learning_curves[0] == replace(summary.learning_curves[0], comparisons=())
