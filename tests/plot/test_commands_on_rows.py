"""The commands of `augury plot`: their pictures, and errors in one line."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result
from sklearn.datasets import load_iris

from augury.cli import main
from augury.plot import (
    ClassConditionalDisplay,
    DecisionRegionsDisplay,
    LearningCurveDisplay,
    ReliabilityDisplay,
)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["plot", *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return a folder with a table of iris and three models of it."""
    folder = tmp_path_factory.mktemp("plot")
    found = load_iris(as_frame=True)
    table = found.data.set_axis(["sl", "sw", "pl", "pw"], axis=1)
    table["cost"] = [f"${1000 * value:,.2f}" for value in table["pl"]]
    table["sky"] = np.where(table["sl"] > 5.8, "sun", "rain")
    table["kind"] = found.target_names[found.target]
    table.to_csv(folder / "iris.csv", index=False)
    table.drop(columns="kind").to_csv(folder / "rows.csv", index=False)
    table[:5].to_csv(folder / "few.csv", index=False)
    table.assign(kind="rose").to_csv(folder / "roses.csv", index=False)
    table.assign(kind=None).to_csv(folder / "none.csv", index=False)
    for model in ("lda", "gaussian-nb", "svm"):
        arguments = ["fit", folder / "iris.csv", "--model", model, "-o", folder / f"{model}.augury"]
        done = CliRunner().invoke(main, [*map(str, arguments), "--target", "kind"])
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def drawn(monkeypatch):
    """Return the list of the displays that commands draw."""
    found = []
    for kind in (
        ClassConditionalDisplay,
        DecisionRegionsDisplay,
        LearningCurveDisplay,
        ReliabilityDisplay,
    ):

        def save(self, file, kind=kind):
            found.append(self)
            return super(kind, self).save(file)

        monkeypatch.setattr(kind, "save", save)
    return found


