from decimal import Decimal
from pathlib import Path

import pytest

from augury.bench import Column, EqualAfterRounding, Paper, PrintedCell, UnknownNameError
from augury.bench.paper import read_cells
from augury.evaluate import WekaFolds


def cell(dataset: str, model: str, mean: str, table: str = "1") -> PrintedCell:
    return PrintedCell(table, dataset, model, Decimal(mean), Decimal("1.00"), "")


PAPER = Paper(
    name="tiny-1999",
    citation="",
    protocol="published",
    splitter=WekaFolds(2, 1),
    cells=(
        cell("Iris", "NB", "94.47"),
        cell("vote", "NB", "90.21"),
        cell("Iris", "LR", "91.27"),
        cell("vote", "LR", "96.04"),
        cell("Iris", "NB", "11.11", table="2"),
    ),
    columns={"NB": Column(object, EqualAfterRounding())},
)


@pytest.mark.parametrize(
    ("value", "printed", "agrees"),
    [
        (94.4667, "94.47", True),
        (94.47, "94.47", True),
        (94.46500001, "94.47", True),
        (94.4649999, "94.47", False),
        (94.4750001, "94.47", False),
        # Half-way: rounded up or down, both are found in print.
        (81.325, "81.33", True),
        (81.325, "81.32", True),
        (87.175, "87.17", True),
        (87.175 + 1e-12, "87.17", True),
        (87.175 + 1e-6, "87.17", False),
        (0.0, "0.00", True),
        (100.0, "100.00", True),
        (99.99, "100.00", False),
        (94.5, "94.47", False),
        (94.46, "94.5", True),
        (float("nan"), "94.47", False),
    ],
)
def test_equal_after_rounding(value: float, printed: str, agrees: bool) -> None:
    assert EqualAfterRounding().agrees(value, Decimal(printed)) is agrees


def test_rows_and_columns_in_printed_order() -> None:
    assert PAPER.datasets == ["Iris", "vote"]
    assert PAPER.models == ["NB", "LR"]


def test_a_column_printed_twice_is_read_from_the_first_table() -> None:
    assert PAPER.cell("Iris", "NB").table == "1"
    with pytest.raises(UnknownNameError, match="prints no KNN for Iris"):
        PAPER.cell("Iris", "KNN")


class TestSelection:
    def test_default_is_everything_available(self) -> None:
        assert PAPER.select_models() == ["NB"]
        assert PAPER.select_datasets() == ["Iris", "vote"]

    def test_in_the_order_asked_for_whatever_the_case(self) -> None:
        assert PAPER.select_datasets(["VOTE", "iris", "vote"]) == ["vote", "Iris"]
        assert PAPER.select_models(["nb"]) == ["NB"]

    def test_a_column_that_cannot_be_computed_yet(self) -> None:
        with pytest.raises(
            UnknownNameError,
            match=r"^tiny-1999 prints LR, but augury cannot compute it yet; available now: NB$",
        ):
            PAPER.select_models(["NB", "LR"])

    def test_a_name_nearly_right(self) -> None:
        with pytest.raises(UnknownNameError, match=r"has no data set 'vot'; did you mean vote\?"):
            PAPER.select_datasets(["vot"])

    @pytest.mark.parametrize("names", [["XYZ"], []])
    def test_a_name_far_off(self, names: list[str]) -> None:
        with pytest.raises(UnknownNameError, match=r"has no model '.*'; it has NB, LR"):
            PAPER.select_models(names)


def test_cells_keep_the_digits_as_printed(tmp_path: Path) -> None:
    file = tmp_path / "cells.csv"
    file.write_text("table,dataset,model,mean,std,mark\n6,iris,NB,94.50,5.60,worse\n")
    [read] = read_cells(file)
    assert read == PrintedCell("6", "iris", "NB", Decimal("94.50"), Decimal("5.60"), "worse")
    assert str(read.mean) == "94.50"
