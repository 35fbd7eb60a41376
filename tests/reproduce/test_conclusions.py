"""Printed conclusions follow from printed numbers, and ours from our folds."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.errors import UnknownNameError
from augury.evaluate import FoldResult, WekaFolds, wilcoxon_matrix
from augury.evaluate.folds import FoldOutcome
from augury.experiments.store.result_store import ResultStore
from augury.papers import find_paper
from augury.reproduce.conclusions.compare import compare_conclusions
from augury.reproduce.conclusions.printed import (
    PrintedBiasVariance,
    PrintedConclusions,
    PrintedSignedRanks,
)
from augury.reproduce.conclusions.text import describe_conclusions, render_conclusions
from augury.reproduce.paper import Column, Paper
from augury.reproduce.printed_cell import PrintedCell
from augury.reproduce.tolerance import EqualAfterRounding

HYBRID = find_paper("hybrid-2022")
CONCLUSIONS = HYBRID.require_conclusions()
LETTERS = {"better": "r", "worse": "c", "": "."}


def marks_of_printed_numbers(tests: PrintedSignedRanks) -> tuple[str, ...]:
    cells = HYBRID.cells if tests.score == "accuracy" else CONCLUSIONS.seconds
    printed = {(cell.dataset, cell.model): float(cell.mean) for cell in cells}
    scores = {model: [printed[d, model] for d in HYBRID.datasets] for model in tests.models}
    lower_is_better = tests.score != "accuracy"
    matrix = wilcoxon_matrix(scores, lower_is_better=lower_is_better, convention="table")
    return tuple("".join(LETTERS[mark] for mark in row) for row in matrix.marks())


@pytest.mark.parametrize(
    "tests", CONCLUSIONS.signed_ranks, ids=lambda tests: f"Table {tests.table}"
)
def test_printed_signed_ranks_follow_from_the_printed_tables(tests: PrintedSignedRanks) -> None:
    expected = tests.marks
    if tests.table == "5":
        # Printed as ● in both places, so that LR and LR-NB are each slower than the other.
        row, column = tests.models.index("LR-NB"), tests.models.index("LR")
        assert (expected[row][column], expected[column][row]) == ("c", "c")
        changed = expected[row][:column] + "." + expected[row][column + 1 :]
        expected = (*expected[:row], changed, *expected[row + 1 :])
    assert marks_of_printed_numbers(tests) == expected


@pytest.mark.parametrize("table", ["2", "3", "6"])
def test_printed_lines_count_the_printed_marks(table: str) -> None:
    for model, line in CONCLUSIONS.win_tie_loss[table].items():
        cells = [*HYBRID.cells, *CONCLUSIONS.seconds]
        marks = [c.mark for c in cells if (c.table, c.model) == (table, model)]
        assert (marks.count("worse"), marks.count(""), marks.count("better")) == line


def test_seconds_equal_the_transcribed_table(shared_data: Path) -> None:
    file = shared_data / "papers" / "hybrid-table3-train-seconds.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = {row["dataset"]: row for row in csv.DictReader(lines)}
    assert len(CONCLUSIONS.seconds) == 36 * 7
    for cell in CONCLUSIONS.seconds:
        row = rows[cell.dataset]
        assert (str(cell.mean), str(cell.std), cell.mark) == (
            row[cell.model], row[f"{cell.model} std"], row[f"{cell.model} mark"],
        )  # fmt: skip


SETS = tuple(f"set{d}" for d in range(6))
BASE = np.array([0.50, 0.52, 0.54, 0.56])


def better(d: int) -> np.ndarray:
    return BASE + 0.10 + 0.01 * d


def alike(d: int) -> np.ndarray:
    return BASE + 0.001 * (-1) ** np.arange(4) + 0.0001 * d


def tiny(marks: str) -> Paper:
    """Return a paper of six data sets with first column "ref" and the marks of "good"."""
    words = {"+": "better", "-": "worse", "=": ""}
    cells = [PrintedCell("1", d, "ref", Decimal("53.00"), Decimal("1"), "") for d in SETS]
    for d, mark in zip(SETS, marks, strict=True):
        cells.append(PrintedCell("1", d, "good", Decimal("63.00"), Decimal("1"), words[mark]))
        cells.append(PrintedCell("1", d, "like", Decimal("53.00"), Decimal("1"), ""))
    seconds = [
        PrintedCell("2", d, model, Decimal(mean), Decimal("0"), mark)
        for d in SETS
        for model, mean, mark in (("ref", "0.10", ""), ("good", "0.30", "worse"))
    ]
    return Paper(
        name="tiny-1999",
        citation="",
        protocol="published",
        splitter=WekaFolds(2, 2),
        cells=tuple(cells),
        columns={m: Column(object, EqualAfterRounding()) for m in ("ref", "good", "like")},
        conclusions=PrintedConclusions(
            win_tie_loss={"1": {"good": (0, 1, 5)}, "2": {"good": (6, 0, 0)}},
            signed_ranks=(PrintedSignedRanks("3", "accuracy", ("ref", "good"), (".c", "r.")),),
            seconds=seconds,
            seconds_reference="ref",
            bias_variance=(
                PrintedBiasVariance("1", "good", "ref", 6, 0),
                PrintedBiasVariance("2", "like", "ref"),
            ),
        ),
    )


def write(
    store: ResultStore,
    model: str,
    accuracy: Callable[[int], np.ndarray],
    *,
    wrong: bool,
    seconds: float,
    sets: tuple[str, ...] = SETS,
    n_folds: int = 4,
) -> None:
    """Write 2 × 2 folds of two rows each; a model that is wrong predicts class 1 for row 0."""
    store.add_model(model, {"class": "x"})
    for d, name in enumerate(sets):
        splitter = {"class": "augury.evaluate.WekaFolds", "n_splits": 2}
        labels = np.array([0, 1, 0, 1])
        store.add_dataset(name, name, splitter, {"classes": ["no", "yes"]}, labels)
        for k in range(n_folds):
            key, rows = (1 + k // 2, 1 + k % 2), np.array([0, 1]) + 2 * (k % 2)
            store.claim(name, model, "published", [key])
            row = FoldResult(
                name, model, "published", *key, 2, 2, float(accuracy(d)[k]), 0.5, 0.2, seconds, 0.1
            )
            predicted = np.where((rows == 0) & wrong, 1, labels[rows])
            store.add_outcome(FoldOutcome(row, predicted, None), rows)


def test_differences_are_listed() -> None:
    paper = tiny("+++++=")
    with ResultStore(None) as store:
        write(store, "ref", lambda _: BASE, wrong=True, seconds=0.01)
        write(store, "good", better, wrong=False, seconds=0.04)
        write(store, "like", alike, wrong=True, seconds=0.01)
        found = compare_conclusions(store, paper)
    table, _ = found.tables
    assert (table.reference, len(table.marks), table.n_printed) == ("ref", 12, 12)
    [cell] = table.differing
    assert (cell.dataset, cell.model, cell.printed, cell.ours) == ("set5", "good", "", "better")
    assert cell.p == 0.0
    assert cell.difference == pytest.approx(15.0)
    assert table.win_tie_loss("good") == (0, 0, 6)
    assert table.win_tie_loss("good", printed=True) == (0, 1, 5)
    [tests] = found.signed_ranks
    assert tests.is_whole
    assert tests.differing == []
    assert tests.p["ref", "good"] == pytest.approx(2 / 2**6)
    reference, time = found.training_times
    assert (reference.model, reference.ours, reference.printed) == ("ref", 1.0, 1.0)
    assert (time.model, time.n_datasets, time.n_measurable) == ("good", 6, 6)
    assert (time.ours_seconds, time.printed_seconds) == (pytest.approx(0.04), pytest.approx(0.3))
    assert (time.ours, time.printed) == (pytest.approx(4.0), pytest.approx(3.0))
    assert (time.ours_median, time.printed_median) == (pytest.approx(4.0), pytest.approx(3.0))
    good, like = found.bias_variance
    assert (good.lower_bias, good.lower_variance, good.n_datasets) == (SETS, (), 6)
    assert (like.lower_bias, like.even_bias) == ((), SETS)
    assert not found.agrees
    text = render_conclusions(found)
    assert "11 of 12 marks agree" in text
    assert "| set5 | good | none | ○ | +15.00 | 0.0000 |" in text
    assert "| good | 6 | 0/0/6 | 0/1/5 | 0/1/5 |" in text
    assert "2 of 2 pairs agree with the printed marks; 6 of 6 data sets" in text
    assert "| 1 | good | ref | 6 | 6 | 6 | 0 (6 even) | 0 |" in text
    assert "| set0 | 0.0100 / 0.10 | 0.0400 / 0.30 |" in text
    assert "| good | 6 | 0.0400 | 0.30 | 4.00 | 3.00 | 6 | 4.00 | 3.00 |" in text
    described = json.loads(json.dumps(describe_conclusions(found), allow_nan=False))
    assert {"dataset": "set5", "model": "good", "printed": 0.3, "ours": pytest.approx(0.04)} in (
        described["seconds"]
    )
    assert described["tables"][0]["differing"][0]["dataset"] == "set5"
    assert described["agrees"] is False


def test_the_model_that_takes_longer_is_worse() -> None:
    paper = tiny("++++++")
    with ResultStore(None) as store:
        write(store, "ref", lambda _: BASE, wrong=True, seconds=0.03)
        write(store, "good", better, wrong=False, seconds=0.04)
        slower = compare_conclusions(store, paper)
    with ResultStore(None) as store:
        write(store, "ref", lambda _: BASE, wrong=True, seconds=0.03)
        write(store, "good", better, wrong=False, seconds=0.01)
        faster = compare_conclusions(store, paper)
    for found, line, ours in ((slower, (6, 0, 0), "worse"), (faster, (0, 0, 6), "better")):
        _, table = found.tables
        assert (table.table, table.reference, table.score) == ("2", "ref", "fit_seconds")
        assert {mark.ours for mark in table.marks} == {ours}
        assert table.win_tie_loss("good") == line
        assert table.win_tie_loss("good", printed=True) == (6, 0, 0)
        assert found.agrees, "times are not judged"
    assert slower.tables[1].differing == []
    text = render_conclusions(faster)
    assert "0 of 6 marks agree (corrected t-test of training time" in text
    assert "| set0 | good | ● | ○ | -20.00 | 0.0000 |" in text
    assert "| good | 6 | 0/0/6 | 6/0/0 | 6/0/0 |" in text


def test_printed_numbers_of_some_data_sets_are_tested_again() -> None:
    paper = tiny("++++++")
    with ResultStore(None) as store:
        write(store, "ref", lambda _: BASE, wrong=True, seconds=0.01, sets=SETS[:3])
        write(store, "good", better, wrong=False, seconds=0.04, sets=SETS[:2])
        write(store, "good", better, wrong=False, seconds=0.04, sets=SETS[:3], n_folds=3)
        found = compare_conclusions(store, paper)
    for table in found.tables:
        names = [cell.dataset for cell in table.marks]
        assert names == ["set0", "set1"], "set2 is incomplete"
        assert table.differing == []
    [tests] = found.signed_ranks
    assert (tests.n_datasets, tests.is_whole) == (2, False)
    assert tests.printed_mark("ref", "good") == "c"
    assert tests.ours["ref", "good"] == tests.same_sets["ref", "good"] == "."
    assert tests.differing == []
    assert found.agrees
    text = render_conclusions(found)
    assert "the printed numbers of the same data sets, tested again; 2 of 6 data sets" in text
    assert "| set2 | 0.0100 / 0.10 | - |" in text, "only ref is complete"


def test_an_empty_store_agrees_and_reports_the_number_of_marks() -> None:
    paper = tiny("++++++")
    with ResultStore(None) as store:
        text = render_conclusions(compare_conclusions(store, paper))
    assert "0 of 0 marks agree" in text
    assert "the table has 12." in text


def test_a_paper_without_conclusions() -> None:
    paper = replace(tiny("++++++"), conclusions=None)
    with (
        ResultStore(None) as store,
        pytest.raises(UnknownNameError, match="tiny-1999 has no conclusions"),
    ):
        compare_conclusions(store, paper)


def test_the_command_line_compares_stored_folds(shared_data: Path, tmp_path: Path) -> None:
    command = [
        "reproduce", "hybrid-2022", "--models", "NB,NB-LR,LR", "--datasets", "labor,zoo",
        "--repeats", "1", "--data", str(shared_data), "--jobs", "1", "--marks",
    ]  # fmt: skip
    result = CliRunner().invoke(main, command)
    assert result.exit_code != 0
    assert "--marks needs --out" in result.output
    result = CliRunner().invoke(main, [*command, "--out", str(tmp_path)])
    assert "Ours are from one run of the published protocol." in result.stdout
    assert "of 4 marks agree" in result.stdout
    assert "Not computed: NB-NB, LR-NB, LR-LR, HBayes-NB." in result.stdout
    result = CliRunner().invoke(main, [*command, "--out", str(tmp_path), "--json"])
    assert json.loads(result.stdout)["marks"]["tables"][0]["n_cells"] == 4