def test_regions(folder: Path, tmp_path: Path, drawn) -> None:
    done = run(
        "regions", folder / "lda.augury", folder / "iris.csv", "--features", "cost, pw",
        "--fix", "sl=5", "--fix", "sky=sun", "-o", tmp_path / "r.svg",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert done.output == f"Written: {tmp_path / 'r.svg'}\n"
    assert (tmp_path / "r.svg").read_text(encoding="utf-8").startswith("<?xml")
    [display] = drawn
    assert display.ax_.get_xlabel() == "cost"
    assert display.held["sl"] == 5.0
    assert display.held["sky"] == "sun"
    assert [len(points.get_offsets()) for points in display.points_] == [50, 50, 50]
    assert len(display.ellipses_) == 6


def test_regions_without_classes_and_densities(folder: Path, tmp_path: Path, drawn) -> None:
    done = run(
        "regions", folder / "lda.augury", folder / "rows.csv", "--features", "pl,pw",
        "--no-densities", "-o", tmp_path / "r.png",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert [len(points.get_offsets()) for points in drawn[0].points_] == [150]
    assert drawn[0].ellipses_ == []


def test_conditional(folder: Path, tmp_path: Path, drawn) -> None:
    for feature in ("pl", "sky"):
        done = run(
            "conditional", folder / "gaussian-nb.augury", "--feature", feature,
            "-o", tmp_path / f"{feature}.pdf",
        )  # fmt: skip
        assert done.exit_code == 0, done.output
    assert len(drawn[0].lines_) == len(drawn[1].bars_) == 3


def test_reliability(folder: Path, tmp_path: Path, drawn) -> None:
    done = run(
        "reliability", folder / "lda.augury", folder / "iris.csv", "--class", "virginica",
        "--bins", 4, "-o", tmp_path / "r.svg",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert sum(drawn[0].bins.weights) == 150
    assert sum(drawn[0].bins.hit_sums) == 50
    assert drawn[0].name == "lda"


def test_curve(folder: Path, tmp_path: Path, drawn) -> None:
    done = run(
        "curve", folder / "iris.csv", "--target", "kind", "--models", "nb,lr", "--sizes", "15,60",
        "--repeats", 2, "--measure", "log_loss", "--jobs", 1, "-o", tmp_path / "c.svg",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert [curve.model for curve in drawn[0].curves] == ["nb", "lr"]
    assert drawn[0].curves[0].sizes.tolist() == [15, 60]
    assert drawn[0].title == "iris"


CLASSES_OF_NUMBERS = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 5, "y": [0, 0, 1, 1] * 5})


def test_classes_that_are_numbers(tmp_path: Path, drawn) -> None:
    table = CLASSES_OF_NUMBERS.assign(z=np.arange(20) % 7)
    table.to_csv(tmp_path / "t.csv", index=False)
    table.assign(y=table["y"].astype(float)).to_csv(tmp_path / "floats.csv", index=False)
    model = tmp_path / "m.augury"
    arguments = ["fit", tmp_path / "t.csv", "--model", "lda", "--target", "y", "-o", model]
    assert CliRunner().invoke(main, [*map(str, arguments)]).exit_code == 0
    done = run("regions", model, tmp_path / "floats.csv", "-o", tmp_path / "r.svg")
    assert done.exit_code == 0, done.output
    assert [len(points.get_offsets()) for points in drawn[0].points_] == [10, 10]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("regions {lda} {iris} -o r.svg", "features must name two of the 6 columns"),
        ("regions {lda} {iris} --features pl,no -o r.svg", "the model reads no column 'no'"),
        ("regions {lda} {iris} --features pl,pw --fix sl -o r.svg", "--fix must be COLUMN=VALUE"),
        ("regions {lda} {iris} --features pl,pw --fix sl=x -o r.svg", "'sl' holds numbers, got"),
        (
            "regions {lda} {iris} --features pl,pw --fix sky=fog -o r.svg",
            "has the labels rain, sun",
        ),
        ("regions {lda} {iris} --features pl,sky --densities -o r.svg", "has no density of the"),
        ("regions {lda} {roses} --features pl,pw -o r.svg", "does not know the class 'rose'"),
        ("regions {lda} {none} --features pl,pw -o r.svg", "no row has a value of the target"),
        ("regions {lda} {iris} --features pl,pw -o r.jpg", "--output must end in .svg, .png"),
        ("regions no.augury {iris} --features pl,pw -o r.svg", "MODEL is "),
        ("conditional {gaussian} --feature no -o r.svg", "the model reads no column 'no'"),
        ("conditional {lda} --feature sky -o r.svg", "has no distribution of the column 'sky'"),
        ("conditional {svm} --feature pl -o r.svg", "has no class-conditional distribution"),
        ("conditional {missing} --feature pl -o r.svg", "MODEL is "),
        ("reliability {lda} {rows} -o r.svg", "has no column 'kind', the target of the model"),
        ("reliability {lda} {few} -o r.svg", "has 5 rows with a class, --min-rows is 10"),
        ("reliability {lda} {iris} --class rose -o r.svg", "positive must be one of the classes"),
        ("curve {iris} --target kind --models nb,no --sizes 9 -o r.svg", "no"),
        ("curve {iris} --target kind --models , --sizes 9 -o r.svg", "--models must name at least"),
        ("curve {iris} --target kind --models nb --sizes 9,x -o r.svg", "--sizes must be whole"),
        (
            "curve {iris} --target kind --models nb --sizes 9,999 -o r.svg",
            "--sizes: GrowingSamples",
        ),
        ("curve {iris} --target kind --models nb --sizes , -o r.svg", "--sizes: GrowingSamples"),
    ],
)
def test_errors_in_one_line(folder: Path, tmp_path: Path, arguments: str, message: str) -> None:
    files = {name: folder / f"{name}.csv" for name in ("iris", "rows", "few", "roses", "none")}
    files |= {name: folder / f"{name}.augury" for name in ("lda", "svm", "missing")}
    files["gaussian"] = folder / "gaussian-nb.augury"
    words = [word.format(**files) for word in arguments.split()]
    words[-1] = str(tmp_path / words[-1])
    done = run(*words)
    assert done.exit_code == 2, done.output
    lines = [line for line in done.output.splitlines() if not line.startswith("Warning")]
    assert len(lines) == 1
    assert re.match(r"Error: .*" + re.escape(message), lines[0]), lines[0]
    assert list(tmp_path.iterdir()) == []
