from dataclasses import replace
from decimal import Decimal

import pytest

from augury.errors import UnknownNameError
from augury.evaluate import WekaFolds
from augury.reproduce.paper import Column, Paper, PrintedCell
from augury.reproduce.plan import Omission, make_plan
from augury.reproduce.tolerance import EqualAfterRounding

RULE = EqualAfterRounding()
PAPER = Paper(
    name="tiny-1999",
    citation="",
    protocol="published",
    splitter=WekaFolds(10, 5),
    cells=tuple(
        PrintedCell("1", name, "A", Decimal(1), Decimal(1), "") for name in ("a", "b", "c", "d")
    ),
    columns={"A": Column(object, RULE), "B": Column(object, RULE, {"c": "slow"})},
    unavailable={"b": "lost"},
    repeats={"d": 1},
)


def test_sets_of_the_same_company_go_together() -> None:
    plan = make_plan(
        replace(PAPER, repeats={}, unavailable={}, columns={"A": Column(object, RULE)})
    )
    [batch] = plan.batches
    assert (batch.datasets, batch.models) == (("a", "b", "c", "d"), ("A",))
    assert sum(plan.folds_by_dataset().values()) == 4 * 50
    assert plan.omissions == ()


def test_sets_that_differ_do_not() -> None:
    plan = make_plan(PAPER)
    assert [(b.datasets, b.models, b.splitter.n_repeats) for b in plan.batches] == [
        (("a",), ("A", "B"), 5), (("c",), ("A",), 5), (("d",), ("A", "B"), 1),
    ]  # fmt: skip
    assert plan.omissions == (Omission("b", "", "lost"), Omission("c", "B", "slow"))
    assert (plan.models, plan.datasets) == (["A", "B"], ["a", "c", "d"])
    assert sum(plan.folds_by_dataset().values()) == 100 + 50 + 20


def test_a_model_with_nothing_to_do() -> None:
    plan = make_plan(replace(PAPER, unprinted=()), models=["B"])
    assert [batch.datasets for batch in plan.batches] == [("a",), ("d",)]


def test_a_set_asked_for_by_name_meets_all_models() -> None:
    plan = make_plan(PAPER, datasets=["c"])
    [batch] = plan.batches
    assert batch.models == ("A", "B")
    assert plan.omissions == ()


def test_repeats_asked_for_are_those_of_all_sets() -> None:
    assert {batch.splitter.n_repeats for batch in make_plan(PAPER, repeats=2).batches} == {2}


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="lost"):
        make_plan(PAPER, datasets=["b"])
