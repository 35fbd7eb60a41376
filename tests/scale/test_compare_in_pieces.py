"""`augury compare` on tables that are read in pieces."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.experiments.store.stored_results import StoredResults
from augury.models.tidy_model import tidy_model
from augury.persist import load_model
from tests.scale.dask_processes import start_cluster
from tests.scale.hash_folds import assert_same_results, in_memory

N_ROWS = 600


def run(*arguments: object) -> Result:
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # commands print them
        return CliRunner().invoke(main, [str(each) for each in arguments])


def succeed(*arguments: object) -> Result:
    done = run(*arguments)
    assert done.exit_code == 0, done.output
    return done


def table() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    label = rng.choice(["no", "yes"], N_ROWS)
    return pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(N_ROWS)],
            "sky": rng.choice(["sun", "rain", "fog"], N_ROWS),
            "wind": rng.normal(label == "yes", 1.0).round(2),
            "price": [f"${x:,.2f}" for x in rng.gamma(2.0, 900.0, N_ROWS)],
            "left": np.where(np.arange(N_ROWS) % 50 == 7, None, label),
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    rows = table()
    rows.to_csv(folder / "mine.csv", index=False)
    (folder / "parts").mkdir()
    for k in range(3):
        part = rows.iloc[k * 200 : (k + 1) * 200]
        part.to_parquet(folder / "parts" / f"{k}.parquet", index=False)
    return folder


def test_results_page_and_table_are_those_of_memory(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("compare", folder / "parts" / "*.parquet", "--models", "nb,hnb", "--out", out)
    done = succeed(*arguments)
    assert "in pieces: it is a pattern of file names" in done.stderr
    assert "588 rows, 2 classes: no, yes" in " ".join(done.stdout.split())
    assert "an identifier: 588 different labels in 588 rows" in done.stdout
    assert "All labels and cut points are exact" in done.stdout
    assert f"Report: {out / 'report.html'}" in done.stdout
    assert "Use `nb` for left: " in done.stdout
    assert load_model(out / "left.augury").model["model"].classes_.tolist() == ["no", "yes"]
    assert "parts" in (out / "report.html").read_text()
    with StoredResults(out) as stored:
        found = stored.results()
        [dataset] = stored.datasets()
    assert dataset.details["class_counts"] == table()["left"].value_counts().sort_index().tolist()
    models = {name: tidy_model(name) for name in ("hnb", "nb")}
    assert_same_results(found, in_memory(models, table(), "left", 10))
    # A second call computes nothing again, and adds the models that are new.
    succeed("compare", folder / "parts", "--models", "nb,tan", "--out", out)
    with StoredResults(out) as stored:
        again = stored.results()
    assert [row for row in again if row.model != "tan"] == found
    assert sum(row.model == "tan" for row in again) == 10


def test_the_default_leaves_out_models_that_need_all_rows(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augury.memory.available_bytes", lambda: 4000)
    monkeypatch.setattr(
        "augury.comparison.default_models.SENSIBLE_MODELS", ("majority", "nb", "c45")
    )
    done = succeed("compare", folder / "mine.csv", "--out", tmp_path / "out", "--json")
    assert "Left out: majority, c45 need all rows in memory" in done.stderr
    content = json.loads(done.stdout)
    assert "of free memory" in content["in_pieces"]
    assert [each["model"] for each in content["models"]] == ["nb"]
    # A file that may be read whole is, if --models or --no-stream asks for it.
    named = succeed(
        "compare", folder / "mine.csv", "--models", "nb,majority", "--out", tmp_path / "named"
    )
    assert "is read whole, although" in named.stderr
    whole = succeed(
        "compare", folder / "mine.csv", "--no-stream", "--models", "nb", "--out", tmp_path / "whole"
    )
    assert "in pieces" not in whole.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parts", "--models", "nb,forest"], "--models: forest needs all rows in memory"),
        (["parts", "--measure", "auc"], "--measure: the measure must be one of accuracy, log_loss"),
        (["parts", "--repeats", "2"], "--repeats is for a table that is read whole"),
        (["parts", "--no-stream"], "--no-stream: .* cannot be read whole"),
        (["mine.csv", "--no-stream", "--scheduler", "tcp://a:1"], "exclude each other"),
        (["parts", "--models", "nb", "--target", "lef"], "no column 'lef'.*did you mean 'left'"),
        (["parts", "--models", "nb", "--strict"], "row 8 has no value in the target 'left'"),
        (["parts", "--models", "nope", "--target", "left"], "nope"),
    ],
)
def test_errors(folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = run("compare", folder / arguments[0], *arguments[1:], "--out", tmp_path / "out")
    assert done.exit_code == 2, done.output
    assert re.search(message, done.stderr), done.stderr
    assert not (tmp_path / "out" / "report.html").exists()


def test_other_data_in_the_same_folder_are_refused(folder: Path, tmp_path: Path) -> None:
    table().to_csv(tmp_path / "mine.csv", index=False)
    arguments = ("compare", tmp_path / "mine.csv", "--stream", "--models", "nb")
    arguments += ("--out", tmp_path / "out")
    succeed(*arguments)
    table().assign(sky="sun").to_csv(tmp_path / "mine.csv", index=False)
    done = run(*arguments)
    assert done.exit_code == 2
    assert "has results of mine with other data" in done.stderr


def test_workers_of_a_scheduler(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with start_cluster(1, processes=False, protocol="tcp") as cluster:
        address = cluster.scheduler_address
        succeed("compare", folder / "parts", "--models", "nb", "--scheduler", address, "--out", out)
    with StoredResults(out) as stored:
        found = stored.results()
    assert_same_results(found, in_memory({"nb": tidy_model("nb")}, table(), "left", 10))
