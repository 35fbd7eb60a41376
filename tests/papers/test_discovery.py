"""A new paper is one .py and one .csv: everything about it is found from these two files."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import augury.papers
from augury.cli import main
from augury.errors import UnknownNameError
from augury.papers import find_paper, paper_names
from augury.reproduce import reproduce

# Two folds of six rows, five of class a: the majority class is right in 3/3 and 2/3 of the test
# rows. The mean is 83.33, the standard deviation is 33.33 / √2 = 23.57.
MODULE = '''
"""A tiny paper with all that a paper can have."""

import pandas as pd
from sklearn.dummy import DummyClassifier

from augury.data import Dataset
from augury.evaluate import WekaFolds
from augury.reproduce import (
    Column,
    EqualAfterRounding,
    Figure,
    KnownDeviation,
    Paper,
    PrintedConclusions,
    read_cells,
)


def load(name, data_dir=None):
    X, y = pd.DataFrame({"x": range(6)}), pd.Series(list("aaaaab"))
    return Dataset(X, y, name, "class", "here")


PAPER = Paper(
    name="tiny-1999",
    citation="N. N. (1999): A tiny paper",
    protocol="published",
    splitter=WekaFolds(2, 1),
    cells=read_cells(__file__, "1"),
    columns={
        "majority": Column(DummyClassifier, EqualAfterRounding()),
        "prior": Column(lambda: DummyClassifier(strategy="prior"), EqualAfterRounding()),
    },
    load=load,
    figures={"rows": Figure(lambda inputs: f"<svg>{len(inputs.dataset.X)}</svg>", dataset="toy")},
    known_deviations=(
        KnownDeviation("prior", "toy", "a misprint", "docs/page.md#misprint", (0.0, 3.5)),
    ),
    conclusions=PrintedConclusions(
        win_tie_loss={"1": {"prior": (0, 1, 0)}},
        seconds=read_cells(__file__, "2"),
        seconds_reference="majority",
    ),
)
'''
CELLS = """table,dataset,model,mean,std,mark
1,toy,majority,83.33,23.57,
1,toy,prior,80.00,23.57,
2,toy,majority,0.10,0.01,
2,toy,prior,0.20,0.01,
"""


def write_paper(folder: Path) -> None:
    (folder / "tiny_1999.py").write_text(MODULE, encoding="utf-8")
    (folder / "tiny_1999.csv").write_text(CELLS, encoding="utf-8")


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a folder with the two files of a paper to the folder of `augury.papers`."""
    write_paper(tmp_path)
    monkeypatch.setattr(augury.papers, "__path__", [*augury.papers.__path__, str(tmp_path)])
    yield
    sys.modules.pop("augury.papers.tiny_1999", None)
    vars(augury.papers).pop("tiny_1999", None)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["reproduce", *arguments])


@pytest.mark.usefixtures("tiny")
class TestOneFilePair:
    def test_is_found(self) -> None:
        assert "tiny-1999" in paper_names()
        paper = find_paper("tiny-1999")
        assert (paper.datasets, paper.models) == (["toy"], ["majority", "prior"])
        assert [cell.table for cell in paper.cells] == ["1", "1"]

    def test_is_reproduced(self) -> None:
        done = reproduce(find_paper("tiny-1999"))
        assert [cell.status for cell in done.cells] == ["agrees", "known deviation"]
        assert done.unexplained == []

    def test_is_a_paper_of_the_command_line(self, tmp_path: Path) -> None:
        assert "  tiny-1999\n" in run("--help").output
        result = run("tiny-1999", "--jobs", "1", "--out", str(tmp_path / "out"), "--marks")
        assert result.exit_code == 0, result.output
        assert "agrees (mean and std equal to 2 decimals)" in result.stdout
        assert "known to differ: toy: a misprint (docs/page.md#misprint)" in result.stdout
        assert "| prior | 1 | 0/1/0 | 0/1/0 | 0/1/0 |" in result.stdout
        assert "## Training time relative to majority" in result.stdout
        again = run("tiny-1999", "--jobs", "1", "--out", str(tmp_path / "out"), "--json")
        assert json.loads(again.stdout)["cells"][0]["printed_mean"] == 83.33
        figures = tmp_path / "figures"
        drawn = run("tiny-1999", "--figures", str(figures), "--json")
        assert json.loads(drawn.stdout)["figures"] == [str(figures / "rows.svg")]
        assert (figures / "rows.svg").read_text() == "<svg>6</svg>"


def test_a_paper_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_paper(tmp_path)
    package = tmp_path / "tiny_papers-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-papers\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[augury.papers]\ntiny-1999 = tiny_1999:PAPER\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tiny_1999", raising=False)
    assert "tiny-1999" in paper_names()
    assert reproduce(find_paper("tiny-1999")).unexplained == []
    del sys.modules["tiny_1999"]


def test_every_paper_has_the_name_of_its_files() -> None:
    folder = Path(augury.papers.__file__).parent
    modules = {file.stem for file in folder.glob("*.py")} - {"__init__"}
    papers = [find_paper(name) for name in paper_names()]
    printed = {paper.name.replace("-", "_") for paper in papers if paper.cells or paper.examples}
    assert {file.stem for file in folder.glob("*.csv")} == printed
    assert {find_paper(name).name.replace("-", "_") for name in paper_names()} >= modules


def test_an_unknown_paper() -> None:
    with pytest.raises(UnknownNameError, match=r"no paper 'tiny-1999'; known: acll-bagging-2014,"):
        find_paper("tiny-1999")


def test_names_are_listed_without_scikit_learn() -> None:
    code = (
        "import sys\n"
        "from augury.cli import main\n"
        "main(['reproduce', '--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'pandas', 'sklearn', 'joblib'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    source = str(Path(augury.papers.__file__).parents[2])
    shown = subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": source},
        capture_output=True, text=True,
    )  # fmt: skip
    assert "hybrid-2022" in shown.stdout
