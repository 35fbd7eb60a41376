"""Commands of `augury plot` for structures, nomograms, bias and variance, and rounds."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.evaluate import WekaFolds
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.plot import BiasVarianceDisplay, NomogramDisplay, RoundsDisplay, StructureDisplay
from augury.plot.display import Display
from augury.reproduce.paper import Column, Paper
from augury.reproduce.reproduction import reproduce
from augury.reproduce.tolerance import EqualAfterRounding

WEATHER = """sky,wind,degrees,play
sun,weak,25,yes
sun,strong,27,yes
rain,weak,18,no
rain,strong,15,no
fog,weak,19,yes
fog,strong,13,no
sun,weak,21,yes
rain,weak,17,no
sun,strong,14,no
fog,weak,22,yes
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "weather.csv"
    file.write_text(WEATHER)
    return file


@pytest.fixture
def fit(table: Path, tmp_path: Path):
    def _fit(model: str) -> Path:
        file = tmp_path / f"{model}.augury"
        result = run("fit", table, "--model", model, "-o", file)
        assert result.exit_code == 0, result.output
        return file

    return _fit


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Display]:
    """Displays that the commands wrote."""
    displays: list[Display] = []
    save = Display.save

    def keep(self: Display, file: Path) -> Path:
        displays.append(self)
        return save(self, file)

    monkeypatch.setattr(Display, "save", keep)
    return displays


@pytest.mark.parametrize("model", ["nb", "hnb", "tan", "lr", "hybrid"])
def test_structure(fit, tmp_path: Path, drawn: list[Display], model: str) -> None:
    file = tmp_path / "structure.svg"
    result = run("plot", "structure", fit(model), "-o", file)
    assert result.stdout == f"Written: {file}\n", result.output
    assert file.read_text().startswith("<?xml")
    [display] = drawn
    assert isinstance(display, StructureDisplay)
    assert display.nodes_["class", 0].get_text() == "play"
    assert display.nodes_["column", 0].get_text() == "sky"


