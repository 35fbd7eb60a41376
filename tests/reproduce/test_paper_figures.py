"""Figures of data sets, of stored folds, and of neither."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from sklearn.dummy import DummyClassifier

import augury.papers
from augury.cli import main
from augury.data import Dataset
from augury.errors import StoreError, UnknownNameError
from augury.evaluate import WekaFolds
from augury.papers import find_paper
from augury.reproduce.figure import Figure, FigureInputs
from augury.reproduce.paper import Column, Paper
from augury.reproduce.paper_figures import write_figures
from augury.reproduce.reproduction import reproduce
from augury.reproduce.tolerance import EqualAfterRounding

PAPER = replace(
    find_paper("hybrid-2022"),
    figures={
        "fig1": Figure(lambda inputs: f"<svg>{inputs.dataset.name}</svg>", dataset="sklearn:iris"),
        "fig2": Figure(lambda inputs: f"<svg>π {inputs.n_jobs}</svg>"),
    },
)


def test_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    drawn = write_figures(PAPER, folder, n_jobs=2)
    assert drawn.files == [folder / "fig1.svg", folder / "fig2.svg"]
    assert [file.read_text(encoding="utf-8") for file in drawn.files] == [
        "<svg>sklearn:iris</svg>", "<svg>π 2</svg>",
    ]  # fmt: skip
    assert not drawn.without_folds


def test_figures_of_some_data_sets(tmp_path: Path) -> None:
    drawn = write_figures(PAPER, tmp_path, datasets=["sklearn:wine"])
    assert drawn.files == [tmp_path / "fig2.svg"]


def test_no_figures(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="has no figures"):
        write_figures(find_paper("acll-bagging-2014"), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def load(name: str, data_dir: object = None) -> Dataset:
    """Return six rows: the majority class is wrong about one row in each run."""
    return Dataset(pd.DataFrame({"x": range(6)}), pd.Series(list("aaaaab")), name, "class", "here")


def show_folds(inputs: FigureInputs) -> str:
    cells = inputs.cells
    parts = [
        f"{cells.numbers[name]} {name} {len(cells.scores.cells[name, 'M'].keys)} folds"
        for name in cells.datasets
    ]
    bias = {model: cells.predictions["p", model].webb for model in ("M", "N")}
    return f"<svg>{'; '.join(parts)}; {bias['M'].bias:.4f}</svg>"  # type: ignore[union-attr]


def majority() -> DummyClassifier:
    return DummyClassifier(strategy="most_frequent")


TINY = Paper(
    name="tiny-1999",
    citation="N. N. (1999)",
    splitter=WekaFolds(2, 3),
    columns={m: Column(majority, EqualAfterRounding()) for m in ("M", "N", "O")},
    load=load,
    unprinted=("o", "p", "q"),
    figures={
        "plain": Figure(lambda _: "<svg/>"),
        "folds": Figure(show_folds, models=("M", "N")),
    },
)


class TestStoredFolds:
    def test_all_folds(self, tmp_path: Path) -> None:
        reproduce(TINY, out=tmp_path)
        drawn = write_figures(TINY, tmp_path, out=tmp_path)
        assert drawn.files == [tmp_path / "plain.svg", tmp_path / "folds.svg"]
        assert drawn.files[1].read_text() == (
            f"<svg>1 o 6 folds; 2 p 6 folds; 3 q 6 folds; {1 / 6:.4f}</svg>"
        )

    def test_some_data_sets_and_runs(self, tmp_path: Path) -> None:
        reproduce(TINY, models=["M", "N"], datasets=["p"], repeats=3, out=tmp_path)
        drawn = write_figures(TINY, tmp_path, out=tmp_path, datasets=["p"], repeats=2)
        assert drawn.files[1].read_text() == f"<svg>2 p 4 folds; {1 / 6:.4f}</svg>"
        only_plain = write_figures(TINY, tmp_path, models=["M"], out=tmp_path)
        assert only_plain.files == [tmp_path / "plain.svg"]

    def test_without_a_store(self, tmp_path: Path) -> None:
        drawn = write_figures(TINY, tmp_path)
        assert drawn.files == [tmp_path / "plain.svg"]
        assert drawn.without_folds == {"folds": TINY.figures["folds"]}

    def test_incomplete_folds(self, tmp_path: Path) -> None:
        reproduce(TINY, models=["M"], datasets=["o", "p"], out=tmp_path)
        reproduce(TINY, models=["N"], datasets=["o"], out=tmp_path)
        with pytest.raises(
            StoreError,
            match=r"^folds: all folds of M, N are needed, but .* lacks folds of 2 of 3 data sets, "
            r"such as those of N on p; compute them with `augury reproduce tiny-1999 --models M,N",
        ):
            write_figures(TINY, tmp_path / "none", out=tmp_path)
        assert not (tmp_path / "none").exists()
        with pytest.raises(StoreError, match="lacks folds of 1 of 1 data sets"):
            write_figures(TINY, tmp_path, out=tmp_path, datasets=["o"], repeats=4)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(augury.papers, "find_paper", lambda _: TINY)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["reproduce", "tiny-1999", *arguments])


@pytest.mark.usefixtures("tiny")
class TestCommand:
    def test_folds_of_a_store(self, tmp_path: Path) -> None:
        store, figures = str(tmp_path / "store"), str(tmp_path / "figures")
        missing = run("--out", store, "--figures", figures)
        assert missing.exit_code == 2
        assert "has no results" in missing.stderr
        assert run("--out", store, "--jobs", "1").exit_code == 0
        drawn = run("--out", store, "--figures", figures)
        assert drawn.stdout == f"Written: {figures}/plain.svg\nWritten: {figures}/folds.svg\n"
        assert drawn.stderr == ""

    def test_without_a_store(self, tmp_path: Path) -> None:
        drawn = run("--figures", str(tmp_path))
        assert drawn.stdout == f"Written: {tmp_path}/plain.svg\n"
        assert drawn.stderr == "Not drawn: folds; they need --out DIR with all folds of M, N\n"

    def test_a_document_without_a_table(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notes = Paper("notes", "N. N.", figures={"plain": TINY.figures["plain"]})
        monkeypatch.setattr(augury.papers, "find_paper", lambda _: notes)
        assert run("--figures", str(tmp_path)).stdout == f"Written: {tmp_path}/plain.svg\n"
        refused = run()
        assert refused.exit_code == 2
        assert "has no table; draw its figures with --figures DIR" in refused.stderr
