"""Experiment files and `--models` that name something else than a classifier."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from augury.cli import main
from augury.errors import UnknownNameError
from augury.experiments.experiment import Experiment
from augury.models.build import build_model

EVIL = """
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

calls = []

def make(**parameters):
    calls.append("make")

class Bomb:
    def __init__(self, **parameters):
        calls.append("Bomb")

class Callable_:
    def __call__(self, **parameters):
        calls.append("instance")

instance = Callable_()

class Number(RegressorMixin, BaseEstimator):
    def __init__(self):
        calls.append("Number")
    def fit(self, X, y): return self
    def predict(self, X): return X

class Good(ClassifierMixin, BaseEstimator):
    def __init__(self, estimator=None):
        calls.append("Good")
        self.estimator = estimator
    def fit(self, X, y): return self
    def predict(self, X): return X
"""


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return the list in which the module `evil_models` says what of it was called."""
    (tmp_path / "evil_models.py").write_text(EVIL)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "evil_models", raising=False)
    import evil_models

    yield evil_models.calls
    sys.modules.pop("evil_models", None)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


# "A TOML experiment can name any callable (`os.system` ran)."
def test_os_system_in_an_experiment_is_refused_and_not_run(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    file = tmp_path / "evil.toml"
    file.write_text(
        'datasets = ["sklearn:iris"]\nfolds = 2\nrepeats = 1\n[models]\n'
        f'evil = {{class = "os.system", command = "touch {proof}"}}\n'
    )
    done = run("run", str(file), "--out", str(tmp_path / "r"), "--jobs", "1")
    assert done.exit_code == 2, done.output
    assert not proof.exists()
    assert "models.evil: class must be a name that `augury models` lists" in done.stderr
    assert "classifier's class (with fit, predict, get_params and set_params)" in done.stderr
    assert "got 'os.system', which is no class" in done.stderr
    assert done.stderr.count("\n") == 1


# "A TOML experiment can name any callable": by every way of calling, and inside other models.
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("evil_models.make", "no class"),
        ("evil_models.instance", "no class"),
        ("evil_models.Bomb", "a class without fit"),
        ("evil_models.Number", "no classifier"),
        ("evil_models.Good.fit", "no class"),
        ("subprocess.Popen", "a class without fit"),
        ("sklearn.base.BaseEstimator", "an abstract class"),
        ("sklearn.preprocessing.StandardScaler", "a class without predict"),
        ("sklearn.linear_model.LinearRegression", "no classifier"),
        ("sklearn.cluster.KMeans", "no classifier"),
        ("augury.experiments.run_jobs", "no class"),
    ],
)
def test_only_classes_of_classifiers_are_called(evil: list[str], path: str, why: str) -> None:
    with pytest.raises(UnknownNameError, match=f"models.x: class must be .*, which is {why}"):
        Experiment(("sklearn:iris",), {"x": {"class": path}}).build_models()
    assert evil == []


@pytest.mark.parametrize(
    "path", ["evil_models.make", "evil_models.instance", "evil_models.Bomb", "os.system"]
)
def test_nothing_is_called_where_a_nested_class_is_refused(evil: list[str], path: str) -> None:
    inner = {"class": "hybrid", "estimator": {"class": path}}
    with pytest.raises(
        UnknownNameError,
        match=r"models\.x\.estimator\.estimator: class must be .* an estimator's class",
    ):
        Experiment(
            ("sklearn:iris",), {"x": {"class": "evil_models.Good", "estimator": inner}}
        ).build_models()
    assert evil == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (".system", "is no import path"),
        ("os.", "is no import path"),
        ("evil-models.Good", "is no import path"),
        ("evil_models.Absent", "there is no evil_models.Absent"),
        ("broken_models.Model", "broken_models cannot be imported: ZeroDivisionError"),
        ("leaving_models.Model", "leaving_models cannot be imported: SystemExit"),
    ],
)
def test_paths_that_lead_nowhere_are_one_line(
    evil: list[str], tmp_path: Path, path: str, message: str
) -> None:
    (tmp_path / "broken_models.py").write_text("1 / 0\n")
    (tmp_path / "leaving_models.py").write_text("raise SystemExit(0)\n")
    with pytest.raises(UnknownNameError, match=message):
        build_model("x", {"class": path})


def test_a_search_over_a_regressor_is_no_classifier() -> None:
    search = {
        "class": "sklearn.model_selection.GridSearchCV",
        "estimator": {"class": "sklearn.linear_model.Ridge", "preprocess": False},
        "param_grid": {"alpha": [1.0]},
    }
    with pytest.raises(UnknownNameError, match="x must be a classifier, got a regressor"):
        build_model("x", search)


