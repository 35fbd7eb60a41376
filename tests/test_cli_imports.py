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
    print("\\n" + json.dumps(list(sys.modules)))
"""
# Slow to import, and not needed to fit or apply naive Bayes.
SLOW = {
    "scipy.stats._stats_py",
    "sklearn.metrics",
    "sklearn.linear_model",
    "augury.evaluate.cross_validation",
}
EXPERIMENTS = {"experiments", "summary", "report", "comparison", "reproduce", "papers"}


def _folders_imported(folder, *arguments):
    modules = _modules_imported(folder, *arguments)
    return {name.split(".")[1] for name in modules if name.startswith("augury.")}


def _modules_imported(folder, *arguments):
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
    return set(json.loads(done.stdout.splitlines()[-1]))


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


def test_naive_bayes_imports_no_slow_modules(folder):
    modules = _modules_imported(folder, "fit", "mine.csv", "--model", "nb", "-o", "nb.augury")
    assert modules & SLOW == set()
    assert "augury.generative.hidden_naive_bayes" not in modules
    modules = _modules_imported(folder, "predict", "nb.augury", "mine.csv", "-o", "out.csv")
    assert modules & SLOW == set()


DEFERRED = """
import sys
from threading import Thread
from augury.cli.deferred_import import defer_import

defer_import("json.tool")
import json.tool
deferred = sys.modules["json.tool"]
found = []
threads = [Thread(target=lambda: found.append(deferred.main)) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
from json.tool import main
assert sys.modules["json.tool"] is not deferred
assert found == [main] * 8
defer_import("json.tool")
assert sys.modules["json.tool"].main is main
defer_import("json.nothing")
import json.nothing
try:
    sys.modules["json.nothing"].main
except ModuleNotFoundError:
    print("not found")
"""


def test_a_deferred_module_is_the_real_one_when_it_is_used():
    done = subprocess.run([sys.executable, "-c", DEFERRED], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("not found\n", "")


def test_modules_inside_a_deferred_package():
    program = (
        "from augury.cli.deferred_import import defer_import\n"
        "defer_import('email.mime')\n"
        "import email.mime.text\n"
        "print(email.mime.text.MIMEText.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("MIMEText\n", "")
