from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from augury.errors import UnknownNameError
from augury.evaluate import WekaFolds
from augury.reproduce.paper import Column, Figure, Paper
from augury.reproduce.printed_cell import PrintedCell, read_cells
from augury.reproduce.tolerance import EqualAfterRounding


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

# The same paper with all optional fields.
WIDE = replace(
    PAPER,
    columns={name: Column(object, EqualAfterRounding()) for name in ("NB", "ours")},
    reference="ours",
    unprinted=("letter",),
    unavailable={"vote": "not at hand"},
    repeats={"letter": 3},
    figures={"fig1": Figure(lambda _: "<svg/>", dataset="Iris")},
)


def test_rows_and_columns_in_printed_order() -> None:
    assert PAPER.datasets == ["Iris", "vote"]
    assert PAPER.models == ["NB", "LR"]


def test_unprinted_names_come_last() -> None:
    assert WIDE.datasets == ["Iris", "vote", "letter"]
    assert WIDE.models == ["NB", "LR", "ours"]


def test_a_column_printed_twice_is_read_from_the_first_table() -> None:
    cell = PAPER.cell("Iris", "NB")
    assert cell is not None
    assert cell.table == "1"
    assert PAPER.cell("Iris", "KNN") is None


def test_folds() -> None:
    assert (WIDE.folds("Iris").n_splits, WIDE.folds("Iris").n_repeats) == (2, 1)
    assert WIDE.folds("letter").n_repeats == 3
    assert WIDE.folds("letter", 2).n_repeats == WIDE.folds("Iris", 2).n_repeats == 2
    assert WIDE.splitter.n_repeats == 1


def test_reference() -> None:
    assert WIDE.reference_among(["NB", "ours"]) == "ours"
    assert WIDE.reference_among(["NB", "LR"]) == "NB"
    assert PAPER.reference_among(["LR"]) == "LR"


def test_figures() -> None:
    assert list(WIDE.select_figures()) == ["fig1"]
    assert list(WIDE.select_figures(datasets=["Iris", "vote"])) == ["fig1"]
    with pytest.raises(UnknownNameError, match=r"no figure of .*; it has fig1 \(Iris\)$"):
        WIDE.select_figures(datasets=["vote"])
    with pytest.raises(UnknownNameError, match=r"^tiny-1999 has no figures$"):
        PAPER.select_figures()


def test_figures_of_models() -> None:
    draw = WIDE.figures["fig1"].draw
    paper = replace(WIDE, figures={"a": Figure(draw), "b": Figure(draw, models=("NB", "ours"))})
    assert list(paper.select_figures(models=["ours", "NB"], datasets=["vote"])) == ["a", "b"]
    assert list(paper.select_figures(models=["NB"])) == ["a"]


def test_a_document_without_a_table() -> None:
    paper = Paper(name="notes", citation="N. N.", figures=WIDE.figures)
    assert paper.datasets == paper.models == paper.select_models() == []
    assert list(paper.select_figures()) == ["fig1"]


class TestSelection:
    def test_default_is_everything_available(self) -> None:
        assert PAPER.select_models() == ["NB"]
        assert PAPER.select_datasets() == ["Iris", "vote"]

    def test_requested_order_ignoring_case(self) -> None:
        assert PAPER.select_datasets(["VOTE", "iris", "vote"]) == ["vote", "Iris"]
        assert PAPER.select_models(["nb"]) == ["NB"]

    def test_a_column_that_cannot_be_computed(self) -> None:
        with pytest.raises(
            UnknownNameError,
            match=r"^tiny-1999 prints LR, but augury cannot compute it; available: NB$",
        ):
            PAPER.select_models(["NB", "LR"])

    def test_unprinted_names_can_be_selected(self) -> None:
        assert WIDE.select_models(["OURS"]) == ["ours"]
        assert WIDE.select_datasets(["letter"]) == ["letter"]

    def test_a_data_set_that_is_not_available(self) -> None:
        assert WIDE.select_datasets() == ["Iris", "letter"]
        with pytest.raises(
            UnknownNameError,
            match=r"^tiny-1999 prints vote, but it cannot be computed: not at hand$",
        ):
            WIDE.select_datasets(["Iris", "vote"])

    def test_a_misspelled_name(self) -> None:
        with pytest.raises(UnknownNameError, match=r"has no data set 'vot'; did you mean vote\?"):
            PAPER.select_datasets(["vot"])

    @pytest.mark.parametrize("names", [["XYZ"], []])
    def test_an_unknown_name(self, names: list[str]) -> None:
        with pytest.raises(UnknownNameError, match=r"has no model '.*'; it has NB, LR"):
            PAPER.select_models(names)


def test_cells_keep_the_digits_as_printed(tmp_path: Path) -> None:
    lines = ["table,dataset,model,mean,std,mark", "6,iris,NB,94.50,5.60,worse"]
    (tmp_path / "tiny_1999.csv").write_text("\n".join([*lines, "7,iris,NB,0.10,0.01,"]))
    [read] = read_cells(tmp_path / "tiny_1999.py", "6")
    assert read == PrintedCell("6", "iris", "NB", Decimal("94.50"), Decimal("5.60"), "worse")
    assert str(read.mean) == "94.50"
    assert [cell.table for cell in read_cells(tmp_path / "tiny_1999.py")] == ["6", "7"]
