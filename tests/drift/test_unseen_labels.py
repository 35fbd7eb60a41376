"""`augury predict` names columns whose labels were never seen in training."""

import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from augury.cli import main
from augury.drift import collect_reference
from augury.drift.unseen_labels import UnseenCounter


@pytest.fixture
def counter():
    X = pd.DataFrame({"sky": ["sun", "rain"] * 3, "x": range(6)})
    return UnseenCounter(collect_reference(None, X, list("ababab")))


def test_half_of_the_labels_is_not_enough(counter):
    rows = pd.DataFrame({"sky": ["sun", "Sun", None], "x": 0})
    found = counter.count(rows)
    assert (found.columns["sky"].n_known, found.columns["sky"].n_unseen) == (2, 1)
    assert found.sentences() == []
    total = found + counter.count(rows.iloc[1:2])
    expected = "column 'sky': 2 of 3 labels were not seen in training, such as 'Sun'"
    assert total.sentences() == [expected]


def test_declared_categories_without_rows_are_no_examples(counter):
    sky = pd.Categorical(["fog"], categories=["snow", "fog"])
    assert counter.count(pd.DataFrame({"sky": sky})).columns["sky"].examples == ("fog",)


@pytest.mark.parametrize("output", [True, False])
def test_the_command(tmp_path: Path, output: bool) -> None:
    rows = pd.DataFrame({"sky": ["sun", "rain"] * 20, "x": range(0, 400, 10)})
    rows.assign(out=["yes", "no"] * 20).to_csv(tmp_path / "train.csv", index=False)
    rows.assign(sky=rows["sky"].str.upper()).to_csv(tmp_path / "new.csv", index=False)
    model, new = str(tmp_path / "m.augury"), str(tmp_path / "new.csv")
    run = CliRunner().invoke
    fitted = run(main, ["fit", str(tmp_path / "train.csv"), "--model", "nb", "-o", model])
    assert fitted.exit_code == 0, fitted.output
    where = ["-o", str(tmp_path / "answers.csv")] if output else []
    done = run(main, ["predict", model, new, *where])
    note = "Note: column 'sky': 40 of 40 labels were not seen in training, such as 'SUN', 'RAIN'"
    assert done.stderr.splitlines() == [note]
    done = run(main, ["predict", model, new, "--json", *where])
    assert json.loads(done.stdout)["unseen_labels"] == [
        {"column": "sky", "rows": 40, "unseen_rows": 40, "labels": ["SUN", "RAIN"]}
    ]
