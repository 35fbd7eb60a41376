"""Experiments are read from TOML, and what is wrong in them is named."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from augury.errors import ExperimentError, UnknownNameError
from augury.experiments.experiment import Experiment
from augury.models.build import build_model
from augury.models.catalogue import known_models


def read(folder: Path, text: str) -> Experiment:
    file = folder / "experiment.toml"
    file.write_text(text, encoding="utf-8")
    return Experiment.read(file)


def test_files_names_and_nested_models_are_found(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + "x,1,p\ny,2,q\n" * 10)
    plan = read(
        tmp_path,
        """
        datasets = ["sklearn:iris", "mine.csv", {file = "mine.csv", target = "a", name = "other"}]
        folds = 5
        repeats = 2
        reference = "deep"
        [models]
        nb = {alpha = 0.5}
        deep = {class = "hybrid", estimator = {class = "hnb"}, final_estimator = {class = "lr"}}
        mine = {class = "sklearn.tree.DecisionTreeClassifier", max_depth = 2}
        """,
    )
    jobs = plan.jobs()
    assert [job.dataset.name for job in jobs] == ["sklearn:iris", "mine", "other"]
    assert jobs[2].dataset.target == "a"
    assert len(jobs[0].fold_keys()) == 10
    models = jobs[0].models
    assert models["nb"].alpha == 0.5
    assert type(models["deep"].estimator).__name__ == "HiddenNaiveBayes"
    assert models["mine"].estimator.random_state == 0, "the seed of the experiment"
    assert plan.describe()["reference"] == "deep"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datasets = [", "cannot be read as an experiment"),
        pytest.param("a = " + "[" * 9000 + "]" * 9000, "is nested too deeply", id="nested"),
        pytest.param(f"folds = {'9' * 9000}", "cannot be read as an experiment", id="digits"),
        (
            'sets = ["iris"]',
            "there is no 'sets'; did you mean 'datasets'. The keys are datasets, models",
        ),
        ('datasets = "iris"', "datasets must be a list, got 'iris'"),
        ('datasets = ["iris"]', "must have at least one model"),
        ("[models]\nnb = {}", "must have at least one data set"),
        ('datasets = ["iris"]\n[models]\nnb = 1', r"models\.nb must be a table"),
        ('datasets = ["iris"]\nfolds = 1\n[models]\nnb = {}', "folds must be at least 2, got 1"),
        (
            'datasets = ["iris"]\nrepeats = 100000000\n[models]\nnb = {}',
            "repeats must be from 1 to 1,000, got 100,000,000; 10 runs of ten folds are usual",
        ),
        (
            f'datasets = ["iris"]\nrepeats = 1{"0" * 4000}\n[models]\nnb = {{}}',
            "repeats must be from 1 to 1,000, got a number of 13,288 bits",
        ),
        (
            'datasets = ["iris"]\nseed = -1\n[models]\nnb = {}',
            "seed must be from 0 to 4,294,967,295, got -1",
        ),
        (
            'datasets = ["iris"]\nseed = 4294967296\n[models]\nnb = {}',
            "seed must be from 0 to 4,294,967,295, got 4,294,967,296",
        ),
        ('datasets = ["iris"]\nprotocol = "x"\n[models]\nnb = {}', "protocol must be one of"),
        ('datasets = ["iris"]\nreference = "x"\n[models]\nnb = {}', "reference must be one of"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ExperimentError, match=message):
        read(tmp_path, text)


def test_a_name_twice_is_refused() -> None:
    with pytest.raises(ExperimentError, match="two data sets have the name 'sklearn:iris'"):
        Experiment(("sklearn:iris", "sklearn:iris"), {"nb": {}}).jobs()


@pytest.mark.parametrize("given", [3, ["iris"], {"file": 3}, {"file": "iris", "colour": "red"}])
def test_what_is_no_data_set_is_refused(given: object) -> None:
    with pytest.raises(ExperimentError, match="a data set must be a name, a file, or a table"):
        Experiment((given,), {"nb": {}}).load()


@pytest.mark.parametrize(
    ("name", "description", "message"),
    [
        ("nbb", None, "no model named 'nbb'; did you mean nb"),
        ("x", {"class": "sklearn.tree.Oak"}, "there is no sklearn.tree.Oak"),
        ("x", {"class": "nowhere.Model"}, "needs nowhere, which is not installed"),
        ("nb", {"beta": 1}, "nb has no parameter 'beta'; its parameters are alpha"),
    ],
)
def test_models_that_cannot_be_built(name: str, description, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        build_model(name, description)


def test_the_hybrid_by_name_is_the_best_of_the_fair_fight() -> None:
    model = build_model("hybrid")
    assert type(model.estimator).__name__ == "HiddenNaiveBayes"
    assert (model.output, model.cv) == ("log_odds", "auto")
    published = build_model("nb-lr")
    assert (published.output, published.cv) == ("proba", None)


def test_every_model_of_the_catalogue_can_be_built() -> None:
    there = [
        name for name, entry in known_models().items() if find_spec(entry.path.partition(".")[0])
    ]
    for name in there:
        assert hasattr(build_model(name), "fit")
    assert len(there) > 25