# "Accept classifiers only": by the option as well.
@pytest.mark.parametrize("command", ["run", "compare", "fit"])
def test_import_paths_of_options_are_checked_too(command: str, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("sky,class\n" + "sun,a\nrain,b\n" * 15)
    arguments = {
        "run": ["--datasets", str(table), "--models", "os.getcwd", "--out", str(tmp_path / "r")],
        "compare": [str(table), "--models", "os.getcwd", "--out", str(tmp_path / "r")],
        "fit": [str(table), "--model", "os.getcwd", "-o", str(tmp_path / "m.augury")],
    }[command]
    done = run(command, *arguments)
    assert done.exit_code == 2, done.output
    assert "os.getcwd: class must be a name that `augury models` lists" in done.stderr


def test_what_is_allowed_still_runs(evil: list[str], tmp_path: Path) -> None:
    models = Experiment(
        ("sklearn:iris",),
        {
            "tree": {"class": "sklearn.tree.DecisionTreeClassifier", "max_depth": 2},
            "good": {"class": "evil_models.Good"},
            "published": {
                "class": "augury.hybrid.AugmentedClassifier.as_published",
                "name": "nb-lr",
            },
            "cut": {
                "class": "nb",
                "discretizer": {"class": "sklearn.preprocessing.KBinsDiscretizer", "n_bins": 3},
            },
            "search": {
                "class": "sklearn.model_selection.GridSearchCV",
                "estimator": {"class": "nb"},
                "param_grid": {"alpha": [0.5, 1.0]},
            },
        },
        seed=7,
    ).build_models()
    assert models["tree"].estimator.random_state == 7
    assert type(models["published"]).__name__ == "AugmentedClassifier"
    assert type(models["cut"].discretizer).__name__ == "KBinsDiscretizer"
    assert models["search"].estimator.estimator.alpha == 1.0
    assert evil == ["Good"]


# "say in docs/experiments.md that an experiment file is to be trusted like a Makefile"
def test_the_documents_say_that_an_experiment_file_is_trusted() -> None:
    text = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    assert "Trust an experiment file as you trust a Makefile" in " ".join(text.split())


# "`compare` says seed 0 but sets none": the seed of an experiment reaches the catalogue's models.
def test_the_seed_of_an_experiment_reaches_every_model() -> None:
    names = ("forest", "boosted-trees", "bagged-networks", "boosted-nb", "majority")
    models = Experiment(("sklearn:iris",), {name: {} for name in names}, seed=5).build_models()
    for name, model in models.items():
        states = {
            key: value
            for key, value in model.get_params(deep=True).items()
            if key.rpartition("__")[2] == "random_state"
        }
        assert states, name
        assert set(states.values()) == {5}, name
    given = Experiment(("sklearn:iris",), {"forest": {"random_state": 3}}, seed=5).build_models()
    assert given["forest"].estimator.random_state == 3


WEIGHTED = """@relation w
@attribute a {x,y}
@attribute b real
@attribute class {p,q}
@data
"""


def weighted_file(folder: Path) -> Path:
    """Return a file whose weights turn the majority: 20 rows of p, 10 of q, each q counts 5."""
    lines = [f"{'x' if i % 4 else 'y'},{i % 7},p" for i in range(20)]
    lines += [f"{'y' if i % 4 else 'x'},{i % 5},q,{{5}}" for i in range(10)]
    file = folder / "weighted.arff"
    file.write_text(WEIGHTED + "\n".join(lines) + "\n")
    return file


# "where a model cannot take them, the run says so": in the terminal, in the store, on the page.
@pytest.mark.usefixtures("without_worker_processes")
@pytest.mark.filterwarnings("default::augury.instance_weights.UnweightedFitWarning")
def test_a_run_says_which_models_take_no_weights(tmp_path: Path) -> None:
    weighted_file(tmp_path)
    file = tmp_path / "e.toml"
    file.write_text(
        'datasets = ["weighted.arff"]\nfolds = 2\nrepeats = 1\n[models]\nmajority = {}\n'
        'near = {class = "sklearn.neighbors.KNeighborsClassifier"}\n'
        'mixed = {class = "hybrid", final_estimator = '
        '{class = "sklearn.neighbors.KNeighborsClassifier"}}\n'
    )
    out = tmp_path / "r"
    done = run("run", str(file), "--out", str(out), "--jobs", "1", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["failed"] == 0
    assert (
        "Warning: weighted: fitted without the instance weights of the data set, yet scored with "
        "them: near (KNeighborsClassifier takes no sample_weight), mixed (KNeighborsClassifier "
        "takes no sample_weight)"
    ) in done.stderr
    page = tmp_path / "p.html"
    assert run("report", str(out), "-o", str(page)).exit_code == 0
    notes = json.loads(page.with_suffix(".json").read_text())["warnings"]
    for name in ("near", "mixed"):
        assert (
            f"{name} on weighted: fitted without the instance weights: KNeighborsClassifier takes "
            "no sample_weight"
        ) in notes
    assert not any("majority on" in note for note in notes)
    assert "near on weighted: fitted without the instance weights" in page.read_text()
