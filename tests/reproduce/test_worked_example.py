"""Worked examples: comparison, text, JSON and exit code."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import augury.papers
from augury.cli import main
from augury.reproduce.paper import Paper
from augury.reproduce.worked_example import (
    WorkedExample,
    compare_examples,
    describe_examples,
    examples_table,
    read_printed_numbers,
)

RIGHT = WorkedExample("page 1", "a third", lambda: 1 / 3, lambda: 2 / 6, printed="1/3")
WRONG = WorkedExample("page 2", "two numbers", lambda: [1.0, 2.0], lambda: [1.0, 2.1])


def test_comparison() -> None:
    right, wrong = compare_examples([RIGHT, WRONG])
    assert right.agrees
    assert not wrong.agrees
    assert wrong.difference == pytest.approx(0.1)


@pytest.mark.parametrize("ours", [[1.0], [1.0, np.nan], [1.0, np.inf]])
def test_numbers_that_never_agree(ours) -> None:
    [done] = compare_examples([WorkedExample("p", "n", lambda: [1.0, 2.0], lambda: ours)])
    assert done.difference == float("inf")
    assert not done.agrees
    assert describe_examples([done])[0]["difference"] is None


def test_table() -> None:
    lines = examples_table(compare_examples([RIGHT, WRONG])).splitlines()
    assert lines[2].split() == "page 1 a third 1/3 0.333333 0.0e+00 agrees".split()
    assert lines[3].endswith("DIFFERS by more than 1e-09")
    assert lines[4] == "1 of 2 worked examples and formulas agree."


def test_printed_numbers(tmp_path: Path) -> None:
    text = 'place,name,printed\npage 1,share,1/5\npage 2,"P, given x",0.60\n'
    (tmp_path / "doc.csv").write_text(text, encoding="utf-8")
    first, second = read_printed_numbers(tmp_path / "doc.py")
    assert (first.value, second.value) == (0.2, 0.6)
    assert (second.place, second.name, second.text) == ("page 2", "P, given x", "0.60")


def reproduce(monkeypatch, *examples: WorkedExample, options: tuple[str, ...] = ()) -> Result:
    paper = Paper("doc", "N. N.", examples=examples)
    monkeypatch.setattr(augury.papers, "find_paper", lambda name: paper)
    return CliRunner().invoke(main, ["reproduce", "doc", *options])


def test_command(monkeypatch) -> None:
    done = reproduce(monkeypatch, RIGHT)
    assert done.exit_code == 0
    assert "1 of 1 worked examples" in done.output
    done = reproduce(monkeypatch, RIGHT, WRONG)
    assert done.exit_code == 1
    assert "DIFFERS" in done.output


def test_json(monkeypatch) -> None:
    done = reproduce(monkeypatch, RIGHT, WRONG, options=("--json",))
    assert done.exit_code == 1
    content = json.loads(done.output)
    assert [each["agrees"] for each in content["examples"]] == [True, False]
    assert content["examples"][1]["ours"] == [1.0, 2.1]
