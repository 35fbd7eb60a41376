"""Commands on one table import nothing of experiments, papers and reports."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import augury

TABLE = "sky,wind,play\n" + "sun,1.5,yes\nrain,2.5,no\nfog,3.5,no\nsun,4.5,yes\n" * 6

# Prints the modules of augury that a command has imported.
PROGRAM = """
import json, sys
from augury.cli import main
try:
    main(sys.argv[1:])
finally:
    print("\\n" + json.dumps([name for name in sys.modules if name.startswith("augury.")]))
"""
EXPERIMENTS = {"experiments", "summary", "report", "compare", "reproduce", "papers"}


def _folders_imported(folder, *arguments):
    source = str(Path(augury.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout.splitlines()[-1])
    return {name.split(".")[1] for name in modules}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a table and a model of it."""
    folder = tmp_path_factory.mktemp("table")
    (folder / "mine.csv").write_text(TABLE)
    assert _folders_imported(folder, "fit", "mine.csv") & EXPERIMENTS == set()
    return folder


def test_predict_imports_no_experiments(folder):
    found = _folders_imported(folder, "predict", "mine.augury", "mine.csv", "-o", "out.csv")
    assert found & EXPERIMENTS == set()


def test_explain_imports_no_experiments(folder):
    found = _folders_imported(folder, "explain", "mine.augury", "mine.csv")
    assert found & EXPERIMENTS == set()
