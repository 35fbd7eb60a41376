import math

import pytest

from augury.evaluate import FoldResult
from augury.summary.model_scores import model_table, score_models


def rows(model: str, dataset: str, accuracies: list[float], seconds: float) -> list[FoldResult]:
    return [
        FoldResult(
            dataset=dataset, model=model, protocol="honest", run=1, fold=fold, n_train=90,
            n_test=10, accuracy=accuracy, log_loss=math.nan if model == "C" else 0.5, brier=0.25,
            fit_seconds=seconds, predict_seconds=0.1,
        )
        for fold, accuracy in enumerate(accuracies, start=1)
    ]  # fmt: skip


RESULTS = (
    *rows("A", "one", [0.5, 0.6, 0.5, 0.6], 0.010),
    *rows("A", "two", [0.9, 0.9, 0.9, 0.9], 0.030),
    *rows("A", "three", [0.9, 0.8, 0.9, 0.8], 0.5),
    *rows("B", "one", [0.9, 0.8, 0.9, 1.0], 0.030),
    *rows("B", "two", [0.9, 0.9, 0.9, 0.9], 0.050),
    *rows("B", "three", [0.5, 0.4, 0.5, 0.5], 0.5),
    *rows("C", "two", [0.8, 0.9, 0.8, 0.9], 0.060),
    *rows("C", "one", [0.5, 0.6, 0.5, 0.6], 0.060),
)


def test_averages_are_over_the_sets_that_all_have() -> None:
    a, b, c = score_models(RESULTS, "A")
    assert [score.n_datasets for score in (a, b, c)] == [2, 2, 2]
    assert (a.accuracy, b.accuracy, c.accuracy) == pytest.approx((72.5, 90.0, 70.0))
    assert (a.fit_milliseconds, b.fit_milliseconds) == pytest.approx((20.0, 40.0))
    assert (a.fit_ratio, b.fit_ratio, c.fit_ratio) == pytest.approx((1.0, 2.0, 3.0))
    assert (b.log_loss, math.isnan(c.log_loss)) == (0.5, True)


def test_outcomes_are_over_all_sets_of_the_two() -> None:
    a, b, c = score_models(RESULTS, "A")
    assert (a.wins, a.ties, a.losses) == (None, None, None)
    assert (b.wins, b.ties, b.losses) == (1, 1, 1)
    assert (c.wins, c.ties, c.losses) == (0, 2, 0)


def test_table() -> None:
    assert model_table(RESULTS, "A").splitlines() == [
        "model  accuracy %  log loss  fit ms   × A  wins/ties/losses",
        "-----  ----------  --------  ------  ----  ----------------",
        "A           72.50     0.500    20.0  1.00                 -",
        "B           90.00     0.500    40.0  2.00             1/1/1",
        "C           70.00         -    60.0  3.00             0/2/0",
        "Averages over 2 data sets that all models were tested on; wins, ties and losses over",
        "all that a model shares with A, by the corrected t-test of accuracy at 5 %.",
    ]


def test_no_set_in_common() -> None:
    table = model_table([*RESULTS[:4], *rows("D", "four", [0.5, 0.6], 0.1)], "A")
    assert "over 0 data sets" in table
    assert table.splitlines()[3].split() == ["D", "-", "-", "-", "-", "-"]
