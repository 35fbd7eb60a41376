"""A model of another package is one file, and is treated like a model of augury.

`outside_package` has weighted AODE in one file. tests/conftest.py puts the package on the path,
with the metadata of an installed package. So the model is in all tests that collect models from
the registry: scikit-learn's checks, saving and loading, weights, and the laws of generative
models. Here are the tests of its registration, of the command line and of its formula.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import augury
from augury.explain import explain_row
from augury.models.catalogue import find_model, known_models, model_classes
from augury.persist import ModelFileError, load_model, save_model

PACKAGE = Path(__file__).parent / "outside_package"
SOURCE = Path(augury.__file__).parents[1]
X = pd.DataFrame(
    {"sky": ["sun", "sun", "rain", "rain", "fog", "sun"], "wind": [1.0, 2.5, 9.0, 8.0, 7.0, 8.5]}
)
Y = ["out", "out", "in", "in", "in", "out"]


def run(*arguments, path, code=None):
    """Return a finished `augury` (or Python code) in a new process with these folders."""
    command = ["-m", "augury.cli"] if code is None else ["-c", code]
    return subprocess.run(
        [sys.executable, *command, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [SOURCE, *path]))},
        capture_output=True,
        text=True,
        check=False,
    )


def weighted_aode():
    return find_model("waode").make


def test_the_model_is_one_short_file():
    lines = (PACKAGE / "weighted_aode.py").read_text().splitlines()
    assert len(lines) <= 80
    assert sorted(file.name for file in PACKAGE.glob("*.py")) == ["weighted_aode.py"]


def test_it_is_among_the_models_of_the_generic_tests():
    assert weighted_aode() in model_classes("generative")
    assert known_models()["waode"].family == "generative"


def test_the_formula():
    codes = pd.DataFrame({"a": list("xxyyx"), "b": list("pqqpp")})
    y = np.array([0, 0, 1, 1, 1])
    model = weighted_aode()().fit(codes, y)

    def information(column):
        joint = pd.crosstab(codes[column], y).to_numpy() / 5
        expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
        seen = joint > 0
        return (joint[seen] * np.log2(joint[seen] / expected[seen])).sum()

    weights = np.array([information("a"), information("b")])
    np.testing.assert_allclose(model.weights_, np.maximum(weights, 1e-12))
    # Row (x, p), class 0: N(x, 0) = 2, N(p, 0) = 1, N(x, p, 0) = 1; two states, two classes.
    by_a = (2 + 1) / (5 + 4) * (1 + 1) / (2 + 2)
    by_b = (1 + 1) / (5 + 4) * (1 + 1) / (1 + 2)
    expected = np.log(weights @ [by_a, by_b] / weights.sum())
    found = model.predict_joint_log_proba(pd.DataFrame({"a": ["x"], "b": ["p"]}))
    np.testing.assert_allclose(found[0, 0], expected)


def test_a_row_is_explained():
    explained = explain_row(weighted_aode()().fit(X, Y), X.iloc[:1])
    assert explained.predicted == "out"
    assert {name for name, _, _ in explained.contributions} == {"prior", "sky", "wind"}
    assert sum(part for *_, part in explained.contributions) == pytest.approx(explained.log_odds)


def test_the_command_line_lists_it():
    done = run("models", path=[PACKAGE])
    assert "  waode            Weighted averaged one-dependence estimators\n" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    families = [line for line in done.stdout.splitlines() if line and line[0] != " "]
    assert families == ["generative", "discriminative", "hybrid", "ensemble", "other"]
    assert "waode" not in run("models", path=[]).stdout
    entries = json.loads(run("models", "--json", path=[PACKAGE]).stdout)
    assert {
        "name": "waode",
        "family": "generative",
        "description": "Weighted averaged one-dependence estimators",
        "path": "weighted_aode.WeightedAODE",
        "parameters": {},
    } in entries


def test_the_command_line_fits_predicts_and_compares_it(tmp_path):
    table = tmp_path / "weather.csv"
    pd.concat([X.assign(place=Y)] * 5).to_csv(table, index=False)
    fitted = run("fit", table, "--target", "place", "--model", "waode", "-o",
                 tmp_path / "place.augury", path=[PACKAGE])  # fmt: skip
    assert fitted.returncode == 0, fitted.stderr
    predicted = run("predict", tmp_path / "place.augury", table, path=[PACKAGE])
    assert predicted.returncode == 0, predicted.stderr
    compared = run("compare", table, "--target", "place", "--models", "nb,waode", "--out",
                   tmp_path / "report", path=[PACKAGE])  # fmt: skip
    assert compared.returncode == 0, compared.stderr
    assert "waode" in compared.stdout
    refused = run("predict", tmp_path / "place.augury", table, path=[])
    assert refused.returncode == 2
    assert "types that are not trusted: weighted_aode.WeightedAODE" in refused.stderr


def test_a_decorator_without_an_entry_point(tmp_path):
    shutil.copy(PACKAGE / "weighted_aode.py", tmp_path)
    code = "import weighted_aode; from augury.cli import main; main(['models'])"
    assert "  waode  " in run(path=[tmp_path], code=code).stdout


def broken_package(folder, name, source, entry):
    (folder / f"{name}.py").write_text(source)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[augury.models]\n{entry}\n")


def test_a_broken_entry_point_is_reported_and_others_still_work(tmp_path):
    broken_package(tmp_path, "broken", "import not_there", "broken = broken")
    done = run("models", path=[tmp_path])
    assert done.returncode == 2
    assert (
        "entry point 'broken' of package broken in the group augury.models: broken cannot be "
        "imported: ModuleNotFoundError: No module named 'not_there'. Fix or uninstall the package"
    ) in done.stderr
    code = "from augury.models import build_model; print(build_model('nb'))"
    assert run(path=[tmp_path], code=code).stdout == "NaiveBayes()\n"


def test_a_name_that_is_taken_is_reported(tmp_path):
    source = (PACKAGE / "weighted_aode.py").read_text().replace('"waode"', '"nb"')
    broken_package(tmp_path, "second", source, "nb = second")
    done = run("models", path=[tmp_path])
    assert done.returncode == 2
    assert (
        "two models have the name 'nb': augury.generative.NaiveBayes and second.WeightedAODE"
    ) in done.stderr


def test_a_class_without_a_decorator_has_the_name_of_its_entry_point(tmp_path):
    source = (
        "from sklearn.naive_bayes import GaussianNB\nclass Mine(GaussianNB):\n    '''Mine.'''\n"
    )
    broken_package(tmp_path, "mine", source, "my-nb = mine:Mine")
    done = run("models", path=[tmp_path])
    assert "  my-nb            Mine.\n" in done.stdout
    code = "from augury.models import build_model; print(build_model('my-nb'))"
    assert "PreprocessedClassifier(estimator=Mine())" in run(path=[tmp_path], code=code).stdout


def test_a_file_of_a_registered_model_that_checks_nothing_is_refused(tmp_path):
    from augury.generative import NaiveBayes
    from augury.registration import register_model

    class Unchecked(NaiveBayes):
        pass

    Unchecked.__qualname__ = "Unchecked"
    register_model()(Unchecked)
    try:
        with pytest.raises(ModelFileError, match=r"types that are not trusted: .*Unchecked"):
            save_model(Unchecked().fit(X, Y), tmp_path / "m.augury")
    finally:
        from augury import registration

        registration._classes.pop(f"{Unchecked.__module__}.Unchecked")


def test_a_hostile_state_of_a_model_of_another_package_is_refused(tmp_path):
    model = weighted_aode()().fit(X, Y)
    save_model(model, tmp_path / "good.augury")
    assert (load_model(tmp_path / "good.augury").model.predict(X) == Y).all()
    model.weights_ = np.array([np.nan, 1.0])
    save_model(model, tmp_path / "bad.augury")
    with pytest.raises(ModelFileError, match="weights_ must be finite numbers"):
        load_model(tmp_path / "bad.augury")
