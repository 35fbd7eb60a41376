from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from augury.data import load_dataset
from augury.errors import UnknownNameError
from augury.evaluate import WekaFolds
from augury.reproduce.paper import Column, Paper
from augury.reproduce.printed_cell import PrintedCell
from augury.reproduce.select_cells import Omission, count_folds, load_jobs, select_cells
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


def test_all_models_on_all_data_sets() -> None:
    paper = replace(PAPER, repeats={}, unavailable={}, columns={"A": Column(object, RULE)})
    cells, omissions = select_cells(paper)
    assert cells == {name: ["A"] for name in "abcd"}
    assert sum(count_folds(paper, cells).values()) == 4 * 50
    assert omissions == ()


def test_data_sets_differ_in_models_and_runs() -> None:
    cells, omissions = select_cells(PAPER)
    assert list(cells.items()) == [("a", ["A", "B"]), ("c", ["A"]), ("d", ["A", "B"])]
    assert omissions == (Omission("b", "", "lost"), Omission("c", "B", "slow"))
    assert count_folds(PAPER, cells) == {"a": 100, "c": 50, "d": 20}


def test_data_sets_without_models_are_left_out() -> None:
    cells, _ = select_cells(PAPER, models=["B"])
    assert cells == {"a": ["B"], "d": ["B"]}


def test_a_named_data_set_has_all_models() -> None:
    assert select_cells(PAPER, datasets=["c"]) == ({"c": ["A", "B"]}, ())


def test_a_data_set_without_its_file_is_left_out_unless_it_is_named(tmp_path: Path) -> None:
    paper = replace(PAPER, unavailable={}, user_files={"a": "mine"})
    cells, omissions = select_cells(paper, models=["A"], data_dir=tmp_path)
    assert list(cells) == ["b", "c", "d"]
    assert omissions == (
        Omission("a", "", "neither --data nor AUGURY_DATA has the file mine.arff"),
    )
    assert list(select_cells(paper, datasets=["a"], data_dir=tmp_path)[0]) == ["a"]
    (tmp_path / "mine.arff").touch()
    assert list(select_cells(paper, models=["A"], data_dir=tmp_path)[0]) == ["a", "b", "c", "d"]


def test_requested_repeats_hold_for_all_data_sets() -> None:
    cells, _ = select_cells(PAPER, models=["A"])
    assert set(count_folds(PAPER, cells, repeats=2).values()) == {20}


def test_a_job_for_each_data_set() -> None:
    paper = replace(PAPER, load=lambda *_: load_dataset("sklearn:iris"))
    jobs = load_jobs(paper, select_cells(paper)[0])
    assert [(list(job.models), job.splitter.n_repeats, job.protocol) for job in jobs] == [
        (["A", "B"], 5, "published"), (["A"], 5, "published"), (["A", "B"], 1, "published"),
    ]  # fmt: skip
    [job] = load_jobs(paper, {"a": ["A"]}, protocol="honest", repeats=2)
    assert (job.splitter.n_repeats, job.protocol) == (2, "honest")


def test_unknown_names() -> None:
    with pytest.raises(UnknownNameError, match="lost"):
        select_cells(PAPER, datasets=["b"])
