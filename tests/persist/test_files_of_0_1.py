"""Files that augury 0.1 has written load, and the models predict what they predicted then.

The files were written by the tree before modules moved and parameters were renamed. They name
types by modules that no longer exist and have parameters such as `smoothing` and `columns`.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import InconsistentVersionWarning

from augury.persist import ModelVersionWarning, load_model, save_model
from tests.versions import needs_scikit_learn

FOLDER = Path(__file__).parent / "files_of_0_1"
# A file holds the state of scikit-learn's regression as version 1.9 has it.
_NEWER = {"onehot-hybrid": needs_scikit_learn("1.8", "LogisticRegression has other attributes")}
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
NAMES = [pytest.param(name, marks=_NEWER.get(name, ())) for name in EXPECTED]
X = pd.read_csv(FOLDER / "weather.csv").drop(columns="place")


def load(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelVersionWarning)
        # Parts of scikit-learn 1.9 in the files, read by an older one.
        warnings.simplefilter("ignore", InconsistentVersionWarning)
        return load_model(path).model


def predict(model):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def check_prediction(model, name):
    expected = np.array(EXPECTED[name])
    if expected.dtype.kind == "f":
        np.testing.assert_allclose(predict(model), expected, rtol=1e-12, atol=1e-12)
    else:
        assert predict(model).tolist() == expected.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_0_1_predicts_the_same(name):
    check_prediction(load(FOLDER / f"{name}.augury"), name)


@pytest.mark.parametrize("name", NAMES)
def test_the_model_can_be_saved_and_fitted_again(name, tmp_path):
    model = load(FOLDER / f"{name}.augury")
    save_model(model, tmp_path / "again.augury")
    check_prediction(load(tmp_path / "again.augury"), name)
    assert model.fit(X, X["sky"].isna()).classes_.tolist() == [False, True]


def test_all_files_are_read():
    assert {file.stem for file in FOLDER.glob("*.augury")} == set(EXPECTED)
    assert len(EXPECTED) >= 15


def test_a_file_names_types_without_their_modules(tmp_path):
    from io import BytesIO
    from zipfile import ZipFile

    save_model(load(FOLDER / "gaussian-nb.augury"), tmp_path / "new.augury")
    with ZipFile(tmp_path / "new.augury") as file:
        payload = file.read("model.skops")
    with ZipFile(BytesIO(payload)) as archive:
        schema = json.loads(archive.read("schema.json"))
    assert (schema["__module__"], schema["__class__"]) == ("augury.generative", "NaiveBayes")
    assert "augury.generative.naive_bayes" not in json.dumps(schema)
