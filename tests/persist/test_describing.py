"""A model is described as skops describes it, byte for byte."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression as SklearnLogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.utils import Bunch
from skops import __version__ as skops_version

from augury.discriminative import C45Tree
from augury.encode import MISSING, TidyColumns
from augury.ensemble import BaggedNetworks
from augury.generative import NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.models.catalogue import model_classes
from augury.persist.describing import UnknownObjectError, describe
from augury.persist.payload import _tidy

OWN = [make for make in model_classes() if make.__module__.startswith("augury.")]
MODELS = {make.__name__: make() for make in OWN} | {
    "behind TidyColumns": make_pipeline(TidyColumns(), NaiveBayes()),
    "with models of scikit-learn": AugmentedClassifier(
        AugmentedClassifier(NaiveBayes(), GaussianNB(), encoding="none"), C45Tree()
    ),
    "scikit-learn decides": AugmentedClassifier(
        NaiveBayes(), SklearnLogisticRegression(), encoding="onehot"
    ),
    "with a random state": BaggedNetworks(n_estimators=2, random_state=np.random.RandomState(0)),
    "votes": VotingClassifier([("nb", NaiveBayes()), ("c45", C45Tree())], voting="soft"),
}


def by_skops(model):
    import skops.io

    return _tidy(skops.io.dumps(model))


def small_table(*, numbers_only: bool):
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 4, (60, 3)).astype(float), columns=["a", "b", "c"])
    if not numbers_only:
        X.loc[::7, "a"] = np.nan
        X["d"] = pd.Series(list("xyz")).sample(60, replace=True, random_state=0).to_numpy()
    return X, np.where(rng.random(60) < 0.5, "no", "yes")


@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_the_bytes_of_skops(name):
    model = MODELS[name]
    if "n_estimators" in model.get_params():
        model.set_params(n_estimators=2)
    counts = name.startswith(("Bernoulli", "Multinomial", "Poisson", "with models"))
    X, y = small_table(numbers_only=counts)
    model.fit(X, y)
    assert describe(model, skops_version) == by_skops(model)


SHARED = NaiveBayes()


@pytest.mark.parametrize(
    "thing",
    [
        {"a": 1, 2: "b"},
        [1.5, float("inf"), None, True, "é\u2028"],
        ((), (), (1, [2])),
        {"x"},
        slice(1, None, 2),
        Bunch(part=SHARED, again=SHARED),
        [np.float32(1.5), np.int64(3), np.bool_(True), np.str_("a")],
        np.array([[1, "a"], [None, 2.5]], dtype=object),
        [np.arange(6).reshape(2, 3)[:, ::2]] * 2,
        np.array(["a", "bc"]),
        [int, str, np.float64],
        MISSING,
    ],
)
def test_parts_of_models_have_the_bytes_of_skops(thing):
    assert describe(thing, skops_version) == by_skops(thing)


@pytest.mark.parametrize(
    "thing",
    [
        np.log,
        len,
        pd.Series([1]),
        {1.5: "a"},
        {1: "a", "1": "b"},
        np.dtype(float),
        np.ma.masked_array([1, 2]),
        np.zeros(2, dtype=[("a", object)]),
        NaiveBayes,
        b"bytes",
        frozenset({1}),
        (i for i in range(2)),
    ],
)
def test_other_objects_are_left_to_skops(thing):
    with pytest.raises(UnknownObjectError):
        describe([thing], skops_version)


def test_an_object_that_holds_itself_is_left_to_skops():
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(UnknownObjectError, match="holds itself"):
        describe(loop, skops_version)