class TestNomogram:
    def test_marked_row(self, fit, table: Path, tmp_path: Path, drawn: list[Display]) -> None:
        file = tmp_path / "nomogram.png"
        result = run("plot", "nomogram", fit("nb"), "--data", table, "--row", 3, "-o", file)
        assert result.stdout == f"Written: {file}\n", result.output
        [display] = drawn
        assert isinstance(display, NomogramDisplay)
        assert (display.nomogram.positive, display.nomogram.negative) == ("yes", "no")
        assert display.nomogram.row is not None
        names = [column.name for column in display.nomogram.columns]
        marks = dict(zip(names, display.nomogram.row, strict=True))
        assert (marks["sky"].value, marks["degrees"].value) == ("rain", "18")

    def test_without_a_table(self, fit, tmp_path: Path, drawn: list[Display]) -> None:
        model = fit("gaussian-nb")
        result = run(
            "plot", "nomogram", model, "--positive", "no", "--negative", "yes",
            "--max-features", 2, "-o", tmp_path / "nomogram.svg",
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        [display] = drawn
        assert isinstance(display, NomogramDisplay)
        assert display.nomogram.positive == "no"
        assert len(display.scales_) == 2

    @pytest.mark.parametrize(
        ("model", "options", "message"),
        [
            ("nb", ["--row", "1"], "--row needs --data"),
            ("nb", ["--row", "11", "--data", "TABLE"], "--row is 11, but .* has 10 rows"),
            ("nb", ["--positive", "maybe"], "positive must be one of the classes no, yes"),
            ("tan", [], "log odds of TreeAugmentedNaiveBayes are not a sum"),
        ],
    )
    def test_errors(
        self, fit, table: Path, tmp_path: Path, model: str, options: list[str], message: str
    ) -> None:
        options = [str(table) if option == "TABLE" else option for option in options]
        file = tmp_path / "nomogram.svg"
        result = run("plot", "nomogram", fit(model), *options, "-o", file)
        assert result.exit_code == 2
        assert re.search(message, result.stderr)
        assert "Traceback" not in result.stderr
        assert not file.exists()


class TestRounds:
    def test_curve(self, fit, table: Path, tmp_path: Path, drawn: list[Display]) -> None:
        result = run("plot", "rounds", fit("boosted-nb"), table, "-o", tmp_path / "rounds.svg")
        assert result.exit_code == 0, result.output
        [display] = drawn
        assert isinstance(display, RoundsDisplay)
        assert list(display.accuracy) == ["boosted-nb"]

    def test_errors(self, fit, table: Path, tmp_path: Path) -> None:
        result = run("plot", "rounds", fit("nb"), table, "-o", tmp_path / "rounds.svg")
        assert (result.exit_code, "has no rounds" in result.stderr) == (2, True)
        rows = tmp_path / "rows.csv"
        pd.read_csv(table).drop(columns="play").to_csv(rows, index=False)
        result = run("plot", "rounds", fit("boosted-nb"), rows, "-o", tmp_path / "rounds.svg")
        assert (result.exit_code, "has no column 'play'" in result.stderr) == (2, True)


def load_weather(name: str, data_dir: object = None):
    from augury.data import Dataset

    rng = np.random.default_rng(len(name))
    codes = rng.integers(0, 2, 30)
    X = pd.DataFrame({c: (codes ^ (rng.random(30) < 0.3)).astype(str) for c in "abc"})
    return Dataset(X, pd.Series(np.array(["no", "yes"])[codes]), name, "class", "here")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    paper = Paper(
        name="tiny-1999",
        citation="",
        splitter=WekaFolds(2, 3),
        columns={
            "NB": Column(NaiveBayes, EqualAfterRounding()),
            "HNB": Column(HiddenNaiveBayes, EqualAfterRounding()),
        },
        load=load_weather,
        unprinted=("first", "second one"),
    )
    reproduce(paper, out=folder)
    reproduce(paper, models=["NB"], datasets=["first"], protocol="published", out=folder)
    return folder


class TestBiasVariance:
    def test_difference(self, store: Path, tmp_path: Path, drawn: list[Display]) -> None:
        result = run(
            "plot", "bias-variance", store, "--models", "NB,HNB", "--difference",
            "--protocol", "honest", "-o", tmp_path / "bars.svg",
        )  # fmt: skip
        assert result.exit_code == 0, result.output
        [display] = drawn
        assert isinstance(display, BiasVarianceDisplay)
        assert display.datasets == ["first", "second one"]
        assert list(display.bias_bars_) == ["NB − HNB"]

    def test_all_models_by_the_other_definition(
        self, store: Path, tmp_path: Path, drawn: list[Display]
    ) -> None:
        for method in ("webb", "kohavi-wolpert"):
            result = run(
                "plot", "bias-variance", store, "--datasets", "second one", "--method", method,
                "--protocol", "honest", "-o", tmp_path / "bars.svg",
            )  # fmt: skip
            assert result.exit_code == 0, result.output
        webb, other = drawn
        assert isinstance(webb, BiasVarianceDisplay)
        assert isinstance(other, BiasVarianceDisplay)
        assert list(webb.bias) == list(other.bias) == ["NB", "HNB"]
        # Both sum to the error.
        for model in ("NB", "HNB"):
            total = webb.bias[model] + webb.variance[model]
            np.testing.assert_allclose(total, other.bias[model] + other.variance[model])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ([], "has folds of the protocols honest, published: name one"),
            (["--protocol", "honest", "--models", "LR"], "has no model 'LR'; it has NB, HNB"),
            (["--protocol", "honest", "--datasets", "third"], "has no data set 'third'"),
            (
                ["--protocol", "honest", "--models", "NB", "--difference"],
                "must be two different models for a difference",
            ),
            (
                ["--protocol", "published", "--datasets", "second one"],
                "fewer than two complete runs of NB on second one",
            ),
            (["--protocol", "published"], "no data set with two complete runs of NB, HNB"),
        ],
    )
    def test_errors(self, store: Path, tmp_path: Path, options: list[str], message: str) -> None:
        result = run("plot", "bias-variance", store, *options, "-o", tmp_path / "bars.svg")
        assert result.exit_code == 2
        assert message in result.stderr
        assert "Traceback" not in result.stderr

    def test_no_store(self, tmp_path: Path) -> None:
        result = run("plot", "bias-variance", tmp_path, "-o", tmp_path / "bars.svg")
        assert (result.exit_code, "has no results" in result.stderr) == (2, True)
