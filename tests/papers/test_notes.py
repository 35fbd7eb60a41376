"""The lecture notes: printed numbers, formulas and pictures."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.data import load_dataset
from augury.papers import find_paper
from augury.papers.notes import figures
from augury.reproduce.figure import FigureInputs
from augury.reproduce.worked_example import compare_examples, read_printed_numbers

PAPER = find_paper("notes")
MODULE = Path(figures.__file__).parent


@pytest.mark.parametrize("example", PAPER.examples, ids=lambda each: f"{each.place} {each.name}")
def test_examples_agree(example) -> None:
    [done] = compare_examples([example])
    assert done.agrees, (done.document, done.ours)


def test_printed_numbers_stand_in_the_notes(shared_data: Path) -> None:
    notes = shared_data / "seeds" / "discriminative-generative-naive-bayes-notes.txt"
    text = notes.read_text(encoding="utf-8")
    fractions = re.findall(r"\\Phi_\{(\d)\|y=(\d)\} = (?:\\frac\{\d\+0\}\{2\+3\} = )?"
                           r"\\frac\{(\d)\}\{(\d)\}", text)  # fmt: skip
    printed = {number.name: number.text for number in read_printed_numbers(MODULE)}
    assert len(fractions) == 6
    for word, label, above, below in fractions:
        assert printed[f"φ({word} | y = {label}) of the four mails"] == f"{above}/{below}"
    assert "0.4 * 0.2 * 0.5} = 0.6" in text
    assert printed["P(y = 1 | {2, 3})"] == "0.6"


def test_command() -> None:
    done = CliRunner().invoke(main, ["reproduce", "notes"])
    assert done.exit_code == 0, done.output
    assert done.output.endswith("33 of 33 worked examples and formulas agree.\n")


def test_model_option_is_refused() -> None:
    done = CliRunner().invoke(main, ["reproduce", "notes", "--figures", "x", "--models", "NB"])
    assert done.exit_code == 2
    assert "notes has no model 'NB'" in done.output


@pytest.mark.parametrize("name", PAPER.figures)
def test_pictures(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "N_REPEATS", 2)
    monkeypatch.setattr(figures, "SIZES", (10, 40))
    figure = PAPER.figures[name]
    loaded = None if figure.dataset is None else load_dataset(figure.dataset)
    svg = figure.draw(FigureInputs(1, loaded))
    assert svg.startswith("<?xml")
    assert len(svg) < 230_000


def test_normal_classes_and_poisson_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With enough rows, GDA is as good as regression on normal classes, and worse on Poisson."""
    monkeypatch.setattr(figures, "N_REPEATS", 5)
    monkeypatch.setattr(figures, "SIZES", (50, 1000))
    curves = []
    compare_on = figures._compare_on
    monkeypatch.setattr(
        figures, "_compare_on", lambda *options: curves.append(compare_on(*options)) or curves[-1]
    )
    figures.draw_gda_or_regression(FigureInputs(1))
    normal, poisson = (
        {curve.model: curve.means[-1] for curve in display.curves} for display in curves
    )
    assert abs(normal["GDA"] - normal["logistic regression"]) < 0.005
    assert poisson["GDA"] > poisson["logistic regression"] + 0.01
