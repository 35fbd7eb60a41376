"""Columns of labels of every registered model: their labels, their types, unseen labels."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from augury.data import Dataset
from augury.errors import UnknownNameError
from augury.generative import NaiveBayes
from augury.models import known_models
from augury.models.build import build_model
from augury.models.tidy_model import tidy_model
from augury.persist import ModelFileError
from augury.serve import make_application
from augury.serve.learned_labels import LearnedLabels, find_encoders, learned_labels
from tests.serve.asgi import call, post
from tests.serve.served import save_fitted


def make_table():
    """Return categories of three types, texts, and numbers; one row has the colour lilac."""
    rng = np.random.default_rng(0)
    y = rng.permutation(np.arange(120) % 2)
    noisy = (y + rng.integers(0, 2, 120)) % 3
    colour = np.array(["red", "blue", "green"], dtype=object)[noisy]
    colour[7] = "lilac"
    X = pd.DataFrame(
        {
            "colour": pd.Categorical(colour),
            "grade": pd.Categorical(noisy + 1),
            "wet": pd.Categorical(noisy > 0),
            "shape": np.array(["round", "flat", "long"])[(noisy + rng.integers(0, 2, 120)) % 3],
            "size": rng.normal(y, 1),
        }
    )
    return Dataset(X, pd.Series(np.array(["no", "yes"])[y], name="class"), "t", "class", "t.arff")


TABLE = make_table()
ROW = {"colour": "red", "grade": 2, "wet": True, "shape": "flat", "size": 0.5}


def columns_of(application):
    schema = json.loads(call(application, "GET", "/schema")[2])
    return schema["components"]["schemas"]["Row"]["properties"]


def served(make, tmp_path):
    try:
        saved = save_fitted(make(), TABLE, tmp_path / "m.augury")
    except (UnknownNameError, ModelFileError) as error:
        pytest.skip(f"the model is not installed, or cannot be saved: {error}")
    return make_application(saved)


def check_labels(application):
    columns = columns_of(application)
    labels = {name: set(column["x-labels"]) for name, column in columns.items() if name != "size"}
    assert labels == {
        "colour": {"red", "blue", "green", "lilac"},
        "grade": {1, 2, 3},
        "wet": {False, True},
        "shape": {"round", "flat", "long"},
    }
    types = {name: column["type"] for name, column in columns.items()}
    assert types["colour"] == types["shape"] == ["string", "null"]
    assert types["grade"] == types["size"] == ["number", "null"]
    assert types["wet"] == ["boolean", "null"]
    for name, wrong in (("colour", 3), ("shape", True), ("grade", "2"), ("wet", "True")):
        status, answer = post(application, {"row": ROW | {name: wrong}})
        assert (status, answer["detail"][0]["loc"]) == (422, ["row", name])
    unseen = {"colour": "mauve", "grade": 9, "shape": "oval"}
    status, answer = post(application, {"row": ROW | unseen})
    assert (status, answer["unseen"]) == (200, unseen)
    status, answer = post(application, {"row": ROW | {"colour": "lilac"}})
    assert status == 200
    assert "unseen" not in answer


@pytest.mark.parametrize("name", known_models())
def test_labels_of_a_model_without_tidy_columns(name, tmp_path):
    check_labels(served(lambda: build_model(name, seed=0), tmp_path))


@pytest.mark.parametrize("name", ["augury", "svm", "hbayes-nb", "random-trees", "bagged-networks"])
def test_labels_of_a_model_after_tidy_columns(name, tmp_path):
    check_labels(served(lambda: tidy_model(name), tmp_path))


def test_encoders_of_parts_of_the_rows_are_put_together():
    parts = [pd.DataFrame({"sky": ["sun", "rain"]}), pd.DataFrame({"sky": ["fog", "sun"]})]
    models = [NaiveBayes().fit(part, ["out", "in"]) for part in parts]
    found = learned_labels(find_encoders({"members": models}))
    assert found == {"sky": LearnedLabels(("rain", "sun", "fog"), is_complete=True)}


def test_labels_of_a_model_of_another_library_are_those_of_the_reference(tmp_path):
    model = Pipeline(
        [
            ("codes", OneHotEncoder(handle_unknown="ignore")),
            ("model", LogisticRegression()),
        ]
    )
    application = served(lambda: model, tmp_path)
    columns = columns_of(application)
    assert columns["colour"]["type"] == columns["shape"]["type"] == ["string", "null"]
    assert set(columns["colour"]["x-labels"]) == {"red", "blue", "green", "lilac"}
    assert "x-labels" not in columns["grade"]  # texts do not say whether 1 is a number
    status, answer = post(application, {"row": ROW | {"colour": "mauve", "shape": "oval"}})
    assert (status, answer["unseen"]) == (200, {"colour": "mauve", "shape": "oval"})
