"""Folds and runs of a comparison: what is run, what is left out, and when it stops."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from augury.comparison import rounds as rounds_module
from augury.comparison.budget import Budget, Plan
from augury.comparison.fit_times import FitTimes
from augury.comparison.job import comparison_job
from augury.comparison.rounds import Rounds
from augury.comparison.run import keep_verdict
from augury.comparison.schedule import TimeLimit
from augury.data import Dataset, load_dataset
from augury.experiments.job import spread_folds
from augury.experiments.store.result_store import ResultStore
from augury.workers.tasks import OwnProcess

PLAN = Plan(n_folds=4, n_tested=4, n_runs=1, max_runs=3, repeat_seconds=1e9, time_limit=600.0)


def run(
    store: ResultStore, models: list[str], plan: Plan, times: FitTimes | None = None
) -> tuple[Rounds, list[str]]:
    job = comparison_job(load_dataset("sklearn:iris"), models, plan)
    limit = TimeLimit(plan.time_limit)
    with OwnProcess() as workers:
        found = Rounds(job, store, plan, None, workers, 1, limit, times=times or FitTimes())
        return found, found.run()


def folds_of(store: ResultStore, model: str) -> list[tuple[int, int]]:
    return [(row.run, row.fold) for row in store.results() if row.model == model]


def test_only_tied_models_are_repeated() -> None:
    with ResultStore(None) as store:
        found, notes = run(store, ["nb", "lr", "majority", "forest"], PLAN)
        tied = found.judge().tied
        assert {"nb", "lr", "forest"} <= set(tied)
        assert len(folds_of(store, "nb")) == len(folds_of(store, "lr")) == 12
        assert len(folds_of(store, "majority")) == 4, "it is not tied"
        assert len(folds_of(store, "forest")) == 4, "a yardstick is never recommended"
        assert notes == []


def test_a_decided_comparison_is_not_repeated() -> None:
    with ResultStore(None) as store:
        run(store, ["nb", "majority"], PLAN)
        assert len(folds_of(store, "nb")) == 4


def test_runs_that_would_take_too_long_are_left_out() -> None:
    with ResultStore(None) as store:
        run(store, ["nb", "lr"], replace(PLAN, repeat_seconds=0.0))
        assert len(folds_of(store, "nb")) == 4


def test_a_comparison_that_is_run_again_adds_nothing() -> None:
    with ResultStore(None) as store:
        run(store, ["nb", "lr"], PLAN)
        before = store.results()
        run(store, ["nb", "lr"], PLAN)
        assert store.results() == before


def test_a_given_number_of_repeats_is_that_of_all_models() -> None:
    plan = replace(Budget(folds=3, repeats=2).plan(150), time_limit=600.0)
    with ResultStore(None) as store:
        run(store, ["nb", "majority"], plan)
        assert len(folds_of(store, "nb")) == len(folds_of(store, "majority")) == 6


def test_a_quick_comparison_is_continued_by_a_longer_one() -> None:
    with ResultStore(None) as store:
        run(store, ["nb", "lr"], replace(PLAN, n_tested=2, max_runs=1))
        assert folds_of(store, "nb") == [(1, 1), (1, 3)]
        run(store, ["nb", "lr"], replace(PLAN, max_runs=1))
        assert folds_of(store, "nb") == [(1, 1), (1, 2), (1, 3), (1, 4)]


@pytest.mark.parametrize("n_folds", [2, 3, 4, 5, 7, 10])
@pytest.mark.parametrize("n_rare", [2, 3, 4, 5, 6, 9])
def test_a_quick_comparison_tests_half_of_each_class(n_folds: int, n_rare: int) -> None:
    y = pd.Series(["c"] * (200 - n_rare) + ["rare"] * n_rare, dtype="category")
    dataset = Dataset(pd.DataFrame({"x": np.arange(200.0)}), y, "t", "y", "memory")
    plan = Budget(folds=n_folds, is_quick=True).plan(200)
    job = comparison_job(dataset, ["nb"], plan)
    splits = list(job.splitter.split(dataset.X, dataset.y))
    tested = [splits[fold - 1][1] for _, fold in job.fold_keys()]
    assert len(tested) == -(-n_folds // 2)
    n_tested = sum(int((y.iloc[rows] == "rare").sum()) for rows in tested)
    assert n_tested >= 1
    assert abs(n_tested - n_rare * len(tested) / n_folds) <= 1


def test_the_first_folds_are_far_apart() -> None:
    assert spread_folds(range(1, 11))[:3] == [1, 9, 5]
    for n_folds in range(2, 12):
        assert sorted(spread_folds(range(n_folds))) == list(range(n_folds))


def test_no_fold_begins_after_the_time_limit() -> None:
    with ResultStore(None) as store:
        _, notes = run(store, ["nb", "lr"], replace(PLAN, time_limit=1e-6))
        assert store.results() == []
    [note] = notes
    assert note.startswith("The time limit of 1e-06 s leaves out folds, and the same command")
    assert note.endswith(" continues: each model has 0 of 4 folds.")


def test_no_fold_begins_that_would_end_after_the_time_limit() -> None:
    times = FitTimes()
    times.add("lr", 100, 1000.0)
    with ResultStore(None) as store:
        _, notes = run(store, ["nb", "lr"], PLAN, times)
        assert len(folds_of(store, "nb")) == 4
        assert folds_of(store, "lr") == []
    [note] = notes
    assert note.startswith("The time limit of 600 s leaves out folds, and the same command")
    how = "two models are compared on the folds that both have."
    assert note.endswith(f" continues: lr has 0 of 4 folds; {how}")


@pytest.fixture
def every_table_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds_module, "is_large", lambda *_: True)


@pytest.mark.usefixtures("every_table_is_large")
class TestLargeTables:
    def test_all_folds_of_all_models_are_run_if_the_time_suffices(self) -> None:
        with ResultStore(None) as store:
            _, notes = run(store, ["nb", "lr", "majority"], replace(PLAN, max_runs=1))
            assert {len(folds_of(store, name)) for name in ("nb", "lr", "majority")} == {4}
        assert notes == []

    def test_each_fold_is_run_with_all_models_before_the_next(self) -> None:
        with ResultStore(None) as store:
            run(store, ["nb", "lr", "majority"], replace(PLAN, max_runs=1))
            lr = [row.fold for row in store.results() if row.model == "lr"]
        assert lr == [1, 2, 3, 4]

    def test_a_sample_is_compared_if_three_folds_take_too_long(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("augury.comparison.schedule._FEWEST_ROWS", 50)
        times = FitTimes()
        times.add("lr", 112, 300.0)
        plan = replace(PLAN, max_runs=1)
        with ResultStore(None) as store:
            found, notes = run(store, ["nb", "lr", "majority"], plan, times)
            # 600 s less a tenth for the page and 240 s for the fit are 300 s: a third of 900 s.
            assert found.job.dataset.name == "sklearn:iris, 51 of 150 rows"
            rows = [row for row in store.results() if row.dataset == found.job.dataset.name]
            assert {row.n_train + row.n_test for row in rows} == {51}
            assert {row.model for row in rows} == {"nb", "lr", "majority"}
            assert notes == []
            verdict = keep_verdict(store, found.job.dataset.name, found.job.models, None, n_all=150)
            again, _ = run(store, ["nb", "lr", "majority"], plan, FitTimes())
            assert again.job.dataset.name == found.job.dataset.name, "the same rows"
        sentence = "Models are compared on a sample of 51 of the 150 rows"
        assert sentence in verdict.text
        assert (verdict.n_rows, verdict.n_compared) == (150, 51)


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(folds=1), "compare: folds must be an integer >= 2, got 1"),
        (Budget(repeats=0), "compare: repeats must be an integer >= 1, got 0"),
        (Budget(time_limit=0.0), "compare: time_limit must be a number > 0, got 0.0"),
    ],
)
def test_budgets_out_of_range_are_refused(budget: Budget, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        budget.plan(100)
