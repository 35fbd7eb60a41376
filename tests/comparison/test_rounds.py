"""Folds and runs of a comparison: what is run, what is left out, and when it stops."""

from dataclasses import replace
from time import monotonic

import pytest

from augury.comparison import rounds as rounds_module
from augury.comparison.budget import Budget, Plan
from augury.comparison.job import comparison_job
from augury.comparison.rounds import Rounds
from augury.data import load_dataset
from augury.experiments.store.result_store import ResultStore
from augury.workers.tasks import OwnProcess

PLAN = Plan(n_folds=4, n_tested=4, n_runs=1, max_runs=3, repeat_seconds=1e9, time_limit=600.0)


def run(store: ResultStore, models: list[str], plan: Plan) -> tuple[Rounds, list[str]]:
    job = comparison_job(load_dataset("sklearn:iris"), models, plan)
    announced: list[tuple[int, list[str]]] = []
    with OwnProcess() as workers:
        found = Rounds(
            job, store, plan, None, workers, 1, announce=lambda *each: announced.append(each)
        )
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
        assert folds_of(store, "nb") == [(1, 1), (1, 2)]
        run(store, ["nb", "lr"], replace(PLAN, max_runs=1))
        assert folds_of(store, "nb") == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_no_fold_begins_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    start = monotonic()
    ticks = iter([start, *([start + 700.0] * 1000)])
    monkeypatch.setattr(rounds_module, "monotonic", lambda: next(ticks))
    monkeypatch.setattr("augury.experiments.runner.monotonic", lambda: start + 700.0)
    with ResultStore(None) as store:
        _, notes = run(store, ["nb", "lr"], PLAN)
        assert store.results() == []
    [note] = notes
    assert note.startswith("The time limit of 600 s was reached, and the same command continues:")
    assert "nb has 0 of 4 folds, lr has 0 of 4 folds" in note


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
