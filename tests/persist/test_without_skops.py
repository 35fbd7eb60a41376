"""skops is an extra: only models with parts of other packages need it."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from augury.encode import TidyColumns
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.optional import MissingExtraError
from augury.persist import load_model, save_model
from augury.persist.payload import dump_model

X = pd.DataFrame({"sky": ["sun", "sun", None, "rain"], "wind": [3.0, 5.5, 20.0, 31.0]})
Y = ["out", "out", "in", "in"]


class _NoSkops:
    """Finds no skops, as if it were not installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "skops":
            raise ModuleNotFoundError(f"No module named {name!r}", name="skops")


def remove_skops(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "skops"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_NoSkops(), *sys.meta_path])


@pytest.fixture
def without_skops(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_skops(monkeypatch)


def with_a_function():
    # The step takes a universal function of NumPy, which augury does not describe itself.
    step = FunctionTransformer(np.log1p, feature_names_out="one-to-one")
    return make_pipeline(step, NaiveBayes()).fit(X[["wind"]], Y)


@pytest.mark.usefixtures("without_skops")
@pytest.mark.parametrize(
    "model", [NaiveBayes(), AugmentedClassifier(), make_pipeline(TidyColumns(), NaiveBayes())]
)
def test_models_are_saved_and_loaded(model, tmp_path):
    model.fit(X, Y)
    save_model(model, tmp_path / "m.augury", X=X)
    loaded = load_model(tmp_path / "m.augury").model
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_bytes_do_not_depend_on_skops(monkeypatch):
    model = NaiveBayes().fit(X, Y)
    with_skops = dump_model(model)
    remove_skops(monkeypatch)
    assert dump_model(model) == with_skops


@pytest.mark.usefixtures("without_skops")
def test_the_error_of_save_model_names_the_extra(tmp_path):
    pattern = r'saving a model that holds a ufunc needs skops.*pip install "augury\[skops\]"'
    with pytest.raises(MissingExtraError, match=pattern):
        save_model(with_a_function(), tmp_path / "m.augury", X=X[["wind"]])
    assert not (tmp_path / "m.augury").exists()


def test_the_error_of_load_model_names_the_extra(tmp_path, monkeypatch):
    trusted = ["sklearn.tree._tree.Tree"]
    model = DecisionTreeClassifier().fit(X[["wind"]], Y)
    save_model(model, tmp_path / "m.augury", X=X[["wind"]], trusted=trusted)
    remove_skops(monkeypatch)
    with pytest.raises(MissingExtraError, match=r"loading a model that holds .*augury\[skops\]"):
        load_model(tmp_path / "m.augury", trusted=trusted)
